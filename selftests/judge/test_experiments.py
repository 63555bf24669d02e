"""judge/experiments.py: the constants for the ids of explanations are those of spec/explanations.yaml."""

from __future__ import annotations

from animal_conformance.interface.explanations import load_explanations
from animal_conformance.judge import experiments


def test_each_explanation_has_a_constant_and_each_constant_an_explanation() -> None:
    """Named as the id is; a misspelt one would be told by no type, and shown by no report."""
    # Ids are words, other than addresses.
    words = {
        name: each for name, each in vars(experiments).items() if isinstance(each, str) and each.isalpha()
    }
    constants = {name: each for name, each in words.items() if name.isupper()}
    assert {each.upper(): each for each in load_explanations()} == constants
