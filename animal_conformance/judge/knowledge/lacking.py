"""What queries lack: whether it is only what was added, so that no cap explains it; and which of it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from animal_conformance.judge.experiments import WITHDRAWN, Experiment, once
from animal_conformance.judge.knowledge.absence import added_by, is_gone, lacks_others, room_of, stops
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# Of the animals that a query has lost, this many are asked for.
SAMPLE: Final = 3
# Of those that were added and that it lacks, this many are asked for, if they are all gone.
MANY: Final = 12


@dataclass(frozen=True)
class Lacking:
    """The animals that a query has shown, and shows no longer.

    ``gone`` are those that are gone; ``unasked`` those that getPet was not asked for since the query last showed them.
    """

    gone: tuple[int, ...]
    unasked: tuple[int, ...]

    @property
    def is_told(self) -> bool:
        """Whether all animals that were lost are gone, or a sample of them."""
        return not self.unasked or len(self.gone) >= SAMPLE

    def asked_after(self, page: Page) -> tuple[Experiment, ...]:
        """The experiments that ask for a few of them after a page."""
        wanted = self.unasked[: SAMPLE - len(self.gone)]
        return tuple(once(WITHDRAWN, f"/pets/{each}", page.answered_s) for each in wanted)


def lacks_only_own(ledger: Ledger, page: Page, before_s: float = inf) -> Lacking | None:
    """Whether a query lacks all that the run has added since its first request, and nothing else that is there.

    Such a query has never shown anything new, and has lost at most what is gone. A cap would have shown other animals in
    the places of those. If another query stops at the same length, both may be cut there.

    :param before_s: only responses to requests before that time count.
    :returns: what the query has lost; ``None`` if it has shown something new, lacks anything else, or may be cut.
    """
    pages = [each for each in ledger.completeness.alike(page) if each.sent_s < before_s]
    first, last = pages[0], pages[-1]
    own = added_by(ledger, page, page.as_of_s)
    added = {each.animal_id for each in own}
    since = {each.animal_id for each in own if each.sent_s >= first.sent_s}
    lost = first.id_set - last.id_set
    if len(since) < 2 or since & first.id_set or not added - since <= page.id_set | lost:
        return None
    if any(not last.id_set <= each.id_set <= first.id_set for each in pages):
        return None
    if lacks_others(ledger, page, but=lost) or any(
        each.length == page.length < each.limit == page.limit
        and each.query != page.query
        and not ledger.completeness.longer(each)
        and stops(ledger, each)
        for each in ledger.completeness.pages
    ):
        return None
    left_s = {each: max(page.answered_s for page in pages if each in page.id_set) for each in lost}
    gone = [each for each in sorted(lost) if is_gone(ledger, last, each)]
    asked = {each for each in lost if any(one.sent_s >= left_s[each] for one in ledger.gets[each])}
    if not asked <= set(gone):
        return None
    return Lacking(tuple(gone), tuple(sorted(lost - set(gone))))


def is_cut(ledger: Ledger, page: Page) -> bool:
    """Whether a page is full, or its query has never had room for what was added."""
    if not page.ends_early:
        return True
    return ledger.completeness.longer(page) is None and stops(ledger, page)


def has_room_for(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether nothing cut a page before an animal that it lacks, not even a larger one that did not fit."""
    if is_cut(ledger, page):
        return False
    return ledger.completeness.longer(page, room_of(page, [creation], ledger)) is not None


def worth_asking_for(ledger: Ledger, page: Page, missing: Sequence[Creation]) -> list[Creation]:
    """The animals that a page lacks and that are to be asked for: the newest, until a dozen of all are gone.

    Where only the newest are kept, these are the ones that should be there. Those that were asked for already remain.

    :param missing: in the order of their creation.
    """
    ids = [each.animal_id for each in missing]
    gone = {each for each in ids if is_gone(ledger, page, each)}
    asked = {each for each in ids if any(one.sent_s >= page.answered_s for one in ledger.gets[each][-1:])}
    unasked = [each for each in ids if each not in gone and each not in asked]
    wanted = max(0, MANY - len(gone))
    others = set(unasked[: max(0, len(unasked) - wanted)])
    return [each for each in missing if each.animal_id not in others]
