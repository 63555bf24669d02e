"""The rules of suspicions/lists/cut_short.py: large lists that end where a smaller one did."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.experiments import Create
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ANSWER,
    FAILED,
    MADE,
    OF_EACH_LIST,
    OWN,
    animal,
    asked_by,
    failed_of,
    listing,
    reads_of,
    verdict_of,
)

OTHERS = [animal(at, status="sold") for at in range(50, 60)]
EVERYTHING = [*OTHERS, *OWN]


def large(at: float, state: str | None, animals: Any = None) -> Exchange:
    """The largest list, with everything unless other animals are given."""
    return listing(EVERYTHING if animals is None else animals, limit=100, state=state, at=at)


def small(at: float, state: str | None, limit: int) -> Exchange:
    """A list that is full at a small limit."""
    return listing(EVERYTHING[:limit], limit=limit, state=state, at=at)


def rounds(state: str | None, *limits: int, at: float = 20.0, cut: bool = True) -> list[Exchange]:
    """Whole lists, and between them two small ones at each limit, with a large one that is the same or a whole one."""
    trace = [*MADE, large(at, state)]
    for number, limit in enumerate(limits):
        begun = at + 2 * number
        end = large(begun + 0.7, state, EVERYTHING[:limit] if cut else None)
        trace += [small(begun + 0.3, state, limit), small(begun + 0.5, state, limit), end]
        trace.append(large(begun + 0.9, state))
    return trace


@OF_EACH_LIST
def test_lists_that_end_where_the_one_before_did_are_a_finding(state: str | None, clause_id: str) -> None:
    """Three times, at two limits and more; the first one says so, with those that follow."""
    trace = rounds(state, 3, 5, 7)
    assert {clause_id} == failed_of(trace)
    verdict = verdict_of(clause_id, trace)
    assert (trace[7].reference,) == verdict.found_in
    finding = verdict.findings[0].finding
    assert (trace[6],) == finding.related
    assert (("sampled", trace[11]), ("sampled", trace[15])) == finding.excluded


@OF_EACH_LIST
def test_one_is_put_to_the_test(state: str | None, clause_id: str) -> None:
    """Small lists, each read twice, and a large one, after creations."""
    verdict = verdict_of(clause_id, rounds(state, 7))
    assert FAILED != verdict.outcome
    (experiment,) = asked_by(verdict)
    of_status = "&status=sold" if state else ""
    reads = reads_of(experiment)
    largest = f"/pets?limit=100{of_status}"
    assert [f"/pets?limit=7{of_status}", f"/pets?limit=7{of_status}", largest] == reads[:3]
    assert reads.count(largest) == sum(isinstance(step, Create) for step in experiment.steps)


@OF_EACH_LIST
def test_the_same_limit_each_time_is_no_finding(state: str | None, clause_id: str) -> None:
    """A list that is of one length now and then is no follower of others."""
    assert FAILED != verdict_of(clause_id, rounds(state, 7, 7, 7)).outcome


@OF_EACH_LIST
def test_one_that_the_experiment_does_not_meet_again_is_a_choice(state: str | None, clause_id: str) -> None:
    """It cannot be told what cut it."""
    later = [each for each in rounds(state, 7, 3, 9, 5, at=40.0, cut=False) if each not in MADE]
    verdict = verdict_of(clause_id, [*rounds(state, 7), *later])
    assert FAILED != verdict.outcome
    assert not any(isinstance(step, Create) for each in asked_by(verdict) for step in each.steps)


def test_animals_that_are_gone_afterwards_were_not_cut() -> None:
    """A store that shrinks to what a small list shows lacks nothing that is there."""
    trace = [*MADE, large(20.0, None)]
    for at, limit in ((21.0, 9), (22.0, 7), (23.0, 5)):
        trace += [small(at, None, limit), large(at + 0.5, None, EVERYTHING[:limit])]
    assert FAILED != verdict_of("list.complete", trace).outcome


@OF_EACH_LIST
def test_what_no_whole_list_shows_afterwards_is_gone_and_not_suspected(
    state: str | None, clause_id: str
) -> None:
    """An archive may leave just as many animals as a small list has shown."""
    cut = [*MADE, large(20.0, state), small(21.0, state, 7), large(21.5, state, EVERYTHING[:7])]

    def is_tried(trace: list[Exchange]) -> bool:
        return any("limit=7" in each for each in reads_of(*asked_by(verdict_of(clause_id, trace))))

    assert is_tried(cut)
    assert not is_tried([*cut, large(23.0, state, EVERYTHING[:6])])
    assert is_tried([*cut, large(23.0, state)])


@OF_EACH_LIST
def test_a_stored_list_lacks_nothing_that_was_added_since(state: str | None, clause_id: str) -> None:
    """Others were known before, and are in a list of 20 s ago."""

    def are_tried(*headers: tuple[str, str]) -> bool:
        end = listing(EVERYTHING[:7], limit=100, state=state, at=21.5, headers=(*headers, *ANSWER))
        trace = [*MADE, large(20.0, state), small(21.0, state, 7), end]
        return any("limit=7" in each for each in reads_of(*asked_by(verdict_of(clause_id, trace))))

    assert are_tried()
    assert are_tried(("Cache-Control", "max-age=1"))
    assert not are_tried(("Cache-Control", "max-age=30"))
