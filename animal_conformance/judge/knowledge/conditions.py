"""What a 304 and a 406 may say, unless the run has seen otherwise: nothing has changed, and no language is available."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Final

from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange

# Anything that a run creates is newer than this year, whatever the clocks of servers and clients are set to.
LONG_AGO: Final = 2001


def denies_creation(ledger: Ledger, exchange: Exchange, pet_id: int | None) -> bool:
    """Whether "not modified" is wrong: a request is about an animal of the run, and asks for changes since long ago.

    A list is about such an animal if the very same target has already shown one: other lists may show other animals.
    """
    if not _asks_since_long_ago(exchange):
        return False
    if pet_id is not None:
        return pet_id in ledger.animals and _is_of_run(ledger, pet_id, exchange.sent_s)
    return any(
        page.exchange.request.target == exchange.request.target
        and page.answered_s <= exchange.sent_s
        and any(_is_of_run(ledger, each, exchange.sent_s) for each in page.ids)
        for page in ledger.pages
    )


def denies_language(ledger: Ledger, exchange: Exchange) -> bool:
    """Whether "not acceptable" is no matter of language: a client was served that accepts no other language than this one.

    :returns: false if the request names no language, or was served itself.
    """
    accepted = _languages_of(exchange)
    return any(
        each <= accepted for each in ledger.survey("languages served", lambda: _languages_served(ledger))
    )


def _languages_served(ledger: Ledger) -> set[frozenset[str]]:
    served = {_languages_of(each) for each in ledger.exchanges if each.status in {200, 201}}
    return served - {frozenset()}


def _languages_of(exchange: Exchange) -> frozenset[str]:
    """The languages that a client accepts, whatever their weight (RFC 9110 section 12.5.4)."""
    value = exchange.request.header("accept-language") or ""
    return frozenset(each.split(";")[0].strip().lower() for each in value.split(",") if each)


def _is_of_run(ledger: Ledger, animal_id: int, before_s: float) -> bool:
    creation = ledger.animals[animal_id].creation
    return creation is not None and creation.answered_s <= before_s


def _asks_since_long_ago(exchange: Exchange) -> bool:
    """Whether an early date alone is the condition: a server prefers a tag if there is one (RFC 9110 section 13.2.2)."""
    date = exchange.request.header("if-modified-since")
    if date is None or exchange.request.header("if-none-match") is not None:
        return False
    try:
        return parsedate_to_datetime(date).year < LONG_AGO
    except (ValueError, TypeError, OverflowError):
        return False
