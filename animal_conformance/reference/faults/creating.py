"""Faults of createPet with a valid body: accepted, and given back exactly as it was sent ('Add an animal')."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

from animal_conformance.reference.changes import breaks, made
from animal_conformance.reference.mechanisms import creations
from animal_conformance.reference.mechanisms.answers import field, shown, succeeded, without
from animal_conformance.reference.mechanisms.common import clamped, refuse, signed
from animal_conformance.reference.mechanisms.creations import (
    categorised,
    double,
    named,
    payloads_refused,
    shown_otherwise,
    stored,
)
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, Reply

_NAME, _CATEGORY, _STATUS = "create.name.exact", "create.category-id.exact", "create.status.exact"

FAULTS = [
    *breaks("create.answer", 1, succeeded).rows(
        ("create.200", "A create request returns 200.",
         "createPet", lambda reply: Reply(200, reply.value))),
    *breaks("create.answer", 3, creations.namesakes_refused).rows(
        ("create.409.namesake", "A second animal with the same name returns 409.",
         409, "There is an animal of this name.")),
    *breaks("create.answer", 3, creations.room).rows(
        ("create.409.full", "From the thirteenth on, create requests return 409.", 12)),
    *breaks("create.answer", 2, creations.categories_refused).rows(
        ("create.404.category", "A category that is not in the catalogue returns 404.",
         404, "There is no such category.", ())),
    *breaks("create.answer", 2, payloads_refused).rows(
        ("create.413.long-name", "A name of more than 60 characters returns 413.",
         413, lambda payload: len(payload.name) > 60),
        ("create.422.control", "A name with control characters returns 422.",
         422, lambda payload: re.search(r"[\0-\x1f\x7f]", payload.name)),
        ("create.422.negative-category", "A negative categoryId returns 422.",
         422, lambda payload: payload.category_id < 0)),
    *breaks("create.status.accepted", 2, payloads_refused).rows(
        ("create.sold-refused", "A create request with the status sold is rejected.",
         400, lambda payload: payload.status == "sold"),
        ("create.pending-refused", "A create request with the status pending is rejected.",
         400, lambda payload: payload.status == "pending")),
    *breaks("create.status.optional", 1, creations.status_default).rows(
        ("create.status-required", "A create request without a status is rejected.",
         lambda: refuse(400, "status is required."))),
    *breaks("create.id.assigned", 2, creations.adopting).rows(
        ("id.adopted", "An id sent by the client is used if it is free.", lambda wanted: wanted),
        ("id.adopted.32-bit", "An id sent by the client is used if it is free and fits into 32 bits.",
         lambda wanted: wanted if isinstance(wanted, int) and signed(wanted, 32) == wanted else None)),
    # The name
    *breaks(_NAME, 1, named).rows(
        ("name.lower-case", "Names are converted to lower case.", str.lower),
        ("name.title-case", "Words in names are capitalised.", str.title)),
    *breaks(_NAME, 2, named).rows(
        ("name.cut-at-255", "Names are truncated to 255 characters, as by a VARCHAR(255).",
         lambda name: name[:255]),
        ("name.cut-at-64-bytes", "Names are truncated to 64 bytes of UTF-8.",
         lambda name: name.encode()[:64].decode(errors="ignore")),
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
        ("name.unescaped", "HTML references are resolved.", html.unescape),
        ("name.markup-lost",
         "Anything that looks like a tag is removed.", lambda name: re.sub("<[^>]*>", "", name)),
        ("name.apostrophe-doubled", "Apostrophes are doubled, as for SQL.",
         lambda name: name.replace("'", "''")),
        ("name.backslash-lost", "Backslashes are removed.", lambda name: name.replace("\\", "")),
        ("name.backslash-added", "Quotation marks get a backslash, as by PHP's addslashes.",
         lambda name: re.sub(r"(['\"\\])", r"\\\1", name)),
        ("name.spaces-collapsed", "Runs of spaces are collapsed to one.",
         lambda name: re.sub("(?<=[^ ]) {2,}(?=[^ ])", " ", name)),
        ("name.percent-decoded", "Percent-encoding in names is decoded.",
         lambda name: unquote(name, errors="ignore")),
        ("name.form-decoded", "Plus signs in names become spaces, as in a form.",
         lambda name: name.replace("+", " ")),
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
    *breaks(_NAME, 2, creations.decoded).rows(
        ("name.pairs", "Each half of an escaped surrogate pair becomes a replacement character.",
         lambda body: re.sub(rb"\\ud[89a-f][0-9a-f]{2}", rb"\\ufffd", body))),
    *breaks(_NAME, 2, shown).rows(
        ("name.listed-short", "Lists truncate names to 40 characters.",
         "listPets", field("name", lambda name: name[:39] + "…" if len(name) > 40 else name))),
    *breaks(_NAME, 2, shown_otherwise).rows(
        ("name.separator-listed",
         "Lists escape the line separator twice, as when written for JavaScript.",
         "listPets", lambda payload: payload._replace(name=payload.name.replace("\u2028", "\\u2028")))),
    *breaks(_NAME, 3, made).rows(
        ("name.shared", "A create request gives its name to the animal created before it.",
         creations.sharing_names)),
    *breaks(_NAME, 1, shown_otherwise).rows(
        ("name.got-lower-case", "getPet returns the names of created animals in lower case.",
         "getPet", lambda payload: payload._replace(name=payload.name.lower()))),
    # The category
    *breaks(_CATEGORY, 2, categorised).rows(
        ("category.double", "A categoryId is a double: outside ±2**53 it is rounded.", double),
        ("category.single", "A categoryId is a single-precision number: outside ±2**24 it is rounded.",
         creations.single),
        ("category.32-bit-wrapped", "A categoryId keeps its lowest 32 bits.",
         lambda value: signed(value, 32)),
        ("category.16-bit-wrapped", "A categoryId keeps its lowest 16 bits.",
         lambda value: signed(value, 16)),
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
         "listPets", lambda payload: payload._replace(category_id=double(payload.category_id)))),
    # The status
    *breaks(_STATUS, 1, stored).rows(
        ("status.always-available", "Every animal is created as available.",
         lambda payload: payload._replace(status="available"))),
    *breaks(_STATUS, 2, stored).rows(
        ("status.sold-pending", "An animal created as sold is stored as pending.",
         lambda payload: payload._replace(status="pending") if payload.status == "sold" else payload)),
    *breaks(_STATUS, 1, shown).rows(
        ("status.answered-default", "A 201 always has the status available, regardless of what was stored.",
         "createPet", field("status", lambda _: "available"))),
    *breaks(_STATUS, 1, shown_otherwise).rows(
        ("status.got-default", "getPet returns created animals as available.",
         "getPet", lambda payload: payload._replace(status="available"))),
    *breaks(_STATUS, 2, shown).rows(
        ("status.pending-left-out", "A status of pending is omitted from the 201.",
         "createPet", lambda value: without("status")(value) if value.get("status") == "pending" else value)),
]  # fmt: skip
