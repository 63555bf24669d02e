"""The rules of suspicions/lists/blanks.py: lists that are empty now and then."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.experiments import Create, Read, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    FAILED,
    MADE,
    OF_EACH_LIST,
    OWN,
    animal,
    asked_by,
    created,
    failed_of,
    listing,
    named,
    outcome_of,
    reads_of,
    seen_of,
    verdict_of,
)
from selftests.tables import cases

OTHERS = [animal(at) for at in range(50, 60)]


def shown(at: float, state: str | None, animals: Any = None, **options: Any) -> Exchange:
    """The largest list, with the run's animals unless others are given."""
    return listing(OWN if animals is None else animals, limit=100, state=state, at=at, **options)


def blank(at: float, state: str | None, limit: int = 100) -> Exchange:
    """A list that is empty."""
    return listing([], limit=limit, state=state, at=at)


def in_turns(state: str | None, count: int, at: float = 20.0) -> list[Exchange]:
    """Lists that are full, and empty so many times in between."""
    turns = [each(at + number, state) for number in range(count) for each in (blank, shown_later)]
    return [*MADE, shown(at - 1, state), *turns]


def shown_later(at: float, state: str | None) -> Exchange:
    """A full list half a second later."""
    return shown(at + 0.5, state)


@OF_EACH_LIST
def test_a_list_that_is_empty_three_times_between_full_ones_is_a_finding(
    state: str | None, clause_id: str
) -> None:
    """It comes and goes by request, after settling; the first one says so, with those that follow."""
    trace = in_turns(state, 4)
    assert {clause_id} == failed_of(trace)
    verdict = verdict_of(clause_id, trace)
    assert (trace[5].reference,) == verdict.found_in
    finding = verdict.findings[0].finding
    assert (trace[4],) == finding.related
    assert (("sampled", trace[7]), ("sampled", trace[9])) == finding.excluded


@OF_EACH_LIST
def test_once_is_put_to_the_test(state: str | None, clause_id: str) -> None:
    """Read again and again: on new connections, after a rejected list, and without a filter after creations."""
    verdict = verdict_of(clause_id, [*MADE, shown(1.9, state), blank(2.0, state), shown_later(2.0, state)])
    assert FAILED != verdict.outcome
    (experiment,) = asked_by(verdict)
    target = "/pets?limit=100&status=sold" if state else "/pets?limit=100"
    reads = [step for step in experiment.steps if isinstance(step, Read)]
    assert 24 == sum(each.target == target for each in reads)
    assert {True, False} == {each.anew for each in reads if each.target == target}
    assert 6 == sum(each.target == "/pets?limit=0" for each in reads)
    assert isinstance(experiment.steps[0], WaitUntil)
    assert (0 if state else 4) == sum(isinstance(step, Create) for step in experiment.steps)


@OF_EACH_LIST
def test_twice_after_these_reads_is_read_many_times(state: str | None, clause_id: str) -> None:
    """What is empty in one list of forty is seen three times in a hundred."""
    trace = [*in_turns(state, 2), *(shown(30 + at, state) for at in range(24))]
    (experiment,) = asked_by(verdict_of(clause_id, trace))
    assert 96 == reads_of(experiment).count(shown(0, state).request.target)
    assert not any(isinstance(step, Create) for step in experiment.steps)


@OF_EACH_LIST
def test_twice_at_any_limit_is_read_many_times(state: str | None, clause_id: str) -> None:
    """Whatever list is the fortieth is empty, most often one with a smaller limit."""
    trace = [*MADE, shown(19, state)]
    for limit in (5, 20):
        trace.append(listing(OWN, limit=limit, state=state, at=19 + limit))
        trace += [blank(20.0 + limit, state, limit), shown(20.5 + limit, state)]
    reads = [shown(50 + at, state) for at in range(24)]

    def reads_asked(exchanges: list[Exchange]) -> int:
        asked = asked_by(verdict_of(clause_id, [*exchanges, *reads]))
        return max((len(reads_of(each)) for each in asked), default=0)

    assert 96 <= reads_asked(trace)
    assert 24 > reads_asked(trace[:-3])
    # Newer ones may have pushed the others out of what is scanned; but they do not come back.
    pushed = [*trace, *(created(named("g"), 90 + at, at=at + 0.8) for at in (24, 39))]
    assert 24 > reads_asked(pushed)
    back = [listing(OWN[:1], limit=limit, state=state, at=45 + limit / 10) for limit in (5, 20)]
    assert 96 <= reads_asked([*pushed, *back])


@OF_EACH_LIST
def test_lists_with_smaller_limits_tell_nothing(state: str | None, clause_id: str) -> None:
    """A scan may end before it has found any animal of a filter; it comes as far as the limit says."""
    trace = [*MADE, shown(19, state), listing(OWN, limit=5, state=state, at=19.5)]
    for number in range(4):
        trace += [blank(20.0 + number, state, 5), shown(20.5 + number, state)]
    assert FAILED != verdict_of(clause_id, [*trace, *(shown(30 + at, state) for at in range(24))]).outcome


@OF_EACH_LIST
def test_after_enough_reads_fewer_are_explained(state: str | None, clause_id: str) -> None:
    """A restart, for example."""
    trace = in_turns(state, 2) + [shown(30 + at, state) for at in range(120)]
    assert not verdict_of(clause_id, trace).suspected
    assert 2 == seen_of("open.explanations", trace)[f"{clause_id}: sampled"]
    assert verdict_of(clause_id, trace[:-10]).suspected


def ending(state: str | None, *counts: int, at: float = 19.0) -> list[Exchange]:
    """Lists that show so many, one after the other: first the run's animals, then others."""
    whole = [*OWN, *({**each, "status": OWN[0]["status"]} for each in OTHERS)]
    pages = (shown(at + number / 2, state, whole[:count]) for number, count in enumerate(counts))
    return [*MADE, shown(at - 9, state, whole), *pages]


@OF_EACH_LIST
def test_lists_that_end_anywhere_may_end_at_once(state: str | None, clause_id: str) -> None:
    """A scan that stops when its time is over; not one that is shorter once or twice."""
    trace = ending(state, 13, 0, 9, 13, 0, 7, 13, 0, 8, 13)
    assert FAILED != outcome_of(clause_id, trace)
    assert seen_of("open.explanations", trace)[f"{clause_id}: capped"]
    assert not verdict_of(clause_id, trace).suspected
    assert FAILED == outcome_of(clause_id, ending(state, 13, 0, 13, 0, 13, 0, 13))
    assert FAILED == outcome_of(clause_id, ending(state, 13, 0, 9, 13, 0, 9, 13, 0, 8, *[13] * 120))
    beside = [ending(each, 13, 7, 13, 8, 13, 9, 13, at=9.0)[-7:] for each in (None, "pending")]
    blanks = ending(state, 13, 0, 13, 0, 13, 0, 13)
    assert [False, True] == [FAILED == outcome_of(clause_id, [*blanks, *each]) for each in beside]


@OF_EACH_LIST
def test_where_one_or_two_lists_ended_earlier_more_are_read(state: str | None, clause_id: str) -> None:
    """Many more: a filter may leave few animals, before which a scan seldom ends."""
    verdict = verdict_of(clause_id, ending(state, 13, 0, 9, 13, 0, 13, 13, 0, 8, *[13] * 24))
    assert FAILED != verdict.outcome
    assert 96 <= len(reads_of(*asked_by(verdict)))


@OF_EACH_LIST
@cases(
    "lawful",
    {
        "before they have settled": lambda state: in_turns(state, 4, at=2.0)[:9],
        "and other animals are shown afterwards": lambda state: [
            *in_turns(state, 2),
            blank(22.0, state),
            shown(23.0, state, OTHERS),
        ],
        "and choices vary": lambda state: [
            *in_turns(state, 2)[:-1],
            shown(21.5, state, OWN[:2]),
            blank(22.0, state),
            shown(23.0, state),
        ],
        "and stay empty": lambda state: [*in_turns(state, 2), blank(22.0, state), blank(22.2, state)],
        "of another limit": lambda state: [
            *in_turns(state, 2),
            listing([], limit=20, state=state, at=22.0),
            shown(23.0, state),
        ],
    },
)
def test_what_may_be_lawful_is_no_finding(state: str | None, clause_id: str, lawful: Any) -> None:
    """A lag, a reset, a choice, a cap."""
    assert FAILED != outcome_of(clause_id, lawful(state))


def test_animals_whose_status_has_moved_may_be_missing_from_a_filter() -> None:
    """And be there again."""
    moved = [{**each, "status": "pending"} for each in OWN]
    trace = [*in_turns("sold", 4), shown(20.2, None, moved)]
    assert FAILED != outcome_of("list.status.complete", trace)


def test_a_query_that_is_always_empty_is_no_matter_of_now_and_then() -> None:
    """Another rule says what that is."""
    trace = [*in_turns(None, 0), shown(21.0, None), listing([], at=20.2)]
    suspected = verdict_of("list.complete", trace).suspected
    assert not any(len(one.steps) > 20 for each in suspected for one in each.suspicion.experiments)
