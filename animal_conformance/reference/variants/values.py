"""Variants in what is accepted for an animal, and in the ids that it gets.

The interface document leaves open which categories exist, how long a name may be and which characters it may
have, what a missing status becomes, and how ids are assigned.
"""

from __future__ import annotations

import json
import re
import unicodedata

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import field, shown, without
from animal_conformance.reference.mechanisms.common import refuse, refusing, signed
from animal_conformance.reference.model import INT64_MAX

_ODD = 0x1E3779B97F4A7C15

"""Multiplying by an odd number gives every number of 63 bits another one."""

_BLOCKED = ("as", "ba", "ee", "hel", "od", "oj", "oo", "ti", "um", "wc")


VARIANTS = [
    *varies(
        ("categories.closed", "Only categories in the catalogue are accepted.",
         creations.refused_beside(400, lambda payload, others: (payload.category_id not in (1, 2, 3)
             and creations.uncategorised(payload, others)))),
        ("names.near-duplicates",
         "A name that differs from that of another animal in one character is rejected as a likely typing error.",
         creations.refused_beside(400, creations.nearly_namesake)),
        ("names.unique", "A name that is already taken is rejected.",
         creations.refused_beside(400, creations.namesake)),
        ("names.one-without-slug",
         "A name without an ASCII letter or digit is rejected if there is an animal with such a name.",
         creations.refused_beside(400, creations.likewise_without_slug)),
        ("categories.32-bit", "A categoryId outside the 32-bit range is rejected.",
         refusing("insert", 400, lambda payload, _: signed(payload.category_id, 32) != payload.category_id)),
        ("bodies.413", "Bodies of more than 1 KB return 413, as when a gateway limits their size.",
         refusing("decode", 413, lambda body: len(body) > 1024)),
        ("names.not-empty", "Empty and blank names are rejected.",
         refusing("insert", 400, lambda payload, _: not payload.name.strip())),
        ("names.short", "Names of more than 50 characters are rejected.",
         refusing("insert", 400, lambda payload, _: len(payload.name) > 50)),
        ("names.no-nul", "Names with NUL are rejected.",
         refusing("insert", 400, lambda payload, _: "\0" in payload.name)),
        ("names.ascii", "Non-ASCII names are rejected.",
         refusing("insert", 400, lambda payload, _: not payload.name.isascii())),
        ("names.16-bit", "Names with a character beyond 16 bits, which MySQL's utf8 does not have, are rejected.",
         refusing("insert", 400, lambda payload, _: max(payload.name, default="") > "\uffff")),
        ("names.letters",
         "Names with characters other than letters, spaces, hyphens and apostrophes are rejected.",
         refusing("insert", 400, lambda payload, _: any(
             unicodedata.category(each)[0] not in "LM" and each not in " -'" for each in payload.name))),
        ("names.blocked-words",
         "Names that contain certain pairs of letters are rejected, as when words are blocked.",
         refusing("insert", 400, lambda payload, _: any(each in payload.name.lower() for each in _BLOCKED))),
        ("names.trimmed", "White space around names is removed.", creations.named(str.strip)),
        ("names.composed", "Names are stored in Unicode normalisation form C.",
         creations.named(lambda name: unicodedata.normalize("NFC", name))),
        ("names.decomposed", "Names are stored in Unicode normalisation form D.",
         creations.named(lambda name: unicodedata.normalize("NFD", name))),
        ("ids.random", "Ids are spread over all positive int64 values.",
         Steps(identify=lambda _, number: number * _ODD % 2**63)),
        ("ids.signed", "Ids are spread over all int64 values.",
         Steps(identify=lambda _, number: number * (2 * _ODD + 1) % 2**64 - 2**63)),
        ("ids.beyond-doubles", "Ids are odd numbers above 2**53.",
         Steps(identify=lambda _, number: 2**53 + 2 * number + 1)),
        ("ids.negative", "Ids are negative.", Steps(identify=lambda _, number: -number)),
        ("ids.huge", "Ids are close to the largest int64.",
         Steps(identify=lambda _, number: INT64_MAX - 1_000_000 + number)),
        ("ids.descending", "Ids are descending.", Steps(identify=lambda _, number: 10**12 - number)),
        ("ids.from-zero", "Ids start at 0.", Steps(identify=lambda _, number: number - 1)),
        ("status.left-out", "The status of an animal created without one is omitted.",
         Steps(read_status=lambda before, given: before(given) if "status" in given else None)),
        ("status.left-out.got", "getPet leaves out a status that is the default, if the animal is old.",
         shown("getPet", lambda value: without("status")(value)
             if value["id"] < 85 and value["status"] == "available" else value)),
        ("status.pending", "The status of an animal created without one is pending.",
         Steps(read_status=lambda before, given: before({"status": "pending", **given}))),
        ("status.sold", "The status of an animal created without one is sold.",
         Steps(read_status=lambda before, given: before({"status": "sold", **given}))),
        ("properties.strict", "Unknown properties are rejected, including id.",
         refusing("read_payload", 400, lambda value: isinstance(value, dict)
             and set(value) - {"name", "categoryId", "status"})),
        ("properties.once", "Duplicate properties are rejected.",
         creations.parsed(object_pairs_hook=lambda items: (dict(items) if len(dict(items)) == len(items)
             else refuse(400, "A property is given twice.")))),
        ("numbers.integral", "A categoryId written as 5.0 is accepted.",
         creations.parsed(parse_float=creations.integral)),
        ("body.text-behind", "Text after the JSON of a create request is ignored.",
         creations.repaired(lambda text: json.JSONDecoder().raw_decode(text.lstrip())[0])),
        ("body.comments", "Comments in the JSON of a create request are ignored.",
         creations.repaired(lambda text: json.loads(re.sub(r"(?s)//[^\n]*|/\*.*?\*/", "", text)))),
        ("body.utf-8", "Malformed UTF-8 in a create request is replaced.",
         Steps(decode=lambda before, body: before(body.decode(errors="replace").encode()))),
        ("numbers.floats", "Responses write small categoryIds as numbers such as 5.0.",
         shown(None, field("categoryId", lambda value: float(value) if abs(value) < 2**53 else value)))),
]  # fmt: skip
