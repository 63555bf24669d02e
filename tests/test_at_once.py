"""Concurrent requests: every animal has its own id, none is lost, and every request gets its own response."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import LOOKALIKE_NAMES, STATUSES
from animal_conformance.record.exchange import Credential

from .auditing import audit

THREADS = 7
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
GETS = 8


@pytest.mark.clauses(
    "get.requested", "get.found", "list.status.filter", "auth.missing.list", "http.server-error"
)
def test_readings_at_the_same_time(store: Store) -> None:
    """Gets different animals, lists with different filters, and lists with and without a key, concurrently.

    Before the creations: which of these gets which id is decided by no seed.
    """
    if not store.profile.bursts:
        pytest.skip("Left to the standard profile.")
    store.list_pets(limit=100)
    for _ in range(store.profile.bursts):
        store.at_once(store.known_ids(GETS), Lane.get_pet)
        listings: list[tuple[int, str | None, Credential]] = [
            (100, status, Credential.VALID) for status in STATUSES for _ in range(2)
        ]
        listings += [(3, None, Credential.VALID), (3, None, Credential.ABSENT)] * 3
        store.at_once(listings, lambda lane, each: lane.list_pets(each[0], each[1], credential=each[2]))


@pytest.mark.rounds
@pytest.mark.clauses(
    "animal.id.unique", "get.found", "list.complete", "create.name.exact", "http.server-error"
)
def test_creations_at_the_same_time(store: Store) -> None:
    """Sends creations from several connections at once, and reads every one back."""
    if not store.profile.bursts or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    lookalikes = iter(LOOKALIKE_NAMES if store.round_number == 0 else ())
    for at in range(store.profile.bursts):
        if store.creates_left() < THREADS:
            break
        # One status for all: no seed determines which of them gets which id.
        status = STATUSES[(at + 1) % 3]
        names = [lookalike(store, next(lookalikes, None)) for _ in range(THREADS)]
        store.at_once([store.payload(status=status, name=name) for name in names], Lane.create_pet)
    audit(store)


def lookalike(store: Store, pattern: str | None) -> str:
    """A name that looks like a value of another type; a plain one without a pattern."""
    if pattern is None:
        return store.name()
    digits = store.digits()
    return pattern.format(digits, moment=BEGINNING + timedelta(seconds=int(digits) % 10**9))
