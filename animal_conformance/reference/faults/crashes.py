"""Faults that end in a 5xx, which no table of the interface document lists ('Errors')."""

from __future__ import annotations

import re
from collections.abc import Callable

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms.common import (
    always,
    integer,
    outside,
    refuse,
    refusing,
    signed,
    sometimes,
)
from animal_conformance.reference.mechanisms.creations import (
    namesake,
    readdressed,
    refused_beside,
    uncategorised,
)
from animal_conformance.reference.model import STATUSES

_CLAUSE = "http.server-error"


def _crashing(step: str, when: Callable[..., object]) -> Steps:
    return refusing(step, 500, when)


FAULTS = [
    *breaks(_CLAUSE, 2, _crashing).rows(
        # Creations
        ("crash.name.nul", "NUL in a name causes a 500, as when PostgreSQL rejects it.",
         "insert", lambda payload, _: "\0" in payload.name),
        ("crash.name.astral",
         "A name with characters outside the Basic Multilingual Plane causes a 500, as when MySQL's utf8 rejects it.",
         "insert", lambda payload, _: any(letter > "\uffff" for letter in payload.name)),
        ("crash.name.long",
         "A name of more than 255 characters causes a 500, as when a VARCHAR(255) rejects it.",
         "insert", lambda payload, _: len(payload.name) > 255),
        ("crash.name.quote", "An apostrophe in a name causes a 500: the SQL statement is concatenated.",
         "insert", lambda payload, _: "'" in payload.name),
        ("crash.name.empty", "An empty name causes a 500.", "insert", lambda payload, _: not payload.name),
        ("crash.category.32-bit", "A categoryId outside the 32-bit range causes a 500.",
         "insert", lambda payload, _: signed(payload.category_id, 32) != payload.category_id),
        ("crash.category.without-status",
         "A categoryId outside the 32-bit range causes a 500 without a status, which another statement stores.",
         "decode", lambda body: b'"status"' not in body and re.search(rb'"categoryId": *-?\d{10}', body)),
        ("crash.body.array", "A body that is an array causes a 500.",
         "decode", lambda body: body.lstrip().startswith(b"[")),
        ("crash.body.null", "A body of null causes a 500.", "decode", lambda body: body.strip() == b"null"),
        ("crash.body.digits", "An integer of more than 4,300 digits causes a 500, as Python's json raises no JSONDecodeError.",
         "decode", lambda body: re.search(rb"\d{4301}", body)),
        ("crash.body.mark", "A body that begins with a byte order mark causes a 500.",
         "decode", lambda body: body.startswith(b"\xef\xbb\xbf")),
        ("crash.body.dollar", "A field whose name begins with $ causes a 500, as MongoDB rejects it.",
         "decode", lambda body: b'"$' in body),
        # Parameters
        ("crash.limit.letters", "A limit that is not an integer causes a 500.",
         "read_limit", lambda values: any(integer(text) is None for text in values)),
        ("crash.limit.negative", "A negative limit causes a 500, as when PostgreSQL rejects it.",
         "read_limit", lambda values: any((integer(text) or 0) < 0 for text in values)),
        ("crash.limit.zero", "A limit of 0 causes a 500: a division by zero.",
         "read_limit", lambda values: any(integer(text) == 0 for text in values)),
        ("crash.limit.quote", "An apostrophe in a limit causes a 500: the SQL statement is concatenated.",
         "read_limit", lambda values: any("'" in each for each in values)),
        ("crash.limit.long", "A limit of more than 308 digits causes a 500: it is infinite as a double.",
         "read_limit", lambda values: any(len(each) > 308 for each in values)),
        ("crash.limit.64-bit", "A limit outside the int64 range causes a 500.",
         "read_limit", lambda values: any(outside(text, 64) for text in values)),
        ("crash.filter.unknown",
         "A status filter other than the three values causes a 500, as when a database enumeration rejects it.",
         "read_filter", lambda values: not set(values) <= set(STATUSES)),
        ("crash.filter.undecodable", "A status filter that does not decode to UTF-8 causes a 500.",
         "read_filter", lambda values: any("\ufffd" in each for each in values)),
        ("crash.filter.nul", "NUL in a status filter causes a 500, as when PostgreSQL rejects it.",
         "read_filter", lambda values: any("\0" in each for each in values)),
        ("crash.filter.long", "A status filter of more than 255 characters causes a 500.",
         "read_filter", lambda values: any(len(each) > 255 for each in values)),
        ("crash.filter.array",
         "A parameter status[] causes a 500: it is parsed as a list, which cannot be lower-cased.",
         "list_pets", lambda call: call.parameters("status[]")),
        # petIds
        ("crash.get.letters", "A petId that is not an integer causes a 500.",
         "read_pet_id", lambda text: integer(text) is None),
        ("crash.get.percent",
         "A petId that does not decode to UTF-8 causes a 500: the decoding error is not handled.",
         "read_pet_id", lambda text: "\ufffd" in text),
        ("crash.get.escape", "A petId with an escape that is none causes a 500, as decodeURIComponent raises a URIError.",
         "read_pet_id", lambda text: "%" in text),
        ("crash.get.nul", "NUL in a petId causes a 500.", "read_pet_id", lambda text: "\0" in text),
        ("crash.get.64-bit", "A petId outside the int64 range causes a 500.",
         "read_pet_id", lambda text: outside(text, 64)),
        ("crash.get.32-bit", "A petId outside the 32-bit range causes a 500.",
         "read_pet_id", lambda text: outside(text, 32)),
        # Keys
        ("crash.auth.not-ascii",
         "A non-ASCII token causes a 500, as in a constant-time comparison of strings.",
         "authenticate", lambda call: not (call.authorization or "").isascii()),
        ("crash.auth.quote", "An apostrophe in a token causes a 500: the SQL statement is concatenated.",
         "authenticate", lambda call: "'" in (call.authorization or "")),
        ("crash.auth.long", "A token of more than 255 characters causes a 500.",
         "authenticate", lambda call: len(call.authorization or "") > 262),
        ("crash.auth.empty", "A bearer credential without a token causes a 500: there is no second word.",
         "authenticate", lambda call: len((call.authorization or "no credential").split()) < 2)),
    *breaks(_CLAUSE, 4, _crashing).rows(
        ("crash.limit.hundred",
         "A limit of exactly 100 causes a 500: it reads past the end of a buffer.",
         "read_limit", lambda values: "100" in values)),
    *breaks(_CLAUSE, 3, refused_beside).rows(
        ("crash.name.twice", "A second animal with the same name violates a uniqueness constraint: a 500.",
         500, namesake)),
    *breaks(_CLAUSE, 2, refused_beside).rows(
        ("crash.category.unknown", "A category that is not in the catalogue violates a foreign key: a 500.",
         500, uncategorised)),
    *breaks(_CLAUSE, 2, readdressed).rows(
        ("crash.body.malformed", "A body that is not JSON causes a 500.", "create_pet", 500, "invalid_json"),
        ("crash.body.missing", "A create request without a body causes a 500.",
         "create_pet", 500, "missing_body"),
        ("crash.body.field-missing",
         "A create request without a required field causes a 500: the missing key is not handled.",
         "create_pet", 500, "missing_field"),
        ("crash.body.field-type", "A create request with a field of the wrong type causes a 500.",
         "create_pet", 500, "invalid_field")),
    *breaks(_CLAUSE, 1, own).rows(
        ("crash.get.unknown",
         "An id that identifies no animal causes a 500: the empty result is not handled.",
         Steps(find=lambda before, number: before(number) or refuse(500)))),
    *breaks(_CLAUSE, 4, sometimes).rows(
        ("crash.sometimes", "Every fortieth request causes a 500.",
         40, Steps(operate=lambda *_: refuse(500)), always),
        ("crash.unavailable", "Every thirtieth request returns 503 without Retry-After.",
         30, Steps(operate=lambda *_: refuse(503)), always)),
]  # fmt: skip
