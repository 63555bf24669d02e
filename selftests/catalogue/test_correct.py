"""The correct deployment passes every clause, and answers alike whenever it is visited."""

from __future__ import annotations

from animal_conformance.interface.clauses import load_clauses
from selftests.catalogue.judged import correct, judged, visit
from selftests.matrix.cases import plain
from selftests.matrix.table import complaint


def test_the_correct_deployment_passes_every_clause() -> None:
    """The script gives evidence to each rule, and none finds anything."""
    (case,) = plain()
    result = judged(case, correct())
    assert complaint(case, result) == ""
    assert set(result.passed) == {each.id for each in load_clauses().clauses}


def test_the_correct_deployment_visited_twice_answers_alike() -> None:
    """Nothing in it, nor in the script, nor in its clock, is left to chance."""
    (case,) = plain()
    assert visit(case) == correct()
