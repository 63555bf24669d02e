"""The rule of suspicions/retrievals/first_asked.py: animals that getPet finds from the second request on."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Create, ReadCreated, ReadEarlier, Wait
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import (
    ANSWER,
    FAILED,
    PASSED,
    answered,
    created,
    error,
    exchange,
    got,
    lost,
    opinions_of,
    outcome_of,
    steps_asked,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "get.found"


def at_second(number: int, at: float, *, age_s: float = 0.1) -> list[Exchange]:
    """An animal that getPet misses so long after its creation, and finds at once when asked again."""
    late_s = at + age_s
    return [created(None, number, at=at), lost(number, at=late_s), got(number, at=late_s + 0.2)]


def several(*numbers: int, age_s: float = 0.1) -> list[Exchange]:
    """Some such animals, created one after the other."""
    return [each for number in numbers for each in at_second(number, 3.0 * number, age_s=age_s)]


THREE = several(1, 2, 3)
LATE = several(11, 12, age_s=2.5)


def is_asked(trace: list[Exchange]) -> bool:
    """Whether two animals are created that are asked for twice when they have settled."""
    steps = steps_asked(CLAUSE, trace)
    one = Create((trace[0].request.body or b"").decode())
    wanted = [one, one, Wait(2.1), ReadCreated(), ReadCreated(), ReadEarlier(), ReadEarlier()]
    return any(steps[at : at + len(wanted)] == wanted for at in range(len(steps)))


def test_where_no_first_request_finds_an_animal_two_are_asked_for_when_they_have_settled() -> None:
    """And not before: what is asked for sooner may be missed by a replica."""
    assert is_asked(THREE)
    assert not is_asked(several(1, 2))
    assert not is_asked([*several(1, 2), *at_first(20, 60.0, age_s=0.1)])


def test_two_that_are_missed_at_first_when_they_have_settled_are_a_finding() -> None:
    """It shows what found them."""
    verdict = verdict_of(CLAUSE, [*THREE, *LATE])
    assert FAILED is verdict.outcome
    assert 3 == opinions_of(CLAUSE, [*THREE, *LATE])[1]
    excluded = {each.reference for one in verdict.findings for _, each in one.finding.excluded}
    assert {LATE[2].reference, LATE[5].reference} == excluded
    assert FAILED is not outcome_of(CLAUSE, [*THREE, *LATE[:3]])


def at_first(number: int, at: float, *, age_s: float) -> list[Exchange]:
    """An animal that getPet finds whenever it is asked for."""
    return [created(None, number, at=at), got(number, at=at + age_s), got(number, at=at + age_s + 0.2)]


@pytest.mark.parametrize("found", [1, 2])
def test_those_that_are_found_at_first_when_they_have_settled_tell_that_replicas_lag(found: int) -> None:
    """Or that somebody has hidden the others for a moment: then the first request is no reason."""
    lawful = [each for at in range(found) for each in at_first(20 + at, 60.0 + at, age_s=2.5)]
    assert PASSED is outcome_of(CLAUSE, [*THREE, *lawful])
    assert not is_asked([*THREE, *lawful])
    assert FAILED is not outcome_of(CLAUSE, [*THREE, *LATE, *lawful])


def test_those_that_were_created_before_the_others_were_missed_tell_nothing() -> None:
    """Whoever has asked for them, that was another time."""
    before = [each for number in (20, 21) for each in at_first(number, 0.1, age_s=2.4)]
    assert FAILED is outcome_of(CLAUSE, [*before, *THREE, *LATE])
    assert is_asked([*THREE, *before])
    early = [each for number in (20, 21) for each in at_second(number, 0.1, age_s=2.4)]
    assert FAILED is not outcome_of(CLAUSE, [*early, *several(1)])


@cases(
    "undecided",
    {
        "found soon": [*at_first(20, 60.0, age_s=0.1), *at_first(21, 70.0, age_s=1.5)],
        "one missed when settled": LATE[:3],
        "two that could not be asked for when settled": [
            each
            for number in (20, 21)
            for each in (
                created(None, number, at=60.0),
                answered(got(number, at=65.0), 500, {}),
                got(number, at=65.5),
                got(number, at=66.0),
            )
        ],
        "no animals of the run": [
            each for at in (70, 71) for each in (got(at, at=float(at)), got(at, at=at + 0.5))
        ],
        "found before they were created": [
            each
            for number in (20, 21)
            for each in (got(number, at=50.0), created(None, number, at=60.0), got(number, at=63.0))
        ],
    },
)
def test_what_tells_nothing_of_the_first_request_is_left_out(undecided: list[Exchange]) -> None:
    """Two are asked for all the same."""
    assert is_asked([*THREE, *undecided])


@pytest.mark.parametrize("stored", [("Age", "5"), ("Cache-Control", "max-age=9")])
def test_what_may_be_stored_is_left_out(stored: tuple[str, str]) -> None:
    """A stored 404 may be older than the animal."""
    trace = [
        exchange("GET", each.request.target, 404, error(404), at=each.sent_s, headers=(stored, *ANSWER))
        if each.status == 404
        else each
        for each in THREE
    ]
    assert not is_asked(trace)


def test_what_was_asked_before_an_animal_was_created_is_no_request_for_it() -> None:
    """It was not found then, as it was not there."""
    before = [
        [lost(each, at=0.5), created(None, each, at=float(each)), got(each, at=each + 0.1)]
        for each in (1, 2, 3)
    ]
    assert not is_asked([each for one in before for each in (one[1], one[0], one[2])])


def test_under_load_the_users_ask_again() -> None:
    """So that nothing is concluded from the first request."""
    assert not steps_asked(CLAUSE, THREE, profile=SOAK)
