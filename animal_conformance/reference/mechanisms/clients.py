"""Mechanisms that tell clients, connections and spellings of a path apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

import brotli  # type: ignore[import-untyped] # it comes without types

from animal_conformance.reference.changes import Recipe, Steps, anew
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import Answering, When, refuse, where
from animal_conformance.reference.mechanisms.credentials import keyless
from animal_conformance.reference.model import JSON, Call, Json, Reply

SESSION = "session=6f1d"
_HOUR_S = 3600


def says(call: Call, name: str, part: str = "") -> bool:
    """Whether a request has a header with this in it."""
    return name in call.headers and part in call.headers[name]


def is_plain_list(call: Call) -> bool:
    """Whether a request lists without parameters."""
    return call.operation == "listPets" and not call.query


def turned_away(status: int, when: When) -> Steps:
    """Refuse requests with the key for how they are put."""
    return Steps(operate=lambda before, call: refuse(status) if when(call) else before(call))


def spelled(when: Callable[[str], object], rewrite: Callable[[str], str]) -> Steps:
    """Serve a path that is written in another way without asking for a key."""

    def respond(before: Answering, call: Call) -> Reply:
        if call.method != "GET" or not when(call.path):
            return before(call)
        _, _, call.pet_id = rewrite(call.path).strip("/").partition("/")
        call.operation = "getPet" if call.pet_id else "listPets"
        return before.service.operate(call)

    return Steps(respond=respond)


@anew
def by_worker(count: int, when: When, recipe: Recipe) -> Steps:
    """Take altered steps on the last of so many processes that take connections in turn."""
    workers: dict[object, int] = {}

    def is_there(call: Call) -> bool:
        return workers.setdefault(call.connection, len(workers)) % count == count - 1 and bool(when(call))

    return where(is_there, recipe())


def with_session(before: Answering, call: Call) -> Reply:
    """Begin a session with an answer to a key."""
    reply = before(call)
    return reply if keyless(call) else with_headers(reply, Set_Cookie=f"{SESSION}; HttpOnly")


def in_session(steps: Steps) -> Steps:
    """Begin sessions, and take altered steps for who sends the cookie back."""
    return replace(where(lambda call: says(call, "cookie", SESSION), steps), respond=with_session)


def tagged(of: Callable[[Json], Json]) -> Steps:
    """Give what is read a validator, made of its value or a part of that, and answer 304 to who has it and the key."""

    def respond(before: Answering, call: Call) -> Reply:
        reply = before(call)
        if reply.status != 200:
            return reply
        tag = f'"{hashlib.sha256(json.dumps(of(reply.value)).encode()).hexdigest()[:16]}"'
        if says(call, "if-none-match", tag):
            return Reply(304, None, {"Content-Type": "", "ETag": tag}, b"")
        return with_headers(reply, ETag=tag)

    return Steps(respond=respond)


def with_brotli(before: Answering, call: Call) -> Reply:
    """Compress bodies for clients that take Brotli."""
    reply = before(call)
    if not says(call, "accept-encoding", "br") or reply.body is not None:
        return reply
    body = brotli.compress(before.service.encode(reply.value), quality=1)
    headers = {**reply.headers, "Content-Type": JSON, "Content-Encoding": "br", "Vary": "Accept-Encoding"}
    return Reply(reply.status, None, headers, body)
