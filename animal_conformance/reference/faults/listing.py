"""Faults of listPets ('List animals', 'Limits')."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms import lists
from animal_conformance.reference.mechanisms.answers import valued
from animal_conformance.reference.mechanisms.common import (
    always,
    handled,
    refuse,
    refusing,
    sometimes,
    unstated,
)
from animal_conformance.reference.mechanisms.connections import mixed_up
from animal_conformance.reference.mechanisms.lists import EVERYTHING, calls, limits, limits_where
from animal_conformance.reference.model import STATUSES, Reply
from animal_conformance.reference.service import DEFAULT

_MAXIMUM, _RESPECTED, _DEFAULT = "list.limit.maximum", "list.limit.respected", "list.limit.default"
_ACCEPTED, _BELOW, _ABOVE = "list.limit.accepted", "list.limit.below-refused", "list.limit.above-refused"
_LETTERS, _UNKNOWN = "list.limit.non-integer-refused", "list.status.unknown-refused"

FAULTS = [
    *breaks("list.answer", 1, refusing).rows(
        ("list.limit.required", "A list request without limit is rejected, with or without a filter.",
         "read_limit", 400, lambda values: not values)),
    *breaks("list.array", 1, valued).rows(
        ("list.wrapped.items", "A list is wrapped in an object with items.",
         "listPets", lambda value: {"items": value})),
    *breaks("list.array", 2, valued).rows(
        ("list.single", "A list of one animal is that animal, as when XML is converted to JSON.",
         "listPets", lambda value: value[0] if len(value) == 1 else value)),
    *breaks("list.once", 1, own).rows(
        ("list.doubled.last", "The last animal of a page is listed twice.",
         Steps(select=lists.last_doubled)),
        ("list.doubled.join", "Animals with large categoryIds are listed twice, as after a join.",
         lists.paged(lambda page: [each for each in page for _ in range(1 + (each.category_id >= 2**31))]))),
    *breaks("list.once", 4, sometimes).rows(
        ("list.doubled.sometimes", "Every ninth list starts with the same animal twice.",
         9, lists.paged(lambda page: page[:1] + page), always)),
    # The limit
    *breaks(_ACCEPTED, 4, refusing).rows(
        ("limit.one-refused", "A limit of 1 is rejected.", "select", 400, lambda limit, _: limit == 1)),
    *breaks(_ACCEPTED, 2, refusing).rows(
        ("limit.above-fifty-refused", "A limit above 50 is rejected.",
         "select", 400, lambda limit, _: limit > 50)),
    *breaks(_DEFAULT, 1, own).rows(
        ("limit.default-21",
         "Without a limit, 21 animals are returned: the one that detects a next page is not removed.",
         Steps(read_limit=lambda before, values: before(values) if values else 21)),
        ("limit.default-unbounded", "Without a limit, every animal is returned: there is no default.",
         Steps(read_limit=lambda before, values: before(values) if values else EVERYTHING)),
        ("limit.default-forgotten-with-filter",
         "With a filter and without a limit, up to 100 animals are returned.",
         calls(lambda call: replace(call, query=[*call.query, ("limit", "100")])
               if call.parameters("status") and not call.parameters("limit") else call))),
    *breaks(_RESPECTED, 1, lists.selected).rows(
        ("limit.ignored", "The limit is ignored: 20 animals are returned.", lambda _limit, _status: 20)),
    *breaks(_RESPECTED, 2, lists.selected).rows(
        ("limit.forgotten-with-filter",
         "With a filter, the limit is ignored: up to 20 animals are returned.",
         lambda limit, status: max(limit, 20) if status else limit)),
    *breaks(_RESPECTED, 1, limits_where).rows(
        ("limit.one-more", "One animal more than the limit is returned.",
         lambda limit: 1 <= limit <= 100, lambda limit: limit + 1)),
    *breaks(_RESPECTED, 4, limits_where).rows(
        ("limit.one-more.at-100",
         "A limit of 100 returns 101 animals.", lambda limit: limit == 100, lambda _: 101),
        ("limit.one-more.at-1",
         "A limit of 1 returns two animals.", lambda limit: limit == 1, lambda _: 2)),
    *breaks(_RESPECTED, 4, sometimes).rows(
        # 20 may be the default limit, and what exceeds that breaks another clause.
        ("limit.one-more.sometimes", "Every eleventh list with a limit has one animal too many.",
         11, lists.selected(lambda limit, _: limit + 1),
         lambda limit, _: limit != DEFAULT)),
    *breaks(_RESPECTED, 3, own).rows(
        ("limit.page-kept",
         "Pages are cached by filter alone: a smaller limit gets the larger page read before it.",
         lambda: lists.kept(lambda _, status: status))),
    *breaks(("list.complete", "list.status.complete"), 3, own).rows(
        ("list.cut-for-all",
         "Pages are cached by filter alone, until an animal is created: a larger limit gets the shorter page read before it.",
         lists.cut_for_all)),
    *breaks((_MAXIMUM, _ABOVE), 1, limits_where).rows(
        ("limit.above-unbounded", "Limits above 100 are applied as given.",
         lambda limit: limit > 100, lambda limit: min(limit, EVERYTHING))),
    *breaks((_MAXIMUM, _ABOVE), 2, limits_where).rows(
        ("limit.overflow-unbounded",
         "A limit outside the 32-bit range overflows to a negative number, and returns every animal.",
         lambda limit: limit >= 2**31, lambda _: EVERYTHING)),
    *breaks((_MAXIMUM, _ABOVE), 4, limits_where).rows(
        ("limit.101-followed",
         "A limit of 101 is applied as given.", lambda limit: limit == 101, lambda _: 101)),
    *breaks((_MAXIMUM, _BELOW), 2, limits_where).rows(
        ("limit.zero-unbounded", "A limit of 0 returns every animal.",
         lambda limit: limit == 0, lambda _: EVERYTHING),
        ("limit.negative-unbounded", "A negative limit returns every animal, as in SQLite.",
         lambda limit: limit < 0, lambda _: EVERYTHING)),
    *breaks((_MAXIMUM, _LETTERS), 2, limits).rows(
        ("limit.letters-unbounded", "A limit that is not a number returns every animal.",
         lambda text, read: EVERYTHING if text.isalpha() else read()),
        ("limit.digits-unbounded", "The maximum is held against all of a limit, and only its leading digits are used: 500abc.",
         lambda text, read: int(text[:3]) if text[:3].isdecimal() and text[3:].isalpha() else read())),
    *breaks(_MAXIMUM, 2, limits).rows(
        ("limit.empty-unbounded", "An empty limit returns every animal.",
         lambda text, read: read() if text else EVERYTHING)),
    *breaks(_ABOVE, 1, limits_where).rows(
        ("limit.above-clamped", "A limit above 100 is treated as 100.",
         lambda limit: limit > 100, lambda _: 100)),
    *breaks(_BELOW, 2, limits_where).rows(
        ("limit.zero-default", "A limit of 0 is treated as omitted.", lambda limit: limit == 0, lambda _: 20),
        ("limit.negative-absolute", "The sign of a negative limit is ignored.",
         lambda limit: limit < 0, lambda limit: min(-limit, 100))),
    *breaks(_LETTERS, 1, limits).rows(
        ("limit.letters-ignored", "A limit that is not a number is treated as omitted.",
         lambda text, read: 20 if text.isalpha() else read())),
    *breaks(_LETTERS, 2, limits).rows(
        ("limit.fraction-cut", "The fraction of a limit such as 1.5 is ignored.",
         lambda text, read: min(max(int(float(text)), 1), 100)
         if text.count(".") == 1 and text.replace(".", "").isdecimal() else read())),
    # The filter
    *breaks("list.status.accepted", 1, refusing).rows(
        ("filter.sold-refused", "The status filter sold is rejected.",
         "select", 400, lambda _, status: status == "sold"),
        ("filter.pending-refused", "The status filter pending is rejected.",
         "select", 400, lambda _, status: status == "pending")),
    *breaks("list.status.accepted", 1, lists.filters).rows(
        ("filter.upper-case", "The status filter is accepted only in upper case.",
         lambda values, read: read([value.lower() for value in values]) if all(map(str.isupper, values))
         else refuse(400))),
    *breaks("list.combined", 1, refusing).rows(
        ("filter.with-limit-refused", "limit and status together are rejected.",
         "list_pets", 400, lambda call: call.parameters("limit") and call.parameters("status"))),
    *breaks("list.status.filter", 1, own).rows(
        ("filter.ignored", "The status filter is ignored.",
         Steps(select=lambda before, limit, _: before(limit, None))),
        ("list.filter.leak", "A filtered list ends with one animal with another status.",
         lists.leaking(always))),
    *breaks("list.status.filter", 2, calls).rows(
        ("filter.ignored-with-limit", "The status filter is ignored if there is a limit.",
         lambda call: replace(call, query=[
             (name, value) for name, value in call.query if name != "status" or value not in STATUSES
         ]) if call.parameters("limit") else call)),
    *breaks("list.status.filter", 4, own).rows(
        ("filter.leak.large-page",
         "A filtered list with a limit of 100 ends with one animal with another status.",
         lists.leaking(lambda limit: limit == 100)),
        ("filter.mixed-up", "Concurrent list requests for 100 animals that close their connection use the filter of the last.",
         lambda: mixed_up(rb"/pets\?limit=100&status=", "query_string")),
        ("filter.leak.sometimes", "Every eighth filtered list contains one animal with another status.",
         lambda: sometimes(8, lists.leaking(always), lambda _, status: status is not None))),
    *breaks("list.status.filter", 3, own).rows(
        ("filter.leak.created", "Animals created since the start are in every filtered list.",
         Steps(select=lists.in_every_filter)),
        ("filter.cached",
         "Pages are cached by limit alone: a filter gets the page read before it, regardless of status.",
         lambda: lists.kept(lambda limit, _: limit))),
    *breaks(_UNKNOWN, 1, lists.filters).rows(
        ("filter.unknown-ignored", "A status filter other than the three values is ignored.",
         lambda values, read: None if values and values[0] not in STATUSES else read(values))),
    *breaks(_UNKNOWN, 1, own).rows(
        ("filter.unknown-empty",
         "A status filter other than the three values returns an empty list: it is compared but not validated.",
         Steps(list_pets=handled(
             lambda refusal: Reply(200, []) if refusal.code == "invalid_status" else None)))),
    # What is there is listed
    *breaks("list.complete", 1, own).rows(
        ("list.bare.empty", "A list request without parameters returns an empty list.",
         Steps(list_pets=lambda before, call: before(call) if call.query else Reply(200, []))),
        ("list.lost.newest", "The newest animal is not listed: lists start with the second newest.",
         Steps(select=lists.newest_hidden))),
    *breaks("list.complete", 2, own).rows(
        ("list.lost.category", "Animals whose category is not in the catalogue are never listed.",
         Steps(select=lists.joined))),
    *breaks("list.complete", 3, lists.arranged).rows(
        ("list.lost.namesake", "Of animals with the same name, only one is listed.",
         lambda animals: list({animal.name: animal for animal in animals}.values()))),
    *breaks("list.complete", 2, lists.unlisted).rows(
        ("list.lost.unstated", "Animals created without a status are never listed.", unstated),
        ("list.lost.empty-name", "Animals with an empty name are never listed: it is treated as missing.",
         lambda _, payload, __: not payload.name),
        ("list.lost.sold", "Animals created as sold are never listed.",
         lambda _, payload, __: payload.status == "sold")),
    *breaks("list.status.complete", 1, lists.unfiltered).rows(
        ("filter.lost.created", "Animals created since the start are missing from filtered lists.",
         lambda *_: True)),
    *breaks("list.status.complete", 2, lists.unfiltered).rows(
        ("filter.lost.pending",
         "Animals created as pending are missing from the list of pending animals.",
         lambda _, payload, __: payload.status == "pending")),
]  # fmt: skip
