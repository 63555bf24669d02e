"""Variants in what is accepted for an animal, and in the ids that it gets.

The interface document leaves open which categories exist, how long a name may be and of what, what
becomes of a missing status, and how ids are assigned.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import field, shown
from animal_conformance.reference.mechanisms.common import refusing, signed
from animal_conformance.reference.mechanisms.identifiers import identified
from animal_conformance.reference.model import INT64_MAX

_ODD = 0x1E3779B97F4A7C15

"""Multiplying by an odd number gives every number of 63 bits another one."""

_BLOCKED = ("as", "ba", "ee", "hel", "od", "oj", "oo", "ti", "um", "wc")


def _unwelcome(when: Callable[[str], object]) -> Steps:
    return refusing("insert", 400, lambda payload, _: when(payload.name))


VARIANTS = [
    *varies(
        ("categories.closed", "Only categories in the catalogue are accepted.",
         creations.refused_beside(400, lambda payload, others: (
             payload.category_id not in (1, 2, 3) and creations.uncategorised(payload, others)))),
        ("names.unique", "A name that is already taken is rejected.",
         creations.refused_beside(400, creations.namesake)),
        ("categories.positive", "A categoryId below 1 is rejected.",
         refusing("insert", 400, lambda payload, _: payload.category_id < 1)),
        ("categories.32-bit", "A categoryId outside the 32-bit range is rejected.",
         refusing("insert", 400, lambda payload, _: signed(payload.category_id, 32) != payload.category_id)),
        ("names.413", "Names of more than 1,000 characters return 413, as when a gateway limits body sizes.",
         refusing("insert", 413, lambda payload, _: len(payload.name) > 1000)),
        ("names.not-empty", "Empty and blank names are rejected.", _unwelcome(lambda name: not name.strip())),
        ("names.no-controls", "Names with control characters are rejected.",
         _unwelcome(lambda name: any(unicodedata.category(letter) == "Cc" for letter in name))),
        ("names.letters",
         "Names with characters other than letters, spaces, hyphens and apostrophes are rejected.",
         _unwelcome(lambda name: any(
             unicodedata.category(letter)[0] not in "LM" and letter not in " -'" for letter in name))),
        ("names.ascii", "Non-ASCII names are rejected.", _unwelcome(lambda name: not name.isascii())),
        ("names.no-markup", "Names with < or > are rejected.",
         _unwelcome(lambda name: "<" in name or ">" in name)),
        ("names.blocked-words",
         "Names that contain certain pairs of letters are rejected, as when words are blocked.",
         _unwelcome(lambda name: any(pair in name.lower() for pair in _BLOCKED))),
        ("names.trimmed", "White space around names is removed.", creations.named(str.strip)),
        ("names.composed", "Names are stored in Unicode normalisation form C.",
         creations.named(lambda name: unicodedata.normalize("NFC", name))),
        ("names.decomposed", "Names are stored in Unicode normalisation form D.",
         creations.named(lambda name: unicodedata.normalize("NFD", name))),
        ("ids.random", "Ids are spread over all positive int64 values.",
         identified(lambda number: number * _ODD % 2**63)),
        ("ids.negative", "Ids are negative.", identified(lambda number: -number)),
        ("ids.huge", "Ids are close to the largest int64.",
         identified(lambda number: INT64_MAX - 1_000_000 + number)),
        ("ids.descending", "Ids are descending.", identified(lambda number: 10**12 - number)),
        ("ids.from-zero", "Ids start at 0.", identified(lambda number: number - 1)),
        ("status.left-out", "The status of an animal created without one is omitted.",
         creations.status_default(lambda: None)),
        ("status.pending", "The status of an animal created without one is pending.",
         creations.status_default(lambda: "pending")),
        ("properties.strict", "Unknown properties are rejected, including id.",
         refusing("read_payload", 400, lambda value: isinstance(value, dict) and set(value) - {"name", "categoryId", "status"})),
        ("properties.once", "Duplicate properties are rejected.",
         creations.parsed(object_pairs_hook=creations.without_repetition)),
        ("body.text-behind", "Text after the JSON of a create request is ignored.",
         creations.repaired(lambda text: json.JSONDecoder().raw_decode(text.lstrip())[0])),
        ("body.comments", "Comments in the JSON of a create request are ignored.",
         creations.repaired(lambda text: json.loads(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)))),
        ("body.utf-8", "Malformed UTF-8 in a create request is replaced.",
         creations.decoded(lambda body: body.decode(errors="replace").encode())),
        ("numbers.floats", "Responses write small categoryIds as numbers such as 5.0.",
         shown(None, field("categoryId", lambda value: float(value) if abs(value) < 2**53 else value)))),
]  # fmt: skip
