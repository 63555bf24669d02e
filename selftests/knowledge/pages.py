"""Animals of the run and pages of lists, for the tests of what lists are known to show."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import created, named


def made(animal_id: int, at: float, **options: Any) -> Exchange:
    """The creation of an animal."""
    return created(named(f"Babette{animal_id}"), animal_id, at=at, **options)


def page_of(ledger: Ledger, exchange: Exchange) -> Page:
    """The page of an exchange."""
    return ledger.completeness.by_exchange[id(exchange)]
