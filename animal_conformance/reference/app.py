"""The ASGI application: reads a request completely, has the service answer it, sends the answer."""

from __future__ import annotations

import sys
import traceback
from urllib.parse import parse_qsl, unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from animal_conformance.reference.model import Call, Refusal, Reply
from animal_conformance.reference.service import LONGEST_BODY, Service, body_of

_OPERATIONS = {"/pets": {"GET": "listPets", "POST": "createPet"}, "/pets/{petId}": {"GET": "getPet"}}


def application(service: Service) -> ASGIApp:
    """Return the ASGI application that has the service answer."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            call = await _read(request, service.settings.base_path)
        except ClientDisconnect:
            return
        except Refusal as refusal:
            reply = service.refuse(refusal, _outside(request))
        else:
            reply = respond(service, call)
        body = body_of(reply, service.encode)
        await Response(body, reply.status, reply.headers)(scope, receive, send)

    return answer


def respond(service: Service, call: Call) -> Reply:
    """Have the service answer; any exception in it becomes a 500 with an Error body ('Errors')."""
    try:
        return service.respond(call)
    except Exception:  # noqa: BLE001 - the last line of defence of a server
        traceback.print_exc(file=sys.stderr)
        return service.refuse(Refusal(500, "internal", "Internal error."), call)


async def _read(request: Request, base_path: str) -> Call:
    raw = request.scope["raw_path"].decode("ascii")
    if raw != base_path and not raw.startswith(base_path + "/"):
        raise Refusal(404, "not_found", f"The interface is at {base_path}.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            # The rest stays unread, so the server closes the connection afterwards. The service refuses such a body.
            break
    return _call(request, raw[len(base_path) :], bytes(body))


def _call(request: Request, path: str, body: bytes) -> Call:
    # Split before decoding: an encoded slash is part of a petId.
    segments = [unquote(segment) for segment in path.split("/")[1:]]
    pet_id = segments[1] if len(segments) == 2 and segments[0] == "pets" else ""
    methods = _OPERATIONS.get("/pets/{petId}" if pet_id else "/" + "/".join(segments), {})
    # RFC 9110, section 9.1: HEAD is answered as GET is; the server leaves the body out.
    method = "GET" if request.method == "HEAD" else request.method
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Call(
        method=request.method,
        path=path,
        operation=methods.get(method, ""),
        allowed=(*methods, "HEAD") if methods else (),
        pet_id=pet_id,
        query=parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True),
        headers=headers,
        body=body,
        connection=request.scope["client"],
        notes=request.scope["state"],
    )


def _outside(request: Request) -> Call:
    """A call to an address outside the interface, as far as an error response needs it."""
    return Call(request.method, request.url.path, "", (), "", [], {}, b"", None)
