"""Mechanisms of getPet and of ids: how a petId is read, what is found for it, and which ids animals have."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.common import crash, every, handled, refuse, retried
from animal_conformance.reference.model import STATUSES, Animal, Call, Json, Payload, Refusal, Reply
from animal_conformance.reference.service import Insert, Service

# Finding


def unfound(when: Callable[[Animal], object]) -> Steps:
    """Do not find some animals."""
    return Steps(
        find=lambda inner: (
            lambda animal_id: None if (animal := inner(animal_id)) is None or when(animal) else animal
        )
    )


def found(find: Callable[[Service, Callable[[int], Animal | None], int], Animal | None]) -> Steps:
    """Find in another way; find is given the service, the way before, and an id."""

    def install(service: Service) -> None:
        inner = service.find
        service.find = lambda animal_id: find(service, inner, animal_id)

    return Steps(install=install)


def latest_found(count: int) -> Steps:
    """Of the animals that clients created, find so many of the latest."""
    return found(
        lambda service, inner, animal_id: (
            None
            if service.settings.catalogue < animal_id <= service.store.highest() - count
            else inner(animal_id)
        )
    )


def unknown(answer: Callable[[int], Animal]) -> Steps:
    """Find something for an id that names no animal, or refuse it."""
    return Steps(find=lambda inner: lambda animal_id: inner(animal_id) or answer(animal_id))


def previous(service: Service) -> None:
    """Answer every third request with what the request before was."""
    inner, stale = service.find, every(3)
    last: Animal | None = None

    def find(animal_id: int) -> Animal | None:
        nonlocal last
        animal = inner(animal_id)
        if animal is not None:
            animal, last = (last if last and stale() else animal), animal
        return animal

    service.find = find


def colliding(service: Service) -> None:
    """Keep animals in a cache whose keys are remainders of ids."""
    inner = service.find
    cache: dict[int, Animal] = {}

    def find(animal_id: int) -> Animal | None:
        animal = inner(animal_id)
        return animal and cache.setdefault(animal_id % 20, animal)

    service.find = find


# Reading a petId


def ids_refused(when: Callable[[int], object]) -> Steps:
    """Refuse some int64 for a petId."""
    return Steps(
        read_pet_id=lambda inner: (
            lambda text: refuse(400, "This is no identifier.") if when(value := inner(text)) else value
        )
    )


def id_crashes(when: Callable[[str], object]) -> Steps:
    """Crash on some petIds."""
    return Steps(read_pet_id=lambda inner: lambda text: inner(crash(when(text), text)))


def ids_repaired(repair: Callable[[str], str]) -> Steps:
    """Make an int64 of a petId that is none."""
    return Steps(read_pet_id=retried(repair))


def malformed_refused(status: int) -> Steps:
    """Refuse a petId that is no int64 with this status."""

    def other(refusal: Refusal) -> int:
        raise Refusal(status, "invalid_id", refusal.message)

    return Steps(read_pet_id=handled(other))


def malformed_answered(answer: Callable[[Service, str], Reply | None]) -> Steps:
    """Answer petIds that are no int64 in another way; None lets them be refused."""

    def install(service: Service) -> None:
        inner = service.get_pet

        def get(call: Call) -> Reply:
            try:
                service.read_pet_id(call.pet_id)
            except Refusal:
                reply = answer(service, call.pet_id)
                if reply is not None:
                    return reply
            return inner(call)

        service.get_pet = get

    return Steps(install=install)


def newest(service: Service) -> Animal:
    """The newest animal."""
    return service.select(1, None)[0]


# Giving ids


def inserted(insert: Callable[[Service, Insert, Payload, Call], Animal]) -> Steps:
    """Store in another way; insert is given the service, the way before, and what it is given."""

    def install(service: Service) -> None:
        inner = service.insert
        service.insert = lambda payload, call: insert(service, inner, payload, call)

    return Steps(install=install)


def identified(identify: Callable[[int], int]) -> Steps:
    """Make other ids of the numbers of animals."""
    return Steps(identify=lambda _: identify)


def numbered(make: Callable[[Service], Callable[[Payload], int]]) -> Steps:
    """Give ids as make has them; an animal takes the place of the one that has its id."""

    def install(service: Service) -> None:
        identify: Callable[[Payload], int] | None = None

        def insert(payload: Payload, call: Call) -> Animal:  # noqa: ARG001 - a step takes it
            nonlocal identify
            # Only now is the store open.
            identify = identify or make(service)
            return service.store.put(Animal(identify(payload), *payload))

        service.insert = insert

    return Steps(install=install)


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


def merging(service: Service) -> None:
    """Answer a creation identical to an earlier one with the earlier animal."""
    inner = service.insert
    created: dict[Payload, Animal] = {}

    def insert(payload: Payload, call: Call) -> Animal:
        if payload not in created:
            created[payload] = inner(payload, call)
        return created[payload]

    service.insert = insert


def sent_id(service: Service, call: Call) -> Json:
    """The id in a creation's body, None without any."""
    value = service.decode(call.body)
    return value.get("id") if isinstance(value, dict) else None


def collated(same: Callable[[str], str]) -> Steps:
    """Have an animal take the place of the one whose name is another one, but the same by a collation."""

    def insert(service: Service, inner: Insert, payload: Payload, call: Call) -> Animal:
        for animal in service.store.everything():
            if animal.name != payload.name and same(animal.name) == same(payload.name):
                return service.store.put(Animal(animal.id, *payload))
        return inner(payload, call)

    return inserted(insert)


def without_marks(name: str) -> str:
    """A name in normalisation form D without combining characters."""
    return "".join(
        letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter)
    )


def positional(service: Service) -> None:
    """Make positions of the catalogue's ids: every tenth creation moves all of them by one."""
    count, shift, moves = service.settings.catalogue, 0, every(10)
    insert_, find_, represent_ = service.insert, service.find, service.represent

    def insert(payload: Payload, call: Call) -> Animal:
        nonlocal shift
        shift += moves()
        return insert_(payload, call)

    def find(animal_id: int) -> Animal | None:
        known = 1 <= animal_id <= count
        return find_((animal_id - 1 - shift) % count + 1 if known else animal_id)

    def represent(animal: Animal, operation: str) -> Json:
        if 1 <= animal.id <= count:
            animal = animal._replace(id=(animal.id - 1 + shift) % count + 1)
        return represent_(animal, operation)

    service.insert, service.find, service.represent = insert, find, represent


def neighbours(service: Service, inner: Callable[[int], Animal | None], animal_id: int) -> Animal | None:
    """Find the contents of the animal before, for animals of the catalogue."""
    animal = inner(animal_id)
    if animal and 1 < animal_id <= service.settings.catalogue:
        other = inner(animal_id - 1)
        return other and other._replace(id=animal_id)
    return animal
