"""Variants in how answers look: fields, JSON, headers, errors, methods.

The interface document leaves open what it does not name: further fields and headers, the values of
code ('Errors'), methods and addresses outside the three operations.
"""

from __future__ import annotations

import json

from animal_conformance.reference.changes import Steps, varies
from animal_conformance.reference.mechanisms import answers as sent
from animal_conformance.reference.mechanisms.common import always, handled, refuse, refusing
from animal_conformance.reference.model import Reply

_LONG = "This request was not what the service expects. " * 100

_CORS = {"Access-Control-Allow-Origin": "*", "Allow": "GET, POST, OPTIONS"}

VARIANTS = [
    *varies(
        ("fields.extra", "Animals have additional fields.",
         sent.shown(None, lambda value: {
             **value,
             "tags": [],
             "category": {"name": "Dogs", "id": None},
             "createdAt": "2026-11-20T12:00:00Z",
             "weight": 3.25,
             "Id": "x",
             "": None,
         })),
        ("fields.reversed", "Fields are in reverse order.",
         Steps(
             represent=sent.shown(None, lambda value: dict(reversed(value.items()))).represent,
             respond=sent.valued("errors", lambda error: dict(reversed(error.items()))).respond,
         )),
        ("json.pretty", "JSON is indented, and ends with a line break.",
         sent.encoded(lambda text: json.dumps(json.loads(text), ensure_ascii=False, indent=4) + "\n")),
        ("json.ascii", "JSON is pure ASCII: all other characters are escaped.",
         sent.encoded(lambda text: json.dumps(json.loads(text)))),
        ("json.slashes", "JSON escapes slashes, as PHP does, and < and > and &, as Go does.",
         sent.encoded(lambda text: text.replace("/", "\\/").replace("<", "\\u003c").replace(">", "\\u003E").replace(
             "&", "\\u0026"))),
        ("content-type.charset", "The Content-Type has a charset parameter.",
         sent.answered(lambda reply, _: sent.with_headers(reply, Content_Type="application/json; charset=utf-8"))),
        ("content-type.upper-case", "The Content-Type is in upper case.",
         sent.answered(lambda reply, _: sent.with_headers(reply, Content_Type="APPLICATION/JSON;CHARSET=UTF-8"))),
        ("headers.many", "Responses have headers for caching, pagination, cookies and locations.",
         sent.answered(sent.tagged)),
        ("errors.odd-texts", "Error codes and messages are unusual strings.",
         sent.valued("errors", lambda error: {**error, "code": "", "message": "Ungültig: \u0000 💥"})),
        ("errors.extra", "Errors have additional fields.",
         sent.valued("errors", lambda error: {**error, "details": [{"field": "name"}], "traceId": "0af7651916", "type": None})),
        ("challenge.detailed", "A 401 has a challenge with parameters, and a second challenge.",
         sent.answers(401, lambda reply: sent.with_headers(
             reply, WWW_Authenticate='bearer realm="animals", error="invalid_token", Basic realm="x"'))),
        ("scheme.exact", "The scheme is accepted only as Bearer, not in lower case.",
         Steps(read_credential=lambda before, header: (
             before(header) if header.startswith("Bearer ") else None))),
        ("pet-ids.400", "A petId that is not an int64 returns 400.",
         Steps(read_pet_id=handled(lambda _: refuse(400)))),
        ("elsewhere.empty", "Requests outside the three operations get a response without a body.",
         sent.elsewhere(lambda call: sent.as_text(
             Reply(405, None, {"Allow": ", ".join(call.allowed)}) if call.allowed else Reply(404), "", ""))),
        ("elsewhere.html", "Requests outside the three operations get HTML, before the key is checked.",
         sent.instead(lambda call: not call.operation, lambda: sent.as_text(Reply(404), "<h1>Not found</h1>", "text/html"))),
        ("methods.cors", "OPTIONS requests of browsers (CORS) get a response without a key.",
         sent.instead(lambda call: call.method == "OPTIONS", lambda: sent.as_text(Reply(204, None, _CORS), "", ""))),
        ("methods.no-head", "HEAD is not allowed.",
         refusing("operate", 404, lambda call: call.method == "HEAD")),
        ("negotiation.strict", "Media types other than application/json are rejected.",
         Steps(operate=sent.negotiating))),
    *varies(
        ("get.removed-410", "getPet is removed, as announced, and returns 410.",
         refusing("get_pet", 410, always)), today="2030-12-06"),
]  # fmt: skip
