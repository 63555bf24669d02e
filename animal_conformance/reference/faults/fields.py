"""Faults of createPet with a missing or invalid field ('Animal (create payload)')."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, STATUSES, Json
from animal_conformance.reference.tools import coerced, defaulted, number


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 2, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _coerced(
    name: str, clause: str, sentence: str, when: Callable[[Json], bool], convert: Callable[[Json], Json]
) -> Fault:
    """A fault that converts values of one property where it should refuse them."""
    field = {"name": "name", "category": "categoryId", "status": "status"}[name.split(".", maxsplit=1)[0]]
    return _fault(name, clause, sentence, read_payload=coerced(field, when, convert))


def _kind(*kinds: type) -> Callable[[Json], bool]:
    return lambda value: type(value) in kinds


def _clamped(value: int) -> int:
    return min(max(value, INT64_MIN), INT64_MAX)


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _beyond(value: Json) -> bool:
    return type(value) is int and not INT64_MIN <= value <= INT64_MAX


def _unknown_word(value: Json) -> bool:
    return isinstance(value, str) and value not in STATUSES


def _wrong_twice(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and not isinstance(value.get("name", ""), str)
        and isinstance(value.get("categoryId"), str)
    )


_NAME_TYPE, _CATEGORY_TYPE, _STATUS_TYPE = "create.name.type", "create.category-id.type", "create.status.type"


_ENUMERATION, _INT64, _NULL = "create.status.enumeration", "create.category-id.int64", "create.status.null"


FAULTS = [
    _fault(
        "name.default",
        "create.name.required",
        "A missing name becomes 'unnamed'.",
        read_payload=defaulted(name="unnamed"),
    ),
    _coerced("name.number", _NAME_TYPE, "A number for a name becomes its digits.", number, str),
    _coerced("name.boolean", _NAME_TYPE, "A boolean for a name becomes its word.", _kind(bool), str),
    _coerced("name.null", _NAME_TYPE, "null for a name becomes 'null'.", _kind(type(None)), lambda _: "null"),
    _coerced(
        "name.array",
        _NAME_TYPE,
        "An array for a name is joined.",
        _kind(list),
        lambda v: ",".join(map(str, v)),
    ),
    _coerced(
        "name.object",
        _NAME_TYPE,
        "An object for a name becomes '[object Object]'.",
        _kind(dict),
        lambda _: "[object Object]",
    ),
    _fault(
        "category.default",
        "create.category-id.required",
        "A missing categoryId becomes 0, as a Go struct has it.",
        read_payload=defaulted(categoryId=0),
    ),
    _coerced(
        "category.digits",
        _CATEGORY_TYPE,
        "A string of digits for a categoryId becomes its number.",
        lambda value: isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", value) is not None,
        int,
    ),
    _coerced(
        "category.spaced",
        _CATEGORY_TYPE,
        "A string of digits with space before it for a categoryId becomes its number.",
        lambda value: isinstance(value, str) and re.fullmatch(" +[0-9]{1,18}", value) is not None,
        int,
    ),
    _fault(
        "category.unchecked-without-name",
        _CATEGORY_TYPE,
        "A string for a categoryId becomes 0 where the name is no string either: only one complaint is made.",
        read_payload=lambda inner: (
            lambda value: inner({"name": "", "categoryId": 0} if _wrong_twice(value) else value)
        ),
    ),
    _coerced(
        "category.words",
        _CATEGORY_TYPE,
        "A string that is no number becomes the categoryId 0, as in older PHP.",
        lambda value: isinstance(value, str) and not re.match(r"\s*[-+]?[0-9]", value),
        lambda _: 0,
    ),
    _coerced(
        "category.boolean", _CATEGORY_TYPE, "true and false become the categoryIds 1 and 0.", _kind(bool), int
    ),
    _coerced(
        "category.fraction",
        _CATEGORY_TYPE,
        "A categoryId loses its fraction.",
        lambda value: type(value) is float and abs(value) < 2**53 and value != int(value),
        int,
    ),
    _coerced(
        "category.null", _CATEGORY_TYPE, "null for a categoryId becomes 0.", _kind(type(None)), lambda _: 0
    ),
    _coerced(
        "category.array",
        _CATEGORY_TYPE,
        "An array for a categoryId becomes the number of its items.",
        _kind(list),
        len,
    ),
    _coerced(
        "category.object", _CATEGORY_TYPE, "An object for a categoryId becomes 1.", _kind(dict), lambda _: 1
    ),
    _coerced(
        "category.beyond-wrapped",
        _INT64,
        "A categoryId beyond int64 keeps its lowest 64 bits.",
        _beyond,
        _wrapped,
    ),
    _coerced(
        "category.float-clamped",
        _INT64,
        "A categoryId beyond int64 that is written with an exponent becomes the nearest int64.",
        lambda value: type(value) is float and 2**63 <= abs(value) < 1e300,
        lambda value: _clamped(int(value)),
    ),
    _coerced(
        "category.just-beyond",
        _INT64,
        "2**63 is accepted for a categoryId: its bound is one too large.",
        lambda value: type(value) is int and value == 2**63,
        _clamped,
    ),
    _coerced(
        "category.just-below",
        _INT64,
        "-2**63-1 is accepted for a categoryId: its bound is one too small.",
        lambda value: type(value) is int and value == -(2**63) - 1,
        _clamped,
    ),
    _coerced(
        "status.number",
        _STATUS_TYPE,
        "A number for a status becomes the enumeration's member.",
        number,
        lambda value: STATUSES[int(value) % 3] if abs(value) < 2**53 else STATUSES[0],
    ),
    _coerced(
        "status.boolean",
        _STATUS_TYPE,
        "A boolean for a status is ignored.",
        _kind(bool),
        lambda _: "available",
    ),
    _coerced(
        "status.array",
        _STATUS_TYPE,
        "An array for a status counts as its first item, or as available.",
        _kind(list),
        lambda value: value[0] if value and value[0] in STATUSES else "available",
    ),
    _coerced(
        "status.object",
        _STATUS_TYPE,
        "An object for a status is ignored.",
        _kind(dict),
        lambda _: "available",
    ),
    _coerced(
        "status.null", _NULL, "null for a status counts as none.", _kind(type(None)), lambda _: "available"
    ),
    _coerced(
        "status.any-word",
        _ENUMERATION,
        "A word outside the three for a status is ignored.",
        _unknown_word,
        lambda _: "available",
    ),
    _coerced(
        "status.any-case",
        _ENUMERATION,
        "A status is accepted in any case.",
        lambda value: _unknown_word(value) and value.lower() in STATUSES,
        str.lower,
    ),
    _coerced(
        "status.trimmed",
        _ENUMERATION,
        "A status is accepted with space around it.",
        lambda value: _unknown_word(value) and value.strip() in STATUSES,
        str.strip,
    ),
    _coerced(
        "status.newline",
        _ENUMERATION,
        "A status is accepted with a line end behind it, as by a regular expression that ends with $.",
        lambda value: isinstance(value, str) and value.removesuffix("\n") in STATUSES,
        lambda value: value.removesuffix("\n"),
    ),
    _coerced(
        "status.any-line",
        _ENUMERATION,
        "A status is accepted where its last line is one, as by a regular expression that reads lines.",
        lambda value: isinstance(value, str) and "\n" in value and value.rpartition("\n")[2] in STATUSES,
        lambda value: value.rpartition("\n")[2],
    ),
    _coerced(
        "status.index",
        _ENUMERATION,
        "A status may be given as the digit of its place, as in MySQL's ENUM.",
        lambda value: value in ("1", "2", "3"),
        lambda value: STATUSES[int(value) - 1],
    ),
    _coerced(
        "status.capitalised",
        _ENUMERATION,
        "Pending is accepted for pending.",
        lambda value: value == "Pending",
        str.lower,
    ),
    _coerced(
        "status.empty",
        _ENUMERATION,
        "An empty status counts as none.",
        lambda value: value == "",
        lambda _: "available",
    ),
]
