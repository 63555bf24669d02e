"""Large lists that end where a smaller one did: a cache that keeps pages without their limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIMIT, LARGEST_LIST
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import SAMPLED, Create, Experiment, Read, Step, Wait
from animal_conformance.judge.knowledge.absence import added_by
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# How often a list has to end where the one before did, and at how many different limits.
TIMES: Final = 3
FEWEST_LIMITS: Final = 2
# The small limits of an experiment, each in a round of its own, in which the small list is read twice.
SMALL_LIMITS: Final = (7, 3, 9, 5)
# A creation, or a moment, may end what a cache keeps. Experiments of this kind that go on at the same time wait for
# each other before they create, so that none of them ends what another one has begun.
PAUSE_S: Final = 1.0
STEP_S: Final = 0.1


@dataclass(frozen=True)
class Pair:
    """A list that is full at a small limit, and the next one with the same filter, at the largest limit.

    ``lacks`` are the animals that earlier lists with that filter have shown and the large one does not; it is empty
    unless the large list is the same as the small one. ``settled`` are those of them that the run created and that no
    list may lag behind any more. ``twice`` is whether the small list was read twice.
    """

    small: Page
    large: Page
    lacks: frozenset[int]
    settled: frozenset[int]
    twice: bool


def cut_short(case: Case, page: Page) -> Opinion:
    """What it means that a list is the same as the one before, which had a smaller limit, and therefore lacks animals.

    A cap would not follow the limits of other lists, and a choice would not be the same by chance at several limits. It
    is a finding if the animals that it lacks are listed both before and afterwards.

    :returns: ``None`` if it is not such a list, or not the first one with its filter.
    """
    ledger = case.ledger
    if page.limit != LARGEST_LIMIT or not page.ends_early:
        return None
    pairs = ledger.survey(("cut short", page.status), lambda: _pairs(ledger, page.status))
    short = [each for each in pairs if each.lacks]
    if all(page is not each.large for each in short):
        return None
    pages = ledger.completeness.pages
    largest = [each for each in pages if each.limit == LARGEST_LIMIT and each.status == page.status]
    whole = [each for each in largest if all(each is not other.large for other in short)]
    cut = [each for each in short if not _is_gone(whole, each)]
    if not cut:
        return None
    listed = [each for each in cut if _lists_again(largest, each)]
    if len(listed) >= TIMES and len({each.small.limit for each in listed}) >= FEWEST_LIMITS:
        return _finding(page, listed) if page is listed[0].large else None
    if page is not cut[0].large:
        return None
    limits = [each for each in SMALL_LIMITS if each < max(other.length for other in largest)]
    if len(limits) < FEWEST_LIMITS:
        return None
    later = [each for each in pairs if each.large.sent_s > page.sent_s]
    if len({each.small.limit for each in later if each.twice}.intersection(SMALL_LIMITS)) >= TIMES:
        return Explained(SAMPLED)
    made = [each for each in ledger.made[page.status] if each.reading.valid]
    if not made:
        return None
    return Suspicion(
        _finding(page, cut),
        f"the list {page.exchange.request.target}",
        (_experiment(page.status, limits, made[0], ledger.terms.settle_s),),
    )


def _pairs(ledger: Ledger, status: str | None) -> list[Pair]:
    """Every small list that is full, with the large one that followed it."""
    pages = [each for each in ledger.completeness.pages if each.status == status]
    pairs = []
    shown: set[int] = set()
    for at, (small, large) in enumerate(pairwise(pages)):
        shown |= small.id_set
        if large.limit != LARGEST_LIMIT or not small.length == small.limit < LARGEST_LIMIT:
            continue
        if large.sent_s < small.answered_s:
            continue
        lacks = frozenset[int]()
        if large.ids == small.ids and large.length == small.length:
            # Animals that were added after a stored list do not count as lacking.
            known = (each for each in shown if ledger.animals[each].known_since_s <= large.as_of_s)
            lacks = frozenset(known) - large.id_set
        settled = {each.animal_id for each in added_by(ledger, large, large.as_of_s)}
        twice = at > 0 and pages[at - 1].limit == small.limit
        pairs.append(Pair(small, large, lacks, lacks & settled, twice))
    return pairs


def _lists_again(largest: Sequence[Page], pair: Pair) -> bool:
    """Whether large lists show a settled animal that one lacks, both before it and afterwards."""
    at = pair.large.sent_s
    return any(
        pair.settled & before.id_set & after.id_set
        for before in largest
        if before.sent_s < at
        for after in largest
        if after.sent_s > at
    )


def _is_gone(whole: Sequence[Page], pair: Pair) -> bool:
    """Whether none of the animals that a large list lacks is in any whole list that followed it.

    :param whole: the large lists that were not the same as a small one.
    """
    later = [each for each in whole if each.sent_s >= pair.large.answered_s]
    return bool(later) and not any(pair.lacks & each.id_set for each in later)


def _experiment(status: str | None, limits: Sequence[int], like: Creation, settle_s: float) -> Experiment:
    """Read lists at a small limit and at the largest, in rounds, each after a creation and a pause."""
    of_status = f"&status={status}" if status else ""
    large = Read(f"{LARGEST_LIST}{of_status}")
    begin: tuple[Step, ...] = (Wait(STEP_S), Create(like.body), Wait(PAUSE_S))
    steps: list[Step] = [Wait(settle_s)]
    for limit in limits:
        small = Read(f"/pets?limit={limit}{of_status}")
        steps += [*begin, small, small, large]
    return Experiment(SAMPLED, (*steps, *begin, large))


def _finding(page: Page, cut: Sequence[Pair]) -> Finding:
    others = [each.large.exchange for each in cut if each.large is not page]
    return Finding(
        f"{page.words} ends where the list before it did, which had a smaller limit: it leaves out animals that are "
        f"there, such as animal {min(cut[0].lacks)}.",
        "the animals that are listed before and afterwards",
        f"{page.length} animals at limit {page.limit}, after a list at limit {cut[0].small.limit}",
        related=(cut[0].small.exchange,),
        excluded=tuple((SAMPLED, each) for each in others[: TIMES - 1]),
    )
