"""Creations: what is accepted, what becomes of names, and which ids are given."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, shorten
from animal_conformance.judge.knowledge.fields import FORMS
from animal_conformance.judge.knowledge.ledger import FAR_FROM_KNOWN_IDS
from animal_conformance.judge.knowledge.plain import DISTINCTIVE_NAME_LENGTH
from animal_conformance.judge.observers.kinds import (
    Label,
    Observer,
    answer_of,
    is_answered_with_key,
    observer_of,
    open_point,
)

LONG_NAME_LENGTH: Final = 200


def _payload(case: Case) -> dict[str, Any]:
    """The payload of a valid create request with the key that got a response; empty for any other request."""
    if case.operation is not Operation.CREATE or not is_answered_with_key(case) or not case.reading.valid:
        return {}
    return case.reading.payload or {}


def _name(holds: Callable[[str], bool], label: Label = lambda _: "") -> Observer:
    """An observer of valid create requests whose name has a given property."""
    return observer_of(Operation.CREATE, lambda case: holds(_payload(case).get("name", "plain")), label)


def _sent_and_got(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    """The payload of a create request, and the animal that was created with it; both empty if none was."""
    payload = _payload(case)
    return (payload, case.value) if case.status == 201 and isinstance(case.value, dict) else ({}, {})


def name_space(case: Case) -> str | None:
    """open.create.name-space: whether leading and trailing white space in a name is kept or trimmed."""
    payload, shown = _sent_and_got(case)
    sent, got = payload.get("name", ""), shown.get("name")
    if sent.strip() == sent:
        return None
    return "kept" if got == sent else "trimmed" if got == sent.strip() else None


def name_normalisation(case: Case) -> str | None:
    """open.create.name-normalisation: whether names are converted to a Unicode normalisation form."""
    payload, shown = _sent_and_got(case)
    sent, got = payload.get("name", ""), shown.get("name")
    forms = {form: unicodedata.normalize(form, sent) for form in FORMS}
    if all(each == sent for each in forms.values()):
        return None
    if got == sent:
        return "kept as sent"
    return next((f"converted to {form}" for form, converted in forms.items() if converted == got), None)


def status_default(case: Case) -> str | None:
    """open.create.status-default: the status of an animal that was created without one."""
    sent, got = _sent_and_got(case)
    if not sent or "status" in sent:
        return _status_told_later(case)
    return shorten(str(got["status"]), 20) if "status" in got else "omitted"


def _status_told_later(case: Case) -> str | None:
    """The status that the first reading of an animal shows, where neither the request nor the 201 had one."""
    pet_id = case.reading.pet_id
    animal = None if pet_id is None else case.ledger.animals.get(pet_id)
    made = None if animal is None else animal.creation
    if animal is None or made is None or not made.omits_status or "status" in made.answer:
        return None
    first = animal.first_sighting
    if first is None or first.first is not case.exchange or "status" not in first.animal:
        return None
    return f"{shorten(str(first.animal['status']), 20)}, which the 201 left out"


def identical(case: Case) -> str | None:
    """open.create.identical: the response to a second, identical create request."""
    payload = _payload(case)
    first = case.ledger.first_with(payload)
    if first is None or len(payload.get("name", "")) < DISTINCTIVE_NAME_LENGTH:
        return None
    return answer_of(case) if first.answered_s <= case.sent_s else None


def location(case: Case) -> str | None:
    """open.create.location: whether a 201 carries a Location header."""
    response = case.exchange.response
    if response is None or response.status != 201 or case.operation is not Operation.CREATE:
        return None
    return "yes" if response.header("location") else "no"


def content_type(case: Case) -> str | None:
    """open.create.content-type: the response to a create request whose Content-Type is not application/json."""
    if "content-type" not in case.reading.open_points or not is_answered_with_key(case):
        return None
    return f"{case.exchange.request.header('content-type') or 'absent'}: {case.status}"


def ids(case: Case) -> str | None:
    """open.ids: how ids are assigned."""
    if case.operation is not Operation.CREATE or case.status != 201 or not isinstance(case.value, dict):
        return None
    creations = case.ledger.creations
    before = bisect_right(creations, case.sent_s, key=lambda each: each.answered_s)
    animal_id = case.value.get("id")
    if not before or not case.contract.is_int64(animal_id):
        return None
    step = int(animal_id) - creations[before - 1].animal_id
    if abs(step) > FAR_FROM_KNOWN_IDS:
        return "far apart"
    return "consecutive" if step == 1 else "ascending" if step > 0 else "descending"


OBSERVERS: Final[Mapping[str, Observer]] = {
    "open.create.status-default": status_default,
    "open.create.unknown-property": open_point(Operation.CREATE, "payload.unknown-property"),
    "open.create.client-id": open_point(Operation.CREATE, "payload.id"),
    "open.create.name-empty": _name(lambda name: not name),
    "open.create.name-long": _name(
        lambda name: len(name) >= LONG_NAME_LENGTH, lambda case: f"{len(_payload(case)['name'])} characters: "
    ),
    "open.create.name-control": _name(lambda name: min(name, default=" ") < " "),
    "open.create.name-space": name_space,
    "open.create.name-normalisation": name_normalisation,
    "open.create.category-unknown": observer_of(
        Operation.CREATE,
        lambda case: bool(_payload(case)) and abs(_payload(case)["categoryId"]) >= 2**31,
        lambda _: "arbitrary categoryId: ",
    ),
    "open.create.integral-float": open_point(Operation.CREATE, "categoryId.integral-float"),
    "open.create.duplicate-keys": open_point(Operation.CREATE, "payload.duplicate-keys"),
    "open.create.content-type": content_type,
    "open.create.identical": identical,
    "open.create.location": location,
    "open.ids": ids,
}
