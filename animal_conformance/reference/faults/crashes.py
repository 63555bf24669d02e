"""Faults that end in a 5xx, which no table of the interface document lists ('Errors')."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import Animal, Call, Payload, Refusal, Reply
from animal_conformance.reference.service import Decode, Respond, Service
from animal_conformance.reference.tools import crash, every, refuse, refused_when


def _fault(name: str, sentence: str, depth: int = 2, **steps: Any) -> Fault:
    return Fault(name=name, clauses=("http.server-error",), depth=depth, sentence=sentence, **steps)


def _unhandled(*codes: str) -> Wrap[Respond]:
    """Turn refusals with these codes into crashes: exceptions that nobody handles."""

    def wrap(inner: Respond) -> Respond:
        def handle(call: Call) -> Reply:
            try:
                return inner(call)
            except Refusal as refusal:
                crash(refusal.code in codes)
                raise

        return handle

    return wrap


def _on_body(when: Callable[[bytes], object]) -> Wrap[Decode]:
    return lambda inner: lambda body: crash(when(body)) or inner(body)


def _second_of_a_name(service: Service) -> None:
    names: set[str] = set()
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        crash(payload.name in names)
        names.add(payload.name)
        return inner(payload, call)

    service.insert = insert


def _foreign_key(service: Service) -> None:
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        known = {animal.category_id for animal in service.store.everything()}
        crash(payload.category_id not in known)
        return inner(payload, call)

    service.insert = insert


def _sometimes(number: int, status: int) -> Wrap[Respond]:
    def wrap(inner: Respond) -> Respond:
        fails = every(number)
        return lambda call: refuse(status, "Try again later.") if fails() else inner(call)

    return wrap


def _values(name: str, when: Callable[[str], object]) -> Wrap[Respond]:
    """Crash on values of a query parameter."""
    return lambda inner: lambda call: crash(any(map(when, call.parameters(name)))) or inner(call)


def _integer(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else None


def _beyond(text: str, bound: int) -> bool:
    value = _integer(text)
    return value is not None and not -bound <= value < bound


FAULTS = [
    _fault(
        "crash.name.nul",
        "NUL in a name is a 500, as where PostgreSQL refuses it unasked.",
        insert=refused_when(500, lambda payload: "\0" in payload.name),
    ),
    _fault(
        "crash.name.astral",
        "A name beyond the Basic Multilingual Plane is a 500, as where MySQL's utf8 refuses it.",
        insert=refused_when(500, lambda payload: any(letter > "\uffff" for letter in payload.name)),
    ),
    _fault(
        "crash.name.long",
        "A name of more than 255 characters is a 500, as where a VARCHAR(255) refuses it.",
        insert=refused_when(500, lambda payload: len(payload.name) > 255),
    ),
    _fault(
        "crash.name.quote",
        "An apostrophe in a name is a 500: the statement is glued together.",
        insert=refused_when(500, lambda payload: "'" in payload.name),
    ),
    _fault(
        "crash.name.empty",
        "An empty name is a 500.",
        insert=refused_when(500, lambda payload: not payload.name),
    ),
    _fault(
        "crash.name.not-ascii",
        "A name beyond ASCII is a 500.",
        insert=refused_when(500, lambda payload: not payload.name.isascii()),
    ),
    _fault(
        "crash.name.twice",
        "A second animal with the same name violates a uniqueness constraint: a 500.",
        depth=3,
        install=_second_of_a_name,
    ),
    _fault(
        "crash.category.32-bit",
        "A categoryId beyond 32 bits is a 500.",
        insert=refused_when(500, lambda payload: not -(2**31) <= payload.category_id < 2**31),
    ),
    _fault(
        "crash.category.int64-minimum",
        "The smallest int64 for a categoryId is a 500: its absolute value overflows.",
        depth=4,
        insert=refused_when(500, lambda payload: payload.category_id == -(2**63)),
    ),
    _fault(
        "crash.category.unknown",
        "A category that the catalogue does not have violates a foreign key: a 500.",
        install=_foreign_key,
    ),
    _fault(
        "crash.body.malformed",
        "A body that is not JSON is a 500.",
        create_pet=_unhandled("invalid_json"),
    ),
    _fault(
        "crash.body.missing",
        "A creation without a body is a 500.",
        create_pet=_unhandled("missing_body"),
    ),
    _fault(
        "crash.body.array",
        "A body that is an array is a 500.",
        decode=_on_body(lambda body: body.lstrip().startswith(b"[")),
    ),
    _fault(
        "crash.body.null",
        "A body that is null is a 500.",
        decode=_on_body(lambda body: body.strip() == b"null"),
    ),
    _fault(
        "crash.body.field-missing",
        "A creation without a required field is a 500: nobody handles the missing key.",
        create_pet=_unhandled("missing_field"),
    ),
    _fault(
        "crash.body.field-type",
        "A creation with a field of the wrong type is a 500.",
        create_pet=_unhandled("invalid_field"),
    ),
    _fault(
        "crash.limit.letters",
        "A limit that is no integer is a 500.",
        list_pets=_values("limit", lambda text: _integer(text) is None),
    ),
    _fault(
        "crash.limit.negative",
        "A negative limit is a 500, as where PostgreSQL refuses it.",
        list_pets=_values("limit", lambda text: (_integer(text) or 0) < 0),
    ),
    _fault(
        "crash.limit.zero",
        "A limit of 0 is a 500: the number of pages is a division by it.",
        list_pets=_values("limit", lambda text: _integer(text) == 0),
    ),
    _fault(
        "crash.limit.64-bit",
        "A limit beyond int64 is a 500.",
        list_pets=_values("limit", lambda text: _beyond(text, 2**63)),
    ),
    _fault(
        "crash.limit.hundred",
        "A limit of exactly 100 is a 500: it reads one animal behind the end of its buffer.",
        depth=4,
        list_pets=_values("limit", lambda text: text == "100"),
    ),
    _fault(
        "crash.filter.unknown",
        "A status filter outside the three values is a 500, as where a database's enumeration refuses it.",
        list_pets=_values("status", lambda text: text not in {"available", "pending", "sold"}),
    ),
    _fault(
        "crash.filter.array",
        "A parameter status[] is a 500: it is read as a list, which has no lower case.",
        list_pets=_values("status[]", lambda _: True),
    ),
    _fault(
        "crash.get.unknown",
        "An id that names no animal is a 500: nobody expects to find nothing.",
        depth=1,
        find=lambda inner: lambda animal_id: crash((animal := inner(animal_id)) is None, animal),
    ),
    _fault(
        "crash.get.letters",
        "A petId that is no integer is a 500.",
        read_pet_id=lambda inner: lambda text: crash(_integer(text) is None) or inner(text),
    ),
    _fault(
        "crash.get.percent",
        "A petId that is not UTF-8 once it is decoded is a 500: nobody expects decoding to fail.",
        read_pet_id=lambda inner: lambda text: crash("\ufffd" in text) or inner(text),
    ),
    _fault(
        "crash.get.64-bit",
        "A petId beyond int64 is a 500.",
        read_pet_id=lambda inner: lambda text: crash(_beyond(text, 2**63)) or inner(text),
    ),
    _fault(
        "crash.get.32-bit",
        "A petId beyond 32 bits is a 500.",
        read_pet_id=lambda inner: lambda text: crash(_beyond(text, 2**31)) or inner(text),
    ),
    _fault(
        "crash.auth.not-ascii",
        "A token beyond ASCII is a 500, as where texts are compared in a time that tells nothing of them.",
        authenticate=lambda inner: (
            lambda call: crash(not (call.authorization or "").isascii()) or inner(call)
        ),
    ),
    _fault(
        "crash.auth.empty",
        "A bearer credential without a token is a 500: there is no second word to take.",
        authenticate=lambda inner: (
            lambda call: (
                crash(happens=True)
                if call.authorization is not None and len(call.authorization.split()) < 2
                else inner(call)
            )
        ),
    ),
    _fault(
        "crash.sometimes",
        "Every fortieth request is a 500.",
        depth=4,
        operate=_sometimes(40, 500),
    ),
    _fault(
        "crash.unavailable",
        "Every thirtieth request is a 503, without a word on when to come again.",
        depth=4,
        operate=_sometimes(30, 503),
    ),
]
