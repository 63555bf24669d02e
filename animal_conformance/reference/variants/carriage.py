"""Variants in how answers are carried: HTTP, and the address and key that a deployment has.

Of the transport the interface document says only that bodies are application/json, and of keys that
they are bearer tokens.
"""

from __future__ import annotations

import asyncio
import random

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from animal_conformance.reference.changes import Variant, Wrap
from animal_conformance.reference.tools import answered, wired, with_headers


def _delayed(least: float, most: float) -> Wrap[ASGIApp]:
    """Answer later, by so many seconds."""
    dice = random.Random(0)  # noqa: S311 - a pause, not a secret

    def wrap(app: ASGIApp) -> ASGIApp:
        async def delay(scope: Scope, receive: Receive, send: Send) -> None:
            await asyncio.sleep(dice.uniform(least, most))
            await app(scope, receive, send)

        return delay

    return wrap


def _chunked(app: ASGIApp) -> ASGIApp:
    """Send bodies in pieces, without saying how long they are."""

    async def chunk(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_pieces(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [item for item in message["headers"] if item[0] != b"content-length"]
                await send({**message, "headers": headers})
                return
            body = message.get("body", b"")
            for start in range(0, len(body), 700):
                await send({**message, "body": body[start : start + 700], "more_body": True})
            await send({**message, "body": b""})

        await app(scope, receive, send_pieces)

    return chunk


def _zipped(app: ASGIApp) -> ASGIApp:
    return GZipMiddleware(app, minimum_size=1, compresslevel=1)


_PUNCTUATION = "-._~+/" * 6 + "aZ9=="
_SHELL = "!#$%&'*`|^\"\\(){}[]<>?;:@,aZ9"

VARIANTS = [
    Variant(name="http.chunked", sentence="Bodies are sent in chunks.", middleware=_chunked),
    Variant(name="http.gzip", sentence="Bodies are compressed.", middleware=_zipped),
    Variant(
        name="http.gzip-chunked",
        sentence="Bodies are compressed and sent in chunks.",
        middleware=lambda app: _chunked(_zipped(app)),
    ),
    Variant(
        name="http.1.0",
        sentence="Answers are of HTTP/1.0, and the connection is closed after each.",
        respond=answered(lambda reply, _: with_headers(reply, Connection="close")),
        transport=wired(lambda: lambda data, _: data.replace(b"HTTP/1.1 ", b"HTTP/1.0 ", 1)),
    ),
    Variant(
        name="http.closing",
        sentence="The connection is closed after each answer.",
        respond=answered(lambda reply, _: with_headers(reply, Connection="close")),
    ),
    Variant(
        name="http.reason",
        sentence="Status lines have no reason phrase.",
        transport=wired(lambda: lambda data, _: _unreasoned(data)),
    ),
    Variant(name="latency.steady", sentence="Answers take 20 ms.", middleware=_delayed(0.02, 0.02)),
    Variant(name="latency.jitter", sentence="Answers take up to 60 ms.", middleware=_delayed(0, 0.06)),
    Variant(
        name="path.deep",
        sentence="The base address has a long path.",
        settings={"base_path": "/api/shop/animals/eu-1/v1"},
    ),
    Variant(
        name="path.odd",
        sentence="The base address has encoded characters.",
        settings={"base_path": "/caf%C3%A9%20%26%20co/v1"},
    ),
    Variant(
        name="key.punctuation",
        sentence="The key is full of the punctuation that tokens may have.",
        settings={"api_key": _PUNCTUATION},
    ),
    Variant(
        name="key.shell",
        sentence="The key is full of characters that a shell reads.",
        settings={"api_key": _SHELL},
    ),
    Variant(
        name="key.digits",
        sentence="The key has digits only.",
        settings={"api_key": "31415926535897932384626433832795"},
    ),
    Variant(
        name="key.lower-case",
        sentence="The key is hexadecimal.",
        settings={"api_key": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
    ),
    Variant(name="key.short", sentence="The key has six characters.", settings={"api_key": "s3cR3t"}),
    Variant(name="key.single", sentence="The key has one character.", settings={"api_key": "k"}),
    Variant(
        name="key.long", sentence="The key has 2,000 characters.", settings={"api_key": "aB3dEf7h" * 250}
    ),
]


def _unreasoned(data: bytes) -> bytes:
    if not data.startswith(b"HTTP/"):
        return data
    line, _, rest = data.partition(b"\r\n")
    return b" ".join(line.split(b" ")[:2]) + b" \r\n" + rest
