"""At the end: animals known from the start still exist."""

from __future__ import annotations

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store

from .auditing import lost, settle

OLDEST = 5
MOST = 10
ENOUGH = 101
# From this many on, it is worth creating the rest up to ENOUGH.
FAR_ENOUGH = 60


@pytest.mark.clauses("get.found", "get.requested", "animal.id.stable")
def test_known_animals_after_the_time_to_settle(store: Store) -> None:
    """Gets animals that have been known for longer than replicas may lag.

    If nothing has been missing so far, there is no waiting.
    """
    missing = sorted(lost(store))
    if missing:
        settle(store)
    oldest = store.oldest_ids(OLDEST) if store.profile.thorough else []
    wanted = (*missing[:MOST], *oldest, *store.known_ids(2 * store.profile.lookups))
    store.side_by_side(dict.fromkeys(wanted), Lane.get_pet)
    lately = sorted(lost(store).difference(missing)) if store.profile.thorough else []
    if lately and not missing:
        settle(store)
        store.side_by_side(lately[:MOST], Lane.get_pet)


@pytest.mark.clauses(
    "list.limit.maximum", "list.limit.respected", "list.limit.above-refused", "list.combined"
)
def test_more_animals_of_one_status_than_a_list_may_hold(store: Store) -> None:
    """Creates the missing ones, if most exist already, and lists with that filter at large limits."""
    if not store.profile.thorough or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    status = store.observable_status
    known = store.ledger.known_count(status, store.client.now_s())
    if known < FAR_ENOUGH or ENOUGH - known > store.creates_left():
        pytest.skip("The run may not create as many.")
    store.side_by_side(
        range(ENOUGH - known), lambda lane, _: lane.create_pet(lane.payload(status=status)), creates=1
    )
    store.side_by_side((100, 101, 1000), lambda lane, limit: lane.list_pets(limit=limit, status=status))
