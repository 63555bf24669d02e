"""A filter that is still applied to the next list of its connection, which has asked for none."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.judge.case import Case, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import SAMPLED, TURNS, Experiment, Read
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# The list before it on its connection is one of so many, if others are asked for side by side.
LANES: Final = 8


@dataclass(frozen=True)
class Pair:
    """A filtered list, and the list without a filter that one connection asked for right afterwards."""

    filtered: Page
    page: Page

    @property
    def carries_over(self) -> bool:
        """Whether the second list shows only animals with the status that the first one was filtered for."""
        return self.filtered.status is not None and _only_status(self.page) == self.filtered.status


def carried_over(case: Case, page: Page) -> Opinion:
    """What it means that a list without a filter shows animals of one status alone, and lists before and after it others too.

    A list may be a selection that varies; but none goes with the filter of the request before. Lists with a filter and
    lists without one are asked for in turns: it is a finding if the filter of one decides what the next one shows, for
    each of two statuses each time.

    :returns: ``None`` for any but one such list, and where lists that were asked for in turns tell otherwise.
    """
    if page.exchange.request.target != LARGEST_LIST:
        return None
    first, other, carried = case.ledger.survey("carried over", lambda: _survey(case.ledger))
    if carried:
        return _finding(page, carried) if page is carried[0].page else None
    if page is not first:
        return None
    filtered = [Read(page.target_at(page.limit) + f"&status={each}") for each in (page.statuses[0], other)]
    turn = [step for each in filtered for step in (each, Read(LARGEST_LIST))]
    experiment = Experiment(SAMPLED, (*turn * TURNS,))
    return Suspicion(_finding(page, []), f"the list {LARGEST_LIST} after a filter", (experiment,))


def _survey(ledger: Ledger) -> tuple[Page | None, str, list[Pair]]:
    """The list to put to the test, if one is, and the status that it lacks; or else the pairs that show the fault."""
    first, other = _first_of_one_status(ledger)
    told = [] if first is None else list(filter(_tell, _pairs(ledger).values()))
    carried = next((each for each in told if all(pair.carries_over for pair in each)), [])
    return None if told else first, other, carried


def _only_status(page: Page) -> str | None:
    """The status that all animals of a page have; ``None`` if there are several or none."""
    first = page.statuses[0] if page.statuses else None
    return first if isinstance(first, str) and all(each == first for each in page.statuses) else None


def _first_of_one_status(ledger: Ledger) -> tuple[Page | None, str]:
    """The first list that seems filtered: lists before and after it show an animal with another status; and that status."""
    pages = [each for each in ledger.pages if each.exchange.request.target == LARGEST_LIST]
    shown: dict[tuple[int, str], list[Page]] = defaultdict(list)
    for page in pages:
        for animal_id, status in zip(page.ids, page.statuses, strict=True):
            if isinstance(status, str) and status in ledger.contract.statuses:
                shown[animal_id, status].append(page)
    for page in pages:
        if not _follows_its_filter(ledger, page):
            continue
        for (animal_id, status), by in shown.items():
            before_and_after = by[0].answered_s <= page.sent_s and page.answered_s <= by[-1].sent_s
            if before_and_after and status != page.statuses[0] and animal_id not in page.id_set:
                return page, status
    return None, ""


def _follows_its_filter(ledger: Ledger, page: Page) -> bool:
    """Whether a page shows one status alone, for which one of the last lists before it was filtered."""
    status = _only_status(page)
    if status is None:
        return False
    end = bisect_right(ledger.pages, page.sent_s, key=lambda each: each.answered_s)
    return any(each.status == status for each in ledger.pages[max(0, end - LANES) : end])


def _pairs(ledger: Ledger) -> dict[int, list[Pair]]:
    """The pairs of lists by the sequence of requests on one connection in which they are."""
    at = {(each.exchange.sequence, each.exchange.step): each for each in ledger.pages}
    pairs: dict[int, list[Pair]] = defaultdict(list)
    for (sequence, step), page in at.items():
        before = at.get((sequence, step - 1))
        if page.exchange.request.target == LARGEST_LIST and before is not None and before.status:
            pairs[sequence].append(Pair(before, page))
    return pairs


def _tell(pairs: list[Pair]) -> bool:
    """Whether they are enough to tell: two statuses, each of them so many times."""
    return sum(times >= TURNS for times in Counter(each.filtered.status for each in pairs).values()) > 1


def _finding(page: Page, pairs: list[Pair]) -> Finding:
    return Finding(
        "A list without a filter shows only animals with the status that the list before it on the same connection was "
        "filtered for.",
        "the animals that lists without a filter show otherwise",
        f"{page.length} animals, all of them {page.statuses[0]}",
        related=tuple(each.filtered.exchange for each in pairs[:1]),
        excluded=tuple((SAMPLED, each.page.exchange) for each in pairs[:TURNS]),
    )
