"""suspicions/invalid.py: an invalid request that never gets the answer it should, while valid ones are served."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again, Create, Naming, Read
from animal_conformance.record.exchange import Exchange, Response
from selftests.exchanges import (
    ANSWER,
    CANT_TELL,
    FAILED,
    WRONG,
    animals,
    asked_by,
    created,
    error,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    payload,
    posted,
    refused,
    under,
    unlisted,
    verdict_of,
)

SERVED = [listing(animals(3), at=1.5), listing(animals(3), at=2.5)]
MADE = [created(animal_id=10 + at, at=at + 0.6) for at in (1, 2)]
TIMES = (1.0, 2.1, 3.2)
PAGE = b"<html>Misdirected</html>"


def put_off(of: Exchange, status: int, at: float, *, body: bytes | None = None) -> Exchange:
    """The same request, answered with a status; 403 asks to wait."""
    headers = (*ANSWER, ("Retry-After", "1")) if status == 403 else ANSWER
    body = json.dumps(error(status)).encode() if body is None else body
    return replace(of, response=Response(status, headers, body), sent_s=at, answered_s=at + 0.01)


AWAY = pytest.mark.parametrize("status", [403, 408])
BODIES = pytest.mark.parametrize("body", [payload(name=7), payload(status="SOLD"), [1], b"{"])


@AWAY
@BODIES
def test_an_invalid_creation_that_is_put_off_whenever_it_is_sent_is_a_finding(
    status: int, body: object
) -> None:
    """Three times apart, while animals are created: the table lists 400."""
    trace = [*(put_off(posted(body), status, at) for at in TIMES), *MADE]
    assert {"create.refusal.status"} == failed_of(trace)
    (excluded, *_) = verdict_of("create.refusal.status", trace).findings[0].finding.excluded
    assert ("throttled" if status == 403 else "outage", MADE[0]) == excluded


def test_only_what_was_sent_after_the_wait_that_was_asked_for_counts() -> None:
    """A limit lets nothing through before."""
    away = [put_off(posted([1]), 403, at) for at in (1.0, 1.9, 2.8)]
    assert CANT_TELL == outcome_of("create.refusal.status", [*away, *MADE])


@AWAY
def test_an_invalid_creation_that_is_put_off_is_sent_again(status: int) -> None:
    """After a valid one under another name."""
    away = put_off(posted([1]), status, 3.0)
    verdict = verdict_of("create.refusal.status", [*MADE, away])
    (experiment,) = asked_by(verdict)
    again = (Again(away.request), Read("/pets?limit=1"))
    assert (Create(json.dumps(payload()), Naming.UNLIKE), *again * 2) == experiment.steps
    assert CANT_TELL == verdict.outcome


PUT_OFF = [put_off(posted([1]), 408, at) for at in TIMES]
LAWFUL = {
    "answered afterwards": [*PUT_OFF, refused([1], at=9.0), *MADE],
    "refused like a key afterwards": [*PUT_OFF, posted([1], 401, error(401), at=9.0), *MADE],
    "all creations": [*PUT_OFF, *SERVED],
    "its size": [*(put_off(posted(b"x" * 9000), 408, at) for at in TIMES), *MADE],
    "a wrong key": [*(under(each, WRONG) for each in PUT_OFF), *MADE],
    "one client": [*(replace(each, request=replace(each.request, voice="curl")) for each in PUT_OFF), *MADE],
}


@pytest.mark.parametrize("trace", list(LAWFUL.values()), ids=list(LAWFUL))
def test_what_else_an_invalid_creation_may_be_put_off_for_is_not_suspected(trace: list[Exchange]) -> None:
    """Idle connections, outages, scopes, sizes and limits."""
    assert not [
        each
        for each in verdict_of("create.refusal.status", trace).suspected
        if each.suspicion.finding.message.startswith("An invalid create request gets 408")
    ]
    assert "create.refusal.status" not in failed_of(trace)


MALFORMED = {
    "a list": (unlisted(400, limit=0), SERVED[0].request.target),
    "an animal": (lost("abc", 400), "/pets/1"),
    "a creation": (refused(payload(name=7)), ""),
}
LIKE = [*SERVED, *(got(1, at=at) for at in (1.6, 2.6)), *MADE]
STATUSES = pytest.mark.parametrize("status", [408, 421, 426, 431])


@STATUSES
@pytest.mark.parametrize("of", [each for each, _ in MALFORMED.values()], ids=list(MALFORMED))
def test_an_invalid_request_that_is_answered_as_connections_are_gets_an_error(
    of: Exchange, status: int
) -> None:
    """Valid ones are served over the same connections: it is the request that is meant, three times apart."""
    trace = [*(put_off(of, status, at, body=PAGE) for at in TIMES), *LIKE]
    verdict = verdict_of("error.body", trace)
    assert (FAILED, "outage") == (verdict.outcome, verdict.findings[0].finding.excluded[0][0])
    assert failed_of(trace) <= {"error.body", "create.refusal.status"}


@STATUSES
def test_what_was_answered_as_connections_are_less_often_is_sent_again(status: int) -> None:
    """In turns with what is served."""
    away = put_off(lost("abc", 400), status, 1.0, body=PAGE)
    verdict = verdict_of("error.body", [*LIKE, away])
    (experiment,) = asked_by(verdict)
    assert (Read("/pets/1"), *(Again(away.request), Read("/pets?limit=1")) * 2) == experiment.steps
    assert CANT_TELL == verdict.outcome


def misdirected(of: Exchange, body: bytes = PAGE) -> list[Exchange]:
    """A request that is answered with 421 three times apart."""
    return [put_off(of, 421, at, body=body) for at in TIMES]


CONNECTIONS = {
    "an Error": [*misdirected(lost("abc", 400), json.dumps(error(421)).encode()), *LIKE],
    "answered afterwards": [*misdirected(lost("abc", 400)), lost("abc", 400, at=9.0), *LIKE],
    "every animal": [*misdirected(lost("abc", 400)), *SERVED],
    "a long target": [*misdirected(lost("a" * 300, 400)), *LIKE],
    "a host": [*misdirected(lost("abc", 400, sent_headers=(("X-Forwarded-Host", "a.example"),))), *LIKE],
    "a wrong key": [*(under(each, WRONG) for each in misdirected(lost("abc", 400))), *LIKE],
    "one client": [
        *(
            replace(each, request=replace(each.request, voice="curl"))
            for each in misdirected(lost("abc", 400))
        ),
        *LIKE,
    ],
}


@pytest.mark.parametrize("trace", list(CONNECTIONS.values()), ids=list(CONNECTIONS))
def test_what_a_connection_or_its_headers_explain_needs_no_error(trace: list[Exchange]) -> None:
    """A proxy speaks of them as it likes."""
    verdict = verdict_of("error.body", trace)
    assert (0, ()) == (verdict.finding_count, verdict.suspected)
