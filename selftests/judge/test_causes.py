"""causes.py: which failed clause explains which."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.causes import NO_ANSWER, caused_by

CLAUSES = {each.id: each for each in load_clauses().clauses}


def explained(failed: Mapping[str, set[int]]) -> list[tuple[str, str]]:
    """The clauses that fail in these exchanges, causes first, each with the one that explains it."""
    found_in = {each: frozenset(map(str, numbers)) for each, numbers in failed.items()}
    return [*caused_by([CLAUSES[each] for each in failed], found_in).items()]


def test_clauses_that_fail_in_the_same_responses_are_one_cause() -> None:
    """Under the first of them, or under the one that is a MUST."""
    assert [("error.code", ""), ("error.message", "error.code"), ("error.status", "")] == explained(
        {"error.code": {1, 2}, "error.message": {1, 2}, "error.status": {1}}
    )
    assert [("auth.missing.list", ""), ("auth.challenge", "auth.missing.list")] == explained(
        {"auth.challenge": {1}, "auth.missing.list": {1}}
    )


@pytest.mark.parametrize("absent", sorted(NO_ANSWER))
def test_what_fails_where_there_is_no_proper_response_is_a_symptom(absent: str) -> None:
    """But not what also fails elsewhere, nor what shares responses with any other clause."""
    assert {"http.answer", "http.server-error", "http.json.body"} == NO_ANSWER
    assert [(absent, ""), ("list.answer", ""), ("get.found", absent)] == explained(
        {absent: {1, 2, 3}, "list.answer": {3, 4}, "get.found": {2}}
    )
    assert [(absent, ""), ("get.found", absent)] == explained({absent: {1}, "get.found": {1}})
    assert [("list.once", ""), ("list.complete", "")] == explained(
        {"list.once": {1, 2}, "list.complete": {1}}
    )


def test_a_symptom_explains_nothing() -> None:
    """It is shown under its cause, and nothing under it."""
    assert [("list.array", ""), ("http.json.body", "list.array"), ("get.found", "")] == explained(
        {"list.array": {1, 2}, "http.json.body": {1, 2}, "get.found": {1}}
    )


@pytest.mark.parametrize(
    ("shown", "other", "first"),
    [
        ("animal.category-id", {"create.category-id.int64": {1}}, "create.category-id.int64"),
        ("animal.category-id", {"create.category-id.int64": {3}}, "animal.category-id"),
        ("animal.category-id", {"list.complete": {1}}, "animal.category-id"),
        ("list.once", {"create.category-id.int64": {1}}, "list.once"),
    ],
)
def test_an_animal_that_was_created_wrong_stands_behind_its_creation(
    shown: str, other: dict[str, set[int]], first: str
) -> None:
    """But not one that is shown wrong without such a creation, nor what else is wrong."""
    assert first == explained({shown: {1, 2}, **other})[0][0]
