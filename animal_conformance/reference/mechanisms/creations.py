"""Mechanisms of createPet: what it reads, what it refuses, and what it stores."""

from __future__ import annotations

import json
import re
import struct
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from animal_conformance.reference.changes import Steps, Wrap
from animal_conformance.reference.mechanisms.common import CRASH, clamped, crash, handled, is_number, refuse
from animal_conformance.reference.mechanisms.identifiers import inserted, sent_id, without_marks
from animal_conformance.reference.mechanisms.lists import marked
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
from animal_conformance.reference.service import Decode, Insert, ReadPayload, ReadStatus, Respond, Service

ANYTHING = b'{"name": "unnamed", "categoryId": 1}'
"""A creation that nobody asked for."""

# Reading


def decoded(alter: Callable[[bytes], bytes]) -> Steps:
    """Alter a body before it is read."""
    return Steps(decode=lambda inner: lambda body: inner(alter(body)))


def body_crashes(when: Callable[[bytes], object]) -> Steps:
    """Crash on some bodies."""
    return decoded(lambda body: crash(when(body), body))


def repaired(repair: Callable[[str], Json]) -> Steps:
    """Read a body by other means where it is no JSON."""

    def wrap(inner: Decode) -> Decode:
        def decode(body: bytes) -> Json:
            try:
                return inner(body)
            except Refusal:
                try:
                    return repair(body.decode())
                except (ValueError, SyntaxError, RecursionError, MemoryError):
                    pass
                raise

        return decode

    return Steps(decode=wrap)


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

    def wrap(inner: Decode) -> Decode:
        def decode(body: bytes) -> Json:
            inner(body)
            return json.loads(body, **how)

        return decode

    return Steps(decode=wrap)


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
    return Steps(read_payload=lambda inner: lambda value: inner(convert(value) if when(value) else value))


def taken_for_anything(when: Callable[[Json], object]) -> Steps:
    """Take the value of a body for an animal that nobody asked for."""
    return bodies(when, lambda _: json.loads(ANYTHING))


def coerced(name: str, when: Callable[[Json], object], convert: Callable[[Any], Json]) -> Steps:
    """Convert values of a property where they should be refused."""
    return bodies(
        lambda value: isinstance(value, dict) and name in value and when(value[name]),
        lambda value: {**value, name: convert(value[name])},
    )


def known_only(inner: ReadPayload) -> ReadPayload:
    """Refuse properties that are not known."""

    def read(value: Json) -> Payload:
        if isinstance(value, dict) and set(value) - {"name", "categoryId", "status"}:
            raise Refusal(400, "unknown_property", "There is a property that is not known.")
        return inner(value)

    return read


def kind(expected: type) -> Callable[[Json], bool]:
    """Whether a value is of that very type."""
    return lambda value: type(value) is expected


def defaulted(name: str, default: Json) -> Steps:
    """Supply a property that is missing."""
    return bodies(lambda value: isinstance(value, dict), lambda value: {name: default, **value})


def status_default(default: str | None) -> Wrap[ReadStatus]:
    """Take something else for a status that is left out."""
    return lambda inner: lambda properties: inner(properties) if "status" in properties else default


# Refusing


def readdressed(status: int, *codes: str) -> Wrap[Respond]:
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
        insert=lambda inner: (
            lambda payload, call: (
                refuse(status, "This animal cannot be added.") if when(payload) else inner(payload, call)
            )
        )
    )


def names_refused(when: Callable[[str], object]) -> Steps:
    """Refuse valid names."""
    return payloads_refused(400, lambda payload: when(payload.name))


def namesakes_refused(status: int, message: str) -> Steps:
    """Refuse a second creation with the same name."""

    def install(service: Service) -> None:
        names: set[str] = set()
        inner = service.insert

        def insert(payload: Payload, call: Call) -> Animal:
            if payload.name in names:
                refuse(status, message)
            names.add(payload.name)
            return inner(payload, call)

        service.insert = insert

    return Steps(install=install)


def taken_names_refused(service: Service, inner: Insert, payload: Payload, call: Call) -> Animal:
    """Refuse a name that another animal has."""
    if any(animal.name == payload.name for animal in service.store.everything()):
        refuse(400, "There is an animal of this name.")
    return inner(payload, call)


def like_names_refused(service: Service) -> None:
    """Refuse a name that differs from another one in one character."""
    inner, names = service.insert, set[str]()

    def insert(payload: Payload, call: Call) -> Animal:
        name = payload.name
        patterns = {name[:at] + "*" + name[at + 1 :] for at in range(len(name))}
        if patterns & names:
            refuse(400, "There is an animal of nearly this name.")
        animal = inner(payload, call)
        names.update(patterns)
        return animal

    service.insert = insert


def categories_refused(status: int, message: str, further: tuple[int, ...]) -> Steps:
    """Refuse categories that no animal has, but for further ones that are known."""

    def insert(service: Service, inner: Insert, payload: Payload, call: Call) -> Animal:
        known = {animal.category_id for animal in service.store.everything()} | set(further)
        return inner(payload, call) if payload.category_id in known else refuse(status, message)

    return inserted(insert)


def room(count: int) -> Steps:
    """Refuse creations when so many were added."""

    def install(service: Service) -> None:
        inner, left = service.insert, count

        def insert(payload: Payload, call: Call) -> Animal:
            nonlocal left
            left -= 1
            return inner(payload, call) if left >= 0 else refuse(409, "The store is full.")

        service.insert = insert

    return Steps(install=install)


def kept_although_refused(when: Callable[[dict[str, Json]], object]) -> Steps:
    """Store what is refused, as far as it can be: the checks come after it."""

    def install(service: Service) -> None:
        inner = service.create_pet

        def create(call: Call) -> Reply:
            try:
                return inner(call)
            except Refusal:
                _keep(service, call, when)
                raise

        service.create_pet = create

    return Steps(install=install)


def _keep(service: Service, call: Call, when: Callable[[dict[str, Json]], object]) -> None:
    try:
        value = service.decode(call.body)
        if not isinstance(value, dict) or not when(value):
            return
        name = value["name"]
        name.encode()
    except (Refusal, KeyError, AttributeError, UnicodeEncodeError):
        return
    category, status = value.get("categoryId"), value.get("status")
    if not is_number(category) or not INT64_MIN <= category <= INT64_MAX:
        category = 1
    if not isinstance(status, str) or status not in STATUSES:
        status = "available"
    service.insert(Payload(name, int(category), status), call)


# Storing


def stored(alter: Callable[[Payload], Payload]) -> Steps:
    """Alter what is stored, and so what the 201 and every reading show."""
    return Steps(insert=lambda inner: lambda payload, call: inner(alter(payload), call))


def named(alter: Callable[[str], str]) -> Steps:
    """Alter the name that is stored."""
    return stored(lambda payload: payload._replace(name=alter(payload.name)))


def categorised(alter: Callable[[int], int]) -> Steps:
    """Alter the categoryId that is stored."""
    return stored(lambda payload: payload._replace(category_id=alter(payload.category_id)))


def shown_otherwise(operation: str, alter: Callable[[Payload], Payload]) -> Steps:
    """Show created animals in another way in answers of an operation."""

    def install(service: Service) -> None:
        ids, inner = marked(service, lambda *_: True), service.represent

        def represent(animal: Animal, asked: str) -> Json:
            if asked == operation and animal.id in ids:
                animal = Animal(animal.id, *alter(Payload(*animal[1:])))
            return inner(animal, asked)

        service.represent = represent

    return Steps(install=install)


def sharing_names(service: Service) -> None:
    """Have a creation give its name to the one before, as where they share an object."""
    inner, last = service.insert, 0

    def insert(payload: Payload, call: Call) -> Animal:
        nonlocal last
        before = service.store.find(last)
        if before is not None:
            service.store.replace(before._replace(name=payload.name))
        animal = inner(payload, call)
        last = animal.id
        return animal

    service.insert = insert


def adopting(read: Callable[[Json], Json]) -> Steps:
    """Take an id that the client sends, and read makes an int64 of, where it is free."""

    def insert(service: Service, inner: Insert, payload: Payload, call: Call) -> Animal:
        wanted = read(sent_id(service, call))
        if not isinstance(wanted, int) or not INT64_MIN <= wanted <= INT64_MAX:
            return inner(payload, call)
        taken = service.store.find(wanted)
        return inner(payload, call) if taken else service.store.put(Animal(wanted, *payload))

    return inserted(insert)


def overwriting(service: Service, inner: Insert, payload: Payload, call: Call) -> Animal:
    """Put an animal in the place of the one whose id the client sends, as where a row is saved by its key."""
    wanted = sent_id(service, call)
    if type(wanted) is not int or abs(wanted) >= 2**63 or service.store.find(wanted) is None:
        return inner(payload, call)
    return service.store.put(Animal(wanted, *payload))


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
