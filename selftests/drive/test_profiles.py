"""profiles.py and budget.py: how the time and the creations of a deep run are spread."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.send.budget import Budget, Turns


@pytest.mark.parametrize("name", ["smoke", "standard"])
def test_only_a_deep_run_has_rounds(name: str) -> None:
    """The others are the same whatever time they are given."""
    profile = PROFILES[name]
    assert 1 == profile.rounds(3600)
    assert profile is profile.lasting(3600)


def test_a_deep_run_begins_with_a_standard_one() -> None:
    """Whatever its length; its other rounds are its own, and other profiles have one round, their own."""
    deep, smoke = PROFILES["deep"].lasting(3600), PROFILES["smoke"]
    assert PROFILES["standard"] is deep.in_round(0)
    assert deep is deep.in_round(1)
    assert smoke is smoke.in_round(0)


def test_rounds_are_enough_to_spend_the_time() -> None:
    """However fast a deployment answers; a shorter run is not made to collect those of a longer one."""
    deep = PROFILES["deep"]
    assert 60 / deep.round_s <= deep.rounds(60) < deep.rounds(300)


def test_a_longer_run_has_larger_rounds_and_not_more() -> None:
    """Twelve times the time: as many rounds, longer sequences, more examples; the limits stay."""
    deep = PROFILES["deep"]
    longer = deep.lasting(12 * deep.max_time_s)
    assert deep.rounds(deep.max_time_s) == longer.rounds(12 * deep.max_time_s)
    assert (12 * deep.steps, 12 * deep.limits) == (longer.steps, longer.limits)
    assert (deep.requests, deep.creates) == (longer.requests, longer.creates)


def test_a_shorter_run_has_rounds_of_the_same_size() -> None:
    """And ends where its time does."""
    assert PROFILES["deep"] is PROFILES["deep"].lasting(10)


def test_creations_are_spread_over_the_time() -> None:
    """Half of them by half of the time, all by the end and behind it."""
    budget = replace(Budget(), creates=2000)
    assert [0, 1000, 2000, 2000] == [budget.creates_until(at, 270) for at in (0, 135, 270, 300)]


def test_drivers_create_in_the_order_in_which_they_wanted_to() -> None:
    """So that the first of a round does not take what the others wait for."""
    turns = Turns()
    assert turns.take("names")
    for driver in ("sequences", "names", "sequences"):
        turns.wait(driver)
    taken = [
        driver for driver in ("names", "sequences", "sequences", "names", "fuzzing") if turns.take(driver)
    ]
    assert ["sequences", "names", "fuzzing"] == taken
