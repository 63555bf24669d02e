"""earlier.py: what was in the store before the run is told apart, and shown last."""

from __future__ import annotations

import pytest

from selftests.exchanges import FAILED, animal, animals, created, exchange, got, listing, verdict_of

LEFT = animal(7, status=None)
CLAUSE = "animal.status"
SAID = "It was there before this run."


def test_an_animal_that_was_listed_before_the_run_created_any_is_told_apart() -> None:
    """It remains a finding, in its list and by getPet; by its id, whatever else of it has changed."""
    verdict = verdict_of(
        CLAUSE, [listing([LEFT]), created(at=2.0), got(7, {**LEFT, "name": "renamed"}, at=3.0)]
    )
    assert (FAILED, 2) == (verdict.outcome, verdict.finding_count)
    assert all(each.earlier and each.finding.message.endswith(SAID) for each in verdict.findings)


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
    [found] = verdict_of(CLAUSE, [listing([LEFT])]).findings
    assert not found.finding.message.endswith(SAID)
    assert not found.earlier


@pytest.mark.parametrize(
    ("clause_id", "broken"),
    [
        ("animal.object", "no identity"),
        ("animal.id", animal("7")),
        ("animal.name", animal(7, name=7)),
        ("animal.category-id", animal(7, categoryId="1")),
        ("animal.status", LEFT),
    ],
)
def test_each_clause_on_an_animal_alone_tells_them_apart(clause_id: str, broken: object) -> None:
    """Whatever else was listed before."""
    trace = [
        listing([broken]),
        exchange("GET", "/pets", 200, None),
        created(at=2.0),
        listing([broken], at=3.0),
    ]
    assert [True] == [each.earlier for each in verdict_of(clause_id, trace).findings]


def test_a_clause_on_a_whole_list_is_not_about_what_was_there() -> None:
    """What a list does with them, the deployment does now."""
    trace = [listing(animals(3), at=1.0), created(at=2.0), listing(animals(3), limit=2, at=3.0)]
    assert [False] == [each.earlier for each in verdict_of("list.limit.respected", trace).findings]
