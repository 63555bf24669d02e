"""The rule of suspicions/retrievals/back.py: animals that were missed, and found since, are asked for in bursts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Read, Step, Wait, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    asked_by,
    created,
    got,
    listing,
    lost,
    outcome_of,
    reads_of,
    seen_of,
    verdict_of,
)
from selftests.suspicions.missing import many_gone, stored_for
from selftests.tables import cases

CLAUSE = "get.found"


def back(*numbers: int) -> list[Exchange]:
    """Animals of the run that were found, then missed, and found again."""
    return [
        each
        for number in numbers
        for each in (
            created(animal_id=number, at=1.0),
            got(number, at=1.1),
            lost(number, at=9.0),
            got(number, at=10.0),
        )
    ]


def bursts(
    number: int, times: int, *, from_s: float = 20.0, apart_s: float = 2.5, took: float = 0.01
) -> list[Exchange]:
    """An animal that is found so many times in each of three bursts."""
    return [
        got(number, at=from_s + burst * apart_s + each / 100, took=took)
        for burst in range(3)
        for each in range(times)
    ]


def bursts_asked(trace: list[Exchange]) -> list[tuple[Step, ...]]:
    """The steps of the experiments that ask for animals in bursts."""
    return [each.steps for each in asked_by(verdict_of(CLAUSE, trace)) if Wait(2.0) in each.steps]


def test_animals_that_are_back_are_asked_in_bursts() -> None:
    """In bursts that are a settling time apart, each after a list, on new connections as well."""
    (steps,) = bursts_asked(back(1))
    assert (WaitUntil(11.01), Read("/pets?limit=100&status=available"), Read("/pets/1")) == steps[:3]
    assert 2 == steps.count(Wait(2.0))
    assert (36, 36) == tuple(steps.count(Read("/pets/1", anew=each)) for each in (False, True))
    assert 4 == steps.count(Read("/pets?limit=100&status=available"))
    assert Read("/pets?limit=100&status=available") == steps[-1]


@cases(
    ("numbers", "times"),
    {"one": ((1,), [72]), "two": ((1, 2), [36, 36]), "four": ((1, 2, 3, 4), [24, 24, 24])},
)
def test_three_of_them_are_asked_in_bursts_all_together(numbers: tuple[int, ...], times: list[int]) -> None:
    """All suspicions ask for the same experiments."""
    asked = bursts_asked(back(*numbers))
    assert times == [
        sum(isinstance(step, Read) and "?" not in step.target for step in steps) for steps in asked
    ]


@cases(
    ("later", "outcome"),
    {
        "found in three bursts": (bursts(1, 24), PASSED),
        "found at once": (bursts(1, 24, took=0.0, apart_s=2.0), PASSED),
        "found once less": (bursts(1, 24)[1:-1], CANT_TELL),
        "found in bursts too near to each other": (bursts(1, 24, apart_s=0.4), CANT_TELL),
        "missed in between": ([*bursts(1, 24), lost(1, at=21.0)], FAILED),
        "missed before": ([*bursts(1, 24), lost(1, at=19.0)], FAILED),
        "missed at the end": ([*bursts(1, 24), lost(1, at=30.0)], CANT_TELL),
        "missed and found afterwards": ([*bursts(1, 24), lost(1, at=30.0), got(1, at=31.0)], FAILED),
    },
)
def test_what_is_found_in_all_bursts_was_put_back(later: list[Exchange], outcome: object) -> None:
    """Reading 16: one that goes away again comes and goes."""
    assert outcome == outcome_of(CLAUSE, [*back(1), *later])


def test_what_is_put_back_is_told() -> None:
    """As an explanation that was confirmed."""
    assert {"get.found: withdrawn": 1} == seen_of("open.explanations", [*back(1), *bursts(1, 24)])


@cases(
    ("numbers", "read", "outcome"),
    {
        "all of three": ((1, 2, 3), (1, 2, 3), PASSED),
        "two of three": ((1, 2, 3), (1, 2), CANT_TELL),
        "three of four": ((1, 2, 3, 4), (1, 2, 3), PASSED),
    },
)
def test_those_that_are_asked_in_bursts_stand_for_all(
    numbers: tuple[int, ...], read: tuple[int, ...], outcome: object
) -> None:
    """Many may be put back at once."""
    assert outcome == outcome_of(
        CLAUSE, [*back(*numbers), *(each for one in read for each in bursts(one, 8))]
    )


def others(*without: float, listed: bool = True) -> list[Exchange]:
    """A list that shows the animal, and again at these times without it."""
    return [
        listing([animal(1)] if listed else [animal(99)], at=8.0),
        *(listing([animal(99)], at=at) for at in without),
    ]


@cases(
    ("pages", "times"),
    {
        "while it was missed": (others(9.5), 48),
        "just after it was there": (others(8.01), 48),
        "just before it was back": (others(10.0), 48),
        "before": (others(7.9), 72),
        "afterwards": (others(10.01), 72),
        "by a list that never showed it": (others(9.5, listed=False), 72),
        "and shown it": ([*others(), listing([animal(1)], at=9.5)], 72),
        "by another list": ([*others(), listing([animal(99)], limit=3, at=9.5)], 72),
    },
)
def test_what_lists_have_lacked_as_well_is_asked_for_less_often(pages: list[Exchange], times: int) -> None:
    """It is not getPet alone that misses it."""
    (steps,) = bursts_asked([*back(1), *pages])
    assert times == sum(isinstance(step, Read) and step.target == "/pets/1" for step in steps)


def test_all_of_those_that_are_asked_in_bursts_have_to_be_lacking_in_lists() -> None:
    """Otherwise getPet alone may miss some."""
    trace = [*back(1, 2), *others(9.5)]
    assert [36, 36] == [
        sum(isinstance(step, Read) and "?" not in step.target and step.target != "/pets" for step in steps)
        for steps in bursts_asked(trace)
    ]


def test_what_was_missed_while_replicas_may_lag_is_not_back() -> None:
    """It is not among those that are asked for in bursts."""
    lagging = [created(animal_id=1, at=1.0), lost(1, at=1.5), got(1, at=2.0), got(1, at=8.0)]
    (steps,) = bursts_asked([*lagging, *back(2)])
    assert Read("/pets/2") in steps
    assert Read("/pets/1") not in steps


def test_what_is_stored_is_waited_for_before_an_animal_is_asked_in_bursts() -> None:
    """No longer than it is there: ten seconds here."""
    (steps,) = bursts_asked([*back(1), got(1, at=11.0, headers=stored_for(30))])
    assert isinstance(steps[0], WaitUntil)
    assert 19.01 == pytest.approx(steps[0].time_s)


@pytest.mark.parametrize(("age_s", "asked"), [(60, 2), (61, 1)])
def test_what_is_stored_for_longer_than_a_run_waits_is_not_asked_in_bursts(age_s: int, asked: int) -> None:
    """It is explained, and others do not wait for it."""
    trace = [
        *back(1),
        *(replace(each, sent_s=each.sent_s + 99, answered_s=each.answered_s + 99) for each in back(2)),
    ]
    late = got(2, at=300.0, headers=stored_for(age_s))
    assert asked == len(bursts_asked([*trace, late]))


def test_others_that_are_back_are_asked_in_bursts_although_many_are_gone() -> None:
    """A list alone does not tell whether getPet finds them."""
    again = [got(each, at=10.0) for each in (4, 5)]
    asked = bursts_asked([*many_gone(3, own=False), *again])
    assert {"/pets/4", "/pets/5"} == {
        step.target for steps in asked for step in steps if isinstance(step, Read)
    } - {"/pets"}


def test_where_nothing_is_back_nothing_is_asked_in_bursts() -> None:
    """One that stays missing is asked for in turns."""
    trace = back(1)[:-1]
    assert [] == bursts_asked(trace)
    (experiment,) = asked_by(verdict_of(CLAUSE, trace))
    assert 6 == len(reads_of(experiment))
