"""Mechanisms of listPets: its parameters, which animals a page holds, and lists that end early or show what was."""

from __future__ import annotations

import hashlib
import itertools
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from animal_conformance.reference.changes import Before, Instead, Steps, anew
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import (
    Answering,
    Finding,
    Inserting,
    Selecting,
    When,
    aging,
    integer,
    noting,
    unstated,
)
from animal_conformance.reference.model import Animal, Call, Payload, Reply
from animal_conformance.reference.service import Service

EVERYTHING = 1_000_000
"""More animals than any store here has."""

_ROWS = 150
"""Where limits count what lists hide, so many animals are there at first."""

Select: TypeAlias = Instead[[int, str | None], list[Animal]]


def limits_where(when: Callable[[int], object], read: Callable[[int], int]) -> Steps:
    """Read other limits for integers."""

    def read_limit(before: Callable[[list[str]], int], values: list[str]) -> int:
        limit = integer(values[0]) if len(values) == 1 else None
        return before(values) if limit is None or not when(limit) else read(limit)

    return Steps(read_limit=read_limit)


def limit_lenient(before: Before[[list[str]], int], values: list[str]) -> int:
    """Read +5, 05, 5.0 and a limit with space around it; take an empty one for none, the last of several."""
    text = values[-1].strip().removeprefix("+").removesuffix(".0").lstrip("0") if values else ""
    zeros = bool(values) and not text and bool(values[-1].strip())
    return before(["0"] if zeros else [text] if text else [])


def by_default(limit: int, when: When) -> Steps:
    """Take this limit for one that is left out."""
    return Steps(
        list_pets=lambda before, call: before(
            replace(call, query=[*call.query, ("limit", str(limit))])
            if when(call) and not call.parameters("limit")
            else call
        )
    )


def selected(alter: Callable[[int, str | None], int]) -> Steps:
    """Select as if another limit had been given."""
    return Steps(select=lambda before, limit, status: before(alter(limit, status), status))


def paged(alter: Callable[[list[Animal]], list[Animal]]) -> Steps:
    """Alter a page, of which what exceeds the limit is cut off."""
    return Steps(select=lambda before, limit, status: alter(before(limit, status))[:limit])


def arranged(alter: Callable[[list[Animal]], Sequence[Animal]]) -> Steps:
    """Take pages from all animals in another order or choice."""
    return Steps(select=lambda before, limit, status: list(alter(before(EVERYTHING, status))[:limit]))


def hidden(when: Callable[[Animal, str | None], object]) -> Select:
    """Leave animals out of lists, without making these any shorter where there are others."""
    return lambda before, limit, status: [
        animal for animal in before(EVERYTHING, status) if not when(animal, status)
    ][:limit]


def newest_hidden(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Begin lists with the second animal."""
    newest = before(1, None)
    return [animal for animal in before(limit + 1, status) if animal not in newest][:limit]


def last_cut(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """End lists that have room for more before their last animal, which is the newest."""
    animals = before(EVERYTHING, status)[::-1]
    return animals[:limit] if len(animals) > limit else animals[:-1]


@anew
def aged(most_s: float) -> Steps:
    """Leave out of lists what clients created longer ago."""
    insert, age_s = aging()
    return Steps(insert=insert, select=hidden(lambda animal, _: most_s < age_s(animal) < math.inf))


def leaking(before: Selecting, limit: int, status: str | None, *, least: int = 1) -> list[Animal]:
    """Have one animal of another status stand at the end of filtered lists with at least this limit."""
    animals = before(limit, status)
    if status is None or limit < least:
        return animals
    others = [animal for animal in before(EVERYTHING, None) if animal.status != status]
    return animals[: limit - 1] + others[:1]


def assigning(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Give every animal the status that a filtered list asks for, as ``=`` does where ``==`` is meant."""
    if status is None:
        return before(limit, status)
    for animal in before(EVERYTHING, None):
        if animal.status != status:
            before.service.store.replace(animal._replace(status=status))
    return before(limit, None)


def shuffled() -> Steps:
    """Draw a page by chance."""
    dice = random.Random(0)  # noqa: S311 - an order, not a secret
    return arranged(lambda animals: dice.sample(animals, len(animals)))


def shortened() -> Steps:
    """Draw the length of a page by chance."""
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return selected(lambda limit, _: dice.randint(1, limit))


def timeboxed() -> Steps:
    """Stop after some animals, by chance, and now and then before the first one."""
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return selected(lambda limit, _: min(limit, dice.randint(8, 100) if dice.random() > 0.05 else 0))


def thinned() -> Steps:
    """Lists in the order of names, a third of the catalogue hidden after the limit was applied."""
    return _hidden_after_limit(lambda animal: animal.name)


def thinned_by_hash() -> Steps:
    """The same in an order that nothing shows."""
    return _hidden_after_limit(_rank)


def thinned_of_new() -> Steps:
    """The newest first, a third of the catalogue and a fifth of what was added hidden."""
    return _hidden_after_limit(lambda animal: -animal.id, new=5)


def _hidden_after_limit(order: Callable[[Animal], Any], new: int = EVERYTHING) -> Steps:
    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        rows = sorted(before(EVERYTHING, status), key=order)[:limit]
        return [each for each in rows if each.id % (3 if each.id <= _ROWS else new)]

    return Steps(select=select, settings={"catalogue": _ROWS})


def chosen() -> Steps:
    """Leave one in ten animals out of each list, by chance."""
    dice = random.Random(0)  # noqa: S311 - a choice, not a secret
    return arranged(lambda animals: [each for each in animals if dice.random() < 0.9])


def in_bytes(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """End a page before it exceeds 4,000 bytes, but not before its first animal."""
    page = before(limit, status)
    return page[: max(1, _fitting(page, before.service, 4000))]


def newest_in_bytes(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """The newest first, and none behind the first with which a page would exceed 16 KB."""
    page = before(EVERYTHING, status)[::-1][:limit]
    return page[: _fitting(page, before.service, 16_000)]


def popular(
    most: Callable[[list[Animal], Service], int] = lambda page, _: len(page), at_first: int = 150
) -> Steps:
    """Choose the most popular animals, as a digest of their ids says, and show them in the order of ids.

    :param most: how many of the most popular a page may have, of those that have the status that it asks for.
    """

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        ranked = sorted(before(EVERYTHING, status), key=_rank)[:limit]
        return sorted(ranked[: most(ranked, before.service)], key=lambda each: each.id)

    return Steps(select=select, settings={"catalogue": at_first})


def popular_in_bytes(page: list[Animal], service: Service) -> int:
    """How many have room in a page of 8,000 bytes."""
    return _fitting(page, service, 8000)


def most_popular(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Of the 60 most popular of all, those with a status, in the order of ids."""
    ranked = sorted(before(EVERYTHING, None), key=_rank)[:60]
    return sorted((each for each in ranked if status in {None, each.status}), key=lambda each: each.id)[
        :limit
    ]


def _rank(animal: Animal) -> bytes:
    return hashlib.sha256(str(animal.id).encode()).digest()


def _fitting(page: list[Animal], service: Service, most: int) -> int:
    """How many animals from the beginning have no more than so many bytes."""
    sizes = (len(service.encode(service.represent(animal, "listPets"))) + 1 for animal in page)
    return sum(1 for _ in itertools.takewhile(lambda size: size <= most, itertools.accumulate(sizes)))


@anew
def unlisted(
    when: Callable[[int, Animal, Call], object],
    *,
    filtered: bool = False,
    cache_control: str = "",
    settings: dict[str, Any] | None = None,
) -> Steps:
    """Leave created animals, which are counted, out of lists, or of filtered ones alone; say how lists may be kept."""
    ids: set[int] = set()
    numbers = itertools.count()

    def note(animal: Animal, call: Call) -> None:
        if when(next(numbers), animal, call):
            ids.add(animal.id)

    def list_pets(before: Answering, call: Call) -> Reply:
        reply = before(call)
        return with_headers(reply, Cache_Control=cache_control) if cache_control else reply

    return Steps(
        insert=noting(note),
        select=hidden(lambda animal, status: animal.id in ids and (status or not filtered)),
        list_pets=list_pets,
        settings=settings or {},
    )


@anew
def lowered(number: int, cap: int) -> Steps:
    """Sort lists by names, and from so many creations on end them where they hold so many animals."""
    made: list[int] = []

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        animals = sorted(before(EVERYTHING, status), key=lambda animal: (animal.name, animal.id))
        return animals[: min(limit, cap if len(made) >= number else limit)]

    return Steps(insert=noting(lambda animal, _: made.append(animal.id)), select=select)


@anew
def forgotten(number: int) -> Steps:
    """From so many creations on, leave these animals out of lists."""
    made: list[int] = []
    return Steps(
        insert=noting(lambda animal, _: made.append(animal.id)),
        select=hidden(lambda animal, _: len(made) >= number and animal.id in made[:number]),
    )


@anew
def behind(lag_s: float, what: str) -> Steps:
    """Read lists, gets or both from a replica that receives creations after so many seconds."""
    insert, age_s = aging()

    def find(before: Finding, animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is None or age_s(animal) < lag_s else animal

    select = hidden(lambda animal, _: age_s(animal) < lag_s)
    return Steps(
        insert=insert, select=select if "lists" in what else None, find=find if "gets" in what else None
    )


@anew
def stored(lasts_s: float, tell: Callable[[float, float], dict[str, str]], *, getpet: bool = False) -> Steps:
    """Answer a query with its last response until that is too old; tell makes headers of how long and of its age.

    With ``getpet``, that answers for an id as it last did, too, whether it was found or not.
    """
    kept: dict[object, tuple[float, Reply]] = {}

    def answer(before: Answering, call: Call) -> Reply:
        target, now_s = (call.path, tuple(call.query)), time.monotonic()
        if target not in kept or now_s - kept[target][0] >= lasts_s:
            kept[target] = now_s, before(call)
        made_s, reply = kept[target]
        return replace(reply, headers={**reply.headers, **tell(lasts_s, now_s - made_s)})

    return Steps(list_pets=answer, get_pet=answer if getpet else None)


@anew
def kept_by_status() -> Steps:
    """Keep filtered lists of all animals until a creation states their status."""
    kept: dict[str, list[Animal]] = {}

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        if status is None:
            return before(limit, status)
        return kept.setdefault(status, before(EVERYTHING, status))[:limit]

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        if not unstated(animal.id, animal, call):
            kept.pop(animal.status or "", None)
        return animal

    return Steps(select=select, insert=insert)


@anew
def stored_by_workers(workers: int) -> Steps:
    """Let workers, which take requests in turns, keep each list until they create an animal themselves."""
    kept: list[dict[tuple[int, str | None], list[Animal]]] = [{} for _ in range(workers)]
    turns = itertools.cycle(kept)
    return Steps(
        select=lambda before, limit, status: next(turns).setdefault((limit, status), before(limit, status)),
        insert=noting(lambda *_: next(turns).clear()),
    )
