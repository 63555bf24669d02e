"""replayed.py: what was sent again is judged with what its finding stood on."""

from __future__ import annotations

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.case import Finding
from animal_conformance.judge.replayed import Unseen, seen_again
from animal_conformance.judge.verdicts import decide_on
from animal_conformance.record.exchange import Terms
from selftests.catalogue.judged import TODAY, correct, visit
from selftests.matrix.cases import faults

# Of each, the exchanges of a finding say nothing by themselves.
STANDING_ON_MORE = (
    ("get.not-deprecated", "get.deprecation-header"),
    ("get.no-sunset", "get.sunset-header"),
    ("get.other-sunset", "get.sunset-header"),
    ("auth.after.body", "auth.first"),
    ("auth.after.limit-type", "auth.first"),
    ("auth.stored", "auth.untraced"),
    ("refusal.stored", "create.refusal.untraced"),
    ("list.bare.empty", "list.complete"),
    ("filter.with-limit-refused", "list.combined"),
    ("limit.one-refused", "list.limit.accepted"),
    ("filter.sold-refused", "list.status.accepted"),
)


@pytest.mark.parametrize(("fault", "clause_id"), STANDING_ON_MORE)
def test_what_is_answered_as_before_still_occurs(fault: str, clause_id: str) -> None:
    """Where its run is known; and without that nobody says that it is gone."""
    seen = visit(next(each for each in faults() if each.name == fault))
    verdicts = decide_on(seen.hearing, load_clauses()).verdicts
    found = next(each for each in verdicts if each.clause.id == clause_id).findings[0]
    exchanges = [*found.finding.related, found.exchange]
    terms = Terms(base_url=seen.base_url, today=TODAY, selected=(clause_id,))
    assert Unseen.UNTOLD is seen_again(clause_id, exchanges, exchanges, terms)
    again = seen_again(clause_id, exchanges, exchanges, terms, seen.exchanges)
    assert isinstance(again, Finding)
    assert found.finding.expected == again.expected


@pytest.mark.parametrize("context", [True, False])
def test_what_is_mended_is_gone_where_that_can_be_told(*, context: bool) -> None:
    """A header that is there now is seen only with the run that knew the animal."""
    fault = visit(next(each for each in faults() if each.name == "get.not-deprecated"))
    clause_id = "get.deprecation-header"
    verdicts = decide_on(fault.hearing, load_clauses()).verdicts
    found = next(each for each in verdicts if each.clause.id == clause_id).findings[0]
    target = found.exchange.request.target
    mended = [
        each
        for each in correct().exchanges
        if each.request.target == target and each.response and each.response.status == 200
    ][:1]
    assert mended
    terms = Terms(base_url=fault.base_url, today=TODAY, selected=(clause_id,))
    told = seen_again(clause_id, [found.exchange], mended, terms, fault.exchanges if context else ())
    assert (Unseen.GONE if context else Unseen.UNTOLD) is told


def test_what_showed_its_finding_by_itself_needs_no_run() -> None:
    """So that any deployment can be asked."""
    seen = visit(next(each for each in faults() if each.name == "body.optional"))
    clause_id = "create.body.required"
    verdicts = decide_on(seen.hearing, load_clauses()).verdicts
    found = next(each for each in verdicts if each.clause.id == clause_id).findings[0]
    refused = [
        each
        for each in correct().exchanges
        if each.request == found.exchange.request and each.response and each.response.status == 400
    ]
    terms = Terms(base_url=seen.base_url, today=TODAY, selected=(clause_id,))
    assert Unseen.GONE is seen_again(clause_id, [found.exchange], refused, terms)
    assert isinstance(seen_again(clause_id, [found.exchange], [found.exchange], terms), Finding)
