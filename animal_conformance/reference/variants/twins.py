"""Variants that look like a fault until an experiment: animals change and go, lists end early or are old, quotas.

The interface document shows nothing about changes of animals by other means than the three operations, nor about
transitions of the status.
"""

from __future__ import annotations

import time
import unicodedata
from dataclasses import replace

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms import changed, lists
from animal_conformance.reference.mechanisms import credentials as keys
from animal_conformance.reference.mechanisms.answers import answered, field, shown
from animal_conformance.reference.mechanisms.clients import by_worker
from animal_conformance.reference.mechanisms.common import always, later, refuse, sometimes
from animal_conformance.reference.mechanisms.connections import delayed
from animal_conformance.reference.mechanisms.creations import copied_once
from animal_conformance.reference.mechanisms.refused import (
    allowance,
    beyond_latest,
    gone,
    outage,
    quotas,
    told_to_wait,
    unlisted,
)
from animal_conformance.reference.model import Call, Reply

_CORNERS = {2**63 - 1, -(2**63), 2**53 + 1, 0, -1}


def _at_most_fifty(reply: Reply, call: Call) -> Reply | None:
    return (
        replace(reply, value=reply.value[:50]) if reply.succeeded and call.operation == "listPets" else None
    )


def _rolling() -> Steps:
    fifty = by_worker(2, always, lambda: answered(_at_most_fifty))()
    oldest_first = lists.arranged(lambda animals: animals[::-1]).select
    return replace(fifty, select=oldest_first, settings={"catalogue": 30})


_REMOVED = "This operation was removed; use GET /pets."

VARIANTS = [
    *varies(
        ("edited.names", "At the fortieth creation, every animal is renamed.",
         changed.changing(changed.renamed, lambda *_: False)),
        ("edited.exchanged", "At the fortieth creation, the names of two earlier ones are exchanged: they were mixed up.",
         changed.mixed_up(40)),
        ("edited.categories", "At the fortieth creation, every animal is put into another category.",
         changed.changing(changed.recategorised, lambda *_: False)),
        ("edited.again", "At each twenty-fifth creation, every animal is renamed.",
         changed.changing_every(25, changed.renamed)),
        ("moved.all", "At the fortieth creation, every available animal becomes pending.",
         changed.changing(changed.reserved, lambda *_: False)),
        ("edited.indexed",
         "At the fortieth creation, every animal is renamed; lists show the new names a second later.",
         changed.changing(changed.renamed, lambda operation, _, since_s: operation == "listPets"
             and since_s < 1)),
        ("moved.indexed",
         "At the fortieth creation, every available animal becomes pending; lists without a filter show that later.",
         changed.changing(changed.reserved, lambda operation, call, since_s: (operation == "listPets"
             and since_s < 1 and not call.parameters("status")))),
        ("cached.said",
         "At the fortieth creation, every animal is renamed; lists show that 20 s later, and say so.",
         changed.stored_for(20, changed.renamed, lambda operation, _, since_s: operation == "listPets"
             and since_s < 20)),
        ("edited.young", "The eighth new animal is renamed before it can be read.",
         changed.changed_after(0.0, lambda number, *_: number == 8, changed.renamed)),
        ("moved.young", "The status of the first new animal changes before it can be read.",
         changed.changed_after(0.0, lambda number, *_: number == 1, changed.reserved)),
        ("edited.now-and-then", "Every ninth new animal is renamed soon.",
         changed.changed_after(0.4, lambda number, *_: number % 9 == 0, changed.renamed)),
        ("edited.aged",
         "Five times a second, a new animal that is at least four seconds old is renamed; responses take up to 60 ms.",
         lambda: replace(changed.changing_on(0.2, 4.0, changed.renamed)(), middleware=delayed)),
        ("edited.on", "Three times a second, a new animal is renamed, however old it is.",
         changed.changing_on(0.3, 0.0, changed.renamed)),
        ("moved.soon", "A new animal that is available becomes pending soon.",
         changed.changed_after(0.4, always, changed.reserved)),
        ("moved.on", "Five times a second the status of a new animal moves on.",
         changed.changing_on(0.2, 0.3, changed.moved_on)),
        ("moved.through", "Every two seconds each new animal goes on to the next status.",
         changed.changing_each(2.0, changed.moved_on)),
        ("edited.undone", "The tenth new animal is renamed before it can be read, and renamed back soon.",
         changed.changed_after(0.0, lambda number, *_: number == 10, changed.renamed, back_s=0.3)),
        ("edited.to-and-fro",
         "Twenty times a second, a new animal is put into another category, or back.",
         changed.changing_on(0.05, 0.3, changed.filed_otherwise)),
        ("index.composed", "Lists return names trimmed and in Unicode normalisation form C.",
         shown("listPets", field("name", lambda name: unicodedata.normalize("NFC", name).strip()))),
        ("pages.bytes", "A page never has more than 4,000 bytes.", Steps(select=lists.in_bytes)),
        ("pages.bytes.newest",
         "A page has the newest first, and ends before it exceeds 16 KB, even if it is then empty.",
         Steps(select=lists.newest_in_bytes)),
        ("pages.fifty", "A page never has more than 50 animals.",
         lists.selected(lambda limit, _: min(limit, 50))),
        ("pages.alternating",
         "Every other two seconds, as under load, a page never has more than 20 animals.",
         Steps(select=lambda before, limit, status: before(lists.EVERYTHING, status)[::-1][
             : min(limit, 20 if int(time.monotonic() / 2) % 2 else limit)])),
        ("pages.selected",
         "There are 400 animals at first, and a list is the same selection of them each time, the newest first.",
         Steps(select=lambda before, limit, status: sorted(
             sorted(before(lists.EVERYTHING, status), key=lambda animal: animal.id * 7919 % 1009)[:limit],
             key=lambda animal: -animal.id), settings={"catalogue": 400})),
        ("pages.thinned",
         "Lists are in the order of names; every third of the others is hidden, after the limit was applied.",
         lists.thinned),
        ("pages.thinned.hashed",
         "Lists are in an order of hashes; every third of the others is hidden, after the limit was applied.",
         lists.thinned_by_hash),
        ("pages.chosen", "Each list is a choice of nine in ten animals.", lists.chosen),
        ("pages.oldest", "A list holds the 90 oldest animals at most, oldest first.",
         lists.arranged(lambda animals: animals[::-1][:90])),
        ("pages.timeboxed", "A scan stops after some animals, and one scan in twenty before the first.", lists.timeboxed),
        ("pages.lowered",
         "From the fiftieth creation on, a page never has more than 40 animals; lists are in the order of names.",
         lists.lowered(50, 40)),
        ("pages.fifty.rolling",
         "Every other connection is served by a version that never lists more than 50 animals; the oldest are first.",
         _rolling),
        ("pages.pending-five", "A page of pending animals never has more than 5.",
         lists.selected(lambda limit, status: min(limit, 5) if status == "pending" else limit)),
        ("lists.stored", "Lists are cached for 30 s, and say so.",
         lists.stored(30.0, lambda lasts, _: {"Cache-Control": f"private, max-age={lasts:.0f}"})),
        ("lists.stored.age", "Lists are cached for 5 s, and say how old they are.",
         lists.stored(5.0, lambda _, age: {"Age": f"{age + 1:.0f}"})),
        ("lists.stored.hour", "Lists are cached for an hour, and say so.",
         lists.stored(3600.0, lambda lasts, _: {"Cache-Control": f"max-age={lasts:.0f}"})),
        ("answers.stored.day", "Lists, and what getPet answers, are cached for a day, and say so.",
         lists.stored(86_400.0, lambda lasts, _: {"Cache-Control": f"max-age={lasts:.0f}"}, getpet=True)),
        ("gone.kept-forty", "Of the animals created by clients, only the latest forty are kept.",
         gone(beyond_latest(40), lists=True)),
        ("gone.kept-five", "Of the animals created by clients, only the latest five are kept.",
         gone(beyond_latest(5), lists=True)),
        ("gone.archived", "A sold animal is archived a second after its creation.",
         gone(lambda _, animal, age_s: animal.status == "sold" and age_s > 1.0, lists=True)),
        ("gone.fixtures", "Half of the catalogue is withdrawn half a second after the start.",
         gone(lambda _, animal, age_s: animal.id in range(2, 85, 2) and age_s > 0.5, lists=True)),
        ("gone.held", "Every twentieth new animal is held for review: it is hidden from 2.5 s to 7 s after its creation.",
         gone(lambda service, animal, age_s: service.settings.catalogue < animal.id and animal.id % 20 == 0
             and 2.5 < age_s < 7.0, lists=True)),
        ("unlisted.corners", "Animals with ids at the ends of the integer types are in no list.",
         unlisted(lambda animal_id: animal_id in _CORNERS)),
        ("outage.502", "A restart behind a proxy makes every request return 502 for a while.",
         outage(502, 0.2, 300)),
        ("outage.504", "A restart behind a proxy makes every request return 504 for a while.",
         outage(504, 0.1, 500)),
        ("outage.rolling", "Three restarts behind a proxy make every request return 503 for a while.",
         outage(503, 1.0, 200, 400, 600)),
        ("idle.408", "A proxy returns 408 to a single request.",
         sometimes(300, Steps(operate=lambda *_: refuse(408)), lambda call: call.operation)),
        ("shed.invalid", "Every other invalid list returns 503 with Retry-After: load is shed.",
         sometimes(2, Steps(operate=lambda *_: told_to_wait()), lambda call: call.query == [("limit", "0")])),
        ("locked-out.429", "After every seventh wrong key, wrong ones return 429 with Retry-After for a second.",
         keys.locked_out(7, 1)),
        ("locked-out.hour", "After ten wrong keys, wrong ones return 429 with Retry-After for an hour.",
         keys.locked_out(10, 3600)),
        ("quota.pending", "At most five animals with the status pending are accepted.",
         quotas({"pending": 5})),
        ("quota.all", "At most a hundred animals are accepted.", quotas({None: 100})),
        ("quota.wait", "After a hundred animals, create requests return 429 with a Retry-After of half a day.",
         allowance(100, 43_200)),
        ("quota.second", "At most twelve animals are accepted in a second.",
         quotas({None: 12}, period_s=1.0)),
        ("copied.import", "An import adds every animal once more that was created until then.",
         copied_once(20)),
        ("copied.elsewhere", "A partner offers each new animal again, in a category of its own.",
         Steps(insert=lambda before, payload, call: (
             before(payload, call), before(payload._replace(category_id=900), call))[0])),
        ("copied.pending", "A partner offers each new animal again, as pending until it is looked at.",
         Steps(insert=lambda before, payload, call: (
             before(payload, call), before(payload._replace(status="pending"), call))[0]))),
    *varies(
        ("get.removed-meanwhile", "getPet is removed, as announced, while it is used.",
         later(60, Steps(get_pet=lambda *_: refuse(410, _REMOVED)))),
        ("get.removed-on-half", "getPet is removed, as announced, on one of two nodes.",
         sometimes(2, Steps(get_pet=lambda *_: refuse(404, _REMOVED)))),
        today="2030-12-06"),
]  # fmt: skip
