"""Faults that end in a 5xx, which no table of the interface document lists ('Errors')."""

from __future__ import annotations

import re

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.common import integer, refuse, refusing, signed, sometimes
from animal_conformance.reference.model import STATUSES

FAULTS = [
    *breaks("http.server-error",
        ("crash.name.nul", 2, "NUL in a name causes a 500, as when PostgreSQL rejects it.",
         refusing("insert", 500, lambda payload, _: "\0" in payload.name)),
        ("crash.name.astral", 2,
         "A name with characters outside the Basic Multilingual Plane causes a 500, as when MySQL's utf8 rejects it.",
         refusing("insert", 500, lambda payload, _: any(letter > "\uffff" for letter in payload.name))),
        ("crash.name.long", 2,
         "A name of more than 255 characters causes a 500, as when a VARCHAR(255) rejects it.",
         refusing("insert", 500, lambda payload, _: len(payload.name) > 255)),
        ("crash.name.quote", 2, "An apostrophe in a name causes a 500: the SQL statement is concatenated.",
         refusing("insert", 500, lambda payload, _: "'" in payload.name)),
        ("crash.name.empty", 2, "An empty name causes a 500.",
         refusing("insert", 500, lambda payload, _: not payload.name)),
        ("crash.category.32-bit", 2, "A categoryId outside the 32-bit range causes a 500.",
         refusing("insert", 500, lambda payload, _: signed(payload.category_id, 32) != payload.category_id)),
        ("crash.body.array", 2, "A body that is an array causes a 500.",
         refusing("decode", 500, lambda body: body.lstrip().startswith(b"["))),
        ("crash.body.digits", 2,
         "An integer of more than 4,300 digits causes a 500, as Python's json raises no JSONDecodeError.",
         refusing("decode", 500, lambda body: re.search(rb"\d{4301}", body))),
        ("crash.body.mark", 2, "A body that begins with a byte order mark causes a 500.",
         refusing("decode", 500, lambda body: body.startswith(b"\xef\xbb\xbf"))),
        ("crash.limit.letters", 2, "A limit that is not an integer causes a 500.",
         refusing("read_limit", 500, lambda values: any(integer(text) is None for text in values))),
        ("crash.filter.unknown", 2,
         "A status filter other than the three values causes a 500, as when a database enumeration rejects it.",
         refusing("read_filter", 500, lambda values: not set(values) <= set(STATUSES))),
        ("crash.get.letters", 2, "A petId that is not an integer causes a 500.",
         refusing("read_pet_id", 500, lambda text: integer(text) is None)),
        ("crash.get.percent", 2,
         "A petId that does not decode to UTF-8 causes a 500: the decoding error is not handled.",
         refusing("read_pet_id", 500, lambda text: "\ufffd" in text)),
        ("crash.get.32-bit", 2, "A petId outside the 32-bit range causes a 500.",
         refusing("read_pet_id", 500, lambda text: signed(integer(text) or 0, 32) != (integer(text) or 0))),
        ("crash.auth.not-ascii", 2,
         "A non-ASCII token causes a 500, as in a constant-time comparison of strings.",
         refusing("authenticate", 500, lambda call: not (call.authorization or "").isascii())),
        ("crash.auth.empty", 2, "A bearer credential without a token causes a 500: there is no second word.",
         refusing("authenticate", 500, lambda call: len((call.authorization or "no credential").split()) < 2)),
        ("crash.limit.hundred", 4, "A limit of exactly 100 causes a 500: it reads past the end of a buffer.",
         refusing("read_limit", 500, lambda values: "100" in values)),
        ("crash.name.twice", 3, "A second animal with the same name violates a uniqueness constraint: a 500.",
         creations.refused_beside(500, creations.namesake)),
        ("crash.body.malformed", 2, "A body that is not JSON causes a 500.",
         creations.readdressed("create_pet", 500, "invalid_json")),
        ("crash.body.field-missing", 2,
         "A create request without a required field causes a 500: the missing key is not handled.",
         creations.readdressed("create_pet", 500, "missing_field")),
        ("crash.get.unknown", 1,
         "An id that identifies no animal causes a 500: the empty result is not handled.",
         Steps(find=lambda before, number: before(number) or refuse(500))),
        ("crash.sometimes", 4, "Every fortieth request causes a 500.",
         sometimes(40, Steps(operate=lambda *_: refuse(500)), lambda _: True))),
]  # fmt: skip
