"""Authentication: every kind of invalid credential, on every operation, with valid and with invalid requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, product
from typing import Any, Final, TypeAlias

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.voices import IN_CHUNKS, Voice
from animal_conformance.interface.contract import Operation
from animal_conformance.record.exchange import Credential, Exchange

CREDENTIALS = ("auth", "error", "http")
UNKNOWN_ID = 8_000_000_000_000_003
FEW = (Credential.ABSENT, Credential.WRONG)
# This many forms of each kind of invalid credential are sent to every operation; each other form to one of the three.
FORMS_FOR_ALL = 2
OPERATIONS = 3
# Limit and status.
PARAMETERS = ((None, "sold"), (None, None), (1, "pending"), (20, "available"))

Asked: TypeAlias = Callable[..., object]


@pytest.mark.clauses(*CREDENTIALS, "list.answer", "get.found")
def test_each_kind_of_credential(store: Store) -> None:
    """Gets and creates without a key, and lists with the first form of each kind.

    So each clause has its evidence before a deployment may lock out a client that sends so many wrong keys.
    """
    animal_id = _some_id(store)
    without_a_key: list[Asked] = [
        lambda lane: _get_with(lane, (Credential.ABSENT, 0), animal_id, after_the_key=True)
    ]
    if store.category_id is not None:
        without_a_key.append(lambda lane: lane.create_pet(lane.payload(), credential=Credential.ABSENT))
    store.side_by_side(without_a_key, lambda lane, send: send(lane), requests=2, creates=1)
    first = [
        each for each in _invalid_credentials(store, Operation.LIST) if _is_first_of_its_kind(store, each)
    ]
    store.side_by_side(first, lambda lane, each: _list_with(store, lane, each), requests=2)


@pytest.mark.clauses(*CREDENTIALS, "list.answer")
def test_credentials_of_listings(store: Store) -> None:
    """Sends the other forms of each kind; no key and a wrong one also with every combination of parameters."""
    thorough = store.profile.thorough
    others = [
        each for each in _invalid_credentials(store, Operation.LIST) if not _is_first_of_its_kind(store, each)
    ]
    store.side_by_side(others, lambda lane, each: _list_with(store, lane, each), requests=2)
    lower_case = Credential.LOWER_CASE_SCHEME
    store.side_by_side([lower_case], lambda lane, each: lane.list_pets(limit=3, credential=each))
    if thorough:
        # The last form is as long as the key, so that code that compares lengths first goes on to the characters.
        forms = list(store.client.authorizations[Credential.NOT_ASCII])[-1:]
        store.side_by_side(
            forms, lambda lane, form: lane.list_pets(limit=3, credential=Credential.NOT_ASCII, form=form)
        )
        store.side_by_side(
            product(PARAMETERS, FEW), lambda lane, each: lane.list_pets(*each[0], credential=each[1])
        )


@pytest.mark.clauses(*CREDENTIALS, "get.found")
def test_credentials_of_retrievals(store: Store) -> None:
    """Sends each kind except a missing key; a wrong key also right after the same request with the key, on the same connection."""
    animal_id = _some_id(store)
    store.side_by_side(
        _with_a_key(store, Operation.GET),
        lambda lane, each: _get_with(lane, each, animal_id, after_the_key=_is_after_the_key(store, each)),
        requests=2,
    )


@pytest.mark.clauses(*CREDENTIALS)
def test_readings_to_which_the_key_comes_first(store: Store) -> None:
    """Sends list and get requests that are invalid in another way as well, most of them without any key."""
    _send_all(store, _readings(thorough=store.profile.thorough), READINGS_WRONG_FOR_PARSERS)


@pytest.mark.clauses(*CREDENTIALS)
def test_credentials_of_creations(store: Store) -> None:
    """Sends create requests that would be accepted with the key; the next driver lists what was stored.

    A missing and a wrong key are sent once more, since some servers treat a repeated one differently; this time with
    the body in chunks, since code that looks at a key may look at the length of the body first.
    """
    if store.category_id is None:
        pytest.skip("No creation was accepted.")
    every = _invalid_credentials(store, Operation.CREATE)
    twice = [each for each in every if store.profile.thorough and _is_after_the_key(store, each)]

    def create_with(lane: Lane, credential_and_voice: tuple[Credential, int, Voice | None]) -> None:
        credential, form, lane.voice = credential_and_voice
        lane.create_pet(lane.payload(), credential=credential, form=form)

    sent: list[tuple[Credential, int, Voice | None]] = [
        (*each, None) for each in _with_a_key(store, Operation.CREATE)
    ]
    sent += [(*each, IN_CHUNKS) for each in twice]
    store.side_by_side(sent, create_with, creates=1)


@pytest.mark.clauses(*CREDENTIALS, "create.answer", "create.refusal.untraced")
def test_creations_to_which_the_key_comes_first(store: Store) -> None:
    """Sends create requests likewise, then one with the key, and lists: what was stored without the key would be there.

    The one with the key has a name that was sent without it: who has no key must not take a name.
    """
    if store.category_id is None:
        pytest.skip("No creation was accepted.")
    # The request that is wrong only for its key was sent before, and more than once unless this is a smoke run.
    creations = CREATIONS[1:] if store.profile.thorough else CREATIONS
    store.gather()
    name = min(store.ledger.names.unauthorised, default=None) if store.profile.thorough else None

    def create(lane: Lane, **options: Any) -> Exchange:
        return lane.create_pet(lane.payload() if name is None else lane.payload(name=name), **options)

    # The one with the key comes last: lists that show it were read after the others had been sent.
    _send_all(store, creations, CREATIONS_WRONG_FOR_PARSERS, (create, Credential.VALID))
    store.list_largest()


def _send_all(
    store: Store,
    requests: Sequence[Asked],
    wrong_for_parsers: Sequence[Asked],
    *accepted: tuple[Asked, Credential],
) -> None:
    """Send requests without a key and with a wrong one, and at the end those that are accepted."""
    pairs = [(each, Credential.ABSENT) for each in requests]
    if store.profile.thorough:
        pairs += [(each, Credential.WRONG) for each in requests]
        # A deployment that parses before it checks for a key does so before it checks a wrong one as well.
        pairs += list(zip(wrong_for_parsers, cycle(FEW), strict=False))
    store.side_by_side(
        [*pairs, *accepted], lambda lane, pair: pair[0](lane, credential=pair[1]), creates=len(accepted)
    )


def _some_id(store: Store) -> int:
    """The id of an animal, which is created if none is known yet; an id that names no animal if none can be created."""
    if not store.known_ids(1):
        store.list_pets()
    if not store.known_ids(1) and store.category_id is not None:
        store.create_pet(store.payload())
    [animal_id] = store.known_ids(1) or [UNKNOWN_ID]
    return animal_id


def _list_with(store: Store, lane: Lane, invalid: tuple[Credential, int]) -> None:
    """List with an invalid credential; if that is a missing or a wrong key, right after the same request with the key."""
    credential, form = invalid
    if _is_after_the_key(store, invalid):
        lane.list_pets(limit=3)
    lane.list_pets(limit=3, credential=credential, form=form)


def _get_with(lane: Lane, invalid: tuple[Credential, int], animal_id: int, *, after_the_key: bool) -> None:
    credential, form = invalid
    if after_the_key:
        lane.get_pet(animal_id)
    lane.get_pet(animal_id, credential=credential, form=form)


def _with_a_key(store: Store, operation: Operation) -> list[tuple[Credential, int]]:
    """All kinds except a missing key, which has been sent to each operation by then."""
    return [each for each in _invalid_credentials(store, operation) if each[0] is not Credential.ABSENT]


def _is_after_the_key(store: Store, invalid: tuple[Credential, int]) -> bool:
    """Whether a credential is sent right after the same request with the key; in smoke runs, only a missing key is."""
    few = FEW if store.profile.thorough else FEW[:1]
    return invalid[0] in few and _is_first_of_its_kind(store, invalid)


def _is_first_of_its_kind(store: Store, invalid: tuple[Credential, int]) -> bool:
    return invalid[1] == next(iter(store.client.authorizations[invalid[0]]))


def _readings(*, thorough: bool) -> list[Asked]:
    return [
        lambda lane, **options: lane.list_pets(limit=0, **options),
        *([lambda lane, **options: lane.list_pets(status="lost", **options)] if thorough else []),
        *(
            lambda lane, animal_id=animal_id, **options: lane.get_pet(animal_id, **options)
            for animal_id in (UNKNOWN_ID, "abc")
        ),
    ]


CREATIONS: Final[Sequence[Asked]] = (
    lambda lane, **options: lane.create_pet(lane.payload(), **options),
    lambda lane, **options: lane.create_pet(lane.payload(name=...), **options),
    lambda lane, **options: lane.create_raw(b'{"name": ', **options),
    lambda lane, **options: lane.create_pet(lane.payload(status="lost"), **options),
)

# Rejected at different stages of parsing, before anything else sees them.
READINGS_WRONG_FOR_PARSERS: Final[Sequence[Asked]] = (
    lambda lane, **options: lane.list_pets(limit="abc", **options),
    lambda lane, **options: lane.list_pets(limit=101, **options),
    # More digits than any int64 has: their number may be looked at before anything else is.
    lambda lane, **options: lane.get_pet(10**20 - 1, **options),
    lambda lane, **options: lane.get_pet(-1, **options),
    lambda lane, **options: lane.list_pets(limit=5, status="lost", **options),
)
CREATIONS_WRONG_FOR_PARSERS: Final[Sequence[Asked]] = (
    lambda lane, **options: lane.create_raw(b"", **options),
    lambda lane, **options: lane.create_pet([], **options),
    lambda lane, **options: lane.create_pet(lane.payload(name=7), **options),
    lambda lane, **options: lane.create_pet(lane.payload(categoryId=...), **options),
    lambda lane, **options: lane.create_pet(lane.payload(categoryId=2**63), **options),
)


def _invalid_credentials(store: Store, operation: Operation) -> list[tuple[Credential, int]]:
    """Every kind of invalid credential with the numbers of its forms; only the first form unless thorough.

    Two forms of each kind are for every operation; the others take turns, since a deployment mostly has one function
    that tells forms apart, for all operations.
    """
    turn, thorough = list(Operation).index(operation), store.profile.thorough
    return [
        (credential, form)
        for credential, headers in store.client.authorizations.items()
        if credential.invalid
        for form in list(headers)[: None if thorough else 1]
        if form < FORMS_FOR_ALL or form % OPERATIONS == turn
    ]
