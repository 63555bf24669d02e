"""Faults of createPet with a valid body: accepted, and given back exactly as it was sent ('Add an animal')."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

from animal_conformance.reference.changes import breaks, own
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import answers, field, shown, without
from animal_conformance.reference.mechanisms.common import always, clamped, refusing, signed
from animal_conformance.reference.mechanisms.creations import (
    categorised,
    double,
    named,
    refused_beside,
    shown_otherwise,
    stored,
)
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, STATUSES, Reply

_NAME, _CATEGORY, _STATUS = "create.name.exact", "create.category-id.exact", "create.status.exact"
FIRST = [("status", each) for each in STATUSES]

FAULTS = [
    *breaks("create.answer", 1, answers).rows(
        ("create.200", "A create request returns 200.",
         "createPet", lambda reply: Reply(200, reply.value))),
    *breaks("create.answer", 3, refused_beside).rows(
        ("create.409.namesake", "A second animal with the same name returns 409.",
         409, creations.namesake)),
    *breaks("create.answer", 2, refused_beside).rows(
        ("create.404.category", "A category that is not in the catalogue returns 404.",
         404, creations.uncategorised)),
    *breaks("create.answer", 2, refusing).rows(
        ("create.413.long-name", "A name of more than 60 characters returns 413.",
         "insert", 413, lambda payload, _: len(payload.name) > 60),
        ("create.422.control", "A name with control characters returns 422.",
         "insert", 422, lambda payload, _: re.search(r"[\0-\x1f\x7f]", payload.name)),
        ("create.422.negative-category", "A negative categoryId returns 422.",
         "insert", 422, lambda payload, _: payload.category_id < 0)),
    *breaks("create.status.accepted", 2, refusing).rows(
        ("create.sold-refused", "A create request with the status sold is rejected.",
         "insert", 400, lambda payload, _: payload.status == "sold"),
        ("create.pending-refused", "A create request with the status pending is rejected.",
         "insert", 400, lambda payload, _: payload.status == "pending")),
    *breaks("create.status.optional", 1, refusing).rows(
        ("create.status-required", "A create request without a status is rejected.",
         "read_status", 400, lambda properties: "status" not in properties)),
    *breaks("create.id.assigned", 2, own).rows(
        ("id.adopted", "An id sent by the client is used if it is free.",
         creations.adopting(always, taken=False)),
        ("id.adopted.32-bit", "An id sent by the client is used if it is free and fits into 32 bits.",
         creations.adopting(lambda wanted: signed(wanted, 32) == wanted, taken=False)),
        ("id.adopted.underscored", "An _id sent by the client is used if it is free, as by MongoDB.",
         creations.adopting(always, taken=False, field="_id"))),
    # The name
    *breaks(_NAME, 1, named).rows(
        ("name.lower-case", "Names are converted to lower case.", str.lower)),
    *breaks(_NAME, 2, named).rows(
        ("name.cut-at-255", "Names are truncated to 255 characters, as by a VARCHAR(255).",
         lambda name: name[:255]),
        ("name.cut-at-astral",
         "Names are truncated at the first character outside the Basic Multilingual Plane, as by MySQL's utf8.",
         lambda name: re.split(r"[\U00010000-\U0010ffff]", name, maxsplit=1)[0]),
        ("name.cut-at-nul", "Names are truncated at NUL, like C strings.", lambda name: name.split("\0")[0]),
        ("name.cut-at-line", "Names are truncated after their first line.",
         lambda name: re.split(r"[\r\n]", name, maxsplit=1)[0]),
        ("name.latin-only", "Characters outside Latin-1 become question marks.",
         lambda name: name.encode("latin-1", "replace").decode("latin-1")),
        # Control characters between 0x80 and 0x9f come of it, which JSON carries.
        ("name.mojibake", "UTF-8 is decoded as Latin-1.", lambda name: name.encode().decode("latin-1")),
        ("name.controls-lost", "Control characters are removed.",
         lambda name: re.sub(r"[\0-\x1f\x7f]", "", name)),
        ("name.marks-lost", "Accents are removed.", creations.plain),
        ("name.joiners-lost", "Zero-width characters are removed.",
         lambda name: re.sub("[\u200b-\u200f\u2060\ufeff]", "", name)),
        ("name.escaped", "Markup is escaped as for HTML.", html.escape),
        ("name.markup-lost",
         "Anything that looks like a tag is removed.", lambda name: re.sub("<[^>]*>", "", name)),
        ("name.apostrophe-doubled", "Apostrophes are doubled, as for SQL.",
         lambda name: name.replace("'", "''")),
        ("name.backslash-added", "Quotation marks get a backslash, as by PHP's addslashes.",
         lambda name: re.sub(r"(['\"\\])", r"\\\1", name)),
        ("name.spaces-collapsed", "Runs of spaces are collapsed to one.",
         lambda name: re.sub("(?<=[^ ]) {2,}(?=[^ ])", " ", name)),
        ("name.percent-decoded", "Percent-encoding in names is decoded.",
         lambda name: unquote(name, errors="ignore")),
        ("name.comment", "What follows a # in a name is cut off, as from an address.",
         lambda name: name.partition(" #")[0]),
        ("name.typeset", "An apostrophe between letters becomes a typographic one.",
         lambda name: re.sub(r"(?<=\w)'(?=\w)", "\u2019", name)),
        ("name.ellipsis", "Three full stops become an ellipsis.", lambda name: name.replace("...", "\u2026")),
        ("name.emoji", "A word between colons becomes an emoji.", lambda name: name.replace(":cat:", "\U0001f408")),
        ("name.yaml", "A name that YAML reads as false is stored so.",
         lambda name: "false" if name == "no" else name),
        ("name.masked", "Addresses in names are masked.", lambda name: re.sub(r"[\w.]+@[\w.]+", "***", name)),
        ("name.cyrillic-lost", "Cyrillic letters become question marks, as in a column of Western European letters.",
         lambda name: re.sub("[\u0400-\u04ff]", "?", name)),
        ("name.crlf", "CRLF becomes LF; CR alone is kept.", lambda name: name.replace("\r\n", "\n")),
        ("name.typography", "Typographic quotation marks and dashes become plain ones.",
         lambda name: name.translate(str.maketrans("\u2019\u201c\u201d\u2013\u2014", '\'""--'))),
        ("name.formatted", "%s and %d in names are treated as format placeholders.",
         lambda name: re.sub("%[sd]", "", name)),
        ("name.dates",
         "Names that look like timestamps get milliseconds, as by a JSON library that detects dates.",
         lambda name: re.sub(r"\A(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z\Z", r"\1.000Z", name)),
        ("name.quotes-lost", "Quotation marks around a name are removed.",
         lambda name: name[1:-1] if re.fullmatch('".*"', name) else name),
        ("name.formula",
         "A name that starts like a formula is prefixed with an apostrophe, as for a spreadsheet.",
         lambda name: f"'{name}" if name.startswith("=") else name),
        ("name.decimal", "Names that are decimal numbers lose trailing zeros.",
         lambda name: name.rstrip("0") if re.fullmatch(r"[0-9]+\.[0-9]*[1-9]0+", name) else name),
        ("name.number-like", "Names that are numbers lose leading zeros.",
         lambda name: str(int(name)) if re.fullmatch("0[0-9]{1,20}", name) else name)),
    *breaks(_NAME, 2, own).rows(
        ("name.pairs", "Each half of an escaped surrogate pair becomes a replacement character.",
         creations.decoded(lambda body: re.sub(rb"\\ud[89a-f][0-9a-f]{2}", rb"\\ufffd", body))),
        ("name.listed-short", "Lists truncate names to 40 characters.",
         shown("listPets", field("name", lambda name: name[:39] + "…" if len(name) > 40 else name))),
        ("name.separator-listed", "Lists escape the line separator twice, as when written for JavaScript.",
         shown_otherwise("listPets", "name", lambda name: name.replace("\u2028", "\\u2028")))),
    *breaks(_NAME, 3, own).rows(
        ("name.shared", "A create request gives its name to the animal created before it.",
         creations.sharing_names)),
    *breaks(_NAME, 1, shown_otherwise).rows(
        ("name.got-lower-case", "getPet returns the names of created animals in lower case.",
         "getPet", "name", str.lower)),
    # The category
    *breaks(_CATEGORY, 2, categorised).rows(
        ("category.double", "A categoryId is a double: outside ±2**53 it is rounded.", double),
        ("category.byte", "A categoryId between 128 and 255 becomes negative, as in a signed byte.",
         lambda value: value - 256 if 128 <= value <= 255 else value),
        ("category.32-bit-wrapped", "A categoryId keeps its lowest 32 bits.",
         lambda value: signed(value, 32)),
        ("category.unsigned", "A negative categoryId loses its sign.", lambda value: clamped(abs(value))),
        ("category.zero-one", "A categoryId of 0 becomes 1: it is not distinguished from a missing one.",
         lambda value: value or 1)),
    *breaks(_CATEGORY, 4, categorised).rows(
        ("category.maximum", "The largest int64 becomes the smallest.",
         lambda value: INT64_MIN if value == INT64_MAX else value),
        ("category.minimum", "The smallest int64 becomes the next larger one.",
         lambda value: max(value, INT64_MIN + 1))),
    *breaks(_CATEGORY, 2, shown_otherwise).rows(
        ("category.listed-double", "Lists return the categoryIds of created animals as doubles.",
         "listPets", "categoryId", double)),
    # The status
    *breaks(_STATUS, 1, own).rows(
        ("status.always-available", "Every animal is created as available.",
         stored(lambda payload: payload._replace(status="available"))),
        ("status.answered-default", "A 201 always has the status available, regardless of what was stored.",
         shown("createPet", field("status", lambda _: "available"))),
        ("status.got-default", "getPet returns created animals as available.",
         shown_otherwise("getPet", "status", lambda _: "available"))),
    *breaks(_STATUS, 2, own).rows(
        ("status.sold-pending", "An animal created as sold is stored as pending.",
         stored(lambda payload: payload._replace(status="pending") if payload.status == "sold" else payload)),
        ("status.in-name", "A status in a name goes before the one that is given.",
         stored(lambda payload: payload._replace(
             status=next((each for each in STATUSES if each in payload.name), payload.status)))),
        ("status.first", "A status in front of the other fields is ignored.",
         creations.bodies(
             lambda value: isinstance(value, dict) and next(iter(value.items()), None) in FIRST,
             lambda value: {name: each for name, each in value.items() if name != "status"})),
        ("status.pending-left-out", "A status of pending is omitted from the 201.",
         shown("createPet", lambda value: (
             without("status")(value) if value.get("status") == "pending" else value)))),
]  # fmt: skip
