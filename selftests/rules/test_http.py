"""The rules of rules/http.py: answers, JSON and its label."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again, Read
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Exchange, FailureKind
from animal_conformance.record.jsontext import DEEPEST_JSON
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    JSON,
    MANNERS,
    PASSED,
    WRONG,
    animal,
    created,
    error,
    exchange,
    failed_of,
    got,
    listing,
    lost,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    refused,
    unanswered,
    under,
    unlisted,
    verdict_of,
)

HTML = (("Content-Type", "text/html"),)
PLAIN = (("Content-Type", "text/plain"),)


def attempts(number: int, kind: FailureKind = FailureKind.RESET) -> list[Exchange]:
    """That many requests of one kind without an answer."""
    return [unanswered(listing(limit=7), kind, at=1.0 + each) for each in range(number)]


def test_an_answer_is_evidence() -> None:
    """An exchange with a response shows that there is one."""
    assert PASSED == outcome_of("http.answer", [listing()])


def test_another_address_is_no_evidence_of_answers() -> None:
    """What is not of the interface proves nothing of it."""
    assert CANT_TELL == outcome_of("http.answer", [exchange("GET", "/orders")])


BETWEEN = [listing(at=1.5), listing(at=2.5)]


def cut_now_and_then(times: int, kind: FailureKind) -> list[Exchange]:
    """Requests whose response is cut off, each of which is answered when it is sent again."""
    return [
        each
        for at in range(1, times + 1)
        for each in (unanswered(listing(limit=at), kind, at=float(at)), listing(limit=at, at=at + 0.5))
    ]


@pytest.mark.parametrize(
    ("times", "kind", "outcome"),
    [
        (3, FailureKind.MALFORMED, FAILED),
        (2, FailureKind.MALFORMED, PASSED),
        (6, FailureKind.RESET, PASSED),
    ],
)
def test_responses_that_are_cut_off_three_times_apart_are_a_finding(
    times: int, kind: FailureKind, outcome: ClauseOutcome
) -> None:
    """Whatever comes of further attempts; a connection that is closed before any response is the network's."""
    trace = cut_now_and_then(times, kind)
    verdict = verdict_of("http.answer", trace)
    assert outcome == verdict.outcome
    if outcome == FAILED:
        assert (trace[0].reference,) == verdict.found_in
        finding = verdict.findings[0].finding
        assert ((trace[2], trace[4]), (("outage", trace[1]), ("outage", trace[3]))) == (
            finding.related,
            finding.excluded,
        )


OWN = [f"Ac{letters * 5}" for letters in ("ab", "cd", "ef")]


def dropped_creations(*listed: int) -> list[Exchange]:
    """Three creations that are answered only when they are sent again, and a list that shows some of them twice."""
    trace = []
    for at, name in enumerate(OWN, 1):
        made = created(named(name), 100 + at, at=at + 0.5)
        trace += [unanswered(made, at=float(at)), made]
    shown = [animal(100 + at, name=name) for at, name in enumerate(OWN, 1)]
    shown += [animal(at, name=OWN[at - 1]) for at in listed]
    return [*trace, listing(shown, at=10.0)]


@pytest.mark.parametrize(("listed", "outcome"), [((1, 2, 3), FAILED), ((1, 3), PASSED), ((), PASSED)])
def test_creations_that_are_stored_and_not_answered_three_times_apart_are_a_finding(
    listed: tuple[int, ...], outcome: ClauseOutcome
) -> None:
    """Their animals are there a second time; what was sent on a connection that was closing has added none."""
    trace = dropped_creations(*listed)
    verdict = verdict_of("http.answer", trace)
    assert outcome == verdict.outcome
    if outcome == FAILED:
        assert (trace[0].reference,) == verdict.found_in
        assert (trace[2], trace[4]) == verdict.findings[0].finding.related


@pytest.mark.parametrize("kind", [FailureKind.RESET, FailureKind.MALFORMED])
def test_a_request_that_is_never_answered_while_others_are_is_a_finding(kind: FailureKind) -> None:
    """Reading 18: three times apart, with others served in between."""
    tried = attempts(3, kind)
    verdict = verdict_of("http.answer", [*tried, *BETWEEN])
    assert (FAILED, 3, 2) == (verdict.outcome, verdict.finding_count, verdict.evidence)
    found = verdict.findings[0].finding
    assert (tuple(tried[:1]), (("outage", BETWEEN[0]), ("outage", BETWEEN[1]))) == (
        found.related,
        found.excluded,
    )


@pytest.mark.parametrize(
    "never",
    [
        pytest.param(refused({"categoryId": 1}), id="an invalid body"),
        pytest.param(got("rex"), id="an invalid petId"),
        pytest.param(listing(limit=0), id="an invalid limit"),
        pytest.param(under(listing(limit=7), WRONG), id="a wrong key"),
    ],
)
def test_an_invalid_request_that_gets_no_answer_in_time_is_one_that_is_never_answered(
    never: Exchange,
) -> None:
    """Valid ones are covered by the clauses of their operations."""
    tried = [unanswered(never, FailureKind.TIMEOUT, at=float(at)) for at in (1, 2, 3)]
    between = [*BETWEEN, created(named("Whiskerton"), 5, at=2.6), got(5, at=2.7)]
    assert {"http.answer"} == failed_of([*tried, *between])
    # An experiment has the valid key.
    suspected = verdict_of("http.answer", [*tried[:2], *between]).suspected
    assert bool(suspected) is (never.request.credential is not WRONG)
    late = replace(never, sent_s=9.0, answered_s=40.0)
    assert "http.answer" not in failed_of([*tried, *between, late])


def test_an_operation_that_is_slow_as_a_whole_is_no_finding() -> None:
    """A run that waits longer may see its answers, whatever the request is."""
    tried = [unanswered(lost("abc", 400), FailureKind.TIMEOUT, at=float(at)) for at in (1, 2, 3)]
    assert CANT_TELL == outcome_of("http.answer", [*tried, *BETWEEN])
    assert set() == failed_of([*tried, *BETWEEN])


def test_one_that_waits_in_vain_for_a_while_is_tried_again_after_its_like_was_served() -> None:
    """What is locked for a while is no finding."""
    refused_late = lost("abc", 400)
    tried = [unanswered(refused_late, FailureKind.TIMEOUT, at=float(at)) for at in (1, 2, 3)]
    trace = [*tried, *BETWEEN, got(5, at=8.0)]
    assert set() == failed_of([created(named("Whiskerton"), 5, at=0.1), *trace])
    verdict = verdict_of("http.answer", [created(named("Whiskerton"), 5, at=0.1), *trace])
    (experiment,) = verdict.suspected[0].suspicion.experiments
    assert (Read("/pets/5"), Again(refused_late.request)) == experiment.steps
    again = unanswered(refused_late, FailureKind.TIMEOUT, at=9.0)
    assert {"http.answer"} == failed_of([created(named("Whiskerton"), 5, at=0.1), *trace, again])


def test_a_request_that_was_answered_before_may_be_broken_off_for_good_since() -> None:
    """Such as a list that has grown longer than a proxy's buffer."""
    before = listing(limit=7, at=0.1)
    assert FAILED == outcome_of("http.answer", [before, *attempts(3), *BETWEEN])


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([*attempts(6), listing(at=3.5)], id="two times apart"),
        pytest.param([*attempts(6), listing(at=30.0)], id="an outage"),
        pytest.param([*attempts(3), listing(at=1.0), listing(at=3.0)], id="answered when it began or ended"),
        pytest.param([*attempts(3), listing(at=1.5, took=3.0)], id="answered afterwards"),
        pytest.param([*attempts(3), *BETWEEN, listing(limit=7, at=20.0)], id="answered in the end"),
        pytest.param([*attempts(9, FailureKind.TIMEOUT), *BETWEEN], id="slow"),
        pytest.param([*attempts(9, FailureKind.REFUSED), *BETWEEN], id="network"),
    ],
)
def test_a_network_that_fails_is_no_finding(lawful: list[Exchange]) -> None:
    """A lost connection says nothing of the deployment."""
    answered = sum(each.response is not None for each in lawful)
    assert (answered, 0) == opinions_of("http.answer", lawful)


def test_a_request_that_is_not_answered_yet_is_sent_again() -> None:
    """Reading 18: with others in between, until it was three times apart."""
    suspected = verdict_of("http.answer", [*attempts(2), listing(at=1.5)]).suspected
    (experiment,) = suspected[0].suspicion.experiments
    again = Again(attempts(1)[0].request)
    assert (Read("/pets?limit=1"), again) == experiment.steps


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
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(unanswered(listing()), id="no answer"),
        pytest.param(exchange("GET", "/pets", 204, b"", headers=()), id="no content"),
        pytest.param(exchange("GET", "/pets", 201, [], headers=()), id="another status of a list"),
        pytest.param(posted({}, 200, {}, headers=()), id="another status of a creation"),
        pytest.param(got(1, headers=(), sent_headers=(("Accept", "text/html"),)), id="another type"),
        pytest.param(exchange("GET", "/pets?x=1", 400, error(), headers=HTML), id="an unknown parameter"),
        pytest.param(exchange("GET", "/pets?limit=0", 431, error(431), headers=HTML), id="a proxy's"),
        pytest.param(exchange("GET", "/pets", 500, error(500), headers=HTML), id="a server error"),
        pytest.param(exchange("GET", "/orders", 404, error(404), headers=HTML), id="another address"),
        pytest.param(exchange("GET", "/orders", 200, [], headers=HTML), id="a success elsewhere"),
    ],
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


def test_a_field_that_is_nested_deeply_keeps_no_clause_from_being_judged() -> None:
    """What the interface defines is not deep, and is read."""
    tree = b"[" * 3000 + b"]" * 3000
    found = got(1, json.dumps(animal(1)).encode()[:-1] + b', "tree": ' + tree + b"}")
    assert PASSED == outcome_of("http.json.body", [found])
    assert PASSED == outcome_of("animal.id", [found])


def test_an_error_without_json_is_no_matter_of_http_json_body() -> None:
    """The body of an error is error.body's, once."""
    assert {"error.body"} == failed_of([exchange("GET", "/pets/5", 404, b"<h1>Not Found", headers=HTML)])


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


def test_a_body_that_is_no_error_is_judged_once() -> None:
    """Plain text that happens to be a JSON number is not an Error, and its label is no second matter."""
    assert {"error.body"} == failed_of([exchange("GET", "/pets/5", 404, b"404", headers=PLAIN)])


def test_another_type_that_was_asked_for_is_open() -> None:
    """Reading 15: content negotiation is open."""
    asked = listing(b"<ul></ul>", headers=HTML, sent_headers=(("Accept", "text/html"),))
    assert set() == failed_of([asked])


def test_a_parameter_that_is_not_in_the_document_is_open() -> None:
    """Reading 15: what ?format=csv or ?fields=name yields is nobody's clause."""
    assert set() == failed_of(
        [
            listing(b"id;name\n1;Rex", query="format=csv", headers=PLAIN),
            listing([{"name": "Rex"}], query="fields=name", at=2.0),
        ]
    )


@pytest.mark.parametrize("status", [408, 421, 426, 429, 431])
def test_what_a_server_answers_before_any_operation_needs_no_error(status: int) -> None:
    """Reading 13: such answers come from frameworks and proxies, in HTML."""
    answer = exchange("GET", "/pets?limit=0", status, b"<html>", headers=HTML)
    assert set() == failed_of([listing(), answer])


OF_A_LANGUAGE, OF_JSON = (("Accept-Language", "tlh"),), (("Content-Type", "application/json"),)


@pytest.mark.parametrize(
    ("status", "put"),
    [
        pytest.param(406, exchange("GET", "/pets", sent_headers=OF_A_LANGUAGE), id="a language"),
        pytest.param(411, posted(b""), id="a creation without a length"),
        pytest.param(413, posted(payload()), id="a body"),
        pytest.param(414, exchange("GET", f"/pets/{'a' * 300}"), id="a longer address"),
        pytest.param(415, posted(payload()), id="a label"),
        pytest.param(415, exchange("GET", "/pets", sent_headers=OF_JSON), id="a label of no body"),
        pytest.param(417, exchange("GET", "/pets", sent_headers=(("Expect", "100-continue"),)), id="Expect"),
    ],
)
def test_what_a_server_answers_to_how_a_request_is_put_needs_no_error(status: int, put: Exchange) -> None:
    """To requests of that kind; to a plain one, it is an answer of its operation."""
    html = exchange("GET", "/pets", status, b"<html>", headers=HTML).response
    assert (0, 0) == opinions_of("error.body", [replace(put, response=html)])
    plain = exchange("GET", "/pets?limit=0", status, b"<html>", headers=HTML)
    assert (0, 1) == opinions_of("error.body", [plain])


@pytest.mark.parametrize("target", ["/pets?limit=0", "/pets?status=lost", "/pets/abc"])
def test_a_method_that_the_interface_has_is_not_refused_without_an_error(target: str) -> None:
    """Readings 1 and 9: any 4xx to an invalid parameter carries an Error, 405 as well."""
    answer = exchange("GET", target, 405, b"Method Not Allowed", headers=(*PLAIN, ("Allow", "PUT")))
    assert {"error.body"} == failed_of([listing(), answer])


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(
            exchange("GET", "/pets", 400, b"", headers=HTML, sent_headers=(("Accept", "text/csv"),)),
            id="type",
        ),
        pytest.param(posted({}, 400, b"", headers=HTML, sent_headers=PLAIN), id="label"),
        pytest.param(posted(b" " * 9000, 400, b"", headers=HTML), id="large body"),
        pytest.param(exchange("GET", f"/pets/{'1' * 2000}", 400, b"", headers=HTML), id="long address"),
        pytest.param(exchange("GET", "/pets/a%2Fb", 400, b"", headers=HTML), id="odd path"),
        pytest.param(exchange("GET", "/pets", 400, b"", headers=HTML, body=b"x"), id="body of a GET"),
        pytest.param(exchange("GET", "/orders", 404, b"", headers=HTML), id="another address"),
        pytest.param(exchange("GET", "/pets/7", 399, b"", headers=HTML), id="no error"),
    ],
)
def test_what_is_refused_before_any_operation_needs_no_error(odd: Exchange) -> None:
    """Reading 15: what the interface says nothing about is answered by frameworks and proxies, in HTML."""
    assert (0, 0) == opinions_of("error.body", [odd])


@pytest.mark.parametrize("status", [400, 401, 404, 499])
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
    assert not verdict_of("http.answer", [created(), *large]).suspected
    assert {"http.answer"} == failed_of([created(), large[0], got(1, at=2.5), large[1]])
    for other in (got(1, at=1.5), lost(1, 429, at=2.5), got(1, at=9.0)):
        assert set() == failed_of([created(), large[0], other, large[1]])
    lists = [unanswered(listing([animal(1)], at=2.0), FailureKind.TOO_LARGE), listing([animal(1)], at=3.0)]
    assert set() == failed_of(lists)
