"""Mechanisms of how a deployment conducts itself over time: limits on rates, lag, and others at work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.common import every, refuse, sometimes
from animal_conformance.reference.mechanisms.lists import hidden
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Reply
from animal_conformance.reference.service import Insert, Respond, Service

_RATE = 40
_LAG_S = 0.3
_STATUS_LASTS_S = 2.0
_VISITS_S = 0.05


def sometimes_failing(number: int, status: int) -> Steps:
    """Refuse every so many requests."""
    return Steps(operate=sometimes(number, lambda _: lambda _: refuse(status, "Try again later.")))


def limited(tell: Callable[[float], str]) -> Steps:
    """Answer no more requests in a second than the rate allows; tell writes when to try again."""

    def wrap(inner: Respond) -> Respond:
        second, count = 0, 0

        def respond(call: Call) -> Reply:
            nonlocal second, count
            now = time.time()
            second, count = (second, count + 1) if int(now) == second else (int(now), 1)
            if count <= _RATE:
                return inner(call)
            return error(429, "Slow down.", "too_many_requests", Retry_After=tell(second + 1))

        return respond

    return Steps(respond=wrap)


def pausing(inner: Respond) -> Respond:
    """Answer every 150th request with 503 and the seconds to wait."""
    pauses = every(150)
    return lambda call: (
        error(503, "Back in a second.", "unavailable", Retry_After="1") if pauses() else inner(call)
    )


def lagging(*, lists: bool = False, gets: bool = False) -> Steps:
    """Read from a replica that is behind."""

    def install(service: Service) -> None:
        created: dict[int, float] = {}
        insert_, find_ = service.insert, service.find

        def insert(payload: Payload, call: Call) -> Animal:
            animal = insert_(payload, call)
            created[animal.id] = time.monotonic()
            return animal

        def recent(animal: Animal, _: str | None = None) -> bool:
            return time.monotonic() - created.get(animal.id, -_LAG_S) < _LAG_S

        def find(animal_id: int) -> Animal | None:
            animal = find_(animal_id)
            return None if animal is None or recent(animal) else animal

        service.insert = insert
        if lists:
            service.select = hidden(recent)(service.select)
        if gets:
            service.find = find

    return Steps(install=install)


def visited(service: Service) -> None:
    """Have somebody else create animals."""

    async def visit() -> None:
        number = 0
        while True:
            await asyncio.sleep(_VISITS_S)
            number += 1
            service.store.add([Payload(f"Guest {number}", number % 5 + 1, STATUSES[number % 3])])

    service.background.append(visit)


def moving(service: Service, inner: Insert, payload: Payload, call: Call) -> Animal:
    """Have an animal's status move on after a while."""
    animal = inner(payload, call)
    if animal.status in STATUSES[:2]:
        following = animal._replace(status=STATUSES[STATUSES.index(animal.status) + 1])
        asyncio.get_running_loop().call_later(_STATUS_LASTS_S, service.store.replace, following)
    return animal
