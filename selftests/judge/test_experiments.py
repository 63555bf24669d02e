"""judge/experiments.py: the constants for the ids of explanations are those of spec/explanations.yaml."""

from __future__ import annotations

from animal_conformance.interface.explanations import load_explanations
from animal_conformance.judge import experiments


def test_each_explanation_has_a_constant_and_each_constant_an_explanation() -> None:
    """Named as the id is; a misspelt one would be told by no type, and shown by no report."""
    constants = {
        name: value for name, value in vars(experiments).items() if isinstance(value, str) and name.isupper()
    }
    assert {each.upper(): each for each in load_explanations()} == constants
