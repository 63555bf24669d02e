"""turns.py: everything has its turn, and nothing moves another's."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from selftests.turns import DAY_VARIABLE, is_turn, is_turn_now

DAY = date(2026, 11, 22)
NAMES = [f"fault.number-{each}" for each in range(400)]


def test_in_so_many_days_each_has_one_turn() -> None:
    """Whatever day it begins with."""
    for name in NAMES:
        turns = [each for each in range(48) if is_turn(name, DAY + timedelta(days=each), 48)]
        assert 1 == len(turns)
        assert is_turn(name, DAY + timedelta(days=turns[0] + 48), 48)


def test_the_days_have_about_as_many_each() -> None:
    """None is empty, and none has three times its share."""
    sizes = [sum(is_turn(name, DAY + timedelta(days=each), 20) for name in NAMES) for each in range(20)]
    assert 400 == sum(sizes)
    assert 0 < min(sizes) <= max(sizes) < 60


def test_the_day_of_a_name_stays_what_it_is() -> None:
    """It is a matter of the name and of the date alone: neither of a position nor of a process."""
    assert ["fault.number-36", "fault.number-325"] == [name for name in NAMES if is_turn(name, DAY, 100)]


def test_the_variable_names_the_day_or_every_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what failed on another day can be tried again."""
    monkeypatch.setenv(DAY_VARIABLE, DAY.isoformat())
    assert [is_turn(name, DAY, 48) for name in NAMES] == [is_turn_now(name, 48) for name in NAMES]
    monkeypatch.setenv(DAY_VARIABLE, "every")
    assert all(is_turn_now(name, 48) for name in NAMES)
    monkeypatch.setenv(DAY_VARIABLE, "soon")
    with pytest.raises(ValueError, match="soon"):
        is_turn_now("x", 48)


def test_without_the_variable_it_is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has a turn every day has one."""
    monkeypatch.delenv(DAY_VARIABLE)
    assert all(is_turn_now(name, 1) for name in NAMES)
    assert not all(is_turn_now(name, 48) for name in NAMES)
