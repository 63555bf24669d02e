"""Readings for the tests of animals that getPet does not find, and which animals are suspected."""

from __future__ import annotations

from typing import Any

from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import (
    ANSWER,
    animals,
    created,
    got,
    listing,
    lost,
    payload,
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


def made(number: int, at: float, *read_at: float) -> list[Exchange]:
    """An animal of the run that is asked for at these times, and never found."""
    return [
        created(payload(name=f"Babette{number}"), number, at=at),
        *(lost(number, at=each) for each in read_at),
    ]


TWO = [*made(1, 1.0, 1.1, 9.0), *made(2, 2.0, 2.1, 9.0)]


OUTDONE = [*TWO, created(animal_id=3, at=1.05), created(animal_id=4, at=2.05)]


def kept_beside(other: dict[str, Any]) -> list[Exchange]:
    """An animal that getPet finds after two others were made."""
    return [
        created(animal_id=7, at=0.1),
        *(created(other, number, at=number / 40) for number in (8, 9)),
        got(7, at=0.4),
    ]


# A store that has kept one of the run's animals while two were made.
KEPT = kept_beside(payload())
