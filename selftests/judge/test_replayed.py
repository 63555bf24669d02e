"""replayed.py: what was sent again is judged with what its finding stood on."""

from __future__ import annotations

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.case import Finding
from animal_conformance.judge.hearing import Found
from animal_conformance.judge.replayed import Unseen, seen_again
from animal_conformance.judge.verdicts import decide_on
from animal_conformance.record.exchange import Exchange, Terms
from selftests.catalogue.judged import TODAY, Visit, correct, visit
from selftests.matrix.cases import faults
from selftests.turns import is_turn_now

# In how many days each fault has its turn.
DAYS = 4
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


def found_of(fault: str, clause_id: str) -> tuple[Visit, Found, Terms]:
    """A visit to a deployment with a fault, the first finding of a clause there, and what it is judged by."""
    seen = visit(next(each for each in faults() if each.name == fault))
    verdicts = decide_on(seen.hearing, load_clauses()).verdicts
    found = next(each for each in verdicts if each.clause.id == clause_id).findings[0]
    return seen, found, Terms(base_url=seen.base_url, today=TODAY, selected=(clause_id,))


def answered_with(status: int) -> list[Exchange]:
    """What the correct deployment answers with a status."""
    return [each for each in correct().exchanges if each.response and each.response.status == status]


@pytest.mark.parametrize(
    ("fault", "clause_id"), [each for each in STANDING_ON_MORE if is_turn_now(f"replayed {each}", DAYS)]
)
def test_what_is_answered_as_before_still_occurs(fault: str, clause_id: str) -> None:
    """Where its run is known; and without that nobody says that it is gone."""
    seen, found, terms = found_of(fault, clause_id)
    exchanges = [*found.finding.related, found.exchange]
    assert Unseen.UNTOLD is seen_again(clause_id, exchanges, exchanges, terms)
    again = seen_again(clause_id, exchanges, exchanges, terms, seen.exchanges)
    assert isinstance(again, Finding)
    assert found.finding.expected == again.expected


@pytest.mark.parametrize("context", [True, False])
def test_what_is_mended_is_gone_where_that_can_be_told(*, context: bool) -> None:
    """A header that is there now is seen only with the run that knew the animal."""
    clause_id = "get.deprecation-header"
    seen, found, terms = found_of("get.not-deprecated", clause_id)
    target = found.exchange.request.target
    [mended, *_] = [each for each in answered_with(200) if each.request.target == target]
    told = seen_again(clause_id, [found.exchange], [mended], terms, seen.exchanges if context else ())
    assert (Unseen.GONE if context else Unseen.UNTOLD) is told


def test_what_showed_its_finding_by_itself_needs_no_run() -> None:
    """So that any deployment can be asked."""
    clause_id = "create.body.required"
    _, found, terms = found_of("body.optional", clause_id)
    refused = [each for each in answered_with(400) if each.request == found.exchange.request]
    assert Unseen.GONE is seen_again(clause_id, [found.exchange], refused, terms)
    assert isinstance(seen_again(clause_id, [found.exchange], [found.exchange], terms), Finding)
