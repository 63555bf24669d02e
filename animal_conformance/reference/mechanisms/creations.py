"""Mechanisms of createPet: what it reads, what it refuses, and what it stores."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import struct
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from animal_conformance.reference.changes import Before, Respond, Steps
from animal_conformance.reference.mechanisms.common import CRASH, clamped, crash, handled, is_number, refuse
from animal_conformance.reference.mechanisms.identifiers import Inserting, sent_id, without_marks
from animal_conformance.reference.mechanisms.lists import marking
from animal_conformance.reference.model import (
    INT64_MAX,
    INT64_MIN,
    STATUSES,
    Animal,
    Call,
    Json,
    Payload,
    Refusal,
    Reply,
)

ANYTHING = b'{"name": "unnamed", "categoryId": 1}'
"""A creation that nobody asked for."""

# Reading


def decoded(alter: Callable[[bytes], bytes]) -> Steps:
    """Alter a body before it is read."""
    return Steps(decode=lambda before, body: before(alter(body)))


def body_crashes(when: Callable[[bytes], object]) -> Steps:
    """Crash on some bodies."""
    return decoded(lambda body: crash(when(body), body))


def repaired(repair: Callable[[str], Json]) -> Steps:
    """Read a body by other means where it is no JSON."""

    def decode(before: Before[[bytes], Json], body: bytes) -> Json:
        try:
            return before(body)
        except Refusal:
            with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return repair(body.decode())
            raise

    return Steps(decode=decode)


def with_bare_words(text: str) -> Json:
    """Read what YAML, or JavaScript, would call an object: names of properties without quotes."""
    return json.loads(re.sub(r"([{,]\s*)([A-Za-z]\w*)\s*:", r'\1"\2":', text))


def completed(text: str) -> Json:
    """Add what a cut text lacks at its end."""
    for end in ('"}', "}", '":null}', "null}", ":null}"):
        try:
            return json.loads(text + end)
        except ValueError:
            continue
    raise ValueError(text)


def parsed(**how: Any) -> Steps:
    """Read a body once more with these arguments of json.loads."""
    return Steps(decode=lambda before, body: (before(body), json.loads(body, **how))[1])


def without_repetition(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """The properties of an object, each given once."""
    value = dict(items)
    return value if len(value) == len(items) else refuse(400, "A property is given twice.")


def integral(text: str) -> Json:
    """Take 5.0 and 5e0 for 5, exactly."""
    value = Decimal(text)
    whole = value.is_finite() and value.adjusted() < 20 and value == value.to_integral_value()
    return int(value) if whole else float(text)


def bodies(when: Callable[[Json], object], convert: Callable[[Json], Json]) -> Steps:
    """Convert the value of a body before it is checked."""
    return Steps(read_payload=lambda before, value: before(convert(value) if when(value) else value))


def taken_for_anything(when: Callable[[Json], object]) -> Steps:
    """Take the value of a body for an animal that nobody asked for."""
    return bodies(when, lambda _: json.loads(ANYTHING))


def coerced(name: str, when: Callable[[Json], object], convert: Callable[[Any], Json]) -> Steps:
    """Convert values of a property where they should be refused."""
    return bodies(
        lambda value: isinstance(value, dict) and name in value and when(value[name]),
        lambda value: {**value, name: convert(value[name])},
    )


def known_only(before: Before[[Json], Payload], value: Json) -> Payload:
    """Refuse properties that are not known."""
    if isinstance(value, dict) and set(value) - {"name", "categoryId", "status"}:
        refuse(400, "There is a property that is not known.")
    return before(value)


def kind(expected: type) -> Callable[[Json], bool]:
    """Whether a value is of that very type."""
    return lambda value: type(value) is expected


def defaulted(name: str, default: Json) -> Steps:
    """Supply a property that is missing."""
    return bodies(lambda value: isinstance(value, dict), lambda value: {name: default, **value})


def status_default(default: Callable[[], str | None]) -> Steps:
    """Take something else for a status that is left out."""
    return Steps(
        read_status=lambda before, properties: before(properties) if "status" in properties else default()
    )


# Refusing


def readdressed(status: int, *codes: str) -> Respond:
    """Answer refusals of an operation, those with the codes or all of them, with another status."""

    def other(refusal: Refusal) -> None:
        if refusal.status == 400 and (not codes or refusal.code in codes):
            raise Refusal(status, refusal.code, refusal.message)

    return handled(other)


def unhandled(code: str) -> Steps:
    """Turn refusals with this code into crashes: exceptions that nobody handles."""
    return Steps(create_pet=handled(lambda refusal: refuse(500, CRASH) if refusal.code == code else None))


def as_fastapi(refusal: Refusal) -> Reply:
    """A refused creation as FastAPI answers it by default."""
    detail = [{"type": refusal.code, "loc": ["body"], "msg": refusal.message, "input": None}]
    return Reply(422, {"detail": detail})


def payloads_refused(status: int, when: Callable[[Payload], object]) -> Steps:
    """Refuse valid creations."""
    return Steps(
        insert=lambda before, payload, call: (
            refuse(status, "This animal cannot be added.") if when(payload) else before(payload, call)
        )
    )


def names_refused(when: Callable[[str], object]) -> Steps:
    """Refuse valid names."""
    return payloads_refused(400, lambda payload: when(payload.name))


def namesakes_refused(status: int, message: str) -> Steps:
    """Refuse a second creation with the same name."""
    names: set[str] = set()

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        if payload.name in names:
            refuse(status, message)
        names.add(payload.name)
        return before(payload, call)

    return Steps(insert=insert)


def taken_names_refused(before: Inserting, payload: Payload, call: Call) -> Animal:
    """Refuse a name that another animal has."""
    if any(animal.name == payload.name for animal in before.service.store.everything()):
        refuse(400, "There is an animal of this name.")
    return before(payload, call)


def like_names_refused() -> Steps:
    """Refuse a name that differs from another one in one character."""
    names: set[str] = set()

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        name = payload.name
        patterns = {name[:at] + "*" + name[at + 1 :] for at in range(len(name))}
        if patterns & names:
            refuse(400, "There is an animal of nearly this name.")
        animal = before(payload, call)
        names.update(patterns)
        return animal

    return Steps(insert=insert)


def categories_refused(status: int, message: str, further: tuple[int, ...]) -> Steps:
    """Refuse categories that no animal has, but for further ones that are known."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        known = {animal.category_id for animal in before.service.store.everything()} | set(further)
        return before(payload, call) if payload.category_id in known else refuse(status, message)

    return Steps(insert=insert)


def room(count: int) -> Steps:
    """Refuse creations when so many were added."""
    numbers = itertools.count()
    return Steps(
        insert=lambda before, payload, call: (
            before(payload, call) if next(numbers) < count else refuse(409, "The store is full.")
        )
    )


def kept_although_refused(when: Callable[[dict[str, Json]], object]) -> Steps:
    """Store what is refused, as far as it can be: the checks come after it."""

    def create(before: Before[[Call], Reply], call: Call) -> Reply:
        try:
            return before(call)
        except Refusal:
            with contextlib.suppress(Refusal, KeyError, AttributeError, TypeError, UnicodeEncodeError):
                value = before.service.decode(call.body)
                if when(value):
                    before.service.insert(_salvaged(value), call)
            raise

    return Steps(create_pet=create)


def _salvaged(value: dict[str, Json]) -> Payload:
    name, category, status = value["name"], value.get("categoryId"), value.get("status")
    name.encode()
    if not is_number(category) or not INT64_MIN <= category <= INT64_MAX:
        category = 1
    return Payload(name, int(category), status if status in STATUSES else "available")


# Storing


def stored(alter: Callable[[Payload], Payload]) -> Steps:
    """Alter what is stored, and so what the 201 and every reading show."""
    return Steps(insert=lambda before, payload, call: before(alter(payload), call))


def named(alter: Callable[[str], str]) -> Steps:
    """Alter the name that is stored."""
    return stored(lambda payload: payload._replace(name=alter(payload.name)))


def categorised(alter: Callable[[int], int]) -> Steps:
    """Alter the categoryId that is stored."""
    return stored(lambda payload: payload._replace(category_id=alter(payload.category_id)))


def shown_otherwise(operation: str, alter: Callable[[Payload], Payload]) -> Steps:
    """Show created animals in another way in answers of an operation."""
    ids: set[int] = set()

    def represent(before: Before[[Animal, str], Json], animal: Animal, asked: str) -> Json:
        if asked == operation and animal.id in ids:
            animal = Animal(animal.id, *alter(Payload(*animal[1:])))
        return before(animal, asked)

    return Steps(insert=marking(lambda *_: True, ids), represent=represent)


def sharing_names() -> Steps:
    """Have a creation give its name to the one before, as where they share an object."""
    last: Animal | None = None

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        nonlocal last
        if last is not None:
            before.service.store.replace(last._replace(name=payload.name))
        last = before(payload, call)
        return last

    return Steps(insert=insert)


def adopting(read: Callable[[Json], Json]) -> Steps:
    """Take an id that the client sends, and read makes an int64 of, where it is free."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        wanted, store = read(sent_id(before.service, call)), before.service.store
        usable = isinstance(wanted, int) and INT64_MIN <= wanted <= INT64_MAX and not store.find(wanted)
        return store.put(Animal(wanted, *payload)) if usable else before(payload, call)

    return Steps(insert=insert)


def overwriting(before: Inserting, payload: Payload, call: Call) -> Animal:
    """Put an animal in the place of the one whose id the client sends, as where a row is saved by its key."""
    wanted, store = sent_id(before.service, call), before.service.store
    known = type(wanted) is int and INT64_MIN <= wanted <= INT64_MAX and store.find(wanted)
    return store.put(Animal(wanted, *payload)) if known else before(payload, call)


# Texts and numbers


def plain(name: str) -> str:
    """A name without accents; what was composed is composed again, so that marks alone are lost."""
    stripped = without_marks(name)
    return unicodedata.normalize("NFC", stripped) if stripped != unicodedata.normalize("NFD", name) else name


def double(value: int) -> int:
    """What JavaScript makes of an integer."""
    return clamped(int(float(value)))


def single(value: int) -> int:
    """What single precision makes of an integer."""
    (rounded,) = struct.unpack("f", struct.pack("f", value))
    return clamped(int(rounded))
