"""Variants in what is accepted for an animal, and in the ids that it gets.

The interface document leaves open which categories exist, how long a name may be and of what, what
becomes of a missing status, and how ids are assigned.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

from animal_conformance.reference.changes import Steps, own, varies
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import field, shown
from animal_conformance.reference.mechanisms.common import refusing, signed
from animal_conformance.reference.mechanisms.creations import decoded, named, parsed, repaired, status_default
from animal_conformance.reference.mechanisms.identifiers import identified
from animal_conformance.reference.model import INT64_MAX

_ODD = 0x1E3779B97F4A7C15
"""Multiplying by an odd number gives every number of 63 bits another one."""

_BLOCKED = ("as", "ba", "ee", "hel", "od", "oj", "oo", "ti", "um", "wc")


def _unwelcome(when: Callable[[str], object]) -> Steps:
    return refusing("insert", 400, lambda payload, _: when(payload.name))


VARIANTS = [
    *varies(creations.refused_beside).rows(
        ("categories.closed", "Only categories in the catalogue are accepted.",
         400, lambda payload, others: (
             payload.category_id not in (1, 2, 3) and creations.uncategorised(payload, others))),
        ("names.near-duplicates",
         "A name that differs from that of another animal in one character is rejected as a likely typing error.",
         400, creations.nearly_namesake),
        ("names.unique", "A name that is already taken is rejected.", 400, creations.namesake)),
    *varies(refusing).rows(
        ("categories.positive", "A categoryId below 1 is rejected.",
         "insert", 400, lambda payload, _: payload.category_id < 1),
        ("categories.32-bit", "A categoryId outside the 32-bit range is rejected.",
         "insert", 400, lambda payload, _: signed(payload.category_id, 32) != payload.category_id),
        ("names.413",
         "Names of more than 1,000 characters return 413, as when a gateway limits body sizes.",
         "insert", 413, lambda payload, _: len(payload.name) > 1000)),
    *varies(_unwelcome).rows(
        ("names.not-empty", "Empty and blank names are rejected.", lambda name: not name.strip()),
        ("names.short", "Names of more than 50 characters are rejected.", lambda name: len(name) > 50),
        ("names.no-controls", "Names with control characters are rejected.",
         lambda name: any(unicodedata.category(letter) == "Cc" for letter in name)),
        ("names.no-nul", "Names with NUL are rejected.", lambda name: "\0" in name),
        ("names.letters",
         "Names with characters other than letters, spaces, hyphens and apostrophes are rejected.",
         lambda name: any(
             unicodedata.category(letter)[0] not in "LM" and letter not in " -'" for letter in name)),
        ("names.ascii", "Non-ASCII names are rejected.", lambda name: not name.isascii()),
        ("names.two-bytes", "Names with characters outside the Basic Multilingual Plane are rejected.",
         lambda name: any(letter > "\uffff" for letter in name)),
        ("names.no-markup", "Names with < or > are rejected.", lambda name: "<" in name or ">" in name),
        ("names.blocked-words",
         "Names that contain certain pairs of letters are rejected, as when words are blocked.",
         lambda name: any(pair in name.lower() for pair in _BLOCKED))),
    *varies(named).rows(
        ("names.trimmed", "White space around names is removed.", str.strip),
        ("names.composed", "Names are stored in Unicode normalisation form C.",
         lambda name: unicodedata.normalize("NFC", name)),
        ("names.decomposed", "Names are stored in Unicode normalisation form D.",
         lambda name: unicodedata.normalize("NFD", name))),
    *varies(identified).rows(
        ("ids.random",
         "Ids are spread over all positive int64 values.", lambda number: number * _ODD % 2**63),
        ("ids.signed", "Ids are spread over all int64 values.",
         lambda number: number * (2 * _ODD + 1) % 2**64 - 2**63),
        ("ids.negative", "Ids are negative.", lambda number: -number),
        ("ids.huge", "Ids are close to the largest int64.", lambda number: INT64_MAX - 1_000_000 + number),
        ("ids.beyond-doubles", "Ids are odd numbers above 2**53.", lambda number: 2**53 + 2 * number + 1),
        ("ids.descending", "Ids are descending.", lambda number: 10**12 - number),
        ("ids.from-zero", "Ids start at 0.", lambda number: number - 1),
        ("ids.gaps", "Ids are ascending with gaps of varying size.",
         lambda number: number * 1009 + number * number % 997)),
    *varies(status_default).rows(
        ("status.left-out", "The status of an animal created without one is omitted.", lambda: None),
        ("status.pending", "The status of an animal created without one is pending.", lambda: "pending"),
        ("status.sold", "The status of an animal created without one is sold.", lambda: "sold")),
    *varies(refusing).rows(
        ("properties.strict", "Unknown properties are rejected, including id.",
         "read_payload", 400,
         lambda value: isinstance(value, dict) and set(value) - {"name", "categoryId", "status"})),
    *varies(own).rows(
        ("properties.once", "Duplicate properties are rejected.",
         parsed(object_pairs_hook=creations.without_repetition)),
        ("numbers.integral", "A categoryId written as 5.0 is accepted.",
         parsed(parse_float=creations.integral))),
    *varies(repaired).rows(
        ("body.text-behind", "Text after the JSON of a create request is ignored.",
         lambda text: json.JSONDecoder().raw_decode(text.lstrip())[0]),
        ("body.not-a-number", "NaN and Infinity are parsed as numbers.", json.loads),
        ("body.comments", "Comments in the JSON of a create request are ignored.",
         lambda text: json.loads(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)))),
    *varies(decoded).rows(
        ("body.utf-8", "Malformed UTF-8 in a create request is replaced.",
         lambda body: body.decode(errors="replace").encode())),
    *varies(shown).rows(
        ("numbers.floats", "Responses write small categoryIds as numbers such as 5.0.",
         None, field("categoryId", lambda value: float(value) if abs(value) < 2**53 else value))),
]  # fmt: skip
