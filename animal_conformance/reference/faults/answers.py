"""Faults of answers: HTTP, JSON and its label, the fields of animals, and Errors."""

from __future__ import annotations

import json
import re

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import answers as sent
from animal_conformance.reference.mechanisms.common import handled, sometimes
from animal_conformance.reference.mechanisms.connections import broken_off, cut, dropped, misframed, rewritten
from animal_conformance.reference.model import JSON, Reply

_HTML = "<!doctype html><title>Error</title><h1>Something is wrong</h1>"

FAULTS = [
    # What carries an answer ('What the service does')
    *breaks("http.answer",
        ("http.drop.nul-name", 2,
         "A create request with NUL in the name kills the worker: the connection closes without a response.",
         broken_off(dropped, lambda _, call: call.operation == "createPet" and b"\\u0000" in call.body)),
        ("http.cut.long-list", 2, "A response of more than 4 KB is truncated.",
         broken_off(cut, lambda reply, _: reply.succeeded and len(str(reply.value)) > 4096)),
        ("http.drop.created", 3, "Every 15th animal is added, and the connection closed without a response.",
         broken_off(dropped, lambda reply, _: reply.status == 201, 15)),
        ("http.cut.created", 1, "The Content-Length of a 201 is larger than its body.",
         broken_off(cut, lambda reply, _: reply.status == 201)),
        ("http.chunk-size", 1, "getPet responds in chunks whose sizes are not numbers.",
         broken_off(misframed, lambda reply, call: reply.succeeded and call.operation == "getPet")),
        ("http.status-line", 1, "A 404 has words instead of the number in its status line.",
         rewritten(lambda data: data.replace(b"HTTP/1.1 404 ", b"HTTP/1.1 NOT FOUND ", 1)))),
    *breaks("http.json.body",
        ("json.python", 1, "getPet sends the text of a Python dictionary.",
         sent.worded("getPet", JSON, repr)),
        ("json.created-empty", 1, "A 201 has an empty body.", sent.worded("createPet", JSON, lambda _: "")),
        ("json.controls", 2, "Tabs and line breaks in JSON strings are not escaped.",
         sent.encoded(lambda body: re.sub(r"(?<!\\)((?:\\\\)*)\\([nt])",
             lambda found: found[1] + {"n": "\n", "t": "\t"}[found[2]], body))),
        ("json.character-length", 2,
         "Content-Length counts characters, so responses with non-ASCII characters are truncated.",
         sent.encoded(lambda body: body.encode()[: len(body)])),
        ("json.cut.sometimes", 4, "Every twelfth list lacks its closing bracket.",
         sometimes(12, sent.worded("listPets", JSON, lambda value: sent.text(value)[:-1]),
             lambda call: call.operation == "listPets"))),
    *breaks("http.json.content-type",
        ("content-type.missing", 1, "A list has no Content-Type.",
         sent.answers("listPets", lambda reply: sent.as_text(reply, sent.text(reply.value), ""))),
        ("content-type.plain", 1, "All responses have the Content-Type text/plain.",
         sent.answers("all", lambda reply: sent.with_headers(reply,
             Content_Type="text/plain; charset=utf-8"))),
        ("content-type.html-404", 2, "A 404 has the Content-Type text/html, although it contains the Error.",
         sent.answers(404, lambda reply: sent.with_headers(reply, Content_Type="text/html")))),
    # How animals look ('Animal (stored and returned)')
    *breaks("animal.object",
        ("animal.encoded-twice", 1, "getPet sends the animal's JSON text as a JSON string.",
         sent.shown("getPet", json.dumps))),
    *breaks(("animal.id", "animal.name", "animal.category-id"),
        ("animal.wrapped", 1, "A 201 wraps the animal in an object: {'data': …}.",
         sent.valued("createPet", lambda animal: {"data": animal}))),
    *breaks("animal.id",
        ("animal.id.string", 1, "Ids are strings of digits.", sent.shown(None, sent.field("id", str))),
        ("animal.id.unsigned", 1, "The id in a 201 is unsigned and outside the int64 range.",
         sent.shown("createPet", sent.field("id", lambda value: value + 2**63))),
        ("animal.id.not-listed", 1, "Lists omit the id.", sent.shown("listPets", sent.without("id")))),
    *breaks("animal.name",
        ("animal.name.not-listed", 1, "Lists omit the name.", sent.shown("listPets", sent.without("name"))),
        ("animal.name.empty-null", 2, "An empty name is returned as null, as with Oracle.",
         sent.shown(None, sent.field("name", lambda name: name or None)))),
    *breaks("animal.category-id",
        ("animal.category.string", 1, "The categoryId is a string of digits.",
         sent.shown(None, sent.field("categoryId", str))),
        ("animal.category.zero-null", 2, "A categoryId of 0 is returned as null.",
         sent.shown(None, sent.field("categoryId", lambda value: value or None)))),
    *breaks("animal.status",
        ("animal.status.upper-case", 1,
         "The status in getPet is in upper case, like the enumeration in the code.",
         sent.shown("getPet", sent.field("status", str.upper))),
        ("animal.status.null", 2, "The status of an animal created without one is null.",
         Steps(read_status=lambda before, given: before(given) if "status" in given else None,
             represent=sent.shown(None, lambda value: {**value, "status": value.get("status")}).represent))),
    # Error responses ('Errors')
    *breaks("error.body",
        ("error.html", 1, "Errors are HTML pages, as by a proxy.",
         sent.worded("errors", "text/html", lambda _: _HTML)),
        ("error.empty.401", 2, "A 401 has no body.", sent.worded(401, "", lambda _: ""))),
    *breaks(("error.body", "create.refusal.status"),
        ("error.framework", 1,
         "Rejected create requests get the default response of FastAPI: 422 with detail.",
         Steps(create_pet=handled(lambda refusal: Reply(422,
             {"detail": [{"type": refusal.code, "loc": ["body"], "msg": refusal.message,
             "input": None}]}))))),
    *breaks("error.code",
        ("error.number-code", 1, "The code is the status code as a number.",
         sent.valued("errors", lambda error: {**error, "code": error["status"]}))),
    *breaks("error.message",
        ("error.no-message", 1, "Errors have no message.", sent.valued("errors", sent.without("message")))),
    *breaks("error.status",
        ("error.string-status", 1, "The status in an Error is a string, as from a template.",
         sent.valued("errors", sent.field("status", str)))),
    *breaks("error.status.matches",
        ("error.status-200", 1, "Errors always have the status 200.",
         sent.valued("errors", sent.field("status", lambda _: 200)))),
]  # fmt: skip
