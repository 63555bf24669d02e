"""Faults that look lawful until an experiment; each has its like in variants/twins.py."""

from __future__ import annotations

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import changed, lists
from animal_conformance.reference.mechanisms.answers import field, shown
from animal_conformance.reference.mechanisms.clients import by_worker, turned_away
from animal_conformance.reference.mechanisms.common import always, refuse, sometimes, unstated
from animal_conformance.reference.mechanisms.creations import shown_otherwise
from animal_conformance.reference.mechanisms.refused import gone, quotas, unlisted
from animal_conformance.reference.model import Call, Reply

_NAME, _CATEGORY, _STATUS = "create.name.exact", "create.category-id.exact", "create.status.exact"

_STABLE = "animal.id.stable"

_READINGS = ("getPet", "listPets")

_EVEN = range(2, 85, 2)

_THIRD = {str(each) for each in range(3, 85, 3)}

_FOUND, _UNKNOWN = "get.found", "get.unknown"


def _limit(call: Call, limit: str) -> bool:
    return call.operation == "listPets" and call.parameters("limit") == [limit] and len(call.query) == 1


FAULTS = [
    *breaks((_NAME, _STABLE), 3,
        ("changed.got-old", "At the fortieth creation, every animal is renamed; getPet keeps the old names.",
         changed.changing(changed.renamed, lambda operation, *_: operation == "getPet")),
        ("cached.outlived",
         "At the fortieth creation, every animal is renamed; lists say that they are 5 s old at most, and never show it.",
         changed.stored_for(5, changed.renamed, lambda operation, *_: operation == "listPets"))),
    *breaks(_NAME, 3,
        ("changed.cleaned", "Every new animal is renamed soon.",
         changed.changed_after(0.4, always, lambda animal: animal._replace(name=animal.name.title())))),
    *breaks(_NAME, 2,
        ("changed.read.markup", "What is stored of a name lacks its markup, which the 201 has.",
         shown_otherwise(
             ("getPet", "listPets"), lambda animal: animal._replace(name=animal.name.replace("<b", "b"))))),
    *breaks(_STATUS, 2,
        ("changed.read.omitted",
         "An animal created without a status is stored as pending; the 201 has another status.",
         changed.changed_after(0.0, unstated, lambda animal: animal._replace(status="pending")))),
    *breaks(_CATEGORY, 4,
        ("changed.now-and-then", "Every seventh getPet returns another category.",
         sometimes(
             7, Steps(represent=lambda before, animal, operation: before(changed.recategorised(animal), operation)),
             lambda _, operation: operation == "getPet")), besides=(_STABLE,)),
    *breaks((_NAME, _STABLE), 2,
        ("index.lower-case", "Lists return names in lower case.",
         shown("listPets", field("name", lambda name: name.lower())))),
    # As if capped
    *breaks("list.complete", 2,
        ("list.lost.heavy", "Animals with a name of more than 200 bytes are never listed.",
         lists.unlisted(lambda _, animal, __: len(animal.name.encode()) > 200))),
    *breaks("list.complete", 3,
        ("list.lost.first", "The first animal that is created is never listed.",
         lists.unlisted(lambda number, *_: number == 0)),
        ("list.lost.later", "The index behind lists is no longer updated after the fifth creation.",
         lists.unlisted(lambda number, *_: number >= 5)),
        ("list.lost.shard", "One of five shards, chosen by name, is missing from lists of created animals.",
         lists.unlisted(lambda _, animal, __: sum(animal.name.encode()) % 5 == 0)),
        ("list.stored.forever", "Lists are cached forever, and say that they are at most 3 s old.",
         lists.stored(1e9, lambda *_: {"Cache-Control": "max-age=3"})),
        ("list.behind", "Lists show an animal only after an hour.", lists.behind(3600.0, "lists"))),
    *breaks("list.status.complete", 1,
        ("filter.pending.empty", "The list of pending animals is always empty.",
         Steps(select=lists.hidden(lambda _, status: status == "pending")))),
    *breaks("list.status.complete", 2,
        ("filter.pending.default",
         "Without a limit, the list of pending animals is empty: its default is forgotten.",
         Steps(list_pets=lambda before, call: (
             Reply(200, []) if call.query == [("status", "pending")] else before(call))))),
    *breaks("list.status.complete", 3,
        ("filter.lost.later", "The index behind filtered lists is no longer updated after the 30th creation.",
         lists.unlisted(lambda number, *_: number >= 30, filtered=True)),
        ("filter.stored.worker", "One of three workers keeps the list of sold animals as it was at first.",
         by_worker(
             3, lambda call: call.query == [("limit", "100"), ("status", "sold")], lists.stored(1e9, lambda *_: {}))),
        ("filter.lost.old",
         "Filtered lists show a new animal for a second, and the list without a filter goes on.",
         lists.until(1.0))),
    *breaks(("list.complete", "list.status.complete"), 3,
        ("list.blank", "Every fifth list is empty: the search behind it gives up.",
         sometimes(5, Steps(select=lambda *_: []), always))),
    *breaks("create.status.exact", 3,
        ("status.old-node", "One of three nodes, which are asked in turns, lists every animal as available.",
         sometimes(
             3, lists.paged(lambda page: [each._replace(status="available") for each in page]),
             lambda _, status: status is None)), besides=("animal.id.stable",)),
    *breaks(_FOUND, 3,
        ("gone.one-replica",
         "A second after its creation, one of two replicas of getPet loses a sold animal for good.",
         gone(lambda _, animal, age_s: animal.status == "sold" and age_s > 1.0, of_replicas=2)),
        ("gone.listed", "Half of the catalogue is listed, and half a second after the start not found.",
         gone(lambda _, animal, age_s: animal.id in _EVEN and age_s > 0.5))),
    *breaks(_UNKNOWN, 2,
        ("unlisted.large", "An id of more than 32 bits that identifies no animal returns an invented one.",
         unlisted(lambda animal_id: animal_id > 2**32))),
    *breaks("http.server-error", 2,
        ("away.502-limit", "A proxy returns 502 for limit=50.",
         turned_away(502, lambda call: call.query == [("limit", "50")]))),
    *breaks("http.server-error", 4,
        ("away.504-sometimes", "Every ninetieth request returns 504.",
         sometimes(90, Steps(operate=lambda *_: refuse(504)), lambda call: call.operation))),
    *breaks("list.limit.accepted", 2,
        ("away.403-limit", "A list with limit=19 returns 403.",
         turned_away(403, lambda call: call.query == [("limit", "19")]))),
    *breaks("create.answer", 2,
        ("away.403-markup", "A firewall returns 403 to a creation with a tag in its body.",
         turned_away(403, lambda call: b"<" in call.body and b"name" in call.body))),
    *breaks(_FOUND, 2,
        ("away.403-third", "getPet returns 403 for ids of the catalogue that are multiples of three.",
         turned_away(403, lambda call: call.pet_id in _THIRD))),
    *breaks("create.status.accepted", 2,
        ("quota.sold-none", "No animal with the status sold is accepted, as though its name were taken.",
         quotas({"sold": 0}, "This name is taken."))),
    *breaks("create.once", 1,
        ("create.twice", "Each create request adds two animals, and returns the first.",
         Steps(insert=lambda before, payload, call: (before(payload, call), before(payload, call))[0]))),
    *breaks("create.status.accepted", 3,
        ("create.one-of-three", "One of three nodes, which are asked in turns, rejects every creation.",
         sometimes(3, Steps(insert=lambda *_: refuse(400)), always))),
]  # fmt: skip
