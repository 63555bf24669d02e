"""Faults of createPet with an invalid body: it is refused with 400, and leaves no trace ('Add an animal')."""

from __future__ import annotations

import ast
import json
import re

from animal_conformance.reference.changes import breaks
from animal_conformance.reference.mechanisms.common import clamped, is_number, signed
from animal_conformance.reference.mechanisms.creations import (
    ANYTHING,
    bodies,
    coerced,
    decoded,
    defaulted,
    kept_although_refused,
    kind,
    readdressed,
    repaired,
    taken_for_anything,
)
from animal_conformance.reference.model import STATUSES, Json

_REQUIRED, _NAME_TYPE = "create.category-id.required", "create.name.type"
_CATEGORY_TYPE, _INT64 = "create.category-id.type", "create.category-id.int64"
_STATUS_TYPE, _ENUMERATION = "create.status.type", "create.status.enumeration"
_CATEGORY = "categoryId"


def _word(value: Json) -> bool:
    return isinstance(value, str) and value not in STATUSES


FAULTS = [
    # The body
    *breaks("create.body.required", 2, decoded).rows(
        ("body.optional", "A create request without a body creates an unnamed animal.",
         lambda body: body or ANYTHING)),
    *breaks("create.body.json", 2, repaired).rows(
        ("body.trailing-comma", "A comma after the last property is accepted.",
         lambda text: json.loads(re.sub(r",\s*([}\]])", r"\1", text))),
        ("body.python", "A Python dictionary with apostrophes is accepted.", ast.literal_eval),
        ("body.bare-words", "Property names without quotation marks are accepted, as by YAML.",
         lambda text: json.loads(re.sub(r"([{,]\s*)([A-Za-z]\w*)\s*:", r'\1"\2":', text)))),
    *breaks(("create.body.json", "create.category-id.int64"), 2, repaired).rows(
        ("body.anything", "A body that is not valid JSON, or that Python cannot read, creates an unnamed animal.",
         lambda text: json.loads(ANYTHING if text else text))),
    *breaks(_REQUIRED, 2, taken_for_anything).rows(
        ("body.empty-object",
         "An empty object is not validated, and creates an unnamed animal.",
         lambda value: value == {})),
    *breaks(_REQUIRED, 2, bodies).rows(
        ("body.wrapped", "A payload in the only field of an object is accepted, as some clients of Rails send it.",
         lambda value: isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), dict),
         lambda value: next(iter(value.values())))),
    *breaks("create.body.object", 2, taken_for_anything).rows(
        ("body.null", "null creates an unnamed animal.", lambda value: value is None),
        ("body.scalar", "A number or a boolean creates an unnamed animal.",
         lambda value: isinstance(value, int | float))),
    *breaks("create.body.object", 2, bodies).rows(
        ("body.string", "A string creates an animal with that name.",
         lambda value: isinstance(value, str), lambda value: {"name": value, _CATEGORY: 1}),
        ("body.string.parsed", "A string that holds the JSON of a payload is accepted.",
         lambda value: isinstance(value, str), lambda value: json.loads(value) if value[:1] == "{" else value),
        ("body.array-first",
         "The first object of an array is created, or an unnamed animal if there is none.",
         lambda value: isinstance(value, list),
         lambda value: next((item for item in value if isinstance(item, dict)), json.loads(ANYTHING)))),
    # The name
    *breaks("create.name.required", 2, defaulted).rows(
        ("name.default", "A missing name becomes 'unnamed'.", "name", "unnamed")),
    *breaks(_NAME_TYPE, 2, bodies).rows(
        ("name.unchecked", "The type of a name is not checked where the status is omitted.",
         lambda value: isinstance(value, dict) and "name" in value and "status" not in value,
         lambda value: {**value, "name": str(value["name"])})),
    *breaks(_ENUMERATION, 2, bodies).rows(
        ("status.unchecked", "An unknown status is left out, rather than rejected, beside a further field.",
         lambda value: isinstance(value, dict) and "colour" in value and _word(value.get("status")),
         lambda value: {name: each for name, each in value.items() if name != "status"})),
    *breaks(_NAME_TYPE, 2, coerced).rows(
        ("name.number", "A number as name becomes a string of its digits.", "name", is_number, str),
        ("name.boolean", "A boolean as name becomes 'True' or 'False'.", "name", kind(bool), str),
        ("name.null", "null as name becomes 'null'.", "name", kind(type(None)), lambda _: "null"),
        ("name.array", "An array as name is joined into a string.",
         "name", kind(list), lambda value: ",".join(map(str, value)))),
    # The category
    *breaks(_REQUIRED, 2, defaulted).rows(
        ("category.default", "A missing categoryId becomes 0, as in a Go struct.", _CATEGORY, 0)),
    *breaks(_CATEGORY_TYPE, 2, coerced).rows(
        ("category.digits", "A string of digits as categoryId becomes its number.",
         _CATEGORY, lambda value: isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", value), int),
        ("category.words", "A string that is not a number becomes the categoryId 0, as in older PHP.",
         _CATEGORY, lambda value: isinstance(value, str) and not re.match(r"\s*[-+]?[0-9]", value),
         lambda _: 0),
        ("category.boolean", "true and false become the categoryIds 1 and 0.", _CATEGORY, kind(bool), int),
        ("category.fraction", "The fraction of a categoryId is dropped.",
         _CATEGORY, lambda value: type(value) is float and abs(value) < 2**53 and value != int(value), int),
        ("category.null", "null as categoryId becomes 0.", _CATEGORY, kind(type(None)), lambda _: 0),
        ("category.array", "An array as categoryId becomes the number of its items.",
         _CATEGORY, kind(list), len)),
    *breaks(_INT64, 2, coerced).rows(
        ("category.beyond-wrapped", "A categoryId outside the int64 range keeps its lowest 64 bits.",
         _CATEGORY, kind(int), lambda value: signed(value, 64)),
        ("category.float-clamped",
         "A categoryId outside the int64 range that is written with an exponent becomes the nearest int64.",
         _CATEGORY, lambda value: type(value) is float and 2**63 <= abs(value) < 1e300,
         lambda value: clamped(int(value))),
        ("category.just-beyond", "2**63 is accepted as categoryId: the upper bound is one too large.",
         _CATEGORY, lambda value: type(value) is int and value == 2**63, clamped),
        ("category.just-below", "-2**63-1 is accepted as categoryId: the lower bound is one too small.",
         _CATEGORY, lambda value: type(value) is int and value == -(2**63) - 1, clamped)),
    # The status
    *breaks(_STATUS_TYPE, 2, coerced).rows(
        ("status.number", "A number as status becomes a value of the enumeration.",
         "status", is_number, lambda value: STATUSES[int(value) % 3 if abs(value) < 2**53 else 0]),
        ("status.array", "An array as status is treated as its first element, or as available.",
         "status", kind(list), lambda value: value[0] if value and value[0] in STATUSES else "available")),
    *breaks("create.status.null", 2, coerced).rows(
        ("status.null", "null as status is treated as omitted.",
         "status", kind(type(None)), lambda _: "available")),
    *breaks(_ENUMERATION, 2, coerced).rows(
        ("status.any-word", "A status other than the three values is ignored.",
         "status", _word, lambda _: "available"),
        ("status.any-case", "A status is accepted in any case.",
         "status", lambda value: _word(value) and value.lower() in STATUSES, str.lower),
        ("status.trimmed", "A status padded with white space is accepted.",
         "status", lambda value: _word(value) and value.strip() in STATUSES, str.strip),
        ("status.newline",
         "A status followed by a line break is accepted, as by a regular expression that ends with $.",
         "status", _word, lambda value: value.removesuffix("\n")),
        ("status.index", "A status may be given as the digit of its position, as in MySQL's ENUM.",
         "status", lambda value: value in ("1", "2", "3"), lambda value: STATUSES[int(value) - 1]),
        ("status.empty", "An empty status is treated as omitted.",
         "status", lambda value: value == "", lambda _: "available")),
    # The refusal
    *breaks("create.refusal.status", 1, readdressed).rows(
        ("refusal.422", "Rejected create requests return 422.", "create_pet", 422, "")),
    *breaks("create.refusal.status", 2, readdressed).rows(
        ("refusal.422.values", "Invalid values return 422, missing fields 400.",
         "create_pet", 422, "invalid_field"),
        ("refusal.415.malformed", "A body that is not valid JSON returns 415.",
         "create_pet", 415, "invalid_json"),
        ("refusal.422.array", "A body that is no object returns 422.", "create_pet", 422, "invalid_body")),
    *breaks("create.refusal.untraced", 3, kept_although_refused).rows(
        ("refusal.stored", "Rejected animals are stored anyway.", lambda _: True),
        ("refusal.stored.status", "An animal rejected for its status is stored anyway.",
         lambda value: value.get("status", "sold") not in STATUSES),
        ("refusal.stored.category",
         "An animal rejected for its missing categoryId is stored anyway.",
         lambda value: _CATEGORY not in value)),
]  # fmt: skip
