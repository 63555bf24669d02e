"""Mechanisms of lists that end early or show what was, and of lists that leave something out."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from dataclasses import replace

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.clients import by_worker
from animal_conformance.reference.mechanisms.common import every
from animal_conformance.reference.mechanisms.lists import (
    EVERYTHING,
    Of,
    Selecting,
    arranged,
    hidden,
    unlisted,
)
from animal_conformance.reference.model import Animal, Call, Payload, Reply


def in_bytes(most: int) -> Steps:
    """End a page before it exceeds so many bytes, but not before its first animal."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        page, left, service = before(limit, status), most, before.service
        for at, animal in enumerate(page):
            left -= len(service.encode(service.represent(animal, "listPets"))) + 1
            if left < 0 < at:
                return page[:at]
        return page

    return Steps(select=select)


def capped_in_turns(most: int, period_s: float) -> Steps:
    """Cap pages in every other period; they begin with the oldest animals."""

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        cap = most if int(time.monotonic() / period_s) % 2 else limit
        return before(EVERYTHING, status)[::-1][: min(limit, cap)]

    return Steps(select=select)


def scanned(most: int) -> Steps:
    """Look at so many animals and no more, and take from those what the filter lets through."""
    return Steps(
        select=lambda before, limit, status: [
            animal for animal in before(most, None) if status in {None, animal.status}
        ][:limit]
    )


def chosen() -> Steps:
    """Leave one in ten animals out of each list, by chance."""
    dice = random.Random(0)  # noqa: S311 - a choice, not a secret
    return arranged(lambda animals: [each for each in animals if dice.random() < 0.9])


def stored(lasts_s: float, tell: Callable[[float, float], dict[str, str]]) -> Steps:
    """Answer a query with its last response until that is too old; tell makes headers of how long and of its age."""
    kept: dict[tuple[tuple[str, str], ...], tuple[float, Reply]] = {}

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        query, now_s = tuple(call.query), time.monotonic()
        if query not in kept or now_s - kept[query][0] >= lasts_s:
            kept[query] = now_s, before(call)
        made_s, reply = kept[query]
        return Reply(reply.status, reply.value, tell(lasts_s, now_s - made_s), reply.body)

    return Steps(list_pets=list_pets)


def unlisted_and_dated(when: Of, control: str) -> Steps:
    """Leave created animals out of all lists, which are made anew and say how they may be kept."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        listed = call.operation == "listPets" and reply.succeeded
        return with_headers(reply, Cache_Control=control) if listed else reply

    return replace(unlisted(when), respond=respond)


def kept_by_workers(workers: int) -> Steps:
    """Let workers, which take requests in turns, keep each list until they create an animal themselves."""
    kept: list[dict[tuple[int, str | None], list[Animal]]] = [{} for _ in range(workers)]
    turns = itertools.cycle(kept)

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        return next(turns).setdefault((limit, status), before(limit, status))

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        next(turns).clear()
        return before(payload, call)

    return Steps(select=select, insert=insert)


def empty_in_turns(number: int, of: Callable[[str | None], object]) -> Steps:
    """Let every so many lists, of those with some filters, be empty: a search that gives up has found nothing."""
    turn = every(number)

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        return [] if of(status) and turn() else before(limit, status)

    return Steps(select=select)


def old_in_turns(number: int, status: str) -> Steps:
    """Let every so many unfiltered lists show all animals with one status, as a node that knows of no changes does."""
    turn = every(number)

    def select(before: Selecting, limit: int, wanted: str | None) -> list[Animal]:
        page = before(limit, wanted)
        return page if wanted or not turn() else [each._replace(status=status) for each in page]

    return Steps(select=select)


def own_of_workers(workers: int) -> Steps:
    """Let workers, which take requests in turns, filter what was there at first, and what each has created itself."""
    made: dict[int, int] = {}
    turns = itertools.cycle(range(workers))

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        worker, animals = next(turns), before(EVERYTHING, status)
        return [each for each in animals if status is None or made.get(each.id, worker) == worker][:limit]

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        made[animal.id] = next(turns)
        return animal

    return Steps(select=select, insert=insert)


def behind(lag_s: float, what: str) -> Steps:
    """Read lists, gets or both from a replica that receives creations after so many seconds."""
    created: dict[int, float] = {}

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        created[animal.id] = time.monotonic()
        return animal

    def recent(animal: Animal, _: str | None = None) -> bool:
        return time.monotonic() - created.get(animal.id, -lag_s) < lag_s

    def find(before: Before[[int], Animal | None], animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is None or recent(animal) else animal

    select = hidden(recent) if "lists" in what else None
    return Steps(insert=insert, select=select, find=find if "gets" in what else None)


def until(age_s: float, what: str) -> Steps:
    """List what was created for so many seconds only: in all lists, or in those with a filter."""
    created: dict[int, float] = {}

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        created[animal.id] = time.monotonic()
        return animal

    def old(animal: Animal, status: str | None) -> bool:
        if what == "filtered" and status is None:
            return False
        return time.monotonic() - created.get(animal.id, time.monotonic()) > age_s

    return Steps(insert=insert, select=hidden(old))


def frozen_pages() -> Steps:
    """Keep each page of a filter as it was when it was first requested."""
    kept: dict[tuple[int, str], list[Animal]] = {}

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        page = before(limit, status)
        return page if status is None else kept.setdefault((limit, status), page)

    return Steps(select=select)


def frozen_on_worker(count: int, of: str) -> Steps:
    """Keep the list of a status as it was at first, on the last of so many processes that take connections in turn."""
    kept: list[Reply] = []

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        kept.append(before(call))
        return kept[0]

    return by_worker(
        count,
        lambda call: ("status", of) in call.query and ("limit", "100") in call.query,
        Steps(list_pets=list_pets),
    )


def frozen_filter(of: str) -> Steps:
    """Keep the index of one status as it was when it was first used."""
    index: list[Animal] = []

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        if status != of:
            return before(limit, status)
        if not index:
            index.extend(before(EVERYTHING, status))
        return index[:limit]

    return Steps(select=select)
