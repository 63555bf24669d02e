"""Animals of the run and pages of lists, for the tests of what lists are known to show."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, created, listing, named, own_name

FOREIGN = animals(5, 100)


def made(animal_id: int, at: float, **options: Any) -> Exchange:
    """The creation of an animal."""
    return created(named(own_name(animal_id)), animal_id, at=at, **options)


def own(animal_id: int) -> dict[str, Any]:
    """An animal of the run as lists show it."""
    return animal(animal_id, name=own_name(animal_id))


def page_of(ledger: Ledger, exchange: Exchange) -> Page:
    """The page of an exchange."""
    return ledger.completeness.by_exchange[id(exchange)]


def whole(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list: others, and these."""
    return listing([*FOREIGN, *map(own, ids)], limit=100, at=at, **options)


def available(at: float, *added: int, limit: int = 100, few: int = 5) -> Exchange:
    """Another query, with the same animals."""
    return listing([*FOREIGN[:few], *map(own, added)], limit=limit, state="available", at=at)
