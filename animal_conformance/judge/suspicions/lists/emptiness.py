"""Lists that are empty although there are animals, whatever their cap."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from math import inf

from animal_conformance.interface.contract import LARGEST_LIST, Operation
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CAPPED, SAMPLED, TURNS, in_turns
from animal_conformance.judge.knowledge.absence import Turns, is_behind_large, turns_of
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.suspicions.lists.lowered import growing
from animal_conformance.record.exchange import Exchange


def empty(case: Case, page: Page) -> Opinion:
    """What an empty list means: a finding if, in turns with it, others show animals that belong in it.

    For a filtered list, these others are the list without the filter, because a scan as long as its page would have met
    the animals that it shows with the status, and lists with the same filter and a smaller limit.
    """
    if page.status is None and page.limit < case.contract.limit_default:
        return None  # pages may be a few animals shorter than their limit
    ledger = case.ledger
    if is_behind_large(ledger, page):
        return _behind_large(ledger, page)
    age_s = ledger.terms.settle_s + page.sent_s - page.as_of_s
    others = _others(case, page, page.sent_s - age_s)
    alike = ledger.completeness.alike(page)
    before = [each for each in alike if each.sent_s < page.sent_s]
    empties = list(takewhile(lambda each: not each.length, alike[len(before) :]))
    turns = turns_of(ledger, empties, others)
    if turns.complete and _are_a_choice(ledger, page, turns):
        return Explained(SAMPLED)
    if turns.complete:
        return _finding(page, turns.shown)
    last = alike[-1]
    if last.length:
        return None
    beside = _beside(ledger, page)
    if beside is None:
        return Explained(CAPPED)
    if not ledger.known_count(page.status, page.sent_s):
        return None
    since = takewhile(lambda each: not each.length, reversed(alike))
    late = [each for each in since if ledger.known_count(page.status, each.sent_s - age_s)]
    if len(late) > 2 * TURNS and not turns.absences and beside.shown_s == inf:
        return Explained(CAPPED)
    # The animals known may have been new: once they, or the last page, have settled, one more round tells.
    settled = ledger.known_count(page.status, last.sent_s - age_s)
    from_s = last.answered_s + (0.0 if settled else age_s)
    if not others and beside.shown_s < inf:
        from_s = max(from_s, beside.shown_s + age_s)
    return Suspicion(
        _finding(page, ()),
        f"the list {page.exchange.request.target}",
        (in_turns(CAPPED, (page.exchange.request.target, beside.target), from_s),),
    )


def _behind_large(ledger: Ledger, page: Page) -> Opinion:
    """What it means that a list is empty whose first animal may be larger than a page: smaller ones are created."""
    experiments = growing(ledger, page)
    if page is not ledger.completeness.alike(page)[-1] or not experiments:
        return None
    return Suspicion(_finding(page, ()), f"the list {page.exchange.request.target}", experiments)


def _are_a_choice(ledger: Ledger, page: Page, turns: Turns) -> bool:
    """Whether only some pages of the queries beside a filtered list show animals that belong in it.

    Then each page may be a choice, and the filter may apply to what was chosen.
    """
    if page.status is None:
        return False
    showing = {ledger.completeness.by_exchange[id(each)].query for each in turns.shown}
    meanwhile = (
        each
        for each in ledger.completeness.pages
        if each.query in showing and turns.absences[0].sent_s <= each.sent_s <= turns.shown[-1].sent_s
    )
    return any(page.status not in each.statuses for each in meanwhile)


@dataclass(frozen=True)
class Beside:
    """The target with which an empty list is compared.

    ``shown_s`` is the time since when the oldest animal that it last showed, and that belongs in the list, has been
    known; ``inf`` if it showed none.
    """

    target: str
    shown_s: float = inf


def _beside(ledger: Ledger, page: Page) -> Beside | None:
    """What would show that an empty list is wrong; ``None`` if no other list shows animals that belong in it either."""
    if page.status is None:
        found = ledger.successes[Operation.GET]
        if found and _shows_nothing(ledger, page):
            return Beside(found[-1].request.target)
        return Beside("/pets" if page.exchange.request.query else LARGEST_LIST)
    asked = _last_asked(page, ledger.completeness.beside(page))
    if asked is None:
        return Beside(page.target_of_all)
    shown_s = _known_since_s(ledger, asked, page.status)
    if shown_s < inf:
        return Beside(page.target_of_all, shown_s)
    smaller = ledger.completeness.smaller(page)
    again = smaller and _last_asked(page, ledger.completeness.alike(smaller))
    if smaller is None or (again is not None and not again.length):
        return None
    target = smaller.exchange.request.target
    return Beside(target, inf if again is None else _known_since_s(ledger, again, page.status))


def _shows_nothing(ledger: Ledger, page: Page) -> bool:
    """Whether no list has shown anything since a page without a filter: a cap would not hide all that getPet finds."""
    since = (each for each in ledger.completeness.pages if each.sent_s >= page.sent_s)
    return page.status is None and not any(each.length for each in since)


def _others(case: Case, page: Page, settled_s: float) -> list[Exchange]:
    """The later responses that show animals which belong in a page and were known by a given time."""
    ledger, lists = case.ledger, case.ledger.completeness
    if _shows_nothing(ledger, page):
        known = {each.animal_id for each in ledger.animals.values() if each.known_since_s <= settled_s}
        found = (each for each in ledger.successes[Operation.GET] if ledger.reading(each).pet_id in known)
        return [each for each in found if each.sent_s >= page.answered_s]
    pages = lists.pages
    if page.status is not None:
        smaller = lists.smaller(page)
        alike = [] if smaller is None else lists.alike(smaller)
        pages = sorted([*lists.beside(page), *alike], key=lambda each: each.sent_s)
    return [
        each.exchange
        for each in pages
        if each.sent_s >= page.answered_s
        and each.query != page.query
        and _known_since_s(ledger, each, page.status) <= settled_s
    ]


def _known_since_s(ledger: Ledger, page: Page, status: str | None) -> float:
    """The time since when the oldest animal on a page, of a status if one is given, has been known."""
    shown = (each for each in page.ids if page.shows(each, status))
    return min((ledger.animals[each].known_since_s for each in shown), default=inf)


def _last_asked(page: Page, pages: list[Page]) -> Page | None:
    """The last of some pages, if it was requested after a page."""
    return next((each for each in pages[-1:] if each.sent_s >= page.answered_s), None)


def _finding(page: Page, shown: tuple[Exchange, ...]) -> Finding:
    got = any(each.request.path != "/pets" for each in shown)
    smaller = any("status" in dict(each.request.query) for each in shown)
    others = "other lists show" if smaller or not page.status else "unfiltered lists show"
    where = "getPet finds" if got else others
    return Finding(
        f"{page.words} is empty, although {where} animals that belong in it.",
        f"at least one animal {page.at_limit}",
        "200 with []",
        related=shown[:1],
        excluded=tuple((CAPPED, each) for each in shown[-1:]),
    )
