"""Mechanisms that show only while several requests are under way at once."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from animal_conformance.reference.changes import Before, Steps, anew
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.common import Answering, Finding, Inserting, always, refuse
from animal_conformance.reference.mechanisms.lists import hidden
from animal_conformance.reference.model import Animal, Call, Payload, Reply

# How long a query takes under load; the longer it takes, the fewer requests per second make a crowd.
QUERY_S = 0.1
_FAR = 1_000_000
_LONGEST_LAG_S = 4.0


def crowd(
    steps: Steps, counts: Callable[[Scope], object] = always, held_s: float = QUERY_S, each_s: float = 0.0
) -> Steps:
    """Hold requests, longer by each_s for each counted request that is under way, and note how many of those there are."""

    def wrap(app: ASGIApp) -> ASGIApp:
        under_way = 0

        async def hold(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal under_way
            scope["state"]["crowd"] = under_way
            counting = bool(counts(scope))
            under_way += counting
            try:
                await asyncio.sleep(held_s + each_s * under_way)
                await app(scope, receive, send)
            finally:
                under_way -= counting

        return hold

    return replace(steps, middleware=wrap)


def creates(scope: Scope) -> bool:
    """Whether a request creates an animal."""
    return bool(scope.get("method") == "POST")


def closes(scope: Scope) -> bool:
    """Whether a client says that it closes the connection afterwards, as those do that come in crowds."""
    return (b"connection", b"close") in scope["headers"]


def answering(
    answer: Callable[[int, Call], Reply | None],
    counts: Callable[[Scope], object] = always,
    held_s: float = QUERY_S,
) -> Steps:
    """Answer depending on how many counted requests are under way; None leaves the answer to the steps before."""
    steps = Steps(respond=lambda before, call: answer(call.notes["crowd"], call) or before(call))
    return crowd(steps, counts, held_s)


def busy(status: int) -> Steps:
    """Ask for patience above 24 requests at once."""
    return answering(
        lambda others, _: error(status, "Too many at once.", "busy", Retry_After="1") if others > 24 else None
    )


def raced(above: int, held_s: float = QUERY_S) -> Steps:
    """Give a creation the highest id, which is taken, while more than so many others are under way."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        store = before.service.store
        if call.notes["crowd"] <= above:
            return before(payload, call)
        return store.put(Animal(store.highest(), *payload))

    return crowd(Steps(insert=insert), creates, held_s)


@anew
def vouched(held_s: float) -> Steps:
    """Accept any key while a request with the right one is under way: the decision stands in one place for all requests."""
    right: set[bytes] = set()

    def authenticate(before: Before[[Call], bool], call: Call) -> bool:
        if before(call):
            right.add((call.authorization or "").encode("latin-1"))
            return True
        return call.authorization is not None and call.notes["crowd"] > 0

    def is_right(scope: Scope) -> bool:
        return dict(scope["headers"]).get(b"authorization") in right

    return crowd(Steps(authenticate=authenticate), is_right, held_s)


@anew
def dropped_too_early(pause_s: float) -> Steps:
    """Keep each list until an animal is created, and drop the kept lists so long before that animal is stored."""
    kept: dict[tuple[int, str | None], list[Animal]] = {}

    def wrap(app: ASGIApp) -> ASGIApp:
        async def drop(scope: Scope, receive: Receive, send: Send) -> None:
            if creates(scope):
                kept.clear()
                await asyncio.sleep(pause_s)
            await app(scope, receive, send)

        return drop

    return Steps(
        select=lambda before, limit, status: kept.setdefault((limit, status), before(limit, status)),
        middleware=wrap,
    )


def mixed() -> Steps:
    """Store an animal with the status of the one before it while another creation is under way, as if they shared an object."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        store = before.service.store
        last = store.find(store.highest())
        shared = payload if not call.notes["crowd"] or last is None else payload._replace(status=last.status)
        return before(shared, call)

    return crowd(Steps(insert=insert), creates)


def in_two_steps(apart_s: float) -> Steps:
    """Store an animal without its values, and fill them in before the creation is answered."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal, store = before(payload, call), before.service.store
        store.replace(animal._replace(name="", category_id=0))
        call.notes["fill in"] = partial(store.replace, animal)
        return animal

    def wrap(app: ASGIApp) -> ASGIApp:
        async def create(scope: Scope, receive: Receive, send: Send) -> None:
            async def filled(message: Message) -> None:
                fill_in = scope["state"].pop("fill in", None)
                if fill_in is not None:
                    await asyncio.sleep(apart_s)
                    fill_in()
                await send(message)

            await app(scope, receive, filled)

        return create

    return Steps(insert=insert, middleware=wrap)


@anew
def lost(above: int, held_s: float = QUERY_S, each_s: float = 0.0) -> Steps:
    """Answer a creation without storing it while more than this many others are under way."""
    number = 0

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        nonlocal number
        if call.notes["crowd"] <= above:
            return before(payload, call)
        number += 1
        return Animal(before.service.store.highest() + _FAR + number, *payload)

    return crowd(Steps(insert=insert), creates, held_s, each_s)


@anew
def crossed(above: int) -> Steps:
    """Give a getPet request the answer of the one before it while more than so many others are under way."""
    answers: deque[Reply] = deque(maxlen=2)

    def get(before: Answering, call: Call) -> Reply:
        answers.append(before(call))
        return answers[0 if call.notes["crowd"] > above else -1]

    return crowd(Steps(get_pet=get))


@anew
def cached(above: int, lasts_s: float) -> Steps:
    """Keep lists for a while if more than so many requests are under way, for anyone who sends the same request."""
    kept: dict[str, tuple[float, Reply]] = {}

    def respond(before: Answering, call: Call) -> Reply:
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


@anew
def filling(requests: int) -> Steps:
    """Run out of memory: after so many requests, each is answered with 500, and after as many more the process ends."""
    count = 0

    def operate(before: Answering, call: Call) -> Reply:
        nonlocal count
        count += 1
        if count > 2 * requests:
            os._exit(137)
        return refuse(500, "Out of memory.") if count > requests else before(call)

    return Steps(operate=operate)


@anew
def lagging(each_s: float) -> Steps:
    """Read from replicas, which show a new animal later the more requests were under way at its creation."""
    shown_from_s: dict[int, float] = {}

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        shown_from_s[animal.id] = time.monotonic() + min(_LONGEST_LAG_S, each_s * call.notes["crowd"])
        return animal

    def recent(animal: Animal, _: str | None = None) -> bool:
        return time.monotonic() < shown_from_s.get(animal.id, 0.0)

    def find(before: Finding, animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is None or recent(animal) else animal

    return crowd(Steps(insert=insert, find=find, select=hidden(recent)))
