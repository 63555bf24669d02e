"""Lists that now and then show many animals with another status: an old node, or a cache of another request.

Other clients may also move many animals to and fro, for moments. Then getPet tells of it, as lists do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.judge.experiments import MOVED, Experiment, Read, Wait, WaitUntil
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import as_of_s
from animal_conformance.judge.knowledge.tellings import asked_of
from animal_conformance.record.exchange import Exchange

# This many animals do not move and move back together by chance.
FEWEST_ANIMALS: Final = 5
# A move may be so short that only one request meets it. If animals really move, getPet meets that at least as often as
# lists do, since it is asked more often.
TIMES: Final = 6
# How far apart three lists may be that follow each other at once, with a few requests between them.
AT_ONCE_S: Final = 1.0
AT_ONCE_TRIPS: Final = 16
# A response before and one after.
BOTH: Final = 2
# How many lists an experiment reads, in pairs, before a silence and after it: after it, one flip is enough.
READS: Final = 24
READS_AFTER: Final = 10


@dataclass(frozen=True)
class Flip:
    """A list that shows animals with another status than the lists before and after it, which agree.

    ``denied_by`` are getPet responses for one of the animals, just before and just after the list, that tell the same
    status as the lists around it; there are none if any such getPet response tells another status.
    """

    page: Page
    ids: AbstractSet[int]
    denied_by: tuple[Exchange, ...] = ()


class Flips:
    """The flips of a trace, and what they amount to."""

    def __init__(self, ledger: Ledger) -> None:
        pages = [each for each in ledger.completeness.pages if each.status is None]
        self._settle_s = ledger.terms.settle_s
        self._ledger = ledger
        self._flips = list(_flips(pages, ledger))
        self._denied = [each for each in self._flips if each.denied_by]
        self.found = self._apart()
        # Animals in the middle of a full list are not pushed out soon by the creations of others.
        self._few = [page.ids[len(page.ids) // 2] for page in pages[-1:] if page.ids]
        self._few += [sorted(each.ids)[len(each.ids) // 2] for each in self._flips[-1:]]
        self._read = sum(
            each.exchange.request.target == LARGEST_LIST and each.sent_s >= self._from_s for each in pages
        )

    @property
    def _from_s(self) -> float:
        return self._flips[0].page.answered_s if self._flips else 0.0

    def experiment_on(self, animal_id: int) -> Experiment | None:
        """Read the list again and again on new connections, before and after settling, each time between two getPet.

        ``None`` if the animal was not in any flip.
        """
        if not any(animal_id in each.ids for each in self._flips) or self._read >= READS + READS_AFTER:
            return None
        page = Read(LARGEST_LIST, anew=True)
        one, other = (Read(f"/pets/{each}", anew=True) for each in (self._few[-1], self._few[0]))
        # Lists are not just every second, third or fourth request, which one node of a few may serve.
        before, after = (
            (one, other, *(one, page, one, other, one, page, other) * (reads // 2), one)
            for reads in (READS, READS_AFTER)
        )
        return Experiment(MOVED, (WaitUntil(self._from_s), *before, Wait(self._settle_s), *after))

    def _apart(self) -> tuple[Sequence[Flip], AbstractSet[int]]:
        """Lists in which the same animals flip while getPet denies it, the last after settling; and those animals."""
        for at, first in enumerate(self._denied):
            settled_s = first.page.answered_s + self._settle_s
            for end in range(len(self._denied) - 1, at, -1):
                last = self._denied[end]
                if last.page.as_of_s < settled_s:
                    break
                flips, ids = [first], first.ids & last.ids
                for each in self._denied[at + 1 : end]:
                    if len(flips) < TIMES - 1 and len(ids & each.ids) >= FEWEST_ANIMALS:
                        flips, ids = [*flips, each], ids & each.ids
                flips.append(last)
                if len(flips) == TIMES and len(ids) >= FEWEST_ANIMALS and not self._have_moved(flips, ids):
                    return flips, ids
        return (), frozenset()

    def _have_moved(self, flips: Sequence[Flip], ids: AbstractSet[int]) -> bool:
        """Whether getPet, since the first of these lists, told of any such animal the status that the lists tell."""
        from_s = flips[0].page.sent_s - AT_ONCE_S
        told = {
            (each, status)
            for flip in flips
            for each, status in zip(flip.page.ids, flip.page.statuses, strict=True)
        }
        return any(
            (each, status) in told
            for each in ids
            for exchange, status in _told(self._ledger, each)
            if exchange.sent_s >= from_s
        )


def _flips(pages: Sequence[Page], ledger: Ledger) -> Iterator[Flip]:
    told = [dict(zip(each.ids, each.statuses, strict=True)) for each in pages]
    changed = [
        {each for each, status in after.items() if before.get(each, status) != status}
        for before, after in pairwise(told)
    ]
    for at, (one, back) in enumerate(pairwise(changed)):
        ids = {each for each in one & back if told[at][each] == told[at + 2][each]}
        before, page, after = pages[at : at + 3]
        took_s = page.answered_s - page.sent_s
        at_once_s = max(AT_ONCE_S, AT_ONCE_TRIPS * took_s)
        soon = after.answered_s - before.sent_s <= at_once_s
        if len(ids) >= FEWEST_ANIMALS and soon and page.as_of_s >= page.sent_s:
            yield Flip(page, frozenset(ids), _denied_by(ledger, page, {each: told[at][each] for each in ids}))


def _denied_by(ledger: Ledger, page: Page, steady: dict[int, object]) -> tuple[Exchange, ...]:
    """The getPet responses of ``Flip.denied_by``.

    :param steady: the status that the lists around the page tell of each animal.
    """
    denied: tuple[Exchange, ...] = ()
    for animal_id, status in steady.items():
        beside = _told_beside(ledger, animal_id, page.exchange)
        if any(told != status for _, told in beside):
            return ()
        if len(beside) == BOTH and not denied:
            denied = tuple(each for each, _ in beside)
    return denied


def _told_beside(ledger: Ledger, animal_id: int, page: Exchange) -> list[tuple[Exchange, object]]:
    """The last getPet response before a list and the first one after it, each with the status that it tells."""
    told = _told(ledger, animal_id)
    before = [
        each
        for each in told
        if page.sent_s - AT_ONCE_S <= each[0].sent_s and each[0].answered_s <= page.sent_s
    ]
    after = [each for each in told if page.answered_s <= each[0].sent_s <= page.answered_s + AT_ONCE_S]
    return [
        *sorted(before, key=lambda each: each[0].answered_s)[-1:],
        *sorted(after, key=lambda each: each[0].sent_s)[:1],
    ]


def _told(ledger: Ledger, animal_id: int) -> list[tuple[Exchange, object]]:
    """The getPet responses for an animal that were not stored in a cache, each with the status that it tells."""
    return [
        (each, each.value.get("status"))
        for each in asked_of(ledger, ledger.animals[animal_id])
        if each.status == 200 and isinstance(each.value, dict) and as_of_s(each) >= each.sent_s
    ]


def flips_of(ledger: Ledger) -> Flips:
    """The flips, found once for a trace."""
    return ledger.survey("flips", lambda: Flips(ledger))
