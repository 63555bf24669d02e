"""Mechanisms of how a deployment conducts itself over time: limits on rates, lag, and others at work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Reply
from animal_conformance.reference.service import Service

_RATE = 40
_STATUS_LASTS_S = 2.0
_VISITS_S = 0.05


def limited(tell: Callable[[float], str]) -> Steps:
    """Answer no more requests in a second than the rate allows; tell writes when to try again."""
    second, count = 0, 0

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal second, count
        now = time.time()
        second, count = (second, count + 1) if int(now) == second else (int(now), 1)
        if count <= _RATE:
            return before(call)
        return error(429, "Slow down.", "too_many_requests", Retry_After=tell(second + 1))

    return Steps(respond=respond)


async def visiting(service: Service) -> None:
    """Create animals, as somebody else."""
    number = 0
    while True:
        await asyncio.sleep(_VISITS_S)
        number += 1
        service.store.add([Payload(f"Guest {number}", number % 5 + 1, STATUSES[number % 3])])


def moving(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
    """Have an animal's status move on after a while."""
    animal = before(payload, call)
    if animal.status in STATUSES[:2]:
        following = animal._replace(status=STATUSES[STATUSES.index(animal.status) + 1])
        asyncio.get_running_loop().call_later(_STATUS_LASTS_S, before.service.store.replace, following)
    return animal
