"""Concurrent requests: every animal has its own id, none is lost, and every request gets its own response."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import LOOKALIKE_NAMES, STATUSES
from animal_conformance.interface.reading import created_id
from animal_conformance.record.exchange import Credential, Exchange

from .auditing import audit

NAMES = 10
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
GETS = 8
# Credentials beside the valid one, of the same readings: a server may still have another request's key at hand.
OTHERS = (Credential.ABSENT, Credential.WRONG, Credential.ABSENT)
LISTS = 3
OF_ANOTHER_STATUS = (1, 4, 7)
# The places of such creations in a burst.
PLACES_OF_OTHERS = {2: Credential.ABSENT, 4: Credential.WRONG}


@pytest.mark.clauses(
    "get.requested",
    "get.found",
    "list.status.filter",
    "auth.missing.list",
    "auth.key.wrong",
    "http.server-error",
)
def test_readings_at_the_same_time(store: Store) -> None:
    """Gets different animals, lists with different filters, and does some of both without the valid key, concurrently.

    This comes before the concurrent creations, since no seed decides which of those gets which id.
    """
    if not store.profile.bursts:
        pytest.skip("Left to the standard profile.")
    if not store.known_ids(1):
        store.list_pets(limit=100)
    for _ in range(store.profile.bursts):
        store.at_once(_readings(store), lambda lane, read: read(lane))


def _readings(store: Store) -> Sequence[Callable[[Lane], object]]:
    """Two dozen readings; the lists that are requested with and without the valid key alternate between the two."""
    known = store.known_ids(GETS)
    gets = [partial(Lane.get_pet, pet_id=each) for each in known]
    gets += [
        partial(Lane.get_pet, pet_id=animal_id, credential=other)
        for animal_id, other in zip(known, OTHERS, strict=False)
    ]
    filtered = [partial(Lane.list_pets, limit=100, status=status) for status in STATUSES for _ in range(2)]
    both = [
        partial(Lane.list_pets, limit=LISTS, credential=each)
        for other in OTHERS
        for each in (Credential.VALID, other)
    ]
    return [*gets, *filtered, *both]


@pytest.mark.rounds
@pytest.mark.clauses(
    "animal.id.unique",
    "get.found",
    "list.complete",
    "create.name.exact",
    "create.status.exact",
    "auth.missing.create",
    "auth.key.wrong",
    "http.server-error",
)
def test_creations_at_the_same_time(store: Store) -> None:
    """Sends creations from several connections at once, between readings and some without the valid key, and reads them back.

    Two of them have the same name: each gets an animal of its own, or is rejected. One is invalid.
    """
    if not store.profile.bursts or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    lookalikes = iter(LOOKALIKE_NAMES if store.round_number == 0 else ())
    for at in range(store.profile.bursts):
        if not store.may_create(NAMES + 2):
            break
        # All have the same status, except some in the last burst: no seed determines which animal gets which id.
        status, other = STATUSES[(at + 1) % 3], STATUSES[at % 3]
        others = OF_ANOTHER_STATUS if at == store.profile.bursts - 1 else ()
        names = [lookalike(store, next(lookalikes, None)) for _ in range(NAMES)]
        creations: list[Callable[[Lane], Exchange]] = [
            partial(
                Lane.create_pet,
                payload=store.payload(
                    status=other if number in others else status,
                    name=name,
                    categoryId=store.category_id_for(at * NAMES + number),
                ),
            )
            for number, name in enumerate(names)
        ]
        if at == 0:
            creations += [
                partial(Lane.create_pet, payload=store.payload(status=status, name=store.name()))
            ] * 2
            # Every other request is a reading.
            creations = [each for pair in zip(creations, _beside(store), strict=True) for each in pair]
        for place, other in PLACES_OF_OTHERS.items():
            # In the last burst, one has a value that must be rejected: it may be held against those beside it.
            invalid = bool(others) and other is Credential.WRONG
            payload = store.payload(status="reserved" if invalid else status, name=store.name())
            credential = Credential.VALID if invalid else other
            creations.insert(place, partial(Lane.create_pet, payload=payload, credential=credential))
        answers = store.at_once(creations, lambda lane, send: send(lane))
        # Before the next burst: if animals of both bursts are lost, nobody has removed them all at once.
        store.at_once([each for each in map(created_id, answers) if each is not None], Lane.get_pet)
    # In the first round, generated requests and a look at the lists follow anyway.
    if store.round_number:
        audit(store)


def _beside(store: Store) -> Sequence[Callable[[Lane], Exchange]]:
    gets = [partial(Lane.get_pet, pet_id=each) for each in store.known_ids(NAMES // 2)]
    lists = [partial(Lane.list_pets, limit=100, status=status) for status in STATUSES]
    return [*gets, *lists, *([partial(Lane.list_pets)] * (NAMES + 2))][: NAMES + 2]


def lookalike(store: Store, pattern: str | None) -> str:
    """A name that looks like a value of another type; without a pattern, a plain name."""
    if pattern is None:
        return store.name()
    digits = store.digits()
    number = int(digits)
    moment = BEGINNING + timedelta(seconds=number % 10**9)
    return pattern.format(digits, moment=moment, thousands=f"{number:,}")
