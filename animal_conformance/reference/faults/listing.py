"""Faults of listPets ('List animals', 'Limits')."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

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

FAULTS = [
    *breaks("list.answer",
        ("list.limit.required", 1, "A list request without limit is rejected, with or without a filter.",
         refusing("read_limit", 400, lambda values: not values))),
    *breaks("list.array",
        ("list.wrapped.items", 1, "A list is wrapped in an object with items.",
         valued("listPets", lambda value: {"items": value})),
        ("list.single", 2, "A list of one animal is that animal, as when XML is converted to JSON.",
         valued("listPets", lambda value: value[0] if len(value) == 1 else value))),
    *breaks("list.once",
        ("list.doubled.join", 1, "Animals with large categoryIds are listed twice, as after a join.",
         lists.paged(lambda page: [each for each in page for _ in range(1 + (each.category_id >= 2**31))])),
        ("list.doubled.sometimes", 4, "Every ninth list starts with the same animal twice.",
         sometimes(9, lists.paged(lambda page: page[:1] + page), always))),
    # The limit
    *breaks("list.limit.accepted",
        ("limit.one-refused", 4, "A limit of 1 is rejected.",
         refusing("select", 400, lambda limit, _: limit == 1))),
    *breaks("list.limit.default",
        ("limit.default-21", 1,
         "Without a limit, 21 animals are returned: the one that detects a next page is not removed.",
         Steps(read_limit=lambda before, values: before(values) if values else 21)),
        ("limit.default-forgotten-with-filter", 1,
         "With a filter and without a limit, up to 100 animals are returned.",
         Steps(list_pets=lambda before, call: before(
             replace(call, query=[*call.query, ("limit", "100")])
             if call.parameters("status") and not call.parameters("limit") else call)))),
    *breaks("list.limit.respected",
        ("limit.ignored", 1, "The limit is ignored: 20 animals are returned.",
         Steps(select=lambda before, _, status: before(20, status))),
        ("limit.forgotten-with-filter", 2,
         "With a filter, the limit is ignored: up to 20 animals are returned.",
         lists.selected(lambda limit, status: max(limit, 20) if status else limit)),
        ("limit.one-more", 1, "One animal more than the limit is returned.",
         lists.limits_where(lambda limit: 1 <= limit <= 100, lambda limit: limit + 1)),
        ("limit.one-more.at-100", 4, "A limit of 100 returns 101 animals.",
         lists.limits_where(lambda limit: limit == 100, lambda _: 101)),
        ("limit.one-more.at-1", 4, "A limit of 1 returns two animals.",
         lists.limits_where(lambda limit: limit == 1, lambda _: 2)),
        ("limit.one-more.sometimes", 4, "Every eleventh list with a limit has one animal too many.",
         sometimes(11, lists.selected(lambda limit, _: limit + 1), lambda limit, _: limit != DEFAULT))),
    *breaks(("list.limit.maximum", "list.limit.above-refused"),
        ("limit.above-unbounded", 1, "Limits above 100 are applied as given.",
         lists.limits_where(lambda limit: limit > 100, lambda limit: min(limit, lists.EVERYTHING)))),
    *breaks(("list.limit.maximum", "list.limit.below-refused"),
        ("limit.negative-unbounded", 2, "A negative limit returns every animal, as in SQLite.",
         lists.limits_where(lambda limit: limit < 0, lambda _: lists.EVERYTHING))),
    *breaks("list.limit.maximum",
        ("limit.empty-unbounded", 2, "An empty limit returns every animal.",
         Steps(read_limit=lambda before, values: lists.EVERYTHING if values == [""] else before(values)))),
    *breaks("list.limit.above-refused",
        ("limit.above-clamped", 1, "A limit above 100 is treated as 100.",
         lists.limits_where(lambda limit: limit > 100, lambda _: 100))),
    *breaks("list.limit.below-refused",
        ("limit.zero-default", 2, "A limit of 0 is treated as omitted.",
         lists.limits_where(lambda limit: limit == 0, lambda _: 20))),
    *breaks("list.limit.non-integer-refused",
        ("limit.letters-ignored", 1, "A limit that is not a number is treated as omitted.",
         Steps(read_limit=lambda before, values: 20 if values and values[0].isalpha() else before(values)))),
    # The filter
    *breaks("list.status.accepted",
        ("filter.sold-refused", 1, "The status filter sold is rejected.",
         refusing("select", 400, lambda _, status: status == "sold")),
        ("filter.upper-case", 1, "The status filter is accepted only in upper case.",
         Steps(read_filter=lambda before, values: (before([each.lower() for each in values])
             if all(map(str.isupper, values)) else refuse(400))))),
    *breaks("list.combined",
        ("filter.with-limit-refused", 1, "limit and status together are rejected.",
         refusing("list_pets", 400, lambda call: call.parameters("limit") and call.parameters("status")))),
    *breaks("list.status.filter",
        ("filter.ignored", 1, "The status filter is ignored.",
         Steps(select=lambda before, limit, _: before(limit, None))),
        ("list.filter.leak", 1, "A filtered list ends with one animal with another status.",
         Steps(select=lists.leaking)),
        ("filter.leak.large-page", 4,
         "A filtered list with a limit of 100 ends with one animal with another status.",
         Steps(select=partial(lists.leaking, least=100))),
        ("filter.mixed-up", 4,
         "Concurrent list requests for 100 animals that close their connection use the filter of the last.",
         mixed_up(rb"/pets\?limit=100&status=", "query_string"))),
    *breaks("list.status.unknown-refused",
        ("filter.unknown-empty", 1,
         "A status filter other than the three values returns an empty list: it is compared but not validated.",
         Steps(list_pets=handled(lambda refusal: Reply(200, []) if refusal.code == "invalid_status"
             else None)))),
    # What is there is listed
    *breaks("list.complete",
        ("list.bare.empty", 1, "A list request without parameters returns an empty list.",
         Steps(list_pets=lambda before, call: before(call) if call.query else Reply(200, []))),
        ("list.lost.namesake", 3, "Of animals with the same name, only one is listed.",
         lists.arranged(lambda animals: list({animal.name: animal for animal in animals}.values()))),
        ("list.lost.unstated", 2, "Animals created without a status are never listed.",
         lists.unlisted(unstated))),
    *breaks("list.status.complete",
        ("filter.lost.created", 1, "Animals created since the start are missing from filtered lists.",
         lists.unlisted(always, filtered=True))),
]  # fmt: skip
