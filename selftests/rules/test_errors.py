"""The rules of rules/errors.py: the Error of every error response."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.record.jsontext import DEEPEST_JSON
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
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

CLAUSES = ("error.body", "error.code", "error.message", "error.status", "error.status.matches")
HTML = (("Content-Type", "text/html"),)


def answered(body: object, status: int = 404) -> Any:
    """A getPet with this body."""
    return exchange("GET", "/pets/5000000000", status, body)


@pytest.mark.parametrize("clause_id", CLAUSES)
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lost(5), id="404"),
        pytest.param(refused({}), id="400"),
        pytest.param(unauthorised(listing()), id="401"),
        pytest.param(lost(1, 403), id="403"),
        pytest.param(unlisted(422, limit=0), id="422"),
        pytest.param(lost("abc", 418), id="418"),
        pytest.param(answered(b'{"code":"","message":"","status":404.0,"more":[null]}'), id="dressed"),
    ],
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
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(listing([animal(1)]), id="200"),
        pytest.param(exchange("GET", "/pets/1", 200, {"code": 1}), id="200 with a code"),
        pytest.param(exchange("GET", "/pets", 503, {"code": 1, "status": 1}), id="503 with a code"),
        pytest.param(exchange("GET", "/pets", 301, b"", headers=HTML), id="301"),
        pytest.param(exchange("GET", "/pets", 500, b"", headers=HTML), id="500"),
        pytest.param(exchange("GET", "/pets", 429, b"slow", headers=HTML), id="429"),
        pytest.param(exchange("PROPFIND", "/pets", 405, b"<h1>", headers=HTML), id="another method"),
        pytest.param(exchange("HEAD", "/pets/1", 404, b"", headers=HTML), id="HEAD"),
        pytest.param(exchange("GET", "/pets/", 404, b"<h1>", headers=HTML), id="another address"),
        pytest.param(exchange("GET", "/pets/a%2Fb", 404, b"<h1>", headers=HTML), id="an odd path"),
        pytest.param(
            exchange("GET", "/pets?x=" + "y" * 9000, 414, b"<h1>", headers=HTML), id="a long address"
        ),
        pytest.param(
            exchange("GET", "/pets", 406, b"", headers=HTML, sent_headers=(("Accept", "text/html"),)),
            id="406",
        ),
        pytest.param(
            exchange("POST", "/pets", 413, b"<h1>", headers=HTML, body=b"x" * 9000), id="a large body"
        ),
    ],
)
def test_what_is_no_error_of_an_operation_is_neither(clause_id: str, answer: Any) -> None:
    """Readings 2, 13 and 15: successes, throttling, and what servers answer before any operation is reached."""
    assert (0, 0) == opinions_of(clause_id, [answer])


def test_an_error_of_any_4xx_is_judged() -> None:
    """Reading 1: any 4xx carries an Error."""
    assert FAILED == outcome_of("error.body", [exchange("GET", "/pets?limit=0", 422, b"<h1>", headers=HTML)])
