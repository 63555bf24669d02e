"""Mechanisms of createPet: what it reads, what it refuses, and what it stores."""

from __future__ import annotations

import contextlib
import json
import operator
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from animal_conformance.reference.changes import Respond, Steps, anew
from animal_conformance.reference.mechanisms.common import (
    Answering,
    Inserting,
    Showing,
    clamped,
    handled,
    integer,
    is_number,
    refuse,
)
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
from animal_conformance.reference.service import Service

ANYTHING = b'{"name": "unnamed", "categoryId": 1}'
"""A creation that nobody asked for."""


def repaired(repair: Callable[[str], Json]) -> Steps:
    """Read a body by other means if it is not JSON."""

    def decode(before: Callable[[bytes], Json], body: bytes) -> Json:
        try:
            return before(body)
        except Refusal:
            with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return repair(body.decode())
            raise

    return Steps(decode=decode)


def parsed(**how: Any) -> Steps:
    """Read a body once more with these arguments of json.loads."""
    return Steps(decode=lambda before, body: (before(body), json.loads(body, **how))[1])


def integral(text: str) -> Json:
    """Take 5.0 and 5e0 for 5, exactly."""
    value = Decimal(text)
    whole = value.is_finite() and value.adjusted() < 20 and value == value.to_integral_value()
    return int(value) if whole else float(text)


def bodies(when: Callable[[Json], object], convert: Callable[[Json], Json]) -> Steps:
    """Convert the value of a body before it is checked."""
    return Steps(read_payload=lambda before, value: before(convert(value) if when(value) else value))


def coerced(name: str, when: Callable[[Json], object], convert: Callable[[Any], Json]) -> Steps:
    """Convert values of a property that should be refused."""
    return bodies(
        lambda value: isinstance(value, dict) and name in value and when(value[name]),
        lambda value: {**value, name: convert(value[name])},
    )


def kind(expected: type) -> Callable[[Json], bool]:
    """Whether a value is of exactly this type."""
    return lambda value: type(value) is expected


def readdressed(step: str, status: int, code: str) -> Steps:
    """Answer the refusals with 400 of a step with another status: those with this code, or all if it is empty."""

    def other(refusal: Refusal) -> None:
        if refusal.status == 400 and code in ("", refusal.code):
            refuse(status)

    instead: Respond = handled(other)
    return Steps(**{step: instead})  # type: ignore[arg-type] # a step is named in a row


def refused_beside(
    status: int, when: Callable[[Payload, list[Animal]], object], *, kept: bool = False
) -> Steps:
    """Refuse valid creations because of what other animals are; ``kept`` adds the animal all the same."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        refused = when(payload, before.service.store.everything())
        if refused and kept:
            before(payload, call)
        return refuse(status) if refused else before(payload, call)

    return Steps(insert=insert)


def namesake(payload: Payload, others: list[Animal]) -> bool:
    """Whether another animal has the same name."""
    return any(each.name == payload.name for each in others)


def slug(name: str) -> str:
    """A name as a part of an address, which keeps only letters and digits of ASCII."""
    return re.sub("[^A-Za-z0-9]", "", name)


def likewise_without_slug(payload: Payload, others: list[Animal]) -> bool:
    """Whether nothing is left of a name in an address, nor of another animal's."""
    return not slug(payload.name) and not all(slug(each.name) for each in others)


def overwriting(before: Inserting, payload: Payload, call: Call) -> Animal:
    """Refuse a name that is taken, and give its animal the other values."""
    store = before.service.store
    named = [each for each in store.everything() if each.name == payload.name]
    for each in named:
        store.replace(each._replace(category_id=payload.category_id, status=payload.status))
    return refuse(400) if named else before(payload, call)


def uncategorised(payload: Payload, others: list[Animal]) -> bool:
    """Whether no other animal has the same category."""
    return all(each.category_id != payload.category_id for each in others)


def nearly_namesake(payload: Payload, others: list[Animal]) -> bool:
    """Whether another animal's name differs in no more than one character."""
    return any(
        len(each.name) == len(payload.name) and sum(map(operator.ne, each.name, payload.name)) < 2
        for each in others
    )


def kept_although_refused(before: Answering, call: Call, *, name: Callable[[str], str] = str) -> Reply:
    """Store a refused animal as far as possible, with its name altered: as if the checks came after storing."""
    try:
        return before(call)
    except Refusal:
        with contextlib.suppress(Refusal, KeyError, AttributeError, TypeError, UnicodeEncodeError):
            payload = _salvaged(before.service.decode(call.body))
            before.service.insert(payload._replace(name=name(payload.name)), call)
        raise


def kept_without_its_name(before: Answering, call: Call) -> Reply:
    """Store an animal that is refused because of its name, without a name."""
    try:
        return before(call)
    except Refusal:
        with contextlib.suppress(Refusal, AttributeError):
            value = before.service.decode(call.body)
            if not isinstance(value.get("name"), str):
                before.service.insert(_salvaged({**value, "name": ""}), call)
        raise


def _salvaged(value: dict[str, Json]) -> Payload:
    name, category, status = value["name"], value.get("categoryId"), value.get("status")
    name.encode()
    if not is_number(category) or not INT64_MIN <= category <= INT64_MAX:
        category = 1
    return Payload(name, int(category), status if status in STATUSES else "available")


def stored(alter: Callable[[Payload], Payload]) -> Steps:
    """Alter what is stored, and so what the 201 and every later response show."""
    return Steps(insert=lambda before, payload, call: before(alter(payload), call))


def named(alter: Callable[[str], str]) -> Steps:
    """Alter the name that is stored."""
    return stored(lambda payload: payload._replace(name=alter(payload.name)))


def categorised(alter: Callable[[int], int]) -> Steps:
    """Alter the categoryId that is stored."""
    return stored(lambda payload: payload._replace(category_id=alter(payload.category_id)))


def shown_otherwise(
    before: Showing, animal: Animal, asked: str, *, by: str, alter: Callable[[Animal], Animal]
) -> Json:
    """Show created animals differently in the answers of some operations."""
    concerned = asked in by and animal.id > before.service.settings.catalogue
    return before(alter(animal) if concerned else animal, asked)


@anew
def kept(by: str, alter: Callable[[Animal], Animal]) -> Steps:
    """Have getPet show what is kept of a new animal since an operation has shown it, which is not all of it."""
    shown: set[int] = set()

    def represent(before: Showing, animal: Animal, asked: str) -> Json:
        was_shown = animal.id in shown and animal.id > before.service.settings.catalogue
        if asked == by:
            shown.add(animal.id)
        return before(alter(animal) if asked == "getPet" and was_shown else animal, asked)

    return Steps(represent=represent)


def adopting(
    before: Inserting, payload: Payload, call: Call, *, taken: bool, unknown_refused: bool = False
) -> Animal:
    """Take the id that the client sends: one that is free, or with ``taken`` one that another animal has and so loses."""
    wanted, store = before.service.decode(call.body).get("id"), before.service.store
    is_id = type(wanted) is int and INT64_MIN <= wanted <= INT64_MAX
    adopts = is_id and taken == (store.find(wanted) is not None)
    if is_id and unknown_refused and not adopts:
        refuse(400)
    return store.put(Animal(wanted, *payload)) if adopts else before(payload, call)


def counting_on(before: Inserting, payload: Payload, call: Call) -> Animal:
    """Take the id that the client sends, if it is free, as a column does that counts on from its largest value."""
    store = before.service.store
    wanted = integer(str(before.service.decode(call.body).get("id")))
    if wanted is None or not 0 < wanted <= INT64_MAX or store.find(wanted) is not None:
        wanted = store.highest() + 1
    return store.put(Animal(wanted, *payload))


def numbered(
    before: Inserting, payload: Payload, _: Call, *, identify: Callable[[Service, Payload], int]
) -> Animal:
    """Give a new animal another id, in place of any animal that has it."""
    return before.service.store.put(Animal(identify(before.service, payload), *payload))


def merging() -> Steps:
    """Answer a creation identical to an earlier one with the earlier animal."""
    created: dict[Payload, Animal] = {}

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        if payload not in created:
            created[payload] = before(payload, call)
        return created[payload]

    return Steps(insert=insert)


def replacing(before: Inserting, payload: Payload, call: Call) -> Animal:
    """Remove other animals of the same name, as if the name were the key of a table."""
    animal = before(payload, call)
    before.service.store.remove_namesakes(animal)
    return animal


def replacing_alike(key: Callable[[str], object]) -> Steps:
    """Remove other animals whose names have the same key, unless it is ``None``, as if it were that of a table."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal, store = before(payload, call), before.service.store
        for each in () if key(animal.name) is None else store.everything():
            if each.id != animal.id and key(each.name) == key(animal.name):
                store.remove(each)
        return animal

    return Steps(insert=insert)


@anew
def copied_once(number: int) -> Steps:
    """Add a copy of each created animal once so many were created: somebody imports the catalogue again."""
    created: list[tuple[Payload, Call]] = []

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        created.append((payload, call))
        for each in created if len(created) == number else ():
            before(*each)
        return animal

    return Steps(insert=insert)


def double(value: int) -> int:
    """An integer as JavaScript stores it, as a double."""
    return clamped(int(float(value)))
