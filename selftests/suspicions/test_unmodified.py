"""The rules of suspicions/lists/unmodified.py: lists that are said not to have changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import beside_plain
from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import (
    ANSWER,
    FAILED,
    OF_EACH_LIST,
    TERMS,
    animal,
    asked_by,
    created,
    exchange,
    failed_of,
    listing,
    named,
    verdict_of,
)

OTHERS = [animal(at, status="sold") for at in range(50, 60)]
NEW = animal(1, name="Whiskerton", status="sold")
MADE = created(named("Whiskerton", status="sold"), 1, at=2.2)
ETAG: Headers = (("ETag", '"a"'),)


def shown(at: float, state: str | None, animals: Any = None, tag: Headers = ()) -> Exchange:
    """The largest list, with everything unless other animals are given."""
    value = [*OTHERS, NEW] if animals is None else animals
    return listing(value, limit=100, state=state, at=at, headers=(*ANSWER, *tag))


def unchanged(at: float, state: str | None, tag: str = '"a"') -> Exchange:
    """The same for who has a page with a validator: 304."""
    target = shown(at, state).request.target
    return exchange("GET", target, 304, b"", at=at, sent_headers=(("If-None-Match", tag),))


def trace_of(state: str | None, turns: int, at: float = 10.0) -> list[Exchange]:
    """A page, an animal that is added to it, and then 304 and what the list is, in turns."""
    begun = [shown(1.0, state, OTHERS, ETAG), MADE]
    return begun + [
        each for turn in range(turns) for each in (unchanged(at + turn, state), shown(at + turn + 0.5, state))
    ]


@OF_EACH_LIST
def test_a_304_three_times_after_an_animal_was_added_is_a_finding(state: str | None, clause_id: str) -> None:
    """The first one says so, with the lists that show the animal."""
    trace = trace_of(state, 3)
    assert {clause_id} == failed_of(trace)
    verdict = verdict_of(clause_id, trace)
    assert (trace[2].reference,) == verdict.found_in
    finding = verdict.findings[0].finding
    assert (trace[0], MADE) == finding.related
    assert tuple(("lagging", trace[at]) for at in (3, 5, 7)) == finding.excluded


@OF_EACH_LIST
def test_once_is_put_to_the_test(state: str | None, clause_id: str) -> None:
    """Both requests in turns, once a replica may lag no longer."""
    trace = trace_of(state, 1, at=2.5)
    verdict = verdict_of(clause_id, trace)
    assert FAILED != verdict.outcome
    assert beside_plain("lagging", trace[2].request, MADE.answered_s + TERMS.settle_s) in asked_by(verdict)


@OF_EACH_LIST
def test_a_list_that_has_changed_when_asked_again_has_lagged(state: str | None, clause_id: str) -> None:
    """A validator may have come from a replica."""
    early = trace_of(state, 1, at=2.5)
    later = [
        replace(shown(at, state), request=replace(early[2].request, headers=early[2].request.headers))
        for at in (10.0, 11.0, 12.0)
    ]
    verdict = verdict_of(clause_id, [*early, *later])
    assert FAILED != verdict.outcome
    assert not verdict.suspected


@OF_EACH_LIST
def test_an_animal_of_the_same_second_may_have_the_same_validator(state: str | None, clause_id: str) -> None:
    """Last-Modified has no smaller unit, nor has what is made of it."""
    soon = replace(MADE, sent_s=1.5, answered_s=1.51)
    verdict = verdict_of(clause_id, [soon if each is MADE else each for each in trace_of(state, 3)])
    assert FAILED != verdict.outcome
    assert not verdict.suspected


@OF_EACH_LIST
@pytest.mark.parametrize("tag", ['"b"', "*"])
def test_a_304_to_another_validator_says_nothing(state: str | None, clause_id: str, tag: str) -> None:
    """It is not known which page is meant."""
    trace = [shown(1.0, state, OTHERS, ETAG), MADE]
    trace += [each for at in (10, 11, 12) for each in (unchanged(at, state, tag), shown(at + 0.5, state))]
    assert FAILED != verdict_of(clause_id, trace).outcome


@OF_EACH_LIST
def test_a_full_list_that_has_changed_is_as_good(state: str | None, clause_id: str) -> None:
    """Its length is the same as before."""

    def newest(at: float, shown: Any, tag: Headers = ()) -> Exchange:
        return listing([shown], limit=1, state=state, at=at, headers=(*ANSWER, *tag))

    kept = newest(1.0, OTHERS[0], ETAG)
    again = exchange("GET", kept.request.target, 304, b"", at=10.0, sent_headers=(("If-None-Match", '"a"'),))
    turns = [
        each
        for at in (10.0, 11.0, 12.0)
        for each in (replace(again, sent_s=at, answered_s=at + 0.01), newest(at + 0.5, NEW))
    ]
    assert {clause_id} == failed_of([kept, MADE, *turns])
