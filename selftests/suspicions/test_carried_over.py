"""The rules of suspicions/lists/carried_over.py: a filter that the next list of its connection has not asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, asked_by, failed_of, listing, verdict_of

CLAUSE = "list.complete"
KEPT = {
    status: [animal(at + n, status=status) for n in range(4)]
    for at, status in ((10, "sold"), (20, "pending"))
}
ALL = [each for animals in KEPT.values() for each in animals]


def of(status: str | None, shown: str | None, at: float, sequence: int = 0, step: int = 1) -> Exchange:
    """The largest list for a status, or without one, that shows the animals with another one, or all of them."""
    made = listing(KEPT[shown] if shown else ALL, limit=100, state=status, at=at)
    return replace(made, sequence=sequence, step=step) if sequence else made


BEFORE, AFTER = of(None, None, 1.0), of(None, None, 9.0)
CARRIED = [BEFORE, of("sold", "sold", 2.0), of(None, "sold", 2.1), AFTER]


def turns(*statuses: str, carried: bool = True, at: float = 20.0) -> list[Exchange]:
    """Lists for statuses, each with one without a filter right behind it, in one sequence."""
    pairs = [
        (
            of(status, status, at + n, 77, 2 * n + 1),
            of(None, status if carried else None, at + n + 0.5, 77, 2 * n + 2),
        )
        for n, status in enumerate(statuses)
    ]
    return [each for pair in pairs for each in pair]


def test_a_list_of_one_status_after_its_filter_is_put_to_the_test() -> None:
    """Lists with each of two filters and lists without one, on one connection."""
    (experiment,) = asked_by(verdict_of(CLAUSE, CARRIED))
    turn = [Read(f"/pets?limit=100{each}") for each in ("&status=sold", "", "&status=pending", "")]
    assert turn * 3 == list(experiment.steps)


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([BEFORE, of(None, "sold", 2.1), AFTER], id="no filter before it"),
        pytest.param(
            [BEFORE, of("pending", "pending", 2.0), of(None, "sold", 2.1), AFTER], id="another filter"
        ),
        pytest.param(CARRIED[1:], id="nothing else was there before"),
        pytest.param(CARRIED[:-1], id="nothing else is there any more"),
        pytest.param([BEFORE, of("sold", "sold", 2.0), of(None, None, 2.1), AFTER], id="with the others"),
    ],
)
def test_a_list_that_may_be_right_is_not(trace: list[Exchange]) -> None:
    """Nothing goes with a filter, or nothing else was there."""
    assert [] == [
        each
        for each in asked_by(verdict_of(CLAUSE, trace))
        if Read("/pets?limit=100&status=sold") in each.steps
    ]


def test_a_filter_that_decides_what_the_next_list_shows_each_time_is_a_finding() -> None:
    """For two statuses: one alone may be all that such lists show."""
    each_time = turns(*["sold", "pending"] * 3)
    assert {CLAUSE} == failed_of([*CARRIED, *each_time])
    assert set() == failed_of([*CARRIED, *each_time[:-2]])
    assert set() == failed_of([*CARRIED, *turns(*["sold"] * 6)])


def test_a_list_that_varies_otherwise_is_none() -> None:
    """A list that shows everything behind a filter is not filtered: what it left out once, it left out for another reason."""
    trace = [*CARRIED, *turns(*["sold", "pending"] * 3, carried=False)]
    assert set() == failed_of(trace)
    assert [] == asked_by(verdict_of(CLAUSE, trace))
