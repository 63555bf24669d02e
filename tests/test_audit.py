"""At the end: what was known from the beginning is still there."""

from __future__ import annotations

import pytest

from animal_conformance.driving import Store

from .auditing import lost, settle


@pytest.mark.clauses("get.found", "get.requested", "animal.id.stable")
def test_known_animals_after_the_time_to_settle(store: Store) -> None:
    """Gets animals that were known long enough for no replica to lag behind them any more.

    Where nothing was missing until now, nothing is waited for.
    """
    missing = sorted(lost(store))
    if missing:
        settle(store)
    for animal_id in dict.fromkeys((*missing[:10], *store.known_ids(2 * store.profile.lookups))):
        store.get_pet(animal_id)
