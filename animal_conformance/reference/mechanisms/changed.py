"""Mechanisms of animals that change after their creation: imports, jobs, and responses that do not show the change."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from animal_conformance.reference.changes import Steps, anew
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import Answering, Inserting, Showing, aging
from animal_conformance.reference.model import Animal, Call, Json, Payload, Reply

Alter: TypeAlias = Callable[[Animal], Animal]
"""How an animal changes."""
Shows: TypeAlias = Callable[[str, Call, float], object]
"""Whether an operation still shows the state before a change, so many seconds after it."""

CHANGED_AT = 40
"""The number of the creation at which everything changes: by then, a good deal has been read."""


def renamed(animal: Animal) -> Animal:
    """An animal under another name."""
    return animal._replace(name=f"{animal.name} (archive)")


def in_latin_1(animal: Animal) -> Animal:
    """An animal with the name that a column of 50 characters in Latin-1 can hold."""
    return animal._replace(name=animal.name.encode("latin-1", "replace").decode("latin-1")[:50])


def recategorised(animal: Animal) -> Animal:
    """An animal in another category."""
    return animal._replace(category_id=77)


def filed_otherwise(animal: Animal) -> Animal:
    """An animal in the neighbouring category, or back in its own."""
    return animal._replace(category_id=animal.category_id ^ 1)


def reserved(animal: Animal) -> Animal:
    """An animal that is no longer available."""
    return animal._replace(status="pending") if animal.status == "available" else animal


def moved_on(animal: Animal) -> Animal:
    """An animal with the next status."""
    following = {"available": "pending", "pending": "sold", "sold": "available"}
    return animal._replace(status=following[animal.status or "sold"])


@anew
def changing(alter: Alter, shows_old: Shows) -> Steps:
    """Change every animal at one creation; some responses still show the animals as they were before.

    Each request notes its number.
    """
    old: dict[int, Animal] = {}
    calls: list[Call] = []
    count, asked, since_s = itertools.count(1), itertools.count(1), 0.0

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        nonlocal since_s
        if next(count) == CHANGED_AT:
            since_s = time.monotonic()
            store = before.service.store
            for animal in store.everything():
                old[animal.id] = animal
                store.replace(alter(animal))
        return before(payload, call)

    def operate(before: Answering, call: Call) -> Reply:
        call.notes["number"] = next(asked)
        calls[:] = [call]
        return before(call)

    def represent(before: Showing, animal: Animal, operation: str) -> Json:
        was = old.get(animal.id)
        if was is not None and shows_old(operation, calls[0], time.monotonic() - since_s):
            animal = was
        return before(animal, operation)

    return Steps(insert=insert, represent=represent, operate=operate)


@anew
def mixed_up(at: int) -> Steps:
    """Exchange the names of two new animals once so many were created: somebody had mixed them up."""
    made: list[Animal] = []

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        made.append(before(payload, call))
        if len(made) == at:
            first, second = (made[at // place] for place in (4, 3))
            before.service.store.replace(first._replace(name=second.name))
            before.service.store.replace(second._replace(name=first.name))
        return made[-1]

    return Steps(insert=insert)


@anew
def stored_for(seconds: int, alter: Alter, shows_old: Shows) -> Steps:
    """Change every animal as :func:`changing` does; each list says for how long it may be stored."""

    def respond(before: Answering, call: Call) -> Reply:
        reply = before(call)
        listed = call.operation == "listPets" and reply.succeeded
        return with_headers(reply, Cache_Control=f"private, max-age={seconds}") if listed else reply

    return replace(changing(alter, shows_old)(), respond=respond)


@anew
def changed_after(
    seconds: float, when: Callable[[int, Animal, Call], object], alter: Alter, *, back_s: float | None = None
) -> Steps:
    """Change each new animal for which ``when`` holds, so many seconds after its creation, and perhaps back again."""
    numbers = itertools.count(1)

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        if when(next(numbers), animal, call):
            later, replace_ = asyncio.get_running_loop().call_later, before.service.store.replace
            later(seconds, replace_, alter(animal))
            if back_s is not None:
                later(back_s, replace_, animal)
        return animal

    return Steps(insert=insert)


def changing_each(seconds: float, alter: Alter) -> Steps:
    """Change each new animal again and again, every so many seconds."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        loop, store = asyncio.get_running_loop(), before.service.store

        def change(animal: Animal) -> None:
            store.replace(changed := alter(animal))
            loop.call_later(seconds, change, changed)

        animal = before(payload, call)
        loop.call_later(seconds, change, animal)
        return animal

    return Steps(insert=insert)


@anew
def changing_every(many: int, alter: Alter) -> Steps:
    """Change every animal at every so many creations."""
    numbers = itertools.count(1)

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal, store = before(payload, call), before.service.store
        for each in store.everything() if next(numbers) % many == 0 else ():
            store.replace(alter(each))
        return animal

    return Steps(insert=insert)


@anew
def listed_as_created(seconds: float, alter: Alter) -> Steps:
    """Change new animals so many seconds after their creation; lists without a filter never show the change."""
    made: dict[int, Animal] = {}
    return Steps(
        insert=changed_after(
            seconds, lambda _, animal, __: made.setdefault(animal.id, animal), alter
        )().insert,
        select=lambda before, limit, status: [
            each if status else made.get(each.id, each) for each in before(limit, status)
        ],
    )


@anew
def changing_on(seconds: float, young_s: float, alter: Alter) -> Steps:
    """Change one new animal after another, every so many seconds, again and again, but none younger than ``young_s``."""
    insert, age_s = aging()
    next_s, numbers = 0.0, itertools.count(step=7)

    def operate(before: Answering, call: Call) -> Reply:
        nonlocal next_s
        store, now_s = before.service.store, time.monotonic()
        if now_s >= next_s:
            old = [each for each in store.everything()[::-1] if young_s <= age_s(each) < math.inf]
            for each in old and [old[next(numbers) % len(old)]]:
                store.replace(alter(each))
            next_s = now_s + seconds
        return before(call)

    return Steps(insert=insert, operate=operate)
