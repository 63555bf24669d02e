"""Variants in which animals change after they were read, lawfully; each looks like a fault of faults/twins_changed.py.

Of changes of animals by other means than the three operations nothing is shown, nor of transitions of the status.
"""

from __future__ import annotations

import unicodedata

from animal_conformance.reference.changes import varies
from animal_conformance.reference.mechanisms.answers import field, shown
from animal_conformance.reference.mechanisms.changed import (
    changed_after,
    changing,
    changing_on,
    moved_on,
    never,
    recategorised,
    renamed,
    reserved,
    stored_for,
    undone,
)

VARIANTS = [
    *varies(changing).rows(
        ("edited.names", "At the fortieth creation, every animal is renamed.", renamed, never),
        ("edited.categories", "At the fortieth creation, every animal is put into another category.",
         recategorised, never),
        ("moved.all", "At the fortieth creation, every available animal becomes pending.", reserved, never),
        ("edited.indexed",
         "At the fortieth creation, every animal is renamed; lists show the new names a second later.",
         renamed, lambda operation, _, since_s: operation == "listPets" and since_s < 1),
        ("moved.indexed",
         "At the fortieth creation, every available animal becomes pending; lists without a filter show that later.",
         reserved, lambda operation, call, since_s: (
             operation == "listPets" and since_s < 1 and not call.parameters("status")))),
    *varies(stored_for).rows(
        ("cached.said",
         "At the fortieth creation, every animal is renamed; lists show that 20 s later, and say so.",
         20, renamed, lambda operation, _, since_s: operation == "listPets" and since_s < 20)),
    *varies(changed_after).rows(
        ("edited.young", "The eighth new animal is renamed before it can be read.",
         0.0, lambda number, _: number == 8, renamed),
        ("moved.young", "The status of the first new animal changes before it can be read.",
         0.0, lambda number, _: number == 1, reserved),
        ("edited.now-and-then", "Every ninth new animal is renamed soon.",
         0.4, lambda number, _: number % 9 == 0, renamed),
        ("moved.soon", "A new animal that is available becomes pending soon.",
         0.4, lambda *_: True, reserved)),
    *varies(changing_on).rows(
        ("moved.on", "Five times a second the status of a new animal moves on.", 0.2, 0.3, moved_on)),
    *varies(undone).rows(
        ("edited.undone", "The tenth new animal is renamed before it can be read, and renamed back soon.", 10, renamed)),
    *varies(shown).rows(
        ("index.composed", "Lists return names trimmed and in Unicode normalisation form C.",
         "listPets", field("name", lambda name: unicodedata.normalize("NFC", name).strip()))),
]  # fmt: skip
