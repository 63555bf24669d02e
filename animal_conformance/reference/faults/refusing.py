"""Faults of createPet with an invalid body, which must be refused with 400 and leave no trace ('Add an animal')."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from dataclasses import replace
from functools import partial

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.clients import by_worker
from animal_conformance.reference.mechanisms.common import (
    Answering,
    always,
    clamped,
    is_number,
    signed,
    sometimes,
)
from animal_conformance.reference.model import STATUSES, Call, Json, Reply

_CATEGORY = "categoryId"

_UNNAMED = json.loads(creations.ANYTHING)


def _word(value: Json) -> bool:
    return isinstance(value, str) and value not in STATUSES


def _unchecked(before: Answering, call: Call) -> Reply:
    """Treat any text that is not one of the three statuses as sold."""
    body = re.sub(rb'"status": *"(?!(?:available|pending|sold)")[^"\\]*"', b'"status":"sold"', call.body)
    return before(replace(call, body=body))


FAULTS = [
    # The body
    *breaks("create.body.required",
        ("body.optional", 2, "A create request without a body creates an unnamed animal.",
         Steps(decode=lambda before, body: before(body or creations.ANYTHING)))),
    *breaks("create.body.json",
        ("body.python", 2, "A Python dictionary with apostrophes is accepted.",
         creations.repaired(ast.literal_eval)),
        ("body.zeros", 4, "Numbers may begin with zeros.",
         creations.repaired(lambda text: json.loads(re.sub(r"(?<=\s)0+(?=\d)", "", text)))),
        ("body.hexadecimal", 4, "Numbers may be hexadecimal, as in JSON5.",
         creations.repaired(lambda text: json.loads(re.sub(r"\b0x\w+", lambda hexa: str(int(hexa[0], 16)), text))))),
    *breaks(("create.body.json", "create.category-id.int64"),
        ("body.anything", 2,
         "A body that is not valid JSON, or that Python cannot read, creates an unnamed animal.",
         creations.repaired(lambda text: json.loads(creations.ANYTHING if text else text)))),
    *breaks("create.category-id.required",
        ("body.empty-object", 2, "An empty object is not validated, and creates an unnamed animal.",
         creations.bodies(lambda value: value == {}, lambda _: _UNNAMED)),
        ("body.wrapped", 2,
         "A payload in the only field of an object is accepted, as some clients of Rails send it.",
         creations.bodies(lambda value: isinstance(value, dict) and [*map(type, value.values())] == [dict],
             lambda value: next(iter(value.values())))),
        ("category.snake-case", 2, "A property category_id is accepted in place of categoryId.",
         creations.bodies(lambda value: isinstance(value, dict) and "category_id" in value,
             lambda value: {_CATEGORY: value["category_id"], **value})),
        ("category.default", 2, "A missing categoryId becomes 0, as in a Go struct.",
         creations.bodies(lambda value: isinstance(value, dict), lambda value: {_CATEGORY: 0, **value}))),
    *breaks("create.body.object",
        ("body.null", 2, "null creates an unnamed animal.",
         creations.bodies(lambda value: value is None, lambda _: _UNNAMED)),
        ("body.scalar", 2, "A number or a boolean creates an unnamed animal.",
         creations.bodies(lambda value: isinstance(value, int | float), lambda _: _UNNAMED)),
        ("body.array-first", 2,
         "The first object of an array is created, or an unnamed animal if there is none.",
         creations.bodies(lambda value: isinstance(value, list),
             lambda value: next((each for each in value if isinstance(each, dict)), _UNNAMED))),
        ("body.string", 2, "A string creates an animal with that name.",
         creations.bodies(lambda value: isinstance(value, str),
             lambda value: {"name": value, _CATEGORY: 1}))),
    # The name
    *breaks("create.name.required",
        ("name.default", 2, "A missing name becomes 'unnamed'.",
         creations.bodies(lambda value: isinstance(value, dict), lambda value: {"name": "unnamed", **value}))),
    *breaks("create.name.type",
        ("name.unchecked", 2, "The type of a name is not checked where the status is omitted.",
         creations.bodies(lambda value: isinstance(value, dict) and "name" in value and "status" not in value,
             lambda value: {**value, "name": str(value["name"])})),
        ("name.array", 2, "An array as name is joined into a string.",
         creations.coerced("name", creations.kind(list), lambda value: ",".join(map(str, value)))),
        ("name.number", 2, "A number as name becomes a string of its digits.",
         creations.coerced("name", is_number, str)),
        ("name.boolean", 2, "A boolean as name becomes 'True' or 'False'.",
         creations.coerced("name", creations.kind(bool), str)),
        ("name.null", 2, "null as name becomes 'null'.",
         creations.coerced("name", creations.kind(type(None)), lambda _: "null"))),
    *breaks("create.category-id.type",
        ("category.digits", 2, "A string of digits as categoryId becomes its number.",
         creations.coerced(_CATEGORY, lambda value: isinstance(value, str)
             and re.fullmatch("-?[0-9]{1,18}", value), int)),
        ("category.words", 2, "A string that is not a number becomes the categoryId 0, as in older PHP.",
         creations.coerced(_CATEGORY, lambda value: isinstance(value, str)
             and not re.match(r"\s*[-+]?[0-9]", value), lambda _: 0)),
        ("category.array", 2, "An array as categoryId becomes the number of its items.",
         creations.coerced(_CATEGORY, creations.kind(list), len)),
        ("category.empty-array", 2, "An empty array as categoryId becomes 0, as by a cast in PHP.",
         creations.coerced(_CATEGORY, lambda value: value == [], len)),
        ("category.boolean", 2, "true and false become the categoryIds 1 and 0.",
         creations.coerced(_CATEGORY, creations.kind(bool), int)),
        ("category.fraction", 2, "The fraction of a categoryId is dropped.",
         creations.coerced(_CATEGORY, lambda value: type(value) is float and abs(value) < 2**53
             and value != int(value), int)),
        ("category.null", 2, "null as categoryId becomes 0.",
         creations.coerced(_CATEGORY, creations.kind(type(None)), lambda _: 0))),
    *breaks("create.category-id.int64",
        ("category.beyond-wrapped", 2, "A categoryId outside the int64 range keeps its lowest 64 bits.",
         creations.coerced(_CATEGORY, creations.kind(int), lambda value: signed(value, 64))),
        ("category.float-clamped", 2,
         "A categoryId outside the int64 range that is written with an exponent becomes the nearest int64.",
         creations.coerced(_CATEGORY, lambda value: type(value) is float and 2**63 <= abs(value) < 1e300,
             lambda value: clamped(int(value)))),
        ("category.just-beyond", 2, "2**63 is accepted as categoryId: the upper bound is one too large.",
         creations.coerced(_CATEGORY, lambda value: type(value) is int and value == 2**63, clamped))),
    # The status
    *breaks("create.status.type",
        ("status.number", 2, "A number as status becomes a value of the enumeration.",
         creations.coerced("status", is_number,
             lambda value: STATUSES[int(value) % 3 if abs(value) < 2**53 else 0])),
        ("status.true", 3, "true as status equals any text, as in PHP without strict comparison, and becomes available.",
         creations.coerced("status", lambda value: value is True, lambda _: "available")),
        ("status.array", 2, "An array as status is treated as its first element, or as available.",
         creations.coerced("status", creations.kind(list), lambda value: value[0] if value
             and value[0] in STATUSES else "available"))),
    *breaks("create.status.null",
        ("status.null", 2, "null as status is treated as omitted.",
         creations.coerced("status", creations.kind(type(None)), lambda _: "available"))),
    *breaks("create.status.enumeration",
        ("worker.older", 3, "One of four processes is of an older version, which stores any unknown status as sold.",
         by_worker(4, always, Steps(create_pet=_unchecked)))),
    *breaks("create.status.enumeration",
        ("status.any-word", 2, "A status other than the three values is ignored.",
         creations.coerced("status", _word, lambda _: "available")),
        ("status.any-case", 2, "A status is accepted in any case.",
         creations.coerced("status", lambda value: _word(value) and value.lower() in STATUSES, str.lower)),
        ("status.attribute", 3, "Any attribute of a Python enumeration is accepted as status, not only its values.",
         creations.coerced("status", lambda value: _word(value) and hasattr(object, value),
             lambda _: "available")),
        ("status.fourth", 2, "A fourth status, reserved, is accepted, and becomes pending.",
         creations.coerced("status", lambda value: value == "reserved", lambda _: "pending")),
        ("status.empty", 2, "An empty status is treated as omitted.",
         creations.coerced("status", lambda value: value == "", lambda _: "available")),
        ("status.c-string", 2, "A status is compared as a C string.",
         creations.coerced("status", lambda value: _word(value) and "\0" in value,
             lambda value: value.partition("\0")[0])),
        ("status.wide", 2, "A status in full-width letters is normalised.",
         creations.coerced("status", _word, lambda value: unicodedata.normalize("NFKC", value)))),
    # The refusal
    *breaks("create.refusal.status",
        ("refusal.422", 1, "Rejected create requests return 422.",
         creations.readdressed("create_pet", 422, "")),
        ("refusal.422.values", 2, "Invalid values return 422, missing fields 400.",
         creations.readdressed("create_pet", 422, "invalid_field"))),
    *breaks("create.refusal.untraced",
        ("refusal.stored", 3, "Rejected animals are stored anyway.",
         Steps(create_pet=creations.kept_although_refused)),
        ("refusal.stored.lower", 3, "Rejected animals are stored anyway, with their names in lower case.",
         Steps(create_pet=partial(creations.kept_although_refused, name=str.lower))),
        ("refusal.stored.nameless", 3, "An animal is stored before its name is checked, and stays without one.",
         Steps(create_pet=creations.kept_without_its_name)),
        ("refusal.stored.namesake", 3, "A name that is taken is rejected after the animal is stored, which stays.",
         creations.refused_beside(400, creations.namesake, kept=True)),
        ("refusal.overwrites", 3, "A name that is taken is rejected, and its animal gets the other values.",
         Steps(insert=creations.overwriting)),
        ("refusal.stored.429", 3,
         "Requests are counted when they are done: every fifth creation returns 429, and the animal stays.",
         sometimes(5, Steps(
             create_pet=lambda before, call: (before(call), error(429, "Wait.", Retry_After="0"))[1])))),
]  # fmt: skip
