"""Reading back what was created: it is found, it is listed, and nothing that was rejected is listed."""

from __future__ import annotations

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.record.exchange import Credential

# How often a list is requested again after the settling time.
ASKED_AGAIN = 2
# How often a run waits for the settling time: later, missing animals were already found missing before.
MOST_WAITS = 2
# How many of the missing animals are read one by one.
MOST = 8


def audit(store: Store) -> None:
    """Get every created animal that has not been read since, and request the lists that should contain them.

    If an animal is missing, it is requested again after the settling time; and a single missing animal
    is followed by a second, similar new one, since it may be missing because of its payload.
    """
    missing = _missing(store)
    if not missing or store.times_settled >= MOST_WAITS:
        return
    _look_again(store, missing)
    if len(missing) == 1 and store.category_id is not None:
        fresh = _like(store, min(missing))
        if fresh is not None:
            _look_again(store, {*missing, fresh})


def _like(store: Store, animal_id: int) -> int | None:
    """Create an animal similar to another one: with the same payload, or if that is rejected, with the same status."""
    creation = store.ledger.animals[animal_id].creation
    if creation is None:
        return store.create_and_get(store.payload())
    payload = {name: value for name, value in creation.payload.items() if name != "id"}
    twin = store.create_and_get(payload)
    if twin is not None and twin != animal_id:
        return twin
    return store.create_and_get(store.payload(status=payload.get("status", ...)))


def _missing(store: Store) -> set[int]:
    """The created animals that are not found, or not in a list below its limit."""
    made = [animal for animal in store.ledger.animals.values() if animal.creation is not None]
    # In the order of the requests, not of the responses.
    made.sort(key=lambda animal: [(each.exchange.sequence, each.exchange.step) for each in animal.creations])
    store.side_by_side([each.animal_id for each in made if not each.sightings], Lane.get_pet)
    listings = _listings(store)
    unlisted = {
        animal.animal_id
        for listed, status in listings
        for animal in made
        if animal.creation is not None
        and animal.animal_id not in listed
        and (
            status is None
            or animal.creation.payload.get("status", animal.creation.answer.get("status")) == status
        )
    }
    return unlisted | lost(store)


def _look_again(store: Store, missing: set[int]) -> None:
    settle(store)
    thorough = store.profile.thorough
    for _ in range(ASKED_AGAIN if thorough else 1):
        _listings(store, again=True)
    store.side_by_side(sorted(missing)[: MOST if thorough else 3], Lane.get_pet)


def settle(store: Store) -> None:
    """Wait until the settling time is over for every known animal."""
    newest_s = max((animal.known_since_s for animal in store.ledger.animals.values()), default=0.0)
    store.times_settled += 1
    store.client.pause_until(newest_s + store.ledger.terms.settle_s)


def lost(store: Store) -> set[int]:
    """The known animals whose last getPet returned 404."""
    return {
        animal_id
        for animal_id, exchanges in store.ledger.gets.items()
        if animal_id in store.ledger.animals
        and (last := [each for each in exchanges if each.request.credential is Credential.VALID][-1:])
        and last[0].response is not None
        and last[0].response.status == 404
    }


def _listings(store: Store, *, again: bool = False) -> list[tuple[frozenset[int], str | None]]:
    """List at the maximum limit, and return the lists below the limit: their ids and their filter."""
    queries: list[tuple[int | None, str | None]] = [(100, None)]
    queries += [(100, status) for status in store.ledger.contract.statuses]
    if store.profile.thorough:
        queries.append((None, None))

    def ids_of_roomy(lane: Lane, query: tuple[int | None, str | None]) -> frozenset[int] | None:
        limit, status = query
        exchange = lane.list_pets(limit=limit, status=status)
        page = next((each for each in reversed(store.ledger.pages) if each.exchange is exchange), None)
        if page is None or page.length >= page.limit:
            return None
        if limit is None and page.length:
            return None  # shorter is permitted; an empty one shows nothing
        if status is not None and page.length and not again:
            # A full page at this length shows that the filter is applied before the limit.
            lane.list_pets(limit=page.length, status=status)
        return page.id_set if len(page.ids) == page.length else None

    pages = store.side_by_side(queries, ids_of_roomy)
    return [(ids, status) for ids, (_, status) in zip(pages, queries, strict=True) if ids is not None]
