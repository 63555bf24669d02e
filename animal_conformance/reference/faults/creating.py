"""Faults of createPet with a valid body, which must be accepted and returned exactly as sent ('Add an animal')."""

from __future__ import annotations

import html
import re
from functools import partial
from urllib.parse import unquote

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import clients, creations
from animal_conformance.reference.mechanisms.answers import answers
from animal_conformance.reference.mechanisms.common import clamped, later, refusing, signed
from animal_conformance.reference.mechanisms.refused import reserved
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, Reply

FAULTS = [
    *breaks("create.answer",
        ("create.200", 1, "A create request returns 200.",
         answers("createPet", lambda reply: Reply(200, reply.value))),
        ("create.409.namesake", 3, "A second animal with the same name returns 409.",
         creations.refused_beside(409, creations.namesake)),
        ("create.409.unauthorised", 3, "A creation with the name of one that was sent without the key returns 409.",
         reserved(401, 409)),
        ("create.413.long-name", 2, "A name of more than 60 characters returns 413.",
         refusing("insert", 413, lambda payload, _: len(payload.name) > 60))),
    *breaks("create.status.optional",
        ("create.status-required", 1, "A create request without a status is rejected.",
         refusing("read_status", 400, lambda properties: "status" not in properties)),
        ("create.status-required-later", 3, "From the hundredth create request on, one without a status is rejected.",
         later(100, refusing("read_status", 400, lambda properties: "status" not in properties)))),
    *breaks("create.id.assigned",
        ("id.adopted", 2, "An id sent by the client is used if it is free.",
         Steps(insert=partial(creations.adopting, taken=False))),
        ("id.adopted.counted-on", 2, "An id sent by the client is used if it is free, even as a text, and the next ids follow it.",
         Steps(insert=creations.counting_on))),
    # The name
    *breaks("create.name.exact",
        ("name.lower-case", 1, "Names are converted to lower case.", creations.named(str.lower)),
        ("name.got-lower-case", 1, "getPet returns the names of created animals in lower case.",
         Steps(represent=partial(creations.shown_otherwise, by="getPet",
             alter=lambda animal: animal._replace(name=animal.name.lower())))),
        ("name.got-cut", 2, "getPet returns the names of available animals truncated to 100 characters.",
         Steps(represent=partial(creations.shown_otherwise, by="getPet", alter=lambda animal: (
             animal._replace(name=animal.name[:100]) if animal.status == "available" else animal)))),
        ("name.cut-at-255", 2, "Names are truncated to 255 characters, as by a VARCHAR(255).",
         creations.named(lambda name: name[:255])),
        ("name.cut-at-64-kilobyte", 4, "Names are truncated to 65,535 bytes, as by MySQL's TEXT.",
         creations.named(lambda name: name.encode()[:65535].decode(errors="ignore"))),
        ("name.end.bang", 4, "An exclamation mark at the end of a name is lost.",
         creations.named(lambda name: name.removesuffix("!"))),
        ("name.cut-at-astral", 2,
         "Names are truncated at the first character outside the Basic Multilingual Plane, as by MySQL's utf8.",
         creations.named(lambda name: re.split(r"[\U00010000-\U0010ffff]", name, maxsplit=1)[0])),
        ("name.cut-at-nul", 2, "Names are truncated at NUL, like C strings.",
         creations.named(lambda name: name.split("\0")[0])),
        ("name.mojibake", 2, "UTF-8 is decoded as Latin-1.",
         creations.named(lambda name: name.encode().decode("latin-1"))),
        ("name.controls-lost", 2, "Control characters are removed.",
         creations.named(lambda name: re.sub(r"[\0-\x1f\x7f]", "", name))),
        ("name.joiners-lost", 2, "Zero-width characters are removed.",
         creations.named(lambda name: re.sub("[\u200b-\u200f\u2060\ufeff]", "", name))),
        ("name.escaped", 2, "Markup is escaped as for HTML.", creations.named(html.escape)),
        ("name.markup-lost", 2, "Anything that looks like a tag is removed.",
         creations.named(lambda name: re.sub("<[^>]*>", "", name))),
        ("name.backslash-added", 2, "Quotation marks get a backslash, as by PHP's addslashes.",
         creations.named(lambda name: re.sub(r"(['\"\\])", r"\\\1", name))),
        ("name.dollars", 2, "A name is filled in as a replacement: two dollar signs become one.",
         creations.named(lambda name: name.replace("$$", "$"))),
        ("name.caret-lost", 2, "Carets and tildes are removed.",
         creations.named(lambda name: re.sub("[\\^~]", "", name))),
        ("name.percent-decoded", 2, "Percent-encoding in names is decoded.",
         creations.named(lambda name: unquote(name, errors="ignore"))),
        ("name.typeset", 2, "An apostrophe between letters becomes a typographic one.",
         creations.named(lambda name: re.sub(r"(?<=\w)'(?=\w)", "\u2019", name))),
        ("name.crlf", 2, "CRLF becomes LF; CR alone is kept.",
         creations.named(lambda name: name.replace("\r\n", "\n"))),
        ("name.formula", 2,
         "A name that starts like a formula is prefixed with an apostrophe, as for a spreadsheet.",
         creations.named(lambda name: f"'{name}" if name.startswith("=") else name)),
        ("name.yaml", 2, "A name that YAML reads as false is stored as false.",
         creations.named(lambda name: "false" if name == "no" else name)),
        ("name.capitals", 2, "A name entirely in capitals is taken for shouting, and changed to title case.",
         creations.named(lambda name: name.title() if name.isupper() and len(name) > 2 else name)),
        ("name.decimal", 2, "Names that are decimal numbers lose trailing zeros.",
         creations.named(lambda name: (name.rstrip("0") if re.fullmatch(r"[0-9]+\.[0-9]*[1-9]0+", name)
             else name))),
        ("name.number-like", 2, "Names that are numbers lose leading zeros.",
         creations.named(lambda name: str(int(name)) if re.fullmatch("0[0-9]{1,20}", name) else name)),
        ("name.pairs", 2, "Each half of an escaped surrogate pair becomes a replacement character.",
         Steps(decode=lambda before, body: before(re.sub(rb"\\ud[89a-f][0-9a-f]{2}", rb"\\ufffd", body))))),
    # The category
    *breaks("create.category-id.exact",
        ("category.double", 2, "A categoryId is a double: outside ±2**53 it is rounded.",
         creations.categorised(creations.double)),
        ("category.double.second", 3, "One of two servers, which are given requests in turn, reads a categoryId as a double.",
         clients.in_turns(2, creations.categorised(creations.double))),
        ("category.32-bit-wrapped", 2, "A categoryId keeps its lowest 32 bits.",
         creations.categorised(lambda value: signed(value, 32))),
        ("category.byte", 2, "A categoryId between 128 and 255 becomes negative, as in a signed byte.",
         creations.categorised(lambda value: value - 256 if 128 <= value <= 255 else value)),
        ("category.unsigned", 2, "A negative categoryId loses its sign.",
         creations.categorised(lambda value: clamped(abs(value)))),
        ("category.zero-one", 2, "A categoryId of 0 becomes 1: it is not distinguished from a missing one.",
         creations.categorised(lambda value: value or 1)),
        ("category.listed-double", 2, "Lists return the categoryIds of created animals as doubles.",
         Steps(represent=partial(creations.shown_otherwise, by="listPets",
             alter=lambda animal: animal._replace(category_id=creations.double(animal.category_id))))),
        ("category.listed-24-bit", 2, "Lists return the categoryIds of pending animals within 24 bits.",
         Steps(represent=partial(creations.shown_otherwise, by="listPets", alter=lambda animal: (
             animal._replace(category_id=signed(animal.category_id, 24)) if animal.status == "pending" else animal)))),
        ("category.maximum", 4, "The largest int64 becomes the smallest.",
         creations.categorised(lambda value: INT64_MIN if value == INT64_MAX else value)),
        ("category.minimum", 4, "The smallest int64 becomes the next larger one.",
         creations.categorised(lambda value: max(value, INT64_MIN + 1)))),
    # The status
    *breaks("create.status.exact",
        ("status.always-available", 1, "Every animal is created as available.",
         creations.stored(lambda payload: payload._replace(status="available"))),
        ("status.got-default", 1, "getPet returns created animals as available.",
         Steps(represent=partial(creations.shown_otherwise, by="getPet",
             alter=lambda animal: animal._replace(status="available"))))),
]  # fmt: skip
