"""The rules of suspicions/lists/cookied.py: lists that lack animals for who keeps cookies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from animal_conformance.judge.experiments import beside_plain
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    FAILED,
    OF_EACH_LIST,
    TERMS,
    animal,
    asked_by,
    created,
    failed_of,
    listing,
    named,
    verdict_of,
)

COOKIE = (("Accept", "application/json"), ("Cookie", "lb=b"))
OTHERS = [animal(at, status="sold") for at in range(50, 60)]
NEW = animal(1, name="Whiskerton", status="sold")
MADE = created(named("Whiskerton", status="sold"), 1, at=1.0)


def plain(at: float, state: str | None, animals: Any = None) -> Exchange:
    """The largest list without cookies; with everything unless other animals are given."""
    return listing([*OTHERS, NEW] if animals is None else animals, limit=100, state=state, at=at)


def cookied(at: float, state: str | None, animals: Any = None) -> Exchange:
    """The same with cookies; without the new animal unless others are given."""
    sent = plain(at, state, OTHERS if animals is None else animals)
    return replace(sent, request=replace(sent.request, headers=COOKIE))


def in_turns(state: str | None, times: int, at: float = 10.0) -> list[Exchange]:
    """Lists with cookies and without, in turns."""
    return [
        each for turn in range(times) for each in (cookied(at + turn, state), plain(at + turn + 0.5, state))
    ]


@OF_EACH_LIST
def test_an_animal_that_lists_with_cookies_lack_in_turns_is_a_finding(
    state: str | None, clause_id: str
) -> None:
    """The first of those lists says so, with those without cookies that show it."""
    trace = [MADE, *in_turns(state, 3)]
    assert {clause_id} == failed_of(trace)
    verdict = verdict_of(clause_id, trace)
    assert (trace[1].reference,) == verdict.found_in
    finding = verdict.findings[0].finding
    assert (MADE, trace[2]) == finding.related
    assert (("sampled", trace[4]), ("sampled", trace[6])) == finding.excluded


@OF_EACH_LIST
def test_pages_with_cookies_that_never_grow_may_be_cut(state: str | None, clause_id: str) -> None:
    """Who takes part in a trial of shorter pages; those that change in any other way are not cut."""
    before = [cookied(0.5, state), MADE]
    assert clause_id not in failed_of([*before, *in_turns(state, 3)])
    grown = cookied(20.0, state, [*OTHERS, animal(49, status="sold")])
    assert {clause_id} == failed_of([*before, *in_turns(state, 3), grown])
    other = [*in_turns(state, 3), plain(20.5, state, [NEW, *OTHERS])]
    assert clause_id not in failed_of([*before, *other])
    assert {clause_id} == failed_of([*before, *other, cookied(20.2, state)])


@OF_EACH_LIST
def test_once_is_put_to_the_test(state: str | None, clause_id: str) -> None:
    """Both are read in turns, once a replica may lag no longer."""
    trace = [MADE, cookied(1.5, state), plain(1.6, state)]
    verdict = verdict_of(clause_id, trace)
    assert FAILED != verdict.outcome
    assert beside_plain("sampled", trace[1].request, MADE.answered_s + TERMS.settle_s) in asked_by(verdict)


@OF_EACH_LIST
def test_lists_that_have_caught_up_are_no_finding(state: str | None, clause_id: str) -> None:
    """The replica has lagged."""
    later = [cookied(at, state, [*OTHERS, NEW]) for at in (10.0, 11.0, 12.0)]
    verdict = verdict_of(
        clause_id, [MADE, cookied(1.5, state), plain(1.6, state), *later, plain(13.0, state)]
    )
    assert FAILED != verdict.outcome
    assert not verdict.suspected


def test_an_animal_that_no_list_shows_since_is_gone() -> None:
    """And not hidden from those with cookies."""
    trace = [
        MADE,
        plain(2.0, None),
        *(cookied(at, None) for at in (10.0, 11.0, 12.0)),
        plain(13.0, None, OTHERS),
    ]
    assert FAILED != verdict_of("list.complete", trace).outcome
