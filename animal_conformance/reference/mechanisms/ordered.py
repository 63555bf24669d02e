"""Mechanisms of listPets: orders in which a kind of animals stands behind the others, and lists that are cut by age."""

from __future__ import annotations

import hashlib

from animal_conformance.reference.changes import Steps, anew
from animal_conformance.reference.mechanisms.common import Selecting, noting, unstated
from animal_conformance.reference.mechanisms.lists import EVERYTHING
from animal_conformance.reference.model import Animal, Call

_MANY = 400
_ODD = 0x1E3779B97F4A7C15
"""Multiplying by an odd number gives every number of 63 bits another one."""

_LONGEST_PLAIN = 40


def random_id(_: object, number: int) -> int:
    """An id that tells nothing of the age."""
    return number * _ODD % 2**63


def plain_first(at_first: int, cap: int = EVERYTHING) -> Steps:
    """List animals with plain names first, the newest of them first, and the others behind them."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        animals = sorted(before(EVERYTHING, status), key=lambda animal: not _is_plain(animal.name))
        return animals[: min(limit, cap)]

    return Steps(select=select, settings={"catalogue": at_first})


def _is_plain(name: str) -> bool:
    return len(name) <= _LONGEST_PLAIN and all(each.isalnum() or each == " " for each in name)


@anew
def stated_first(at_first: int, cap: int = EVERYTHING) -> Steps:
    """List animals first that were created with a status, the newest of them first, and the others behind them."""
    without: set[int] = set()

    def note(animal: Animal, call: Call) -> None:
        if unstated(0, animal, call):
            without.add(animal.id)

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        animals = sorted(before(EVERYTHING, status), key=lambda animal: animal.id in without)
        return animals[: min(limit, cap)]

    return Steps(insert=noting(note), select=select, settings={"catalogue": at_first})


def most_popular_by_age() -> Steps:
    """List the hundred most popular animals, as a digest of their ids ranks them, the newest first; ids are random."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        animals = before(EVERYTHING, status)
        chosen = {each.id for each in sorted(animals, key=_rank)[:100]}
        return [each for each in animals if each.id in chosen][:limit]

    return Steps(select=select, identify=random_id, settings={"catalogue": _MANY})


def _rank(animal: Animal) -> bytes:
    return hashlib.sha256(str(animal.id).encode()).digest()


def oldest_first(newest: int, of: str | None = None) -> Steps:
    """List the oldest first, without the newest animals: so many of all, or of those in lists filtered for a status."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        hidden = before(newest, of) if of in {None, status} else []
        return [each for each in before(EVERYTHING, status)[::-1] if each not in hidden][:limit]

    return Steps(select=select, settings={"catalogue": 6})


def oldest_of_categories(most: int) -> Steps:
    """List the oldest first, of the categories from 1 to the largest alone; there are no animals at first."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        joined = (each for each in before(EVERYTHING, status) if 0 < each.category_id <= most)
        return sorted(joined, key=lambda each: each.id)[:limit]

    return Steps(select=select, settings={"catalogue": 0})
