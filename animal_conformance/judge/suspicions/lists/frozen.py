"""Lists that never change, although a page of the same filter that is not larger shows what was added to them."""

from __future__ import annotations

from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CACHED, CAPPED, in_turns
from animal_conformance.judge.knowledge.absence import added_by, lacks_others, turns_of
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.presence import LONGEST_S, declared_age_s
from animal_conformance.record.exchange import Exchange

# A list has to be requested this often, and this many animals added, before it counts as one that never changes.
OFTEN: Final = 3


def frozen(case: Case, page: Page, creation: Creation) -> Opinion:
    """What it means that a query has always returned the same animals, and none of those added: a cap, or a stale page.

    A cap in items or in bytes also cuts the page whose limit is smaller by one. Where no limit was stated, the default may
    be as many animals as the list has, and the page with that limit is the same. If that other page shows an animal which
    the list leaves out, in turns, nothing has cut the list.

    :returns: ``None`` if the other page does not show the animal either; if a full smaller page is the same, as the
        query may be another one from that limit on; or if the query also lacks animals of others, as it may be a
        selection of its own.
    """
    ledger, animal_id = case.ledger, creation.animal_id
    alike = ledger.completeness.alike(page)
    if any(each.id_set != page.id_set for each in alike) or lacks_others(ledger, page):
        return None
    settled_s = creation.answered_s + ledger.terms.settle_s
    smaller = [
        each
        for each in ledger.completeness.pages
        if each.status == page.status and each.limit < page.limit and each.as_of_s >= settled_s
    ]
    if any(each.length == each.limit and each.ids == page.ids for each in smaller):
        return None
    smaller = [each for each in smaller if each.limit == _limit_beside(page)]
    shown = [each.exchange for each in smaller if each.shows(animal_id, page.status)]
    absences = [each for each in alike if each.as_of_s >= settled_s]
    turns = turns_of(ledger, absences, shown)
    if turns.complete:
        return _finding(page, creation, turns.shown)
    if any(each.exchange not in shown for each in smaller):
        return None
    target, stored_s = page.exchange.request.target, declared_age_s(page.exchange)
    if stored_s > LONGEST_S:
        return Explained(CACHED)
    return Suspicion(
        _finding(page, creation, ()),
        f"the list {target}",
        # Forwards and backwards, the list stands before each of the other page.
        (in_turns(CAPPED, (target, page.target_at(_limit_beside(page)), target), settled_s, stored_s),),
    )


def small_frozen(case: Case, page: Page) -> Opinion:
    """As :func:`frozen`, for a list that may hold less than the largest, such as one without a limit.

    A list that was requested only once or twice says nothing. Of the animals added, the first one counts that is on
    the last of the pages that the list is held against.
    """
    lists, ledger = case.ledger.completeness, case.ledger
    alike = lists.alike(page)
    if page is not alike[-1] or len(alike) < OFTEN or not page.ends_early:
        return None
    since_s = alike[0].sent_s
    # The list is asked for again when lists may no longer lag.
    known = added_by(ledger, page, page.as_of_s + ledger.terms.settle_s)
    added = [each for each in known if each.sent_s >= since_s]
    missing = [each for each in added if each.animal_id not in page.id_set]
    if len(missing) < OFTEN or len(missing) < len(added):
        return None
    beside = _limit_beside(page)
    smaller = [each for each in lists.pages if each.limit == beside and each.status == page.status]
    if not smaller:
        return frozen(case, page, missing[-1])
    shown = (each for each in missing if smaller[-1].shows(each.animal_id, page.status))
    creation = next(shown, None)
    return None if creation is None else frozen(case, page, creation)


def full_frozen(case: Case, page: Page) -> Opinion:
    """As :func:`frozen`, for a full list: what was added may be behind its end, unless any smaller page has shown it."""
    lists, ledger = case.ledger.completeness, case.ledger
    alike = lists.alike(page)
    if len(alike) < OFTEN or any(each.ids != page.ids for each in alike):
        return None
    added = {each.animal_id: each for each in added_by(ledger, page, page.as_of_s)}
    if len(added) < OFTEN or not page.id_set.isdisjoint(added):
        return None
    smaller = (each for each in lists.pages if each.status == page.status and each.limit < page.limit)
    shown = next((each for page in smaller for each in page.ids if each in added), None)
    return None if shown is None else frozen(case, page, added[shown])


def _limit_beside(page: Page) -> int:
    """The limit of the page that a list is held against: smaller by one, or its length if it was requested without a limit."""
    return page.limit - 1 if page.query_of_all else page.length


def _finding(page: Page, creation: Creation, shown: tuple[Exchange, ...]) -> Finding:
    return Finding(
        f"A list never changes: animal {creation.animal_id}, which was added to it, is on a page of the same filter that is not larger.",
        f"animal {creation.animal_id} {page.at_limit} as well",
        f"{page.length} animals {page.at_limit}, the same as ever",
        related=(creation.exchange, *shown[:1]),
        excluded=tuple((CAPPED, each) for each in shown[-1:]),
    )
