"""What the first requests of a run tell: an address that is wrong, or a store that is."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from selftests.loopback.command import against, smoke
from selftests.loopback.server import KEY, Answer, RawServer, Visit, error, only, response


def empty_is_404(visit: Visit) -> Answer:
    """Answer an empty list with 404."""
    honest = visit.honest()
    return error(404) if visit.caught.operation == "list" and honest.endswith(b"\r\n\r\n[]") else honest


def cut_in_half(whole: bytes) -> bytes:
    """A response without the second half of its body."""
    head, _, body = whole.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n" + body[: len(body) // 2]


def without_its_end(whole: bytes) -> bytes:
    """A response with a body in gzip, but for the eight bytes that say whether it is whole."""
    body = gzip.compress(whole.partition(b"\r\n\r\n")[2])[:-8]
    return response(200, body, ("Content-Encoding", "gzip"))


def test_a_store_that_has_no_empty_list_is_judged(tmp_path: Path) -> None:
    """A create request without any field is rejected there: so it has the operation, and 404 is its own mistake."""
    with RawServer(empty_is_404) as server:
        server.shop.animals.clear()
        ended = smoke(server.url, cwd=tmp_path)
    assert 1 == ended.code, ended.said
    assert "list.answer" in ended.failed_musts


def test_an_address_without_a_store_is_not(tmp_path: Path) -> None:
    """There, a create request is not found either; none is sent by a run that only reads."""
    with RawServer(lambda _: error(404)) as server:
        ended = smoke(server.url, cwd=tmp_path)
        assert ["list", "create"] == [each.operation for each in server.log]
        only_reads = smoke(server.url, "--read-only", cwd=tmp_path)
    assert ["list"] == [each.operation for each in server.log[2:]]
    for each in (ended, only_reads):
        assert 3 == each.code
        assert "There is no animal store at" in each.report["reason"]


def test_a_key_that_is_taken_the_second_time_is_no_wrong_one(tmp_path: Path) -> None:
    """The first request of each connection is refused: so the run goes on, and finds it."""

    def once(visit: Visit) -> Answer:
        first = visit.wire not in seen
        seen.append(visit.wire)
        return error(401) if first else visit.honest()

    seen: list[object] = []
    with RawServer(once) as server:
        ended = smoke(server.url, cwd=tmp_path)
    assert ended.code != 0, ended.said
    assert "rejects the key" not in ended.report["reason"]
    assert len(server.log) > 20


def test_a_store_that_shows_its_animals_to_all_but_who_has_the_key_does_not_conform(tmp_path: Path) -> None:
    """The check of the key is the wrong way round, or the key is a wrong one: either way, the list is open."""

    def inverted(visit: Visit) -> Answer:
        if visit.caught.headers.get("authorization") == f"Bearer {KEY}":
            return error(401)
        return response(200, visit.shop.animals[:20]) if visit.caught.operation == "list" else error(404)

    with RawServer(inverted) as server:
        ended = smoke(server.url, cwd=tmp_path)
    assert 1 == ended.code, ended.said
    assert {"auth.missing.list"} == ended.failed_musts


@pytest.mark.parametrize(
    ("cut", "then"),
    [
        pytest.param(cut_in_half, None, id="half of a body"),
        pytest.param(without_its_end, b"", id="gzip without its end"),
    ],
)
def test_a_store_whose_lists_cannot_be_read_to_their_end_does_not_conform(
    cut: Callable[[bytes], bytes], then: Answer, tmp_path: Path
) -> None:
    """It rejects a request without the key, so it does speak HTTP. Only what is cut in half ends the connection."""

    def behave(visit: Visit) -> Answer:
        visit.wire.send(cut(visit.honest()))
        return then

    ended, _ = against(only("list", behaviour=behave), cwd=tmp_path, code=1)
    assert {"http.answer"} == ended.ids("failed")
