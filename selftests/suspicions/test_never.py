"""The rule of suspicions/retrievals/never.py: an animal that was missed as soon as it was created, and ever since."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Create, Read, ReadCreated, ReadEarlier, Step, Wait, WaitUntil
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import (
    PASSED,
    TERMS,
    animal,
    created,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    payload,
    refused,
    verdict_of,
)
from selftests.suspicions.missing import KEPT, TWO, made
from selftests.tables import cases

# Two that were made side by side, one after the other, and read only when both were there.
BESIDE = [*made(1, 1.0, 1.5, 9.0), *made(2, 1.2, 1.6, 9.0)]


@cases(
    ("other", "failed"),
    {
        "made between them, and found afterwards": ([created(animal_id=3, at=1.1), got(3, at=1.7)], True),
        "made with the first, and found as soon as both were missed": (
            [created(animal_id=3, at=1.0, took=0.2), got(3, at=1.61)],
            True,
        ),
        "listed afterwards": ([created(animal_id=3, at=1.1), listing([animal(3)], at=1.7)], True),
        "made before them": ([created(animal_id=3, at=0.9), got(3, at=1.7)], False),
        "made with the second": ([created(animal_id=3, at=1.195), got(3, at=1.7)], False),
        "found before both were missed": ([created(animal_id=3, at=1.1), got(3, at=1.55)], False),
        "missed as well": ([created(animal_id=3, at=1.1), lost(3, at=1.7)], False),
    },
)
def test_what_outlives_two_that_were_made_around_it_shows_that_no_reset_took_them(
    other: list[Exchange], *, failed: bool
) -> None:
    """A reset would have taken it as well, and a store that keeps the newest would have kept the second."""
    assert failed == ("get.found" in failed_of([*KEPT, *BESIDE, *other]))


def test_under_load_two_that_were_made_side_by_side_are_a_coincidence() -> None:
    """Whatever was made between them."""
    trace = [*KEPT, *BESIDE, created(animal_id=3, at=1.1), got(3, at=1.7)]
    assert "get.found" in failed_of(trace)
    assert "get.found" not in failed_of(trace, profile=SOAK)


def test_what_is_found_only_after_it_had_settled_was_not_there() -> None:
    """As what is stored when the next one is created: two such animals are a finding, one is not."""
    late = [got(1, at=20.0), got(2, at=20.0)]
    assert "get.found" in failed_of([*TWO, *late])
    assert "get.found" not in failed_of([*TWO[:3], *late[:1]])
    assert "get.found" not in failed_of([*TWO, got(1, at=5.0)])


def tried(*numbers: int, at: float = 20.0) -> list[Exchange]:
    """Animals of the run that are found at once, and when they have settled."""
    return [
        each
        for number in numbers
        for each in (
            created(payload(name="Babette1"), number, at=at + number / 10),
            got(number, {**payload(name="Babette1"), "id": number}, at=at + number / 10 + 0.02),
            got(number, {**payload(name="Babette1"), "id": number}, at=at + 50.0),
        )
    ]


def steps_for(trace: list[Exchange], creates: int | None = None) -> list[Step]:
    """What is asked for after a single animal that was missed as soon as it was created."""
    (suspected,) = verdict_of("get.found", trace, creates=creates).suspected
    (experiment,) = suspected.suspicion.experiments
    return list(experiment.steps)


ALONE = made(1, 1.0, 1.1, 9.0)


@cases(
    ("creates", "count"),
    {"many left": (150, 12), "not limited": (None, 12), "few left": (4, 3), "one left": (2, 1)},
)
def test_after_one_that_was_missed_at_once_others_are_created_as_long_as_there_is_room(
    creates: int | None, count: int
) -> None:
    """Each is read at once, and all of them when they have settled."""
    steps = steps_for(ALONE, creates)
    assert (count, count) == tuple(
        sum(isinstance(each, kind) for each in steps) for kind in (Create, ReadCreated)
    )
    assert [ReadEarlier(each) for each in reversed(range(count))] == steps[-count:]
    assert Wait(TERMS.settle_s) == steps[-count - 1]


@cases(
    ("further", "wait_s"),
    {
        "found": (tried(2, 3), 2.02),
        "rejected": ([refused(payload(name="Babette1"), at=20.0 + each) for each in (1, 2, 3)], 2.03),
        "tried before the last time that it was missed": (tried(2, 3, at=2.0), 2.0),
    },
)
def test_each_further_experiment_is_another_one(further: list[Exchange], wait_s: float) -> None:
    """No experiment is performed twice."""
    (wait,) = (each for each in steps_for([*ALONE, *further]) if isinstance(each, Wait))
    assert wait_s == pytest.approx(wait.seconds)


def test_it_is_asked_for_once_more_when_no_room_is_left() -> None:
    """And if nothing of the run has gone away, it stays open: what was never there was not withdrawn."""
    trace = [*ALONE, *tried(2, 3)]
    assert [WaitUntil(3.01), Read("/pets/1")] == steps_for(trace, creates=3)
    gone = [lost(3, at=80.0), *(lost(3, at=at) for at in (90.0, 91.0, 92.0)), listing([], at=91.5)]
    assert PASSED == outcome_of("get.found", [*trace, *gone], creates=3)


@cases(("many", "more"), {"sixty": (60, False), "one less": (59, True)})
def test_sixty_that_are_found_are_enough(many: int, *, more: bool) -> None:
    """Where the run may create any number."""
    steps = steps_for([*ALONE, *tried(*range(2, 2 + many))])
    assert more is any(isinstance(each, Create) for each in steps)


def test_another_one_that_is_missed_at_once_is_proof() -> None:
    """In whichever try."""
    again = made(9, 30.0, 30.1, 70.0)
    assert {"get.found"} == failed_of([*ALONE, *tried(2, 3), *again])
