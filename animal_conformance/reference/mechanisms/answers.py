"""Mechanisms that alter answers on their way out: how animals are shown, bodies, headers, Errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.model import JSON, Call, Json, Reply

Alter: TypeAlias = Callable[[Json], Json]


def as_text(reply: Reply, body: bytes | str, content_type: str = JSON) -> Reply:
    """Return the answer with these bytes as its body."""
    data = body.encode() if isinstance(body, str) else body
    headers = {**reply.headers, "Content-Type": content_type}
    return Reply(reply.status, None, {name: value for name, value in headers.items() if value}, data)


def with_headers(reply: Reply, **headers: str) -> Reply:
    """Return the answer with further headers; underscores in their names stand for hyphens."""
    added = {name.replace("_", "-"): value for name, value in headers.items()}
    return replace(reply, headers={**reply.headers, **added})


def without_header(reply: Reply, name: str) -> Reply:
    """Return the answer without a header."""
    return replace(reply, headers={each: reply.headers[each] for each in reply.headers if each != name})


def error(status: int, message: str, code: str = "refused", **headers: str) -> Reply:
    """An error response, with further headers; underscores in their names stand for hyphens."""
    reply = Reply(status, {"code": code, "message": message, "status": status})
    return with_headers(reply, **headers)


def text(value: Json) -> str:
    """A value as JSON text, every character as it is."""
    return json.dumps(value, ensure_ascii=False)


def without(name: str) -> Alter:
    """Leave a field out of an object."""
    return lambda value: {key: item for key, item in value.items() if key != name}


def field(name: str, alter: Alter) -> Alter:
    """Alter a field of an object, if the object has it."""
    return lambda value: {**value, name: alter(value[name])} if name in value else value


def answered(alter: Callable[[Reply, Call], Reply | None]) -> Steps:
    """Alter each answer; None leaves it as it is."""
    return Steps(respond=lambda before, call: alter(reply := before(call), call) or reply)


def answers(which: str | int, alter: Callable[[Reply], Reply]) -> Steps:
    """Alter answers: all, the successes, the successes of one operation, the errors, or those with one status."""

    def concerned(reply: Reply, call: Call) -> bool:
        kinds = ("successes", call.operation) if reply.succeeded else ("errors",)
        return which in ("all", reply.status, *kinds)

    return answered(lambda reply, call: alter(reply) if concerned(reply, call) else None)


STORED_FOR_A_DAY = answers("all", lambda reply: with_headers(reply, Cache_Control="max-age=86400"))
"""Say of every answer that it may be stored for a day."""


def valued(which: str | int, alter: Alter) -> Steps:
    """Alter the values of answers."""
    return answers(which, lambda reply: replace(reply, value=alter(reply.value)))


def worded(which: str | int, label: str, write: Callable[[Json], str]) -> Steps:
    """Send the values of answers as another text, with this Content-Type."""
    return answers(which, lambda reply: as_text(reply, write(reply.value), label))


def shown(operation: str | None, alter: Alter) -> Steps:
    """Alter how an operation, or all of them, show an animal."""
    return Steps(
        represent=lambda before, animal, asked: (
            alter(before(animal, asked)) if operation in (None, asked) else before(animal, asked)
        )
    )


def encoded(alter: Callable[[str], bytes | str]) -> Steps:
    """Alter the JSON text that is sent."""

    def encode(before: Before[[Json], bytes], value: Json) -> bytes:
        sent = alter(before(value).decode())
        return sent.encode() if isinstance(sent, str) else sent

    return Steps(encode=encode)


# Addresses, methods and headers


def instead(when: Callable[[Call], object], answer: Callable[[], Reply]) -> Steps:
    """Answer some requests before anything else handles them."""
    return Steps(respond=lambda before, call: answer() if when(call) else before(call))
