"""profiles.py: what a profile is in each of its rounds, and in a run of another length."""

from __future__ import annotations

import pytest

from animal_conformance.drive.profiles import PROFILES


@pytest.mark.parametrize("name", ["smoke", "standard"])
def test_only_a_deep_run_has_rounds(name: str) -> None:
    """The others are the same whatever time they are given."""
    profile = PROFILES[name]
    assert not profile.repeats
    assert profile is profile.lasting(3600)


def test_a_deep_run_begins_with_a_standard_one() -> None:
    """Whatever its length; its other rounds are its own, and other profiles have one round, their own."""
    deep, smoke = PROFILES["deep"].lasting(3600), PROFILES["smoke"]
    assert PROFILES["standard"] is deep.in_round(0)
    assert deep is deep.in_round(1)
    assert smoke is smoke.in_round(0)


def test_a_longer_run_has_larger_rounds() -> None:
    """Twelve times the time: longer sequences, more examples; the limits stay."""
    deep = PROFILES["deep"]
    longer = deep.lasting(12 * deep.max_time_s)
    assert (12 * deep.steps, 12 * deep.limits) == (longer.steps, longer.limits)
    assert (deep.requests, deep.creates) == (longer.requests, longer.creates)


def test_a_shorter_run_has_rounds_of_the_same_size() -> None:
    """And ends where its time does."""
    assert PROFILES["deep"] is PROFILES["deep"].lasting(10)
