"""Mechanisms of animals that change after their creation: imports, jobs, and readings that do not follow them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import always, every
from animal_conformance.reference.mechanisms.lists import marking
from animal_conformance.reference.model import Animal, Call, Json, Payload, Reply

Alter: TypeAlias = Callable[[Animal], Animal]
"""How an animal changes."""
Shows: TypeAlias = Callable[[str, Call, float], object]
"""Whether an operation shows what was before a change, so many seconds after it."""

CHANGED_AT = 40
"""The creation at which everything changes: when a good deal has been read."""


def renamed(animal: Animal) -> Animal:
    """An animal under another name."""
    return animal._replace(name=f"{animal.name} (archive)")


def recategorised(animal: Animal) -> Animal:
    """An animal in another category."""
    return animal._replace(category_id=77)


def reserved(animal: Animal) -> Animal:
    """An animal that is no longer available."""
    return animal._replace(status="pending") if animal.status == "available" else animal


def moved_on(animal: Animal) -> Animal:
    """An animal with the next status."""
    following = {"available": "pending", "pending": "sold", "sold": "available"}
    return animal._replace(status=following[animal.status or "sold"])


def never(_operation: str, _call: Call, _since_s: float) -> bool:
    """No response shows what was before."""
    return False


def changing(alter: Alter, shows_old: Shows) -> Steps:
    """Change every animal at one creation; some responses show them as they were before."""
    old: dict[int, Animal] = {}
    calls: list[Call] = []
    count, since_s = 0, 0.0

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal count, since_s
        count += 1
        if count == CHANGED_AT:
            since_s = time.monotonic()
            store = before.service.store
            for animal in store.everything():
                old[animal.id] = animal
                store.replace(alter(animal))
        return before(payload, call)

    def operate(before: Before[[Call], Reply], call: Call) -> Reply:
        calls[:] = [call]
        return before(call)

    def represent(before: Before[[Animal, str], Json], animal: Animal, operation: str) -> Json:
        was = old.get(animal.id)
        if was is not None and shows_old(operation, calls[0], time.monotonic() - since_s):
            animal = was
        return before(animal, operation)

    return Steps(insert=insert, represent=represent, operate=operate)


def replicated(number: int, alter: Alter) -> Steps:
    """Change every animal at one creation; every so many responses show them as they were before."""
    return changing(alter, by_call(number))


def by_call(number: int) -> Shows:
    """Every so many requests, whatever they are."""
    turn, last, old = every(number), Call("", "", "", (), "", [], {}, b"", None), False

    def shows(_operation: str, call: Call, _since_s: float) -> bool:
        nonlocal last, old
        if call is not last:
            last, old = call, turn()
        return old

    return shows


def stored_for(seconds: int, alter: Alter, shows_old: Shows) -> Steps:
    """Change every animal, and say of lists how long they may be kept."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        listed = call.operation == "listPets" and reply.succeeded
        return with_headers(reply, Cache_Control=f"private, max-age={seconds}") if listed else reply

    return replace(changing(alter, shows_old), respond=respond)


def changed_after(seconds: float, when: Callable[[int, Call], object], alter: Alter) -> Steps:
    """Change each new animal for whose number or request that holds so many seconds after its creation."""
    count = 0

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal count
        count += 1
        animal = before(payload, call)
        if when(count, call):
            asyncio.get_running_loop().call_later(seconds, before.service.store.replace, alter(animal))
        return animal

    return Steps(insert=insert)


def changing_on(seconds: float, young_s: float, alter: Alter) -> Steps:
    """Change one new animal after another, every so many seconds, again and again; none that is younger than that."""
    made: dict[int, float] = {}
    next_s, count = 0.0, 0

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        made[animal.id] = time.monotonic()
        return animal

    def operate(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal next_s, count
        now_s = time.monotonic()
        old = [each for each, made_s in made.items() if now_s - made_s >= young_s]
        store = before.service.store
        if old and now_s >= next_s and (animal := store.find(old[count * 7 % len(old)])) is not None:
            store.replace(alter(animal))
            next_s, count = now_s + seconds, count + 1
        return before(call)

    return Steps(insert=insert, operate=operate)


def listed_as_created(seconds: float, alter: Alter) -> Steps:
    """Change new animals so many seconds after their creation, and have lists without a filter never show it."""
    made: dict[int, Animal] = {}
    plainly = False
    later = changed_after(seconds, always, alter)

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = later.insert(before, payload, call) if later.insert else before(payload, call)
        made[animal.id] = animal
        return animal

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal plainly
        plainly = not call.parameters("status")
        return before(call)

    def represent(before: Before[[Animal, str], Json], animal: Animal, operation: str) -> Json:
        as_created = operation == "listPets" and plainly
        return before(made.get(animal.id, animal) if as_created else animal, operation)

    return Steps(insert=insert, list_pets=list_pets, represent=represent)


def read_otherwise(operations: tuple[str, ...], alter: Alter) -> Steps:
    """Show created animals in another way than the 201 does."""
    ids: set[int] = set()

    def represent(before: Before[[Animal, str], Json], animal: Animal, operation: str) -> Json:
        return before(alter(animal) if operation in operations and animal.id in ids else animal, operation)

    return Steps(insert=marking(always, ids), represent=represent)


def undone(number: int, alter: Alter) -> Steps:
    """Change one new animal before it can be read, and soon change it back."""
    count = 0

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal count
        count += 1
        animal = before(payload, call)
        if count == number:
            loop, change = asyncio.get_running_loop(), before.service.store.replace
            loop.call_soon(change, alter(animal))
            loop.call_later(0.3, change, animal)
        return animal

    return Steps(insert=insert)


def now_and_then(number: int, alter: Alter) -> Steps:
    """Show another animal in every so many getPet responses."""
    turn = every(number)

    def represent(before: Before[[Animal, str], Json], animal: Animal, operation: str) -> Json:
        return before(alter(animal) if operation == "getPet" and turn() else animal, operation)

    return Steps(represent=represent)
