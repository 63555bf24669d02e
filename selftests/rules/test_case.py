"""What rules say findings with: values side by side, cut to where they differ."""

from __future__ import annotations

import pytest

from animal_conformance.judge.rules.case import side_by_side


@pytest.mark.parametrize(
    ("sent", "got", "shown"),
    [
        ("Rex", "rex", ('"Rex"', '"rex"')),
        (7, "7", ("7", '"7"')),
        ("a\u2028b\ufeff", "ab", ('"a\\u2028b\\ufeff"', '"ab"')),
        ("\U0001f98a", "e\u0301", ('"\U0001f98a"', '"e\u0301"')),
    ],
)
def test_short_values_are_shown_whole_and_visible(sent: object, got: object, shown: tuple[str, str]) -> None:
    """What cannot be seen is escaped; letters of all scripts are not."""
    assert shown == side_by_side(sent, got)


def test_long_values_are_shown_where_they_begin_to_differ() -> None:
    """Whatever they have in common before and behind it."""
    sent, got = (f"{'x' * 500}{middle}{'y' * 500}" for middle in ("here", "there"))
    wanted, shown = side_by_side(sent, got)
    assert wanted != shown
    assert "xhere" in wanted
    assert "xthere" in shown
    assert len(wanted) <= 101
    assert len(shown) <= 101


def test_a_long_value_that_was_cut_is_shown_from_its_beginning_or_before_its_end() -> None:
    """Nothing of it is missing where the difference is."""
    wanted, shown = side_by_side("x" * 500, "x" * 255)
    assert shown.endswith('x"')
    assert wanted.endswith("x\u2026")
    assert ('"abc"', '""') == side_by_side("abc", "")
