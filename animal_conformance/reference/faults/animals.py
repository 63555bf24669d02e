"""Faults of how animals look in answers ('Animal (stored and returned)')."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import Animal, Json
from animal_conformance.reference.tools import as_value, shown, succeeded


def _without(value: dict[str, Json], name: str) -> dict[str, Json]:
    return {key: item for key, item in value.items() if key != name}


def _status(alter: Callable[[str], Json]) -> Callable[[dict[str, Json], Animal, str], Json]:
    return lambda value, *_: {**value, "status": alter(value["status"])} if "status" in value else value


def _fault(name: str, clause: str, sentence: str, depth: int = 1, **steps: Any) -> Fault:
    return Fault(name=name, clauses=(clause,), depth=depth, sentence=sentence, **steps)


FAULTS = [
    _fault(
        "animal.ids-only",
        "animal.object",
        "A list holds ids instead of animals.",
        represent=shown(lambda value, *_: value["id"], "listPets"),
    ),
    _fault(
        "animal.null-row",
        "animal.object",
        "A list ends with null.",
        list_pets=succeeded(lambda reply: as_value(reply, [*reply.value[:-1], None])),
    ),
    _fault(
        "animal.created-array",
        "animal.object",
        "A 201 holds an array with the animal.",
        create_pet=succeeded(lambda reply: as_value(reply, [reply.value])),
    ),
    _fault(
        "animal.encoded-twice",
        "animal.object",
        "getPet sends the animal's JSON text as a JSON string.",
        represent=shown(lambda value, *_: json.dumps(value), "getPet"),
    ),
    Fault(
        name="animal.wrapped",
        clauses=("animal.id", "animal.name", "animal.category-id"),
        depth=1,
        sentence="A 201 holds the animal within an object: {'data': …}.",
        create_pet=succeeded(lambda reply: as_value(reply, {"data": reply.value})),
    ),
    _fault(
        "animal.id.string",
        "animal.id",
        "Ids are strings of digits.",
        represent=shown(lambda value, *_: {**value, "id": str(value["id"])}),
    ),
    _fault(
        "animal.id.renamed",
        "animal.id",
        "The id is called _id.",
        represent=shown(lambda value, *_: {"_id": value["id"], **_without(value, "id")}),
    ),
    _fault(
        "animal.id.not-listed",
        "animal.id",
        "Lists leave the id out.",
        represent=shown(lambda value, *_: _without(value, "id"), "listPets"),
    ),
    _fault(
        "animal.id.not-yet",
        "animal.id",
        "The id in a 201 is null: it is asked for before the animal is stored.",
        represent=shown(lambda value, *_: {**value, "id": None}, "createPet"),
    ),
    _fault(
        "animal.id.unsigned",
        "animal.id",
        "The id in a 201 is unsigned: beyond int64.",
        represent=shown(lambda value, *_: {**value, "id": value["id"] + 2**63}, "createPet"),
    ),
    _fault(
        "animal.id.fraction",
        "animal.id",
        "The id in getPet is a number with a fraction.",
        represent=shown(lambda value, *_: {**value, "id": value["id"] + 0.5}, "getPet"),
    ),
    _fault(
        "animal.name.not-listed",
        "animal.name",
        "Lists leave the name out.",
        represent=shown(lambda value, *_: _without(value, "name"), "listPets"),
    ),
    _fault(
        "animal.name.null",
        "animal.name",
        "The name in getPet is null.",
        represent=shown(lambda value, *_: {**value, "name": None}, "getPet"),
    ),
    _fault(
        "animal.name.empty-null",
        "animal.name",
        "An empty name comes back as null, as from Oracle.",
        depth=2,
        represent=shown(lambda value, *_: {**value, "name": value["name"] or None}),
    ),
    _fault(
        "animal.name.number",
        "animal.name",
        "A name of digits comes back as a number.",
        depth=2,
        represent=shown(
            lambda value, *_: (
                {**value, "name": int(value["name"])}
                if value["name"].isascii() and value["name"].isdigit() and len(value["name"]) < 19
                else value
            )
        ),
    ),
    _fault(
        "animal.name.localised",
        "animal.name",
        "The name in a 201 is an object of languages.",
        represent=shown(lambda value, *_: {**value, "name": {"en": value["name"]}}, "createPet"),
    ),
    _fault(
        "animal.category.string",
        "animal.category-id",
        "The categoryId is a string of digits.",
        represent=shown(lambda value, *_: {**value, "categoryId": str(value["categoryId"])}),
    ),
    _fault(
        "animal.category.not-listed",
        "animal.category-id",
        "Lists leave the categoryId out.",
        represent=shown(lambda value, *_: _without(value, "categoryId"), "listPets"),
    ),
    _fault(
        "animal.category.snake-case",
        "animal.category-id",
        "The categoryId in a 201 is called category_id.",
        represent=shown(
            lambda value, *_: {"category_id": value["categoryId"], **_without(value, "categoryId")},
            "createPet",
        ),
    ),
    _fault(
        "animal.category.object",
        "animal.category-id",
        "getPet shows the category as an object instead of its id.",
        represent=shown(lambda value, *_: {**value, "categoryId": {"id": value["categoryId"]}}, "getPet"),
    ),
    _fault(
        "animal.category.zero-null",
        "animal.category-id",
        "A categoryId of 0 comes back as null.",
        depth=2,
        represent=shown(lambda value, *_: {**value, "categoryId": value["categoryId"] or None}),
    ),
    _fault(
        "animal.status.null",
        "animal.status",
        "An animal that was created without a status has null for one.",
        depth=2,
        read_status=lambda inner: lambda properties: inner(properties) if "status" in properties else None,
        represent=shown(lambda value, *_: {**value, "status": value.get("status")}),
    ),
    _fault(
        "animal.status.upper-case",
        "animal.status",
        "The status in getPet is in upper case, as its enumeration is in the program.",
        represent=shown(_status(str.upper), "getPet"),
    ),
    _fault(
        "animal.status.other-word",
        "animal.status",
        "A 201 for an animal that is sold says 'unavailable'.",
        depth=2,
        represent=shown(_status(lambda status: status.replace("sold", "unavailable")), "createPet"),
    ),
    _fault(
        "animal.status.unknown",
        "animal.status",
        "An animal that was created without a status has the status 'unknown'.",
        depth=2,
        read_status=lambda inner: (
            lambda properties: inner(properties) if "status" in properties else "unknown"
        ),
    ),
]
