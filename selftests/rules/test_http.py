"""The rules of rules/http.py: answers, JSON and its label."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again
from animal_conformance.record.exchange import Credential, Exchange, FailureKind
from animal_conformance.record.jsontext import DEEPEST_JSON
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    JSON,
    MANNERS,
    PASSED,
    animal,
    created,
    error,
    exchange,
    failed_of,
    got,
    listing,
    lost,
    opinions_of,
    outcome_of,
    payload,
    posted,
    refused,
    spoken,
    unanswered,
    under,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

HTML = (("Content-Type", "text/html"),)
PLAIN = (("Content-Type", "text/plain"),)


def test_an_answer_is_evidence_and_one_at_another_address_is_none() -> None:
    """What is not of the interface proves nothing of it."""
    assert PASSED == outcome_of("http.answer", [listing()])
    assert CANT_TELL == outcome_of("http.answer", [exchange("GET", "/orders")])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"[",
        b"[NaN]",
        b"[Infinity]",
        b"{'id': 1}",
        b"[1,]",
        b"[] []",
        b"\xef\xbb\xbf[]",
        b"[\xff]",
        b'[{"name": "a\nb"}]',
        "[]".encode("utf-16"),
        b"<html>",
        b"[01]",
    ],
)
def test_a_success_that_is_not_json_is_a_finding(body: bytes) -> None:
    """All bodies are JSON: what RFC 8259 does not allow is none, and no other clause says so again."""
    for headers in (JSON, HTML):
        assert {"http.json.body"} == failed_of([listing(body, headers=headers)])


@pytest.mark.parametrize("clause_id", ["http.json.body", "http.json.content-type"])
@cases(
    "other",
    {
        "no answer": unanswered(listing()),
        "no content": exchange("GET", "/pets", 204, b"", headers=()),
        "another status of a list": exchange("GET", "/pets", 201, [], headers=()),
        "another status of a creation": posted({}, 200, {}, headers=()),
        "another type": got(1, headers=(), sent_headers=(("Accept", "text/html"),)),
        "an unknown parameter": exchange("GET", "/pets?x=1", 400, error(), headers=HTML),
        "a proxy's": exchange("GET", "/pets?limit=0", 431, error(431), headers=HTML),
        "a server error": exchange("GET", "/pets", 500, error(500), headers=HTML),
        "another address": exchange("GET", "/orders", 404, error(404), headers=HTML),
        "a success elsewhere": exchange("GET", "/orders", 200, [], headers=HTML),
    },
)
def test_what_is_no_answer_of_the_tables_says_nothing_of_json(clause_id: str, other: Exchange) -> None:
    """Successes and errors of the three operations are JSON; others may be anything."""
    assert (0, 0) == opinions_of(clause_id, [other])


@pytest.mark.parametrize("clause_id", ["http.json.body", "http.json.content-type"])
@pytest.mark.parametrize("answer", [created(), got(1), listing()])
def test_the_success_of_each_operation_is_evidence_of_json(clause_id: str, answer: Exchange) -> None:
    """Each has the status of its table."""
    assert (1, 0) == opinions_of(clause_id, [answer])


@pytest.mark.parametrize(
    "body", [b"[]", b" [ ] ", b'[{"id": 5.0}]', rb'["\ud83d\ude00"]', b"[1e400]", b'{"a":1,"a":2}', b"null"]
)
def test_a_success_that_is_json_is_evidence(body: bytes) -> None:
    """White space, escapes and large numbers are JSON; what the value is, others say."""
    assert PASSED == outcome_of("http.json.body", [listing(body)])


def test_a_body_that_is_nested_deeper_than_is_read_could_not_be_judged() -> None:
    """An animal may have further fields, and their depth is not limited."""
    deep = b"[" * DEEPEST_JSON + b"]" * DEEPEST_JSON
    found = got(1, json.dumps(animal(1)).encode()[:-1] + b', "tree": ' + deep + b"}")
    assert CANT_TELL == outcome_of("http.json.body", [found])
    assert set() == failed_of([found])


def test_a_list_of_which_only_the_beginning_was_kept_is_no_evidence_of_json() -> None:
    """Its end was not read."""
    whole = listing([animal(1)])
    assert whole.response is not None
    long = replace(whole, response=replace(whole.response, elements=100_000))
    assert (0, 0) == opinions_of("http.json.body", [long])


def test_a_field_that_is_nested_deeply_keeps_no_clause_from_being_judged() -> None:
    """What the interface defines is not deep, and is read."""
    tree = b"[" * 3000 + b"]" * 3000
    found = got(1, json.dumps(animal(1)).encode()[:-1] + b', "tree": ' + tree + b"}")
    assert PASSED == outcome_of("http.json.body", [found])
    assert PASSED == outcome_of("animal.id", [found])


@pytest.mark.parametrize(("body", "headers"), [(b"<h1>Not Found", HTML), (b"404", PLAIN)])
def test_an_error_without_json_is_judged_once(body: bytes, headers: tuple[tuple[str, str], ...]) -> None:
    """By error.body; text may happen to be a JSON number, and its label is no second matter."""
    assert {"error.body"} == failed_of([exchange("GET", "/pets/5", 404, body, headers=headers)])


@pytest.mark.parametrize(
    "label",
    [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/json;charset=UTF-8;v=1",
        " application/json ;",
    ],
)
def test_a_label_of_json_is_evidence(label: str) -> None:
    """Reading 2: parameters such as charset are allowed, and media types have no case."""
    assert PASSED == outcome_of("http.json.content-type", [listing(headers=(("content-type", label),))])


@pytest.mark.parametrize(
    "headers",
    [(), HTML, PLAIN, (("Content-Type", "application/vnd.api+json"),), (("Content-Type", "text/json"),)],
)
def test_json_under_another_label_is_a_finding(headers: tuple[tuple[str, str], ...]) -> None:
    """JSON bodies are application/json, those of errors too."""
    assert FAILED == outcome_of("http.json.content-type", [listing(headers=headers)])
    assert FAILED == outcome_of("http.json.content-type", [lost(5, headers=headers)])


def test_two_content_types_are_one_only_if_they_are_the_same() -> None:
    """Clients take the first or the last (RFC 9110 section 5.3)."""
    twice = (*OF_JSON, ("content-type", "application/json; charset=utf-8"))
    assert PASSED == outcome_of("http.json.content-type", [listing(headers=twice)])
    for headers in ((*OF_JSON, *HTML), (*HTML, *OF_JSON)):
        (found,) = verdict_of("http.json.content-type", [listing(headers=headers)]).findings
        assert "application/json" in found.finding.observed
        assert "text/html" in found.finding.observed


def test_another_type_and_a_parameter_that_is_not_in_the_document_are_open() -> None:
    """Reading 15: content negotiation, and what ?format=csv or ?fields=name yields, are nobody's clause."""
    page = listing(b"<ul></ul>", headers=HTML, sent_headers=(("Accept", "text/html"),))
    table = listing(b"id;name\n1;Rex", query="format=csv", headers=PLAIN)
    assert set() == failed_of([page, table, listing([{"name": "Rex"}], query="fields=name", at=2.0)])


@pytest.mark.parametrize("status", [408, 421, 426, 429, 431])
def test_what_a_server_answers_before_any_operation_needs_no_error(status: int) -> None:
    """Reading 13: such answers come from frameworks and proxies, in HTML."""
    answer = exchange("GET", "/pets?limit=0", status, b"<html>", headers=HTML)
    assert set() == failed_of([listing(), answer])


IN_CHUNKS = (("Transfer-Encoding", "chunked"),)
OF_A_LANGUAGE, OF_JSON = (("Accept-Language", "tlh"),), (("Content-Type", "application/json"),)
OF_A_LANGUAGE_OR_NONE = (("Accept-Language", "tlh, *;q=0"),)


@cases(
    ("status", "put"),
    {
        "a language": (406, exchange("GET", "/pets", sent_headers=OF_A_LANGUAGE)),
        "a language, or none": (406, exchange("GET", "/pets", sent_headers=OF_A_LANGUAGE_OR_NONE)),
        "a charset": (406, exchange("GET", "/pets", sent_headers=(("Accept-Charset", "utf-7"),))),
        "a coding": (406, exchange("GET", "/pets", sent_headers=(("Accept-Encoding", "zstd"),))),
        "chunks without a length": (411, exchange("GET", "/pets", sent_headers=IN_CHUNKS)),
        "chunks of no body": (413, exchange("GET", "/pets", sent_headers=IN_CHUNKS)),
        "the length of no body": (413, exchange("GET", "/pets", sent_headers=(("Content-Length", "0"),))),
        "the coding of no body": (415, exchange("GET", "/pets", sent_headers=(("Content-Encoding", "br"),))),
        "a creation without a length": (411, posted(b"")),
        "a body": (413, posted(payload())),
        "a body, and a method in small letters": (
            413,
            exchange("post", "/pets", body=b"{}", sent_headers=JSON),
        ),
        "a longer address": (414, exchange("GET", f"/pets/{'a' * 250}")),
        "a label": (415, posted(payload())),
        "a label of no body": (415, exchange("GET", "/pets", sent_headers=OF_JSON)),
        "Expect": (417, exchange("GET", "/pets", sent_headers=(("Expect", "100-continue"),))),
    },
)
def test_what_a_server_answers_to_how_a_request_is_put_needs_no_error(status: int, put: Exchange) -> None:
    """To requests of that kind; to a plain one, it is an answer of its operation."""
    html = exchange("GET", "/pets", status, b"<html>", headers=HTML).response
    assert (0, 0) == opinions_of("error.body", [replace(put, response=html)])
    plain = exchange("GET", "/pets?limit=0", status, b"<html>", headers=HTML)
    assert (0, 1) == opinions_of("error.body", [plain])
    assert html is not None
    for other in (status - 1, status + 1):
        page = replace(put, response=replace(html, status=other))
        assert (0, 1) == opinions_of("error.body", [page]), other


def test_an_address_that_no_field_is_too_short_for_is_not_too_long() -> None:
    """Some keep 255 characters of it."""
    html = exchange("GET", "/pets", 414, b"<html>", headers=HTML).response
    answers = [replace(exchange("GET", f"/pets/{'a' * length}"), response=html) for length in (249, 250)]
    assert [(0, 1), (0, 0)] == [opinions_of("error.body", [each]) for each in answers]


@pytest.mark.parametrize("target", ["/pets?limit=0", "/pets?status=lost", "/pets/abc"])
def test_a_method_that_the_interface_has_is_not_refused_without_an_error(target: str) -> None:
    """Readings 1 and 9: any 4xx to an invalid parameter carries an Error, 405 as well."""
    answer = exchange("GET", target, 405, b"Method Not Allowed", headers=(*PLAIN, ("Allow", "PUT")))
    assert {"error.body"} == failed_of([listing(), answer])


@cases(
    "odd",
    {
        "type": exchange("GET", "/pets", 400, b"", headers=HTML, sent_headers=(("Accept", "text/csv"),)),
        "label": posted({}, 400, b"", headers=HTML, sent_headers=PLAIN),
        "large body": posted(b" " * 9000, 400, b"", headers=HTML),
        "long address": exchange("GET", f"/pets/{'1' * 2000}", 400, b"", headers=HTML),
        "odd path": exchange("GET", "/pets/a%2Fb", 400, b"", headers=HTML),
        "no UTF-8": exchange("GET", "/pets?status=%FF", 400, b"", headers=HTML),
        "body of a GET": exchange("GET", "/pets", 400, b"", headers=HTML, body=b"x"),
        "another address": exchange("GET", "/orders", 404, b"", headers=HTML),
        "no error": exchange("GET", "/pets/7", 399, b"", headers=HTML),
    },
)
def test_what_is_refused_before_any_operation_needs_no_error(odd: Exchange) -> None:
    """Reading 15: what the interface says nothing about is answered by frameworks and proxies, in HTML."""
    assert (0, 0) == opinions_of("error.body", [odd])


@pytest.mark.parametrize("status", [400, 401, 404, 422, 499])
def test_every_other_4xx_needs_an_error(status: int) -> None:
    """All error responses carry it."""
    assert (0, 1) == opinions_of("error.body", [exchange("GET", "/pets/7", status, b"", headers=HTML)])


def test_lawful_answers_break_nothing() -> None:
    """Reading 13: extra fields, charset, compression and any words in an Error."""
    dressed = (
        ("content-type", "application/json;charset=utf-8"),
        ("Content-Encoding", "gzip"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "close"),
    )
    rich = animal(7, age=3, _links={"self": "/pets/7"}, tags=[])
    strange = error(404, code="ERR-0815", message="", details=[{"a": 1}], traceId=None)
    exchanges = [
        listing([rich], headers=dressed),
        got(7, rich, at=2.0, headers=(*dressed, *MANNERS)),
        exchange("GET", "/pets/8888888888", 404, strange, at=3.0, headers=dressed),
        unlisted(422, limit=0, at=4.0),
        refused({"name": "Whiskerton"}, at=5.0),
    ]
    assert set() == failed_of(exchanges)


def test_a_response_that_is_too_large_only_at_times_is_a_finding() -> None:
    """An animal may have fields that make it too large always."""
    large = [unanswered(got(1, at=float(at)), FailureKind.TOO_LARGE) for at in range(2, 8)]
    verdict = verdict_of("http.answer", [created(), large[0]])
    (suspected,) = verdict.suspected
    steps = suspected.suspicion.experiments[0].steps
    assert (Again(large[0].request),) * 5 == steps
    assert verdict_of("http.answer", [created(), *large[:5]]).suspected
    assert not verdict_of("http.answer", [created(), *large]).suspected
    for at in (large[0].answered_s, 2.5, large[1].sent_s, 3.5, large[2].sent_s):
        read = [got(1, at=2.2), got(1, at=at)] if at > 2.2 else [got(1, at=at)]
        (first, *_) = verdict_of("http.answer", [created(), *large[:3], *read]).findings
        assert ((read[-1],), (("oversized", read[-1]),)) == (first.finding.related, first.finding.excluded)
    for other in (got(1, at=1.5), lost(1, 429, at=2.5), got(1, at=9.0)):
        assert set() == failed_of([created(), large[0], other, large[1]])
    lists = [unanswered(listing([animal(1)], at=at), FailureKind.TOO_LARGE) for at in (2.0, 4.0)]
    assert set() == failed_of([*lists, listing([animal(1)], at=3.0)])
    keyless = [replace(each, request=replace(each.request, credential=Credential.ABSENT)) for each in large]
    rejected = replace(lost(2, 401, at=1.0), request=replace(got(2).request, credential=Credential.ABSENT))
    unclear = verdict_of("http.answer", [created(), rejected, keyless[0]])
    assert ((), 0) == (unclear.suspected, unclear.finding_count)


@cases(
    "much",
    {
        "a large body": unanswered(posted(b" " * 9000)),
        "a long address": unanswered(exchange("GET", f"/pets/{'1' * 2000}")),
    },
)
def test_a_connection_may_be_closed_on_what_is_too_large(much: Exchange) -> None:
    """A server that reads no more of it cannot answer as well."""
    times = [replace(much, sent_s=at, answered_s=at + 0.01) for at in (2.0, 4.0, 6.0)]
    verdict = verdict_of(
        "http.answer", [listing(at=1.0), *times, *(listing(at=at) for at in (3.0, 5.0, 7.0))]
    )
    assert (PASSED, (), 4) == (verdict.outcome, verdict.suspected, verdict.evidence)


def cut_short(at: float, of: Exchange | None = None) -> Exchange:
    """A request whose response is shorter than it says."""
    return unanswered(of or listing(limit=int(at)), FailureKind.MALFORMED, at=at)


@cases(
    ("of", "failed"),
    {
        "lists": (None, True),
        "an invalid request": (listing(limit=0), False),
        "without a key": (under(listing(limit=7), Credential.ABSENT), False),
        "a client of another kind": (spoken(listing(limit=7)), False),
        "another address": (exchange("GET", "/orders"), False),
    },
)
def test_responses_that_are_cut_off_now_and_then_are_a_finding(of: Exchange | None, *, failed: bool) -> None:
    """Reading 19: three times apart, of plain valid requests; the same is served when it is sent again."""
    trace = []
    for at in (2.0, 4.0, 6.0):
        broken = cut_short(at, of)
        trace += [broken, replace(of or listing(limit=int(at)), sent_s=at + 0.5, answered_s=at + 0.51)]
        trace.append(listing(at=at + 1))
    message = "cut off, are not HTTP, or belong to no request"
    verdict = verdict_of("http.answer", trace)
    assert failed == any(message in each.finding.message for each in verdict.findings)
