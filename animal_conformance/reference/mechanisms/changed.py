"""Mechanisms of animals that change after their creation: imports, jobs, and readings that do not follow them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeAlias

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import every
from animal_conformance.reference.mechanisms.lists import marked
from animal_conformance.reference.model import Animal, Call, Json, Payload, Reply
from animal_conformance.reference.service import Represent, Service

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


def never(_operation: str, _call: Call, _since_s: float) -> bool:
    """No response shows what was before."""
    return False


def changing(alter: Alter, shows_old: Shows) -> Steps:
    """Change every animal at one creation; some responses show them as they were before."""

    def install(service: Service) -> None:
        old: dict[int, Animal] = {}
        calls: list[Call] = []
        count, since_s = 0, 0.0
        insert_, represent_, operate_ = service.insert, service.represent, service.operate

        def insert(payload: Payload, call: Call) -> Animal:
            nonlocal count, since_s
            count += 1
            if count == CHANGED_AT:
                since_s = time.monotonic()
                for animal in service.store.everything():
                    old[animal.id] = animal
                    service.store.replace(alter(animal))
            return insert_(payload, call)

        def operate(call: Call) -> Reply:
            calls[:] = [call]
            return operate_(call)

        def represent(animal: Animal, operation: str) -> Json:
            before = old.get(animal.id)
            if before is not None and shows_old(operation, calls[0], time.monotonic() - since_s):
                animal = before
            return represent_(animal, operation)

        service.insert, service.represent, service.operate = insert, represent, operate

    return Steps(install=install)


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
    steps = changing(alter, shows_old)

    def respond(reply: Reply, call: Call) -> Reply:
        listed = call.operation == "listPets" and reply.succeeded
        return with_headers(reply, Cache_Control=f"private, max-age={seconds}") if listed else reply

    return Steps(install=steps.install, operate=lambda inner: lambda call: respond(inner(call), call))


def changed_after(seconds: float, when: Callable[[int, Call], object], alter: Alter) -> Steps:
    """Change each new animal for whose number or request that holds so many seconds after its creation."""

    def install(service: Service) -> None:
        count, inner = 0, service.insert

        def insert(payload: Payload, call: Call) -> Animal:
            nonlocal count
            count += 1
            animal = inner(payload, call)
            if when(count, call):
                change = service.store.replace
                asyncio.get_running_loop().call_later(seconds, change, alter(animal))
            return animal

        service.insert = insert

    return Steps(install=install)


def listed_as_created(steps: Steps) -> Steps:
    """Have lists without a filter show new animals as they were created, whatever becomes of them."""

    def install(service: Service) -> None:
        if steps.install is not None:
            steps.install(service)
        made: dict[int, Animal] = {}
        insert_, list_pets_, represent_ = service.insert, service.list_pets, service.represent
        plainly = False

        def insert(payload: Payload, call: Call) -> Animal:
            animal = insert_(payload, call)
            made[animal.id] = animal
            return animal

        def list_pets(call: Call) -> Reply:
            nonlocal plainly
            plainly = not call.parameters("status")
            return list_pets_(call)

        def represent(animal: Animal, operation: str) -> Json:
            as_created = operation == "listPets" and plainly
            return represent_(made.get(animal.id, animal) if as_created else animal, operation)

        service.insert, service.list_pets, service.represent = insert, list_pets, represent

    return Steps(install=install)


def read_otherwise(operations: tuple[str, ...], alter: Alter) -> Steps:
    """Show created animals in another way than the 201 does."""

    def install(service: Service) -> None:
        ids, inner = marked(service, lambda *_: True), service.represent

        def represent(animal: Animal, operation: str) -> Json:
            return inner(alter(animal) if operation in operations and animal.id in ids else animal, operation)

        service.represent = represent

    return Steps(install=install)


def undone(number: int, alter: Alter) -> Steps:
    """Change one new animal before it can be read, and soon change it back."""

    def install(service: Service) -> None:
        count, inner = 0, service.insert

        def insert(payload: Payload, call: Call) -> Animal:
            nonlocal count
            count += 1
            animal = inner(payload, call)
            if count == number:
                loop, change = asyncio.get_running_loop(), service.store.replace
                loop.call_soon(change, alter(animal))
                loop.call_later(0.3, change, animal)
            return animal

        service.insert = insert

    return Steps(install=install)


def now_and_then(number: int, alter: Alter) -> Steps:
    """Show another animal in every so many getPet responses."""
    turn = every(number)

    def wrap(inner: Represent) -> Represent:
        def represent(animal: Animal, operation: str) -> Json:
            return inner(alter(animal) if operation == "getPet" and turn() else animal, operation)

        return represent

    return Steps(represent=wrap)
