"""Mechanisms of getPet and of ids: how a petId is read, what is found for it, and which ids animals have."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.common import every
from animal_conformance.reference.model import Animal, Call, Json, Payload, Refusal, Reply
from animal_conformance.reference.service import Service

Finding: TypeAlias = Before[[int], Animal | None]
Inserting: TypeAlias = Before[[Payload, Call], Animal]

# Finding


def unfound(when: Callable[[Animal], object]) -> Steps:
    """Do not find some animals."""
    return Steps(find=lambda find, number: animal if (animal := find(number)) and not when(animal) else None)


def latest_found(count: int) -> Steps:
    """Of the animals that clients created, find so many of the latest."""

    def find(before: Finding, animal_id: int) -> Animal | None:
        catalogue, highest = before.service.settings.catalogue, before.service.store.highest()
        return None if catalogue < animal_id <= highest - count else before(animal_id)

    return Steps(find=find)


def listed_found() -> Steps:
    """Find animals of the catalogue, and what a list has shown."""
    listed: set[int] = set()

    def select(
        before: Before[[int, str | None], list[Animal]], limit: int, status: str | None
    ) -> list[Animal]:
        animals = before(limit, status)
        listed.update(each.id for each in animals)
        return animals

    def find(before: Finding, animal_id: int) -> Animal | None:
        known = animal_id <= before.service.settings.catalogue or animal_id in listed
        return before(animal_id) if known else None

    return Steps(select=select, find=find)


def colliding() -> Steps:
    """Keep animals in a cache whose keys are remainders of ids."""
    kept: dict[int, Animal] = {}
    return Steps(find=lambda find, number: (animal := find(number)) and kept.setdefault(number % 20, animal))


def newest(service: Service) -> Animal:
    """The newest animal."""
    return service.select(1, None)[0]


def neighbours(before: Finding, animal_id: int) -> Animal | None:
    """Find the contents of the animal before, for animals of the catalogue."""
    animal = before(animal_id)
    if animal and 1 < animal_id <= before.service.settings.catalogue:
        other = before(animal_id - 1)
        return other and other._replace(id=animal_id)
    return animal


# Reading a petId


def malformed_answered(answer: Callable[[Service, str], Reply | None]) -> Steps:
    """Answer petIds that are no int64 in another way; None lets them be refused."""

    def get(before: Before[[Call], Reply], call: Call) -> Reply:
        try:
            before.service.read_pet_id(call.pet_id)
        except Refusal:
            return answer(before.service, call.pet_id) or before(call)
        return before(call)

    return Steps(get_pet=get)


# Giving ids


def identified(identify: Callable[[int], int]) -> Steps:
    """Make other ids of the numbers of animals."""
    return Steps(identify=lambda _, number: identify(number))


def numbered(make: Callable[[Service], Callable[[Payload], int]]) -> Steps:
    """Give ids as make has them; an animal takes the place of the one that has its id."""
    identify: Callable[[Payload], int] | None = None

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:  # noqa: ARG001 - a step takes it
        nonlocal identify
        # Only now is the store open.
        identify = identify or make(before.service)
        return before.service.store.put(Animal(identify(payload), *payload))

    return Steps(insert=insert)


def reused(service: Service) -> Callable[[Payload], int]:
    """Give every fifth creation the id of the one before."""
    again, last = every(5), 0

    def identify(_: Payload) -> int:
        nonlocal last
        if not last or not again():
            last = service.store.highest() + 1
        return last

    return identify


def merging() -> Steps:
    """Answer a creation identical to an earlier one with the earlier animal."""
    created: dict[Payload, Animal] = {}

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        if payload not in created:
            created[payload] = before(payload, call)
        return created[payload]

    return Steps(insert=insert)


def collated(same: Callable[[str], str]) -> Steps:
    """Have an animal take the place of the one whose name is another one, but the same by a collation."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        store = before.service.store
        for animal in store.everything():
            if animal.name != payload.name and same(animal.name) == same(payload.name):
                return store.put(Animal(animal.id, *payload))
        return before(payload, call)

    return Steps(insert=insert)


def upserting() -> Steps:
    """Have an animal take the place of the one of the same name that is in another category."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        store = before.service.store
        for animal in store.everything():
            if animal.name == payload.name and animal.category_id != payload.category_id:
                return store.put(Animal(animal.id, *payload))
        return before(payload, call)

    return Steps(insert=insert)


def without_marks(name: str) -> str:
    """A name in normalisation form D without combining characters."""
    return "".join(each for each in unicodedata.normalize("NFD", name) if not unicodedata.combining(each))


def positional() -> Steps:
    """Make positions of the catalogue's ids: every tenth creation moves all of them by one."""
    shift, moves = 0, every(10)

    def moved(service: Service, animal_id: int, by: int) -> int:
        count = service.settings.catalogue
        return (animal_id - 1 + by) % count + 1 if 1 <= animal_id <= count else animal_id

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        nonlocal shift
        shift += moves()
        return before(payload, call)

    def represent(before: Before[[Animal, str], Json], animal: Animal, operation: str) -> Json:
        return before(animal._replace(id=moved(before.service, animal.id, shift)), operation)

    return Steps(
        insert=insert,
        find=lambda before, animal_id: before(moved(before.service, animal_id, -shift)),
        represent=represent,
    )
