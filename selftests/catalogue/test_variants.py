"""No permitted variant fails a clause, but for the SHOULD clauses that it names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.variants import VARIANTS
from selftests.catalogue.judged import OF_VOICES, correct, is_due, judged, visit
from selftests.catalogue.wire import OF_THE_WIRE
from selftests.matrix.cases import MatrixCase, variants
from selftests.matrix.table import complaint


@pytest.mark.parametrize("case", [each for each in variants() if is_due(each)], ids=lambda case: case.name)
def test_a_variant_fails_nothing_but_the_clauses_that_it_may(
    case: MatrixCase, capsys: pytest.CaptureFixture[str]
) -> None:
    """Although it is not the correct deployment, which shows unless it is of the wire."""
    seen = visit(case)
    # The script of the voices shows no whole deployment, and leaves the verdict on it to the matrix.
    held = replace(case, kind="oddity") if case.name in OF_VOICES else case
    assert complaint(held, judged(case, seen)) == ""
    assert (seen == correct(of_voices=case.name in OF_VOICES)) == (case.name in OF_THE_WIRE)
    assert capsys.readouterr().err == ""


def test_what_is_left_to_the_wire_exists() -> None:
    """A name for nothing is left over from something."""
    assert set(FAULTS) | set(VARIANTS) >= OF_THE_WIRE
