"""Lists for the tests of what lists leave out: with animals of others, and with the run's own, all of them sold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, created, got, listing, named, own_name, seen_of, verdict_of

FOREIGN = animals(30, 100)


def own(animal_id: int) -> dict[str, Any]:
    """An animal of the run as answers show it."""
    return animal(animal_id, name=own_name(animal_id), status="sold")


def made(*ids: int, at: float = 1.0, category: int = 1) -> list[Exchange]:
    """The creations of animals with the status sold."""
    return [created(named(own_name(each), categoryId=category, status="sold"), each, at=at) for each in ids]


def made_in_order(count: int = 8) -> list[Exchange]:
    """Creations one after another at the beginning, with ascending ids: enough to show that ids tell the age of animals."""
    return [each for at in range(count) for each in made(2000 + at, at=0.02 * at)]


def whole(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list without a filter: animals of others, and these."""
    return listing([*FOREIGN, *map(own, ids)], limit=100, at=at, **options)


def filled(at: float, shown: Sequence[dict[str, Any]], **options: Any) -> Exchange:
    """A list without a filter whose limit is the number of its animals: no limit counts more than lists show."""
    return listing(shown, limit=len(shown), at=at, **options)


def smaller(at: float, *ids: int) -> Exchange:
    """A list whose limit is one less than the largest."""
    return listing([*FOREIGN, *map(own, ids)], limit=99, at=at)


def sold(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list of the sold animals: only these."""
    return listing([*map(own, ids)], limit=100, state="sold", at=at, **options)


def full(at: float, *ids: int) -> Exchange:
    """A list without a filter that is full with these animals and animals of others."""
    return listing([*(own(each) for each in ids), *animals(100 - len(ids), 100)], limit=100, at=at)


def unfiltered(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list without a filter: only these animals of others, all of them available."""
    return listing([animal(each) for each in ids], limit=100, at=at, **options)


def filtered(at: float, *ids: int) -> Exchange:
    """The largest list of the available animals: only these animals of others."""
    return unfiltered(at, *ids, state="available")


def in_turns(animal_id: int, at: float, *pages: Exchange) -> list[Exchange]:
    """These pages, and a getPet after each that finds the animal."""
    return [
        *pages,
        *(got(animal_id, own(animal_id), at=each.sent_s + 0.5) for each in pages),
        got(3, own(3), at=at),
    ]


def alternating(*kinds: Callable[[float], Exchange], at: Sequence[float] = (5.0, 6.0, 7.0)) -> list[Exchange]:
    """Exchanges of these kinds in turn, half a second apart, beginning at each of these times."""
    return [each(begun + number / 2) for begun in at for number, each in enumerate(kinds)]


def explained(trace: list[Exchange], clause_id: str, **terms: Any) -> set[str]:
    """The explanations that were confirmed for a clause."""
    seen = seen_of("open.explanations", trace, **terms)
    return {text.removeprefix(f"{clause_id}: ") for text in seen if text.startswith(clause_id)}


def suspected(trace: list[Exchange], clause_id: str = "list.complete", **terms: Any) -> set[str]:
    """The explanations that are still open for a clause."""
    open_ones = verdict_of(clause_id, trace, **terms).suspected
    return {explanation for each in open_ones for explanation in each.suspicion.explanations}
