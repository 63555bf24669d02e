"""generated.py: what Schemathesis generates is decided by the seed and the round alone."""

from __future__ import annotations

import pytest

from animal_conformance.drive.generated import OPERATIONS, fuzzing

each_operation = pytest.mark.parametrize("operation_id", OPERATIONS)


@each_operation
def test_the_same_seed_gives_the_same_requests(operation_id: str) -> None:
    """Generated anew, and not only remembered."""
    first = fuzzing(operation_id, 6, 1, 0)
    fuzzing.cache_clear()
    assert first == fuzzing(operation_id, 6, 1, 0)
    assert len(first) == 6


@each_operation
def test_another_seed_or_round_gives_other_requests(operation_id: str) -> None:
    """Else a deep run would repeat itself."""
    first = fuzzing(operation_id, 6, 1, 0)
    assert first != fuzzing(operation_id, 6, 2, 0)
    assert first != fuzzing(operation_id, 6, 1, 1)
