"""Variants in how answers look: fields, JSON, headers, errors, methods.

The interface document leaves open what it does not name: further fields and headers, the values of
code ('Errors'), methods and addresses outside the three operations.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from animal_conformance.reference.changes import Before, Steps, varies
from animal_conformance.reference.mechanisms import answers as sent
from animal_conformance.reference.mechanisms.common import always, handled, refuse, refusing
from animal_conformance.reference.model import Call, Json, Reply

_CORS = {"Access-Control-Allow-Origin": "*", "Allow": "GET, POST, OPTIONS"}


def _negotiating(before: Before[[Call], Reply], call: Call) -> Reply:
    """Refuse requests that ask for or send another type than application/json."""
    accept = call.headers.get("accept", "*/*")
    if not any(kind in accept for kind in ("*/*", "application/*", "application/json")):
        refuse(406, "Answers are application/json.")
    label = call.headers.get("content-type", "application/json")
    if call.operation == "createPet" and label.split(";")[0].strip().lower() != "application/json":
        refuse(415, "Bodies are application/json.")
    return before(call)


def _twice(value: Json) -> str:
    """A value as JSON text in which each object has each property twice."""
    if isinstance(value, list):
        return f"[{','.join(map(_twice, value))}]"
    if not isinstance(value, dict):
        return json.dumps(value)
    return f"{{{','.join(f'{json.dumps(name)}:{_twice(item)}' for name, item in [*value.items()] * 2)}}}"


def _tagged(reply: Reply, call: Call) -> Reply:
    """An answer with the headers that frameworks, caches and proxies add."""
    tag = hashlib.sha256(json.dumps(reply.value).encode()).hexdigest()[:16]
    headers = {
        "ETag": f'"{tag}"', "Cache-Control": "private, max-age=0", "X-Request-Id": tag,
        "Vary": "Accept, Authorization", "Set-Cookie": f"session={tag}; HttpOnly",
        "Strict-Transport-Security": "max-age=31536000",
    }  # fmt: skip
    if call.operation == "listPets" and reply.succeeded:
        headers |= {"Link": '<pets?after=20>; rel="next"', "X-Total-Count": "1000"}
    if call.operation == "createPet" and reply.succeeded:
        headers["Location"] = f"pets/{reply.value['id']}"
    return replace(reply, headers={**reply.headers, **headers})


VARIANTS = [
    *varies(
        ("fields.extra", "Animals have additional fields.",
         sent.shown(None, lambda value: {**value, "tags": [], "category": {"name": "Dogs", "id": None},
             "createdAt": "2026-11-20T12:00:00Z", "weight": 3.25, "Id": "x", "": None})),
        ("fields.links", "Animals have links, as in HAL.",
         sent.shown(None, lambda value: {"_links": {"self": {"href": f"/v1/pets/{value['id']}"}}, **value})),
        ("fields.history", "getPet returns every fifth animal of the catalogue with a history of 120,000 numbers.",
         sent.shown("getPet", lambda value: {**value, "history": [0] * 120_000}
             if value["id"] in range(5, 85, 5) else value)),
        ("fields.reversed", "Fields are in reverse order.",
         Steps(represent=sent.shown(None, lambda value: dict(reversed(value.items()))).represent,
             respond=sent.valued("errors", lambda error: dict(reversed(error.items()))).respond)),
        ("json.twice", "Animals and Errors have each field twice, with the same value.",
         sent.encoded(lambda text: _twice(json.loads(text)))),
        ("json.pretty", "JSON is indented, and ends with a line break.",
         sent.encoded(lambda text: json.dumps(json.loads(text), ensure_ascii=False, indent=4) + "\n")),
        ("json.ascii", "JSON is pure ASCII: all other characters are escaped.",
         sent.encoded(lambda text: json.dumps(json.loads(text)))),
        ("json.slashes", "JSON escapes slashes, as PHP does, and < and > and &, as Go does.",
         sent.encoded(lambda text: text.replace("/", "\\/").replace("<", "\\u003c").replace(">",
             "\\u003E").replace("&", "\\u0026"))),
        ("content-type.charset", "The Content-Type has a charset parameter.",
         sent.answered(lambda reply, _: sent.with_headers(reply,
             Content_Type="application/json; charset=utf-8"))),
        ("headers.many", "Responses have headers for caching, pagination, cookies and locations.",
         sent.answered(_tagged)),
        ("errors.odd-texts", "Error codes and messages are unusual strings.",
         sent.valued("errors", lambda error: {**error, "code": "", "message": "Ungültig: \u0000 💥"})),
        ("challenge.detailed", "A 401 has a challenge with parameters, and a second challenge.",
         sent.answers(401, lambda reply: sent.with_headers(reply,
             WWW_Authenticate='bearer realm="animals", error="invalid_token", Basic realm="x"'))),
        ("scheme.exact", "The scheme is accepted only as Bearer, not in lower case.",
         Steps(read_credential=lambda before, header: (before(header) if header.startswith("Bearer ")
             else None))),
        ("pet-ids.400", "A petId that is not an int64 returns 400.",
         Steps(read_pet_id=handled(lambda _: refuse(400)))),
        ("elsewhere.empty", "Requests outside the three operations get a response without a body.",
         Steps(operate=lambda before, call: before(call) if call.operation
             else sent.as_text(Reply(405, None, {"Allow": ", ".join(call.allowed)}) if call.allowed
             else Reply(404), "", ""))),
        ("elsewhere.html", "Requests outside the three operations get HTML, before the key is checked.",
         sent.instead(lambda call: not call.operation,
             lambda: sent.as_text(Reply(404), "<h1>Not found</h1>", "text/html"))),
        ("methods.cors", "OPTIONS requests of browsers (CORS) get a response without a key.",
         sent.instead(lambda call: call.method == "OPTIONS",
             lambda: sent.as_text(Reply(204, None, _CORS), "", ""))),
        ("methods.no-head", "HEAD is not allowed.",
         refusing("operate", 404, lambda call: call.method == "HEAD")),
        ("negotiation.strict", "Media types other than application/json are rejected.",
         Steps(operate=_negotiating))),
    *varies(
        ("get.removed-410", "getPet is removed, as announced, and returns 410.",
         refusing("get_pet", 410, always)),
        ("get.removed-404", "getPet is removed, as announced, and returns 404.",
         refusing("get_pet", 404, always)),
        today="2030-12-06"),
]  # fmt: skip
