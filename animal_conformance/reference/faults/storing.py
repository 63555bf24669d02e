"""Faults of what a creation keeps: fields come back exactly as they were sent ('Add an animal', row 201)."""

from __future__ import annotations

import html
import re
import struct
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, Animal, Call, Json, Payload
from animal_conformance.reference.service import Service
from animal_conformance.reference.tools import categorised, named, shown, stored


def _name(name: str, sentence: str, alter: Callable[[str], str], depth: int = 2) -> Fault:
    return Fault(
        name=f"name.{name}",
        clauses=("create.name.exact",),
        depth=depth,
        sentence=sentence,
        insert=named(alter),
    )


def _category(name: str, sentence: str, alter: Callable[[int], int], depth: int = 2) -> Fault:
    return Fault(
        name=f"category.{name}",
        clauses=("create.category-id.exact",),
        depth=depth,
        sentence=sentence,
        insert=categorised(alter),
    )


def _status(name: str, sentence: str, depth: int = 1, **steps: Any) -> Fault:
    return Fault(
        name=f"status.{name}", clauses=("create.status.exact",), depth=depth, sentence=sentence, **steps
    )


def _without_marks(name: str) -> str:
    # What was composed is composed again, so that marks alone are lost.
    plain = "".join(
        letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter)
    )
    return unicodedata.normalize("NFC", plain) if plain != unicodedata.normalize("NFD", name) else name


def _mojibake(name: str) -> str:
    # Control characters between 0x80 and 0x9f come of it, which JSON carries.
    return name.encode().decode("latin-1")


def _utf8_cut(name: str, length: int) -> str:
    return name.encode()[:length].decode(errors="ignore")


def _signed(value: int, bits: int) -> int:
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _double(value: int) -> int:
    """What JavaScript makes of an integer."""
    return min(max(int(float(value)), INT64_MIN), INT64_MAX)


def _single(value: int) -> int:
    single: float
    (single,) = struct.unpack("f", struct.pack("f", value))
    return min(max(int(single), INT64_MIN), INT64_MAX)


def _shared_name(service: Service) -> None:
    """A creation gives its name to the one before, as where they share an object."""
    inner, last = service.insert, 0

    def insert(payload: Payload, call: Call) -> Animal:
        nonlocal last
        before = service.store.find(last)
        if before is not None:
            service.store.replace(before._replace(name=payload.name))
        animal = inner(payload, call)
        last = animal.id
        return animal

    service.insert = insert


def _created(alter: Callable[[Payload], Payload], *operations: str) -> Callable[[Service], None]:
    """Show animals of clients in another way in answers of those operations."""

    def install(service: Service) -> None:
        ids: set[int] = set()
        insert_, represent_ = service.insert, service.represent

        def insert(payload: Payload, call: Call) -> Animal:
            animal = insert_(payload, call)
            ids.add(animal.id)
            return animal

        def represent(animal: Animal, operation: str) -> Json:
            if operation in operations and animal.id in ids:
                animal = Animal(animal.id, *alter(Payload(*animal[1:])))
            return represent_(animal, operation)

        service.insert, service.represent = insert, represent

    return install


_NAMES = [
    _name("cut-at-255", "Names are cut after 255 characters.", lambda name: name[:255]),
    _name("cut-at-20", "Names are cut after 20 characters.", lambda name: name[:20]),
    _name("cut-at-64-bytes", "Names are cut after 64 bytes of UTF-8.", lambda name: _utf8_cut(name, 64)),
    _name(
        "cut-at-astral",
        "Names are cut at the first character beyond the Basic Multilingual Plane, as by MySQL's utf8.",
        lambda name: re.split(r"[\U00010000-\U0010ffff]", name, maxsplit=1)[0],
    ),
    _name("cut-at-nul", "Names end at NUL, as C strings do.", lambda name: name.split("\0")[0]),
    _name(
        "cut-at-line",
        "Names end with their first line.",
        lambda name: re.split(r"[\r\n]", name, maxsplit=1)[0],
    ),
    _name(
        "latin-only",
        "Characters beyond Latin-1 become question marks.",
        lambda name: name.encode("latin-1", "replace").decode("latin-1"),
    ),
    _name("mojibake", "UTF-8 is taken for Latin-1.", _mojibake),
    _name(
        "controls-lost", "Control characters are left out.", lambda name: re.sub(r"[\0-\x1f\x7f]", "", name)
    ),
    _name("marks-lost", "Accents are left out.", _without_marks),
    _name(
        "joiners-lost",
        "Characters of no width are left out.",
        lambda name: re.sub("[\u200b-\u200f\u2060\ufeff]", "", name),
    ),
    _name("lower-case", "Names are put into lower case.", str.lower, depth=1),
    _name("title-case", "Words are capitalised.", str.title, depth=1),
    _name("escaped", "Markup is escaped as for HTML.", html.escape),
    _name("unescaped", "HTML references are resolved.", html.unescape),
    _name("markup-lost", "What looks like a tag is left out.", lambda name: re.sub("<[^>]*>", "", name)),
    _name("apostrophe-doubled", "Apostrophes are doubled, as for SQL.", lambda name: name.replace("'", "''")),
    _name("backslash-lost", "Backslashes are left out.", lambda name: name.replace("\\", "")),
    _name(
        "backslash-added",
        "Quotation marks get a backslash, as by PHP's addslashes.",
        lambda name: re.sub(r"(['\"\\])", r"\\\1", name),
    ),
    _name(
        "spaces-collapsed",
        "Runs of spaces become one.",
        lambda name: re.sub("(?<=[^ ]) {2,}(?=[^ ])", " ", name),
    ),
    _name(
        "percent-decoded",
        "Percent encoding in names is resolved.",
        lambda name: unquote(name, errors="ignore"),
    ),
    _name(
        "form-decoded",
        "Plus signs in names become spaces, as in a form.",
        lambda name: name.replace("+", " "),
    ),
    _name("crlf", "CRLF becomes LF, and CR alone stays.", lambda name: name.replace("\r\n", "\n")),
    _name("empty-lines", "Empty lines are left out.", lambda name: re.sub("\n+", "\n", name)),
    _name(
        "selectors-lost",
        "Variation selectors and soft hyphens are left out.",
        lambda name: re.sub("[\ufe0f\u00ad]", "", name),
    ),
    _name(
        "typography",
        "Typographic quotation marks and dashes become plain ones.",
        lambda name: name.translate(str.maketrans("\u2019\u201c\u201d\u2013\u2014", '\'""--')),
    ),
    _name(
        "formatted",
        "%s and %d in names are taken for places to fill in.",
        lambda name: re.sub("%[sd]", "", name),
    ),
    _name(
        "dates",
        "Names that are points in time are written with milliseconds, as by a JSON library that looks for dates.",
        lambda name: re.sub(r"\A(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z\Z", r"\1.000Z", name),
    ),
    _name(
        "quotes-lost",
        "Quotation marks around a name are left out.",
        lambda name: name[1:-1] if re.fullmatch('".*"', name) else name,
    ),
    _name(
        "formula",
        "A name that begins as a formula gets an apostrophe before it, as for a spreadsheet.",
        lambda name: f"'{name}" if name.startswith("=") else name,
    ),
    _name(
        "decimal",
        "Names of digits with a fraction lose the zeros at its end.",
        lambda name: name.rstrip("0") if re.fullmatch(r"[0-9]+\.[0-9]*[1-9]0+", name, re.ASCII) else name,
    ),
    Fault(
        name="name.pairs",
        clauses=("create.name.exact",),
        depth=2,
        sentence="Of an escaped surrogate pair each half becomes a replacement character.",
        decode=lambda inner: lambda body: inner(re.sub(rb"\\ud[89a-f][0-9a-f]{2}", rb"\\ufffd", body)),
    ),
    _name(
        "number-like",
        "Leading zeros of names of digits are lost.",
        lambda name: str(int(name)) if re.fullmatch("0[0-9]{1,20}", name, re.ASCII) else name,
    ),
    Fault(
        name="name.listed-short",
        clauses=("create.name.exact",),
        depth=2,
        sentence="Lists show no more than 40 characters of a name.",
        represent=shown(
            lambda value, *_: (
                {**value, "name": value["name"][:39] + "…"} if len(value["name"]) > 40 else value
            ),
            "listPets",
        ),
    ),
    Fault(
        name="name.separator-listed",
        clauses=("create.name.exact",),
        depth=2,
        sentence="Lists escape the line separator twice, as where they are written for JavaScript.",
        install=_created(
            lambda payload: payload._replace(name=payload.name.replace("\u2028", "\\u2028")), "listPets"
        ),
    ),
    Fault(
        name="name.shared",
        clauses=("create.name.exact",),
        depth=3,
        sentence="A creation changes the name of the one before to its own.",
        install=_shared_name,
    ),
    Fault(
        name="name.got-lower-case",
        clauses=("create.name.exact",),
        depth=1,
        sentence="getPet shows the names of created animals in lower case.",
        install=_created(lambda payload: payload._replace(name=payload.name.lower()), "getPet"),
    ),
]

_CATEGORIES = [
    _category("double", "A categoryId is a double: beyond 2**53 it is rounded.", _double),
    _category("single", "A categoryId is a single-precision number: beyond 2**24 it is rounded.", _single),
    _category("32-bit-wrapped", "A categoryId keeps its lowest 32 bits.", lambda value: _signed(value, 32)),
    _category("16-bit-wrapped", "A categoryId keeps its lowest 16 bits.", lambda value: _signed(value, 16)),
    _category("unsigned", "A negative categoryId loses its sign.", lambda value: min(abs(value), INT64_MAX)),
    _category(
        "zero-one",
        "A categoryId of 0 becomes 1: nobody tells it from a missing one.",
        lambda value: value or 1,
    ),
    _category(
        "maximum",
        "The largest int64 becomes the smallest.",
        lambda value: INT64_MIN if value == INT64_MAX else value,
        depth=4,
    ),
    _category(
        "minimum",
        "The smallest int64 loses its last digit's worth: it becomes the one above it.",
        lambda value: max(value, INT64_MIN + 1),
        depth=4,
    ),
    Fault(
        name="category.listed-double",
        clauses=("create.category-id.exact",),
        depth=2,
        sentence="Lists show categoryIds of created animals as doubles.",
        install=_created(
            lambda payload: payload._replace(category_id=_double(payload.category_id)), "listPets"
        ),
    ),
]

_STATUSES = [
    _status(
        "always-available",
        "Every animal is created available.",
        insert=stored(lambda payload: payload._replace(status="available")),
    ),
    _status(
        "sold-pending",
        "An animal that is created as sold is pending.",
        depth=2,
        insert=stored(
            lambda payload: payload._replace(status="pending") if payload.status == "sold" else payload
        ),
    ),
    _status(
        "answered-default",
        "A 201 says available, whatever was stored.",
        represent=shown(lambda value, *_: {**value, "status": "available"}, "createPet"),
    ),
    _status(
        "got-default",
        "getPet shows created animals as available.",
        install=_created(lambda payload: payload._replace(status="available"), "getPet"),
    ),
    _status(
        "pending-left-out",
        "A status of pending is left out of the 201.",
        depth=2,
        represent=shown(
            lambda value, *_: (
                {name: item for name, item in value.items() if name != "status"}
                if value.get("status") == "pending"
                else value
            ),
            "createPet",
        ),
    ),
]

FAULTS = [*_NAMES, *_CATEGORIES, *_STATUSES]
