"""Variants in what is accepted for an animal, and in the ids that it gets.

The interface document leaves open which categories exist, how long a name may be and of what, what
becomes of a missing status, and how ids are assigned.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from animal_conformance.reference.changes import Variant, Wrap
from animal_conformance.reference.model import INT64_MAX, Animal, Call, Json, Payload, Refusal
from animal_conformance.reference.service import Decode, Identify, ReadStatus, Service
from animal_conformance.reference.tools import named, refuse, refused_when, repaired, shown


def _names(name: str, sentence: str, refuses: Callable[[str], object]) -> Variant:
    return Variant(
        name=f"names.{name}",
        sentence=sentence,
        insert=refused_when(400, lambda payload: refuses(payload.name)),
    )


def _ids(name: str, sentence: str, identify: Identify) -> Variant:
    return Variant(name=f"ids.{name}", sentence=sentence, identify=lambda _: identify)


def _default(status: str | None) -> Wrap[ReadStatus]:
    return lambda inner: lambda properties: inner(properties) if "status" in properties else status


def _closed(service: Service) -> None:
    known: set[int] = set()
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        if not known:
            known.update(animal.category_id for animal in service.store.everything())
            known.update(() if known else (1, 2, 3))
        if payload.category_id not in known:
            refuse(400, "There is no such category.")
        return inner(payload, call)

    service.insert = insert


def _unique(service: Service) -> None:
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        if any(animal.name == payload.name for animal in service.store.everything()):
            refuse(400, "There is an animal of this name.")
        return inner(payload, call)

    service.insert = insert


def _unlike(service: Service) -> None:
    inner, names = service.insert, set[str]()

    def insert(payload: Payload, call: Call) -> Animal:
        name = payload.name
        if any(name[:at] + "*" + name[at + 1 :] in names for at in range(len(name))):
            refuse(400, "There is an animal of nearly this name.")
        animal = inner(payload, call)
        names.update(name[:at] + "*" + name[at + 1 :] for at in range(len(name)))
        return animal

    service.insert = insert


def _letters(name: str) -> bool:
    return all(unicodedata.category(letter)[0] in "LM" or letter in " -'" for letter in name)


def _fresh(inner: Decode) -> Decode:
    """Refuse a body that gives a property twice."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) < len(items):
            refuse(400, "A property is given twice.")
        return value

    def decode(body: bytes) -> Json:
        inner(body)
        return json.loads(body, object_pairs_hook=pairs)

    return decode


def _integral(inner: Decode) -> Decode:
    """Take 5.0 and 5e0 for 5, exactly."""

    def exact(text: str) -> Json:
        value = Decimal(text)
        whole = value.is_finite() and value.adjusted() < 20 and value == value.to_integral_value()
        return int(value) if whole else float(text)

    def decode(body: bytes) -> Json:
        inner(body)
        return json.loads(body, parse_float=exact)

    return decode


def _known_only(value: Json) -> Json:
    unknown = set(value) - {"name", "categoryId", "status"} if isinstance(value, dict) else set()
    if unknown:
        raise Refusal(400, "unknown_property", "There is a property that is not known.")
    return value


_ODD = 0x1E3779B97F4A7C15
"""Multiplying by an odd number gives every number of 63 bits another one."""

_BLOCKED = ("as", "ba", "ee", "hel", "od", "oj", "oo", "ti", "um", "wc")

VARIANTS = [
    Variant(
        name="categories.closed",
        sentence="Only categories that the catalogue has are accepted.",
        install=_closed,
    ),
    Variant(
        name="categories.positive",
        sentence="A categoryId below 1 is refused.",
        insert=refused_when(400, lambda payload: payload.category_id < 1),
    ),
    Variant(
        name="categories.32-bit",
        sentence="A categoryId beyond 32 bits is refused.",
        insert=refused_when(400, lambda payload: not -(2**31) <= payload.category_id < 2**31),
    ),
    _names("not-empty", "Empty and blank names are refused.", lambda name: not name.strip()),
    _names("short", "Names of more than 50 characters are refused.", lambda name: len(name) > 50),
    _names(
        "no-controls",
        "Names with control characters are refused.",
        lambda name: any(unicodedata.category(letter) == "Cc" for letter in name),
    ),
    _names("no-nul", "Names with NUL are refused.", lambda name: "\0" in name),
    _names(
        "letters",
        "Names of others than letters, spaces, hyphens and apostrophes are refused.",
        lambda name: not _letters(name),
    ),
    _names("ascii", "Names beyond ASCII are refused.", lambda name: not name.isascii()),
    _names(
        "two-bytes",
        "Names beyond the Basic Multilingual Plane are refused.",
        lambda name: any(letter > "\uffff" for letter in name),
    ),
    _names("no-markup", "Names with < or > are refused.", lambda name: "<" in name or ">" in name),
    _names(
        "blocked-words",
        "Names in which some pairs of letters stand together are refused, as where words are blocked.",
        lambda name: any(pair in name.lower() for pair in _BLOCKED),
    ),
    Variant(
        name="names.near-duplicates",
        sentence="A name that differs from another animal's in one character is refused as a slip of the pen.",
        install=_unlike,
    ),
    Variant(
        name="names.413",
        sentence="Names of more than 1,000 characters are answered with 413, as where a gateway limits bodies.",
        insert=refused_when(413, lambda payload: len(payload.name) > 1000),
    ),
    Variant(name="names.unique", sentence="A name that another animal has is refused.", install=_unique),
    Variant(name="names.trimmed", sentence="White space around names is removed.", insert=named(str.strip)),
    Variant(
        name="names.composed",
        sentence="Names are stored in Unicode normalisation form C.",
        insert=named(lambda name: unicodedata.normalize("NFC", name)),
    ),
    Variant(
        name="names.decomposed",
        sentence="Names are stored in Unicode normalisation form D.",
        insert=named(lambda name: unicodedata.normalize("NFD", name)),
    ),
    _ids("random", "Ids are spread over all positive int64.", lambda number: number * _ODD % 2**63),
    _ids(
        "signed", "Ids are spread over all int64.", lambda number: (number * (2 * _ODD + 1)) % 2**64 - 2**63
    ),
    _ids("negative", "Ids are negative.", lambda number: -number),
    _ids("huge", "Ids are the last ones of int64.", lambda number: INT64_MAX - 1_000_000 + number),
    _ids("beyond-doubles", "Ids are odd numbers beyond 2**53.", lambda number: 2**53 + 2 * number + 1),
    _ids("descending", "Ids become smaller.", lambda number: 10**12 - number),
    _ids("from-zero", "Ids begin with 0.", lambda number: number - 1),
    _ids(
        "gaps", "Ids grow in steps of different size.", lambda number: number * 1009 + number * number % 997
    ),
    Variant(
        name="status.left-out",
        sentence="An animal created without a status has none.",
        read_status=_default(None),
    ),
    Variant(
        name="status.pending",
        sentence="An animal created without a status is pending.",
        read_status=_default("pending"),
    ),
    Variant(
        name="status.sold",
        sentence="An animal created without a status is sold.",
        read_status=_default("sold"),
    ),
    Variant(
        name="properties.strict",
        sentence="Properties that are not known are refused, an id among them.",
        read_payload=lambda inner: lambda value: inner(_known_only(value)),
    ),
    Variant(name="properties.once", sentence="A property that is given twice is refused.", decode=_fresh),
    Variant(
        name="body.text-behind",
        sentence="What follows the JSON text of a creation is ignored.",
        decode=repaired(lambda text: json.JSONDecoder().raw_decode(text.lstrip())[0]),
    ),
    Variant(
        name="body.not-a-number",
        sentence="NaN and Infinity are read as numbers.",
        decode=repaired(json.loads),
    ),
    Variant(
        name="body.utf-8",
        sentence="Malformed UTF-8 in a creation is replaced.",
        decode=lambda inner: lambda body: inner(body.decode(errors="replace").encode()),
    ),
    Variant(
        name="body.comments",
        sentence="Comments in the JSON text of a creation are passed over.",
        decode=repaired(lambda text: json.loads(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL))),
    ),
    Variant(name="numbers.integral", sentence="A categoryId written as 5.0 is accepted.", decode=_integral),
    Variant(
        name="numbers.floats",
        sentence="Answers write small categoryIds as 5.0.",
        represent=shown(
            lambda value, animal, _: (
                {**value, "categoryId": float(value["categoryId"])}
                if abs(animal.category_id) < 2**53
                else value
            )
        ),
    ),
]
