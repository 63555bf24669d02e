"""generated.py: what Schemathesis generates is decided by the seed and the round alone."""

from __future__ import annotations

import pytest

from animal_conformance.drive.generated import KEPT, OPERATIONS, coverage, derived, fuzzing, kept_cases
from animal_conformance.interface.resources import spec_file

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


def test_the_kept_cases_are_those_that_schemathesis_derives() -> None:
    """Else `python -m animal_conformance.drive.generated > spec/cases.json` is due, after a change of contract or version."""
    assert spec_file(KEPT).read_text(encoding="utf-8") == kept_cases()


@each_operation
def test_cases_that_are_kept_are_read_as_they_were_derived(operation_id: str) -> None:
    """What is sent is the same, whether it is read or derived."""
    assert derived(operation_id) == coverage(operation_id)
