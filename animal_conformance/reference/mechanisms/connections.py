"""Mechanisms that show on connections: framing, delays, and requests that are mistaken for others."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from animal_conformance.reference.changes import Steps, anew
from animal_conformance.reference.mechanisms.answers import answered, with_headers
from animal_conformance.reference.mechanisms.common import every
from animal_conformance.reference.model import Call, Reply

Rewrite: TypeAlias = Callable[[bytes, asyncio.Transport], bytes]

_MARK = b"x-broken: "
_HELD_S = 0.005
_MOST_S = 0.06
_PIECE = 700


class _Wire:
    """A transport whose bytes are altered on their way out."""

    def __init__(self, inner: asyncio.Transport, rewrite: Rewrite) -> None:
        self._inner = inner
        self._rewrite = rewrite

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def write(self, data: bytes) -> None:
        self._inner.write(self._rewrite(bytes(data), self._inner))

    def writelines(self, chunks: Iterable[bytes]) -> None:
        self.write(b"".join(chunks))


def wired(make: Callable[[], Rewrite]) -> Steps:
    """Alter what is written; make is called once for each connection."""
    return Steps(transport=lambda inner: cast("asyncio.Transport", _Wire(inner, make())))


def rewritten(rewrite: Callable[[bytes], bytes]) -> Steps:
    """Alter what is written, a piece at a time."""
    return wired(lambda: lambda data, _: rewrite(data))


@anew
def broken_off(make: Callable[[], Rewrite], when: Callable[[Reply, Call], object], number: int = 1) -> Steps:
    """Mark every so many of the answers for which ``when`` holds, and alter the marked ones on their way out."""
    turn = every(number)
    return replace(
        answered(
            lambda reply, call: with_headers(reply, X_Broken="1") if when(reply, call) and turn() else None
        ),
        transport=wired(make).transport,
    )


def _marked(head: Callable[[bytes], bytes], body: Callable[[bytes], bytes]) -> Callable[[], Rewrite]:
    """Alter marked answers, and close the connection after them."""

    def make() -> Rewrite:
        marked = False

        def rewrite(data: bytes, transport: asyncio.Transport) -> bytes:
            nonlocal marked
            if data.startswith(b"HTTP/"):
                marked = _MARK in data
                return head(data) if marked else data
            if marked and data:
                transport.close()
                return body(data)
            return data

        return rewrite

    return make


cut = _marked(lambda head: head, lambda body: body[: len(body) // 2])
"""Half of a body whose whole length is announced."""
misframed = _marked(
    lambda head: re.sub(rb"(?i)content-length: [0-9]+", b"transfer-encoding: chunked", head),
    lambda body: b"size\r\n" + body,
)
"""Chunks whose sizes are not numbers."""


def dropped() -> Rewrite:
    """Close the connection instead of sending a marked answer."""

    def rewrite(data: bytes, transport: asyncio.Transport) -> bytes:
        if _MARK in data:
            transport.abort()
        return data

    return rewrite


@anew
def unserved(number: int) -> Steps:
    """Close every so many of the connections instead of sending their first answer."""
    turn = every(number)

    def make() -> Rewrite:
        served = not turn()

        def rewrite(data: bytes, transport: asyncio.Transport) -> bytes:
            if not served:
                transport.abort()
            return data

        return rewrite

    return wired(make)


def delayed(app: ASGIApp) -> ASGIApp:
    """Answer later, by up to 60 ms."""
    dice = random.Random(0)  # noqa: S311 - a pause, not a secret

    async def delay(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(dice.uniform(0, _MOST_S))
        await app(scope, receive, send)

    return delay


def chunked(app: ASGIApp) -> ASGIApp:
    """Send bodies in pieces, without saying how long they are."""

    async def chunk(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_pieces(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [item for item in message["headers"] if item[0] != b"content-length"]
                await send({**message, "headers": headers})
                return
            body = message.get("body", b"")
            for start in range(0, len(body), _PIECE):
                await send({**message, "body": body[start : start + _PIECE], "more_body": True})
            await send({**message, "body": b""})

        await app(scope, receive, send_pieces)

    return chunk


def mixed_up(target: bytes, part: str) -> Steps:
    """Keep a part of the targets of GET requests where the next request overwrites it before it is used.

    Only requests that close their connection are confused, so the effect does not depend on how many lanes a run has.
    """

    def wrap(app: ASGIApp) -> ASGIApp:
        asked = b""

        async def mix(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal asked
            called = b"?".join(each for each in (scope.get("raw_path"), scope.get("query_string")) if each)
            closes = (b"connection", b"close") in scope.get("headers", ())
            if closes and scope.get("method") == "GET" and re.search(target, called):
                asked = scope[part]
                await asyncio.sleep(_HELD_S)
                scope = {**scope, part: asked}
            await app(scope, receive, send)

        return mix

    return Steps(middleware=wrap)
