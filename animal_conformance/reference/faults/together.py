"""Faults that show only on requests at the same time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.changes import Fault

_HELD_S = 0.005


def _fault(name: str, clause: str, sentence: str, **steps: Any) -> Fault:
    return Fault(name=name, clauses=(clause,), depth=4, sentence=sentence, **steps)


def _mixed_up(path: bytes, part: str) -> Callable[[ASGIApp], ASGIApp]:
    """Keep a part of what GETs of these paths ask for where the next one finds it, and use it a moment later."""

    def wrap(app: ASGIApp) -> ASGIApp:
        asked = b""

        async def mix(scope: Scope, receive: Receive, send: Send) -> None:
            nonlocal asked
            if scope.get("method") == "GET" and re.search(path, scope["raw_path"]):
                asked = scope[part]
                await asyncio.sleep(_HELD_S)
                scope = {**scope, part: asked}
            await app(scope, receive, send)

        return mix

    return wrap


def _riding(app: ASGIApp) -> ASGIApp:
    """Hold listings a little, and note on those without a key whether one with a key was held when they came."""
    held = 0

    async def ride(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal held
        if scope.get("method") == "GET" and scope["raw_path"].endswith(b"/pets"):
            keyed = any(name == b"authorization" for name, _ in scope["headers"])
            scope["state"]["rides"] = held > 0 and not keyed
            held += keyed
            try:
                await asyncio.sleep(_HELD_S)
            finally:
                held -= keyed
        await app(scope, receive, send)

    return ride


FAULTS = [
    _fault(
        "get.mixed-up",
        "get.requested",
        "Of requests at the same time all are answered with what the last asked for.",
        middleware=_mixed_up(rb"/pets/", "raw_path"),
    ),
    _fault(
        "filter.mixed-up",
        "list.status.filter",
        "Of listings at the same time all have the filter of the last.",
        middleware=_mixed_up(rb"/pets$", "query_string"),
    ),
    _fault(
        "auth.missing.beside",
        "auth.missing.list",
        "listPets without a key is answered where one with a key is under way.",
        middleware=_riding,
        authenticate=lambda inner: lambda call: bool(call.notes.get("rides")) or inner(call),
    ),
]
