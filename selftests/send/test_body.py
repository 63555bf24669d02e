"""Long bodies: the elements of a list are counted as it streams, and its first ones are kept."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone
from selftests.loopback.server import KEY, Answer, RawServer, Visit, response

MB = 1024 * 1024


def animals(count: int, name: str) -> list[dict[str, object]]:
    """So many animals with this name."""
    return [{"id": each, "name": name, "categoryId": 1, "status": "sold"} for each in range(1, count + 1)]


@contextmanager
def answering(value: object) -> Iterator[tuple[Client, list[Exchange]]]:
    """A client of a server that answers everything with a value, or with bytes, and what is recorded of it."""
    recorded: list[Exchange] = []

    def behave(_: Visit) -> Answer:
        return response(200, value if isinstance(value, bytes) else json.dumps(value).encode())

    with RawServer(behave) as server:
        client = Client(server.url, KEY, recorded.append)
        try:
            yield client, recorded
        finally:
            client.close()


def test_of_a_list_of_large_animals_all_are_counted_and_the_first_kept() -> None:
    """Animals of 60 KB are no obstacle: the page has as many as it has."""
    with answering(animals(40, "n" * 60_000)) as (client, _):
        got = client.sender().send("GET", "/pets?limit=40").response
    assert got is not None
    assert 40 == got.elements
    assert animals(17, "n" * 60_000) == got.json.value
    assert len(got.body) < MB


def test_of_a_list_of_animals_with_large_fields_of_their_own_all_are_kept() -> None:
    """Without these fields."""
    pets = animals(100, "Rex")
    with answering([each | {"photo": "AAAA" * 15_000} for each in pets]) as (client, _):
        got = client.sender().send("GET", "/pets?limit=100").response
    assert got is not None
    assert 100 == got.elements
    assert pets == got.json.value


def test_a_list_that_is_far_too_long_is_a_finding_of_its_limit() -> None:
    """However long it is: it is not read to its end."""
    with answering(animals(100_000, "Rex")) as (client, recorded):
        client.sender().send("GET", "/pets?limit=1")
    verdict = next(
        each for each in judge(recorded, Terms()).verdicts if each.clause.id == "list.limit.respected"
    )
    assert ["failed"] == [verdict.outcome]
    assert "at least" in verdict.findings[0].finding.observed


def test_no_more_than_so_much_is_read_of_bodies_that_come_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small compressed body can stand for gigabytes, each time; of a list that can be judged everything is read."""
    monkeypatch.setattr("animal_conformance.send.body.MOST_READ_IN_VAIN_BYTES", 4 * MB)
    monkeypatch.setattr("animal_conformance.send.body.LONGEST_ARRAY_BYTES", 3 * MB)
    bomb = response(200, gzip.compress(b"[" + b" " * 9 * MB), ("Content-Encoding", "gzip"))
    long = response(200, json.dumps(animals(40, "n" * 60_000)).encode())
    with RawServer(lambda visit: bomb if "limit=1" in visit.caught.target else long) as server:
        client = Client(server.url, KEY, lambda _: None)
        sender = client.sender()
        answers = [sender.send("GET", f"/pets{query}") for query in ("", "?limit=1", "", "?limit=1", "")]
        client.close()
    assert [40, None, 40, None, None] == [each.response and each.response.elements for each in answers]
    assert ["too-large"] * 3 == [each.failure.kind for each in answers if each.failure]


def test_the_connection_is_used_again_after_a_list_that_was_counted_to_its_end() -> None:
    """And what follows on it is another answer."""
    with answering(animals(40, "n" * 60_000)) as (client, recorded):
        sender = client.sender()
        for _ in range(3):
            sender.send("GET", "/pets")
    assert [40, 40, 40] == [each.response and each.response.elements for each in recorded]


@pytest.mark.parametrize("photo", [b'"%s"' % (b"n" * 2 * MB), b"{}" + b" " * 2 * MB])
def test_of_an_animal_with_large_fields_of_its_own_the_others_are_kept(photo: bytes) -> None:
    """However they are put; and so it is with an Error."""
    with answering(b'{"id": "x", "message": "gone", "photo": %s}' % photo) as (client, _):
        got = client.sender().send("GET", "/pets/1").response
    assert got is not None
    assert {"id": "x", "message": "gone"} == got.json.value


@pytest.mark.parametrize("body", [b"[" + b" " * 2 * MB, b"<p>" + b" " * 2 * MB, b'{"id": 1' + b" " * 2 * MB])
def test_of_a_large_body_that_is_no_json_the_beginning_is_kept(body: bytes) -> None:
    """So that it can be judged."""
    with answering(body) as (client, recorded):
        client.sender().send("GET", "/pets/1")
    failed = {each.clause.id for each in judge(recorded, Terms()).verdicts if each.outcome == "failed"}
    assert "http.json.body" in failed


@pytest.mark.parametrize("value", [{"name": "n" * 2 * MB}, "n" * 2 * MB, b" " * 5 * MB])
def test_what_is_no_list_has_no_beginning_that_could_be_judged(value: object) -> None:
    """It is too large, and nothing is said of it."""
    with answering(value) as (client, _):
        failure = client.sender().send("GET", "/pets/1").failure
    assert failure is not None
    assert "too-large" == failure.kind


@pytest.mark.parametrize("value", [b'{"id": 1}', b"[]"])
def test_a_body_that_goes_on_for_ever_after_its_json_is_no_answer(value: bytes) -> None:
    """It is said to go on, rather than to be too large, and is not waited for until the timeout."""
    with answering(value + b" " * 9 * MB) as (client, recorded):
        sender = client.sender()
        sender.begin(1)
        with pytest.raises(Gone):
            sender.send("GET", "/pets/1")
    failures = {each.failure for each in recorded}
    assert {("malformed", "200 with 4194304 bytes of white space after its JSON, and more")} == {
        each and (each.kind, each.detail) for each in failures
    }


def test_an_exchange_with_a_long_list_is_read_from_its_record_as_it_was() -> None:
    """With the number of its elements."""
    with answering(animals(40, "n" * 60_000)) as (client, recorded):
        client.sender().send("GET", "/pets")
    again = Exchange.from_record(json.loads(json.dumps(recorded[0].as_record())))
    assert recorded[0].response == again.response


def test_null_is_a_body_and_none_is_sent_where_nothing_is_given() -> None:
    """As a payload like any other, valid or not."""
    with answering({}) as (client, exchanges):
        client.sender().send("POST", "/pets", json=None)
        client.sender().send("POST", "/pets")
    assert [b"null", None] == [each.request.body for each in exchanges]
