"""Readings for the tests of animals that getPet does not find, and which animals are suspected."""

from __future__ import annotations

from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import (
    ANSWER,
    animals,
    created,
    got,
    listing,
    lost,
    verdict_of,
)


def stored_for(age_s: int) -> Headers:
    """The headers of an answer that may be stored for so long."""
    return (("Cache-Control", f"max-age={age_s}"), *ANSWER)


def many_gone(tested: int, *, own: bool = True) -> list[Exchange]:
    """Five animals of the run, or of others, that are all gone at once; so many of them are read repeatedly."""
    first = [created(animal_id=each) for each in range(1, 6)] if own else [listing(animals(5))]
    first += [got(number, at=1.1) for number in range(1, 6)]
    missed = [lost(number, at=9.0) for number in range(1, 6)]
    again = [lost(number, at=at) for number in range(1, tested + 1) for at in (13.0, 14.0, 15.0, 16.0)]
    return [*first, *missed, *again, listing([], at=14.5)]


def suspects(trace: list[Exchange]) -> set[int]:
    """The animals that are suspected to be missing."""
    suspected = verdict_of("get.found", trace).suspected
    return {int(each.exchange.request.target.rpartition("/")[2]) for each in suspected}
