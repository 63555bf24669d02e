"""concerns.py on whole visits: nothing is missed by what rules and observers are asked of."""

from __future__ import annotations

from selftests.catalogue.judged import correct, visit
from selftests.exchanges import unasked
from selftests.matrix.cases import nulls, variants


def test_nothing_would_be_said_of_what_is_not_asked_about() -> None:
    """Of a correct deployment, of lawful ones, and of null servers, which answer whatever they are asked alike."""
    lawful = [each for each in variants() if each.name in {"http.gzip", "fields.extra", "json.ascii"}]
    for case in (*nulls(), *lawful):
        assert unasked(visit(case).exchanges) == set(), case.name
    assert unasked(correct().exchanges) == set()
