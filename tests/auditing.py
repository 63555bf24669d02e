"""Looking again at what was created: is it found, is it listed, is nothing listed that was refused?"""

from __future__ import annotations

import time

from animal_conformance.driving import Store

# How often a list is asked again, once the time to settle is over.
ASKED_AGAIN = 2


def audit(store: Store) -> None:
    """Get every created animal that was not looked at since, and list what should hold them.

    Where something is missing, the time to settle is granted before it is asked for again.
    """
    ledger = store.ledger
    made = [animal for animal in ledger.animals.values() if animal.creation is not None]
    unseen = [animal for animal in made if not animal.sightings]
    for animal in unseen:
        store.get(animal.animal_id)
    listings = _listings(store)
    missing = {
        animal.animal_id
        for listed, status in listings
        for animal in made
        if animal.creation is not None
        and animal.animal_id not in listed
        and (status is None or animal.creation.payload.get("status") == status)
    }
    missing |= {animal.animal_id for animal in unseen if not animal.sightings}
    if not missing:
        return
    newest_s = max(animal.known_since_s for animal in made)
    time.sleep(max(0.0, newest_s + ledger.terms.settle_s - store.client.now_s()))
    for _ in range(ASKED_AGAIN):
        _listings(store)
    for animal_id in sorted(missing)[:8]:
        store.get(animal_id)


def _listings(store: Store) -> list[tuple[frozenset[int], str | None]]:
    """List at the largest limit, and say which lists had room for more: their ids and their filter."""
    roomy = []
    for status in (None, *store.ledger.contract.statuses):
        exchange = store.list(limit=100, status=status)
        page = next((each for each in reversed(store.ledger.pages) if each.exchange is exchange), None)
        if page is None or page.length >= page.limit:
            continue
        if status is not None and page.length:
            # A full page at this length shows that the filter is applied before the limit.
            store.list(limit=page.length, status=status)
        if store.ledger.completeness.is_complete(page):
            roomy.append((page.id_set, status))
    return roomy
