"""Mechanisms of listPets: its parameters, and which animals a page holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from animal_conformance.reference.changes import Before, Instead, Steps
from animal_conformance.reference.mechanisms.common import integer
from animal_conformance.reference.model import Animal, Call, Payload, Reply
from animal_conformance.reference.service import DEFAULT, MAXIMUM

EVERYTHING = 1_000_000
"""More animals than any store here has."""

Selecting: TypeAlias = Before[[int, str | None], list[Animal]]
Select: TypeAlias = Instead[[int, str | None], list[Animal]]
Of: TypeAlias = Callable[[int, Payload, Call], object]
"""Whether something holds of a creation; the number counts creations."""


# Parameters


def limits(alter: Callable[[str, Callable[[], int]], int]) -> Steps:
    """Read a limit that is given once; the second argument reads it correctly."""
    return Steps(
        read_limit=lambda before, values: (
            alter(values[0], lambda: before(values)) if len(values) == 1 else before(values)
        )
    )


def limits_where(when: Callable[[int], object], read: Callable[[int], int]) -> Steps:
    """Read other limits for integers."""

    def alter(text: str, correctly: Callable[[], int]) -> int:
        limit = integer(text)
        return correctly() if limit is None or not when(limit) else read(limit)

    return limits(alter)


def limit_clamped(before: Before[[list[str]], int], values: list[str]) -> int:
    """Take the nearest valid limit for an integer."""
    limit = integer(values[0]) if len(values) == 1 else None
    return before(values) if limit is None else min(max(limit, 1), MAXIMUM)


def limit_lenient(before: Before[[list[str]], int], values: list[str]) -> int:
    """Read +5, 05, 5.0 and a limit with space around it; take an empty one for none, the last of several."""
    text = values[-1].strip().removeprefix("+").removesuffix(".0").lstrip("0") if values else ""
    zeros = bool(values) and not text and bool(values[-1].strip())
    return before(["0"] if zeros else [text] if text else [])


def filters(alter: Callable[[list[str], Callable[[list[str]], str | None]], str | None]) -> Steps:
    """Read the values of a status filter in another way; the second argument reads them correctly."""
    return Steps(read_filter=lambda before, values: alter(values, before))


def calls(alter: Callable[[Call], Call]) -> Steps:
    """Alter listings before they are read."""
    return Steps(list_pets=lambda before, call: before(alter(call)))


def emptied(when: Callable[[Call], object]) -> Steps:
    """Answer some listings with an empty list."""

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        return replace(reply, value=[]) if reply.status == 200 and when(call) else reply

    return Steps(list_pets=list_pets)


# Pages


def selected(alter: Callable[[int, str | None], int]) -> Steps:
    """Select as if another limit had been given."""
    return Steps(select=lambda before, limit, status: before(alter(limit, status), status))


def paged(alter: Callable[[list[Animal]], list[Animal]]) -> Steps:
    """Alter a page, of which what exceeds the limit is cut off."""
    return Steps(select=lambda before, limit, status: alter(before(limit, status))[:limit])


def arranged(alter: Callable[[list[Animal]], list[Animal]]) -> Steps:
    """Take pages from all animals in another order or choice."""
    return Steps(select=lambda before, limit, status: alter(before(EVERYTHING, status))[:limit])


def shuffled() -> Steps:
    """Draw a page by chance."""
    dice = random.Random(0)  # noqa: S311 - an order, not a secret
    return arranged(lambda animals: dice.sample(animals, len(animals)))


def shortened() -> Steps:
    """Draw the length of a page by chance."""
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return selected(lambda limit, _: dice.randint(1, limit))


def kept(key: Callable[[int, str | None], object]) -> Steps:
    """Until an animal is created, keep a full page by a part of what was asked for."""
    pages: dict[object, list[Animal]] = {}

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        page, asked = before(limit, status), key(limit, status)
        # 20 may be the default limit, and what exceeds that breaks another clause.
        if limit != DEFAULT and limit == len(page) <= len(pages.get(asked, ())):
            return pages[asked]
        if limit == len(page):
            pages[asked] = page
        return page

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        pages.clear()
        return before(payload, call)

    return Steps(select=select, insert=insert)


def cut_for_all() -> Steps:
    """Until an animal is created, answer from the page that was read first, whatever limit it was read with."""
    pages: dict[str | None, list[Animal]] = {}

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        return pages.setdefault(status, before(limit, status))[:limit]

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        pages.clear()
        return before(payload, call)

    return Steps(select=select, insert=insert)


def last_doubled(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Have the last animal of a page stand there twice."""
    animals = before(limit, status)
    kept = animals[: limit - 1]
    return [*kept, *kept[-1:]] if limit > 1 else animals


def newest_hidden(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Begin lists with the second animal."""
    newest = before(1, None)
    return [animal for animal in before(limit + 1, status) if animal not in newest][:limit]


def leaking(when: Callable[[int], object]) -> Steps:
    """Have one animal of another status stand at the end of filtered lists."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        animals = before(limit, status)
        if status is None or not when(limit):
            return animals
        others = [animal for animal in before(EVERYTHING, None) if animal.status != status]
        return animals[: limit - 1] + others[:1]

    return Steps(select=select)


# Created animals


def in_every_filter(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Have created animals stand in every filtered list."""
    known = before.service.settings.catalogue
    animals = before(EVERYTHING, None)
    return [each for each in animals if status in (None, each.status) or each.id > known][:limit]


def hidden(when: Callable[[Animal, str | None], object]) -> Select:
    """Leave animals out of lists, without making these any shorter where there are others."""
    return lambda before, limit, status: [
        animal for animal in before(EVERYTHING, status) if not when(animal, status)
    ][:limit]


def marking(when: Of, ids: set[int]) -> Instead[[Payload, Call], Animal]:
    """Add the ids of created animals for which that holds."""
    number = -1

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal number
        number += 1
        animal = before(payload, call)
        if when(number, payload, call):
            ids.add(animal.id)
        return animal

    return insert


def unlisted(when: Of) -> Steps:
    """Leave created animals out of lists."""
    ids: set[int] = set()
    return Steps(insert=marking(when, ids), select=hidden(lambda animal, _: animal.id in ids))


def unfiltered(when: Of) -> Steps:
    """Leave created animals out of filtered lists."""
    ids: set[int] = set()
    return Steps(insert=marking(when, ids), select=hidden(lambda animal, status: status and animal.id in ids))


def joined(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Join lists with the categories of the catalogue, and lose what has another one."""
    service = before.service
    catalogue = {
        each.category_id for each in service.store.everything() if each.id <= service.settings.catalogue
    }
    return [each for each in before(EVERYTHING, status) if each.category_id in catalogue][:limit]
