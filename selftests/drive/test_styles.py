"""Styles of names: each is as unique as the plain one, and begins as the run's own do."""

from __future__ import annotations

import re

from animal_conformance.drive.styles import STYLES, syllables
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_own

PLAIN = [f"Ac{chr(97 + one)}{chr(97 + two)}czgvsjcg" for one in range(26) for two in range(26)]


def test_each_style_keeps_names_apart() -> None:
    """A name may have to be unique."""
    for style in STYLES:
        assert len(PLAIN) == len(set(map(style, PLAIN)))


def test_names_that_can_be_pronounced_are_the_runs_own() -> None:
    """No filter takes them for spam, and lists that show them show what the run has created."""
    names = list(map(STYLES[0], PLAIN))
    assert all(is_own(each) and OWN_NAME.fullmatch(each) for each in names)
    assert not any(re.search("[bcdfghjklmnpqrstvwxyz]{3}", each.lower()) for each in names)
    assert re.fullmatch("([b-z][aeiou]){6}", syllables("Acabcdefghij", 6))
