"""What several faults or variants are made with: wraps of single steps."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeGuard, cast

from animal_conformance.reference.changes import Wrap
from animal_conformance.reference.model import JSON, Animal, Call, Json, Payload, Refusal, Reply
from animal_conformance.reference.service import (
    Decode,
    Encode,
    Insert,
    ReadPayload,
    Refuse,
    Represent,
    Respond,
    Select,
    Service,
)

EVERYTHING = 1_000_000
"""More animals than any store here has."""


def refuse(status: int, message: str = "This cannot be done here.") -> NoReturn:
    """End the handling of a request; a lambda cannot raise."""
    raise Refusal(status, "refused", message)


def crash(happens: object, value: Any = None) -> Any:
    """End the handling of a request with a 500 where something happens, else return the value."""
    return refuse(500, "Internal Server Error") if happens else value


def every(number: int) -> Callable[[], bool]:
    """A question that is answered yes every so many times that it is asked."""
    asked = 0

    def ask() -> bool:
        nonlocal asked
        asked += 1
        return asked % number == 0

    return ask


def number(value: Json) -> TypeGuard[int | float]:
    """Whether a value is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def answered(alter: Callable[[Reply, Call], Reply | None]) -> Wrap[Respond]:
    """Alter each answer; None keeps it."""
    return lambda inner: lambda call: alter(reply := inner(call), call) or reply


def succeeded(alter: Callable[[Reply], Reply | None], *operations: str) -> Wrap[Respond]:
    """Alter each successful answer of the operations, or of all without any; None keeps it."""
    return answered(
        lambda reply, call: (
            alter(reply) if reply.succeeded and (not operations or call.operation in operations) else None
        )
    )


def refused(alter: Callable[[Reply], Reply], *statuses: int) -> Wrap[Refuse]:
    """Alter each error response of the statuses, or of all without any."""

    def wrap(inner: Refuse) -> Refuse:
        def answer(refusal: Refusal, call: Call) -> Reply:
            reply = inner(refusal, call)
            return alter(reply) if not statuses or reply.status in statuses else reply

        return answer

    return wrap


def as_text(reply: Reply, body: bytes | str, content_type: str = JSON) -> Reply:
    """Return the answer with these bytes for a body."""
    data = body.encode() if isinstance(body, str) else body
    headers = {**reply.headers, "Content-Type": content_type}
    return Reply(reply.status, None, {name: value for name, value in headers.items() if value}, data)


def as_value(reply: Reply, value: Json) -> Reply:
    """Return the answer with this JSON value for a body."""
    return Reply(reply.status, value, reply.headers)


def with_headers(reply: Reply, **headers: str) -> Reply:
    """Return the answer with further headers; underscores in their names stand for hyphens."""
    added = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(reply.status, reply.value, {**reply.headers, **added}, reply.body)


def without_headers(reply: Reply, *names: str) -> Reply:
    """Return the answer without those headers."""
    kept = {name: value for name, value in reply.headers.items() if name not in names}
    return Reply(reply.status, reply.value, kept, reply.body)


def stored(alter: Callable[[Payload], Payload]) -> Wrap[Insert]:
    """Alter what is stored, and so what the 201 and every reading show."""
    return lambda inner: lambda payload, call: inner(alter(payload), call)


def named(alter: Callable[[str], str]) -> Wrap[Insert]:
    """Alter the name that is stored."""
    return stored(lambda payload: payload._replace(name=alter(payload.name)))


def categorised(alter: Callable[[int], int]) -> Wrap[Insert]:
    """Alter the categoryId that is stored."""
    return stored(lambda payload: payload._replace(category_id=alter(payload.category_id)))


def shown(alter: Callable[[dict[str, Json], Animal, str], Json], *operations: str) -> Wrap[Represent]:
    """Alter how the operations, or all without any, show an animal."""

    def wrap(inner: Represent) -> Represent:
        def represent(animal: Animal, operation: str) -> Json:
            value = inner(animal, operation)
            return alter(value, animal, operation) if not operations or operation in operations else value

        return represent

    return wrap


def coerced(name: str, when: Callable[[Json], bool], convert: Callable[[Json], Json]) -> Wrap[ReadPayload]:
    """Convert a property of the create payload before it is checked."""

    def wrap(inner: ReadPayload) -> ReadPayload:
        def read(value: Json) -> Payload:
            if isinstance(value, dict) and name in value and when(value[name]):
                value = {**value, name: convert(value[name])}
            return inner(value)

        return read

    return wrap


def defaulted(**defaults: Json) -> Wrap[ReadPayload]:
    """Supply properties of the create payload that are missing."""
    return lambda inner: lambda value: inner({**defaults, **value} if isinstance(value, dict) else value)


def refused_when(status: int, when: Callable[[Payload], object]) -> Wrap[Insert]:
    """Refuse valid creations."""
    return lambda inner: (
        lambda payload, call: (
            refuse(status, "This animal cannot be added.") if when(payload) else inner(payload, call)
        )
    )


def hidden(when: Callable[[Animal, str | None], object]) -> Wrap[Select]:
    """Leave animals out of lists, without making these any shorter where there are others."""
    return lambda inner: (
        lambda limit, status: [animal for animal in inner(EVERYTHING, status) if not when(animal, status)][
            :limit
        ]
    )


def marked(service: Service, when: Callable[[int, Payload, Call], object]) -> set[int]:
    """The ids of created animals for which that holds, growing; the first argument counts creations."""
    ids: set[int] = set()
    numbers, inner = itertools.count(), service.insert

    def insert(payload: Payload, call: Call) -> Animal:
        animal = inner(payload, call)
        if when(next(numbers), payload, call):
            ids.add(animal.id)
        return animal

    service.insert = insert
    return ids


def unstated(_number: int, _payload: Payload, call: Call) -> bool:
    """Whether a creation leaves its status out."""
    return b'"status"' not in call.body


def encoded(alter: Callable[[str], bytes | str]) -> Wrap[Encode]:
    """Alter the JSON text that is sent."""

    def wrap(inner: Encode) -> Encode:
        def encode(value: Json) -> bytes:
            text = alter(inner(value).decode())
            return text.encode() if isinstance(text, str) else text

        return encode

    return wrap


class _Wire:
    """A transport whose bytes are altered on their way out."""

    def __init__(self, inner: asyncio.Transport, alter: Callable[[bytes, asyncio.Transport], bytes]) -> None:
        self._inner = inner
        self._alter = alter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def write(self, data: bytes) -> None:
        self._inner.write(self._alter(bytes(data), self._inner))

    def writelines(self, chunks: Iterable[bytes]) -> None:
        self.write(b"".join(chunks))


def wired(
    make: Callable[[], Callable[[bytes, asyncio.Transport], bytes]],
) -> Wrap[asyncio.Transport]:
    """Alter what is written; make is called once for each connection."""
    return lambda inner: cast("asyncio.Transport", _Wire(inner, make()))


def repaired(repair: Callable[[str], Json]) -> Wrap[Decode]:
    """Read a body by other means where it is no JSON."""

    def wrap(inner: Decode) -> Decode:
        def decode(body: bytes) -> Json:
            try:
                return inner(body)
            except Refusal:
                try:
                    return repair(body.decode())
                except (ValueError, SyntaxError, RecursionError, MemoryError):
                    pass
                raise

        return decode

    return wrap
