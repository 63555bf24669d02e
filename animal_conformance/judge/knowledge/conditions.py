"""What 304 may tell: that nothing has changed since a client's date, unless the run has seen that something has."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Final

from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange

# What a run creates is newer than that, whatever the clocks of servers and clients are set to.
LONG_AGO: Final = 2001


def denies_creation(ledger: Ledger, exchange: Exchange, pet_id: int | None) -> bool:
    """Whether "not modified" is wrong of a request: it has an animal of the run, and asks for changes since long before.

    Of a list that is so where its very target has shown such an animal already: others may show other animals.
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
    """Whether a date alone is the condition: where there is a tag too, a server looks at that (RFC 9110 section 13.2.2)."""
    date = exchange.request.header("if-modified-since")
    if date is None or exchange.request.header("if-none-match") is not None:
        return False
    try:
        return parsedate_to_datetime(date).year < LONG_AGO
    except (ValueError, TypeError, OverflowError):
        return False
