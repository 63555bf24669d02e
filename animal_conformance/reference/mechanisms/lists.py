"""Mechanisms of listPets: its parameters, and which animals a page holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from animal_conformance.reference.changes import Steps, Wrap
from animal_conformance.reference.mechanisms.common import crash, integer, refuse, sometimes
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Reply
from animal_conformance.reference.service import DEFAULT, MAXIMUM, ReadFilter, ReadLimit, Select, Service

EVERYTHING = 1_000_000
"""More animals than any store here has."""

Of: TypeAlias = Callable[[int, Payload, Call], object]
"""Whether something holds of a creation; the number counts creations."""


# Parameters


def limits(alter: Callable[[str, Callable[[], int]], int]) -> Steps:
    """Read a limit that is given once; the second argument reads it correctly."""
    return Steps(
        read_limit=lambda inner: (
            lambda values: alter(values[0], lambda: inner(values)) if len(values) == 1 else inner(values)
        )
    )


def limits_where(when: Callable[[int], object], read: Callable[[int], int]) -> Steps:
    """Read other limits for integers."""

    def alter(text: str, correctly: Callable[[], int]) -> int:
        limit = integer(text)
        return correctly() if limit is None or not when(limit) else read(limit)

    return limits(alter)


def limits_read(alter: Callable[[int], int]) -> Steps:
    """Alter a limit that is given and valid."""
    return limits(lambda _, read: alter(read()))


def limits_refused(when: Callable[[int], object]) -> Steps:
    """Refuse valid limits."""
    return Steps(
        read_limit=lambda inner: (
            lambda values: (
                refuse(400, "This limit is not supported.") if when(limit := inner(values)) else limit
            )
        )
    )


def without_limit(default: Callable[[], int]) -> Steps:
    """Take another limit where none is given."""
    return Steps(read_limit=lambda inner: lambda values: inner(values) if values else default())


def limit_remembered(inner: ReadLimit) -> ReadLimit:
    """Take the limit of the last listing that had one where none is given."""
    last = DEFAULT

    def read(values: list[str]) -> int:
        nonlocal last
        if values:
            last = inner(values)
        return last

    return read


def limit_clamped(inner: ReadLimit) -> ReadLimit:
    """Take the nearest valid limit for an integer."""

    def read(values: list[str]) -> int:
        digits = values[0].removeprefix("-") if len(values) == 1 else ""
        if digits.isascii() and digits.isdigit():
            return 1 if values[0].startswith("-") else min(max(int(digits[:9]), 1), MAXIMUM)
        return inner(values)

    return read


def limit_lenient(inner: ReadLimit) -> ReadLimit:
    """Read +5, 05, 5.0 and a limit with space around it; take an empty one for none, the last of several."""

    def read(values: list[str]) -> int:
        text = values[-1].strip().removeprefix("+").removesuffix(".0").lstrip("0") if values else ""
        zeros = bool(values) and not text and bool(values[-1].strip())
        return inner(["0"] if zeros else [text] if text else [])

    return read


def filters(alter: Callable[[list[str], ReadFilter], str | None]) -> Steps:
    """Read the values of a status filter in another way; the second argument reads them correctly."""
    return Steps(read_filter=lambda inner: lambda values: alter(values, inner))


def parameter_crashes(name: str, when: Callable[[str], object]) -> Steps:
    """Crash on values of a query parameter."""
    return calls(lambda call: crash(any(map(when, call.parameters(name)))) or call)


def calls(alter: Callable[[Call], Call]) -> Steps:
    """Alter listings before they are read."""
    return Steps(list_pets=lambda inner: lambda call: inner(alter(call)))


def with_limit(call: Call, limit: str) -> Call:
    """Give a listing a limit where it has none."""
    if not call.parameters("limit"):
        call.query = [*call.query, ("limit", limit)]
    return call


def without_filter(call: Call) -> Call:
    """Take a valid filter out of a listing."""
    call.query = [(name, value) for name, value in call.query if name != "status" or value not in STATUSES]
    return call


def both_refused(status: int, when: Callable[[int], object]) -> Steps:
    """Refuse a limit together with a filter."""

    def alter(call: Call) -> Call:
        limit = integer((call.parameters("limit") or [""])[0])
        if limit is not None and 1 <= limit <= MAXIMUM and when(limit) and call.parameters("status"):
            refuse(status, "limit cannot be combined with status.")
        return call

    return calls(alter)


def bare(answer: Callable[[], Reply]) -> Steps:
    """Answer listings without any parameter in another way."""
    return Steps(list_pets=lambda inner: lambda call: inner(call) if call.query else answer())


def above_with_filter(service: Service) -> None:
    """Follow limits above the maximum where there is a filter."""
    inner = service.list_pets

    def answer(call: Call) -> Reply:
        limits, statuses = call.parameters("limit"), call.parameters("status")
        limit = integer(limits[0]) if len(limits) == len(statuses) == 1 else None
        if limit is None or limit <= MAXIMUM or statuses[0] not in STATUSES:
            return inner(call)
        animals = service.select(min(limit, EVERYTHING), statuses[0])
        return Reply(200, [service.represent(animal, "listPets") for animal in animals])

    service.list_pets = answer


# Pages


def selected(alter: Callable[[int, str | None], int]) -> Steps:
    """Select as if another limit had been given."""
    return Steps(select=lambda inner: lambda limit, status: inner(alter(limit, status), status))


def paged(alter: Callable[[list[Animal]], list[Animal]]) -> Wrap[Select]:
    """Alter a page, of which what exceeds the limit is cut off."""
    return lambda inner: lambda limit, status: alter(inner(limit, status))[:limit]


def arranged(alter: Callable[[list[Animal]], list[Animal]]) -> Steps:
    """Take pages from all animals in another order or choice."""
    return Steps(select=lambda inner: lambda limit, status: alter(inner(EVERYTHING, status))[:limit])


def shuffled(inner: Select) -> Select:
    """Draw a page by chance."""
    dice = random.Random(0)  # noqa: S311 - an order, not a secret

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(EVERYTHING, status)
        return dice.sample(animals, min(limit, len(animals)))

    return select


def shortened(inner: Select) -> Select:
    """Draw the length of a page by chance."""
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return lambda limit, status: inner(dice.randint(1, limit), status)


def last_doubled(inner: Select) -> Select:
    """Have the last animal of a page stand there twice."""

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(limit, status)
        kept = animals[: limit - 1]
        return animals if limit < 2 or not animals else [*kept, kept[-1]]

    return select


def newest_hidden(inner: Select) -> Select:
    """Begin lists with the second animal."""

    def select(limit: int, status: str | None) -> list[Animal]:
        newest = inner(1, None)
        return [animal for animal in inner(limit + 1, status) if animal not in newest][:limit]

    return select


def frozen(inner: Select) -> Select:
    """Keep lists from the first time on."""
    answers: dict[str | None, list[Animal]] = {}

    def select(limit: int, status: str | None) -> list[Animal]:
        if status not in answers:
            answers[status] = inner(EVERYTHING, status)
        return answers[status][:limit]

    return select


def kept_by_filter(service: Service) -> None:
    """Until an animal is created, keep a page by its filter alone, without its limit."""
    pages: dict[str | None, list[Animal]] = {}
    select_, insert_ = service.select, service.insert

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = select_(limit, status)
        # 20 may be the default limit, and what exceeds that breaks another clause.
        if limit == DEFAULT or len(animals) >= len(pages.get(status, ())):
            pages[status] = animals
            return animals
        return pages[status]

    def insert(payload: Payload, call: Call) -> Animal:
        pages.clear()
        return insert_(payload, call)

    service.select, service.insert = select, insert


def kept_by_limit(inner: Select) -> Select:
    """Keep a filtered list that is full, and answer the next one with the same limit with it."""
    kept: dict[int, list[Animal]] = {}

    def select(limit: int, status: str | None) -> list[Animal]:
        animals = inner(limit, status)
        if status is None or len(animals) < limit:
            return animals
        if limit in kept:
            return kept.pop(limit)
        kept[limit] = animals
        return animals

    return select


def leaking(when: Callable[[int], object] = lambda _: True, *, first: bool = False) -> Wrap[Select]:
    """Have one animal of another status stand in filtered lists, at their end or, with first, their head."""

    def wrap(inner: Select) -> Select:
        def select(limit: int, status: str | None) -> list[Animal]:
            animals = inner(limit, status)
            if status is None or not when(limit):
                return animals
            others = [animal for animal in inner(EVERYTHING, None) if animal.status != status][:1]
            return (others + animals)[:limit] if first else animals[: limit - 1] + others

        return select

    return wrap


def now_and_then(number: int, wrap: Wrap[Select], counts: Callable[[int, str | None], bool]) -> Steps:
    """Alter every so many selections, of those that count."""
    return Steps(select=sometimes(number, wrap, counts))


# Created animals


def marked(service: Service, when: Of) -> set[int]:
    """The ids of created animals for which that holds, growing."""
    ids: set[int] = set()
    number, inner = 0, service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        nonlocal number
        animal = inner(payload, call)
        if when(number, payload, call):
            ids.add(animal.id)
        number += 1
        return animal

    service.insert = insert
    return ids


def hidden(when: Callable[[Animal, str | None], object]) -> Wrap[Select]:
    """Leave animals out of lists, without making these any shorter where there are others."""
    return lambda inner: (
        lambda limit, status: [animal for animal in inner(EVERYTHING, status) if not when(animal, status)][
            :limit
        ]
    )


def unlisted(when: Of) -> Steps:
    """Leave created animals out of lists."""
    return _left_out(when, lambda _: True)


def unfiltered(when: Of) -> Steps:
    """Leave created animals out of filtered lists."""
    return _left_out(when, bool)


def _left_out(when: Of, of: Callable[[str | None], object]) -> Steps:
    def install(service: Service) -> None:
        ids = marked(service, when)
        service.select = hidden(lambda animal, status: animal.id in ids and of(status))(service.select)

    return Steps(install=install)


def in_every_filter(when: Of) -> Steps:
    """Have created animals stand in every filtered list."""

    def install(service: Service) -> None:
        ids, inner = marked(service, when), service.select

        def select(limit: int, status: str | None) -> list[Animal]:
            animals = inner(EVERYTHING, None)
            return [each for each in animals if status in (None, each.status) or each.id in ids][:limit]

        service.select = select

    return Steps(install=install)


def joined(service: Service) -> None:
    """Join lists with the categories of the catalogue, and lose what has another one."""
    categories: set[int] = set()

    def lost(animal: Animal, _: str | None) -> bool:
        if not categories:
            catalogue = service.settings.catalogue
            categories.update(each.category_id for each in service.store.everything() if each.id <= catalogue)
        return animal.category_id not in categories

    service.select = hidden(lost)(service.select)
