"""Lists that are empty although there are animals, whatever their cap."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import TURNS, in_turns
from animal_conformance.judge.knowledge.absence import turns_of

if TYPE_CHECKING:
    from animal_conformance.judge.knowledge.completeness import Page
    from animal_conformance.judge.knowledge.ledger import Ledger
    from animal_conformance.record.exchange import Exchange

CAPPED: Final = "capped"


def empty(case: Case, page: Page) -> Opinion:
    """What an empty list means: a finding where, in turns, others show animals that belong in it.

    Of a filtered list, that is the list without the filter: where it shows animals with the status, a scan as long
    as the page would have met them.
    """
    if page.status is None and page.limit < case.contract.limit_default:
        return None  # pages may be shorter than their limit by a few
    others = _others(case, page)
    alike = case.ledger.completeness.alike(page)
    before = [each for each in alike if each.exchange.sent_s < page.exchange.sent_s]
    empties = list(takewhile(lambda each: not each.length, alike[len(before) :]))
    turns = turns_of(case.ledger, empties, others)
    if turns.complete:
        return _finding(page, turns.shown)
    last = alike[-1]
    if last.length:
        return None
    target = f"/pets?limit={page.limit}"
    found = case.ledger.successes[Operation.GET]
    if found and _shows_nothing(case.ledger, page):
        target = found[-1].request.target
    elif page.status is None:
        target = "/pets" if page.exchange.request.query else "/pets?limit=100"
    asked = [
        each
        for each in case.ledger.completeness.beside(page)
        if each.exchange.sent_s >= page.exchange.answered_s
    ]
    if page.status is not None and asked and page.status not in asked[-1].statuses:
        return Explained(CAPPED)
    if not case.ledger.known_count(page.status, page.exchange.sent_s):
        return None
    settle_s = case.ledger.terms.settle_s + page.exchange.sent_s - page.as_of_s
    since = takewhile(lambda each: not each.length, reversed(alike))
    late = [each for each in since if case.ledger.known_count(page.status, each.exchange.sent_s - settle_s)]
    if len(late) > 2 * TURNS and not turns.absences:
        return Explained(CAPPED)
    # What was known may have been new: once the last page has settled, one more round tells.
    settled = case.ledger.known_count(page.status, last.exchange.sent_s - settle_s)
    from_s = last.exchange.answered_s + (0.0 if settled else settle_s)
    return Suspicion(
        _finding(page, ()),
        f"the list {page.exchange.request.target}",
        (in_turns(CAPPED, (page.exchange.request.target, target), from_s),),
    )


def _shows_nothing(ledger: Ledger, page: Page) -> bool:
    """Whether no list has shown anything: no cap leaves nothing of all that getPet finds."""
    return page.status is None and not any(each.length for each in ledger.completeness.pages)


def _others(case: Case, page: Page) -> list[Exchange]:
    """The responses that show animals which belong in a page, known for longer than it may lag."""
    ledger = case.ledger
    settled_s = page.as_of_s - ledger.terms.settle_s
    if _shows_nothing(ledger, page):
        known = {each.animal_id for each in ledger.animals.values() if each.known_since_s <= settled_s}
        found = (each for each in ledger.successes[Operation.GET] if ledger.reading(each).pet_id in known)
        return [each for each in found if each.sent_s >= page.exchange.answered_s]
    pages = ledger.completeness.beside(page) if page.status is not None else ledger.completeness.pages
    return [
        each.exchange
        for each in pages
        if each.exchange.sent_s >= page.exchange.answered_s
        and each.query != page.query
        and any(
            ledger.animals[animal_id].known_since_s <= settled_s and each.shows(animal_id, page.status)
            for animal_id in each.ids
        )
    ]


def _finding(page: Page, shown: tuple[Exchange, ...]) -> Finding:
    what = f"filtered for {page.status} " if page.status else ""
    got = any(each.request.path != "/pets" for each in shown)
    where = "getPet finds" if got else "unfiltered lists show" if page.status else "other lists show"
    return Finding(
        f"A list {what}is empty, although {where} animals that belong in it.",
        f"at least one animal at limit {page.limit}",
        "200 with []",
        related=shown[:1],
        excluded=tuple((CAPPED, each) for each in shown[-1:]),
    )
