"""What a 304 may say: that nothing has changed since a client's date, unless the run has seen that something has."""

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
