"""Mechanisms of deployments in use: animals that go, requests that are turned away, quotas, and other clients."""

from __future__ import annotations

import asyncio
import itertools
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from animal_conformance.reference.changes import Before, Steps, anew
from animal_conformance.reference.mechanisms.answers import error, with_headers
from animal_conformance.reference.mechanisms.common import (
    Answering,
    Finding,
    Inserting,
    Selecting,
    aging,
    every,
    handled,
    refuse,
)
from animal_conformance.reference.mechanisms.lists import EVERYTHING
from animal_conformance.reference.model import STATUSES, Animal, Call, Payload, Refusal, Reply
from animal_conformance.reference.service import Service

Gone: TypeAlias = Callable[[Service, Animal, float], object]
"""Whether an animal is gone, so many seconds after its creation (since the start, for those of the catalogue)."""

_RATE = 40
_VISITS_S = 0.05


@anew
def gone(when: Gone, *, of_replicas: int = 1, lists: bool = False, lingering: int = 0) -> Steps:
    """Take animals away from getPet, on one of so many replicas, and from lists too if asked.

    Lists still begin with ``lingering`` of the animals that are gone.
    """
    insert, age_s = aging()
    turn = every(of_replicas)
    started: list[float] = []

    def is_gone(service: Service, animal: Animal) -> object:
        if not started:
            started.append(time.monotonic())
        return when(service, animal, min(age_s(animal), time.monotonic() - started[0]))

    def find(before: Finding, animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is not None and is_gone(before.service, animal) and turn() else animal

    def select(before: Selecting, limit: int, status: str | None) -> list[Animal]:
        away: list[Animal] = []
        there: list[Animal] = []
        for each in before(EVERYTHING, status):
            (away if is_gone(before.service, each) else there).append(each)
        return [*away[:lingering], *there][:limit]

    return Steps(insert=insert, find=find, select=select if lists else None)


@anew
def missed_at_first() -> Steps:
    """Animals that clients created are found by the second getPet request for them."""
    asked: set[int] = set()

    def find(before: Finding, animal_id: int) -> Animal | None:
        animal = before(animal_id)
        first = (
            animal is not None and animal_id > before.service.settings.catalogue and animal_id not in asked
        )
        asked.update([animal_id] if animal else [])
        return None if first else animal

    return Steps(find=find)


def beyond_latest(count: int) -> Gone:
    """The animals that clients created are gone, except the latest so many."""
    return lambda service, animal, _: (
        service.settings.catalogue < animal.id <= service.store.highest() - count
    )


def unlisted(are_there: Callable[[int], object]) -> Steps:
    """Find animals under some ids that no list shows."""
    return Steps(
        find=lambda before, animal_id: (
            before(animal_id)
            or (Animal(animal_id, f"Fixture {animal_id}", 1, "sold") if are_there(animal_id) else None)
        )
    )


@anew
def outage(status: int, seconds: float, *after: int) -> Steps:
    """Answer every request with this status for so many seconds, from each request whose number is in ``after``."""
    counted, until_s = itertools.count(1), 0.0

    def respond(before: Answering, call: Call) -> Reply:
        nonlocal until_s
        if next(counted) in after:
            until_s = time.monotonic() + seconds
        return error(status, "Bad gateway.", "gateway") if time.monotonic() < until_s else before(call)

    return Steps(respond=respond)


@anew
def crashing(status: int, requests: int, when: Callable[[Call], object]) -> Steps:
    """Crash at some requests: a proxy then answers so many requests, from that one on, with this status."""
    left = 0

    def respond(before: Answering, call: Call) -> Reply:
        nonlocal left
        left = requests if not left and when(call) else max(left - 1, 0)
        return error(status, "Bad gateway.", "gateway") if left else before(call)

    return Steps(respond=respond)


def told_to_wait() -> Reply:
    """503 with Retry-After."""
    return error(503, "Later, perhaps.", "unavailable", Retry_After="0")


@anew
def quotas(
    most: Mapping[str | None, int], message: str = "There is no room for more.", *, period_s: float = math.inf
) -> Steps:
    """Accept so many creations of each status, and under ``None`` so many of any status, per period of so many seconds."""
    counts: Counter[tuple[str | None, float]] = Counter()

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        period = time.monotonic() // period_s
        kinds = [(payload.status, period), (None, period)]
        if any(counts[kind] >= most.get(kind[0], math.inf) for kind in kinds):
            refuse(400, message)
        counts.update(kinds)
        return before(payload, call)

    return Steps(insert=insert)


@anew
def allowance(most: int, wait_s: int) -> Steps:
    """Accept so many creations, and answer any further one with a request to wait so long."""
    counted = itertools.count(1)

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        return before(payload, call) if next(counted) <= most else refuse(429, "Come back tomorrow.")

    def refused(before: Before[[Refusal, Call], Reply], refusal: Refusal, call: Call) -> Reply:
        reply = before(refusal, call)
        return with_headers(reply, Retry_After=str(wait_s)) if refusal.status == 429 else reply

    return Steps(insert=insert, refuse=refused)


def refused_once_more() -> Steps:
    """Refuse the next valid creation after an invalid one: what was wrong with that one is still remembered."""
    wrong: set[int] = set()
    return Steps(
        read_payload=handled(lambda refusal: wrong.add(refusal.status)),
        insert=lambda before, payload, call: refuse(wrong.pop()) if wrong else before(payload, call),
    )


@anew
def reserved(by: int, status: int) -> Steps:
    """Refuse a creation with a name that was in one which got the status ``by``: the name is reserved for that one."""
    names: set[str] = set()

    def respond(before: Answering, call: Call) -> Reply:
        reply = before(call)
        if call.operation == "createPet" and reply.status == by:
            names.update(each.decode() for each in re.findall(rb'"name": ?"([ -~]*?)"', call.body))
        return reply

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        return refuse(status) if payload.name in names else before(payload, call)

    return Steps(respond=respond, insert=insert)


def refused_after_missing() -> Steps:
    """Refuse the valid creation that follows a 404 on its connection: the transaction of the 404 was not ended."""
    aborted: set[object] = set()

    def respond(before: Answering, call: Call) -> Reply:
        reply = before(call)
        (aborted.add if reply.status == 404 else aborted.discard)(call.connection)
        return reply

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        return refuse(400) if call.connection in aborted else before(payload, call)

    return Steps(respond=respond, insert=insert)


@anew
def limited(tell: Callable[[float], str]) -> Steps:
    """Answer no more requests in a second than the rate allows; tell formats when to try again."""
    second, count = 0, 0

    def respond(before: Answering, call: Call) -> Reply:
        nonlocal second, count
        now = time.time()
        second, count = (second, count + 1) if int(now) == second else (int(now), 1)
        if count <= _RATE:
            return before(call)
        return error(429, "Slow down.", "too_many_requests", Retry_After=tell(second + 1))

    return Steps(respond=respond)


async def visiting(service: Service) -> None:
    """Create animals, as another client."""
    for number in itertools.count(1):
        await asyncio.sleep(_VISITS_S)
        service.store.add([Payload(f"Guest {number}", number % 5 + 1, STATUSES[number % 3])])
