"""Faults of answers: HTTP, JSON and its label, the fields of animals, and Errors."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from animal_conformance.reference.changes import Steps, breaks, own
from animal_conformance.reference.mechanisms import answers as sent
from animal_conformance.reference.mechanisms.answers import (
    as_text,
    field,
    shown,
    text,
    valued,
    with_headers,
    without,
    worded,
)
from animal_conformance.reference.mechanisms.common import handled, integer, sometimes
from animal_conformance.reference.mechanisms.connections import (
    broken_off,
    broken_off_at_times,
    cut,
    dropped,
    misframed,
    rewritten,
)
from animal_conformance.reference.mechanisms.creations import as_fastapi, status_default
from animal_conformance.reference.model import JSON, Reply

_HTML = "<!doctype html><title>Error</title><h1>Something is wrong</h1>"

FAULTS = [
    # What carries an answer ('What the service does')
    *breaks("http.answer", 2, broken_off).rows(
        ("http.drop.nul-name",
         "A create request with NUL in the name kills the worker: the connection closes without a response.",
         dropped, lambda _, call: call.operation == "createPet" and b"\\u0000" in call.body),
        ("http.cut.long-list", "A response of more than 4 KB is truncated.",
         cut, lambda reply, _: reply.succeeded and len(str(reply.value)) > 4096)),
    *breaks("http.answer", 4, broken_off).rows(
        ("http.cut.64-kb", "A list of more than 64 KB is cut: a proxy's buffer has an end.",
         cut, lambda reply, call: call.operation == "listPets" and len(str(reply.value).encode()) > 65535)),
    *breaks("http.answer", 3, broken_off_at_times).rows(
        ("http.cut.sometimes", "Every 25th response of getPet is cut off: a worker is ended while it writes.",
         cut, 25, lambda reply, call: reply.succeeded and call.operation == "getPet"),
        ("http.drop.created", "Every 15th animal is added, and the connection closed without a response.",
         dropped, 15, lambda reply, _: reply.status == 201)),
    *breaks("http.answer", 1, broken_off).rows(
        ("http.cut.created", "The Content-Length of a 201 is larger than its body.",
         cut, lambda reply, _: reply.status == 201),
        ("http.chunk-size", "getPet responds in chunks whose sizes are not numbers.",
         misframed, lambda reply, call: reply.succeeded and call.operation == "getPet")),
    *breaks("http.answer", 1, rewritten).rows(
        ("http.status-line", "A 404 has words instead of the number in its status line.",
         lambda data: data.replace(b"HTTP/1.1 404 ", b"HTTP/1.1 NOT FOUND ", 1))),
    *breaks("http.json.body", 1, worded).rows(
        ("json.prefix", "Successful responses start with )]}', against script inclusion.",
         "successes", JSON, lambda value: ")]}',\n" + text(value)),
        ("json.python", "getPet sends the text of a Python dictionary.", "getPet", JSON, repr),
        ("json.created-empty", "A 201 has an empty body.", "createPet", JSON, lambda _: ""),
        ("json.html", "A list is an HTML page.",
         "listPets", "text/html", lambda _: "<!doctype html><ul><li>Rex</ul>")),
    *breaks("http.json.body", 2, sent.encoded).rows(
        ("json.quotes", "Responses are built from a template: quotation marks in names are not escaped.",
         lambda body: body.replace('\\"', '"')),
        ("json.controls", "Tabs and line breaks in JSON strings are not escaped.",
         lambda body: re.sub(
             r"(?<!\\)((?:\\\\)*)\\([nt])", lambda found: found[1] + {"n": "\n", "t": "\t"}[found[2]], body)),
        ("json.latin-1", "Responses are encoded in Latin-1 instead of UTF-8 where possible.", sent.latin),
        ("json.character-length",
         "Content-Length counts characters, so responses with non-ASCII characters are truncated.",
         lambda body: body.encode()[: len(body)])),
    *breaks("http.json.body", 4, sometimes).rows(
        ("json.cut.sometimes", "Every twelfth list lacks its closing bracket.",
         12, worded("listPets", JSON, lambda value: text(value)[:-1]),
         lambda call: call.operation == "listPets")),
    *breaks("http.json.content-type", 1, sent.answers).rows(
        ("content-type.missing", "A list has no Content-Type.",
         "listPets", lambda reply: as_text(reply, text(reply.value), "")),
        ("content-type.text-json", "A 201 has the Content-Type text/json.",
         "createPet", lambda reply: with_headers(reply, Content_Type="text/json")),
        ("content-type.plain", "All responses have the Content-Type text/plain.",
         "all", lambda reply: with_headers(reply, Content_Type="text/plain; charset=utf-8")),
        ("content-type.problem", "Errors have the Content-Type application/problem+json.",
         "errors", lambda reply: with_headers(reply, Content_Type="application/problem+json"))),
    *breaks("http.json.content-type", 2, sent.answers).rows(
        ("content-type.html-404", "A 404 has the Content-Type text/html, although it contains the Error.",
         404, lambda reply: with_headers(reply, Content_Type="text/html"))),
    # How animals look ('Animal (stored and returned)')
    *breaks("animal.object", 1, shown).rows(
        ("animal.ids-only", "A list contains ids instead of animals.", "listPets", lambda value: value["id"]),
        ("animal.encoded-twice", "getPet sends the animal's JSON text as a JSON string.",
         "getPet", json.dumps)),
    *breaks("animal.object", 1, valued).rows(
        ("animal.null-row", "A list ends with null: its array has one element too many.",
         "listPets", lambda animals: [*animals[:-1], None]),
        ("animal.created-array", "A 201 contains an array with the animal.",
         "createPet", lambda animal: [animal])),
    *breaks(("animal.id", "animal.name", "animal.category-id"), 1, valued).rows(
        ("animal.wrapped", "A 201 wraps the animal in an object: {'data': …}.",
         "createPet", lambda animal: {"data": animal})),
    *breaks("animal.id", 1, shown).rows(
        ("animal.id.string", "Ids are strings of digits.", None, field("id", str)),
        ("animal.id.not-yet", "The id in a 201 is null: it is read before the animal is stored.",
         "createPet", field("id", lambda _: None)),
        ("animal.id.unsigned", "The id in a 201 is unsigned and outside the int64 range.",
         "createPet", field("id", lambda value: value + 2**63)),
        ("animal.id.renamed", "The id is called _id.",
         None, lambda value: {"_id": value["id"], **without("id")(value)}),
        ("animal.id.not-listed", "Lists omit the id.", "listPets", without("id"))),
    *breaks("animal.name", 1, shown).rows(
        ("animal.name.not-listed", "Lists omit the name.", "listPets", without("name")),
        ("animal.name.null", "The name in getPet is null.", "getPet", field("name", lambda _: None)),
        ("animal.name.localised", "The name in a 201 is an object keyed by language.",
         "createPet", field("name", lambda name: {"en": name}))),
    *breaks("animal.name", 2, shown).rows(
        ("animal.name.empty-null", "An empty name is returned as null, as with Oracle.",
         None, field("name", lambda name: name or None)),
        ("animal.name.number", "A name of digits is returned as a number.",
         None, field("name", lambda name: int(name) if re.fullmatch("[0-9]{1,18}", name) else name))),
    *breaks("animal.category-id", 1, shown).rows(
        ("animal.category.not-listed", "Lists omit the categoryId.", "listPets", without("categoryId")),
        ("animal.category.snake-case", "The categoryId in a 201 is called category_id.",
         "createPet", lambda value: {"category_id": value["categoryId"], **without("categoryId")(value)}),
        ("animal.category.string", "The categoryId is a string of digits.", None, field("categoryId", str)),
        ("animal.category.object", "getPet shows the category as an object instead of its id.",
         "getPet", field("categoryId", lambda value: {"id": value}))),
    *breaks("animal.category-id", 2, shown).rows(
        ("animal.category.zero-null", "A categoryId of 0 is returned as null.",
         None, field("categoryId", lambda value: value or None))),
    *breaks("animal.status", 1, shown).rows(
        ("animal.status.upper-case",
         "The status in getPet is in upper case, like the enumeration in the code.",
         "getPet", field("status", str.upper))),
    *breaks("animal.status", 2, own).rows(
        ("animal.status.other-word", "A 201 for a sold animal has the status 'unavailable'.",
         shown("createPet", field("status", lambda status: status.replace("sold", "unavailable")))),
        ("animal.status.null", "The status of an animal created without one is null.",
         replace(
             status_default(lambda: None),
             represent=shown(None, lambda value: {**value, "status": value.get("status")}).represent))),
    # Error responses ('Errors')
    *breaks("error.body", 1, worded).rows(
        ("error.html", "Errors are HTML pages, as by a proxy.", "errors", "text/html", lambda _: _HTML),
        ("error.empty", "Errors have no body, as when only a status code is set.",
         "errors", "", lambda _: "")),
    *breaks("error.body", 2, worded).rows(
        ("error.html.404", "A 404 is an HTML page.", 404, "text/html", lambda _: _HTML),
        ("error.empty.401", "A 401 has no body.", 401, "", lambda _: "")),
    *breaks("error.body", 2, sent.echoing).rows(
        ("error.echo.status", "The Error of a rejected filter quotes the value without escaping it for JSON.",
         "status"),
        ("error.echo.limit", "The Error of a rejected limit quotes the value without escaping it for JSON.",
         "limit")),
    *breaks("error.body", 2, own).rows(
        ("error.405", "A petId that is not an integer returns 405 in plain text: the route is another method's.",
         Steps(get_pet=lambda before, call:
             as_text(Reply(405, None, {"Allow": "PUT"}), "Method Not Allowed", "text/plain")
             if integer(call.pet_id) is None else before(call)))),
    *breaks("error.body", 1, valued).rows(
        ("error.detail", "Errors contain only detail, as produced by a framework.",
         "errors", lambda error: {"detail": error["message"]})),
    *breaks(("error.body", "create.refusal.status"), 1, own).rows(
        ("error.framework", "Rejected create requests get the default response of FastAPI: 422 with detail.",
         Steps(create_pet=handled(as_fastapi)))),
    *breaks("error.code", 1, valued).rows(
        ("error.no-code", "Errors have no code.", "errors", without("code")),
        ("error.number-code", "The code is the status code as a number.",
         "errors", lambda error: {**error, "code": error["status"]})),
    *breaks("error.message", 1, valued).rows(
        ("error.no-message", "Errors have no message.", "errors", without("message"))),
    *breaks("error.message", 2, valued).rows(
        ("error.messages", "The message of a 400 is an array.",
         400, field("message", lambda message: [message]))),
    *breaks("error.status", 1, valued).rows(
        ("error.no-status", "Errors have no status: the status line has it.", "errors", without("status")),
        ("error.string-status",
         "The status in an Error is a string, as from a template.", "errors", field("status", str))),
    *breaks("error.status.matches", 1, valued).rows(
        ("error.status-200", "Errors always have the status 200.", "errors", field("status", lambda _: 200))),
    *breaks("error.status.matches", 2, valued).rows(
        ("error.status-400.404", "The status in a 404's Error is 400.", 404, field("status", lambda _: 400)),
        ("error.status-403.401", "The status in a 401's Error is 403.", 401, field("status", lambda _: 403))),
]  # fmt: skip
