"""Faults of createPet with a valid body: accepted, and given back exactly as it was sent ('Add an animal')."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

from animal_conformance.reference.changes import breaks
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import answers, field, shown
from animal_conformance.reference.mechanisms.common import refusing, signed
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, STATUSES, Reply

_NAME, _CATEGORY, _STATUS = "create.name.exact", "create.category-id.exact", "create.status.exact"

FIRST = [("status", each) for each in STATUSES]

FAULTS = [
    *breaks("create.answer", 1,
        ("create.200", "A create request returns 200.",
         answers("createPet", lambda reply: Reply(200, reply.value)))),
    *breaks("create.answer", 3,
        ("create.409.namesake", "A second animal with the same name returns 409.",
         creations.refused_beside(409, creations.namesake))),
    *breaks("create.answer", 2,
        ("create.413.long-name", "A name of more than 60 characters returns 413.",
         refusing("insert", 413, lambda payload, _: len(payload.name) > 60)),
        ("create.422.control", "A name with control characters returns 422.",
         refusing("insert", 422, lambda payload, _: re.search(r"[\0-\x1f\x7f]", payload.name)))),
    *breaks("create.status.accepted", 2,
        ("create.pending-refused", "A create request with the status pending is rejected.",
         refusing("insert", 400, lambda payload, _: payload.status == "pending"))),
    *breaks("create.status.optional", 1,
        ("create.status-required", "A create request without a status is rejected.",
         refusing("read_status", 400, lambda properties: "status" not in properties))),
    *breaks("create.id.assigned", 2,
        ("id.adopted", "An id sent by the client is used if it is free.", creations.adopting(taken=False))),
    # The name
    *breaks(_NAME, 1,
        ("name.lower-case", "Names are converted to lower case.", creations.named(str.lower))),
    *breaks(_NAME, 2,
        ("name.cut-at-255", "Names are truncated to 255 characters, as by a VARCHAR(255).",
         creations.named(lambda name: name[:255])),
        ("name.cut-at-astral",
         "Names are truncated at the first character outside the Basic Multilingual Plane, as by MySQL's utf8.",
         creations.named(lambda name: re.split(r"[\U00010000-\U0010ffff]", name, maxsplit=1)[0])),
        ("name.cut-at-nul", "Names are truncated at NUL, like C strings.",
         creations.named(lambda name: name.split("\0")[0])),
        ("name.mojibake", "UTF-8 is decoded as Latin-1.",
         creations.named(lambda name: name.encode().decode("latin-1"))),
        ("name.controls-lost", "Control characters are removed.",
         creations.named(lambda name: re.sub(r"[\0-\x1f\x7f]", "", name))),
        ("name.marks-lost", "Accents are removed.", creations.named(creations.plain)),
        ("name.joiners-lost", "Zero-width characters are removed.",
         creations.named(lambda name: re.sub("[\u200b-\u200f\u2060\ufeff]", "", name))),
        ("name.escaped", "Markup is escaped as for HTML.", creations.named(html.escape)),
        ("name.markup-lost", "Anything that looks like a tag is removed.",
         creations.named(lambda name: re.sub("<[^>]*>", "", name))),
        ("name.backslash-added", "Quotation marks get a backslash, as by PHP's addslashes.",
         creations.named(lambda name: re.sub(r"(['\"\\])", r"\\\1", name))),
        ("name.spaces-collapsed", "Runs of spaces are collapsed to one.",
         creations.named(lambda name: re.sub("(?<=[^ ]) {2,}(?=[^ ])", " ", name))),
        ("name.percent-decoded", "Percent-encoding in names is decoded.",
         creations.named(lambda name: unquote(name, errors="ignore"))),
        ("name.typeset", "An apostrophe between letters becomes a typographic one.",
         creations.named(lambda name: re.sub(r"(?<=\w)'(?=\w)", "\u2019", name))),
        ("name.masked", "Addresses in names are masked.",
         creations.named(lambda name: re.sub(r"[\w.]+@[\w.]+", "***", name))),
        ("name.crlf", "CRLF becomes LF; CR alone is kept.",
         creations.named(lambda name: name.replace("\r\n", "\n"))),
        ("name.typography", "Typographic quotation marks and dashes become plain ones.",
         creations.named(lambda name: name.translate(str.maketrans("\u2019\u201c\u201d\u2013\u2014", '\'""--')))),
        ("name.dates",
         "Names that look like timestamps get milliseconds, as by a JSON library that detects dates.",
         creations.named(lambda name: re.sub(r"\A(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z\Z", r"\1.000Z", name))),
        ("name.formula",
         "A name that starts like a formula is prefixed with an apostrophe, as for a spreadsheet.",
         creations.named(lambda name: f"'{name}" if name.startswith("=") else name)),
        ("name.number-like", "Names that are numbers lose leading zeros.",
         creations.named(lambda name: str(int(name)) if re.fullmatch("0[0-9]{1,20}", name) else name)),
        ("name.pairs", "Each half of an escaped surrogate pair becomes a replacement character.",
         creations.decoded(lambda body: re.sub(rb"\\ud[89a-f][0-9a-f]{2}", rb"\\ufffd", body))),
        ("name.listed-short", "Lists truncate names to 40 characters.",
         shown("listPets", field("name", lambda name: name[:39] + "…" if len(name) > 40 else name)))),
    # The category
    *breaks(_CATEGORY, 2,
        ("category.double", "A categoryId is a double: outside ±2**53 it is rounded.",
         creations.categorised(creations.double)),
        ("category.32-bit-wrapped", "A categoryId keeps its lowest 32 bits.",
         creations.categorised(lambda value: signed(value, 32))),
        ("category.zero-one", "A categoryId of 0 becomes 1: it is not distinguished from a missing one.",
         creations.categorised(lambda value: value or 1))),
    *breaks(_CATEGORY, 4,
        ("category.maximum", "The largest int64 becomes the smallest.",
         creations.categorised(lambda value: INT64_MIN if value == INT64_MAX else value)),
        ("category.minimum", "The smallest int64 becomes the next larger one.",
         creations.categorised(lambda value: max(value, INT64_MIN + 1)))),
    # The status
    *breaks(_STATUS, 1,
        ("status.always-available", "Every animal is created as available.",
         creations.stored(lambda payload: payload._replace(status="available"))),
        ("status.got-default", "getPet returns created animals as available.",
         creations.shown_otherwise(("getPet",), lambda animal: animal._replace(status="available")))),
    *breaks(_STATUS, 2,
        ("status.first", "A status in front of the other fields is ignored.",
         creations.bodies(
             lambda value: isinstance(value, dict) and next(iter(value.items()), None) in FIRST,
             lambda value: {name: each for name, each in value.items() if name != "status"}))),
]  # fmt: skip
