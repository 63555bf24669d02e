"""Animals that a filtered list leaves out, although the list without the filter goes on showing them with that status.

Their status is the one that lists tell, not one that the run sent: they are other people's, or have moved since.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CACHED, CAPPED, MOVED, SAMPLED, in_turns
from animal_conformance.judge.knowledge.absence import Turns, turns_of
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.order import ids_tell_age
from animal_conformance.judge.knowledge.presence import LONGEST_S, as_of_s

WEIGHTIEST: Final = (Finding, Suspicion, Explained)


def overlooked(case: Case, page: Page) -> Opinion:
    """What it means that a filtered list lacks an animal that the list without the filter shows with that status.

    An animal counts only if neither a cap nor a scan that ended early can have left it out: it stands between two that
    the filtered list shows, in the same order, or the filtered list has since grown past where a scan may have ended.
    """
    lists = case.ledger.completeness
    if page.status is None or not lists.shows_all(page):
        return None
    beside = lists.beside(page)
    before = [each for each in beside if each.answered_s <= page.as_of_s]
    after = [each for each in beside if each.sent_s >= page.answered_s]
    if not before:
        return None
    # An animal that was created with this status is judged by its creation.
    known = page.id_set | {each.animal_id for each in case.ledger.made[page.status]}
    nearest = [before[-1], *after[:1]]
    opinions = [
        _ruled(case, page, animal_id)
        for animal_id in before[-1].ids
        if animal_id not in known and all(_is_uncut(case, page, each, animal_id) for each in nearest)
    ]
    return next((each for kind in WEIGHTIEST for each in opinions if isinstance(each, kind)), None)


def _is_uncut(case: Case, page: Page, beside: Page, animal_id: int) -> bool:
    return _is_passed_over(page, beside, animal_id) or _is_outgrown(case, page, beside, animal_id)


def _is_outgrown(case: Case, page: Page, beside: Page, animal_id: int) -> bool:
    """Whether a filtered query that lacked an animal has since grown by more animals than stand between it and the others.

    By now, a scan of the newest rows would end behind the nearest of the others; a scan of the oldest would show none
    new.
    """
    if not (page.ends_early and beside.shows(animal_id, page.status) and ids_tell_age(case.ledger)):
        return False
    rows = sorted(beside.ids)
    if not beside.ends_early and rows not in (list(beside.ids), list(beside.ids[::-1])):
        return False  # other animals of that age may be beyond the end of the list
    at = rows.index(animal_id)
    places = [place for place, each in enumerate(rows) if each in page.id_set]
    nearest = min(places, key=lambda place: abs(place - at), default=at)
    before = (
        each
        for each in case.ledger.completeness.alike(page)
        if each.ends_early and rows[nearest] in each.id_set and animal_id not in each.id_set
    )
    first = next(before, page)
    return page.length - first.length > abs(nearest - at) and first.id_set <= page.id_set


def _is_passed_over(page: Page, beside: Page, animal_id: int) -> bool:
    """Whether a page without the filter shows an animal between two that the filtered one shows.

    Animals that the filtered page shows after the last one on both stand behind the end of the other page.
    """
    if not beside.shows(animal_id, page.status):
        return False
    common = [each for each in page.ids if each in beside.id_set]
    if common != [each for each in beside.ids if each in page.id_set]:
        return False
    at = beside.ids.index(animal_id)
    behind = {*beside.ids[at:], *page.ids[page.ids.index(common[-1]) + 1 :]} if common else set()
    return not page.id_set.isdisjoint(beside.ids[:at]) and not page.id_set.isdisjoint(behind)


def _ruled(case: Case, page: Page, animal_id: int) -> Opinion:
    ledger = case.ledger
    alike, beside = ledger.completeness.alike(page), ledger.completeness.beside(page)
    got = ledger.animals[animal_id].gets[-1:]
    if any(each.animal.get("status", page.status) != page.status for each in got):
        return None  # lists that tell another status than getPet are covered by create.status.exact
    told = [each for each in beside if each.shows(animal_id, page.status)]
    since = (each for each in alike if each.sent_s >= told[0].answered_s)
    lacking = next((each for each in since if animal_id not in each.id_set), page)
    # From then on, every response that tells its status may lag behind what the filter knows.
    settled_s = lacking.answered_s + ledger.terms.settle_s
    later = [each for each in alike if each.sent_s >= page.sent_s]
    absent = takewhile(lambda each: animal_id not in each.id_set, later)
    absences = [each for each in absent if each.ends_early and each.as_of_s >= settled_s]
    turns = turns_of(ledger, absences, [each.exchange for each in told if each.as_of_s >= settled_s])
    by_exchange = ledger.completeness.by_exchange
    around = [by_exchange[id(each)] for each in turns.shown]
    last, last_beside = alike[-1], beside[-1]
    if animal_id in last_beside.id_set and not last_beside.shows(animal_id, page.status):
        return Explained(MOVED)
    by_now = ledger.get_pet_is_removed or any(as_of_s(each.last) >= settled_s for each in got)
    finding = _finding(page, animal_id, told[0], turns)
    pairs = zip(turns.absences, around, strict=True)
    if turns.complete and by_now and all(_is_uncut(case, *each, animal_id) for each in pairs):
        return finding
    if animal_id in last.id_set or turns.are_a_choice:
        return Explained(SAMPLED)
    if not last.ends_early or not _is_uncut(case, last, last_beside, animal_id):
        return Explained(MOVED)
    latest = (last.exchange, last_beside.exchange, *(each.last for each in got))
    age_s = max(each.sent_s - as_of_s(each) for each in latest)
    if age_s > LONGEST_S:
        return Explained(CACHED)
    target = page.exchange.request.target
    targets = (f"/pets/{animal_id}", target, page.target_of_all, target)
    return Suspicion(
        finding, f"animal {animal_id}", (in_turns(CACHED if age_s else MOVED, targets, settled_s + age_s),)
    )


def _finding(page: Page, animal_id: int, told: Page, turns: Turns) -> Finding:
    excluded = [
        *((MOVED, each) for each in turns.shown[-1:]),
        *((SAMPLED, each.exchange) for each in turns.absences[-1:]),
        *((CAPPED, each.exchange) for each in turns.absences[:1]),
    ]
    return Finding(
        f"{page.words} leaves out an animal that the unfiltered list shows with that status: {animal_id}.",
        "every animal with that status, up to the limit",
        page.without(animal_id),
        related=page.beside(*(each for _, each in excluded)) or (told.exchange,),
        excluded=tuple(excluded),
    )
