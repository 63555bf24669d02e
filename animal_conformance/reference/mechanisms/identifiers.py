"""Mechanisms of getPet and of ids: what is found for them, and which ids animals have."""

from __future__ import annotations

from collections.abc import Callable

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.common import (
    Finding,
    Inserting,
    every,
)
from animal_conformance.reference.model import Animal, Call, Payload
from animal_conformance.reference.service import Service


def newest(service: Service) -> Animal:
    """The newest animal."""
    return service.select(1, None)[0]


def colliding() -> Steps:
    """Keep animals in a cache whose keys are remainders of ids."""
    kept: dict[int, Animal] = {}
    return Steps(find=lambda find, number: (animal := find(number)) and kept.setdefault(number % 20, animal))


def identified(identify: Callable[[int], int]) -> Steps:
    """Make other ids of the numbers of animals."""
    return Steps(identify=lambda _, number: identify(number))


def numbered(identify: Callable[[Service, Payload], int]) -> Steps:
    """Give other ids; an animal takes the place of the one that has its id."""

    def insert(before: Inserting, payload: Payload, _: Call) -> Animal:
        return before.service.store.put(Animal(identify(before.service, payload), *payload))

    return Steps(insert=insert)


def reused() -> Steps:
    """Give every fifth creation the id of the one before."""
    again, last = every(5), 0

    def identify(service: Service, _: Payload) -> int:
        nonlocal last
        if not last or not again():
            last = service.store.highest() + 1
        return last

    return numbered(identify)


def neighbours(before: Finding, animal_id: int) -> Animal | None:
    """Find the contents of the animal before, for animals of the catalogue."""
    animal = before(animal_id)
    if animal and 1 < animal_id <= before.service.settings.catalogue:
        other = before(animal_id - 1)
        return other and other._replace(id=animal_id)
    return animal
