"""Faults that look lawful until an experiment; each has a counterpart in variants/twins.py."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import cast

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import changed, crowds, lists, ordered
from animal_conformance.reference.mechanisms.answers import (
    STORED_FOR_A_DAY,
    as_text,
    field,
    shown,
    valued,
    without,
)
from animal_conformance.reference.mechanisms.clients import by_worker, turned_away
from animal_conformance.reference.mechanisms.common import (
    Selecting,
    always,
    refuse,
    refusing,
    sometimes,
    unstated,
    where,
)
from animal_conformance.reference.mechanisms.connections import delayed
from animal_conformance.reference.mechanisms.creations import shown_otherwise
from animal_conformance.reference.mechanisms.refused import (
    beyond_latest,
    crashing,
    gone,
    missed_at_first,
    quotas,
    refused_after_missing,
    refused_once_more,
    told_to_wait,
    unlisted,
)
from animal_conformance.reference.model import Animal, Json, Reply

_EVEN = range(2, 85, 2)

_CATALOGUE = range(1, 85)

_FIFTHS = range(5, 85, 5)

_THIRD = {str(each) for each in range(3, 85, 3)}


def _short_pages(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """List the oldest first; short pages show animals of the catalogue without their category, as if from another table."""
    page = sorted(before(lists.EVERYTHING, status), key=lambda each: each.id)[:limit]
    return [
        each._replace(category_id=0) if limit < _SHORT and each.id in _CATALOGUE else each for each in page
    ]


_SHORT = 30

_FEW = 15


def _sold_of_catalogue() -> Steps:
    """List sold animals of a small catalogue alone, some of which are withdrawn, one after another."""
    steps = gone(lambda _, animal, age_s: animal.id < _FEW / 2 and age_s > animal.id / 2, lists=True)()

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        shown = cast("lists.Select", steps.select)(before, lists.EVERYTHING, status)
        return [each for each in shown if status != "sold" or each.id <= _FEW][:limit]

    return replace(steps, select=select, settings={"catalogue": _FEW})


def _logged(value: Json) -> Json:
    return {**value, "log": [0] * 120_000} if isinstance(value, dict) else value


_without_markup = partial(
    shown_otherwise,
    by="getPet, listPets",
    alter=lambda animal: animal._replace(name=animal.name.replace("<b", "b")),
)


_DEFAULTS: dict[str, dict[str, Json]] = {"getPet": {"status": "available"}, "listPets": {"status": "pending"}}

FAULTS = [
    *breaks(("create.name.exact", "animal.id.stable"),
        ("changed.got-old", 3,
         "At the fortieth creation, every animal is renamed; getPet keeps the old names.",
         changed.changing(changed.renamed, lambda operation, *_: operation == "getPet")),
        ("changed.listed-old", 3,
         "At the fortieth creation, every animal is renamed; lists keep the old names.",
         changed.changing(changed.renamed, lambda operation, *_: operation == "listPets")),
        ("cached.outlived", 3,
         "At the fortieth creation, every animal is renamed; lists say that they are at most 5 s old, and never show the new names.",
         changed.stored_for(5, changed.renamed, lambda operation, *_: operation == "listPets")),
        ("index.lower-case", 2, "Lists return names in lower case.",
         shown("listPets", field("name", lambda name: name.lower())))),
    *breaks("create.name.exact",
        ("changed.cleaned", 3, "Every new animal is renamed soon.",
         changed.changed_after(0.4, always, lambda animal: animal._replace(name=animal.name.title()))),
        ("changed.aged", 3,
         "A cache tells names as sent for 4 s; they are stored in Latin-1, and cut after 50 characters. Responses take up to 60 ms.",
         lambda: replace(changed.changed_after(4.0, always, changed.in_latin_1)(), middleware=delayed)),
        ("changed.read.markup", 2, "Names are stored without markup, but the 201 shows it.",
         Steps(represent=_without_markup)),
        ("changed.read.stored", 2,
         "Names are stored without markup, and answers may be stored for a day.",
         replace(STORED_FOR_A_DAY, represent=_without_markup))),
    *breaks("create.status.exact",
        ("changed.listed-available", 3,
         "A new animal that is available becomes pending soon; lists without a filter never show it.",
         changed.listed_as_created(0.4, changed.reserved)),
        ("changed.read.omitted", 2,
         "An animal created without a status is stored as pending; the 201 has another status.",
         changed.changed_after(0.0, unstated, lambda animal: animal._replace(status="pending"))),
        ("status.two-defaults", 3,
         "An animal created without a status has none in the 201; getPet and lists show different defaults.",
         Steps(read_status=lambda before, given: before(given) if "status" in given else None,
               represent=lambda before, animal, asked: _DEFAULTS.get(asked, {}) | before(animal, asked)))),
    *breaks("list.status.complete",
        ("filter.lost.assumed", 3,
         "An animal created without a status has none; lists show it as available, but the filter does not find it.",
         Steps(read_status=lambda before, given: before(given) if "status" in given else None,
               represent=lambda before, animal, asked:
                   (_DEFAULTS["getPet"] if asked == "listPets" else {}) | before(animal, asked)))),
    *breaks("animal.id.stable",
        ("id.short-pages", 3, "Lists with a limit below 30 return the animals of the catalogue with another category.",
         Steps(select=_short_pages))),
    *breaks("animal.id.stable",
        ("id.status-left-out", 3, "getPet leaves out the status of the catalogue's animals.",
         shown("getPet", lambda value: without("status")(value) if value["id"] in _CATALOGUE else value))),
    *breaks(("create.category-id.exact", "animal.id.stable"),
        ("changed.replica", 3,
         "At the fortieth creation, every category changes; every third response is from before that.",
         changed.changing(changed.recategorised, lambda _, call, __: call.notes["number"] % 3 == 0))),
    *breaks("animal.id.stable",
        ("moved.replica", 3,
         "At the fortieth creation, every available animal becomes pending; every third response is from before that.",
         changed.changing(changed.reserved, lambda _, call, __: call.notes["number"] % 3 == 0)),
        besides=("create.status.exact", "list.status.filter")),
    *breaks("create.category-id.exact",
        ("changed.now-and-then", 4, "Every seventh getPet returns another category.",
         sometimes(7, shown("getPet", field("categoryId", lambda _: 77)),
             lambda _, operation: operation == "getPet")),
        besides=("animal.id.stable",)),
    # As if lists were capped
    *breaks("list.complete",
        ("list.lost.first", 3, "The first animal that is created is never listed.",
         lists.unlisted(lambda number, *_: number == 0)),
        ("list.lost.joined", 3,
         "Lists join a table of fifty categories, so that none has the animals of others. There are none at first.",
         Steps(select=lists.hidden(lambda animal, _: not 0 < animal.category_id <= 50), settings={"catalogue": 0})),
        ("list.lost.joined-oldest", 3, "Lists join a table of fifty categories, and show the oldest first. There are none at first.",
         ordered.oldest_of_categories(50)),
        ("list.lost.long", 3, "Names of more than 255 characters are not indexed, so that no list has their animals.",
         Steps(select=lambda before, limit, status: [
             each for each in before(lists.EVERYTHING, status) if len(each.name) <= 255][:limit])),
        ("list.lost.later", 3, "The index behind lists is no longer updated after the fifth creation.",
         lists.unlisted(lambda number, *_: number >= 5)),
        ("list.lost.dated", 3,
         "Every fifth new animal is never listed; lists are generated anew, and may be kept for an hour.",
         lists.unlisted(lambda number, *_: number % 5 == 4, cache_control="private, max-age=3600")),
        ("list.lost.full", 3, "Every seventh new animal is never listed, and there are 400 others.",
         lists.unlisted(lambda number, *_: number % 7 == 3, settings={"catalogue": 400})),
        ("list.lost.full.random", 3,
         "Every fifth new animal is never listed; ids are random, and there are 400 others.",
         lambda: replace(lists.unlisted(lambda number, *_: number % 5 == 3, settings={"catalogue": 400})(),
             identify=ordered.random_id)),
        ("list.lost.thinned", 3,
         "Every third of the others is hidden after the limit was applied, and every fifth new animal, too.",
         lists.thinned_of_new),
        ("list.lost.never-stored", 3,
         "The first new animal is never listed; lists have a lifetime, and may not be stored.",
         lists.unlisted(lambda number, *_: number == 0,
             cache_control="no-store, no-cache, must-revalidate, max-age=3600")),
        ("list.behind", 3, "Lists show an animal only after an hour.", lists.behind(3600.0, "lists"))),
    *breaks("list.complete",
        ("list.lost.rebuilt", 3,
         "From the fiftieth creation on, lists no longer show the first fifty; later ones are listed.",
         lists.forgotten(50)),
        besides=("list.status.complete",)),
    *breaks("list.complete",
        ("list.lost.stored", 3,
         "Animals created without a status are never listed; answers may be stored for a day.",
         lambda: replace(lists.unlisted(unstated)(), respond=STORED_FOR_A_DAY.respond)),
        besides=("list.status.complete",)),
    *breaks("list.status.complete",
        ("filter.pending.empty", 1, "The list of pending animals is always empty.",
         Steps(select=lists.hidden(lambda _, status: status == "pending"))),
        ("filter.pending.default", 2,
         "Without a limit, the list of pending animals is empty: its default is forgotten.",
         Steps(list_pets=lambda before, call: (Reply(200, []) if not call.parameters("limit")
             and call.parameters("status") == ["pending"] else before(call)))),
        ("filter.sold.catalogue", 3,
         "The list of sold animals shows none that clients created, and a moderator withdraws some of the others.",
         _sold_of_catalogue),
        ("filter.pending.stale", 3, "The list of pending animals is cached forever.",
         by_worker(1, lambda call: call.parameters("status") == ["pending"],
             lists.stored(1e9, lambda *_: {}))),
        ("filter.stale.plain", 3, "Filtered lists without a limit are cached forever.",
         lambda: replace(by_worker(1, lambda call: call.parameters("status") and not call.parameters("limit"),
             lists.stored(1e9, lambda *_: {}))(), settings={"catalogue": 6})),
        ("filter.lost.later", 3,
         "The index behind filtered lists is no longer updated after the 30th creation.",
         lists.unlisted(lambda number, *_: number >= 30, filtered=True)),
        ("filter.lost.full", 3, "Filtered lists show no new animal, and there are 400 others.",
         lists.unlisted(lambda *_: True, filtered=True, settings={"catalogue": 400})),
        ("filter.stored.worker", 3, "One of three workers keeps the list of sold animals as it was at first.",
         by_worker(3, lambda call: {("limit", "100"), ("status", "sold")} <= {*call.query},
             lists.stored(1e9, lambda *_: {})))),
    *breaks("list.complete",
        ("list.stored.workers", 3, "Each of three workers caches lists until it creates an animal itself.",
         lists.stored_by_workers(3)),
        ("list.stored.forever", 3, "Lists are cached forever, and say that they are at most 3 s old.",
         lists.stored(1e9, lambda *_: {"Cache-Control": "max-age=3"})),
        ("list.stored.full", 3,
         "One of three workers lists nothing that was added after the tenth creation, and there are 400 others.",
         lists.left_behind(10, 3)),
        ("list.stored.early", 3,
         "Cached lists are dropped 10 ms before a new animal is stored: a list in between is cached without it.",
         crowds.dropped_too_early(0.01)),
        besides=("list.status.complete",)),
    *breaks(("list.complete", "list.status.complete"),
        ("list.blank", 3, "Every fifth list is empty: the search behind it gives up.",
         sometimes(5, Steps(select=lambda *_: [])))),
    *breaks("create.status.exact",
        ("status.old-node", 3,
         "One of three nodes, which are asked in turns, lists every animal as available.",
         sometimes(3, lists.paged(lambda page: [each._replace(status="available") for each in page]),
             lambda _, status: status is None)),
        besides=("animal.id.stable",)),
    *breaks("get.found",
        ("gone.newest", 3, "What was created is stored when the next create request comes, and not found until then.",
         gone(lambda service, animal, _: service.settings.catalogue < animal.id == service.store.highest(), lists=True)),
        besides=("list.status.complete",)),
    *breaks("get.found",
        ("gone.at-first", 3, "An animal is loaded by the first getPet request for it, which gets 404.",
         missed_at_first()),
        ("gone.one-replica", 3,
         "A second after its creation, one of two replicas of getPet permanently loses a sold animal.",
         gone(lambda _, animal, age_s: animal.status == "sold" and age_s > 1.0, of_replicas=2)),
        ("gone.listed", 3, "Half a second after the start, half of the catalogue is still listed, but not found.",
         gone(lambda _, animal, age_s: animal.id in _EVEN and age_s > 0.5)),
        ("gone.listed-first", 3,
         "Of the animals created by clients, the latest forty are kept, and lists begin with the last that is gone.",
         gone(beyond_latest(40), lists=True, lingering=1)),
        ("create.lost-now-and-then", 4, "Every twentieth creation is answered, and stores nothing.",
         gone(lambda service, animal, _: service.settings.catalogue < animal.id and animal.id % 20 == 0, lists=True)),
        ("away.403-third", 2, "getPet returns 403 for ids of the catalogue that are multiples of three.",
         turned_away(403, lambda call: call.pet_id in _THIRD))),
    *breaks("get.unknown",
        ("unlisted.large", 2, "An id of more than 32 bits that identifies no animal returns an invented one.",
         unlisted(lambda animal_id: animal_id > 2**32)),
        ("unlisted.below-zero", 2, "A negative id returns an invented animal.",
         unlisted(lambda animal_id: -(2**63) < animal_id < -1_000_000))),
    *breaks("http.answer",
        ("http.history.sometimes", 3,
         "Every third time, getPet returns every fifth animal of the catalogue with 120,000 numbers.",
         sometimes(3, shown("getPet", lambda value: {**value, "history": [0] * 120_000}),
             lambda animal, operation: operation == "getPet" and animal.id in _FIFTHS)),
        ("http.log.sometimes", 4,
         "Every thirtieth response has a log of 120,000 numbers, unless it is a list.",
         sometimes(30, valued("all", _logged)))),
    *breaks("http.server-error",
        ("away.502-limit", 2, "A proxy returns 502 for limit=50.",
         turned_away(502, lambda call: call.query == [("limit", "50")])),
        ("away.502-crash", 3, "A list request with limit=0 crashes the worker: it and the next requests return 502.",
         crashing(502, 4, lambda call: call.query == [("limit", "0")])),
        ("away.503-limit", 2, "A list with limit=0 returns 503 with Retry-After, whenever it is sent.",
         where(lambda call: call.query == [("limit", "0")], Steps(operate=lambda *_: told_to_wait()))),
        ("away.504-sometimes", 4, "Every ninetieth request returns 504.",
         sometimes(90, Steps(operate=lambda *_: refuse(504)), lambda call: call.operation))),
    *breaks("list.limit.accepted",
        ("away.408-limit", 2, "A list with limit=5 returns 408.",
         turned_away(408, lambda call: call.query == [("limit", "5")])),
        ("away.403-limit", 2, "A list with limit=19 returns 403.",
         turned_away(403, lambda call: call.query == [("limit", "19")]))),
    *breaks("create.answer",
        ("away.403-markup", 2, "A firewall returns 403 to a creation with a tag in its body.",
         turned_away(403, lambda call: b"<" in call.body and b"name" in call.body)),
        besides=("create.refusal.status",)),
    *breaks("create.refusal.status",
        ("away.403-array", 2, "A firewall returns 403 to a creation whose body is an array.",
         turned_away(403, lambda call: call.operation == "createPet" and call.body.startswith(b"["))),
        ("away.408-array", 2, "A creation whose body is an array returns 408, whenever it is sent.",
         turned_away(408, lambda call: call.operation == "createPet" and call.body.startswith(b"[")))),
    *breaks("error.body",
        ("away.421-word", 2, "A petId of letters returns 421 with a page, whenever it is sent.",
         where(lambda call: (call.pet_id or "").isalpha(), Steps(operate=lambda *_: (
             as_text(Reply(421), "<h1>Misdirected</h1>", "text/html")))))),
    *breaks("create.status.accepted",
        ("quota.sold-none", 2, "No animal with the status sold is accepted, as though its name were taken.",
         quotas({"sold": 0}, "This name is taken.")),
        ("quota.sold-never", 3, "No animal with the status sold is accepted, and no more than forty of the others.",
         quotas({"sold": 0, None: 40})),
        ("quota.category", 3, "In category 3, no pending animal is accepted.",
         refusing("insert", 400, lambda payload, _: (payload.category_id, payload.status) == (3, "pending"))),
        ("create.once-more", 3, "After an invalid creation, the next one is rejected, whatever it is.",
         refused_once_more),
        ("create.after-missing", 3, "A creation after a 404 on the same connection is rejected.",
         refused_after_missing),
        ("create.one-of-three", 3,
         "One of three nodes, which are asked in turns, rejects every creation with a status.",
         sometimes(3, Steps(insert=lambda *_: refuse(400)), lambda _, call: b'"status"' in call.body))),
    *breaks("create.once",
        ("create.twice", 1, "Each create request adds two animals, and returns the first.",
         Steps(insert=lambda before, payload, call: (before(payload, call), before(payload, call))[0])),
        ("create.twice.upper", 2, "Each create request adds a second animal, whose name is in capitals.",
         Steps(insert=lambda before, payload, call: (
             before(payload, call), before(payload._replace(name=payload.name.upper()), call))[0])),
        ("create.twice.draft", 2, "A create request without a status adds a pending animal as well.",
         Steps(insert=lambda before, payload, call: (before(payload, call), b'"status"' not in call.body
             and before(payload._replace(status="pending"), call))[0]))),
]  # fmt: skip
