"""Faults of listPets ('List animals', 'Limits')."""

from __future__ import annotations

from animal_conformance.reference.changes import Steps, breaks
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
from animal_conformance.reference.model import Reply
from animal_conformance.reference.service import DEFAULT

_MAXIMUM, _RESPECTED, _DEFAULT = "list.limit.maximum", "list.limit.respected", "list.limit.default"

_ACCEPTED, _BELOW, _ABOVE = "list.limit.accepted", "list.limit.below-refused", "list.limit.above-refused"

_LETTERS, _UNKNOWN = "list.limit.non-integer-refused", "list.status.unknown-refused"

FAULTS = [
    *breaks("list.answer", 1,
        ("list.limit.required", "A list request without limit is rejected, with or without a filter.",
         refusing("read_limit", 400, lambda values: not values))),
    *breaks("list.array", 1,
        ("list.wrapped.items", "A list is wrapped in an object with items.",
         valued("listPets", lambda value: {"items": value}))),
    *breaks("list.array", 2,
        ("list.single", "A list of one animal is that animal, as when XML is converted to JSON.",
         valued("listPets", lambda value: value[0] if len(value) == 1 else value))),
    *breaks("list.once", 1,
        ("list.doubled.join", "Animals with large categoryIds are listed twice, as after a join.",
         lists.paged(lambda page: [each for each in page for _ in range(1 + (each.category_id >= 2**31))]))),
    *breaks("list.once", 4,
        ("list.doubled.sometimes", "Every ninth list starts with the same animal twice.",
         sometimes(9, lists.paged(lambda page: page[:1] + page), always))),
    # The limit
    *breaks(_ACCEPTED, 4,
        ("limit.one-refused", "A limit of 1 is rejected.",
         refusing("select", 400, lambda limit, _: limit == 1))),
    *breaks(_ACCEPTED, 2,
        ("limit.above-fifty-refused", "A limit above 50 is rejected.",
         refusing("select", 400, lambda limit, _: limit > 50))),
    *breaks(_DEFAULT, 1,
        ("limit.default-21",
         "Without a limit, 21 animals are returned: the one that detects a next page is not removed.",
         Steps(read_limit=lambda before, values: before(values) if values else 21)),
        ("limit.default-forgotten-with-filter",
         "With a filter and without a limit, up to 100 animals are returned.",
         lists.defaulted(100, lambda call: call.parameters("status")))),
    *breaks(_RESPECTED, 1,
        ("limit.ignored", "The limit is ignored: 20 animals are returned.",
         lists.selected(lambda _limit, _status: 20)),
        ("limit.one-more", "One animal more than the limit is returned.",
         lists.limits_where(lambda limit: 1 <= limit <= 100, lambda limit: limit + 1))),
    *breaks(_RESPECTED, 2,
        ("limit.forgotten-with-filter", "With a filter, the limit is ignored: up to 20 animals are returned.",
         lists.selected(lambda limit, status: max(limit, 20) if status else limit))),
    *breaks(_RESPECTED, 4,
        ("limit.one-more.at-100", "A limit of 100 returns 101 animals.",
         lists.limits_where(lambda limit: limit == 100, lambda _: 101)),
        ("limit.one-more.at-1", "A limit of 1 returns two animals.",
         lists.limits_where(lambda limit: limit == 1, lambda _: 2)),
        ("limit.one-more.sometimes", "Every eleventh list with a limit has one animal too many.",
         sometimes(11, lists.selected(lambda limit, _: limit + 1), lambda limit, _: limit != DEFAULT))),
    *breaks((_MAXIMUM, _ABOVE), 1,
        ("limit.above-unbounded", "Limits above 100 are applied as given.",
         lists.limits_where(lambda limit: limit > 100, lambda limit: min(limit, lists.EVERYTHING)))),
    *breaks((_MAXIMUM, _BELOW), 2,
        ("limit.negative-unbounded", "A negative limit returns every animal, as in SQLite.",
         lists.limits_where(lambda limit: limit < 0, lambda _: lists.EVERYTHING))),
    *breaks(_MAXIMUM, 2,
        ("limit.empty-unbounded", "An empty limit returns every animal.",
         Steps(read_limit=lambda before, values: lists.EVERYTHING if values == [""] else before(values)))),
    *breaks(_ABOVE, 1,
        ("limit.above-clamped", "A limit above 100 is treated as 100.",
         lists.limits_where(lambda limit: limit > 100, lambda _: 100))),
    *breaks(_BELOW, 2,
        ("limit.zero-default", "A limit of 0 is treated as omitted.",
         lists.limits_where(lambda limit: limit == 0, lambda _: 20))),
    *breaks(_LETTERS, 1,
        ("limit.letters-ignored", "A limit that is not a number is treated as omitted.",
         Steps(read_limit=lambda before, values: 20 if values and values[0].isalpha() else before(values)))),
    # The filter
    *breaks("list.status.accepted", 1,
        ("filter.sold-refused", "The status filter sold is rejected.",
         refusing("select", 400, lambda _, status: status == "sold")),
        ("filter.upper-case", "The status filter is accepted only in upper case.",
         lists.filters(lambda values, read: read([value.lower() for value in values]) if all(map(str.isupper, values))
             else refuse(400)))),
    *breaks("list.combined", 1,
        ("filter.with-limit-refused", "limit and status together are rejected.",
         refusing("list_pets", 400, lambda call: call.parameters("limit") and call.parameters("status")))),
    *breaks("list.status.filter", 1,
        ("filter.ignored", "The status filter is ignored.",
         Steps(select=lambda before, limit, _: before(limit, None))),
        ("list.filter.leak", "A filtered list ends with one animal with another status.",
         lists.leaking(always))),
    *breaks("list.status.filter", 4,
        ("filter.leak.large-page",
         "A filtered list with a limit of 100 ends with one animal with another status.",
         lists.leaking(lambda limit: limit == 100)),
        ("filter.mixed-up",
         "Concurrent list requests for 100 animals that close their connection use the filter of the last.",
         mixed_up(rb"/pets\?limit=100&status=", "query_string"))),
    *breaks("list.status.filter", 3,
        ("filter.cached",
         "Pages are cached by limit alone: a filter gets the page read before it, regardless of status.",
         lists.kept_by_limit)),
    *breaks(_UNKNOWN, 1,
        ("filter.unknown-empty",
         "A status filter other than the three values returns an empty list: it is compared but not validated.",
         Steps(list_pets=handled(
             lambda refusal: Reply(200, []) if refusal.code == "invalid_status" else None)))),
    # What is there is listed
    *breaks("list.complete", 1,
        ("list.bare.empty", "A list request without parameters returns an empty list.",
         Steps(list_pets=lambda before, call: before(call) if call.query else Reply(200, [])))),
    *breaks("list.complete", 3,
        ("list.lost.namesake", "Of animals with the same name, only one is listed.",
         lists.arranged(lambda animals: list({animal.name: animal for animal in animals}.values())))),
    *breaks("list.complete", 2,
        ("list.lost.unstated", "Animals created without a status are never listed.",
         lists.unlisted(unstated))),
    *breaks("list.status.complete", 1,
        ("filter.lost.created", "Animals created since the start are missing from filtered lists.",
         lists.unlisted(always, filtered=True))),
]  # fmt: skip
