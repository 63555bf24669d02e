"""Lists that show many animals with another status now and then: an old node, or a cache of another request."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from animal_conformance.judge.experiments import Experiment, Read, Wait, WaitUntil

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from animal_conformance.judge.knowledge.completeness import Page
    from animal_conformance.judge.knowledge.ledger import Ledger

MOVED: Final = "moved"
# So many animals do not move and move back together by chance, and nobody moves them to and fro so often.
FEWEST_ANIMALS: Final = 5
TIMES: Final = 3
# Three lists that follow each other at once.
AT_ONCE_S: Final = 1.0
# The reads of an experiment, before a silence and after it.
READS: Final = 24
TARGET: Final = "/pets?limit=100"


@dataclass(frozen=True)
class Flip:
    """A list that shows animals with another status than the lists before and after it, which agree."""

    page: Page
    ids: AbstractSet[int]


class Flips:
    """The flips of a trace, and what they amount to."""

    def __init__(self, ledger: Ledger) -> None:
        pages = [each for each in ledger.completeness.pages if each.status is None]
        self._settle_s = ledger.terms.settle_s
        self._flips = list(_flips(pages))
        self.found = self._three_apart()
        self._read = sum(
            each.exchange.request.target == TARGET and each.exchange.sent_s >= self._from_s for each in pages
        )

    @property
    def _from_s(self) -> float:
        return self._flips[0].page.exchange.answered_s if self._flips else 0.0

    def experiment_on(self, animal_id: int) -> Experiment | None:
        """The same list again and again on new connections, before and after it has settled; ``None`` if the animal was in no flip."""
        if not any(animal_id in each.ids for each in self._flips) or self._read >= 2 * READS:
            return None
        reads = (Read(TARGET, anew=True),) * READS
        return Experiment(MOVED, (WaitUntil(self._from_s), *reads, Wait(self._settle_s), *reads))

    def _three_apart(self) -> tuple[Sequence[Page], AbstractSet[int]]:
        """Three lists in which the same animals flip, the last one when the first has settled, and these animals."""
        for at, first in enumerate(self._flips):
            settled_s = first.page.exchange.answered_s + self._settle_s
            for last in reversed(self._flips[at + 1 :]):
                if last.page.as_of_s < settled_s:
                    break
                both = first.ids & last.ids
                if len(both) < FEWEST_ANIMALS:
                    continue
                for between in self._flips[at + 1 :]:
                    of_all = both & between.ids
                    if between is not last and len(of_all) >= FEWEST_ANIMALS:
                        return (first.page, between.page, last.page), of_all
        return (), frozenset()


def _flips(pages: Sequence[Page]) -> Iterator[Flip]:
    told = [dict(zip(each.ids, each.statuses, strict=True)) for each in pages]
    changed = [
        {each for each, status in after.items() if before.get(each, status) != status}
        for before, after in pairwise(told)
    ]
    for at, (one, back) in enumerate(pairwise(changed)):
        ids = {each for each in one & back if told[at][each] == told[at + 2][each]}
        before, page, after = pages[at : at + 3]
        soon = after.exchange.answered_s - before.exchange.sent_s <= AT_ONCE_S
        if len(ids) >= FEWEST_ANIMALS and soon and page.as_of_s >= page.exchange.sent_s:
            yield Flip(page, frozenset(ids))


def flips_of(ledger: Ledger) -> Flips:
    """The flips, found once for a trace."""
    return ledger.survey("flips", lambda: Flips(ledger))
