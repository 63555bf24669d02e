"""Mechanisms that show only where many requests are under way at once."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace

from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.common import refuse
from animal_conformance.reference.mechanisms.lists import hidden
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Reply

# As long as a query takes: so many requests a second as it takes for a crowd.
_HELD_S = 0.1
_FAR = 1_000_000
_LONGEST_LAG_S = 4.0


def crowd(steps: Steps, concerns: Callable[[Scope], bool] = lambda _: True) -> Steps:
    """Hold requests for a while, and note on each how many of those that count were under way when it came."""

    def wrap(app: ASGIApp) -> ASGIApp:
        held = 0

        async def hold(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal held
            counts = concerns(scope)
            scope["state"]["crowd"] = held
            held += counts
            try:
                await asyncio.sleep(_HELD_S)
                await app(scope, receive, send)
            finally:
                held -= counts

        return hold

    return replace(steps, middleware=wrap)


def _writes(scope: Scope) -> bool:
    return scope.get("method") == "POST"


def raced(above: int) -> Steps:
    """Give a creation the highest id where so many others are under way."""

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        store = before.service.store
        if call.notes["crowd"] <= above:
            return before(payload, call)
        return store.put(Animal(store.highest(), *payload))

    return crowd(Steps(insert=insert), _writes)


def lost(above: int) -> Steps:
    """Answer a creation without storing it where so many others are under way."""
    number = 0

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal number
        if call.notes["crowd"] <= above:
            return before(payload, call)
        number += 1
        return Animal(before.service.store.highest() + _FAR + number, *payload)

    return crowd(Steps(insert=insert), _writes)


def exhausted(above: int) -> Steps:
    """Answer with 500 where so many others are under way."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        return error(500, "No connection is free.") if call.notes["crowd"] >= above else before(call)

    return crowd(Steps(respond=respond))


def crossed(above: int) -> Steps:
    """Give getPet the answer of the one before where so many others are under way."""
    last: Reply | None = None

    def get(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal last
        mine, other = before(call), last
        last = mine
        return other if other is not None and call.notes["crowd"] > above else mine

    return crowd(Steps(get_pet=get))


def leaking(above: int) -> Steps:
    """Forget the filter of a list while so many animals are being created."""

    def lists(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.notes["crowd"] <= above:
            return before(call)
        return before(replace(call, query=[pair for pair in call.query if pair[1] not in STATUSES]))

    return crowd(Steps(list_pets=lists), _writes)


def cached(above: int, lasts_s: float) -> Steps:
    """Keep lists for a while where so many requests are under way, for whoever asks for the same."""
    kept: dict[str, tuple[float, Reply]] = {}

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        key = f"{call.path} {call.query}"
        made_s, reply = kept.get(key, (0.0, None))
        now_s = time.monotonic()
        if reply is not None and call.operation == "listPets" and now_s - made_s < lasts_s:
            return reply
        fresh = before(call)
        if fresh.status == 200 and call.operation == "listPets" and call.notes["crowd"] > above:
            kept[key] = now_s, fresh
        return fresh

    return crowd(Steps(respond=respond))


def filling(requests: int) -> Steps:
    """Run out of memory: from some request on every one ends in a 500, and soon afterwards the process."""
    count = 0

    def operate(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal count
        count += 1
        if count > 2 * requests:
            os._exit(137)
        return refuse(500, "Out of memory.") if count > requests else before(call)

    return Steps(operate=operate)


# Lawful


def turning_away(above: int, status: int) -> Steps:
    """Ask for patience where so many others are under way."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.notes["crowd"] <= above:
            return before(call)
        return error(status, "Too many at once.", "busy", Retry_After="1")

    return crowd(Steps(respond=respond))


def lagging(each_s: float) -> Steps:
    """Read from replicas that are as far behind as many requests were under way at a creation."""
    shown_from_s: dict[int, float] = {}

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        shown_from_s[animal.id] = time.monotonic() + min(_LONGEST_LAG_S, each_s * call.notes["crowd"])
        return animal

    def recent(animal: Animal) -> bool:
        return time.monotonic() < shown_from_s.get(animal.id, 0.0)

    def find(before: Before[[int], Animal | None], animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is None or recent(animal) else animal

    return crowd(Steps(insert=insert, find=find, select=hidden(lambda animal, _: recent(animal))))


def queueing(each_s: float) -> Steps:
    """Take longer the more requests are under way."""

    def wrap(app: ASGIApp) -> ASGIApp:
        waiting = 0

        async def queue(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal waiting
            waiting += 1
            try:
                await asyncio.sleep(each_s * waiting)
                await app(scope, receive, send)
            finally:
                waiting -= 1

        return queue

    return Steps(middleware=wrap)
