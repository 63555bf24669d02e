"""earlier.py: what was in the store before the run is told apart, and shown last."""

from __future__ import annotations

from selftests.exchanges import FAILED, animal, created, got, listing, verdict_of

LEFT = animal(7, status=None)
CLAUSE = "animal.status"
SAID = "It was there before this run."


def test_an_animal_that_was_listed_before_the_run_created_any_is_told_apart() -> None:
    """It remains a finding, in its list and by getPet."""
    verdict = verdict_of(CLAUSE, [listing([LEFT]), created(at=2.0), got(7, LEFT, at=3.0)])
    assert FAILED == verdict.outcome
    assert 2 == verdict.finding_count
    assert all(each.finding.message.endswith(SAID) for each in verdict.findings)


def test_what_the_run_or_somebody_else_created_since_is_not() -> None:
    """And is what a list with both is blamed for, and what is shown first."""
    mine = animal(8, status="lost")
    both = listing([LEFT, animal(1), mine], at=3.0)
    verdict = verdict_of(CLAUSE, [listing([LEFT]), created(at=2.0), both])
    first, last = verdict.findings
    assert ("lost" in first.finding.observed, first.earlier, last.earlier) == (True, False, True)
    assert "at [2]" in first.finding.message
    assert not first.finding.message.endswith(SAID)


def test_an_animal_without_an_id_is_known_by_all_that_it_shows() -> None:
    """As there is nothing else to know it by."""
    nameless = animal(..., name="left behind")
    trace = [listing([nameless]), created(at=2.0), listing([nameless, animal(..., name="new")], at=3.0)]
    verdict = verdict_of("animal.id", trace)
    assert ["new" in each.finding.observed for each in verdict.findings] == [True, False]
    assert [False, True] == [each.earlier for each in verdict.findings]


def test_where_the_run_created_nothing_everything_was_there() -> None:
    """Which need not be said."""
    verdict = verdict_of(CLAUSE, [listing([LEFT])])
    assert not verdict.findings[0].finding.message.endswith(SAID)
