"""Clients that come back with what an answer gave them: cookies and validators."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.voices import IF_MODIFIED_SINCE, IF_NONE_MATCH, cookies_of, validators_of
from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import created_id, listed_ids
from animal_conformance.judge.experiments import TURNS
from animal_conformance.record.exchange import Exchange

from .auditing import settle

# Dates have whole seconds.
DATES_APART_S = 1.1
# This many of the first lists and of the last ones are searched for cookies.
FEW = 3


@pytest.mark.clauses(
    "create.answer", "get.found", "get.requested", "list.answer", "list.complete", "list.status.complete"
)
def test_a_client_that_keeps_cookies(store: Store) -> None:
    """Lists, creates and gets with the cookies that came with an answer: they may lead to a node or a session of their own.

    The second animal is created without them.
    """
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    made = [each.exchange for each in store.ledger.creations[-FEW:]]
    # What comes with a creation may be remembered for longer than what comes with a list.
    given = dict.fromkeys(next(filter(None, map(cookies_of, some)), "") for some in (_lists(store), made))
    cookies = list(filter(None, given))
    if not cookies:
        pytest.skip("The deployment sets no cookies.")
    status = store.observable_status

    def come_back(lane: Lane, cookie: str) -> None:
        headers = (("Accept", "application/json"), ("Cookie", cookie))
        lane.list_pets(limit=100, status=status, headers=headers)
        for options in ({"headers": headers}, {}) if store.category_id is not None else ():
            animal_id = created_id(lane.create_pet(lane.payload(status=status), **options))
            if animal_id is not None:
                lane.get_pet(animal_id, headers=headers)
        lane.list_pets(limit=100, status=status, headers=headers)
        # A session may remember the limit and the filter of the list before.
        lane.list_pets(headers=headers)
        lane.list_pets(limit=100, status=status)

    store.side_by_side(cookies, come_back, creates=2, requests=8)


@pytest.mark.clauses("list.answer", "list.complete", "list.status.complete")
def test_a_client_that_asks_whether_a_list_has_changed(store: Store) -> None:
    """Lists, creates, and lists with the validator of the first answer, where there is one: creations may not change it."""
    if not store.profile.thorough or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    if not any(map(validators_of, _lists(store))):
        pytest.skip("The deployment's responses have no validators.")

    def ask_again(lane: Lane, page: tuple[int, str | None], pause_s: float = 0.0) -> tuple[Exchange, bool]:
        """The answer to a client that has a page, and whether the page has changed for one that has none."""
        limit, status = page
        given = lane.list_pets(limit=limit, status=status)
        before = validators_of(given)
        # A client that has both sends both, and a server looks at the first alone (RFC 9110 section 13.2.2).
        names = (each for each in (IF_NONE_MATCH, IF_MODIFIED_SINCE) if each in before)
        headers = (("Accept", "application/json"), *((name, before[name]) for name in names))
        store.client.pause_until(store.client.now_s() + pause_s)
        lane.create_pet(lane.payload(status=... if status is None else status))
        asked = lane.list_pets(limit=limit, status=status, headers=headers)
        return asked, listed_ids(lane.list_pets(limit=limit, status=status)) != listed_ids(given)

    status = store.observable_status
    # A list with room, one that stays as long as it was, and one without a filter, to which no status is added.
    for page in ((100, status), (1, status), (100, None)):
        ((asked, changed),) = store.side_by_side([page], ask_again, creates=1, requests=4)
        if not changed or asked.response is None or asked.response.status != 304:
            continue
        # Now, since the list may be full later, and then changes with every creation; and with seconds between the
        # changes, since a validator may be made of their time.
        settle(store)
        asked, _ = ask_again(store, page, DATES_APART_S)
        settle(store)
        for _ in range(TURNS):
            store.again(asked.request)
            store.list_pets(limit=page[0], status=page[1])


def _lists(store: Store) -> Sequence[Exchange]:
    """The last lists and the first ones that were returned."""
    lists = store.ledger.successes[Operation.LIST]
    return [*lists[-FEW:], *lists[:FEW]]
