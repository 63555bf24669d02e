"""Variants in lists: their order, their length, and what becomes of invalid parameters.

The interface document leaves the order and the pagination open, and the answer to a limit outside 1
to 100 ('List animals', rule 2).
"""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms import lists, ordered
from animal_conformance.reference.mechanisms.common import always, handled, refusing, setting
from animal_conformance.reference.mechanisms.creations import readdressed
from animal_conformance.reference.model import STATUSES
from animal_conformance.reference.service import DEFAULT

VARIANTS = [
    *varies(
        ("order.oldest-first", "Lists start with the oldest animal.",
         lists.arranged(lambda animals: animals[::-1])),
        ("order.oldest-beyond", "There are 150 animals at first, and lists show the oldest first.",
         replace(lists.arranged(lambda animals: animals[::-1]), settings={"catalogue": 150})),
        ("order.category", "Lists are sorted by category.",
         lists.arranged(lambda animals: sorted(animals, key=lambda animal: animal.category_id))),
        ("order.shuffled", "Each list has a different order, and different animals.", lists.shuffled),
        ("order.oldest-turned", "There are 90 animals at first, and lists hold the oldest, the newest of them first.",
         Steps(select=lambda before, limit, status: before(lists.EVERYTHING, status)[::-1][:limit][::-1],
             settings={"catalogue": 90})),
        ("order.popular", "Lists hold the most popular animals, in the order of their ids.", lists.popular()),
        ("order.popular.bytes", "Lists hold the most popular animals that fit into 8,000 bytes, in the order of their ids.",
         lists.popular(lists.popular_in_bytes, 84)),
        ("order.popular.filtered", "A filter is applied to the 60 most popular animals, which are shown by their ids.",
         Steps(select=lists.most_popular)),
        ("order.popular.newest",
         "Lists hold the hundred most popular animals, the newest first; ids are random, and there are 400 animals at first.",
         ordered.most_popular_by_age()),
        ("order.plain-first",
         "Animals with plain names stand first, the newest of them first; there are 400 animals at first.",
         ordered.plain_first(400)),
        ("order.plain-first.forty", "The same, with 60 animals at first, and never more than 40 on a page.",
         ordered.plain_first(60, cap=40)),
        ("order.stated-first",
         "Animals that were created with a status stand first, the newest of them first; there are 400 animals at first.",
         ordered.stated_first(400)),
        ("order.stated-first.forty", "The same, with 60 animals at first, and never more than 40 on a page.",
         ordered.stated_first(60, cap=40)),
        ("pages.random", "Pages are randomly shorter than they could be.", lists.shortened),
        ("pages.ten", "A page never has more than 10 animals.",
         lists.selected(lambda limit, _: min(limit, 10))),
        ("pages.scan-then-filter", "A filter is applied to the unfiltered page.",
         Steps(select=lambda before, limit, status: [animal for animal in before(limit, None)
             if status in (None, animal.status)])),
        ("pages.scan-twice", "A filter is applied to the newest animals, twice as many as the limit.",
         Steps(select=lambda before, limit, status: before(limit, None) if status is None else
             [animal for animal in before(2 * limit, None) if status == animal.status][:limit])),
        ("pages.default-ten", "Lists show the oldest first, ten if no limit is given; there are six at first.",
         replace(lists.arranged(lambda animals: animals[::-1]),
             list_pets=lists.by_default(10, always).list_pets, settings={"catalogue": 6})),
        ("store.large", "There are 5,000 animals.", setting("catalogue", 5000)),
        ("store.empty", "There are no animals at first.", setting("catalogue", 0)),
        ("store.one", "There is one animal at first.", setting("catalogue", 1)),
        ("store.page", "There are 20 animals at first: one page.", setting("catalogue", 20)),
        ("parameters.strict", "Unknown query parameters are rejected.",
         refusing("list_pets", 400, lambda call: {name for name, _ in call.query} - {"limit", "status"})),
        ("parameters.422", "Invalid list parameters return 422.", readdressed("list_pets", 422, "")),
        ("parameters.403", "A guard rejects invalid list parameters, and a petId of letters, with 403.",
         Steps(list_pets=readdressed("list_pets", 403, "").list_pets,
               get_pet=readdressed("get_pet", 403, "").get_pet)),
        ("parameters.lenient",
         "A limit is accepted in unusual notations, and the last of several is used.",
         Steps(read_limit=lists.limit_lenient)),
        ("parameters.any-case", "A status filter is accepted in any case.",
         Steps(read_filter=lambda before, values: before([each.lower() for each in values])))),
    *varies(
        ("parameters.clamped", "A limit outside 1 to 100 is clamped to the nearest valid one.",
         lists.limits_where(always, lambda limit: min(max(limit, 1), 100))),
        shoulds=("list.limit.below-refused", "list.limit.above-refused")),
    *varies(
        ("parameters.ignored", "Invalid list parameters are ignored.",
         Steps(read_limit=handled(lambda _: DEFAULT),
             read_filter=lambda before, values: before(values if values and values[0] in STATUSES else []))),
        shoulds=("list.limit.below-refused", "list.limit.above-refused",
                 "list.limit.non-integer-refused", "list.status.unknown-refused")),
]  # fmt: skip
