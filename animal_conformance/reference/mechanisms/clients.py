"""Mechanisms that tell clients, connections and spellings of a path apart."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate

import brotli  # type: ignore[import-untyped] # it comes without types
from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import refuse
from animal_conformance.reference.mechanisms.credentials import keyless
from animal_conformance.reference.model import JSON, Animal, Call, Json, Payload, Reply

When = Callable[[Call], object]

SESSION = "session=6f1d"
_HOUR_S = 3600
_HELD_S = 0.02
_MERGED_S = 0.05


def says(call: Call, name: str, part: str = "") -> bool:
    """Whether a request has a header with this in it."""
    return part in call.headers.get(name, "") if name in call.headers else False


def accepts(call: Call, part: str) -> bool:
    """Whether a request's Accept header has this in it."""
    return says(call, "accept", part)


def is_plain_list(call: Call) -> bool:
    """Whether a request lists without parameters."""
    return call.operation == "listPets" and not call.query


def turned_away(status: int, when: When) -> Steps:
    """Refuse requests with the key for how they are put."""
    return Steps(operate=lambda before, call: refuse(status) if when(call) else before(call))


def paged(count: int, when: When) -> Steps:
    """List so many animals by default to some clients."""

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.parameters("limit") or not when(call):
            return before(call)
        service = before.service
        status = service.read_filter(call.parameters("status"))
        return Reply(200, [service.represent(each, "listPets") for each in service.select(count, status)])

    return Steps(list_pets=list_pets)


def spelled(when: Callable[[str], object], rewrite: Callable[[str], str]) -> Steps:
    """Serve a path that is written in another way without asking for a key."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        if call.method != "GET" or not when(call.path):
            return before(call)
        _, _, call.pet_id = rewrite(call.path).strip("/").partition("/")
        call.operation = "getPet" if call.pet_id else "listPets"
        return before.service.operate(call)

    return Steps(respond=respond)


def where(when: When, steps: Steps) -> Steps:
    """Take altered steps, those that are given the call, for some requests."""

    def altered(instead: Callable[..., object]) -> Callable[..., object]:
        return lambda before, call: instead(before, call) if when(call) else before(call)

    return Steps(**{name: altered(instead) for name, instead in steps.replaced()})  # type: ignore[arg-type] # by name


def by_worker(count: int, when: When, steps: Steps) -> Steps:
    """Take altered steps on the last of so many processes that take connections in turn."""
    workers: dict[object, int] = {}

    def is_there(call: Call) -> bool:
        return workers.setdefault(call.connection, len(workers)) % count == count - 1 and bool(when(call))

    return where(is_there, steps)


def snapshots() -> Steps:
    """List what was there at the first list on a connection, until an animal is created on it."""
    kept: dict[object, list[Animal]] = {}
    connection: object = None

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal connection
        connection = call.connection
        return before(call)

    def select(
        before: Before[[int, str | None], list[Animal]], limit: int, status: str | None
    ) -> list[Animal]:
        shown = kept.setdefault(connection, before.service.store.everything())
        return [each for each in shown if status in {None, each.status}][:limit]

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        kept.pop(call.connection, None)
        return before(payload, call)

    return Steps(list_pets=list_pets, select=select, insert=insert)


def in_session(steps: Steps) -> Steps:
    """Begin a session with an answer to a key, and take altered steps for who sends its cookie back."""
    return replace(where(lambda call: says(call, "cookie", SESSION), steps), respond=with_session().respond)


def as_at_first(before: Before[[Call], Reply], call: Call) -> Reply:
    """List what was there at first and nothing else."""
    reply, known = before(call), before.service.settings.catalogue
    return (
        replace(reply, value=[each for each in reply.value if each["id"] <= known])
        if reply.succeeded
        else reply
    )


def with_session() -> Steps:
    """Begin a session with an answer to a key, and take its cookie for one."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        return reply if keyless(call) else with_headers(reply, Set_Cookie=f"{SESSION}; HttpOnly")

    return Steps(
        respond=respond,
        authenticate=lambda before, call: says(call, "cookie", "session=6f1d") or before(call),
    )


def not_modified(when: When) -> Steps:
    """Answer 304 to who has a stored response."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        return Reply(304, None, {"Content-Type": ""}, b"") if when(call) else reply

    return Steps(respond=respond)


def crowded(counts: Callable[[Scope], object], answer: Callable[[int, Call], Reply | None]) -> Steps:
    """Hold the requests that count a little, and answer others by how many of these are under way; None lets them be."""

    def wrap(app: ASGIApp) -> ASGIApp:
        under_way = 0

        async def hold(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal under_way
            scope["state"]["others"] = under_way
            counting = bool(counts(scope))
            under_way += counting
            try:
                if counting:
                    await asyncio.sleep(_HELD_S)
                await app(scope, receive, send)
            finally:
                under_way -= counting

        return hold

    return Steps(
        middleware=wrap, respond=lambda before, call: answer(call.notes["others"], call) or before(call)
    )


def merging() -> Steps:
    """Give a creation the animal of another one with the same name that is under way."""
    latest: dict[str, tuple[float, Animal]] = {}

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        others, now_s = call.notes["others"], asyncio.get_running_loop().time()
        made = latest.get(payload.name)
        if others and made is not None and now_s - made[0] < _MERGED_S:
            return made[1]
        animal = before(payload, call)
        latest[payload.name] = now_s, animal
        return animal

    return replace(crowded(is_creation, lambda _, __: None), insert=insert)


def closes(scope: Scope) -> bool:
    """Whether a client says that it closes the connection afterwards, as those do that come in crowds."""
    return (b"connection", b"close") in scope["headers"]


def is_creation(scope: Scope) -> bool:
    """Whether a request creates an animal."""
    return bool(scope["method"] == "POST")


def after(count: int, alter: Callable[[], Reply]) -> Steps:
    """Answer lists in another way from so many requests on."""
    seen = 0

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        nonlocal seen
        seen += 1
        reply = before(call)
        return alter() if seen > count and call.operation == "listPets" and reply.succeeded else reply

    return Steps(respond=respond)


def arranged_by_worker() -> Steps:
    """List backwards on every other connection."""
    numbers: dict[object, int] = {}

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        return replace(
            reply, value=reply.value[:: -1 if numbers.setdefault(call.connection, len(numbers)) % 2 else 1]
        )

    return Steps(list_pets=list_pets)


def tagged(of: Callable[[Json], Json] = lambda value: value) -> Steps:
    """Give what is read a validator, made of its value or a part of that, and answer 304 to who has it and the key."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        if reply.status != 200:
            return reply
        tag = f'"{hashlib.sha256(json.dumps(of(reply.value)).encode()).hexdigest()[:16]}"'
        if says(call, "if-none-match", tag):
            return Reply(304, None, {"Content-Type": "", "ETag": tag}, b"")
        return with_headers(reply, ETag=tag)

    return Steps(respond=respond)


def dated() -> Steps:
    """Date lists by the last creation, in whole seconds, and answer 304 to a client that has one with that date."""
    changed_s = int(time.time()) - _HOUR_S

    def list_pets(before: Before[[Call], Reply], call: Call) -> Reply:
        reply, date = before(call), formatdate(changed_s, usegmt=True)
        if reply.status != 200:
            return reply
        if call.headers.get("if-modified-since") == date:
            return Reply(304, None, {"Content-Type": "", "Last-Modified": date}, b"")
        return with_headers(reply, Last_Modified=date)

    def insert(before: Before[[Payload, Call], Animal], payload: Payload, call: Call) -> Animal:
        nonlocal changed_s
        changed_s = int(time.time())
        return before(payload, call)

    return Steps(list_pets=list_pets, insert=insert)


def with_brotli() -> Steps:
    """Compress bodies for clients that take Brotli."""

    def respond(before: Before[[Call], Reply], call: Call) -> Reply:
        reply = before(call)
        if not says(call, "accept-encoding", "br") or reply.body is not None:
            return reply
        body = brotli.compress(before.service.encode(reply.value), quality=1)
        headers = {**reply.headers, "Content-Type": JSON, "Content-Encoding": "br", "Vary": "Accept-Encoding"}
        return Reply(reply.status, None, headers, body)

    return Steps(respond=respond)
