"""Faults that look lawful until an experiment; each has its like in variants/twins.py."""

from __future__ import annotations

from functools import partial

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import lists
from animal_conformance.reference.mechanisms.answers import field, shown
from animal_conformance.reference.mechanisms.changed import changed_after, changing, renamed, stored_for
from animal_conformance.reference.mechanisms.clients import by_worker, turned_away
from animal_conformance.reference.mechanisms.common import always, refuse, sometimes, unstated
from animal_conformance.reference.mechanisms.creations import shown_otherwise
from animal_conformance.reference.mechanisms.refused import gone, quotas, unlisted
from animal_conformance.reference.model import Reply

_EVEN = range(2, 85, 2)

_THIRD = {str(each) for each in range(3, 85, 3)}


FAULTS = [
    *breaks(("create.name.exact", "animal.id.stable"),
        ("changed.got-old", 3,
         "At the fortieth creation, every animal is renamed; getPet keeps the old names.",
         changing(renamed, lambda operation, *_: operation == "getPet")),
        ("cached.outlived", 3,
         "At the fortieth creation, every animal is renamed; lists say that they are 5 s old at most, and never show it.",
         stored_for(5, renamed, lambda operation, *_: operation == "listPets")),
        ("index.lower-case", 2, "Lists return names in lower case.",
         shown("listPets", field("name", lambda name: name.lower())))),
    *breaks("create.name.exact",
        ("changed.cleaned", 3, "Every new animal is renamed soon.",
         changed_after(0.4, always, lambda animal: animal._replace(name=animal.name.title()))),
        ("changed.read.markup", 2, "What is stored of a name lacks its markup, which the 201 has.",
         Steps(represent=partial(shown_otherwise, by="getPet, listPets",
             alter=lambda animal: animal._replace(name=animal.name.replace("<b", "b")))))),
    *breaks("create.status.exact",
        ("changed.read.omitted", 2,
         "An animal created without a status is stored as pending; the 201 has another status.",
         changed_after(0.0, unstated, lambda animal: animal._replace(status="pending")))),
    *breaks("create.category-id.exact",
        ("changed.now-and-then", 4, "Every seventh getPet returns another category.",
         sometimes(7, Steps(represent=lambda before, animal, shown: before(animal._replace(category_id=77),
             shown)), lambda _, shown: shown == "getPet")),
        besides=("animal.id.stable",)),
    # As if capped
    *breaks("list.complete",
        ("list.lost.first", 3, "The first animal that is created is never listed.",
         lists.unlisted(lambda number, *_: number == 0)),
        ("list.lost.later", 3, "The index behind lists is no longer updated after the fifth creation.",
         lists.unlisted(lambda number, *_: number >= 5)),
        ("list.stored.forever", 3, "Lists are cached forever, and say that they are at most 3 s old.",
         lists.stored(1e9, lambda *_: {"Cache-Control": "max-age=3"})),
        ("list.behind", 3, "Lists show an animal only after an hour.", lists.behind(3600.0, "lists"))),
    *breaks("list.status.complete",
        ("filter.pending.empty", 1, "The list of pending animals is always empty.",
         Steps(select=lists.hidden(lambda _, status: status == "pending"))),
        ("filter.pending.default", 2,
         "Without a limit, the list of pending animals is empty: its default is forgotten.",
         Steps(list_pets=lambda before, call: (Reply(200, []) if not call.parameters("limit")
             and call.parameters("status") == ["pending"] else before(call)))),
        ("filter.lost.later", 3,
         "The index behind filtered lists is no longer updated after the 30th creation.",
         lists.unlisted(lambda number, *_: number >= 30, filtered=True)),
        ("filter.stored.worker", 3, "One of three workers keeps the list of sold animals as it was at first.",
         by_worker(3, lambda call: {("limit", "100"), ("status", "sold")} <= {*call.query},
             lists.stored(1e9, lambda *_: {})))),
    *breaks(("list.complete", "list.status.complete"),
        ("list.blank", 3, "Every fifth list is empty: the search behind it gives up.",
         sometimes(5, Steps(select=lambda *_: []), always))),
    *breaks("create.status.exact",
        ("status.old-node", 3,
         "One of three nodes, which are asked in turns, lists every animal as available.",
         sometimes(3, lists.paged(lambda page: [each._replace(status="available") for each in page]),
             lambda _, status: status is None)),
        besides=("animal.id.stable",)),
    *breaks("get.found",
        ("gone.one-replica", 3,
         "A second after its creation, one of two replicas of getPet loses a sold animal for good.",
         gone(lambda _, animal, age_s: animal.status == "sold" and age_s > 1.0, of_replicas=2)),
        ("gone.listed", 3, "Half of the catalogue is listed, and half a second after the start not found.",
         gone(lambda _, animal, age_s: animal.id in _EVEN and age_s > 0.5)),
        ("away.403-third", 2, "getPet returns 403 for ids of the catalogue that are multiples of three.",
         turned_away(403, lambda call: call.pet_id in _THIRD))),
    *breaks("get.unknown",
        ("unlisted.large", 2, "An id of more than 32 bits that identifies no animal returns an invented one.",
         unlisted(lambda animal_id: animal_id > 2**32))),
    *breaks("http.server-error",
        ("away.504-sometimes", 4, "Every ninetieth request returns 504.",
         sometimes(90, Steps(operate=lambda *_: refuse(504)), lambda call: call.operation))),
    *breaks("list.limit.accepted",
        ("away.403-limit", 2, "A list with limit=19 returns 403.",
         turned_away(403, lambda call: call.query == [("limit", "19")]))),
    *breaks("create.answer",
        ("away.403-markup", 2, "A firewall returns 403 to a creation with a tag in its body.",
         turned_away(403, lambda call: b"<" in call.body and b"name" in call.body))),
    *breaks("create.status.accepted",
        ("quota.sold-none", 2, "No animal with the status sold is accepted, as though its name were taken.",
         quotas({"sold": 0}, "This name is taken.")),
        ("create.one-of-three", 3, "One of three nodes, which are asked in turns, rejects every creation.",
         sometimes(3, Steps(insert=lambda *_: refuse(400)), always))),
    *breaks("create.once",
        ("create.twice", 1, "Each create request adds two animals, and returns the first.",
         Steps(insert=lambda before, payload, call: (before(payload, call), before(payload, call))[0]))),
]  # fmt: skip
