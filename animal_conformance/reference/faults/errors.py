"""Faults of error responses ('Errors', and the resource Error)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import Call, Json, Refusal, Reply
from animal_conformance.reference.service import Refuse, Service
from animal_conformance.reference.tools import as_text, as_value, refused


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 1, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=f"error.{name}", clauses=clauses, depth=depth, sentence=sentence, **steps)


def _value(
    name: str, clause: str, sentence: str, alter: Callable[[dict[str, Json]], Json], *statuses: int
) -> Fault:
    """A fault that alters the Error in errors of the statuses, or in all of them without any."""
    return _fault(
        name,
        clause,
        sentence,
        depth=2 if statuses else 1,
        refuse=refused(lambda reply: as_value(reply, alter(reply.value)), *statuses),
    )


def _without(name: str) -> Callable[[dict[str, Json]], Json]:
    return lambda error: {key: value for key, value in error.items() if key != name}


def _text(name: str, sentence: str, body: str, content_type: str, *statuses: int) -> Fault:
    return _fault(
        name,
        "error.body",
        sentence,
        depth=2 if statuses else 1,
        refuse=refused(lambda reply: as_text(reply, body, content_type), *statuses),
    )


def _framework(service: Service) -> None:
    """Refused creations as FastAPI answers them by default."""
    inner = service.create_pet

    def create(call: Call) -> Reply:
        try:
            return inner(call)
        except Refusal as refusal:
            detail = [{"type": refusal.code, "loc": ["body"], "msg": refusal.message, "input": None}]
            return Reply(422, {"detail": detail})

    service.create_pet = create


def _echoing(name: str) -> Wrap[Refuse]:
    """Quote a parameter of a refused listing in the Error, as it is."""

    def wrap(inner: Refuse) -> Refuse:
        def answer(refusal: Refusal, call: Call) -> Reply:
            reply = inner(refusal, call)
            values = call.parameters(name)
            if call.operation != "listPets" or reply.status != 400 or not values:
                return reply
            message = f"{name} cannot be {values[0]}."
            return as_text(reply, f'{{"code": "invalid", "message": "{message}", "status": 400}}')

        return answer

    return wrap


_BODY, _CODE, _MESSAGE = "error.body", "error.code", "error.message"
_STATUS, _MATCHES = "error.status", "error.status.matches"
_HTML = "<!doctype html><title>Error</title><h1>Something is wrong</h1>"

FAULTS = [
    _text("html", "Errors are pages of HTML.", _HTML, "text/html; charset=utf-8"),
    _text("empty", "Errors have no body.", "", ""),
    _text("html.404", "A 404 is a page of HTML.", _HTML, "text/html; charset=utf-8", 404),
    _text("empty.401", "A 401 has no body.", "", "", 401),
    _fault(
        "echo.status",
        _BODY,
        "The Error of a refused filter quotes it without escaping it for JSON.",
        depth=2,
        refuse=_echoing("status"),
    ),
    _fault(
        "echo.limit",
        _BODY,
        "The Error of a refused limit quotes it without escaping it for JSON.",
        depth=2,
        refuse=_echoing("limit"),
    ),
    _value("detail", _BODY, "Errors hold detail alone.", lambda error: {"detail": error["message"]}),
    _value(
        "detail.400", _BODY, "A 400 holds detail alone.", lambda error: {"detail": [error["message"]]}, 400
    ),
    _value("array", _BODY, "Errors are arrays of Errors.", lambda error: [error]),
    _value("no-code", _CODE, "Errors have no code.", _without("code")),
    _value(
        "number-code",
        _CODE,
        "The code is the number of the status.",
        lambda error: {**error, "code": error["status"]},
    ),
    _value("null-code", _CODE, "The code of a 404 is null.", lambda error: {**error, "code": None}, 404),
    _value("no-code.401", _CODE, "A 401 has no code.", _without("code"), 401),
    _value("no-message", _MESSAGE, "Errors have no message.", _without("message")),
    _value(
        "messages",
        _MESSAGE,
        "The message of a 400 is an array.",
        lambda error: {**error, "message": [error["message"]]},
        400,
    ),
    _value(
        "null-message",
        _MESSAGE,
        "The message of a 401 is null.",
        lambda error: {**error, "message": None},
        401,
    ),
    _value("no-status", _STATUS, "Errors have no status.", _without("status")),
    _value(
        "string-status",
        _STATUS,
        "The status is a string.",
        lambda error: {**error, "status": str(error["status"])},
    ),
    _value(
        "word-status",
        _STATUS,
        "The status of a 404 is a word.",
        lambda error: {**error, "status": "NOT_FOUND"},
        404,
    ),
    _value(
        "null-status", _STATUS, "The status of a 400 is null.", lambda error: {**error, "status": None}, 400
    ),
    _value(
        "status-200",
        _MATCHES,
        "The status in an Error is always 200.",
        lambda error: {**error, "status": 200},
    ),
    _value(
        "status-400.404",
        _MATCHES,
        "The status in a 404's Error is 400.",
        lambda error: {**error, "status": 400},
        404,
    ),
    _value(
        "status-403.401",
        _MATCHES,
        "The status in a 401's Error is 403.",
        lambda error: {**error, "status": 403},
        401,
    ),
    _value(
        "status-422.400",
        _MATCHES,
        "The status in a 400's Error is 422.",
        lambda error: {**error, "status": 422},
        400,
    ),
    _fault(
        "framework",
        (_BODY, "create.refusal.status"),
        "Refused creations are answered as FastAPI does by default: 422 with detail.",
        install=_framework,
    ),
]
