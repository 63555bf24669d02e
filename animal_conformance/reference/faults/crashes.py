"""Faults that end in a 5xx, which no table of the interface document lists ('Errors')."""

from __future__ import annotations

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms.common import CRASH, crash, integer, outside, signed
from animal_conformance.reference.mechanisms.conduct import sometimes_failing
from animal_conformance.reference.mechanisms.creations import (
    body_crashes,
    categories_refused,
    namesakes_refused,
    payloads_refused,
    unhandled,
)
from animal_conformance.reference.mechanisms.identifiers import id_crashes
from animal_conformance.reference.mechanisms.lists import parameter_crashes
from animal_conformance.reference.model import INT64_MIN, STATUSES

_CLAUSE = "http.server-error"

FAULTS = [
    *breaks(_CLAUSE, 2, payloads_refused).rows(
        ("crash.name.nul", "NUL in a name is a 500, as where PostgreSQL refuses it unasked.",
         500, lambda payload: "\0" in payload.name),
        ("crash.name.astral",
         "A name beyond the Basic Multilingual Plane is a 500, as where MySQL's utf8 refuses it.",
         500, lambda payload: any(letter > "\uffff" for letter in payload.name)),
        ("crash.name.long",
         "A name of more than 255 characters is a 500, as where a VARCHAR(255) refuses it.",
         500, lambda payload: len(payload.name) > 255),
        ("crash.name.quote", "An apostrophe in a name is a 500: the statement is glued together.",
         500, lambda payload: "'" in payload.name),
        ("crash.name.empty", "An empty name is a 500.", 500, lambda payload: not payload.name),
        ("crash.name.not-ascii", "A name beyond ASCII is a 500.",
         500, lambda payload: not payload.name.isascii()),
        ("crash.category.32-bit", "A categoryId beyond 32 bits is a 500.",
         500, lambda payload: signed(payload.category_id, 32) != payload.category_id)),
    *breaks(_CLAUSE, 4, payloads_refused).rows(
        ("crash.category.int64-minimum",
         "The smallest int64 for a categoryId is a 500: its absolute value overflows.",
         500, lambda payload: payload.category_id == INT64_MIN)),
    *breaks(_CLAUSE, 3, namesakes_refused).rows(
        ("crash.name.twice", "A second animal with the same name violates a uniqueness constraint: a 500.",
         500, CRASH)),
    *breaks(_CLAUSE, 2, categories_refused).rows(
        ("crash.category.unknown",
         "A category that the catalogue does not have violates a foreign key: a 500.",
         500, CRASH, ())),
    *breaks(_CLAUSE, 2, unhandled).rows(
        ("crash.body.malformed", "A body that is not JSON is a 500.", "invalid_json"),
        ("crash.body.missing", "A creation without a body is a 500.", "missing_body"),
        ("crash.body.field-missing",
         "A creation without a required field is a 500: nobody handles the missing key.", "missing_field"),
        ("crash.body.field-type", "A creation with a field of the wrong type is a 500.", "invalid_field")),
    *breaks(_CLAUSE, 2, body_crashes).rows(
        ("crash.body.array", "A body that is an array is a 500.",
         lambda body: body.lstrip().startswith(b"[")),
        ("crash.body.null", "A body that is null is a 500.", lambda body: body.strip() == b"null")),
    *breaks(_CLAUSE, 2, parameter_crashes).rows(
        ("crash.limit.letters", "A limit that is no integer is a 500.",
         "limit", lambda text: integer(text) is None),
        ("crash.limit.negative", "A negative limit is a 500, as where PostgreSQL refuses it.",
         "limit", lambda text: (integer(text) or 0) < 0),
        ("crash.limit.zero", "A limit of 0 is a 500: the number of pages is a division by it.",
         "limit", lambda text: integer(text) == 0),
        ("crash.limit.64-bit", "A limit beyond int64 is a 500.", "limit", lambda text: outside(text, 64)),
        ("crash.filter.unknown",
         "A status filter outside the three values is a 500, as where a database's enumeration refuses it.",
         "status", lambda text: text not in STATUSES),
        ("crash.filter.array",
         "A parameter status[] is a 500: it is read as a list, which has no lower case.",
         "status[]", lambda _: True)),
    *breaks(_CLAUSE, 4, parameter_crashes).rows(
        ("crash.limit.hundred",
         "A limit of exactly 100 is a 500: it reads one animal behind the end of its buffer.",
         "limit", lambda text: text == "100")),
    *breaks(_CLAUSE, 1, own).rows(
        ("crash.get.unknown", "An id that names no animal is a 500: nobody expects to find nothing.",
         Steps(find=lambda inner: lambda animal_id: inner(animal_id) or crash(happens=True)))),
    *breaks(_CLAUSE, 2, id_crashes).rows(
        ("crash.get.letters", "A petId that is no integer is a 500.", lambda text: integer(text) is None),
        ("crash.get.percent",
         "A petId that is not UTF-8 once it is decoded is a 500: nobody expects decoding to fail.",
         lambda text: "\ufffd" in text),
        ("crash.get.64-bit", "A petId beyond int64 is a 500.", lambda text: outside(text, 64)),
        ("crash.get.32-bit", "A petId beyond 32 bits is a 500.", lambda text: outside(text, 32))),
    *breaks(_CLAUSE, 2, own).rows(
        ("crash.auth.not-ascii",
         "A token beyond ASCII is a 500, as where texts are compared in a time that tells nothing of them.",
         Steps(authenticate=lambda inner: lambda call: (
             crash(not (call.authorization or "").isascii()) or inner(call)))),
        ("crash.auth.empty", "A bearer credential without a token is a 500: there is no second word to take.",
         Steps(authenticate=lambda inner: lambda call: (
             crash(call.authorization is not None and len(call.authorization.split()) < 2) or inner(call))))),
    *breaks(_CLAUSE, 4, sometimes_failing).rows(
        ("crash.sometimes", "Every fortieth request is a 500.", 40, 500),
        ("crash.unavailable", "Every thirtieth request is a 503, without a word on when to come again.",
         30, 503)),
]  # fmt: skip
