"""List animals: limits, the status filter, and both together."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import (
    INVALID_LIMITS,
    INVALID_STATUSES,
    LIMIT_CORNERS,
    OPEN_LIMITS,
    OPEN_STATUSES,
    STATUSES,
    limits,
)

LISTS = ("animal", "list.answer", "list.array", "list.once", "http")
ENOUGH = 101
# Of a status: more than a list without a limit may hold.
ENOUGH_OF_ONE = 22


@pytest.mark.clauses("list.limit")
def test_there_are_more_animals_than_a_list_may_hold(store: Store) -> None:
    """Creates animals until no limit is larger than what is there, and no default with a filter, where the run may."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    store.list_pets(limit=100)
    if store.category_id is None:
        pytest.skip("No creation was accepted.")
    missing = ENOUGH - len(store.ledger.animals)
    for at in range(missing if missing <= store.creates_left() else 0):
        store.create_pet(store.payload(status=STATUSES[at % 3]))
    for status in STATUSES:
        missing = ENOUGH_OF_ONE - store.ledger.known_count(status, store.client.now_s())
        for _ in range(min(missing, store.creates_left())):
            store.create_pet(store.payload(status=status))


@pytest.mark.clauses("list.answer", "list.limit.default", "list.status", *LISTS)
def test_lists_without_a_limit(store: Store) -> None:
    """Lists with each filter and with none, twice each."""
    for _ in range(2 if store.profile.thorough else 1):
        for status in (None, *STATUSES):
            store.list_pets(status=status)


@pytest.mark.rounds
@pytest.mark.clauses("list.limit", *LISTS)
def test_limits_from_1_to_100(store: Store) -> None:
    """Lists with the bounds, the default, their neighbours, and generated limits."""
    corners = LIMIT_CORNERS if store.profile.thorough else LIMIT_CORNERS[:5]
    store.for_each(limits(), lambda limit: store.list_pets(limit=limit), store.profile.limits, corners)


@pytest.mark.rounds
@pytest.mark.clauses("list.combined", "list.limit", "list.status", *LISTS)
def test_limit_and_status_together(store: Store) -> None:
    """Lists with each filter at the bounds, the default and around, and generated combinations."""
    thorough = store.profile.thorough
    corners = [(limit, status) for status in STATUSES for limit in (LIMIT_CORNERS if thorough else (1, 100))]
    store.for_each(
        st.tuples(limits(), st.sampled_from(STATUSES)),
        lambda both: store.list_pets(limit=both[0], status=both[1]),
        store.profile.combinations,
        corners,
    )


@pytest.mark.clauses("list.limit", "http", "error", "open.limit")
def test_limits_that_are_invalid(store: Store) -> None:
    """Lists with limits outside 1 to 100 and with what is no integer."""
    thorough = store.profile.thorough
    for limit in INVALID_LIMITS if thorough else INVALID_LIMITS[:5]:
        store.list_pets(limit=limit)
    if thorough:
        for status in STATUSES:
            store.list_pets(limit=1000, status=status)
        store.for_each(
            st.one_of(st.integers(101, 2**70), st.integers(-(2**70), 0)),
            lambda limit: store.list_pets(limit=limit),
            store.profile.limits // 2,
        )
        for limit in OPEN_LIMITS:
            store.list_pets(limit=limit)
        store.get_path("/pets", [("limit", 5), ("limit", 200)])
        store.get_path("/pets", [("limit", 200), ("limit", 5)])


@pytest.mark.clauses("list.status", "http", "error", "open.status")
def test_filters_that_are_invalid(store: Store) -> None:
    """Lists with a status that is none of the three."""
    thorough = store.profile.thorough
    for status in INVALID_STATUSES if thorough else INVALID_STATUSES[:1]:
        store.list_pets(status=status)
    if thorough:
        store.list_pets(limit=100, status="lost")
        for status in OPEN_STATUSES:
            store.list_pets(status=status)
        store.get_path("/pets", [("status", "sold"), ("status", "available")])


@pytest.mark.clauses("list.status", "list.complete", "list.once", "list.limit.respected", "animal.id.stable")
def test_filtered_lists_beside_the_whole_one(store: Store) -> None:
    """Lists the largest pages of every filter next to each other, some of them again."""
    for _ in range(2 if store.profile.thorough else 0):
        for status in (None, *STATUSES):
            store.list_pets(limit=100, status=status)


@pytest.mark.clauses("get.found", "get.requested", "animal.id.stable", "list.status.filter")
def test_listed_animals_are_found(store: Store) -> None:
    """Gets some animals of every filtered list."""
    for status in STATUSES if store.profile.thorough else STATUSES[:1]:
        exchange = store.list_pets(limit=5, status=status)
        page = next((each for each in reversed(store.ledger.pages) if each.exchange is exchange), None)
        for animal_id in page.ids[: 4 if store.profile.thorough else 1] if page is not None else ():
            store.get_pet(animal_id)
