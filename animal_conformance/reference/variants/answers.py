"""Variants in how answers look: fields, JSON, headers, errors, methods.

The interface document leaves open what it does not name: further fields and headers, the values of
code ('Errors'), methods and addresses outside the three operations.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from animal_conformance.reference.changes import Variant, Wrap
from animal_conformance.reference.model import Call, Refusal, Reply
from animal_conformance.reference.service import ReadPetId, Respond, Service
from animal_conformance.reference.tools import (
    answered,
    as_text,
    as_value,
    encoded,
    refuse,
    refused,
    shown,
    with_headers,
)


def _malformed_ids(status: int) -> Wrap[ReadPetId]:
    def wrap(inner: ReadPetId) -> ReadPetId:
        def read(text: str) -> int:
            try:
                return inner(text)
            except Refusal as refusal:
                raise Refusal(status, "invalid_id", refusal.message) from None

        return read

    return wrap


def _elsewhere(answer: Callable[[Call], Reply]) -> Wrap[Respond]:
    """Answer what is outside the three operations."""
    return lambda inner: lambda call: inner(call) if call.operation else answer(call)


def _removed(name: str, status: int) -> Variant:
    return Variant(
        name=f"get.removed-{name}",
        sentence=f"getPet is removed, as announced: it is answered with {status}.",
        today="2030-12-06",
        get_pet=lambda _: lambda _: refuse(status, "This operation was removed; use GET /pets."),
    )


def _tagged(reply: Reply, call: Call) -> Reply:
    tag = hashlib.sha256(json.dumps(reply.value).encode()).hexdigest()[:16]
    reply = with_headers(
        reply,
        ETag=f'"{tag}"',
        Cache_Control="private, max-age=0",
        X_Request_Id=tag,
        Vary="Accept, Authorization",
        Set_Cookie=f"session={tag}; HttpOnly",
        Strict_Transport_Security="max-age=31536000",
    )
    if call.operation == "listPets" and reply.succeeded:
        reply = with_headers(reply, Link='<pets?after=20>; rel="next"', X_Total_Count="1000")
    if call.operation == "createPet" and reply.succeeded:
        reply = with_headers(reply, Location=f"pets/{reply.value['id']}")
    return reply


def _negotiating(service: Service) -> None:
    inner = service.operate

    def operate(call: Call) -> Reply:
        accept = call.headers.get("accept", "*/*")
        if not any(kind in accept for kind in ("*/*", "application/*", "application/json")):
            refuse(406, "Answers are application/json.")
        label = call.headers.get("content-type", "application/json")
        if call.operation == "createPet" and label.split(";")[0].strip().lower() != "application/json":
            refuse(415, "Bodies are application/json.")
        return inner(call)

    service.operate = operate


def _slashed(inner: Respond) -> Respond:
    """Answer /pets/ as /pets."""

    def respond(call: Call) -> Reply:
        if call.path == "/pets/":
            call.operation = {"GET": "listPets", "POST": "createPet"}.get(call.method, "")
        return inner(call)

    return respond


_LONG = "This request was not what the service expects. " * 100

VARIANTS = [
    Variant(
        name="fields.extra",
        sentence="Animals have further fields.",
        represent=shown(
            lambda value, *_: {
                **value,
                "tags": [],
                "category": {"name": "Dogs", "id": None},
                "createdAt": "2026-11-20T12:00:00Z",
                "weight": 3.25,
                "Id": "x",
                "": None,
            }
        ),
    ),
    Variant(
        name="fields.links",
        sentence="Animals have links, as HAL has them.",
        represent=shown(lambda value, *_: {"_links": {"self": {"href": f"/v1/pets/{value['id']}"}}, **value}),
    ),
    Variant(
        name="fields.reversed",
        sentence="Fields stand in the opposite order.",
        represent=shown(lambda value, *_: dict(reversed(value.items()))),
        refuse=refused(lambda reply: as_value(reply, dict(reversed(reply.value.items())))),
    ),
    Variant(
        name="json.pretty",
        sentence="JSON is indented, and ends with a line end.",
        encode=encoded(lambda text: json.dumps(json.loads(text), ensure_ascii=False, indent=4) + "\n"),
    ),
    Variant(
        name="json.ascii",
        sentence="JSON is ASCII: everything else is escaped.",
        encode=encoded(lambda text: json.dumps(json.loads(text))),
    ),
    Variant(
        name="json.slashes",
        sentence="JSON escapes slashes, as PHP does, and < and > and &, as Go does.",
        encode=encoded(
            lambda text: (
                text.replace("/", "\\/")
                .replace("<", "\\u003c")
                .replace(">", "\\u003E")
                .replace("&", "\\u0026")
            )
        ),
    ),
    Variant(
        name="content-type.charset",
        sentence="The content type names its charset.",
        respond=answered(
            lambda reply, _: with_headers(reply, Content_Type="application/json; charset=utf-8")
        ),
    ),
    Variant(
        name="content-type.upper-case",
        sentence="The content type is in upper case.",
        respond=answered(lambda reply, _: with_headers(reply, Content_Type="APPLICATION/JSON;CHARSET=UTF-8")),
    ),
    Variant(
        name="headers.many",
        sentence="Answers have headers for caching, pages, cookies and addresses.",
        respond=answered(_tagged),
    ),
    Variant(
        name="errors.long",
        sentence="Messages of errors are long.",
        refuse=refused(lambda reply: as_value(reply, {**reply.value, "message": _LONG})),
    ),
    Variant(
        name="errors.odd-texts",
        sentence="Codes and messages of errors are unusual strings.",
        refuse=refused(
            lambda reply: as_value(reply, {**reply.value, "code": "", "message": "Ungültig: \u0000 💥"})
        ),
    ),
    Variant(
        name="errors.extra",
        sentence="Errors have further fields.",
        refuse=refused(
            lambda reply: as_value(
                reply,
                {**reply.value, "details": [{"field": "name"}], "traceId": "0af7651916cd43dd", "type": None},
            )
        ),
    ),
    Variant(
        name="challenge.detailed",
        sentence="A 401 has a challenge with parameters, and a second one.",
        refuse=refused(
            lambda reply: with_headers(
                reply, WWW_Authenticate='bearer realm="animals", error="invalid_token", Basic realm="x"'
            ),
            401,
        ),
    ),
    Variant(
        name="scheme.exact",
        sentence="The scheme is accepted as Bearer only.",
        read_credential=lambda inner: lambda header: inner(header) if header.startswith("Bearer ") else None,
    ),
    Variant(
        name="pet-ids.400",
        sentence="A petId that is no int64 is answered with 400.",
        read_pet_id=_malformed_ids(400),
    ),
    Variant(
        name="pet-ids.422",
        sentence="A petId that is no int64 is answered with 422.",
        read_pet_id=_malformed_ids(422),
    ),
    _removed("410", 410),
    _removed("404", 404),
    Variant(
        name="elsewhere.empty",
        sentence="What is outside the three operations is answered without a body.",
        operate=_elsewhere(
            lambda call: (
                as_text(Reply(405, None, {"Allow": ", ".join(call.allowed)}), "", "")
                if call.allowed
                else as_text(Reply(404), "", "")
            )
        ),
    ),
    Variant(
        name="elsewhere.404",
        sentence="Methods that the interface does not have are answered with 404.",
        operate=_elsewhere(lambda _: refuse(404)),
    ),
    Variant(
        name="elsewhere.501",
        sentence="Methods that the interface does not have are answered with 501.",
        operate=_elsewhere(lambda call: refuse(501 if call.allowed else 404)),
    ),
    Variant(
        name="elsewhere.html",
        sentence="What is outside the three operations is answered with HTML, before the key is asked for.",
        respond=_elsewhere(lambda _: as_text(Reply(404), "<h1>Not found</h1>", "text/html")),
    ),
    Variant(
        name="methods.no-head",
        sentence="HEAD is not allowed.",
        operate=lambda inner: lambda call: refuse(404) if call.method == "HEAD" else inner(call),
    ),
    Variant(
        name="methods.cors",
        sentence="OPTIONS is answered as browsers ask for it, without a key.",
        respond=lambda inner: (
            lambda call: (
                as_text(
                    Reply(204, None, {"Access-Control-Allow-Origin": "*", "Allow": "GET, POST, OPTIONS"}),
                    "",
                    "",
                )
                if call.method == "OPTIONS"
                else inner(call)
            )
        ),
    ),
    Variant(
        name="negotiation.strict",
        sentence="Other types than application/json are refused.",
        install=_negotiating,
    ),
    Variant(name="trailing-slash.ignored", sentence="/pets/ is answered as /pets.", respond=_slashed),
]
