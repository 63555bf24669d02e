"""Mechanisms of getPet and of ids: how a petId is read, what is found for it, and which ids animals have."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.common import crash, every, handled, refuse, retried
from animal_conformance.reference.model import STATUSES, Animal, Call, Json, Payload, Refusal, Reply
from animal_conformance.reference.service import Service

Finding: TypeAlias = Before[[int], Animal | None]
Inserting: TypeAlias = Before[[Payload, Call], Animal]

# Finding


def unfound(when: Callable[[Animal], object]) -> Steps:
    """Do not find some animals."""
    return Steps(
        find=lambda before, animal_id: (
            None if (animal := before(animal_id)) is None or when(animal) else animal
        )
    )


def found(find: Callable[[Finding, int], Animal | None]) -> Steps:
    """Find in another way."""
    return Steps(find=find)


def latest_found(count: int) -> Steps:
    """Of the animals that clients created, find so many of the latest."""

    def find(before: Finding, animal_id: int) -> Animal | None:
        catalogue, highest = before.service.settings.catalogue, before.service.store.highest()
        return None if catalogue < animal_id <= highest - count else before(animal_id)

    return Steps(find=find)


def unknown(answer: Callable[[int], Animal]) -> Steps:
    """Find something for an id that names no animal, or refuse it."""
    return Steps(find=lambda before, animal_id: before(animal_id) or answer(animal_id))


def previous() -> Steps:
    """Answer every third request with what the request before was."""
    stale = every(3)
    last: Animal | None = None

    def find(before: Finding, animal_id: int) -> Animal | None:
        nonlocal last
        animal = before(animal_id)
        if animal is not None:
            animal, last = (last if last and stale() else animal), animal
        return animal

    return Steps(find=find)


def colliding() -> Steps:
    """Keep animals in a cache whose keys are remainders of ids."""
    cache: dict[int, Animal] = {}
    return Steps(
        find=lambda before, animal_id: (
            (animal := before(animal_id)) and cache.setdefault(animal_id % 20, animal)
        )
    )


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


def ids_refused(when: Callable[[int], object]) -> Steps:
    """Refuse some int64 for a petId."""
    return Steps(
        read_pet_id=lambda before, text: (
            refuse(400, "This is no identifier.") if when(value := before(text)) else value
        )
    )


def id_crashes(when: Callable[[str], object]) -> Steps:
    """Crash on some petIds."""
    return Steps(read_pet_id=lambda before, text: before(crash(when(text), text)))


def ids_repaired(repair: Callable[[str], str]) -> Steps:
    """Make an int64 of a petId that is none."""
    return Steps(read_pet_id=retried(repair))


def malformed_refused(status: int) -> Steps:
    """Refuse a petId that is no int64 with this status."""
    return Steps(read_pet_id=handled(lambda refusal: refuse(status, refusal.message)))


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


def inserted(insert: Callable[[Inserting, Payload, Call], Animal]) -> Steps:
    """Store in another way."""
    return Steps(insert=insert)


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


def in_a_byte(service: Service) -> Callable[[Payload], int]:
    """Count ids in a signed byte."""
    numbers = itertools.count(service.store.highest())
    return lambda _: next(numbers) % 127 + 1


def by_status(service: Service) -> Callable[[Payload], int]:
    """Count the ids of each status by itself."""
    start = service.store.highest()
    numbers = {status: itertools.count(start + 1) for status in (*STATUSES, None)}
    return lambda payload: next(numbers[payload.status])


def merging() -> Steps:
    """Answer a creation identical to an earlier one with the earlier animal."""
    created: dict[Payload, Animal] = {}

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        if payload not in created:
            created[payload] = before(payload, call)
        return created[payload]

    return Steps(insert=insert)


def sent_id(service: Service, call: Call) -> Json:
    """The id in a creation's body, None without any."""
    value = service.decode(call.body)
    return value.get("id") if isinstance(value, dict) else None


def collated(same: Callable[[str], str]) -> Steps:
    """Have an animal take the place of the one whose name is another one, but the same by a collation."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        store = before.service.store
        for animal in store.everything():
            if animal.name != payload.name and same(animal.name) == same(payload.name):
                return store.put(Animal(animal.id, *payload))
        return before(payload, call)

    return Steps(insert=insert)


def without_marks(name: str) -> str:
    """A name in normalisation form D without combining characters."""
    return "".join(
        letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter)
    )


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
