"""Every fault fails exactly the clauses that it names."""

from __future__ import annotations

import pytest

from selftests.catalogue.judged import is_due, judged, visit
from selftests.catalogue.wire import OF_THE_WIRE
from selftests.matrix.cases import MatrixCase, faults
from selftests.matrix.table import complaint

MOST_OF_THE_WIRE = 0.15

SHOWN = [case for case in faults() if case.name not in OF_THE_WIRE and is_due(case)]
NOT_SHOWN = [case for case in faults() if case.name in OF_THE_WIRE and is_due(case)]


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: case.name)
def test_a_fault_fails_exactly_the_clauses_that_it_names(
    case: MatrixCase, capsys: pytest.CaptureFixture[str]
) -> None:
    """And breaks nothing by accident: the deployment complains of nothing."""
    assert complaint(case, judged(case, visit(case))) == ""
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("case", NOT_SHOWN, ids=lambda case: case.name)
def test_a_fault_of_the_wire_cannot_be_seen_in_this_process(case: MatrixCase) -> None:
    """Else it need not be left to the matrix."""
    assert judged(case, visit(case)).failed == []


def test_few_faults_are_left_to_the_wire() -> None:
    """What is judged here need not be judged by a run."""
    assert len(OF_THE_WIRE) <= MOST_OF_THE_WIRE * len(faults())
