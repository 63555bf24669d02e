"""No null server is green, and none passes a clause that it does not keep."""

from __future__ import annotations

import pytest

from animal_conformance.interface.clauses import Level, load_clauses
from selftests.catalogue.judged import judged, visit
from selftests.matrix.cases import MatrixCase, nulls
from selftests.matrix.table import complaint

LEVELS = {each.id: each.level for each in load_clauses().clauses}

# The MUST clauses that each null server does keep.
ANY = {"http.answer"}
UP = ANY | {"http.server-error"}
OPEN = UP | {"auth.key.valid"}
JSON = {"http.json.body", "http.json.content-type"}
ERROR = {
    "http.json.content-type",
    "error.body",
    "error.code",
    "error.message",
    "error.status",
    "error.status.matches",
}
LIST = {"list.answer", "list.array", "list.limit.accepted", "list.status.accepted", "list.combined"}
KEPT = {
    "200-object": OPEN | JSON | {"animal.object", "animal.status"},
    "200-array": OPEN | JSON | LIST,
    "200-empty": OPEN,
    "200-html": OPEN,
    "200-echo": OPEN | JSON | {"animal.object", "animal.status"},
    "204": OPEN,
    "401-error": UP | ERROR,
    "401-bare": UP,
    "404-error": OPEN | ERROR,
    "500-error": ANY,
}


@pytest.mark.parametrize("case", nulls(), ids=lambda case: case.name)
def test_a_null_server_passes_what_its_answer_happens_to_keep_and_is_not_green(case: MatrixCase) -> None:
    """It answers everything alike, but for the echo, which repeats what it was sent."""
    seen = visit(case)
    answers = [each.response for each in seen.exchanges if each.request.method != "HEAD" and each.response]
    assert {str(each.status) for each in answers} == {case.name.partition("-")[0]}
    assert (len({each.body for each in answers}) > 1) == (case.name == "200-echo")
    result = judged(case, seen)
    assert complaint(case, result) == ""
    assert {each for each in result.passed if LEVELS[each] is Level.MUST} == KEPT[case.name]
