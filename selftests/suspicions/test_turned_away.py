"""The rules of suspicions/turned_away.py: a valid request that is refused for what it is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Again, Create, Experiment, Naming, Read
from animal_conformance.record.exchange import Exchange, FailureKind
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    animals,
    answered,
    asked_by,
    created,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    payload,
    posted,
    refused,
    seen_of,
    spoken,
    unanswered,
    under,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

SERVED = [listing(animals(3), at=1.5), listing(animals(3), at=2.5)]


def like(of: Exchange, status: int, at: float) -> Exchange:
    """The same request, turned away with a status; 0 for no response in time, -503 for one that asks to wait."""
    if not status:
        return unanswered(of, FailureKind.TIMEOUT, at=at)
    return answered(of, abs(status), at=at, wait="1" if status < 0 else None)


AWAY = pytest.mark.parametrize("status", [401, 403, 408, -403, -503, 0])
REQUESTS = {
    "list.answer": listing(animals(3)),
    "list.limit.accepted": listing(limit=7),
    "list.status.accepted": listing(state="sold"),
    "create.answer": refused(payload(name="Robert drop table")),
    "get.found": got(2),
    "get.unknown": lost(2**40),
}
CONTROLS = {
    "list": SERVED,
    "create": [*SERVED, created(at=1.6)],
    "get": [listing(animals(3), at=0.5), *SERVED, got(1, at=1.6)],
}


def three_times(clause_id: str, status: int) -> list[Exchange]:
    """A request that is turned away three times apart, while its like is served."""
    away = [like(REQUESTS[clause_id], status, at) for at in (1.0, 2.0, 3.0)]
    others = CONTROLS[clause_id.partition(".")[0]]
    if clause_id == "list.answer":
        others = [
            replace(listing(limit=5), sent_s=each.sent_s, answered_s=each.answered_s) for each in SERVED
        ]
    return [*away, *others]


@AWAY
@pytest.mark.parametrize("clause_id", list(REQUESTS))
def test_a_request_that_is_refused_for_what_it_is_is_a_finding_of_its_operation(
    clause_id: str, status: int
) -> None:
    """Reading 18: again and again, while its like is served."""
    trace = three_times(clause_id, status)
    assert clause_id in failed_of(trace)
    assert "auth.key.valid" not in failed_of(trace)
    finding = verdict_of(clause_id, trace).findings[0].finding
    assert ["throttled" if status < 0 else "outage"] == [each for each, _ in finding.excluded]
    assert ("rejected like a wrong key" in finding.message) is (abs(status) in {401, 403})


@AWAY
@pytest.mark.parametrize("clause_id", list(REQUESTS))
def test_what_was_turned_away_less_often_is_suspected(clause_id: str, status: int) -> None:
    """It is sent again, after its like."""
    first, _, last, *others = three_times(clause_id, status)
    verdict = verdict_of(clause_id, [first, *others])
    assert FAILED != verdict.outcome
    (experiment,) = verdict.suspected[0].suspicion.experiments
    again, control = Again(first.request), Read("/pets?limit=1")
    assert (again, control, again, control) == experiment.steps[1:]
    (suspected,) = {each.exchange.sent_s for each in verdict_of(clause_id, [last, *others]).suspected}
    assert 3.0 == suspected


def test_a_creation_that_is_asked_to_wait_for_longer_than_a_run_does_may_meet_a_quota() -> None:
    """By a 403 as by a 429."""
    for wait, suspected in (("3600", False), ("2", True)):
        away = [
            answered(refused(payload(name=f"Robert {at}")), 403, at=2.0 + at, wait=wait) for at in range(3)
        ]
        assert suspected == bool(verdict_of("create.answer", [created(), *away]).suspected)


def test_while_no_creation_is_served_any_more_the_first_one_stands_for_all() -> None:
    """It is sent again for all of them, until one like it is served: from then on, each is tried by itself."""
    away = [refused(payload(name=f"Robert {each}"), 403, at=2.0 + each) for each in range(3)]

    def tried(*trace: Exchange) -> set[Experiment]:
        suspected = verdict_of("create.answer", [created(), *trace]).suspected
        assert suspected
        return {experiment for each in suspected for experiment in each.suspicion.experiments}

    (experiment,) = tried(*away)
    assert Again(away[0].request) in experiment.steps
    assert 3 == len(tried(*away, created(animal_id=9, at=6.0)))
    others = [refused(payload(name=7), 403, at=1.2), refused(payload(name="Roberta"), at=1.4)]
    assert {experiment} == tried(*others, *away)


@pytest.mark.parametrize("at", [0.5, 1.0])
def test_a_creation_that_was_turned_away_before_one_was_served_stands_for_itself_alone(at: float) -> None:
    """Or at the same time; what was turned away since then is sent again for its own sake."""
    away = [refused(payload(name=f"Robert {each}"), 403, at=each) for each in (at, 2.0, 3.0)]
    verdict = verdict_of("create.answer", [created(at=1.0), *away])
    assert [Again(each.request) for each in away[:2]] == [each.steps[1] for each in asked_by(verdict)]


def test_a_list_that_is_turned_away_is_sent_again_whatever_creations_meet() -> None:
    """Each operation may need a right of its own."""
    away = [refused(payload(name="Robert"), 403, at=2.8), like(listing(limit=7), 403, 3.0)]
    (experiment,) = asked_by(verdict_of("list.limit.accepted", [created(), *SERVED, *away]))
    assert Again(away[1].request) in experiment.steps


def test_the_like_of_a_creation_is_one_under_another_name() -> None:
    """The values that were accepted; nothing else of the request."""
    away = like(REQUESTS["create.answer"], 403, 2.0)
    for plain in (payload(), payload(status=...)):
        (suspected,) = verdict_of("create.answer", [created({**plain, "id": 7}), away]).suspected
        (experiment,) = suspected.suspicion.experiments
        assert Create(json.dumps(plain), Naming.UNLIKE) == experiment.steps[0]


@AWAY
def test_a_request_that_is_served_afterwards_was_not_refused_for_what_it_is(status: int) -> None:
    """An outage, a limit, or the key, which has a clause of its own."""
    trace = [*three_times("list.limit.accepted", status), listing(limit=7, at=9.0)]
    assert ({"auth.key.valid"} if status in {401, 403} else set()) == failed_of(trace)
    observed = {} if status in {401, 403} else {f"list.limit.accepted: {_of(status)}": 3}
    assert observed == seen_of("open.explanations", trace)


LAST = listing(limit=7, at=9.0)


@pytest.mark.parametrize(
    ("last", "served"),
    [
        *((answered(LAST, status), status == 499) for status in (429, 499, 500, 503)),
        (unanswered(LAST), False),
    ],
)
def test_only_an_answer_of_the_operation_is_one_that_serves_a_request(
    last: Exchange, *, served: bool
) -> None:
    """Neither a rate limit, nor a fault of the server, nor a connection that breaks off."""
    trace = [*three_times("list.limit.accepted", 408), last]
    observed = {"list.limit.accepted: outage": 3} if served else {}
    assert observed == seen_of("open.explanations", trace)


@cases(
    "trace",
    {
        "another fault in between": [(500, 2.0), (408, 3.0)],
        "served in between": [(408, 1.1), (408, 2.1), (200, 2.2), (408, 3.0)],
    },
)
def test_only_what_is_turned_away_since_it_was_served_counts(trace: list[tuple[int, float]]) -> None:
    """Three times, apart."""
    away = [like(listing(limit=7), status, at) for status, at in [(408, 1.0), *trace]]
    assert CANT_TELL == outcome_of("list.limit.accepted", [*away, *SERVED])


def test_a_request_is_refused_for_what_it_is_where_its_like_is_served_afterwards() -> None:
    """What other operations serve in between does not tell that of the operation."""
    away = [like(listing(limit=7), 403, at) for at in (1.0, 2.0, 3.0)]
    others = [listing([animal(1)], limit=5, at=0.5), *(got(1, at=at) for at in (1.5, 2.5))]
    (suspected, *_) = verdict_of("list.limit.accepted", [*away, *others]).suspected
    assert (Read("/pets?limit=5"),) == suspected.suspicion.experiments[0].steps


def test_an_id_that_names_an_animal_only_later_is_unknown_when_it_is_turned_away() -> None:
    """One cause, one clause."""
    away = [like(got(3), 403, at) for at in (1.0, 2.0, 3.0)]
    others = [listing([animal(2)], at=0.5), *(got(2, at=at) for at in (0.6, 1.5, 2.5, 3.5))]
    trace = [*away, *others, listing([animal(3)], at=9.0)]
    assert [FAILED, PASSED] == [outcome_of(each, trace) for each in ("get.unknown", "get.found")]


@AWAY
def test_a_request_that_is_served_meanwhile_was_not_refused_for_what_it_is(status: int) -> None:
    """Two at a time, of which one is served: the other is no matter of the clause; of the key, if it is served later."""
    for at in (1.0, 1.005):
        trace = [like(listing(limit=7), status, 1.0), listing(limit=7, at=at), listing(animals(8), limit=100)]
        is_key = status in {401, 403}
        assert (CANT_TELL if is_key else PASSED) == outcome_of("list.limit.accepted", trace)
        again = [*trace, listing(limit=7, at=9.0)]
        assert PASSED == outcome_of("list.limit.accepted", again)
        assert ({"auth.key.valid"} if is_key else set()) == failed_of(again)


def test_what_was_accepted_although_it_is_no_object_is_no_like() -> None:
    """A deployment that creates something of any body; what is sent instead has to be a creation."""
    away = like(REQUESTS["create.answer"], 403, 2.0)
    for body in (b"{", b"null", b"7", b"\xff\xfe"):
        made = posted(body, 201, animal(), at=1.0)
        assert not verdict_of("create.answer", [made, away]).suspected
        (suspected,) = verdict_of("create.answer", [created(at=0.5), made, away]).suspected
        assert Create(json.dumps(payload()), Naming.UNLIKE) == suspected.suspicion.experiments[0].steps[0]


INVALID = {
    "list": (unlisted(400, limit=0), listing(animals(3), limit=5, at=2.6)),
    "create": (refused(payload(name=7)), created(animal_id=9, at=2.6)),
    "get": (lost("abc", 400), got(1, at=2.6)),
    "an unknown parameter": (listing(query="colour=red"), listing(animals(3), limit=5, at=2.6)),
}
OF_INVALID = cases(("invalid", "served"), INVALID)


def waiting(of: Exchange, *at: float) -> list[Exchange]:
    """A request that is answered at each of these times with 503 and Retry-After."""
    return [like(of, -503, each) for each in at]


@OF_INVALID
def test_an_invalid_request_that_is_always_told_to_wait_is_a_server_error(
    invalid: Exchange, served: Exchange
) -> None:
    """Reading 1: no 5xx; three times apart, and then it is no limit on all requests."""
    trace = [*waiting(invalid, 1.0, 2.0, 3.0), *SERVED, served]
    verdict = verdict_of("http.server-error", trace)
    assert FAILED == verdict.outcome
    assert {"http.server-error"} == failed_of(trace)
    assert ("throttled",) == tuple(each for each, _ in verdict.findings[0].finding.excluded)


@OF_INVALID
def test_an_invalid_request_that_is_told_to_wait_is_sent_again(invalid: Exchange, served: Exchange) -> None:
    """In turns with a plain list, after its like."""
    verdict = verdict_of("http.server-error", [*waiting(invalid, 1.0), *SERVED, served])
    (experiment,) = asked_by(verdict)
    again = (Again(invalid.request), Read("/pets?limit=1"))
    assert ("throttled", again * 2) == (experiment.explanation, experiment.steps[1:])
    assert CANT_TELL == verdict.outcome


@OF_INVALID
def test_only_waits_since_its_last_answer_count(invalid: Exchange, served: Exchange) -> None:
    """Three limits that were reached, and ended in between."""
    trace = [*waiting(invalid, 1.0, 2.0), like(invalid, 400, 2.2), *waiting(invalid, 3.0), *SERVED, served]
    assert CANT_TELL == outcome_of("http.server-error", [*trace, replace(served, sent_s=3.5, answered_s=3.6)])


@OF_INVALID
@pytest.mark.parametrize("status", [400, 403, 422])
def test_an_invalid_request_that_gets_its_answer_later_had_to_wait(
    invalid: Exchange, served: Exchange, status: int
) -> None:
    """Shedding of load ends."""
    trace = [*waiting(invalid, 1.0, 2.0, 3.0), like(invalid, status, 4.0), *SERVED, served]
    verdict = verdict_of("http.server-error", trace)
    assert (PASSED, ()) == (verdict.outcome, verdict.suspected)


def test_what_meets_a_whole_operation_a_wrong_key_or_one_client_is_left_open() -> None:
    """It may be limited."""
    away = waiting(INVALID["list"][0], 1.0, 2.0, 3.0)
    for trace in (
        [*away, *(got(1, at=at) for at in (1.5, 2.5))],
        [*(under(each, WRONG) for each in away), *SERVED],
        [*map(spoken, away), *SERVED],
    ):
        verdict = verdict_of("http.server-error", trace)
        assert (PASSED, ()) == (verdict.outcome, verdict.suspected)


def _of(status: int) -> str:
    return "throttled" if status < 0 else "outage"


@cases(
    "trace",
    {
        "no like": [like(listing(limit=7), 403, at) for at in (1.0, 2.0, 3.0)],
        "another operation": [like(got(1), 403, 2.0), *SERVED],
        "a wrong key": [under(like(listing(limit=7), 403, 2.0), WRONG), *SERVED],
        "an invalid request": [like(unlisted(400, limit=0), 403, 2.0), *SERVED],
        "throttled": [like(listing(limit=7), 429, 2.0), *SERVED],
        "throttled for a time": [like(listing(limit=7), -429, 2.0), *SERVED],
        "a connection that broke off": [unanswered(listing(limit=7), at=2.0), *SERVED],
        "declined for how it was put": [
            like(listing(limit=7, sent_headers=(("Origin", "https://a.example"),)), 403, 2.0),
            *SERVED,
        ],
    },
)
def test_what_may_be_a_scope_or_a_limit_is_not_suspected(trace: list[Exchange]) -> None:
    """Scopes and rate limits are not shown."""
    for clause_id in ("list.answer", "list.limit.accepted", "get.found"):
        assert not verdict_of(clause_id, trace).suspected
        assert FAILED != outcome_of(clause_id, trace)


def test_a_key_that_comes_and_goes_has_a_clause_of_its_own() -> None:
    """What it meets once is not sent again."""
    trace = [like(listing(limit=5), 401, 1.0), listing(limit=5, at=2.0), like(listing(limit=7), 401, 3.0)]
    assert {"auth.key.valid"} == failed_of(trace)
    assert PASSED == outcome_of("list.limit.accepted", trace)
    late = [*trace[:2], like(listing(limit=7), 408, 3.0)]
    assert verdict_of("list.limit.accepted", late).suspected
    patient = [like(listing(limit=5), -401, 1.0), *trace[1:2], *SERVED]
    assert {"auth.key.valid"} == failed_of(patient)
    assert not verdict_of("list.limit.accepted", patient).suspected


def test_a_combination_is_blamed_where_both_are_accepted_alone() -> None:
    """One cause, one clause: otherwise the one that was not."""
    away = [like(listing(limit=7, state="sold"), 403, at) for at in (1.0, 2.0, 3.0)]
    alone = [listing(limit=7, at=0.5), listing(state="sold", at=0.6)]
    assert FAILED == outcome_of("list.combined", [*away, *SERVED, *alone])
    for blamed, accepted in (("list.status.accepted", alone[0]), ("list.limit.accepted", alone[1])):
        trace = [*away, *SERVED, accepted]
        assert (FAILED, CANT_TELL) == (outcome_of(blamed, trace), outcome_of("list.combined", trace))
