"""Null servers: they return the same response to every request, and store nothing."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.model import JSON


def _constant(status: int, body: str | bytes, content_type: str = JSON, **headers: str) -> ASGIApp:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if content_type:
        named["Content-Type"] = content_type

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        # The request is read completely, so that the connection can be reused.
        await Request(scope, receive).body()
        await Response(body, status, named)(scope, receive, send)

    return answer


def _error(status: int, **headers: str) -> ASGIApp:
    error = {"code": "refused", "message": "Every request gets this response.", "status": status}
    return _constant(status, json.dumps(error), **headers)


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope, receive)
    body = await request.body()
    try:
        value = json.loads(body) if body else {}
    except (ValueError, RecursionError):
        value = body.decode(errors="replace")
    echoed = (
        value if body else {"method": request.method, "path": request.url.path, "query": request.url.query}
    )
    await Response(json.dumps(echoed), 200, {"Content-Type": JSON})(scope, receive, send)


NULLS: dict[str, ASGIApp] = {
    "200-object": _constant(200, "{}"),
    "200-array": _constant(200, "[]"),
    "200-empty": _constant(200, ""),
    "200-html": _constant(200, "<!doctype html><title>Animals</title>", "text/html"),
    "200-echo": _echo,
    "204": _constant(204, "", ""),
    "401-error": _error(401, WWW_Authenticate="Bearer"),
    "401-bare": _constant(401, "", ""),
    "404-error": _error(404),
    "500-error": _error(500),
}
