"""Variants in how a deployment conducts itself over time: load, delay, and others at work.

The interface document leaves rate limits open ('Limits'), and transitions of the status.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from email.utils import formatdate

from animal_conformance.reference.changes import Variant, Wrap
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Reply
from animal_conformance.reference.service import Respond, Service
from animal_conformance.reference.tools import every, hidden

_RATE = 40
_LAG = 0.3
_STATUS_LASTS = 2.0


def _limited(tell: Callable[[float], str]) -> Wrap[Respond]:
    """Answer no more requests in a second than the rate allows."""

    def wrap(inner: Respond) -> Respond:
        second, count = 0, 0

        def respond(call: Call) -> Reply:
            nonlocal second, count
            now = time.time()
            second, count = (second, count + 1) if int(now) == second else (int(now), 1)
            if count <= _RATE:
                return inner(call)
            error = {"code": "too_many_requests", "message": "Slow down.", "status": 429}
            return Reply(429, error, {"Retry-After": tell(second + 1)})

        return respond

    return wrap


def _unavailable(inner: Respond) -> Respond:
    pauses = every(150)

    def respond(call: Call) -> Reply:
        if pauses():
            error = {"code": "unavailable", "message": "Back in a second.", "status": 503}
            return Reply(503, error, {"Retry-After": "1"})
        return inner(call)

    return respond


def _lagging(*, lists: bool = False, gets: bool = False) -> Callable[[Service], None]:
    """Read from a replica that is behind."""

    def install(service: Service) -> None:
        created: dict[int, float] = {}
        insert_, find_ = service.insert, service.find

        def insert(payload: Payload, call: Call) -> Animal:
            animal = insert_(payload, call)
            created[animal.id] = time.monotonic()
            return animal

        def recent(animal: Animal, _: str | None = None) -> bool:
            return time.monotonic() - created.get(animal.id, -_LAG) < _LAG

        def find(animal_id: int) -> Animal | None:
            animal = find_(animal_id)
            return None if animal is None or recent(animal) else animal

        service.insert = insert
        if lists:
            service.select = hidden(recent)(service.select)
        if gets:
            service.find = find

    return install


def _visited(service: Service) -> None:
    """Somebody else creates animals."""

    async def visit() -> None:
        number = 0
        while True:
            await asyncio.sleep(0.05)
            number += 1
            service.store.add([Payload(f"Guest {number}", number % 5 + 1, STATUSES[number % 3])])

    service.background.append(visit)


def _moving(service: Service) -> None:
    """An animal's status moves on after a while."""
    inner = service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        animal = inner(payload, call)
        if animal.status in STATUSES[:2]:
            following = animal._replace(status=STATUSES[STATUSES.index(animal.status) + 1])
            asyncio.get_running_loop().call_later(_STATUS_LASTS, service.store.replace, following)
        return animal

    service.insert = insert


VARIANTS = [
    Variant(
        name="rate.seconds",
        sentence="Above 40 requests a second the answer is 429, with the seconds to wait.",
        respond=_limited(lambda when: str(max(1, math.ceil(when - time.time())))),
    ),
    Variant(
        name="rate.date",
        sentence="Above 40 requests a second the answer is 429, with the time from which to try again.",
        respond=_limited(lambda when: formatdate(when, usegmt=True)),
    ),
    Variant(
        name="unavailable",
        sentence="Every 150th request is answered with 503 and the seconds to wait.",
        respond=_unavailable,
    ),
    Variant(name="lag.list", sentence="Lists are 300 ms behind creations.", install=_lagging(lists=True)),
    Variant(name="lag.get", sentence="getPet is 300 ms behind creations.", install=_lagging(gets=True)),
    Variant(
        name="lag.replica",
        sentence="Lists and getPet are 300 ms behind creations.",
        install=_lagging(lists=True, gets=True),
    ),
    Variant(name="others.creating", sentence="Somebody else creates 20 animals a second.", install=_visited),
    Variant(
        name="others.moving", sentence="A status moves on two seconds after the creation.", install=_moving
    ),
]
