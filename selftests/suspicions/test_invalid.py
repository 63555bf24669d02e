"""suspicions/invalid.py: an invalid request that never gets the answer it should, while valid ones are served."""

from __future__ import annotations

import json
from typing import Any

import pytest

from animal_conformance.judge.experiments import Again, Create, Naming, Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    WRONG,
    answered,
    asked_by,
    created,
    error,
    failed_of,
    got,
    lost,
    outcome_of,
    payload,
    posted,
    refused,
    spoken,
    under,
    unlisted,
    verdict_of,
)
from selftests.suspicions.test_turned_away import SERVED, like
from selftests.tables import cases

MADE = [created(animal_id=10 + at, at=at + 0.6) for at in (1, 2)]
TIMES = (1.0, 2.1, 3.2)
PAGE = b"<html>Misdirected</html>"


AWAY = pytest.mark.parametrize("status", [401, 403, 408, -403])
BODIES = (payload(name=7), payload(status="SOLD"), payload(name={"$gt": ""}), [1], b"{")


@AWAY
@pytest.mark.parametrize("body", BODIES)
def test_an_invalid_creation_that_is_turned_away_whenever_it_is_sent_is_a_finding(
    status: int, body: object
) -> None:
    """Three times apart, while animals are created: the table lists 400, however good the key is."""
    trace = [*(like(posted(body), status, at) for at in TIMES), *MADE]
    assert {"create.refusal.status"} == failed_of(trace)
    (excluded, *_) = verdict_of("create.refusal.status", trace).findings[0].finding.excluded
    assert ("throttled" if status < 0 else "outage", MADE[0]) == excluded
    # A limit lets nothing through before the wait that it asks for.
    soon = [like(posted(body), -403, at) for at in (1.0, 1.9, 2.8)]
    assert CANT_TELL == outcome_of("create.refusal.status", [*soon, *MADE])


@AWAY
def test_an_invalid_creation_that_is_turned_away_is_sent_again(status: int) -> None:
    """After a valid one under another name."""
    away = like(posted([1]), status, 3.0)
    verdict = verdict_of("create.refusal.status", [*MADE, away])
    (experiment,) = asked_by(verdict)
    again = (Again(away.request), Read("/pets?limit=1"))
    assert (Create(json.dumps(payload()), Naming.UNLIKE), *again * 2) == experiment.steps
    assert CANT_TELL == verdict.outcome


def turned_away(status: int, body: object = (1,), **options: Any) -> list[Exchange]:
    """An invalid creation that is turned away three times apart."""
    return [like(posted(body, **options), status, at) for at in TIMES]


ORIGIN = (("Origin", "https://a.example"),)


@cases(
    "trace",
    {
        "answered afterwards": [*turned_away(408), refused([1], at=9.0), *MADE],
        "answered at the third attempt": [*turned_away(403)[:2], refused([1], at=3.2), *MADE],
        "refused like a key afterwards": [*turned_away(408), posted([1], 401, error(401), at=9.0), *MADE],
        "all creations": [*turned_away(408), *SERVED],
        "all creations, as by a scope": turned_away(403),
        "its size": [*turned_away(408, b"x" * 9000), *turned_away(403, b"x" * 9000), *MADE],
        "its origin": [*turned_away(403, sent_headers=ORIGIN), *MADE],
        "a wrong key": [*(under(each, WRONG) for each in turned_away(408)), *MADE],
        "one client": [*map(spoken, turned_away(408)), *MADE],
    },
)
def test_what_else_an_invalid_creation_may_be_turned_away_for_is_not_suspected(trace: list[Exchange]) -> None:
    """Idle connections, outages, scopes, sizes, limits, and how a request is put."""
    verdict = verdict_of("create.refusal.status", trace)
    assert (0, []) == (
        verdict.finding_count,
        [each for each in verdict.suspected if each.exchange in trace[:3]],
    )


MALFORMED = {
    "a list": (unlisted(400, limit=0), SERVED[0].request.target),
    "an animal": (lost("abc", 400), "/pets/1"),
    "an address of 255 characters": (lost("a" * 249, 400), "/pets/1"),
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
    trace = [*(answered(of, status, PAGE, at=at) for at in TIMES), *LIKE]
    verdict = verdict_of("error.body", trace)
    assert (FAILED, "outage") == (verdict.outcome, verdict.findings[0].finding.excluded[0][0])
    assert failed_of(trace) <= {"error.body", "create.refusal.status"}


@STATUSES
def test_what_was_answered_as_connections_are_less_often_is_sent_again(status: int) -> None:
    """In turns with what is served."""
    away = answered(lost("abc", 400), status, PAGE, at=1.0)
    verdict = verdict_of("error.body", [*LIKE, away])
    (experiment,) = asked_by(verdict)
    assert (Read("/pets/1"), *(Again(away.request), Read("/pets?limit=1")) * 2) == experiment.steps
    assert CANT_TELL == verdict.outcome


def misdirected(answer: object = PAGE, pet_id: str = "abc", **options: Any) -> list[Exchange]:
    """A request for an animal that is answered with 421 three times apart."""
    return [answered(lost(pet_id, 400, **options), 421, answer, at=at) for at in TIMES]


@cases(
    "trace",
    {
        "an Error": [*misdirected(error(421)), *LIKE],
        "answered afterwards": [*misdirected(), lost("abc", 400, at=9.0), *LIKE],
        "every animal": [*misdirected(), *SERVED],
        "a long target": [*misdirected(pet_id="a" * 250), *LIKE],
        "a host": [*misdirected(sent_headers=(("X-Forwarded-Host", "a.example"),)), *LIKE],
        "a wrong key": [*(under(each, WRONG) for each in misdirected()), *LIKE],
        "one client": [*map(spoken, misdirected()), *LIKE],
    },
)
def test_what_a_connection_or_its_headers_explain_needs_no_error(trace: list[Exchange]) -> None:
    """A proxy speaks of them as it likes."""
    verdict = verdict_of("error.body", trace)
    assert (0, ()) == (verdict.finding_count, verdict.suspected)
