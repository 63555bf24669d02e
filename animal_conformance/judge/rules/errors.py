"""Errors: all error responses carry the Error body, and its status repeats the HTTP status code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animal_conformance.interface.reading import ERROR_FIELDS
from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, shorten, there_twice
from animal_conformance.judge.experiments import OVERSIZED
from animal_conformance.judge.rules.http import is_interface_error, is_transport_error
from animal_conformance.judge.suspicions import invalid
from animal_conformance.record.jsontext import TOO_DEEP, is_integer, type_name


def error_of(case: Case) -> dict[str, Any] | None:
    """The Error of an error response; ``None`` if the body is not an Error, which is covered by error.body alone."""
    value = case.value
    return value if isinstance(value, dict) and any(name in value for name in ERROR_FIELDS) else None


def body(case: Case) -> Opinion:
    """error.body: the body of an error response is an Error object."""
    if is_transport_error(case) and error_of(case) is None:
        return invalid.without_an_error(case, _not_an_error(case))
    if not is_interface_error(case):
        return None
    if error_of(case) is not None:
        return EVIDENCE
    response = case.exchange.response
    if response is not None and response.json.problem == TOO_DEEP:
        return Explained(OVERSIZED)
    return _not_an_error(case)


def _not_an_error(case: Case) -> Finding:
    return Finding(
        f"The body of a {case.status} response to {case.exchange.request.method} {shorten(case.exchange.request.path, 60)} "
        "is not an Error.",
        "a JSON object with code, message and status",
        case.describe(),
    )


def _field(case: Case, name: str, kind: str, is_kind: Callable[[object], bool], wanted: object) -> Opinion:
    """An Error has a string code, a string message and an integer status."""
    error = error_of(case) if is_interface_error(case) else None
    if error is None:
        return None
    twice = there_twice(error, name)
    if is_kind(error.get(name)) and not twice:
        return EVIDENCE
    seen = twice or (f"{name} is {type_name(error[name])}" if name in error else f"{name} is missing")
    return Finding(
        f"The Error of a {case.status} response has no {kind} {name}: {seen}.",
        f"{name}: {wanted}",
        case.describe(),
    )


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def status_matches(case: Case) -> Opinion:
    """error.status.matches: the status field repeats the HTTP status code."""
    error = error_of(case) if is_interface_error(case) else None
    if error is None or not is_integer(error.get("status")):
        return None
    if error["status"] == case.status:
        return EVIDENCE
    return Finding(
        f"An Error has status {error['status']} in a response with the status code {case.status}.",
        f"status: {case.status}",
        case.describe(),
    )


RULES = {
    "error.body": body,
    "error.code": lambda case: _field(case, "code", "string", _is_string, "a string"),
    "error.message": lambda case: _field(case, "message", "string", _is_string, "a string"),
    "error.status": lambda case: _field(case, "status", "integer", is_integer, case.status),
    "error.status.matches": status_matches,
}
