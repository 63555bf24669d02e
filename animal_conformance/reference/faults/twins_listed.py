"""Lists that leave something out, and look as if they ended early, were a choice, or were old."""

from __future__ import annotations

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms import listed, lists

FAULTS = [
    # As if capped
    *breaks("list.complete", 2, lists.unlisted).rows(
        ("list.lost.heavy", "Animals with a name of more than 200 bytes are never listed.",
         lambda _, payload, __: len(payload.name.encode()) > 200)),
    *breaks("list.complete", 3, lists.unlisted).rows(
        ("list.lost.first", "The first animal that is created is never listed.",
         lambda number, *_: number == 0),
        ("list.lost.later", "The index behind lists is no longer updated after the fifth creation.",
         lambda number, *_: number >= 5)),
    *breaks("list.status.complete", 1, own).rows(
        ("filter.pending.empty", "The list of pending animals is always empty.",
         Steps(select=lists.hidden(lambda _, status: status == "pending"))),
        ("filter.lost.others", "Filtered lists leave out every third animal that was there before.",
         Steps(select=lists.hidden(lambda animal, status: status and animal.id < 30 and animal.id % 3 == 0)))),
    *breaks("list.status.complete", 2, lists.emptied).rows(
        ("filter.pending.default", "Without a limit, the list of pending animals is empty: its default is forgotten.",
         lambda call: "pending" in call.parameters("status") and not call.parameters("limit"))),
    *breaks("list.status.complete", 3, listed.frozen_filter).rows(
        ("filter.pending.stale", "The list of pending animals is cached forever.", "pending")),
    *breaks("list.status.complete", 3, listed.frozen_pages).rows(
        ("filter.stored.pages", "Each page of a filter is cached forever; a creation clears the others alone.")),
    *breaks("list.status.complete", 3, lists.unfiltered).rows(
        ("filter.lost.later", "The index behind filtered lists is no longer updated after the 30th creation.",
         lambda number, *_: number >= 30),
        ("filter.lost.recent", "Filtered lists show what was created an hour ago, by a clock in another time zone.",
         lambda *_: True)),
    *breaks(("list.complete", "list.status.complete"), 3, listed.empty_in_turns).rows(
        ("list.blank", "Every fifth list is empty: the search behind it gives up.", 5, lambda _: True)),
    *breaks("list.complete", 4, listed.empty_in_turns).rows(
        ("list.blank.rare", "Every 20th list without a filter is empty: a limit on requests, told in the wrong way.",
         20, lambda status: status is None)),
    *breaks("list.status.complete", 3, listed.empty_in_turns).rows(
        ("filter.blank", "Every seventh filtered list is empty: the search behind it gives up.",
         7, lambda status: status)),
    *breaks("create.status.exact", 3, listed.old_in_turns, besides=("animal.id.stable",)).rows(
        ("status.old-node", "One of three nodes, which are asked in turns, lists every animal as available.",
         3, "available")),
    # As if a choice
    *breaks("list.complete", 3, lists.unlisted).rows(
        ("list.lost.shard", "One of five shards, chosen by name, is missing from lists of created animals.",
         lambda _, payload, __: sum(payload.name.encode()) % 5 == 0)),
    *breaks("list.status.complete", 3, lists.unfiltered).rows(
        ("filter.lost.shard", "One of four shards, chosen by name, is missing from filtered lists.",
         lambda _, payload, __: sum(payload.name.encode()) % 4 == 0)),
    *breaks("list.complete", 3, listed.kept_by_workers, besides=("list.status.complete",)).rows(
        ("list.stored.workers", "Each of three workers caches lists until it creates an animal itself.", 3)),
    *breaks("list.status.complete", 3, listed.own_of_workers).rows(
        ("filter.lost.workers",
         "Each of two workers has an index of statuses, with what was there at first and what it has created itself.",
         2)),
    *breaks("list.status.complete", 3, listed.frozen_on_worker).rows(
        ("filter.stored.worker", "One of three workers keeps the list of sold animals as it was at first.",
         3, "sold")),
    *breaks("list.complete", 3, listed.until).rows(
        ("list.lost.old", "Lists show a new animal for 200 ms, and getPet goes on returning it.", 0.2, "all")),
    *breaks("list.status.complete", 3, listed.until).rows(
        ("filter.lost.old", "Filtered lists show a new animal for a second, and the list without a filter goes on.",
         1.0, "filtered")),
    # As if stored, or behind
    *breaks("list.complete", 3, listed.stored).rows(
        ("list.stored.forever", "Lists are cached forever, and say that they are at most 3 s old.",
         1e9, lambda *_: {"Cache-Control": "max-age=3"}),
        ("list.stored.silent", "Lists are cached for an hour, and say nothing of it.",
         3600.0, lambda *_: {})),
    *breaks("list.complete", 3, listed.unlisted_and_dated).rows(
        ("list.lost.dated", "Every fifth new animal is never listed; lists are made anew, and may be kept for an hour.",
         lambda number, *_: number % 5 == 4, "private, max-age=3600"),
        ("list.lost.never-stored", "The first new animal is never listed; lists have a lifetime, and may not be stored.",
         lambda number, *_: number == 0, "no-store, no-cache, must-revalidate, max-age=3600")),
    *breaks("list.complete", 3, listed.behind).rows(
        ("list.behind", "Lists show an animal only after an hour.", 3600.0, "lists")),
]  # fmt: skip
