"""Faults that look like lawful changes of animals; each has its like in variants/twins_changed.py."""

from __future__ import annotations

from animal_conformance.reference.changes import breaks
from animal_conformance.reference.mechanisms.answers import field, shown
from animal_conformance.reference.mechanisms.changed import (
    changed_after,
    changing,
    listed_as_created,
    now_and_then,
    read_otherwise,
    recategorised,
    renamed,
    replicated,
    reserved,
    stored_for,
)
from animal_conformance.reference.mechanisms.common import unstated
from animal_conformance.reference.model import Payload

_NAME, _CATEGORY, _STATUS = "create.name.exact", "create.category-id.exact", "create.status.exact"
_STABLE = "animal.id.stable"
_READINGS = ("getPet", "listPets")

FAULTS = [
    *breaks((_NAME, _STABLE), 3, changing).rows(
        ("changed.got-old", "At the fortieth creation, every animal is renamed; getPet keeps the old names.",
         renamed, lambda operation, *_: operation == "getPet"),
        ("changed.listed-old", "At the fortieth creation, every animal is renamed; lists keep the old names.",
         renamed, lambda operation, *_: operation == "listPets")),
    *breaks((_CATEGORY, _STABLE), 3, replicated).rows(
        ("changed.replica",
         "At the fortieth creation, every category changes; every third response is from before that.",
         3, recategorised)),
    *breaks(_STATUS, 3, listed_as_created).rows(
        ("changed.listed-available",
         "A new animal that is available becomes pending soon; lists without a filter never show it.",
         0.4, reserved)),
    *breaks((_NAME, _STABLE), 3, stored_for).rows(
        ("cached.outlived",
         "At the fortieth creation, every animal is renamed; lists say that they are 5 s old at most, and never show it.",
         5, renamed, lambda operation, *_: operation == "listPets")),
    *breaks(_NAME, 3, changed_after).rows(
        ("changed.cleaned", "Every new animal is renamed soon.",
         0.4, lambda *_: True, lambda animal: animal._replace(name=animal.name.title()))),
    *breaks(_NAME, 2, read_otherwise).rows(
        ("changed.read.markup", "What is stored of a name lacks its markup, which the 201 has.",
         _READINGS, lambda animal: animal._replace(name=animal.name.replace("<b", "b")))),
    *breaks(_STATUS, 2, changed_after).rows(
        ("changed.read.pending", "An animal created as pending is stored as sold; the 201 has what was sent.",
         0.0, lambda *_: True,
         lambda animal: animal._replace(status="sold") if animal.status == "pending" else animal),
        ("changed.read.omitted",
         "An animal created without a status is stored as pending; the 201 has another status.",
         0.0, lambda _, call: unstated(0, Payload("", 0, None), call),
         lambda animal: animal._replace(status="pending"))),
    *breaks(_CATEGORY, 4, now_and_then, besides=(_STABLE,)).rows(
        ("changed.now-and-then", "Every seventh getPet returns another category.", 7, recategorised)),
    *breaks((_NAME, _STABLE), 2, shown).rows(
        ("index.lower-case", "Lists return names in lower case.",
         "listPets", field("name", lambda name: name.lower()))),
]  # fmt: skip
