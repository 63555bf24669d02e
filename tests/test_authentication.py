"""Authentication: every kind of invalid credential, on every operation, with valid and with invalid requests."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.drive.store import Store
from animal_conformance.record.exchange import Credential

CREDENTIALS = ("auth", "error", "http")
UNKNOWN_ID = 8_000_000_000_000_003
FEW = (Credential.ABSENT, Credential.WRONG, Credential.SHORTER, Credential.OTHER_SCHEME)


@pytest.mark.clauses(*CREDENTIALS, "list.answer")
def test_credentials_of_listings(store: Store) -> None:
    """Sends each kind right behind the same request with the key, on the same connection."""
    for credential, form in store.invalid_credentials():
        if store.profile.thorough or credential is Credential.ABSENT:
            store.list_pets(limit=3)
        store.list_pets(limit=3, credential=credential, form=form)
    store.list_pets(limit=3, credential=Credential.LOWER_CASE_SCHEME)
    if store.profile.thorough:
        store.list_pets(limit=3, credential=Credential.NOT_ASCII)
        for credential in (Credential.ABSENT, Credential.WRONG):
            store.list_pets(status="sold", credential=credential)


@pytest.mark.clauses(*CREDENTIALS, "get.found")
def test_credentials_of_retrievals(store: Store) -> None:
    """Sends each kind right behind the same request with the key, on the same connection.

    Where there is no animal yet, one is made; where that cannot be, an id that names none will do.
    """
    store.list_pets()
    if not store.known_ids(1) and store.category_id is not None:
        store.create_pet(store.payload())
    for animal_id in store.known_ids(1) or [UNKNOWN_ID]:
        for credential, form in store.invalid_credentials():
            if store.profile.thorough or credential is Credential.ABSENT:
                store.get_pet(animal_id)
            store.get_pet(animal_id, credential=credential, form=form)


@pytest.mark.clauses(*CREDENTIALS, "create.answer", "create.refusal.untraced")
def test_credentials_of_creations(store: Store) -> None:
    """Sends creations that would be accepted with the key, and looks whether they left a trace.

    Each kind twice, for a trace counts once it was seen of two animals.
    """
    if store.category_id is None:
        pytest.skip("No creation was accepted.")
    for credential, form in store.invalid_credentials():
        for _ in range(2 if store.profile.thorough else 1):
            store.create_pet(store.payload(), credential=credential, form=form)
    store.create_and_get(store.payload())
    store.watch()
    store.list_pets(limit=100)


@pytest.mark.clauses(*CREDENTIALS)
def test_the_key_comes_before_everything_else(store: Store) -> None:
    """Sends requests that are wrong in another way as well, in most ways without any key."""
    # A key of one character has no shorter form.
    kinds = [each for each in FEW if store.client.authorizations[each]]
    store.list_pets()
    for credential in kinds if store.profile.thorough else kinds[:1]:
        options: dict[str, Any] = {"credential": credential}
        store.list_pets(limit=3, **options)
        store.list_pets(limit=0, **options)
        if store.profile.thorough:
            store.list_pets(status="lost", **options)
        if store.category_id is not None:
            store.create_pet(store.payload(), **options)
            store.create_pet(store.payload(name=...), **options)
            store.create_raw(b'{"name": ', **options)
            store.create_pet(store.payload(status="lost"), **options)
        for animal_id in store.known_ids(1):
            store.get_pet(animal_id, **options)
        store.get_pet(UNKNOWN_ID, **options)
        store.get_pet("abc", **options)
    if store.profile.thorough:
        _wrong_without_a_key(store)


def _wrong_without_a_key(store: Store) -> None:
    """What parsers refuse, each at a place of its own, before anything else sees the request."""
    options: dict[str, Any] = {"credential": Credential.ABSENT}
    store.list_pets(limit="abc", **options)
    store.list_pets(limit=101, **options)
    store.get_pet(2**63, **options)
    if store.category_id is not None:
        store.create_raw(b"", **options)
        store.create_pet([], **options)
        store.create_pet(store.payload(name=7), **options)
        store.create_pet(store.payload(categoryId=...), **options)
