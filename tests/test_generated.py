"""What Schemathesis generates from the contract: its coverage and its fuzzing, positive and negative."""

from __future__ import annotations

import pytest

from animal_conformance.drive.generated import OPERATIONS, Generated, coverage, fuzzing, renamed
from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store

from .auditing import audit


def _send(lane: Lane, request: Generated) -> None:
    request = renamed(request, lane.name())
    lane.send(request.method, request.target, headers=request.headers, body=request.body)


@pytest.mark.clauses("http", "error", "list", "create", "get")
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_coverage_of_the_contract(store: Store, operation_id: str) -> None:
    """Sends every case of the coverage phase: each bound, each type, each missing part."""
    if not store.profile.coverage:
        pytest.skip("Left to the standard profile.")
    store.side_by_side(coverage(operation_id)[: store.profile.coverage], _send, creates=1)


@pytest.mark.rounds
@pytest.mark.clauses("http", "error", "list", "create", "get")
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_fuzzing_by_the_contract(store: Store, operation_id: str) -> None:
    """Sends generated requests, valid ones and invalid ones."""
    if not store.profile.fuzzing:
        pytest.skip("Left to the standard profile.")
    requests = fuzzing(operation_id, store.profile.fuzzing, store.seed_number, store.round_number)
    store.side_by_side(requests, _send, creates=1)


@pytest.mark.clauses("create", "list.complete", "get.found")
def test_what_was_generated_is_there(store: Store) -> None:
    """Reads back everything that was created."""
    if store.profile.thorough:
        audit(store)
