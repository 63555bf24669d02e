"""Lists that are said not to have changed although they have: validators that miss what was added."""

from __future__ import annotations

from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CACHED, LAGGING, TURNS, beside_plain
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import LONGEST_S, declared_age_s
from animal_conformance.record.exchange import Exchange, Request

# A validator may be made of a date in whole seconds (RFC 9110 section 8.8.2.2): it stays the same if a list changes
# twice within one second.
APART_S: Final = 1.0
VALIDATORS: Final = {"if-none-match": "etag", "if-modified-since": "last-modified"}


def unmodified(case: Case, *, filtered: bool) -> Opinion:
    """What a 304 to a list means: the client goes on with the page that it has, as if it had been returned again.

    It is a finding if that page lacks an animal that the list shows to a client without a page, in turns, after
    settling (RFC 9110 section 13.1.2; reading 20).

    :returns: ``None`` if the response is not a 304, if it is unknown which page is meant, or if that lacks nothing.
    """
    ledger, exchange = case.ledger, case.exchange
    if case.status != 304 or exchange.request.voice:
        return None
    kept = _kept(ledger, exchange)
    if kept is None or filtered != (kept.status is not None):
        return None
    creation = _hidden(ledger, kept, exchange)
    if creation is None:
        return None
    age_s = declared_age_s(exchange)
    if age_s > LONGEST_S:
        return Explained(CACHED)
    settled_s = creation.answered_s + ledger.terms.settle_s + age_s
    asked = [each for each in ledger.asked[exchange.request] if each.sent_s >= settled_s and each.status]
    if any(each.status != 304 for each in asked):
        return Explained(LAGGING)
    shown = dict.fromkeys(
        page.exchange for each in asked for page in _shown(ledger, kept, each, creation.animal_id)[:1]
    )
    if len(shown) >= TURNS:
        first = next(each for each in ledger.asked[exchange.request] if _misses(ledger, kept, each))
        return _finding(kept, creation, list(shown)[:TURNS]) if first is exchange else None
    return Suspicion(
        _finding(kept, creation, []),
        f"the list {exchange.request.target} with a validator",
        (beside_plain(LAGGING, exchange.request, settled_s),),
    )


def _validators(request: Request) -> dict[str, str]:
    """The validators of an earlier response that a conditional request repeats, by the names of their headers there."""
    return {VALIDATORS[name.lower()]: value for name, value in request.headers if name.lower() in VALIDATORS}


def _pages(ledger: Ledger, target: str) -> list[Page]:
    """The lists that were returned to unconditional requests with a target."""
    return [
        each
        for each in ledger.completeness.pages
        if each.exchange.request.target == target and not _validators(each.exchange.request)
    ]


def _kept(ledger: Ledger, exchange: Exchange) -> Page | None:
    """The page whose validator a conditional request repeats; ``None`` if there is none."""
    wanted = _validators(exchange.request)
    before = [each for each in _pages(ledger, exchange.request.target) if each.answered_s <= exchange.sent_s]
    meant = (
        each
        for each in reversed(before)
        if (response := each.exchange.response) is not None
        and any(response.header(name) == value for name, value in wanted.items())
    )
    return next(meant, None)


def _hidden(ledger: Ledger, kept: Page, exchange: Exchange) -> Creation | None:
    """The first animal that was added at least a second after a page was returned, and that the list shows after a 304."""
    later_s = kept.answered_s + APART_S
    made = (
        each
        for each in ledger.made[kept.status]
        if each.sent_s >= later_s and each.answered_s <= exchange.sent_s
    )
    return next((each for each in made if _shown(ledger, kept, exchange, each.animal_id)), None)


def _misses(ledger: Ledger, kept: Page, exchange: Exchange) -> bool:
    """Whether a response is a 304 that leaves a client without an animal."""
    return exchange.status == 304 and _hidden(ledger, kept, exchange) is not None


def _shown(ledger: Ledger, kept: Page, exchange: Exchange, animal_id: int) -> list[Page]:
    """The pages after a 304 that show an animal."""
    return [
        each
        for each in _pages(ledger, exchange.request.target)
        if each.sent_s >= exchange.answered_s and each.shows(animal_id, kept.status)
    ]


def _finding(kept: Page, creation: Creation, shown: list[Exchange]) -> Finding:
    return Finding(
        f"{kept.words} is said not to have changed, although animal {creation.animal_id} has been added to it.",
        "200 with the list as it is",
        "304 with the validator of an earlier response",
        related=(kept.exchange, creation.exchange),
        excluded=tuple((LAGGING, each) for each in shown),
    )
