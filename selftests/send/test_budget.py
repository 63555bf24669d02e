"""budget.py: the hard limits of a run, on a clock that is handed in."""

from __future__ import annotations

import pytest

from animal_conformance.send.budget import PACE_MARGIN, Budget
from animal_conformance.send.clock import Clock


class Hands(Clock):
    """A clock that goes on when somebody sleeps, and not by itself."""

    def __init__(self, time_s: float = 0.0) -> None:
        super().__init__()
        self.time_s = time_s

    def now_s(self) -> float:
        """What its hands show."""
        return self.time_s

    def sleep(self, seconds: float) -> None:
        """Turn the hands."""
        self.time_s += max(0.0, seconds)


def test_slots_keep_the_rate_however_fast_they_are_asked_for() -> None:
    """Ten at once at four a second are spread over the next seconds."""
    budget, clock, slots_s = Budget(rate=4), Hands(100), []
    for _ in range(10):
        assert budget.keep_pace(clock)
        slots_s.append(clock.now_s())
    assert slots_s == pytest.approx([100 + at * (1 + PACE_MARGIN) / 4 for at in range(10)])


def test_no_second_has_more_slots_than_the_rate_whenever_they_are_asked_for() -> None:
    """What was not used does not add up to a burst."""
    budget, clock, slots_s = Budget(rate=5), Hands(), []
    for asked_s in (0, 0.01, 0.02, 1.9, 1.95, 7, 7, 7, 7, 7, 7, 7, 7.1, 7.3, 9):
        clock.time_s = max(clock.time_s, asked_s)
        assert budget.keep_pace(clock)
        slots_s.append(clock.now_s())
    assert slots_s == sorted(slots_s)
    assert 5 == max(sum(first <= each < first + 1 for each in slots_s) for first in slots_s)


def test_without_a_rate_nothing_waits() -> None:
    """Each slot is now."""
    clock = Hands(3.0)
    assert all(Budget().keep_pace(clock) for _ in range(2))
    assert 3.0 == clock.now_s()


@pytest.mark.parametrize("rate", [None, 2.0])
def test_no_slot_is_behind_the_deadline(rate: float | None) -> None:
    """Nor is it waited for."""
    budget, clock = Budget(rate=rate, deadline_s=10), Hands(10)
    assert budget.keep_pace(clock)
    clock.time_s = 10.1
    assert not budget.keep_pace(clock)
    assert 10.1 == clock.now_s()


def test_creations_are_spread_over_the_time_of_a_run() -> None:
    """And all of them may be made at its end, and behind it."""
    budget, left = Budget(creates=200), []
    for now_s in (0, 25, 100, 130):
        budget.spread_creates(now_s, 100)
        left.append(budget.creates_left())
    assert [0, 50, 200, 200] == left


def test_a_creation_that_created_nothing_gives_its_place_back() -> None:
    """One that may have created keeps it."""
    budget = Budget(creates=2)
    assert [True, True] == [budget.take_creation() for _ in range(2)]
    budget.end_creation(kept=True)
    budget.end_creation(kept=False)
    assert (1, 1) == (budget.created, budget.creates_left())
    assert budget.take_creation()
    budget.end_creation(kept=True)
    assert not budget.take_creation()


def test_requests_are_counted_up_to_their_limit() -> None:
    """And no further."""
    budget = Budget(requests=3)
    assert [True, True, True, False] == [budget.take_request() for _ in range(4)]
    assert (3, 0) == (budget.sent, budget.requests_left())
