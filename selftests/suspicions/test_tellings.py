"""What lists and getPet tell of an animal, in turns: knowledge/tellings.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.judge.knowledge.fields import value_of
from animal_conformance.judge.suspicions.values.histories import Of
from animal_conformance.record.exchange import Credential
from selftests.exchanges import (
    ANSWER,
    CONTRACT,
    PASSED,
    WRONG,
    animal,
    animals,
    created,
    exchange,
    failed_of,
    got,
    listing,
    named,
    opinions_of,
    outcome_of,
    unanswered,
    under,
    verdict_of,
)
from selftests.suspicions.told import OLD, A, history_of, own, told


@pytest.mark.parametrize(
    ("turns", "apart"),
    [
        ("g0a l1b l4b g5a l6b g7a", True),
        ("g0a l1b l4b g5a l6b", False),
        ("g0a l1b l2.9b g5a l6b g7a", False),
        ("l0b g1a l3b g4a l5b g6a", True),
        ("l0b g1a l2.9b g4a l5b g6a", False),
        ("g0a l1b l4b g5b l6a g7b", False),
        ("g0a l1b l4b g5a l5.5a l6c g7a", True),
        ("g0a l1b l4b l5b g6a g7a l8b g9a", True),
        ("l0a g1b g4b l5b g6b l7b g8b", False),
        ("g0a l1b l4b g5a g6a g7a", False),
        ("g0a l1b l4b l5b l6b g7a l8b", False),
        ("g0a g3a g4a g5a g6a l7b g8a", False),
        ("g0a g1b l3.5c g4b l5c g6b", False),
    ],
)
def test_lists_and_getpet_are_told_apart_in_turns_after_settling(turns: str, *, apart: bool) -> None:
    """Twice each, and longer than either may lag behind the other; stored responses say nothing of it."""
    trace = told(turns)
    assert apart == (history_of(trace).told_apart() is not None)
    stored = [
        each
        if each.request.target == "/pets" or each.response is None
        else replace(each, response=replace(each.response, headers=OLD))
        for each in trace
    ]
    assert history_of(stored).told_apart() is None


def test_a_stored_response_of_getpet_is_no_turn_until_both_have_settled() -> None:
    """Before that, the list may have lagged behind."""
    trace = told("g0a l1b l4b g5a l6b g7a")
    old = (*ANSWER, ("Age", "3"))
    stored = got(1, animal(1, name="a"), at=5.0, took=0.0, headers=old)
    assert history_of([*trace[:3], stored, *trace[4:]]).told_apart() is None


def test_a_finding_shows_the_value_before_and_the_response_that_told_it() -> None:
    """Of the run's own animal, what was sent and its creation."""
    [first, *_, last] = trace = told("l0a g1b l3a g5b")
    *_, found = sorted(verdict_of("animal.id.stable", trace).findings, key=lambda each: each.exchange.sent_s)
    assert (last, (first,)) == (found.exchange, found.finding.related)
    assert ('name: "a", as before', 'name: "b" in getPet') == (found.finding.expected, found.finding.observed)
    assert found.finding.message.startswith(
        "The id of animal 1 previously identified an animal with another name."
    )
    sent = named("Rex")
    right, wrong = ({**sent, "id": 1, "name": name} for name in ("Rex", "b"))
    own = [
        got(1, wrong, at=3.0),
        listing([right], at=6.0),
        got(1, wrong, at=9.0),
        listing([right], at=12.0),
    ]
    [found] = verdict_of("create.name.exact", [creation := created(sent, at=0.0), *own]).findings
    assert (own[2], (creation,)) == (found.exchange, found.finding.related)
    assert ('name: "Rex"', 'name: "b" in getPet') == (found.finding.expected, found.finding.observed)
    # The same request may tell the right value at first: then it is sent twice to reproduce the finding.
    at_first = [got(1, right, at=at) for at in (1.0, 2.0)]
    turns = [
        each
        for at in range(6, 20, 4)
        for each in (got(1, wrong, at=at + 0.0), listing([right], limit=100, at=at + 0.5))
    ]
    *_, found = verdict_of("create.name.exact", [creation, *at_first, *turns]).findings
    assert (creation, at_first[1]) == found.finding.related[:2]


def test_what_was_sent_is_never_shown_as_what_is_wrong() -> None:
    """Although it comes after another value, and so is a turn as well."""
    sent = named("Rex")
    making, other, back = (
        created(sent, at=0.0),
        got(1, {**sent, "id": 1, "name": "b"}, at=3.0),
        got(1, {**sent, "id": 1}, at=6.0),
    )
    suspected = verdict_of("create.name.exact", [making, other, back]).suspected
    (found,) = (each.suspicion.finding for each in suspected)
    assert other is suspected[0].exchange
    assert ('name: "Rex"', 'name: "b" in getPet') == (found.expected, found.observed)
    assert (making,) == found.related


def test_an_animal_that_is_seen_again_as_it_was_is_evidence_of_its_id() -> None:
    """Not the first time, nor one of the run's own, of which other clauses tell."""
    shown, again = listing(animals(1)), got(1, at=2.0)
    assert (1, 0) == opinions_of("animal.id.stable", [shown, again])
    for trace in ([shown], [created(named("Rex")), again], [shown, created(named("Rex"), at=2.0)]):
        assert (0, 0) == opinions_of("animal.id.stable", trace)


def test_a_value_is_told_by_a_success_of_a_valid_request_with_the_key() -> None:
    """For this id, by a list or by getPet."""
    other = animal(1, name="b")
    ids: list[object] = [True, "1", 2, ...]
    trace = [
        *told("l0a g1a"),
        under(got(1, animal(1, name="a"), at=1.5), Credential.UNKNOWN),
        *(got(1, {**animal(each), "name": "b"}, at=2.0) for each in ids),
        *(under(got(1, other, at=2.0), WRONG), exchange("GET", "/pets/1", 404, other, at=2.0)),
        *(unanswered(got(1, at=2.0)), got("1?limit=x", other, at=2.0), got(1, [other], at=2.0)),
        listing([animal(1, name="a", status="sold")], state="sold", at=3.0),
        *told("g9c"),
    ]
    history = history_of(trace)
    assert [*[("a", None)] * 3, ("a", "sold"), ("c", None)] == [
        (each.value, each.filter) for each in history.tellings
    ]
    assert value_of(animal(1, status=["sold"]), "status", CONTRACT) is None


def test_an_animal_that_is_edited_again_and_again_is_agreed_upon_in_turns() -> None:
    """It never settles; a list and getPet tell each edit all the same."""
    restless = told("l0a g5b l5.1b g5.2b l5.3b l9c")
    assert history_of(restless).agreed
    assert not history_of(told("l0a g5b l5.1b l9c")).agreed
    assert not history_of(told("g0a l0.1a g0.2a l0.3a l9c")).agreed


@pytest.mark.parametrize(
    ("turns", "blips"),
    [
        ("l0a g1b g2a g9a", True),
        ("l10a g11b g12a g19a", True),
        ("l0a g1b g2a g5b g6a g9a", False),
        ("l0a g1b g2.1a g9a", False),
        ("l0a g1b g2a g2.9a", False),
        ("l0a g1b g2a g3a", True),
        ("l0a g1b g2b g3a", False),
        ("l0a g1b g1.5a g9b", False),
        ("l0a g1b g1.5c g9a", False),
        ("l0a g0.5b", False),
    ],
)
def test_others_may_undo_what_they_have_edited(turns: str, *, blips: bool) -> None:
    """Reading 12: of many of their animals at once, and again and again."""
    both = [*told(turns), *told(turns, animal_id=2)]
    assert blips == (history_of(both).blip is not None)
    assert set() == failed_of(both)
    later = [
        replace(each, sent_s=each.sent_s + 20, answered_s=each.answered_s + 20)
        for each in told(turns, animal_id=2)
    ]
    assert set() == failed_of([*told(turns), *later])


def test_a_value_that_came_once_may_be_told_by_one_of_two_responses_at_a_time() -> None:
    """The other one was sent before it, and answered after it."""
    before, blip, after = told("l0a g0.1b l2.5a")
    known = listing([animal(2)], at=0.0)
    assert history_of([known, replace(before, answered_s=1.0), blip, after]).blip is not None


def test_the_name_that_an_animal_was_given_is_not_wrong_now_and_then() -> None:
    """Whatever it is told before and after."""
    shown = own(1, A, (3.0, "x"), (4.0, A), (5.0, "x"), (9.0, "x"))
    assert history_of(shown, of=Of.RUN).blip is None


def test_a_status_may_move_to_and_fro() -> None:
    """Transitions are not shown."""
    shown = [animal(1, status=each) for each in ("available", "sold", "available", "sold", "sold")]
    trace = [got(1, each, at=3.0 * at) for at, each in enumerate(shown)]
    assert PASSED == outcome_of(
        "animal.id.stable", [*trace, listing(shown[-1:], at=20.0), got(1, shown[-1], at=21.0)]
    )
