"""Faults of what carries an answer: HTTP, JSON and its label ('What the service does')."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.model import Call, Reply
from animal_conformance.reference.service import Respond
from animal_conformance.reference.tools import (
    answered,
    as_text,
    encoded,
    every,
    refused,
    succeeded,
    wired,
    with_headers,
)

_MARK = b"x-broken: "


def _cut() -> Callable[[bytes, asyncio.Transport], bytes]:
    """After a marked head, sends half of the body and closes the connection."""
    marked = False

    def alter(data: bytes, transport: asyncio.Transport) -> bytes:
        nonlocal marked
        if data.startswith(b"HTTP/"):
            marked = _MARK in data
        elif marked:
            transport.close()
            return data[: len(data) // 2]
        return data

    return alter


def _drop() -> Callable[[bytes, asyncio.Transport], bytes]:
    """Closes the connection instead of sending a marked answer."""

    def alter(data: bytes, transport: asyncio.Transport) -> bytes:
        if _MARK in data:
            transport.abort()
        return data

    return alter


def _misframed() -> Callable[[bytes, asyncio.Transport], bytes]:
    """Sends marked answers in chunks whose sizes are no numbers."""
    marked = False

    def alter(data: bytes, transport: asyncio.Transport) -> bytes:
        nonlocal marked
        if data.startswith(b"HTTP/"):
            marked = _MARK in data
            length = rb"(?i)content-length: [0-9]+"
            return re.sub(length, b"transfer-encoding: chunked", data) if marked else data
        if marked and data:
            transport.close()
            return b"size\r\n" + data
        return data

    return alter


def _characters(text: str) -> bytes:
    # Content-Length counts characters: a client stops reading after as many bytes.
    return text.encode()[: len(text)]


def _latin(text: str) -> bytes:
    try:
        data = text.encode("latin-1")
        data.decode()
    except UnicodeEncodeError:
        return text.encode()
    except UnicodeDecodeError:
        return data
    # By chance it is UTF-8 as well, of another text: that would change a name unseen.
    return text.encode()


def _unclosed(inner: Respond) -> Respond:
    """Leave the last bracket out of every twelfth list."""
    cuts = every(12)

    def answer(call: Call) -> Reply:
        reply = inner(call)
        return as_text(reply, json.dumps(reply.value, ensure_ascii=False)[:-1]) if cuts() else reply

    return answer


FAULTS = [
    Fault(
        name="http.drop.nul-name",
        clauses=("http.answer",),
        depth=2,
        sentence="A creation whose name holds NUL kills the worker: the connection ends without an answer.",
        respond=answered(
            lambda reply, call: (
                with_headers(reply, X_Broken="1")
                if call.operation == "createPet" and b"\\u0000" in call.body
                else None
            )
        ),
        transport=wired(_drop),
    ),
    Fault(
        name="http.cut.long-list",
        clauses=("http.answer",),
        depth=2,
        sentence="An answer of more than 4 KB ends in its middle.",
        respond=succeeded(
            lambda reply: with_headers(reply, X_Broken="1") if len(str(reply.value)) > 4096 else None
        ),
        transport=wired(_cut),
    ),
    Fault(
        name="http.cut.created",
        clauses=("http.answer",),
        depth=1,
        sentence="The Content-Length of a 201 is larger than its body.",
        respond=succeeded(lambda reply: with_headers(reply, X_Broken="1"), "createPet"),
        transport=wired(_cut),
    ),
    Fault(
        name="http.chunk-size",
        clauses=("http.answer",),
        depth=1,
        sentence="getPet answers in chunks whose sizes are no numbers.",
        respond=succeeded(lambda reply: with_headers(reply, X_Broken="1"), "getPet"),
        transport=wired(_misframed),
    ),
    Fault(
        name="http.status-line",
        clauses=("http.answer",),
        depth=1,
        sentence="A 404 has words where its status line should have the number.",
        transport=wired(lambda: lambda data, _: data.replace(b"HTTP/1.1 404 ", b"HTTP/1.1 NOT FOUND ", 1)),
    ),
    Fault(
        name="json.prefix",
        clauses=("http.json.body",),
        depth=1,
        sentence="Successful answers begin with )]}', against script inclusion.",
        respond=succeeded(
            lambda reply: as_text(reply, ")]}',\n" + json.dumps(reply.value, ensure_ascii=False))
        ),
    ),
    Fault(
        name="json.python",
        clauses=("http.json.body",),
        depth=1,
        sentence="getPet sends the text of a Python dictionary.",
        respond=succeeded(lambda reply: as_text(reply, repr(reply.value)), "getPet"),
    ),
    Fault(
        name="json.lines",
        clauses=("http.json.body",),
        depth=1,
        sentence="A list is sent as one JSON text a line.",
        respond=succeeded(
            lambda reply: (
                as_text(reply, "\n".join(json.dumps(animal, ensure_ascii=False) for animal in reply.value))
                if len(reply.value) > 1
                else None
            ),
            "listPets",
        ),
    ),
    Fault(
        name="json.created-empty",
        clauses=("http.json.body",),
        depth=1,
        sentence="A 201 has an empty body.",
        respond=succeeded(lambda reply: as_text(reply, ""), "createPet"),
    ),
    Fault(
        name="json.html",
        clauses=("http.json.body",),
        depth=1,
        sentence="A list is a page of HTML.",
        respond=succeeded(
            lambda reply: as_text(reply, "<!doctype html><ul><li>Rex</ul>", "text/html"), "listPets"
        ),
    ),
    Fault(
        name="json.quotes",
        clauses=("http.json.body",),
        depth=2,
        sentence="Answers are made from a template: quotation marks in names are not escaped.",
        encode=encoded(lambda text: text.replace('\\"', '"')),
    ),
    Fault(
        name="json.controls",
        clauses=("http.json.body",),
        depth=2,
        sentence="Tabs and line breaks stand in JSON strings as they are.",
        encode=encoded(
            lambda text: re.sub(
                r"(?<!\\)((?:\\\\)*)\\n", "\\1\n", re.sub(r"(?<!\\)((?:\\\\)*)\\t", "\\1\t", text)
            )
        ),
    ),
    Fault(
        name="json.latin-1",
        clauses=("http.json.body",),
        depth=2,
        sentence="Answers that can be are encoded in Latin-1 instead of UTF-8.",
        encode=encoded(_latin),
    ),
    Fault(
        name="json.character-length",
        clauses=("http.json.body",),
        depth=2,
        sentence="Content-Length counts characters, so that answers with others than ASCII are cut short.",
        encode=encoded(_characters),
    ),
    Fault(
        name="json.cut.sometimes",
        clauses=("http.json.body",),
        depth=4,
        sentence="Every twelfth list lacks its last bracket.",
        list_pets=_unclosed,
    ),
    Fault(
        name="content-type.plain",
        clauses=("http.json.content-type",),
        depth=1,
        sentence="Everything is labelled text/plain.",
        respond=answered(lambda reply, _: with_headers(reply, Content_Type="text/plain; charset=utf-8")),
    ),
    Fault(
        name="content-type.missing",
        clauses=("http.json.content-type",),
        depth=1,
        sentence="A list has no Content-Type.",
        respond=succeeded(
            lambda reply: as_text(reply, json.dumps(reply.value, ensure_ascii=False), ""), "listPets"
        ),
    ),
    Fault(
        name="content-type.text-json",
        clauses=("http.json.content-type",),
        depth=1,
        sentence="A 201 is labelled text/json.",
        respond=succeeded(lambda reply: with_headers(reply, Content_Type="text/json"), "createPet"),
    ),
    Fault(
        name="content-type.vendor",
        clauses=("http.json.content-type",),
        depth=1,
        sentence="getPet is labelled application/vnd.animals.v1+json.",
        respond=succeeded(
            lambda reply: with_headers(reply, Content_Type="application/vnd.animals.v1+json"), "getPet"
        ),
    ),
    Fault(
        name="content-type.problem",
        clauses=("http.json.content-type",),
        depth=1,
        sentence="Errors are labelled application/problem+json.",
        refuse=refused(lambda reply: with_headers(reply, Content_Type="application/problem+json")),
    ),
    Fault(
        name="content-type.html-404",
        clauses=("http.json.content-type",),
        depth=2,
        sentence="A 404 is labelled text/html, though it holds the Error.",
        refuse=refused(lambda reply: with_headers(reply, Content_Type="text/html"), 404),
    ),
]
