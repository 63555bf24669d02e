"""List animals: limits, the status filter, and both together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import (
    INVALID_LIMITS,
    INVALID_STATUSES,
    LIMIT_CORNERS,
    OPEN_LIMITS,
    OPEN_STATUSES,
    STATUSES,
    invalid_limits,
    limits,
    limits_with_statuses,
)
from animal_conformance.interface.reading import created_id, listed_ids

from .auditing import list_apart

LISTS = ("animal", "list.answer", "list.array", "list.once", "http")
ENOUGH = 101
# Per status: more than a list without a limit may contain.
ENOUGH_OF_ONE = 22

# Fewer animals than most stores have.
SMALL = 7
# Of the animals that are missing, this many are created first.
FIRST = 8
# The limit at which parameters are escaped.
ESCAPED_AT = 19


@pytest.mark.clauses("list.limit")
def test_there_are_more_animals_than_a_list_may_hold(store: Store) -> None:
    """Creates animals, within the limits of the run, until there are more than the largest limit, and of each status more than the default.

    If the first few are all rejected, the store may be full: no others are created. If only some are, unlike names are tried.
    """
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    if len(store.ledger.animals) < ENOUGH:
        store.list_pets(limit=100)
    if store.category_id is None:
        pytest.skip("No creation was accepted.")

    for name in (Lane.name, Lane.unlike_name):
        wanted, create = _wanted(store), partial(_is_created, name=name)
        if not any(store.side_by_side(wanted[:FIRST], create, creates=1)):
            return
        store.side_by_side(wanted[FIRST:], create, creates=1)


def _is_created(lane: Lane, status: str, name: Callable[[Lane], str]) -> bool:
    return created_id(lane.create_pet(lane.payload(status=status, name=name(lane)))) is not None


def _wanted(store: Store) -> list[str]:
    """The statuses of the animals that are still to be created, within the limits of the run."""
    missing = ENOUGH - len(store.ledger.animals)
    wanted = [STATUSES[at % 3] for at in range(missing if missing <= store.creates_left() else 0)]
    for status in STATUSES:
        known = store.ledger.known_count(status, store.client.now_s()) + wanted.count(status)
        wanted += [status] * min(ENOUGH_OF_ONE - known, store.creates_left() - len(wanted))
    return wanted


@pytest.mark.rounds
@pytest.mark.clauses("list.limit", *LISTS)
def test_limits_from_1_to_100(store: Store) -> None:
    """Lists with the bounds, the default and their neighbours, and with every limit that was not accepted before.

    Where animals were missing or changed, experiments may need many requests: then the other limits come after those.
    """
    thorough = store.profile.thorough
    others = other_limits(store) if thorough and not are_limits_put_off(store) else []
    corners = dict.fromkeys((*(LIMIT_CORNERS if thorough else LIMIT_CORNERS[:5]), *others))
    further = store.profile.limits if store.round_number else 0
    store.for_each(limits, lambda lane, limit: lane.list_pets(limit=limit), further, corners)


def are_limits_put_off(store: Store) -> bool:
    """Whether animals were missing or changed, so that experiments may need many requests."""
    changed = (len(each.listed) > 1 or len(each.gets) > 1 for each in store.ledger.animals.values())
    return store.times_settled > 0 or any(changed)


def other_limits(store: Store) -> list[int]:
    """The limits from 1 to 100 with which, as the only parameter, no list was returned yet."""
    accepted = store.ledger.accepted_alone
    return [each for each in range(1, 101) if ("limit", str(each)) not in accepted]


@pytest.mark.clauses("list.answer", "list.limit.default", "list.status", *LISTS)
def test_lists_without_a_limit(store: Store) -> None:
    """Lists with each filter and with none."""
    store.side_by_side((None, *STATUSES), lambda lane, status: lane.list_pets(status=status))


@pytest.mark.clauses("list.complete", "list.status.complete")
def test_a_small_limit_before_the_largest(store: Store) -> None:
    """Lists at a small limit and then at the largest one: a cache may keep pages without their limit."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")

    def list_both(lane: Lane, status: str | None) -> None:
        for limit in (SMALL, 100):
            lane.list_pets(limit=limit, status=status)

    store.side_by_side((None, store.observable_status), list_both, requests=2)


@pytest.mark.rounds
@pytest.mark.clauses("list.combined", "list.limit", "list.status", *LISTS)
def test_limit_and_status_together(store: Store) -> None:
    """Lists with each filter at and around the bounds and the default, the parameters in either order, and escaped."""
    thorough = store.profile.thorough
    fewest, middle, most = store.statuses_by_number()
    # The second third has a limit of 50, which may show that it holds only where more animals than that are there.
    limits_of = {
        status: [limit for number, limit in enumerate(LIMIT_CORNERS) if number % 3 == at]
        for at, status in enumerate((fewest, most, middle))
    }
    corners = [
        (limit, status) for status in STATUSES for limit in (limits_of[status] if thorough else (1, 100))
    ]
    # A limit of 1 with every status: where the filter is ignored, the newest animal happens to have one of them.
    corners += [(1, status) for status in STATUSES if (1, status) not in corners]
    store.for_each(
        limits_with_statuses,
        lambda lane, both: lane.send("GET", f"/pets?{_query(*both)}"),
        store.profile.combinations,
        corners,
    )


def _query(limit: int, status: str) -> str:
    """Both parameters, in either order; once with escapes that mean the same (RFC 3986 section 2.3)."""
    if limit == ESCAPED_AT:
        words = (f"%{ord(word[0]):02X}{word[1:]}" for word in ("status", status, "limit", str(limit)))
        return "{}={}&{}={}".format(*words)
    both = [f"limit={limit}", f"status={status}"]
    return "&".join(both if limit % 2 else both[::-1])


@pytest.mark.clauses("get.found", "get.requested", "animal.id.stable", "list.status.filter")
def test_listed_animals_are_found(store: Store) -> None:
    """Gets some animals of every filtered list."""
    thorough = store.profile.thorough

    def get_listed(lane: Lane, status: str) -> None:
        for animal_id in listed_ids(lane.list_pets(limit=100, status=status))[: 2 if thorough else 1]:
            lane.get_pet(animal_id)

    store.side_by_side(STATUSES if thorough else STATUSES[:1], get_listed, requests=3)


@pytest.mark.clauses("list.limit", "http", "error", "open.limit")
def test_limits_that_are_invalid(store: Store) -> None:
    """Lists with limits outside 1 to 100, and with values that are not integers."""
    thorough = store.profile.thorough
    queries: list[list[tuple[str, object]]] = [
        [("limit", limit)] for limit in (INVALID_LIMITS if thorough else INVALID_LIMITS[:5])
    ]
    if thorough:
        queries += [
            [("limit", limit), ("status", status)] for limit, status in ((1000, "available"), (-1, "lost"))
        ]
        queries += [[("limit", limit)] for limit in store.examples(invalid_limits, store.profile.limits // 2)]
        queries += [[("limit", limit)] for limit in OPEN_LIMITS]
        queries += [[("limit", 5), ("limit", 200)], [("limit", 200), ("limit", 5)]]
    store.side_by_side(queries, lambda lane, query: lane.get_path("/pets", query))


@pytest.mark.clauses("list.status", "http", "error", "open.status")
def test_filters_that_are_invalid(store: Store) -> None:
    """Lists with a status other than the three values."""
    thorough = store.profile.thorough
    queries: list[list[tuple[str, object]]] = [
        [("status", status)] for status in (INVALID_STATUSES if thorough else INVALID_STATUSES[:1])
    ]
    if thorough:
        queries.append([("limit", 100), ("status", "lost")])
        queries += [[("status", status)] for status in OPEN_STATUSES]
        queries.append([("status", "sold"), ("status", "available")])
    store.side_by_side(queries, lambda lane, query: lane.get_path("/pets", query))
    # Not valid UTF-8, no valid escape, and a character that some databases cannot hold; parameters that are not there,
    # that have no value, and that some libraries read as an object.
    queries_as_text = (
        "status=%FF", "status=%ZZ", "status=%00", "limit=%00", "", "limit=5&", "limit", "status[x]=sold",
    )  # fmt: skip
    store.side_by_side(
        queries_as_text if thorough else (), lambda lane, query: lane.get_path(f"/pets?{query}")
    )


@pytest.mark.clauses("list.status", "list.complete", "list.once", "list.limit.respected", "animal.id.stable")
def test_filtered_lists_beside_the_whole_one(store: Store) -> None:
    """Lists the largest pages of every filter in succession, some of them repeatedly."""
    filters = (None, *STATUSES) * (2 if store.profile.thorough else 0)
    store.side_by_side(filters, list_apart)
