"""Creations at the same time: every animal has an id of its own, and none is lost."""

from __future__ import annotations

import pytest

from animal_conformance.driving import Store

from .auditing import audit

THREADS = 6


@pytest.mark.rounds
@pytest.mark.clauses(
    "animal.id.unique", "get.found", "list.complete", "create.name.exact", "http.server-error"
)
def test_creations_at_the_same_time(store: Store) -> None:
    """Sends creations from several connections at once, and reads every one back."""
    if not store.profile.at_once or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    for _ in range(store.profile.at_once // THREADS):
        if store.creates_left() < THREADS:
            break
        store.create_at_once([store.payload() for _ in range(THREADS)])
    audit(store)
