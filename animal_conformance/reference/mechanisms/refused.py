"""Mechanisms of twins: animals that go, ids that nobody gave, requests that are turned away, and quotas."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.common import every, refuse, refusing
from animal_conformance.reference.mechanisms.lists import EVERYTHING
from animal_conformance.reference.model import Animal, Call, Json, Payload, Refusal, Reply
from animal_conformance.reference.service import Service

Gone = Callable[[Service, Animal, float], object]
"""Whether an animal is gone, so many seconds after its creation (since the start, for those of the catalogue)."""


def withdrawn(gone: Gone) -> Steps:
    """Take animals away."""
    return _away(gone, lambda: True, lists=True)


def unfound(gone: Gone, turns: Callable[[], Callable[[], bool]]) -> Steps:
    """Take animals away from getPet alone, when it is the turn."""
    return _away(gone, turns(), lists=False)


def _away(gone: Gone, gets: Callable[[], bool], *, lists: bool) -> Steps:
    made: dict[int, float] = {}
    started: list[float] = []

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        made[animal.id] = time.monotonic()
        return animal

    def is_gone(service: Service, animal: Animal) -> object:
        now_s = time.monotonic()
        if not started:
            started.append(now_s)
        return gone(service, animal, now_s - made.get(animal.id, started[0]))

    def find(before: Before[[int], Animal | None], animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is not None and is_gone(before.service, animal) and gets() else animal

    def select(
        before: Before[[int, str | None], list[Animal]], limit: int, status: str | None
    ) -> list[Animal]:
        everything = before(EVERYTHING, status)
        return [each for each in everything if not is_gone(before.service, each)][:limit]

    return Steps(insert=insert, find=find, select=select if lists else None)


def beyond_latest(count: int) -> Gone:
    """Of the animals that clients created, all but so many of the latest."""
    return lambda service, animal, _: (
        service.settings.catalogue < animal.id <= service.store.highest() - count
    )


def unlisted(animals: Callable[[int], object]) -> Steps:
    """Find animals under some ids that no list shows."""

    def find(before: Before[[int], Animal | None], animal_id: int) -> Animal | None:
        return before(animal_id) or (
            Animal(animal_id, f"Fixture {animal_id}", 1, "sold") if animals(animal_id) else None
        )

    return Steps(find=find)


def found_before_it_is_given() -> Steps:
    """Find an animal under the id that the next one will get."""

    def find(before: Before[[int], Animal | None], animal_id: int) -> Animal | None:
        following = animal_id == before.service.store.highest() + 1
        return Animal(animal_id, "reserved", 1, "pending") if following else before(animal_id)

    return Steps(find=find)


def turned_away(status: int, when: Callable[[Call], object]) -> Steps:
    """Answer some requests with this status, before anything else is looked at."""

    def operate(before: Before[[Call], Reply], call: Call) -> Reply:
        return error(status, "Not now.", "turned_away") if call.operation and when(call) else before(call)

    return Steps(operate=operate)


def told_to_wait(when: Callable[[Call], object], turns: Callable[[], Callable[[], bool]]) -> Steps:
    """Answer some requests with 503 and Retry-After, when it is the turn."""
    turn = turns()

    def operate(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.operation and when(call) and turn():
            return error(503, "Later, perhaps.", "unavailable", Retry_After="0")
        return before(call)

    return Steps(operate=operate)


def outage(status: int, seconds: float, *after: int) -> Steps:
    """Answer every request with this status for a while, whenever as many were answered."""
    count, until_s = 0, 0.0

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal count, until_s
        count += 1
        if count in after:
            until_s = time.monotonic() + seconds
        return error(status, "Bad gateway.", "gateway") if time.monotonic() < until_s else before(call)

    return Steps(respond=respond)


def crashing(status: int, requests: int, when: Callable[[Call], object]) -> Steps:
    """End the worker at some requests: a proxy answers those and so many after them with this status."""
    left = 0

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal left
        left = requests if not left and when(call) else max(left - 1, 0)
        return error(status, "Bad gateway.", "gateway") if left else before(call)

    return Steps(respond=respond)


def now_and_then(number: int, status: int) -> Steps:
    """Answer every so many requests with this status."""
    turn = every(number)
    return turned_away(status, lambda _: turn())


def quotas(most: Mapping[str | None, int], message: str) -> Steps:
    """Accept so many creations of each status, and under ``None`` of any."""
    counts: dict[str | None, int] = {}

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        for kind in (payload.status, None):
            if kind in most and counts.get(kind, 0) >= most[kind]:
                refuse(400, message)
        for kind in (payload.status, None):
            counts[kind] = counts.get(kind, 0) + 1
        return before(payload, call)

    return Steps(insert=insert)


def refused_in_turns(number: int) -> Steps:
    """Refuse every so many creations, as one of several nodes does that does not know the category."""
    turn = every(number)
    return refusing("insert", 400, lambda _payload, _call: turn())


def refused_once_more() -> Steps:
    """Refuse the next valid creation after an invalid one: what was wrong with that is still remembered."""
    remembered = False

    def read_payload(before: Before[[Json], Payload], value: Json) -> Payload:
        nonlocal remembered
        try:
            return before(value)
        except Refusal:
            remembered = True
            raise

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal remembered
        if remembered:
            remembered = False
            refuse(400)
        return before(payload, call)

    return Steps(read_payload=read_payload, insert=insert)


def quota_per_period(most: int, seconds: float, message: str) -> Steps:
    """Accept so many creations in each period of so many seconds."""
    until_s, count = -math.inf, 0

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal until_s, count
        if time.monotonic() >= until_s:
            until_s, count = time.monotonic() + seconds, 0
        if count == most:
            refuse(400, message)
        count += 1
        return before(payload, call)

    return Steps(insert=insert)


def removed(status: int, turns: Callable[[], Callable[[], bool]]) -> Steps:
    """Answer getPet as an operation that was removed, when it is the turn."""
    when = turns()

    def get_pet(before: Before[[Call], Reply], call: Call) -> Reply:
        return refuse(status, "This operation was removed; use GET /pets.") if when() else before(call)

    return Steps(get_pet=get_pet)


def after(number: int) -> Callable[[], bool]:
    """A question that is answered yes once it was asked so many times."""
    asked = 0

    def ask() -> bool:
        nonlocal asked
        asked += 1
        return asked > number

    return ask
