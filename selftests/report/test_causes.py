"""causes.py: which failed clauses stand together."""

from __future__ import annotations

from typing import Any

from animal_conformance.report.causes import causes


def failed(clause_id: str, *found_in: int, under: str = "") -> dict[str, Any]:
    """A clause that fails in these exchanges, the first of which is shown, and what explains it."""
    findings = [{"exchanges": [{"sequence": found_in[0], "step": 1}]}]
    where = [str(each) for each in found_in]
    return {"id": clause_id, "level": "MUST", "found_in": where, "findings": findings, "under": under}


FAILED = (
    failed("error.code", 1, 2),
    failed("error.message", 1, 2, under="error.code"),
    failed("error.status", 1),
)


def test_what_a_clause_explains_stands_with_it() -> None:
    """Behind it, and before the next cause."""
    grouped = [tuple(clause["id"] for clause in each.clauses) for each in causes(FAILED)]
    assert [("error.code", "error.message"), ("error.status",)] == grouped


def test_what_else_a_shown_response_breaks_is_named() -> None:
    """Except for the symptoms, which stand there anyway."""
    [first, _] = causes(FAILED)
    assert ("error.status",) == first.beside
