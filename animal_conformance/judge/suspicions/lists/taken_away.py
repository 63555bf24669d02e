"""Animals that lists leave out while getPet is removed, or may be stored for long, so that only lists tell of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import islice
from math import inf
from typing import Final

from animal_conformance.judge.case import Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CACHED, WITHDRAWN, two_listed
from animal_conformance.judge.knowledge.absence import Turns
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.creating import creations_like
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.order import leaves_out
from animal_conformance.judge.knowledge.presence import LONGEST_S, SOON_S, declared_age_s
from animal_conformance.judge.knowledge.thinning import stands_amid

# If this many animals that lists have shown are no longer shown, the store takes animals away.
SEVERAL: Final = 3


def unless_taken_away(
    ledger: Ledger, page: Page, creation: Creation, turns: Turns, finding: Finding
) -> Turns | Opinion:
    """What it means that a list goes on leaving out an animal that no other response has shown since.

    An animal that any list has shown was withdrawn since (reading 16). Any other is missing if the query has left out
    two animals of the run from the start, the second created after the first was found missing; until there are two,
    new ones like it are created.

    :param turns: the pages without the animal.
    """
    never: tuple[Page, ...] = ledger.survey(("never listed", page.query), lambda: _never_listed(ledger, page))
    if len(never) == 2:
        return replace(turns, shown=tuple(each.exchange for each in never))
    if is_taken_away(ledger, page, creation):
        return Explained(WITHDRAWN)
    alike = creations_like(ledger, creation)
    like = [each for each in alike if each.sent_s >= page.answered_s]
    if len(like) >= 2 and any(ledger.animals[each.animal_id].listed for each in like):
        return Explained(WITHDRAWN)
    target, settle_s = page.exchange.request.target, ledger.terms.settle_s
    other = None
    if declared_age_s(page.exchange) > LONGEST_S:
        listed = (ledger.animals[each].creation for each in page.ids)
        other = next((each.body for each in listed if each is not None), None)
        if other is None or len(like) >= 2:
            return Explained(CACHED)
    experiment = two_listed(WITHDRAWN, alike[0].body, settle_s, query=target, other=other)
    return Suspicion(finding, f"animal {creation.animal_id}", (experiment,))


def is_taken_away(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether lists have shown an animal, but not since a page; or its query by now lacks several that lists have shown."""
    listed = ledger.animals[creation.animal_id].listed
    if listed:
        return all(each.last.sent_s < page.answered_s for each in listed)
    return ledger.survey(("taken away", page.query), lambda: _are_taken_away(ledger, page))


def _are_taken_away(ledger: Ledger, page: Page) -> bool:
    """Whether the last page of a query leaves out several animals of the run that lists have shown."""
    last = ledger.completeness.alike(page)[-1]
    shown = (each for each in ledger.made[page.status] if ledger.animals[each.animal_id].listed)
    gone = (each for each in shown if leaves_out(ledger, last, each))
    return len(tuple(islice(gone, SEVERAL))) == SEVERAL


def _never_listed(ledger: Ledger, page: Page) -> tuple[Page, ...]:
    """The settled pages without the first two animals of the run that the query of a page has never shown."""
    room, read_s = _Room(ledger), -inf
    found: list[Page] = []
    for creation in ledger.made[page.status]:
        animal = ledger.animals[creation.animal_id]
        if animal.listed or animal.creation is not creation or creation.sent_s < read_s:
            continue
        made_s = creation.answered_s
        lacking = [each for each in ledger.completeness.alike(page) if each.as_of_s >= made_s]
        # A page that may be cut before the animal tells nothing, once another one had room.
        if not lacking or not _is_left_out(ledger, lacking[0], creation):
            continue
        settled = (each for each in lacking if each.as_of_s >= made_s + ledger.terms.settle_s)
        left_out = next((each for each in settled if _is_left_out(ledger, each, creation)), None)
        if left_out is not None and room.is_left(creation, lacking[0]):
            read_s = lacking[0].answered_s
            found.append(left_out)
    return tuple(found[:2])


def _is_left_out(ledger: Ledger, page: Page, creation: Creation) -> bool:
    return leaves_out(ledger, page, creation) or stands_amid(ledger, page, creation)


class _Room:
    """Tell whether a store that keeps only the newest animals would still have one: lists showed others for as long."""

    def __init__(self, ledger: Ledger) -> None:
        self._sent_s = sorted(each.sent_s for each in ledger.creations)
        self._answered_s = sorted(each.answered_s for each in ledger.creations)
        self._survived = max((self._since(*each) for each in _shown(ledger)), default=0)

    def is_left(self, creation: Creation, page: Page) -> bool:
        """Whether a page was asked for so soon that neither the age of an animal nor a later one can have removed it."""
        soon = page.sent_s - creation.answered_s <= SOON_S
        begun = bisect_left(self._sent_s, page.answered_s)
        ended = bisect_right(self._answered_s, creation.sent_s)
        return soon and begun - ended - 1 <= self._survived

    def _since(self, creation: Creation, page: Page) -> int:
        """How many animals were certainly created after one, and before a page."""
        ended = bisect_right(self._answered_s, page.as_of_s)
        return ended - bisect_left(self._sent_s, creation.answered_s)


def _shown(ledger: Ledger) -> list[tuple[Creation, Page]]:
    """The oldest animal of the run on each page."""
    own = (
        ([made for each in page.ids for made in ledger.animals[each].creations], page)
        for page in ledger.completeness.pages
    )
    return [(min(made, key=lambda each: each.sent_s), page) for made, page in own if made]
