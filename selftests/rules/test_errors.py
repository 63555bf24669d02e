"""The rules of rules/errors.py: the Error of every error response."""

from __future__ import annotations

import json
from typing import Any

import pytest

from animal_conformance.record.jsontext import DEEPEST_JSON
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    PASSED,
    animal,
    error,
    exchange,
    failed_of,
    listing,
    lost,
    opinions_of,
    outcome_of,
    refused,
    unauthorised,
    unlisted,
    verdict_of,
)
from selftests.tables import cases

CLAUSES = ("error.body", "error.code", "error.message", "error.status", "error.status.matches")
HTML = (("Content-Type", "text/html"),)


def answered(body: object, status: int = 404) -> Any:
    """A getPet with this body."""
    return exchange("GET", "/pets/5000000000", status, body)


@pytest.mark.parametrize(
    ("name", "other", "clause_id"),
    [
        ("code", '"other"', "error.code"),
        ("message", '""', "error.message"),
        ("status", "400", "error.status"),
        ("status", '"404"', "error.status"),
    ],
)
def test_a_field_that_is_there_twice_is_a_finding_where_its_values_differ(
    name: str, other: str, clause_id: str
) -> None:
    """As in an animal."""
    for given, failed in ((other, {clause_id}), (json.dumps(error(404)[name]), set[str]())):
        body = json.dumps(error(404)).replace("{", f'{{"{name}": {given}, ', 1)
        assert failed == failed_of([answered(body.encode())])


@pytest.mark.parametrize("clause_id", CLAUSES)
@cases(
    "answer",
    {
        "404": lost(5),
        "400": refused({}),
        "401": unauthorised(listing()),
        "403": lost(1, 403),
        "422": unlisted(422, limit=0),
        "418": lost("abc", 418),
        "dressed": answered(b'{"code":"","message":"","status":404.0,"more":[null]}'),
    },
)
def test_an_error_with_its_three_fields_is_evidence(clause_id: str, answer: Any) -> None:
    """Reading 13: any code, any words, more fields, 404.0 for 404."""
    assert PASSED == outcome_of(clause_id, [answer])


def test_an_error_that_is_nested_deeper_than_is_read_could_not_be_judged() -> None:
    """A further field may hold anything."""
    body = (
        b'{"tree":' + b"[" * DEEPEST_JSON + b"]" * DEEPEST_JSON + b',"code":"x","message":"y","status":404}'
    )
    assert CANT_TELL == outcome_of("error.body", [answered(body)])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<h1>Not Found",
        b"404",
        "text",
        [],
        {},
        None,
        {"error": error(404)},
        {"detail": "x"},
        [error(404)],
    ],
)
def test_a_body_that_is_no_error_is_a_finding_of_error_body_alone(body: object) -> None:
    """One cause, one clause."""
    assert {"error.body"} == failed_of([answered(body)])
    for clause_id in CLAUSES[1:]:
        assert CANT_TELL == outcome_of(clause_id, [answered(body)])


@pytest.mark.parametrize(
    ("changes", "clause_id"),
    [
        ({"code": ...}, "error.code"),
        ({"code": None}, "error.code"),
        ({"code": 404}, "error.code"),
        ({"code": ["x"]}, "error.code"),
        ({"message": ...}, "error.message"),
        ({"message": None}, "error.message"),
        ({"message": {"en": "x"}}, "error.message"),
        ({"status": ...}, "error.status"),
        ({"status": None}, "error.status"),
        ({"status": "404"}, "error.status"),
        ({"status": 404.5}, "error.status"),
        ({"status": True}, "error.status"),
        ({"status": 400}, "error.status.matches"),
        ({"status": 0}, "error.status.matches"),
        ({"status": -404}, "error.status.matches"),
    ],
)
def test_a_field_against_its_table_is_a_finding_of_its_clause_alone(
    changes: dict[str, Any], clause_id: str
) -> None:
    """The others are right."""
    assert {clause_id} == failed_of([answered(error(404, **changes))])


@pytest.mark.parametrize("name", ["code", "message", "status"])
def test_a_body_with_one_of_the_three_fields_is_an_error_that_lacks_the_others(name: str) -> None:
    """And each finding names what is missing, or what it is instead."""
    missing = {"code", "message", "status"} - {name}
    assert {f"error.{each}" for each in missing} == failed_of([answered({name: error(404)[name]})])
    for each, value, seen in [(each, ..., "is missing") for each in missing] + [(name, [], "is an array")]:
        answer = answered(error(404, **{each: value}))
        finding = verdict_of(f"error.{each}", [answer]).findings[0].finding
        assert f"{each} {seen}" in finding.message


def test_a_401_with_another_status_in_its_error_is_a_finding() -> None:
    """The status field repeats the HTTP status code, whatever went wrong."""
    assert {"error.status.matches"} == failed_of([exchange("GET", "/pets", 401, error(403), key=ABSENT)]) - {
        "list.answer"
    }


@pytest.mark.parametrize("clause_id", CLAUSES)
@cases(
    "answer",
    {
        "200": listing([animal(1)]),
        "200 with a code": exchange("GET", "/pets/1", 200, {"code": 1}),
        "503 with a code": exchange("GET", "/pets", 503, {"code": 1, "status": 1}),
        "301": exchange("GET", "/pets", 301, b"", headers=HTML),
        "500": exchange("GET", "/pets", 500, b"", headers=HTML),
        "429": exchange("GET", "/pets", 429, b"slow", headers=HTML),
        "403 with Retry-After": exchange("GET", "/pets", 403, b"slow", headers=(*HTML, ("Retry-After", "1"))),
        "another method": exchange("PROPFIND", "/pets", 405, b"<h1>", headers=HTML),
        "HEAD": exchange("HEAD", "/pets/1", 404, b"", headers=HTML),
        "another address": exchange("GET", "/pets/", 404, b"<h1>", headers=HTML),
        "an odd path": exchange("GET", "/pets/a%2Fb", 404, b"<h1>", headers=HTML),
    },
)
def test_what_is_no_error_of_an_operation_is_neither(clause_id: str, answer: Any) -> None:
    """Readings 2, 13 and 15: successes, throttling, and what servers answer before any operation is reached."""
    assert (0, 0) == opinions_of(clause_id, [answer])
