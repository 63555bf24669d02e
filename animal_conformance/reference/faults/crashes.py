"""Faults that end in a 5xx, which no table of the interface document lists ('Errors')."""

from __future__ import annotations

import re
from collections.abc import Callable

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.common import (
    always,
    integer,
    outside,
    refuse,
    refusing,
    signed,
    sometimes,
)
from animal_conformance.reference.model import STATUSES

_CLAUSE = "http.server-error"


def _crashing(step: str, when: Callable[..., object]) -> Steps:
    return refusing(step, 500, when)


FAULTS = [
    *breaks(_CLAUSE, 2,
        ("crash.name.nul", "NUL in a name causes a 500, as when PostgreSQL rejects it.",
         _crashing("insert", lambda payload, _: "\0" in payload.name)),
        ("crash.name.astral",
         "A name with characters outside the Basic Multilingual Plane causes a 500, as when MySQL's utf8 rejects it.",
         _crashing("insert", lambda payload, _: any(letter > "\uffff" for letter in payload.name))),
        ("crash.name.long",
         "A name of more than 255 characters causes a 500, as when a VARCHAR(255) rejects it.",
         _crashing("insert", lambda payload, _: len(payload.name) > 255)),
        ("crash.name.quote", "An apostrophe in a name causes a 500: the SQL statement is concatenated.",
         _crashing("insert", lambda payload, _: "'" in payload.name)),
        ("crash.name.empty", "An empty name causes a 500.",
         _crashing("insert", lambda payload, _: not payload.name)),
        ("crash.category.32-bit", "A categoryId outside the 32-bit range causes a 500.",
         _crashing("insert", lambda payload, _: signed(payload.category_id, 32) != payload.category_id)),
        ("crash.body.array", "A body that is an array causes a 500.",
         _crashing("decode", lambda body: body.lstrip().startswith(b"["))),
        ("crash.body.digits",
         "An integer of more than 4,300 digits causes a 500, as Python's json raises no JSONDecodeError.",
         _crashing("decode", lambda body: re.search(rb"\d{4301}", body))),
        ("crash.body.mark", "A body that begins with a byte order mark causes a 500.",
         _crashing("decode", lambda body: body.startswith(b"\xef\xbb\xbf"))),
        ("crash.body.dollar", "A field whose name begins with $ causes a 500, as MongoDB rejects it.",
         _crashing("decode", lambda body: b'"$' in body)),
        ("crash.limit.letters", "A limit that is not an integer causes a 500.",
         _crashing("read_limit", lambda values: any(integer(text) is None for text in values))),
        ("crash.limit.zero", "A limit of 0 causes a 500: a division by zero.",
         _crashing("read_limit", lambda values: any(integer(text) == 0 for text in values))),
        ("crash.limit.64-bit", "A limit outside the int64 range causes a 500.",
         _crashing("read_limit", lambda values: any(outside(text, 64) for text in values))),
        ("crash.filter.unknown",
         "A status filter other than the three values causes a 500, as when a database enumeration rejects it.",
         _crashing("read_filter", lambda values: not set(values) <= set(STATUSES))),
        ("crash.filter.undecodable", "A status filter that does not decode to UTF-8 causes a 500.",
         _crashing("read_filter", lambda values: any("\ufffd" in each for each in values))),
        ("crash.filter.array",
         "A parameter status[] causes a 500: it is parsed as a list, which cannot be lower-cased.",
         _crashing("list_pets", lambda call: call.parameters("status[]"))),
        ("crash.get.letters", "A petId that is not an integer causes a 500.",
         _crashing("read_pet_id", lambda text: integer(text) is None)),
        ("crash.get.percent",
         "A petId that does not decode to UTF-8 causes a 500: the decoding error is not handled.",
         _crashing("read_pet_id", lambda text: "\ufffd" in text)),
        ("crash.get.64-bit", "A petId outside the int64 range causes a 500.",
         _crashing("read_pet_id", lambda text: outside(text, 64))),
        ("crash.get.32-bit", "A petId outside the 32-bit range causes a 500.",
         _crashing("read_pet_id", lambda text: outside(text, 32))),
        ("crash.auth.not-ascii",
         "A non-ASCII token causes a 500, as in a constant-time comparison of strings.",
         _crashing("authenticate", lambda call: not (call.authorization or "").isascii())),
        ("crash.auth.empty", "A bearer credential without a token causes a 500: there is no second word.",
         _crashing("authenticate", lambda call: len((call.authorization or "no credential").split()) < 2)),
        ("crash.category.unknown", "A category that is not in the catalogue violates a foreign key: a 500.",
         creations.refused_beside(500, creations.uncategorised)),
        ("crash.body.malformed", "A body that is not JSON causes a 500.",
         creations.readdressed("create_pet", 500, "invalid_json")),
        ("crash.body.field-missing",
         "A create request without a required field causes a 500: the missing key is not handled.",
         creations.readdressed("create_pet", 500, "missing_field"))),
    *breaks(_CLAUSE, 4,
        ("crash.limit.hundred", "A limit of exactly 100 causes a 500: it reads past the end of a buffer.",
         _crashing("read_limit", lambda values: "100" in values)),
        ("crash.sometimes", "Every fortieth request causes a 500.",
         sometimes(40, Steps(operate=lambda *_: refuse(500)), always))),
    *breaks(_CLAUSE, 3,
        ("crash.name.twice", "A second animal with the same name violates a uniqueness constraint: a 500.",
         creations.refused_beside(500, creations.namesake))),
    *breaks(_CLAUSE, 1,
        ("crash.get.unknown",
         "An id that identifies no animal causes a 500: the empty result is not handled.",
         Steps(find=lambda before, number: before(number) or refuse(500)))),
]  # fmt: skip
