"""Variants in how answers look: fields, JSON, headers, errors, methods.

The interface document leaves open what it does not name: further fields and headers, the values of
code ('Errors'), methods and addresses outside the three operations.
"""

from __future__ import annotations

import json

from animal_conformance.reference.changes import Steps, own, varies
from animal_conformance.reference.mechanisms import answers as sent
from animal_conformance.reference.mechanisms.answers import answered, as_text, shown, valued, with_headers
from animal_conformance.reference.mechanisms.common import always, handled, refuse, refusing
from animal_conformance.reference.model import Reply

_LONG = "This request was not what the service expects. " * 100
_CORS = {"Access-Control-Allow-Origin": "*", "Allow": "GET, POST, OPTIONS"}

VARIANTS = [
    *varies(shown).rows(
        ("fields.extra", "Animals have additional fields.",
         None, lambda value: {
             **value,
             "tags": [],
             "category": {"name": "Dogs", "id": None},
             "createdAt": "2026-11-20T12:00:00Z",
             "weight": 3.25,
             "Id": "x",
             "": None,
         }),
        ("fields.links", "Animals have links, as in HAL.",
         None, lambda value: {"_links": {"self": {"href": f"/v1/pets/{value['id']}"}}, **value})),
    *varies(own).rows(
        ("fields.reversed", "Fields are in reverse order.",
         Steps(
             represent=shown(None, lambda value: dict(reversed(value.items()))).represent,
             respond=valued("errors", lambda error: dict(reversed(error.items()))).respond,
         ))),
    *varies(sent.encoded).rows(
        ("json.pretty", "JSON is indented, and ends with a line break.",
         lambda text: json.dumps(json.loads(text), ensure_ascii=False, indent=4) + "\n"),
        ("json.ascii", "JSON is pure ASCII: all other characters are escaped.",
         lambda text: json.dumps(json.loads(text))),
        ("json.slashes", "JSON escapes slashes, as PHP does, and < and > and &, as Go does.",
         lambda text: text.replace("/", "\\/").replace("<", "\\u003c").replace(">", "\\u003E").replace(
             "&", "\\u0026"))),
    *varies(answered).rows(
        ("content-type.charset", "The Content-Type has a charset parameter.",
         lambda reply, _: with_headers(reply, Content_Type="application/json; charset=utf-8")),
        ("content-type.upper-case", "The Content-Type is in upper case.",
         lambda reply, _: with_headers(reply, Content_Type="APPLICATION/JSON;CHARSET=UTF-8")),
        ("headers.many",
         "Responses have headers for caching, pagination, cookies and locations.", sent.tagged)),
    *varies(valued).rows(
        ("errors.long", "Error messages are long.", "errors", lambda error: {**error, "message": _LONG}),
        ("errors.odd-texts", "Error codes and messages are unusual strings.",
         "errors", lambda error: {**error, "code": "", "message": "Ungültig: \u0000 💥"}),
        ("errors.extra", "Errors have additional fields.",
         "errors",
         lambda error: {**error, "details": [{"field": "name"}], "traceId": "0af7651916", "type": None})),
    *varies(sent.answers).rows(
        ("challenge.detailed", "A 401 has a challenge with parameters, and a second challenge.",
         401, lambda reply: with_headers(
             reply, WWW_Authenticate='bearer realm="animals", error="invalid_token", Basic realm="x"'))),
    *varies(own).rows(
        ("scheme.exact", "The scheme is accepted only as Bearer, not in lower case.",
         Steps(read_credential=lambda before, header: (
             before(header) if header.startswith("Bearer ") else None)))),
    *varies(own).rows(
        ("pet-ids.400", "A petId that is not an int64 returns 400.",
         Steps(read_pet_id=handled(lambda _: refuse(400)))),
        ("pet-ids.422", "A petId that is not an int64 returns 422.",
         Steps(read_pet_id=handled(lambda _: refuse(422))))),
    *varies(refusing, today="2030-12-06").rows(
        ("get.removed-410", "getPet is removed, as announced, and returns 410.",
         "get_pet", 410, always),
        ("get.removed-404", "getPet is removed, as announced, and returns 404.",
         "get_pet", 404, always)),
    *varies(sent.elsewhere).rows(
        ("elsewhere.empty", "Requests outside the three operations get a response without a body.",
         lambda call: as_text(
             Reply(405, None, {"Allow": ", ".join(call.allowed)}) if call.allowed else Reply(404), "", "")),
        ("elsewhere.404", "Methods that the interface does not define return 404.",
         lambda _: refuse(404)),
        ("elsewhere.501", "Methods that the interface does not define return 501.",
         lambda call: refuse(501 if call.allowed else 404))),
    *varies(sent.instead).rows(
        ("elsewhere.html",
         "Requests outside the three operations get HTML, before the key is checked.",
         lambda call: not call.operation, lambda: as_text(Reply(404), "<h1>Not found</h1>", "text/html")),
        ("methods.cors", "OPTIONS requests of browsers (CORS) get a response without a key.",
         lambda call: call.method == "OPTIONS", lambda: as_text(Reply(204, None, _CORS), "", ""))),
    *varies(refusing).rows(
        ("methods.no-head", "HEAD is not allowed.", "operate", 404, lambda call: call.method == "HEAD")),
    *varies(own).rows(
        ("negotiation.strict", "Media types other than application/json are rejected.",
         Steps(operate=sent.negotiating)),
        ("trailing-slash.ignored", "/pets/ is treated as /pets.", Steps(respond=sent.unslashed))),
]  # fmt: skip
