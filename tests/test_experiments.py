"""At the end: what looks wrong is put to the test."""

from __future__ import annotations

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import STATUSES

from .auditing import ends_of, list_apart, lost, put_to_the_test
from .test_list import are_limits_put_off, other_limits

# This many requests are kept for the suspicions that the last lists raise.
KEPT = 200
# At most this many are sent before the drivers.
FOR_THE_BEGINNING = 16
# Fewer requests would tell little, and after them everything is judged once more.
ENOUGH = 20


@pytest.mark.clauses("http", "animal", "list", "create", "get", "auth", "error", "open.explanations")
def test_suspicions_are_put_to_the_test(store: Store) -> None:
    """Performs the experiments that suspicions ask for, until no new one is asked for.

    Where animals are gone, the animals at both ends of lists are got once more: no further creation changes any more which
    animals are there.
    """
    store.client.release()
    put_to_the_test(store)
    if store.profile.thorough and lost(store):
        lists = store.side_by_side((None, *STATUSES), list_apart)
        store.side_by_side(dict.fromkeys(each for answer in lists for each in ends_of(answer)), Lane.get_pet)
        put_to_the_test(store)


@pytest.mark.clauses("list.limit", "list.answer", "list.array", "list.once", "animal", "http")
def test_limits_that_were_put_off(store: Store) -> None:
    """Lists with every limit that was not accepted before, as far as experiments have left requests over."""
    if not store.profile.thorough or not are_limits_put_off(store):
        pytest.skip("Left to the standard profile, or not put off.")
    left = max(0, store.client.budget.requests_left() - KEPT)
    store.side_by_side(other_limits(store)[:left], lambda lane, limit: lane.list_pets(limit=limit))
    put_to_the_test(store)


@pytest.mark.clauses("get.found", "get.requested", "animal", "http")
def test_listed_animals_that_were_put_off(store: Store) -> None:
    """Gets animals that lists have shown and no getPet has asked for yet, if experiments have left enough requests over."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    store.gather()
    ledger, budget = store.ledger, store.client.budget
    # The same number whatever the number of connections, which takes a few requests without a driver to find out.
    sent = sum(bool(each.driver) for each in ledger.exchanges) + FOR_THE_BEGINNING
    left = min(budget.requests - sent, budget.requests_left()) - KEPT
    if left < ENOUGH:
        pytest.skip("Too few requests are left over.")
    unread = sorted(
        each for each in ledger.animals if ledger.animals[each].listed and not ledger.gets.get(each)
    )
    store.side_by_side(store.sample(unread, left), Lane.get_pet)
    put_to_the_test(store)
