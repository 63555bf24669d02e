"""Caps that change in the course of a run: where pages end, and whether a longer page shows that another was not cut."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Final

from animal_conformance.judge.knowledge.absence import added_by, found_by_get, surrounds
from animal_conformance.judge.knowledge.completeness import Page, Query
from animal_conformance.judge.knowledge.ledger import Ledger

# Of the animals that a query no longer shows, this many are asked for.
SAMPLE: Final = 3
# Limits at which some nodes may end lists as they do at the largest, and how often each of them is asked for.
OTHER_LIMITS: Final = (99, 98, 97)
TIMES_ASKED: Final = 12
# This many filtered lists tell that every node knows all animals.
FILTERED: Final = 20


class Cap(Enum):
    """Whether the cap of a query was lowered permanently: ``MAYBE`` if getPet and more animals would tell."""

    SAME = auto()
    LOWERED = auto()
    MAYBE = auto()


def cap_since(ledger: Ledger, page: Page) -> Cap:
    """Whether the cap of a query was lowered before a page, so that longer pages from before then say nothing of it.

    If it was, all pages have had the same length ever since, whatever was added, and lack animals that earlier pages
    showed and that are still there: a list that leaves some animals out would grow by the others. No list of the same
    filter, with a limit that is not larger, has been longer since. And the pages do not just show the state of an
    earlier time, as a page that was kept, or an index that is no longer updated, would do, unless another list has shown
    newer animals since.
    """
    alike = ledger.completeness.alike(page)
    since = ledger.survey(("same length", page.query), lambda: _last_of_same_length(alike))
    if page.sent_s < since[0].sent_s:
        return Cap.SAME
    return ledger.survey(("cap", page.query), lambda: _cap(ledger, alike[: -len(since)], since))


def ends_of(ledger: Ledger, pages: Sequence[Page]) -> frozenset[int]:
    """The lengths at which pages of a query end although it shows more before and afterwards, in the same order.

    At least one of the animals that were cut has settled, so that no replica lacks it. They may also stand in front: a
    page need not be shown in the order in which it was chosen.
    """
    last_on = {animal_id: at for at, page in enumerate(pages) for animal_id in page.ids}
    filled = [(at, page) for at, page in enumerate(pages) if page.length]
    ends = set()
    for (_, before), (at, page) in pairwise(filled):
        shared = tuple(each for each in page.ids if each in before.id_set)
        cut, settled_s = len(before.ids) - len(shared), page.as_of_s - ledger.terms.settle_s
        parts = (before.ids[: len(shared)], before.ids[len(shared) :]), (before.ids[cut:], before.ids[:cut])
        if any(
            shown == shared and last_on[each] > at and ledger.animals[each].known_since_s <= settled_s
            for shown, behind in parts
            for each in behind
        ):
            ends.add(page.length)
    return frozenset(ends)


def may_never_change(ledger: Ledger, page: Page) -> bool:
    """Whether a filter has always shown just the animals of others that the first unfiltered list had with that status.

    It lacks those that the run has added to it. A cap may be at just as many as there happen to be (reading 20), and a
    list that never changes looks the same.
    """
    alike, beside = ledger.completeness.alike(page), ledger.completeness.beside(page)
    added = page.status is not None and added_by(ledger, alike[-1], alike[-1].as_of_s)
    if not added or not beside or any(each.id_set != page.id_set for each in alike):
        return False
    first = beside[0]
    told = zip(first.ids, first.statuses, strict=True)
    there = {each for each, status in told if status == page.status and not ledger.animals[each].creations}
    return first.ends_early and bool(there) and there == page.id_set


def cap_of_some_nodes(ledger: Ledger) -> int | None:
    """The length at which some nodes of a deployment end lists of any limit, while others do not; ``None`` if there is none.

    While one version replaces another, they may have different caps. A list that a worker has kept, and of which it
    returns the beginning, ends in the same way, but only a cap also ends filtered lists there.
    """

    def cap() -> int | None:
        length = _common_end(ledger)
        return length if length is not None and _ends_filters(ledger, length) else None

    return ledger.survey("cap of some nodes", cap)


def may_be_cap_of_some(ledger: Ledger, length: int) -> bool:
    """Whether nothing tells yet if some nodes end lists at a length: neither other limits, nor filtered lists that are longer."""
    if not _filters_know_all(ledger, length):
        return False
    pages = ledger.completeness.pages
    asked = Counter(each.limit for each in pages if each.status is None and each.query)
    if length < min(OTHER_LIMITS) and any(asked[each] < TIMES_ASKED for each in OTHER_LIMITS):
        return True
    longer = any(each.status is not None and each.length > length for each in pages)
    return not longer and _common_end(ledger) == length


def _common_end(ledger: Ledger) -> int | None:
    """The length at which unfiltered lists of several limits end, although there were more when each was first requested."""
    longest, longest_before = 0, dict[Query, int]()
    limits: dict[int, set[int]] = defaultdict(set)
    for page in ledger.completeness.pages:
        if page.status is None:
            if page.length < min(longest_before.setdefault(page.query, longest), page.limit):
                limits[page.length].add(page.limit)
            longest = max(longest, page.length)
    end = max(limits, key=lambda each: len(limits[each]), default=0)
    return end if len(limits[end]) >= len(OTHER_LIMITS) else None


def _ends_filters(ledger: Ledger, length: int) -> bool:
    """Whether a filtered list ends at a length although lists with that filter were longer before and afterwards.

    One that grows or shrinks has that length only in passing.
    """
    longer: set[str] = set()
    ended: set[str] = set()
    for page in ledger.completeness.pages:
        if page.status is None:
            continue
        if page.length > length:
            if page.status in ended:
                return True
            longer.add(page.status)
        elif page.length == length < page.limit and page.status in longer:
            ended.add(page.status)
    return False


def _filters_know_all(ledger: Ledger, cap: int) -> bool:
    """Whether no filtered list that is shorter than a cap lacks an animal of the run that one after it shows again.

    Until an animal has settled, a replica may lack it.
    """
    told, shown_later = 0, defaultdict[str, set[int]](set)
    for page in reversed(ledger.completeness.pages):
        if page.status is not None and page.ends_early and page.length < cap:
            settled_s = page.sent_s - ledger.terms.settle_s
            added = ledger.made[page.status]
            settled = {each.animal_id for each in added if each.answered_s <= settled_s}
            if not settled & shown_later[page.status] <= page.id_set:
                return False
            shown_later[page.status] |= page.id_set
            told += any(each.animal_id in page.id_set for each in added)
    return told >= FILTERED


def unasked(ledger: Ledger, page: Page) -> list[int]:
    """A few of the animals that the query of a page no longer shows, and that have not been asked for since."""
    alike = ledger.completeness.alike(page)
    since = _last_of_same_length(alike)
    lost = _dropped(alike[: -len(since)], since[0])
    return [each for each in lost if not _is_asked(ledger, since[0], each)][:SAMPLE]


def _last_of_same_length(alike: list[Page]) -> list[Page]:
    """The last pages of a query, which all have the same length."""
    unlike = (at for at in range(len(alike) - 1, -1, -1) if alike[at].length != alike[-1].length)
    return alike[next(unlike, -1) + 1 :]


def _cap(ledger: Ledger, before: list[Page], since: list[Page]) -> Cap:
    first, last = since[0], since[-1]
    lost = _dropped(before, first)
    if not lost or _is_outdone(ledger, first) or _is_of_the_past(ledger, before, since):
        return Cap.SAME
    there = any(_is_there(ledger, first, each) for each in lost)
    asked = sum(_is_asked(ledger, first, each) for each in lost)
    if not there and (ledger.get_pet_is_removed or asked >= min(SAMPLE, len(lost))):
        return Cap.SAME
    added = added_by(ledger, last, last.as_of_s)
    more = any(each.sent_s >= first.answered_s for each in added)
    return Cap.LOWERED if there and more else Cap.MAYBE


def _dropped(before: list[Page], first: Page) -> list[int]:
    """The animals that the last page before shows and the first cut page lacks, from the end, where a cap would cut.

    There are none if the page before is shorter: then the query has its length from growing.
    """
    if not before or before[-1].length < first.length:
        return []
    lost = (each for each in before[-1].ids if each not in first.id_set)
    return [each for each in lost if before[-1].shows(each, first.status)][::-1]


def _is_outdone(ledger: Ledger, page: Page) -> bool:
    """Whether a list with the same filter and a limit that is not larger was longer since: a cap would cut both."""
    return any(
        each.status == page.status and each.limit <= page.limit and each.length > page.length
        for each in ledger.completeness.pages
        if each.sent_s >= page.answered_s
    )


def _is_of_the_past(ledger: Ledger, before: list[Page], since: list[Page]) -> bool:
    """Whether pages show the state of an earlier time: the same as then, or nothing newer than an animal that they lack."""
    first, last = since[0], since[-1]
    if any(each.ids == last.ids for each in before):
        return True
    missing = [each for each in added_by(ledger, last, last.as_of_s) if each.animal_id not in last.id_set]
    if any(surrounds(ledger, last, each) for each in missing):
        return False
    newer = {each.animal_id for each in missing}
    return not any(
        not newer.isdisjoint(each.id_set)
        for each in ledger.completeness.pages
        if each.query != last.query and each.sent_s >= first.answered_s
    )


def _is_there(ledger: Ledger, page: Page, animal_id: int) -> bool:
    """Whether any response has shown an animal since a page, with the status of the page's filter if it has one."""
    since_s = page.sent_s
    listed = (each for each in ledger.completeness.pages if each.sent_s >= since_s)
    got = found_by_get(ledger, animal_id, page.status)
    return any(each.sent_s >= since_s for each in got) or any(
        each.shows(animal_id, page.status) for each in listed
    )


def _is_asked(ledger: Ledger, page: Page, animal_id: int) -> bool:
    return any(each.sent_s >= page.sent_s and each.response for each in ledger.gets[animal_id])
