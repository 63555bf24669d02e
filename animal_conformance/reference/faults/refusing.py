"""Faults of createPet with an invalid body: it is refused with 400, and leaves no trace ('Add an animal')."""

from __future__ import annotations

import ast
import json
import re

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms.common import clamped, is_number, signed
from animal_conformance.reference.mechanisms.creations import (
    ANYTHING,
    bodies,
    coerced,
    completed,
    decoded,
    defaulted,
    kept_although_refused,
    kind,
    readdressed,
    repaired,
    taken_for_anything,
    with_bare_words,
)
from animal_conformance.reference.model import STATUSES, Json

_REQUIRED, _NAME_TYPE, _CATEGORY_TYPE = (
    "create.category-id.required",
    "create.name.type",
    "create.category-id.type",
)
_INT64, _STATUS_TYPE, _ENUMERATION = (
    "create.category-id.int64",
    "create.status.type",
    "create.status.enumeration",
)
_CATEGORY = "categoryId"


def _word(value: Json) -> bool:
    return isinstance(value, str) and value not in STATUSES


FAULTS = [
    # The body
    *breaks("create.body.required", 2, decoded).rows(
        ("body.optional", "A creation without a body adds an unnamed animal.",
         lambda body: body or ANYTHING)),
    *breaks("create.body.json", 2, repaired).rows(
        ("body.trailing-comma", "A comma behind the last property is accepted.",
         lambda text: json.loads(re.sub(r",\s*([}\]])", r"\1", text))),
        ("body.python", "A Python dictionary is accepted, apostrophes and all.", ast.literal_eval),
        ("body.bare-words", "Names of properties are accepted without quotation marks.", with_bare_words),
        ("body.cut", "A body whose end is missing is completed.", completed),
        ("body.anything", "A body that is no JSON adds an unnamed animal.",
         lambda text: json.loads(ANYTHING if text else text))),
    *breaks(_REQUIRED, 2, taken_for_anything).rows(
        ("body.empty-object",
         "An object without any property counts as nothing to check, and adds an unnamed animal.",
         lambda value: value == {})),
    *breaks("create.body.object", 2, taken_for_anything).rows(
        ("body.null", "null adds an unnamed animal.", lambda value: value is None),
        ("body.scalar", "A number or a boolean adds an unnamed animal.",
         lambda value: isinstance(value, int | float))),
    *breaks("create.body.object", 2, bodies).rows(
        ("body.string", "A string adds an animal of that name.",
         lambda value: isinstance(value, str), lambda value: {"name": value, _CATEGORY: 1}),
        ("body.array-first", "Of an array the first item is added, or an unnamed animal where there is none.",
         lambda value: isinstance(value, list),
         lambda value: next((item for item in value if isinstance(item, dict)), json.loads(ANYTHING)))),
    # The name
    *breaks("create.name.required", 2, defaulted).rows(
        ("name.default", "A missing name becomes 'unnamed'.", "name", "unnamed")),
    *breaks(_NAME_TYPE, 2, coerced).rows(
        ("name.number", "A number for a name becomes its digits.", "name", is_number, str),
        ("name.boolean", "A boolean for a name becomes its word.", "name", kind(bool), str),
        ("name.null", "null for a name becomes 'null'.", "name", kind(type(None)), lambda _: "null"),
        ("name.array", "An array for a name is joined.",
         "name", kind(list), lambda value: ",".join(map(str, value))),
        ("name.object", "An object for a name becomes '[object Object]'.",
         "name", kind(dict), lambda _: "[object Object]")),
    # The category
    *breaks(_REQUIRED, 2, defaulted).rows(
        ("category.default", "A missing categoryId becomes 0, as a Go struct has it.", _CATEGORY, 0)),
    *breaks(_CATEGORY_TYPE, 2, coerced).rows(
        ("category.digits", "A string of digits for a categoryId becomes its number.",
         _CATEGORY, lambda value: isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", value), int),
        ("category.spaced", "A string of digits with space before it for a categoryId becomes its number.",
         _CATEGORY, lambda value: isinstance(value, str) and re.fullmatch(" +[0-9]{1,18}", value), int),
        ("category.words", "A string that is no number becomes the categoryId 0, as in older PHP.",
         _CATEGORY, lambda value: isinstance(value, str) and not re.match(r"\s*[-+]?[0-9]", value),
         lambda _: 0),
        ("category.boolean", "true and false become the categoryIds 1 and 0.", _CATEGORY, kind(bool), int),
        ("category.fraction", "A categoryId loses its fraction.",
         _CATEGORY, lambda value: type(value) is float and abs(value) < 2**53 and value != int(value), int),
        ("category.null", "null for a categoryId becomes 0.", _CATEGORY, kind(type(None)), lambda _: 0),
        ("category.array", "An array for a categoryId becomes the number of its items.",
         _CATEGORY, kind(list), len),
        ("category.object", "An object for a categoryId becomes 1.", _CATEGORY, kind(dict), lambda _: 1)),
    *breaks(_CATEGORY_TYPE, 2, bodies).rows(
        ("category.unchecked-without-name",
         "A string for a categoryId becomes 0 where the name is no string either: one complaint is made.",
         lambda value: isinstance(value, dict) and isinstance(value.get(_CATEGORY), str)
         and not isinstance(value.get("name", ""), str),
         lambda _: {"name": "", _CATEGORY: 0})),
    *breaks(_INT64, 2, coerced).rows(
        ("category.beyond-wrapped", "A categoryId beyond int64 keeps its lowest 64 bits.",
         _CATEGORY, kind(int), lambda value: signed(value, 64)),
        ("category.float-clamped",
         "A categoryId beyond int64 that is written with an exponent becomes the nearest int64.",
         _CATEGORY, lambda value: type(value) is float and 2**63 <= abs(value) < 1e300,
         lambda value: clamped(int(value))),
        ("category.just-beyond", "2**63 is accepted for a categoryId: its bound is one too large.",
         _CATEGORY, lambda value: type(value) is int and value == 2**63, clamped),
        ("category.just-below", "-2**63-1 is accepted for a categoryId: its bound is one too small.",
         _CATEGORY, lambda value: type(value) is int and value == -(2**63) - 1, clamped)),
    # The status
    *breaks(_STATUS_TYPE, 2, coerced).rows(
        ("status.number", "A number for a status becomes the enumeration's member.",
         "status", is_number, lambda value: STATUSES[int(value) % 3 if abs(value) < 2**53 else 0]),
        ("status.boolean", "A boolean for a status is ignored.", "status", kind(bool), lambda _: "available"),
        ("status.array", "An array for a status counts as its first item, or as available.",
         "status", kind(list), lambda value: value[0] if value and value[0] in STATUSES else "available"),
        ("status.object", "An object for a status is ignored.", "status", kind(dict), lambda _: "available")),
    *breaks("create.status.null", 2, coerced).rows(
        ("status.null", "null for a status counts as none.",
         "status", kind(type(None)), lambda _: "available")),
    *breaks(_ENUMERATION, 2, coerced).rows(
        ("status.any-word", "A word outside the three for a status is ignored.",
         "status", _word, lambda _: "available"),
        ("status.any-case", "A status is accepted in any case.",
         "status", lambda value: _word(value) and value.lower() in STATUSES, str.lower),
        ("status.trimmed", "A status is accepted with space around it.",
         "status", lambda value: _word(value) and value.strip() in STATUSES, str.strip),
        ("status.newline",
         "A status is accepted with a line end behind it, as by a regular expression that ends with $.",
         "status", _word, lambda value: value.removesuffix("\n")),
        ("status.any-line",
         "A status is accepted where its last line is one, as by a regular expression that reads lines.",
         "status", _word, lambda value: value.rpartition("\n")[2]),
        ("status.index", "A status may be given as the digit of its place, as in MySQL's ENUM.",
         "status", lambda value: value in ("1", "2", "3"), lambda value: STATUSES[int(value) - 1]),
        ("status.capitalised", "Pending is accepted for pending.",
         "status", lambda value: value == "Pending", str.lower),
        ("status.empty", "An empty status counts as none.",
         "status", lambda value: value == "", lambda _: "available")),
    # The refusal
    *breaks("create.refusal.status", 1, own).rows(
        ("refusal.422", "Refused creations are answered with 422.", Steps(create_pet=readdressed(422)))),
    *breaks("create.refusal.status", 2, own).rows(
        ("refusal.422.values", "Invalid values are answered with 422, missing fields with 400.",
         Steps(create_pet=readdressed(422, "invalid_field"))),
        ("refusal.422.missing", "Missing fields are answered with 422, invalid values with 400.",
         Steps(create_pet=readdressed(422, "missing_field"))),
        ("refusal.415.malformed", "A body that is no JSON is answered with 415.",
         Steps(create_pet=readdressed(415, "invalid_json"))),
        ("refusal.411.missing", "A creation without a body is answered with 411.",
         Steps(create_pet=readdressed(411, "missing_body"))),
        ("refusal.422.array", "A body that is no object is answered with 422.",
         Steps(create_pet=readdressed(422, "invalid_body")))),
    *breaks("create.refusal.untraced", 3, kept_although_refused).rows(
        ("refusal.stored", "What is refused is stored all the same.", lambda _: True),
        ("refusal.stored.status", "An animal that is refused for its status is stored all the same.",
         lambda value: value.get("status", "sold") not in STATUSES),
        ("refusal.stored.category",
         "An animal that is refused for its missing categoryId is stored all the same.",
         lambda value: _CATEGORY not in value)),
]  # fmt: skip
