"""Faults of the identifiers of animals: unique, and each for one animal ('Animal (stored and returned)', row id)."""

from __future__ import annotations

import asyncio
import itertools
import time
import unicodedata
import zlib
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import Animal, Call, Json, Payload
from animal_conformance.reference.service import Service
from animal_conformance.reference.tools import every


def _numbered(make: Callable[[Service], Callable[[Payload], int]]) -> Callable[[Service], None]:
    """Ids as make has them; an animal takes the place of the one that has its id."""

    def install(service: Service) -> None:
        identify: Callable[[Payload], int] | None = None

        def insert(payload: Payload, call: Call) -> Animal:  # noqa: ARG001 - a step takes it
            nonlocal identify
            # Only now is the store open.
            identify = identify or make(service)
            return service.store.put(Animal(identify(payload), *payload))

        service.insert = insert

    return install


def _reused(service: Service) -> Callable[[Payload], int]:
    again, last = every(5), 0

    def identify(_: Payload) -> int:
        nonlocal last
        if not last or not again():
            last = service.store.highest() + 1
        return last

    return identify


def _wrapping(service: Service) -> Callable[[Payload], int]:
    numbers = itertools.count(service.store.highest())
    return lambda _: next(numbers) % 127 + 1


def _by_status(service: Service) -> Callable[[Payload], int]:
    start = service.store.highest()
    numbers = {status: itertools.count(start + 1) for status in ("available", "pending", "sold", None)}
    return lambda payload: next(numbers[payload.status])


def _merging(service: Service) -> None:
    inner = service.insert
    created: dict[Payload, Animal] = {}

    def insert(payload: Payload, call: Call) -> Animal:
        if payload not in created:
            created[payload] = inner(payload, call)
        return created[payload]

    service.insert = insert


def _overwriting(service: Service) -> None:
    """An animal takes the place of the one whose id the client sends, as where a row is saved by its key."""
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        value = service.decode(call.body)
        wanted = value.get("id") if isinstance(value, dict) else None
        if type(wanted) is not int or abs(wanted) >= 2**63 or service.store.find(wanted) is None:
            return inner(payload, call)
        return service.store.put(Animal(wanted, *payload))

    service.insert = insert


def _collated(same: Callable[[str], str]) -> Callable[[Service], None]:
    """An animal takes the place of the one whose name is another one, but the same by a collation."""

    def install(service: Service) -> None:
        inner = service.insert

        def insert(payload: Payload, call: Call) -> Animal:
            for animal in service.store.everything():
                if animal.name != payload.name and same(animal.name) == same(payload.name):
                    return service.store.put(Animal(animal.id, *payload))
            return inner(payload, call)

        service.insert = insert

    return install


def _without_marks(name: str) -> str:
    return "".join(
        letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter)
    )


def _holding(app: ASGIApp) -> ASGIApp:
    """Hold creations a little, and note on them whether another one was held when they came."""
    held = 0

    async def hold(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal held
        if scope.get("method") == "POST":
            scope["state"]["overlaps"] = held > 0
            held += 1
            try:
                await asyncio.sleep(0.005)
            finally:
                held -= 1
        await app(scope, receive, send)

    return hold


def _racing(service: Service) -> None:
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        if call.notes["overlaps"]:
            return service.store.put(Animal(service.store.highest(), *payload))
        return inner(payload, call)

    service.insert = insert


def _renumbered(service: Service) -> None:
    """Ids of the catalogue are positions: every tenth creation moves all of them by one."""
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


def _neighbour(service: Service) -> None:
    """GetPet shows the contents of the animal before, for animals of the catalogue."""
    find_ = service.find

    def find(animal_id: int) -> Animal | None:
        animal = find_(animal_id)
        if animal and 1 < animal_id <= service.settings.catalogue:
            other = find_(animal_id - 1)
            return other and other._replace(id=animal_id)
        return animal

    service.find = find


def _fault(name: str, clause: str, sentence: str, depth: int = 1, **steps: Any) -> Fault:
    return Fault(name=name, clauses=(clause,), depth=depth, sentence=sentence, **steps)


FAULTS = [
    _fault(
        "id.reused",
        "animal.id.unique",
        "Every fifth creation gets the id of the one before, and takes its place.",
        depth=3,
        install=_numbered(_reused),
    ),
    _fault(
        "id.constant",
        "animal.id.unique",
        "Every creation gets the same id.",
        depth=3,
        install=_numbered(lambda service: lambda _: service.settings.catalogue + 1),
    ),
    _fault(
        "id.byte",
        "animal.id.unique",
        "Ids are counted in a signed byte: after 127 they begin again at 1.",
        depth=3,
        install=_numbered(_wrapping),
    ),
    _fault(
        "id.clock",
        "animal.id.unique",
        "An id is the time of the creation in seconds.",
        depth=3,
        install=_numbered(lambda _: lambda _: int(time.time())),
    ),
    _fault(
        "id.name-hash",
        "animal.id.unique",
        "An id is a checksum of the name: namesakes have the same one.",
        depth=3,
        install=_numbered(lambda _: lambda payload: 2**31 + zlib.crc32(payload.name.encode())),
    ),
    _fault(
        "id.by-status",
        "animal.id.unique",
        "Each status counts its ids by itself.",
        depth=3,
        install=_numbered(_by_status),
    ),
    _fault(
        "id.merged",
        "animal.id.unique",
        "A creation identical to an earlier one is answered with the earlier animal.",
        depth=3,
        install=_merging,
    ),
    _fault(
        "id.overwritten",
        "animal.id.unique",
        "A creation with the id of another animal overwrites that animal.",
        depth=3,
        install=_overwriting,
    ),
    _fault(
        "id.collated.case",
        "animal.id.unique",
        "A creation overwrites the animal whose name differs in nothing but case.",
        depth=3,
        install=_collated(str.casefold),
    ),
    _fault(
        "id.collated.accents",
        "animal.id.unique",
        "A creation overwrites the animal whose name differs in nothing but accents.",
        depth=3,
        install=_collated(_without_marks),
    ),
    _fault(
        "id.race",
        "animal.id.unique",
        "Creations at the same time get the same id.",
        depth=4,
        middleware=_holding,
        install=_racing,
    ),
    _fault(
        "id.renumbered",
        "animal.id.stable",
        "Ids are positions: after every tenth creation, older animals have others.",
        depth=3,
        install=_renumbered,
    ),
    _fault(
        "id.neighbour",
        "animal.id.stable",
        "getPet shows older animals with the name and category of the animal before.",
        depth=2,
        install=_neighbour,
    ),
]
