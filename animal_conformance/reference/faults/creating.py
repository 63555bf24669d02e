"""Faults of createPet with a valid body ('Add an animal', row 201)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, Animal, Call, Json, Payload, Reply
from animal_conformance.reference.service import Service
from animal_conformance.reference.tools import refuse, refused_when, succeeded


def _fault(name: str, clause: str, sentence: str, depth: int = 1, **steps: Any) -> Fault:
    return Fault(name=name, clauses=(clause,), depth=depth, sentence=sentence, **steps)


def _adopting(read: Callable[[Json], Json]) -> Callable[[Service], None]:
    """An id that the client sends, and read makes an int64 of, is taken where it is free."""

    def install(service: Service) -> None:
        inner = service.insert

        def insert(payload: Payload, call: Call) -> Animal:
            value = service.decode(call.body)
            wanted = read(value.get("id")) if isinstance(value, dict) else None
            if not isinstance(wanted, int) or not INT64_MIN <= wanted <= INT64_MAX:
                return inner(payload, call)
            taken = service.store.find(wanted)
            return inner(payload, call) if taken else service.store.put(Animal(wanted, *payload))

        service.insert = insert

    return install


def _full(service: Service) -> None:
    inner, room = service.insert, 12

    def insert(payload: Payload, call: Call) -> Animal:
        nonlocal room
        room -= 1
        return inner(payload, call) if room >= 0 else refuse(409, "The store is full.")

    service.insert = insert


def _unique_names(service: Service) -> None:
    inner = service.insert
    names: set[str] = set()

    def insert(payload: Payload, call: Call) -> Animal:
        if payload.name in names:
            refuse(409, "There is an animal of this name.")
        names.add(payload.name)
        return inner(payload, call)

    service.insert = insert


def _known_categories(service: Service) -> None:
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        known = {animal.category_id for animal in service.store.everything()}
        if payload.category_id not in known:
            refuse(404, "There is no such category.")
        return inner(payload, call)

    service.insert = insert


FAULTS = [
    _fault(
        "create.200",
        "create.answer",
        "A creation is answered with 200.",
        create_pet=succeeded(lambda reply: Reply(200, reply.value)),
    ),
    _fault(
        "create.409.namesake",
        "create.answer",
        "A second animal of the same name is answered with 409.",
        depth=3,
        install=_unique_names,
    ),
    _fault(
        "create.409.full",
        "create.answer",
        "From the thirteenth on, creations are answered with 409.",
        depth=3,
        install=_full,
    ),
    _fault(
        "create.404.category",
        "create.answer",
        "A category that the catalogue does not have is answered with 404.",
        depth=2,
        install=_known_categories,
    ),
    _fault(
        "create.413.long-name",
        "create.answer",
        "A name of more than 60 characters is answered with 413.",
        depth=2,
        insert=refused_when(413, lambda payload: len(payload.name) > 60),
    ),
    _fault(
        "create.422.control",
        "create.answer",
        "A name with control characters is answered with 422.",
        depth=2,
        insert=refused_when(422, lambda payload: re.search(r"[\0-\x1f\x7f]", payload.name)),
    ),
    _fault(
        "create.422.negative-category",
        "create.answer",
        "A negative categoryId is answered with 422.",
        depth=2,
        insert=refused_when(422, lambda payload: payload.category_id < 0),
    ),
    _fault(
        "create.sold-refused",
        "create.status.accepted",
        "A creation as sold is refused.",
        depth=2,
        insert=refused_when(400, lambda payload: payload.status == "sold"),
    ),
    _fault(
        "create.pending-refused",
        "create.status.accepted",
        "A creation as pending is refused.",
        depth=2,
        insert=refused_when(400, lambda payload: payload.status == "pending"),
    ),
    _fault(
        "create.status-required",
        "create.status.optional",
        "A creation without a status is refused.",
        read_status=lambda inner: (
            lambda properties: (
                inner(properties) if "status" in properties else refuse(400, "status is required.")
            )
        ),
    ),
    _fault(
        "id.adopted",
        "create.id.assigned",
        "An id that the client sends is adopted where it is free.",
        depth=2,
        install=_adopting(lambda wanted: wanted),
    ),
    _fault(
        "id.adopted.string",
        "create.id.assigned",
        "An id that the client sends is adopted, also where it is a string of digits.",
        depth=2,
        install=_adopting(lambda wanted: int(wanted) if re.fullmatch("-?[0-9]{1,19}", str(wanted)) else None),
    ),
    _fault(
        "id.adopted.32-bit",
        "create.id.assigned",
        "An id that the client sends is adopted where it is free and has 32 bits.",
        depth=2,
        install=_adopting(
            lambda wanted: wanted if isinstance(wanted, int) and -(2**31) <= wanted < 2**31 else None
        ),
    ),
]
