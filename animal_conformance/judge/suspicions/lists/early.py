"""Lists that are too early to show added animals: replicas may lag, and stored responses say how old they may be."""

from __future__ import annotations

from collections import Counter
from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CACHED, LAGGING, in_turns, repeated
from animal_conformance.judge.knowledge.absence import added_by, stops
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import LONGEST_S, declared_age_s

# This many responses in a row, each on a new connection, come from more than one worker.
READS: Final = 8


def too_early(case: Case, page: Page) -> Opinion:
    """What it means that the last page of a query lacks animals that it may be too old to show: it is requested again.

    The later page is then judged itself.
    """
    ledger, sent_s = case.ledger, page.sent_s
    alike, age_s = ledger.completeness.alike(page), declared_age_s(page.exchange)
    settled = {each.animal_id for each in added_by(ledger, page, page.as_of_s)}
    made = added_by(ledger, page, sent_s + ledger.terms.settle_s)
    late = [each for each in made if each.animal_id not in page.id_set | settled]
    if not late:
        return None
    shown = ledger.survey(
        ("shown", page.query), lambda: frozenset[int]().union(*(each.id_set for each in alike))
    )
    hidden = [each for each in late if each.animal_id not in shown]
    if age_s > LONGEST_S or (age_s and not hidden):
        return Explained(CACHED)
    if not hidden or page is not alike[-1] or stops(ledger, page):
        return None
    target = page.exchange.request.target
    fresh_s = late[-1].answered_s + ledger.terms.settle_s + age_s
    finding = _finding(page, hidden[0], "were added")
    experiment = in_turns(CACHED if age_s else LAGGING, (target, f"/pets/{hidden[0].animal_id}"), fresh_s)
    return Suspicion(finding, f"the list {target}", (experiment,))


def gone_back(case: Case, page: Page) -> Opinion:
    """What it means that a query leaves out a new animal that it has shown before: a replica may lag, or a worker be old.

    When the animal has settled, and no stored response can be older, the query is sent on new connections. Pages that
    lack the animal even then are judged themselves.
    """
    ledger, pages = case.ledger, case.ledger.completeness.alike(page)
    last = ledger.survey(("gone back", page.query), lambda: _last_gone_back(ledger, pages))
    if last is None or last[0] is not page:
        return None
    creation = last[1]
    settled_s = creation.answered_s + ledger.terms.settle_s
    later = [each for each in pages if each.as_of_s >= settled_s]
    if any(each.ends_early and creation.animal_id not in each.id_set for each in later):
        return None
    if max(Counter(each.exchange.sequence for each in later).values(), default=0) >= READS:
        return Explained(LAGGING)
    if max(declared_age_s(each.exchange) for each in pages[pages.index(page) :]) > LONGEST_S:
        return Explained(CACHED)
    # This response may have expired by then, but the next one may be as old again as any of the query.
    ages = (age_s for each in pages if (age_s := declared_age_s(each.exchange)) <= LONGEST_S)
    fresh_s = settled_s + max(ages)
    target = page.exchange.request.target
    finding = _finding(page, creation, "it has shown before")
    return Suspicion(finding, f"the list {target}", (repeated(LAGGING, target, READS, fresh_s),))


def _last_gone_back(ledger: Ledger, pages: list[Page]) -> tuple[Page, Creation] | None:
    """The last page without an animal of the run that earlier pages show and that has not settled yet; and the animal."""
    shown: set[int] = set()
    under_way: list[Page] = []
    last = None
    for page in pages:
        for each in under_way:
            if each.answered_s <= page.sent_s:
                shown |= each.id_set
        under_way = [each for each in under_way if each.answered_s > page.sent_s]
        under_way.append(page)
        for animal_id in shown - page.id_set if page.ends_early else ():
            creation = ledger.animals[animal_id].creation
            if creation and page.as_of_s < creation.answered_s + ledger.terms.settle_s:
                last = page, creation
    return last


def _finding(page: Page, creation: Creation, what: str) -> Finding:
    return Finding(
        f"A list leaves out animals that {what}, such as {creation.animal_id}.",
        "every animal that the run added to it and that is still there",
        f"{page.length} animals at limit {page.limit}",
        related=(creation.exchange,),
    )
