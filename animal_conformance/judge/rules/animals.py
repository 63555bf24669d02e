"""Resources and their fields: Animal (stored and returned)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion, as_json, shorten, there_twice
from animal_conformance.judge.knowledge.animals import Sighting
from animal_conformance.judge.knowledge.ledger import MISSING
from animal_conformance.judge.knowledge.plain import DISTINCTIVE_NAME_LENGTH
from animal_conformance.record.jsontext import type_name


def is_object(case: Case) -> Opinion:
    """animal.object: every animal in a response is a JSON object."""
    if not case.animals:
        return None
    for place, animal in case.animals:
        if not isinstance(animal, dict):
            return Finding(
                f"{place} is {type_name(animal)}, not an animal.", "a JSON object", shorten(as_json(animal))
            )
    return EVIDENCE


def _field(case: Case, name: str, expected: str, keeps: Callable[[Any], bool]) -> Opinion:
    if not case.animal_objects:
        return None
    for place, animal in case.animal_objects:
        twice = there_twice(animal, name)
        if twice or not keeps(animal.get(name, MISSING)):
            seen = twice or (
                f"{name} is {shorten(as_json(animal[name]), 60)}" if name in animal else f"{name} is missing"
            )
            return Finding(
                f"An animal has an invalid field: {seen} at {place}.", expected, shorten(as_json(animal))
            )
    return EVIDENCE


def id_is_int64(case: Case) -> Opinion:
    """animal.id: every animal has an int64 id."""
    return _field(case, "id", "id: an integer from -2**63 to 2**63-1", case.contract.is_int64)


def name_is_string(case: Case) -> Opinion:
    """animal.name: every animal has a string name."""
    return _field(case, "name", "name: a string", lambda value: isinstance(value, str))


def category_id_is_int64(case: Case) -> Opinion:
    """animal.category-id: every animal has an int64 categoryId."""
    return _field(case, "categoryId", "categoryId: an integer from -2**63 to 2**63-1", case.contract.is_int64)


def status_is_known(case: Case) -> Opinion:
    """animal.status: available, pending or sold, or omitted; never null."""
    statuses = case.contract.statuses
    return _field(
        case,
        "status",
        f"status: one of {', '.join(statuses)}, or omitted",
        lambda value: value is MISSING or value in statuses,
    )


def id_is_unique(case: Case) -> Opinion:
    """animal.id.unique: a new animal gets an id that no other animal has."""
    if case.operation is not Operation.CREATE or case.status != 201 or not case.with_key:
        return None
    animal_id = case.value.get("id") if isinstance(case.value, dict) else None
    if not case.contract.is_int64(animal_id):
        return None
    known = case.ledger.animals[animal_id]
    for creation in known.creations:
        if creation.exchange is not case.exchange and creation.sent_s <= case.sent_s:
            name = creation.payload.get("name")
            shown = any(each.animal.get("name") == name for each in known.sightings)
            unstored = "" if shown else " Nothing has shown the first animal: it may not have been stored."
            return Finding(
                f"Two create requests returned the same id {animal_id}.{unstored}",
                "an id that no other animal has",
                case.describe(),
                related=(creation.exchange,),
            )
    # Only lists count: an animal that getPet invents for an unused id is covered by get.unknown.
    listed = next(iter(known.listed), None)
    if listed is not None and listed.first.answered_s < case.sent_s and not _made_before(case, listed):
        return Finding(
            f"A create request returned the id {animal_id}, which another animal already had.",
            "an id that no other animal has",
            case.describe(),
            related=(listed.first,),
        )
    return EVIDENCE if case.ledger.known_count(None, case.sent_s) else None


def _made_before(case: Case, sighting: Sighting) -> bool:
    """Whether a listed animal was created by an earlier attempt at this very request, which got no answer.

    A gateway may keep an answer that was lost in a restart, and give it when the same request is sent again. Only a long
    name that the run made up is certain to be that of no other animal.
    """
    name, shown = (case.reading.payload or {}).get("name"), sighting.animal
    if not isinstance(name, str) or len(name) < DISTINCTIVE_NAME_LENGTH or shown.get("name") != name:
        return False
    return any(
        each.sent_s <= sighting.first.answered_s and not 0 < each.status < 500
        for each in case.ledger.asked[case.exchange.request]
        if each is not case.exchange
    )


RULES = {
    "animal.object": is_object,
    "animal.id": id_is_int64,
    "animal.id.unique": id_is_unique,
    "animal.name": name_is_string,
    "animal.category-id": category_id_is_int64,
    "animal.status": status_is_known,
}
