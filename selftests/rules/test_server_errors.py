"""http.server-error: which requests get a 5xx, outages apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again, Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    JSON,
    PASSED,
    asked_by,
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
    seen_of,
    unanswered,
    under,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

HTML = (("Content-Type", "text/html"),)
BETWEEN = [listing(at=1.5), listing(at=2.5)]


def test_an_answer_without_a_server_error_is_evidence() -> None:
    """Any status below 500; what is not answered, or not of the interface, shows nothing."""
    assert PASSED == outcome_of("http.server-error", [lost(5)])
    beside = [
        exchange("GET", target, 500, b"oops", headers=HTML) for target in ("/orders", "/pets/", "/pets/1/")
    ]
    for other in (unanswered(listing()), *beside):
        assert CANT_TELL == outcome_of("http.server-error", [other])


@pytest.mark.parametrize("status", [500, 501, 505, 599])
def test_a_5xx_is_a_finding_and_nothing_else(status: int) -> None:
    """Reading 2: a 5xx is never right; it is filed under one clause."""
    broken = [
        exchange("GET", target, status, b"oops", headers=HTML)
        for target in ("/pets", "/pets?limit=0", "/pets/1", "/pets/abc")
    ]
    assert {"http.server-error"} == failed_of([*broken, posted({}, status, b"")])


GATEWAY = pytest.mark.parametrize("status", [502, 503, 504, 521])


def proxy_errors(status: int, *at: float) -> list[Exchange]:
    """A proxy's errors at these times, for one request each."""
    return [
        exchange("GET", f"/pets/{number}", status, b"", headers=HTML, at=each)
        for number, each in enumerate(at)
    ]


@GATEWAY
def test_an_outage_meets_every_request_for_a_while(status: int) -> None:
    """Reading 19: and then none; it is observed, and no finding."""
    for errors in (2, 3):
        times = (2.0, 2.1, 2.2)[:errors]
        trace = [listing(), *proxy_errors(status, *times)]
        assert errors == len(verdict_of("http.server-error", trace).suspected)
        # Of different requests one after another it is known once others are served again.
        trace.append(listing(at=4.0))
        assert set() == failed_of(trace)
        assert (2 if errors == 2 else 0) == len(verdict_of("http.server-error", trace).suspected)
        served = [*trace, *(lost(each, at=5.0) for each in range(errors))]
        assert PASSED == outcome_of("http.server-error", served)
        assert {"http.server-error: outage": errors} == seen_of("open.explanations", served)


@GATEWAY
def test_outages_may_come_again_and_meet_the_same_request(status: int) -> None:
    """That which looks whether it is over is the same in each; what fails between them is no outage."""
    trace = [listing(at=0.5)]
    for at in (1.0, 3.0, 5.0):
        control = [
            exchange("GET", "/pets?limit=1", status, b"", headers=HTML, at=at + each) for each in (0.2, 0.4)
        ]
        trace += [*proxy_errors(status, at), *control, lost(0, at=at + 1), listing(limit=1, at=at + 1.1)]
    assert PASSED == outcome_of("http.server-error", trace)
    alone = [each for each in trace if each.request.target != "/pets/0"]
    assert {"http.server-error"} == failed_of(alone)


@GATEWAY
def test_a_proxys_error_that_comes_three_times_apart_is_a_finding(status: int) -> None:
    """Reading 19: with others served in between, whichever requests it meets."""
    errors = proxy_errors(status, 1.0, 2.0, 3.0)
    served = [lost(each, at=5.0) for each in range(3)]
    assert {"http.server-error"} == failed_of([*errors, *BETWEEN, *served])
    assert set() == failed_of([*errors, BETWEEN[0], *served])
    elsewhere = [exchange("GET", "/orders", status, b"", headers=HTML, at=at) for at in (1.0, 2.0)]
    assert set() == failed_of([*elsewhere, *errors[2:], *BETWEEN, *served])
    in_outages = [*crash(1.0, status, of=lost(7)), *crash(2.0, status, of=lost(8))]
    assert set() == failed_of([listing(at=0.5), *in_outages, *errors[2:], *served])


@GATEWAY
def test_an_error_that_meets_some_of_many_at_once_is_no_outage(status: int) -> None:
    """Whoever serves the others has not gone away: it is a finding when it comes three times apart."""
    crowds = [each for at in (1.0, 2.0, 3.0) for each in crowd(at, status)]
    assert {"http.server-error"} == failed_of(crowds)
    assert set() == failed_of(crowds[:5])
    ended = [replace(each, answered_s=each.sent_s + 0.01) for each in crowds if each.status == 200]
    assert set() == failed_of([*ended, *(each for each in crowds if each.status == status)])


def crowd(at: float, status: int) -> list[Exchange]:
    """Four requests at once, of which one is served, and takes longest; and a list when they are over."""
    turned_away = [
        exchange(
            "GET",
            f"/pets?limit={each + 10 * at:.0f}",
            status,
            b"",
            headers=HTML,
            at=at + each / 100,
            took=0.01,
        )
        for each in (1, 2, 3)
    ]
    return [listing(at=at, took=0.2), *turned_away, listing(at=at + 0.5)]


@GATEWAY
def test_a_proxys_error_that_the_same_request_meets_again_is_a_finding(status: int) -> None:
    """Reading 19: while others are served."""
    twice = [exchange("GET", "/pets?limit=7", status, b"", at=at) for at in (1.0, 2.0)]
    verdict = verdict_of("http.server-error", [*twice, BETWEEN[0]])
    assert (FAILED, (("outage", BETWEEN[0]),)) == (verdict.outcome, verdict.findings[0].finding.excluded)
    assert CANT_TELL == outcome_of("http.server-error", [*twice, listing(at=9.0)])
    (experiment,) = verdict_of("http.server-error", twice).suspected[0].suspicion.experiments
    assert (Read("/pets?limit=1"), Again(twice[0].request)) == experiment.steps


def crash(at: float, status: int = 502, *, of: Exchange | None = None) -> list[Exchange]:
    """A request, by default a list with limit=0, with which an outage of half a second begins, and a list after it."""
    first = unlisted(400, limit=0) if of is None else of
    response = exchange("GET", "/pets", status, b"", headers=HTML).response
    control = [
        exchange("GET", "/pets?limit=1", status, b"", headers=HTML, at=at + each) for each in (0.2, 0.4)
    ]
    begun = replace(first, response=response, sent_s=at, answered_s=at + 0.01)
    return [begun, *control, listing(limit=1, at=at + 0.6)]


CRASHES = {
    "a list": unlisted(400, limit=0),
    "a creation": refused([1]),
    "without a key": under(refused(), ABSENT),
}


@GATEWAY
@pytest.mark.parametrize("of", CRASHES.values(), ids=CRASHES)
def test_a_request_with_which_an_outage_begins_whenever_it_is_sent_is_a_finding(
    status: int, of: Exchange
) -> None:
    """Reading 19: an outage is no cause of what is its cause."""
    trace = [listing(at=0.5), *(each for at in (1.0, 2.0, 3.0) for each in crash(at, status, of=of))]
    verdict = verdict_of("http.server-error", trace)
    assert {"http.server-error"} == failed_of(trace)
    finding = verdict.findings[0].finding
    assert (("outage", trace[4]), ("outage", trace[8])) == finding.excluded
    assert (trace[5], trace[9]) == finding.related
    meanwhile = replace(trace[1], sent_s=4.3, answered_s=4.31)
    another = crash(4.0, status, of=lost(7))
    assert 3 == verdict_of("http.server-error", [*trace, *another, meanwhile]).finding_count


def test_a_request_with_which_two_outages_began_is_sent_once_more() -> None:
    """With the key alone: under another credential it cannot be."""
    trace = [listing(at=0.5), *crash(1.0), *crash(2.0)]
    verdict = verdict_of("http.server-error", trace)
    assert CANT_TELL == verdict.outcome
    (experiment,) = asked_by(verdict)
    assert (Read("/pets?limit=1"), Again(trace[1].request)) == experiment.steps
    absent = CRASHES["without a key"]
    trace = [listing(at=0.5), *crash(1.0, of=absent), *crash(2.0, of=absent)]
    assert PASSED == outcome_of("http.server-error", trace)


@cases(
    "lawful",
    {
        "served since": [*crash(1.0), *crash(2.0), *crash(3.0), unlisted(400, limit=0, at=4.0)],
        "served after the first": [*crash(1.0), unlisted(400, limit=0, at=1.8), *crash(2.0), *crash(3.0)],
        "served in between": [*crash(1.0), *crash(2.0), unlisted(400, limit=0, at=2.8), *crash(3.0)],
        "different ones": [*crash(1.0), *crash(2.0, of=lost(7)), *crash(3.0, of=lost(8))],
        "beside others": [
            each
            for at in (1.0, 2.0, 3.0)
            for each in (*crash(at), replace(crash(at)[1], sent_s=at + 0.005, answered_s=at + 0.02))
        ],
        "once": [*crash(1.0)],
    },
)
def test_restarts_that_meet_a_request_first_are_none(lawful: list[Exchange]) -> None:
    """Reading 19: they do so by chance."""
    assert set() == failed_of([listing(at=0.5), *lawful])
    assert () == verdict_of("http.server-error", [listing(at=0.5), *lawful]).suspected


@cases(
    ("other", "outcome"),
    {
        "throttling": (exchange("GET", "/pets", 503, b"later", headers=(("Retry-After", "1"),)), CANT_TELL),
        "an idle connection": (exchange("GET", "/pets", 408, b"", headers=HTML), PASSED),
        "chunks": (
            posted(payload(), 501, b"", sent_headers=(*JSON, ("Transfer-Encoding", "chunked"))),
            CANT_TELL,
        ),
        "a method that there is not": (exchange("PROPFIND", "/pets", 501, b"", headers=HTML), CANT_TELL),
    },
)
def test_what_is_said_of_something_else_is_no_finding(other: Exchange, outcome: str) -> None:
    """Reading 2: 503 with Retry-After, 408 of a proxy, and 501 to another method."""
    assert set() == failed_of([other, listing(at=2.0)])
    assert outcome == outcome_of("http.server-error", [other])


@pytest.mark.parametrize("body", [b"", b"slow down", b"<html>", b"[1", b'{"code": 1}'])
def test_a_429_with_any_body_is_no_finding(body: bytes) -> None:
    """Reading 2: rate limits are not shown, so 429 is right anywhere."""
    throttled = [exchange("GET", target, 429, body, headers=HTML) for target in ("/pets", "/pets/1")]
    assert set() == failed_of([*throttled, posted({}, 429, body), got(1)])
    assert (0, 0) == opinions_of("http.server-error", throttled)
