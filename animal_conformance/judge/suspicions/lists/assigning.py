"""Filters that change what they select by: animals get the status that a list asks for, and keep it until the next list."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.judge.case import Case, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import MOVED, Experiment, Read, ReadAlone, WaitUntil
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import as_of_s
from animal_conformance.judge.knowledge.tellings import asked_of
from animal_conformance.record.exchange import Exchange

# How often in a row an animal has to be in a list of one status and in the next one of another before that is put to
# the test; a list that has room for it and lacks it ends the row.
TIMES: Final = 3
# The places of the statuses that are asked for: neither to and fro nor round and round, as somebody may move animals
# so.
ORDER: Final = (0, 1, 0, 2, 1, 2, 0, 2, 1)
# How many of these lists in a row an animal has to follow: other experiments ask for lists at the same time.
IN_A_ROW: Final = 6
# This many animals that were put to the test and did not follow decide for all.
FEW: Final = 2


@dataclass(frozen=True)
class Followed:
    """A filtered list, and the first getPet request after it for an animal, with the status ``told`` in response.

    ``told`` is ``None`` if the list had no room for the animal.
    """

    page: Page
    get: Exchange
    told: object

    @property
    def agrees(self) -> bool:
        """Whether getPet told the status that the list asked for."""
        return self.told == self.page.status


def assigned(case: Case) -> Opinion:
    """What it means that animals are in lists of different statuses, one right after another.

    Their status may move. If getPet always tells the status of an animal that a list asked for last, in whatever order
    lists ask for them, the lists have changed it.

    :returns: a finding for the last of the lists that decide it; until it is decided, a suspicion for any filtered list.
    """
    ledger = case.ledger
    page = ledger.completeness.by_exchange.get(id(case.exchange))
    if page is None:
        return None
    found, experiment = ledger.survey("assigned", lambda: _put_to_the_test(ledger))
    if found:
        return _finding(page, found) if page is found[-1].page else None
    if experiment is None:
        return None
    return Suspicion(_finding(page, ()), "the status filter", (experiment,))


def _put_to_the_test(ledger: Ledger) -> tuple[Sequence[Followed], Experiment | None]:
    """The row that decides whether lists assign a status, or the experiment that would; neither if nothing is wrong."""
    filtered = [each for each in ledger.completeness.pages if each.status is not None]
    first, ids = _in_each_filter(filtered)
    if first is None:
        return (), None
    lists = _Lists(ledger, first.sent_s)
    unmoved = 0
    for animal_id in ids:
        followed = lists.followed_by(animal_id)
        row = _row(ledger, followed)
        if row:
            return row, None
        if any(each.told is not None and not each.agrees for each in followed):
            return (), None
        unmoved += len(followed) >= IN_A_ROW
    largest = [each for each in filtered if each.limit == ledger.contract.limit_maximum]
    shown = [each for each in largest[-1].ids if each in ids] if largest else []
    if unmoved >= FEW or not shown:
        return (), None
    # The animals in the middle of a full list are the last that new ones, of others or of the run, push out.
    return (), _experiment(ledger, shown[len(shown) // 2], largest[-1].answered_s)


def _in_each_filter(filtered: Sequence[Page]) -> tuple[Page | None, Sequence[int]]:
    """The first list by which an animal was in enough lists of different statuses in a row, and all such animals."""
    first, in_a_row, often = None, Counter[int](), set[int]()
    for before, page in pairwise(filtered):
        if page.status == before.status or page.sent_s < before.answered_s:
            continue
        in_a_row.update(before.id_set & page.id_set)
        if page.ends_early:
            in_a_row = Counter({each: times for each, times in in_a_row.items() if each in page.id_set})
        often.update(each for each in page.ids if in_a_row[each] >= TIMES)
        first = first or (page if often else None)
    return first, sorted(often)


class _Lists:
    """The list requests that name a status, since a time."""

    def __init__(self, ledger: Ledger, from_s: float) -> None:
        self._ledger = ledger
        self._pages = {id(each.exchange): each for each in ledger.completeness.pages}
        asked = (each for each in ledger.exchanges if each.sent_s >= from_s)
        named = (each for each in asked if each.request.target.startswith("/pets?"))
        self._asked = sorted(
            (each for each in named if "status" in each.request.target), key=lambda each: each.answered_s
        )

    def followed_by(self, animal_id: int) -> list[Followed]:
        """The largest filtered lists after which an animal was asked for, each with the first such request.

        Only those count where no request for another status, or one that leaves open which, may have come in between.
        """
        followed: dict[int, Followed] = {}
        animal = self._ledger.animals[animal_id]
        for get in asked_of(self._ledger, animal):
            page = self._before(get)
            if page is None or id(page) in followed or page.sent_s < animal.known_since_s:
                continue
            value = get.value if isinstance(get.value, dict) else {}
            told = value.get("status", "") if page.shows(animal_id, page.status) or page.ends_early else None
            followed[id(page)] = Followed(page, get, told)
        return list(followed.values())

    def _before(self, get: Exchange) -> Page | None:
        """The list that alone decides what getPet tells, if filtered lists decide that; ``None`` if there is none."""
        at = bisect_left(self._asked, get.sent_s, key=lambda each: each.answered_s)
        if not at or as_of_s(get) < get.sent_s:
            return None
        page = self._pages.get(id(self._asked[at - 1]))
        if page is None or page.limit < self._ledger.contract.limit_maximum or page.as_of_s < page.sent_s:
            return None
        since = (
            each for each in self._asked if each.answered_s >= page.sent_s and each.sent_s <= get.answered_s
        )
        beside = [self._pages.get(id(each)) for each in since]
        return page if all(each is not None and each.status == page.status for each in beside) else None


def _row(ledger: Ledger, followed: Sequence[Followed]) -> Sequence[Followed]:
    """The first row of lists, long enough and of every status, that an animal followed; none if there is no such row."""
    row: list[Followed] = []
    for each in followed:
        row = [*row, each] if each.agrees else []
        if len(row) >= IN_A_ROW and {one.page.status for one in row} >= set(ledger.contract.statuses):
            return row
    return ()


def _experiment(ledger: Ledger, animal_id: int, from_s: float) -> Experiment:
    """Read the lists, each followed by getPet, and begin while nothing else of the run is under way."""
    asked = [f"{LARGEST_LIST}&status={ledger.contract.statuses[place]}" for place in ORDER]
    reads = (each for target in asked for each in (Read(target), Read(f"/pets/{animal_id}")))
    return Experiment(MOVED, (WaitUntil(from_s), ReadAlone(asked[0]), *reads))


def _finding(page: Page, followed: Sequence[Followed]) -> Finding:
    before = [each for each in followed if each.page.status != page.status][-1:]
    return Finding(
        f"A list filtered by {page.status} contains animals whose status was another one until that list was requested: the "
        "filter changes the status instead of comparing it.",
        f"only animals that have the status {page.status} already",
        f"an animal with the status {before[0].told if before else '(another one)'} before, and {page.status} after",
        related=tuple(one for each in before for one in (each.page.exchange, each.get)),
        excluded=tuple((MOVED, each.get) for each in followed),
    )
