"""Without a key, in the ways and states in which servers forget to ask for one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.voices import (
    CLAIMS,
    CREATED_AT,
    DISGUISES,
    SPELLINGS,
    UNKNOWN_QUERIES,
    Voice,
    cookies_of,
    kept_of,
)
from animal_conformance.interface.reading import created_id
from animal_conformance.record.exchange import Credential, Exchange

MISSING = ("auth.missing.list", "auth.missing.get", "http", "error")
ABSENT = Credential.ABSENT
CONNECTIONS = 12
LIMITS_FROM = 40
NOBODYS_ID = 2**41 + 7
# Some guards look only at bodies that they can parse.
LABELS = ("text/plain", "application/x-www-form-urlencoded")
LISTS = ((None, None), (100, None), (100, "sold"), (None, "pending"), (None, "available"), (5, "available"))


@pytest.fixture(autouse=True, scope="module")
def _more_than_a_few_requests(store: Store) -> None:
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")


@pytest.mark.clauses(*MISSING, "auth.missing.create", "auth.key.wrong", "auth.first", "auth.untraced")
def test_what_somebody_with_a_key_has_just_been_given(store: Store) -> None:
    """Lists and gets with the key, and then the same without it: with the cookies and validators that came with the answer.

    Then it asks for what is there with a wrong key: what was decided for the right one may be remembered for another.

    This is the first driver of its file, since each item takes a while, and the last of the voices and the next creations
    run beside it.
    """
    requests: list[Callable[..., Exchange]] = [
        lambda lane, **options: lane.list_pets(limit=4, **options),
        *(
            lambda lane, animal_id=animal_id, **options: lane.get_pet(animal_id, **options)
            for animal_id in store.known_ids(1)
        ),
        lambda lane, **options: lane.list_pets(status="pending", **options),
        lambda lane, **options: lane.list_pets(limit=100, status="sold", **options),
        # Answers with an error may be stored as well.
        lambda lane, **options: lane.get_pet(NOBODYS_ID, **options),
        lambda lane, **options: lane.get_path("/pets", [("limit", "many")], **options),
    ]

    def ask_twice(lane: Lane, request: Callable[..., Exchange]) -> None:
        given = request(lane)
        for headers in kept_of(given):
            request(lane, credential=ABSENT, headers=headers)
            lane.reconnect()
        if given.status == 200:
            request(lane, credential=Credential.WRONG)
        if cookies := cookies_of(given):
            # A session may stand in for a wrong key and, in creations alone, for a missing one.
            with_cookies = (("Accept", "application/json"), ("Cookie", cookies))
            request(lane, credential=Credential.WRONG, headers=with_cookies)
            if store.category_id is not None:
                lane.create_pet(lane.payload(), credential=ABSENT, headers=with_cookies)

    store.side_by_side(requests, ask_twice, creates=1, requests=8)


@pytest.mark.clauses("auth.missing.create", "auth.untraced", "http", "error")
def test_creations_that_are_put_in_another_way(store: Store) -> None:
    """Creates without a key: claims to be somebody else, labels the body as something else, and spells the path in other ways.

    The claims come without a status. What is created at another spelling of the path is read with the key: it is an animal
    of this store.
    """
    if store.category_id is None:
        pytest.skip("No creation was accepted.")
    store.side_by_side(CLAIMS, _create_as, creates=1)
    store.side_by_side(LABELS, _create_under, creates=1)
    store.side_by_side(CREATED_AT, _create_at, creates=1, requests=3)


def _create_as(lane: Lane, claiming: Voice) -> None:
    lane.voice = claiming
    lane.create_pet(lane.payload(status=...), credential=ABSENT)


def _create_under(lane: Lane, label: str) -> None:
    lane.create_pet(lane.payload(), credential=ABSENT, headers=(("Content-Type", label),))


def _create_at(lane: Lane, target: str) -> None:
    animal_id = created_id(lane.send("POST", target, json=lane.payload(), credential=ABSENT))
    if animal_id is not None:
        lane.get_pet(animal_id)
        lane.watch()


@pytest.mark.clauses(*MISSING, "list.answer", "list.limit.default", "get.found", "get.requested")
def test_connections_that_are_new(store: Store) -> None:
    """Lists without a key on each of a dozen new connections, and then lists or gets: behind each may be another process.

    What is asked depends on the number of the connection, and so does whether the connection is used again.
    """
    made = store.oldest_ids(1) or store.known_ids(1)

    def ask(lane: Lane, number: int) -> None:
        lane.reconnect()
        lane.list_pets(*LISTS[number % len(LISTS)], credential=ABSENT)
        if made and number % 4 == 1:
            lane.get_pet(made[0], credential=ABSENT if number == 1 else Credential.VALID)
        else:
            # Every other connection lists at a limit of its own: a run lists at each limit once.
            lane.list_pets(limit=number + LIMITS_FROM if number % 2 else None)
        if number % 3:
            lane.reconnect()

    store.side_by_side(range(CONNECTIONS), ask, requests=2)


@pytest.mark.clauses(*MISSING)
def test_readings_that_are_put_in_another_way(store: Store) -> None:
    """Claims to be somebody else, adds parameters that nobody knows, and spells paths in other ways, all without a key."""
    known = store.known_ids(1)

    def in_disguise(lane: Lane, voice_and_id: tuple[Voice, int | None]) -> None:
        lane.voice, animal_id = voice_and_id
        if animal_id is None:
            lane.list_pets(credential=ABSENT)
        else:
            lane.get_pet(animal_id, credential=ABSENT)

    store.side_by_side(product(DISGUISES, (None, *known)), in_disguise)
    targets = [*(f"/pets?{query}" for query in UNKNOWN_QUERIES), *SPELLINGS]
    targets += [
        target for each in known for target in (f"//pets/{each}", f"/pets/{each}/", f"/pets/{each}?debug=1")
    ]
    store.side_by_side(targets, lambda lane, target: lane.send("GET", target, credential=ABSENT))
