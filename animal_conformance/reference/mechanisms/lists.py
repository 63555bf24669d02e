"""Mechanisms of listPets: its parameters, which animals a page holds, and lists that end early or are outdated."""

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
from animal_conformance.reference.service import DEFAULT, Service

EVERYTHING = 1_000_000
"""More animals than any store here has."""

_ROWS = 150
"""Where limits count what lists hide, so many animals are there at first."""

Select: TypeAlias = Instead[[int, str | None], list[Animal]]


def limits_where(when: Callable[[int], object], read: Callable[[int], int]) -> Steps:
    """Read some integers as other limits."""

    def read_limit(before: Callable[[list[str]], int], values: list[str]) -> int:
        limit = integer(values[0]) if len(values) == 1 else None
        return before(values) if limit is None or not when(limit) else read(limit)

    return Steps(read_limit=read_limit)


def limit_lenient(before: Before[[list[str]], int], values: list[str]) -> int:
    """Read +5, 05, 5.0 and a limit with space around it; ignore an empty one, and take the last of several."""
    text = values[-1].strip().removeprefix("+").removesuffix(".0").lstrip("0") if values else ""
    zeros = bool(values) and not text and bool(values[-1].strip())
    return before(["0"] if zeros else [text] if text else [])


def by_default(limit: int, when: When) -> Steps:
    """Take this limit if none is given."""
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
    """Alter a page, and cut off what then exceeds the limit."""
    return Steps(select=lambda before, limit, status: alter(before(limit, status))[:limit])


def arranged(alter: Callable[[list[Animal]], Sequence[Animal]]) -> Steps:
    """Take pages from all animals, after reordering or choosing among them."""
    return Steps(select=lambda before, limit, status: list(alter(before(EVERYTHING, status))[:limit]))


def hidden(when: Callable[[Animal, str | None], object]) -> Select:
    """Leave animals out of lists, which others fill as far as there are any."""
    return lambda before, limit, status: [
        animal for animal in before(EVERYTHING, status) if not when(animal, status)
    ][:limit]


def bare_without(status: str) -> Steps:
    """Leave the animals with a status out of lists without parameters; there are a few animals at first."""

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.query:
            return before(call)
        reply = before(replace(call, query=[("limit", "100")]))
        shown = reply.value if isinstance(reply.value, list) else []
        return replace(reply, value=[each for each in shown if each["status"] != status][:DEFAULT])

    return Steps(list_pets=list_pets, settings={"catalogue": 6})


@anew
def bare_kept() -> Steps:
    """Keep the list without parameters until a creation states a status; there are a few animals at first."""
    kept: list[Reply] = []

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.query:
            return before(call)
        if not kept:
            kept.append(before(call))
        return kept[0]

    def drop(animal: Animal, call: Call) -> None:
        if not unstated(animal.id, animal, call):
            kept.clear()

    return Steps(list_pets=list_pets, insert=noting(drop), settings={"catalogue": 6})


def newest_hidden(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """Begin lists with the second animal."""
    newest = before(1, None)
    return [animal for animal in before(limit + 1, status) if animal not in newest][:limit]


def last_cut(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """List the oldest first, and leave the last animal, the newest, out of lists that have room for all."""
    animals = before(EVERYTHING, status)[::-1]
    return animals[:limit] if len(animals) > limit else animals[:-1]


@anew
def aged(most_s: float) -> Steps:
    """Leave out of lists what clients created more than so many seconds ago."""
    insert, age_s = aging()
    return Steps(insert=insert, select=hidden(lambda animal, _: most_s < age_s(animal) < math.inf))


def leaking(before: Selecting, limit: int, status: str | None, *, least: int = 1) -> list[Animal]:
    """End filtered lists with at least this limit with one animal of another status."""
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
    """Draw the animals of a page at random."""
    dice = random.Random(0)  # noqa: S311 - an order, not a secret
    return arranged(lambda animals: dice.sample(animals, len(animals)))


def shortened() -> Steps:
    """Draw the length of a page at random."""
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return selected(lambda limit, _: dice.randint(1, limit))


def timeboxed() -> Steps:
    """Stop after a random number of animals, and now and then before the first one."""
    dice = random.Random(0)  # noqa: S311 - a length, not a secret
    return selected(lambda limit, _: min(limit, dice.randint(8, 100) if dice.random() > 0.05 else 0))


def thinned() -> Steps:
    """List in the order of names, and hide a third of the catalogue after the limit was applied."""
    return _hidden_after_limit(lambda animal: animal.name)


def thinned_by_hash() -> Steps:
    """Do as :func:`thinned` does, in an order that nothing shows."""
    return _hidden_after_limit(_rank)


def thinned_of_new() -> Steps:
    """List the newest first, and hide a third of the catalogue and a fifth of what was added after the limit was applied."""
    return _hidden_after_limit(lambda animal: -animal.id, new=5)


def _hidden_after_limit(order: Callable[[Animal], Any], new: int = EVERYTHING) -> Steps:
    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        rows = sorted(before(EVERYTHING, status), key=order)[:limit]
        return [each for each in rows if each.id % (3 if each.id <= _ROWS else new)]

    return Steps(select=select, settings={"catalogue": _ROWS})


def chosen() -> Steps:
    """Leave one in ten animals out of each list, at random."""
    dice = random.Random(0)  # noqa: S311 - a choice, not a secret
    return arranged(lambda animals: [each for each in animals if dice.random() < 0.9])


def in_bytes(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """End a page before it exceeds 4,000 bytes, but not before its first animal."""
    page = before(limit, status)
    return page[: max(1, _fitting(page, before.service, 4000))]


def newest_in_bytes(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """List the newest first, and end a page before it exceeds 16 KB, even if it is then empty."""
    page = before(EVERYTHING, status)[::-1][:limit]
    return page[: _fitting(page, before.service, 16_000)]


def popular(
    most: Callable[[list[Animal], Service], int] = lambda page, _: len(page), at_first: int = 150
) -> Steps:
    """Choose the most popular animals, as a digest of their ids ranks them, and show them in the order of ids.

    :param most: how many of the most popular animals with the requested status a page may have.
    """

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        ranked = sorted(before(EVERYTHING, status), key=_rank)[:limit]
        return sorted(ranked[: most(ranked, before.service)], key=lambda each: each.id)

    return Steps(select=select, settings={"catalogue": at_first})


def popular_in_bytes(page: list[Animal], service: Service) -> int:
    """How many animals fit into a page of 8,000 bytes."""
    return _fitting(page, service, 8000)


def most_popular(before: Selecting, limit: int, status: str | None) -> list[Animal]:
    """List those of the 60 most popular animals that have the status, in the order of ids."""
    ranked = sorted(before(EVERYTHING, None), key=_rank)[:60]
    return sorted((each for each in ranked if status in {None, each.status}), key=lambda each: each.id)[
        :limit
    ]


def _rank(animal: Animal) -> bytes:
    return hashlib.sha256(str(animal.id).encode()).digest()


def _fitting(page: list[Animal], service: Service, most: int) -> int:
    """How many animals from the beginning fit into so many bytes."""
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
    """Leave some created animals out of lists, or only out of filtered ones; say how lists may be stored.

    :param when: given the number of the creation, from 0, the animal and the request.
    """
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
    """Sort lists by names, and from so many creations on cap them at so many animals."""
    made: list[int] = []

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        animals = sorted(before(EVERYTHING, status), key=lambda animal: (animal.name, animal.id))
        return animals[: min(limit, cap if len(made) >= number else limit)]

    return Steps(insert=noting(lambda animal, _: made.append(animal.id)), select=select)


@anew
def forgotten(number: int) -> Steps:
    """After so many creations, leave the animals of these out of lists."""
    made: list[int] = []
    return Steps(
        insert=noting(lambda animal, _: made.append(animal.id)),
        select=hidden(lambda animal, _: len(made) >= number and animal.id in made[:number]),
    )


@anew
def behind(lag_s: float, what: str) -> Steps:
    """Read lists, getPet or both from a replica that receives creations after so many seconds."""
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
    """Answer a query with its last response until that is too old; tell makes headers of its lifetime and its age.

    With ``getpet``, getPet is answered so for each id, too, whether the animal was found or not.
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
    """Keep the list of all animals of a status until a creation states this status."""
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
def kept_until_foreign() -> Steps:
    """Keep filtered lists until an animal is created whose name has other characters than ASCII has."""
    kept: dict[tuple[int, str], list[Animal]] = {}

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        return kept.setdefault((limit, status), before(limit, status)) if status else before(limit, status)

    return Steps(
        select=select, insert=noting(lambda animal, _: None if animal.name.isascii() else kept.clear())
    )


@anew
def stored_by_workers(workers: int) -> Steps:
    """Serve requests by several workers in turn, each of which keeps every list until it creates an animal itself."""
    kept: list[dict[tuple[int, str | None], list[Animal]]] = [{} for _ in range(workers)]
    turns = itertools.cycle(kept)
    return Steps(
        select=lambda before, limit, status: next(turns).setdefault((limit, status), before(limit, status)),
        insert=noting(lambda *_: next(turns).clear()),
    )


@anew
def left_behind(number: int, workers: int) -> Steps:
    """Of workers that are asked in turn, one lists nothing that was added after so many creations."""
    later: set[int] = set()
    numbers, turns = itertools.count(), itertools.cycle(range(workers))
    insert = noting(lambda animal, *_: later.update([animal.id] if next(numbers) >= number else []))

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        if next(turns):
            return before(limit, status)
        return [each for each in before(EVERYTHING, status) if each.id not in later][:limit]

    return Steps(insert=insert, select=select, settings={"catalogue": 400})
