"""Faults of createPet with an invalid body: it is refused with 400, and leaves no trace ('Add an animal')."""

from __future__ import annotations

import ast
import json
import re

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.common import clamped, is_number, signed
from animal_conformance.reference.model import STATUSES, Json

_REQUIRED, _NAME_TYPE = "create.category-id.required", "create.name.type"

_CATEGORY_TYPE, _INT64 = "create.category-id.type", "create.category-id.int64"

_STATUS_TYPE, _ENUMERATION = "create.status.type", "create.status.enumeration"

_CATEGORY = "categoryId"


def _word(value: Json) -> bool:
    return isinstance(value, str) and value not in STATUSES


FAULTS = [
    # The body
    *breaks("create.body.required", 2,
        ("body.optional", "A create request without a body creates an unnamed animal.",
         creations.decoded(lambda body: body or creations.ANYTHING))),
    *breaks("create.body.json", 2,
        ("body.python", "A Python dictionary with apostrophes is accepted.",
         creations.repaired(ast.literal_eval))),
    *breaks(("create.body.json", "create.category-id.int64"), 2,
        ("body.anything",
         "A body that is not valid JSON, or that Python cannot read, creates an unnamed animal.",
         creations.repaired(lambda text: json.loads(creations.ANYTHING if text else text)))),
    *breaks(_REQUIRED, 2,
        ("body.wrapped",
         "A payload in the only field of an object is accepted, as some clients of Rails send it.",
         creations.bodies(lambda value: isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), dict), lambda value: next(iter(value.values())))),
        ("category.default", "A missing categoryId becomes 0, as in a Go struct.",
         creations.defaulted(_CATEGORY, 0))),
    *breaks("create.body.object", 2,
        ("body.null", "null creates an unnamed animal.",
         creations.bodies(lambda value: value is None, lambda _: json.loads(creations.ANYTHING))),
        ("body.string", "A string creates an animal with that name.",
         creations.bodies(lambda value: isinstance(value, str), lambda value: {"name": value, _CATEGORY: 1})),
        ("body.array-first",
         "The first object of an array is created, or an unnamed animal if there is none.",
         creations.bodies(lambda value: isinstance(value, list), lambda value: next((item for item in value if isinstance(item, dict)), json.loads(creations.ANYTHING))))),
    # The name
    *breaks("create.name.required", 2,
        ("name.default", "A missing name becomes 'unnamed'.", creations.defaulted("name", "unnamed"))),
    *breaks(_NAME_TYPE, 2,
        ("name.unchecked", "The type of a name is not checked where the status is omitted.",
         creations.bodies(lambda value: isinstance(value, dict) and "name" in value and "status" not in value, lambda value: {**value, "name": str(value["name"])})),
        ("name.number", "A number as name becomes a string of its digits.",
         creations.coerced("name", is_number, str)),
        ("name.boolean", "A boolean as name becomes 'True' or 'False'.",
         creations.coerced("name", creations.kind(bool), str)),
        ("name.null", "null as name becomes 'null'.",
         creations.coerced("name", creations.kind(type(None)), lambda _: "null"))),
    *breaks(_CATEGORY_TYPE, 2,
        ("category.digits", "A string of digits as categoryId becomes its number.",
         creations.coerced(_CATEGORY, lambda value: isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", value), int)),
        ("category.boolean", "true and false become the categoryIds 1 and 0.",
         creations.coerced(_CATEGORY, creations.kind(bool), int)),
        ("category.fraction", "The fraction of a categoryId is dropped.",
         creations.coerced(_CATEGORY, lambda value: type(value) is float and abs(value) < 2**53 and value != int(value), int)),
        ("category.null", "null as categoryId becomes 0.",
         creations.coerced(_CATEGORY, creations.kind(type(None)), lambda _: 0))),
    *breaks(_INT64, 2,
        ("category.beyond-wrapped", "A categoryId outside the int64 range keeps its lowest 64 bits.",
         creations.coerced(_CATEGORY, creations.kind(int), lambda value: signed(value, 64))),
        ("category.float-clamped",
         "A categoryId outside the int64 range that is written with an exponent becomes the nearest int64.",
         creations.coerced(_CATEGORY, lambda value: type(value) is float and 2**63 <= abs(value) < 1e300, lambda value: clamped(int(value)))),
        ("category.just-beyond", "2**63 is accepted as categoryId: the upper bound is one too large.",
         creations.coerced(_CATEGORY, lambda value: type(value) is int and value == 2**63, clamped))),
    # The status
    *breaks(_STATUS_TYPE, 2,
        ("status.number", "A number as status becomes a value of the enumeration.",
         creations.coerced("status", is_number, lambda value: STATUSES[int(value) % 3 if abs(value) < 2**53 else 0])),
        ("status.array", "An array as status is treated as its first element, or as available.",
         creations.coerced("status", creations.kind(list), lambda value: value[0] if value and value[0] in STATUSES else "available"))),
    *breaks("create.status.null", 2,
        ("status.null", "null as status is treated as omitted.",
         creations.coerced("status", creations.kind(type(None)), lambda _: "available"))),
    *breaks(_ENUMERATION, 2,
        ("status.any-word", "A status other than the three values is ignored.",
         creations.coerced("status", _word, lambda _: "available")),
        ("status.any-case", "A status is accepted in any case.",
         creations.coerced("status", lambda value: _word(value) and value.lower() in STATUSES, str.lower)),
        ("status.trimmed", "A status padded with white space is accepted.",
         creations.coerced("status", lambda value: _word(value) and value.strip() in STATUSES, str.strip)),
        ("status.empty", "An empty status is treated as omitted.",
         creations.coerced("status", lambda value: value == "", lambda _: "available"))),
    # The refusal
    *breaks("create.refusal.status", 1,
        ("refusal.422", "Rejected create requests return 422.",
         creations.readdressed("create_pet", 422, ""))),
    *breaks("create.refusal.status", 2,
        ("refusal.422.values", "Invalid values return 422, missing fields 400.",
         creations.readdressed("create_pet", 422, "invalid_field")),
        ("refusal.415.malformed", "A body that is not valid JSON returns 415.",
         creations.readdressed("create_pet", 415, "invalid_json"))),
    *breaks("create.refusal.untraced", 3,
        ("refusal.stored", "Rejected animals are stored anyway.",
         Steps(create_pet=creations.kept_although_refused))),
]  # fmt: skip
