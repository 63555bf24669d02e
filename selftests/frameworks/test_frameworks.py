"""The suite's verdict on programs that were not written for it, held against what they break."""

from __future__ import annotations

import pytest

from selftests.frameworks.expectations import EXPECTATIONS, ODDITIES, Expectation
from selftests.frameworks.programs import can_run
from selftests.matrix.part import judged_part
from selftests.matrix.result import Result


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """The verdict on every program, each judged in a process of its own."""
    return judged_part(
        tmp_path_factory.mktemp("frameworks"), "--only=framework", "--only=oddity", "--no-smoke"
    )


@pytest.mark.parametrize("expectation", EXPECTATIONS, ids=lambda each: each.program)
def test_a_framework_fails_exactly_the_clauses_that_it_breaks(
    expectation: Expectation, results: dict[str, Result]
) -> None:
    """Each clause that it breaks is failed, and no other; where it breaks none, it conforms."""
    if not can_run(expectation.program):
        pytest.skip("Node.js with Express is not here.")
    result = results[expectation.program]
    assert [] == result.suite_faults
    assert set(expectation.breaks) == set(result.failed) - set(expectation.hidden)
    assert ("does-not-conform" if expectation.breaks else "conforms") == result.outcome


@pytest.mark.parametrize("oddity", ODDITIES)
def test_a_lawful_oddity_of_servers_fails_nothing(oddity: str, results: dict[str, Result]) -> None:
    """Nothing is held against it, be there a verdict on the whole or not."""
    result = results[oddity]
    assert [] == result.suite_faults
    assert [] == result.failed
    assert result.outcome in {"conforms", "could-not-judge"}
