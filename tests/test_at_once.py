"""Concurrent requests: every animal has its own id, none is lost, and every request gets its own response."""

from __future__ import annotations

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import STATUSES
from animal_conformance.record.exchange import Credential

from .auditing import audit

THREADS = 6
GETS = 8


@pytest.mark.clauses(
    "get.requested", "get.found", "list.status.filter", "auth.missing.list", "http.server-error"
)
def test_readings_at_the_same_time(store: Store) -> None:
    """Gets different animals, lists with different filters, and lists with and without a key, concurrently.

    Before the creations: which of these gets which id is decided by no seed.
    """
    if not store.profile.at_once:
        pytest.skip("Left to the standard profile.")
    store.list_pets(limit=100)
    for _ in range(store.profile.at_once // THREADS):
        store.at_once(store.known_ids(GETS), Lane.get_pet)
        store.at_once(
            [status for status in STATUSES for _ in range(2)],
            lambda lane, status: lane.list_pets(100, status),
        )
        store.at_once(
            [Credential.VALID, Credential.ABSENT] * 3,
            lambda lane, credential: lane.list_pets(3, credential=credential),
        )


@pytest.mark.rounds
@pytest.mark.clauses(
    "animal.id.unique", "get.found", "list.complete", "create.name.exact", "http.server-error"
)
def test_creations_at_the_same_time(store: Store) -> None:
    """Sends create requests on several connections at once, and reads every animal back."""
    if not store.profile.at_once or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    for at in range(store.profile.at_once // THREADS):
        if store.creates_left() < THREADS:
            break
        # One status for all: no seed determines which of them gets which id.
        status = STATUSES[(at + 1) % 3]
        store.at_once([store.payload(status=status) for _ in range(THREADS)], Lane.create_pet)
    audit(store)
