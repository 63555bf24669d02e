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
        ("crash.name.nul", "NUL in a name causes a 500, as when PostgreSQL rejects it.",
         500, lambda payload: "\0" in payload.name),
        ("crash.name.astral",
         "A name with characters outside the Basic Multilingual Plane causes a 500, as when MySQL's utf8 rejects it.",
         500, lambda payload: any(letter > "\uffff" for letter in payload.name)),
        ("crash.name.long",
         "A name of more than 255 characters causes a 500, as when a VARCHAR(255) rejects it.",
         500, lambda payload: len(payload.name) > 255),
        ("crash.name.quote", "An apostrophe in a name causes a 500: the SQL statement is concatenated.",
         500, lambda payload: "'" in payload.name),
        ("crash.name.empty", "An empty name causes a 500.", 500, lambda payload: not payload.name),
        ("crash.name.not-ascii", "A non-ASCII name causes a 500.",
         500, lambda payload: not payload.name.isascii()),
        ("crash.category.32-bit", "A categoryId outside the 32-bit range causes a 500.",
         500, lambda payload: signed(payload.category_id, 32) != payload.category_id)),
    *breaks(_CLAUSE, 4, payloads_refused).rows(
        ("crash.category.int64-minimum",
         "The smallest int64 as categoryId causes a 500: its absolute value overflows.",
         500, lambda payload: payload.category_id == INT64_MIN)),
    *breaks(_CLAUSE, 3, namesakes_refused).rows(
        ("crash.name.twice", "A second animal with the same name violates a uniqueness constraint: a 500.",
         500, CRASH)),
    *breaks(_CLAUSE, 2, categories_refused).rows(
        ("crash.category.unknown",
         "A category that is not in the catalogue violates a foreign key: a 500.",
         500, CRASH, ())),
    *breaks(_CLAUSE, 2, unhandled).rows(
        ("crash.body.malformed", "A body that is not JSON causes a 500.", "invalid_json"),
        ("crash.body.missing", "A create request without a body causes a 500.", "missing_body"),
        ("crash.body.field-missing",
         "A create request without a required field causes a 500: the missing key is not handled.",
         "missing_field"),
        ("crash.body.field-type",
         "A create request with a field of the wrong type causes a 500.", "invalid_field")),
    *breaks(_CLAUSE, 2, body_crashes).rows(
        ("crash.body.array", "A body that is an array causes a 500.",
         lambda body: body.lstrip().startswith(b"[")),
        ("crash.body.null", "A body that is null causes a 500.", lambda body: body.strip() == b"null")),
    *breaks(_CLAUSE, 2, parameter_crashes).rows(
        ("crash.limit.letters", "A limit that is not an integer causes a 500.",
         "limit", lambda text: integer(text) is None),
        ("crash.limit.negative", "A negative limit causes a 500, as when PostgreSQL rejects it.",
         "limit", lambda text: (integer(text) or 0) < 0),
        ("crash.limit.zero", "A limit of 0 causes a 500: a division by zero.",
         "limit", lambda text: integer(text) == 0),
        ("crash.limit.64-bit",
         "A limit outside the int64 range causes a 500.", "limit", lambda text: outside(text, 64)),
        ("crash.filter.unknown",
         "A status filter other than the three values causes a 500, as when a database enumeration rejects it.",
         "status", lambda text: text not in STATUSES),
        ("crash.filter.array",
         "A parameter status[] causes a 500: it is parsed as a list, which cannot be lower-cased.",
         "status[]", lambda _: True)),
    *breaks(_CLAUSE, 4, parameter_crashes).rows(
        ("crash.limit.hundred",
         "A limit of exactly 100 causes a 500: it reads past the end of a buffer.",
         "limit", lambda text: text == "100")),
    *breaks(_CLAUSE, 1, own).rows(
        ("crash.get.unknown",
         "An id that identifies no animal causes a 500: the empty result is not handled.",
         Steps(find=lambda before, animal_id: before(animal_id) or crash(happens=True)))),
    *breaks(_CLAUSE, 2, id_crashes).rows(
        ("crash.get.letters",
         "A petId that is not an integer causes a 500.", lambda text: integer(text) is None),
        ("crash.get.percent",
         "A petId that does not decode to UTF-8 causes a 500: the decoding error is not handled.",
         lambda text: "\ufffd" in text),
        ("crash.get.64-bit", "A petId outside the int64 range causes a 500.", lambda text: outside(text, 64)),
        ("crash.get.32-bit",
         "A petId outside the 32-bit range causes a 500.", lambda text: outside(text, 32))),
    *breaks(_CLAUSE, 2, own).rows(
        ("crash.auth.not-ascii",
         "A non-ASCII token causes a 500, as in a constant-time comparison of strings.",
         Steps(authenticate=lambda before, call: (
             crash(not (call.authorization or "").isascii()) or before(call)))),
        ("crash.auth.empty", "A bearer credential without a token causes a 500: there is no second word.",
         Steps(authenticate=lambda before, call: (
             crash(call.authorization is not None and len(call.authorization.split()) < 2) or before(call))))),
    *breaks(_CLAUSE, 4, sometimes_failing).rows(
        ("crash.sometimes", "Every fortieth request causes a 500.", 40, 500),
        ("crash.unavailable", "Every thirtieth request returns 503 without Retry-After.",
         30, 503)),
]  # fmt: skip
