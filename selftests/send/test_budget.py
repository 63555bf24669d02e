"""budget.py: the hard limits of a run, on a clock that is handed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from animal_conformance.send.budget import Budget, OwnTally, SharedTally, Tally, Turns


def test_slots_keep_the_rate_however_fast_they_are_asked_for() -> None:
    """Ten at once at four a second are spread over the next seconds."""
    budget = Budget(rate=4)
    assert [100 + at / 4 for at in range(10)] == [budget.next_slot_s(100) for _ in range(10)]


def test_no_second_has_more_slots_than_the_rate_whenever_they_are_asked_for() -> None:
    """What was not used does not add up to a burst."""
    budget = Budget(rate=5)
    asked_s = [0, 0.01, 0.02, 1.9, 1.95, 7, 7, 7, 7, 7, 7, 7, 7.1, 7.3, 9]
    slots_s = [budget.next_slot_s(each) for each in asked_s]
    assert slots_s == sorted(slots_s)
    assert all(slot >= asked for slot, asked in zip(slots_s, asked_s, strict=True))
    assert 5 == max(sum(first <= each < first + 0.999 for each in slots_s) for first in slots_s)


def test_without_a_rate_nothing_waits() -> None:
    """Each slot is now."""
    assert [3.0, 3.0] == [Budget().next_slot_s(3.0) for _ in range(2)]


def test_creations_are_spread_over_the_time_of_a_run() -> None:
    """And all of them may be made at its end, and behind it."""
    budget = Budget(creates=200)
    assert [0, 50, 200, 200] == [budget.creates_until(each, 100) for each in (0, 25, 100, 130)]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_tally_never_counts_more_than_it_may(workers: int, tmp_path: Path) -> None:
    """Whoever takes; what is given back can be taken again."""
    path = tmp_path / "tally"
    tallies: list[Tally] = [OwnTally()] if workers == 1 else [SharedTally(path) for _ in range(workers)]
    taken = [tally.take(7) for _ in range(7) for tally in tallies]
    assert 7 == sum(taken) == tallies[0].count()
    tallies[-1].give_back()
    assert 6 == tallies[0].count()
    assert [True, False] == [tallies[0].take(7), tallies[-1].take(7)]
    for each in tallies:
        if isinstance(each, SharedTally):
            each.close()


def test_drivers_create_in_the_order_in_which_they_wanted_to() -> None:
    """Whoever waited longest is first, and then everybody may again."""
    turns = Turns()
    for driver in ("first", "second", "first"):
        turns.wait(driver)
    assert [False, True, True, True] == [turns.take(each) for each in ("second", "first", "second", "first")]
