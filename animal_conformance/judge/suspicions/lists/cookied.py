"""Lists that lack animals for a client that sends back cookies, which lead it to one node or to a session of its own."""

from __future__ import annotations

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CAPPED, SAMPLED, TURNS, beside_plain
from animal_conformance.judge.knowledge.absence import turns_of
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Request


def lacks_with_cookies(case: Case, page: Page) -> Opinion:
    """What it means that a list lacks an animal for a client that keeps cookies, and shows it to one that keeps none.

    If it does so in turns, after settling, it is a finding: the interface asks for nothing but the key, so that nothing
    else may decide.

    :returns: ``None`` if no cookies were sent, or not in the suite's own voice; and for all but the first such list.
    """
    ledger, request = case.ledger, case.exchange.request
    if not _keeps_cookies(request) or not page.ends_early:
        return None
    pages = ledger.survey(("cookied", page.query), lambda: _lacking(ledger, page))
    if not pages or page is not pages[0]:
        return None
    creation = _hidden(ledger, page)
    if creation is None:
        return None
    if _may_be_cut(ledger, page):
        return Explained(CAPPED)
    settled_s = creation.answered_s + ledger.terms.settle_s
    absences = [each for each in pages if each.as_of_s >= settled_s and creation.animal_id not in each.id_set]
    turns = turns_of(ledger, absences, _shown(ledger, page, creation.animal_id))
    if turns.complete:
        return _finding(page, creation, turns.shown)
    if sum(each.as_of_s >= settled_s for each in _alike(ledger, page, cookied=True)) >= TURNS:
        return Explained(SAMPLED)
    experiment = beside_plain(SAMPLED, request, settled_s)
    return Suspicion(_finding(page, creation, ()), f"the list {request.target} with cookies", (experiment,))


def _keeps_cookies(request: Request) -> bool:
    return not request.voice and any(name.lower() == "cookie" for name, _ in request.headers)


def _alike(ledger: Ledger, page: Page, *, cookied: bool) -> list[Page]:
    """The pages of a query that were returned to clients with cookies, or to those without."""
    alike = ledger.completeness.alike(page)
    return [each for each in alike if _keeps_cookies(each.exchange.request) is cookied]


def _may_be_cut(ledger: Ledger, page: Page) -> bool:
    """Whether pages with cookies never grew as animals were added, and the pages without that followed began with them."""
    cookied, plain = (_alike(ledger, page, cookied=each) for each in (True, False))
    beside = [
        (each, after)
        for each in cookied
        if (after := next((one for one in plain if one.sent_s >= each.answered_s), None)) is not None
        and not any(each.sent_s <= one.answered_s <= after.answered_s for one in ledger.creations)
    ]
    alike = all(after.ids[: each.length] == each.ids for each, after in beside)
    since_s, until_s = cookied[0].answered_s, cookied[-1].sent_s
    added = any(since_s <= each.sent_s and each.answered_s <= until_s for each in ledger.creations)
    return bool(beside) and alike and added and len({each.length for each in cookied}) == 1


def _lacking(ledger: Ledger, page: Page) -> list[Page]:
    """The pages of a query with cookies that lack an animal that later pages without cookies show."""
    return [
        each
        for each in _alike(ledger, page, cookied=True)
        if each.ends_early and _hidden(ledger, each) is not None
    ]


def _hidden(ledger: Ledger, page: Page) -> Creation | None:
    """The first animal of the run that a page lacks and that pages of the same query without cookies have shown since."""
    shown = frozenset[int]().union(*(each.id_set for each in _alike(ledger, page, cookied=False)))
    lacking = (
        each
        for each in ledger.made[page.status]
        if each.animal_id in shown - page.id_set and each.answered_s <= page.sent_s
    )
    return next((each for each in lacking if _shown(ledger, page, each.animal_id)), None)


def _shown(ledger: Ledger, page: Page, animal_id: int) -> list[Exchange]:
    """The pages without cookies that follow a page with cookies, and show an animal that it lacks."""
    alike = _alike(ledger, page, cookied=False)
    return [
        each.exchange
        for each in alike
        if each.sent_s >= page.answered_s and each.shows(animal_id, page.status)
    ]


def _finding(page: Page, creation: Creation, shown: tuple[Exchange, ...]) -> Finding:
    return Finding(
        f"{page.words} leaves out animal {creation.animal_id} where the request has the cookies that came with an "
        "earlier response, and shows it where it has none.",
        "the same animals with cookies and without",
        page.without(creation.animal_id),
        related=(creation.exchange, *shown[:1]),
        excluded=tuple((SAMPLED, each) for each in shown[1:]),
    )
