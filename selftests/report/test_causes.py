"""causes.py: which failed clauses stand together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from animal_conformance.interface.clauses import Level, load_clauses
from animal_conformance.judge.causes import causes as of_clauses
from animal_conformance.report.causes import causes


def failed(clause_id: str, *found_in: int, level: str = "MUST") -> dict[str, Any]:
    """A clause that fails in these exchanges, of which the first is shown."""
    finding = {"exchanges": [{"sequence": found_in[0], "step": 1}]}
    references = [str(each) for each in found_in]
    return {
        "id": clause_id,
        "level": level,
        "outcome": "failed",
        "found_in": references,
        "findings": [finding],
    }


def explained(*clauses: dict[str, Any]) -> list[dict[str, Any]]:
    """The clauses, each with the one that explains it, as the judge has it."""
    known = {each.id: each for each in load_clauses().clauses}
    listed = [replace(known[each["id"]], level=Level(each["level"])) for each in clauses]
    under = of_clauses(listed, {each["id"]: frozenset(each["found_in"]) for each in clauses})
    return [{**each, "under": under[each["id"]]} for each in clauses]


def grouped(*clauses: dict[str, Any]) -> list[tuple[str, ...]]:
    """The ids of the clauses, by cause."""
    return [tuple(clause["id"] for clause in each.clauses) for each in causes(explained(*clauses))]


def test_clauses_that_fail_in_the_same_responses_are_one_cause() -> None:
    """Under the first of them."""
    assert [("error.code", "error.message"), ("error.status",)] == grouped(
        failed("error.code", 1, 2), failed("error.message", 1, 2), failed("error.status", 1)
    )


def test_what_else_a_shown_response_breaks_is_named() -> None:
    """Except for the symptoms, which stand there anyway."""
    [first, _] = causes(
        explained(failed("error.code", 1, 2), failed("error.message", 1, 2), failed("error.status", 1, 3))
    )
    assert ("error.status",) == first.beside
