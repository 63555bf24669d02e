"""Variants in lists: their order, their length, and what becomes of invalid parameters.

The interface document leaves the order and the pagination open, and the answer to a limit outside 1
to 100 ('List animals', rule 2).
"""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.reference.changes import Steps, own, varies
from animal_conformance.reference.mechanisms import lists
from animal_conformance.reference.mechanisms.common import refusing, retried, setting
from animal_conformance.reference.mechanisms.creations import readdressed
from animal_conformance.reference.model import STATUSES

_BELOW, _ABOVE = "list.limit.below-refused", "list.limit.above-refused"
_LETTERS, _UNKNOWN = "list.limit.non-integer-refused", "list.status.unknown-refused"


VARIANTS = [
    *varies(lists.arranged).rows(
        ("order.oldest-first", "Lists start with the oldest animal.", lambda animals: animals[::-1]),
        ("order.name", "Lists are sorted by name.",
         lambda animals: sorted(animals, key=lambda animal: animal.name)),
        ("order.category", "Lists are sorted by category.",
         lambda animals: sorted(animals, key=lambda animal: animal.category_id))),
    *varies(own).rows(
        ("order.oldest-beyond", "There are 150 animals at first, and lists show the oldest first.",
         lambda: replace(
             lists.arranged(lambda animals: sorted(animals, key=lambda animal: animal.id)),
             settings={"catalogue": 150})),
        ("order.shuffled", "Each list has a different order, and different animals.", lists.shuffled),
        ("pages.random", "Pages are randomly shorter than they could be.", lists.shortened)),
    *varies(lists.selected).rows(
        ("pages.ten", "A page never has more than 10 animals.", lambda limit, _: min(limit, 10)),
        ("pages.one-less", "A page has one animal less than the limit, except for a limit of 1.",
         lambda limit, _: max(limit - 1, 1))),
    *varies(own).rows(
        # The limit counts the animals that are looked at, as in DynamoDB.
        ("pages.scan-then-filter", "A filter is applied to the unfiltered page.",
         Steps(select=lambda before, limit, status: [
             animal for animal in before(limit, None) if status in (None, animal.status)]))),
    *varies(setting).rows(
        ("store.large", "There are 5,000 animals.", "catalogue", 5000),
        ("store.empty", "There are no animals at first.", "catalogue", 0),
        ("store.one", "There is one animal at first.", "catalogue", 1),
        ("store.page", "There are 20 animals at first: one page.", "catalogue", 20)),
    *varies(refusing).rows(
        ("parameters.strict", "Unknown query parameters are rejected.",
         "list_pets", 400, lambda call: {name for name, _ in call.query} - {"limit", "status"})),
    *varies(own, shoulds=(_BELOW, _ABOVE)).rows(
        ("parameters.clamped", "A limit outside 1 to 100 is clamped to the nearest valid one.",
         Steps(read_limit=lists.limit_clamped))),
    *varies(own, shoulds=(_BELOW, _ABOVE, _LETTERS, _UNKNOWN)).rows(
        ("parameters.ignored", "Invalid list parameters are ignored.",
         Steps(
             read_limit=retried(lambda _: []),
             read_filter=lambda before, values: before(values if values and values[0] in STATUSES else []),
         ))),
    *varies(readdressed).rows(
        ("parameters.422", "Invalid list parameters return 422.", "list_pets", 422, ""),
        ("parameters.404", "Invalid list parameters return 404.", "list_pets", 404, "")),
    *varies(own).rows(
        ("parameters.lenient", "A limit is accepted in unusual notations, and the last of several is used.",
         Steps(read_limit=lists.limit_lenient))),
    *varies(lists.filters, shoulds=(_UNKNOWN,)).rows(
        ("parameters.any-case", "A status filter is accepted in any case.",
         lambda values, read: read([value.lower() for value in values]))),
]  # fmt: skip
