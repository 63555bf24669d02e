"""The rule of suspicions/lists/forgotten.py: animals of the run that a filtered list has shown, and forgets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from animal_conformance.judge.case import Explained, Opinion
from animal_conformance.judge.experiments import Create, Read, WaitUntil
from animal_conformance.judge.suspicions.lists.forgotten import forgotten
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, case_of, failed_of, got, listing, lost, reads_of, verdict_of
from selftests.suspicions.lists import explained, made, own, sold, suspected, whole

CLAUSE = "list.status.complete"
OLD = tuple(range(501, 506))
FIRST = (1, 2, 3, 4, 5, 6)
NEW = (11, 12, 13)
BEFORE = [sold(0.1, *OLD), whole(0.2, *OLD), *made(*FIRST), sold(4.0, *OLD, *FIRST), whole(4.1, *OLD, *FIRST)]


def grown(
    shown: Sequence[int], *, new: Sequence[int] = NEW, unfiltered: Sequence[int] = FIRST
) -> list[Exchange]:
    """New animals one after the other, each followed by the filtered list with these and it, and by the one without."""
    trace: list[Exchange] = []
    for number, animal_id in enumerate(NEW):
        at, since = 10.0 + number, NEW[: number + 1]
        trace += [
            *made(animal_id, at=at),
            sold(at + 0.1, *shown, *(each for each in since if each in new)),
            whole(at + 0.2, *OLD, *unfiltered, *since),
        ]
    return trace


def told(trace: list[Exchange]) -> Opinion:
    """What the rule says of the last filtered list, which the one without the filter follows."""
    *_, page, _ = trace
    case = case_of(page, *(each for each in trace if each is not page))
    return forgotten(case, case.ledger.completeness.by_exchange[id(page)])


def test_a_filter_that_shows_older_and_newer_ones_has_forgotten_what_it_had_shown() -> None:
    """In turns with a list without the filter, or with getPet."""
    trace = [*BEFORE, *grown(OLD)]
    assert {CLAUSE} == failed_of(trace) & {CLAUSE, "list.complete"}
    (found,) = verdict_of(CLAUSE, trace).findings
    assert (
        "A list filtered for sold no longer shows animal 1, which has that status still."
        == found.finding.message
    )
    assert (("capped", trace[-2]), ("moved", trace[-1])) == found.finding.excluded
    assert BEFORE[2] is found.finding.related[0]
    by_get = [
        each
        if "status" in each.request.target or each.request.method == "POST"
        else got(1, own(1), at=each.sent_s)
        for each in grown(OLD)
    ]
    assert CLAUSE in failed_of([*BEFORE, *by_get, whole(14.0, *OLD, *FIRST, *NEW)])
    assert CLAUSE not in failed_of([*BEFORE, *by_get[:-1], whole(14.0, *OLD, *FIRST, *NEW)][:-1])


def test_what_a_filter_has_forgotten_is_a_finding_beside_what_may_have_moved() -> None:
    """Another one that it lacks, between older and newer ones, is asked for by itself."""
    older = [sold(0.02, *OLD[:1]), sold(0.05, *OLD[:3])]
    trace = [*older, *BEFORE, *grown((501, 502, 504, 505))]
    messages = [each.finding.message for each in verdict_of(CLAUSE, trace).findings]
    assert any("no longer shows animal 1, which has that status still" in each for each in messages)


def test_a_last_page_that_is_larger_than_all_before_hides_nothing() -> None:
    """For a long name that was added at last: the pages before it were not cut."""
    shown = [*map(own, (*OLD, *NEW)), animal(99, name="y" * 40_000, status="sold")]
    last = [listing(shown, limit=100, state="sold", at=14.0), whole(14.1, *OLD, *FIRST, *NEW)]
    assert CLAUSE in failed_of([*BEFORE, *grown(OLD), *last])


def test_where_none_is_newer_new_ones_are_made() -> None:
    """And listed as soon as they are there: a scan from the oldest on would end before them."""
    trace = [*BEFORE, sold(8.0, *OLD), whole(8.1, *OLD, *FIRST)]
    assert {"capped"} == suspected(trace, CLAUSE)
    (doubt,) = verdict_of(CLAUSE, trace).suspected
    (experiment,) = doubt.suspicion.experiments
    assert 3 == sum(isinstance(each, Create) for each in experiment.steps)
    assert {"/pets?limit=100&status=sold", "/pets/1", "/pets?limit=100"} == set(reads_of(experiment))
    unread = [*trace, *grown(OLD, new=()), sold(20.0, *OLD), whole(20.1, *OLD, *FIRST, *NEW)]
    assert Explained("capped") == told(unread)
    assert "capped" in explained([*unread, *(lost(each, at=21.0) for each in NEW)], CLAUSE)


def test_one_that_nothing_tells_of_since_the_filtered_list_is_asked_for_before_new_ones_are_made() -> None:
    """It may have been withdrawn just before; the list without the filter may be older."""
    trace = [*BEFORE, whole(7.9, *OLD, *FIRST), sold(8.0, *OLD)]
    (doubt,) = verdict_of(CLAUSE, trace).suspected
    (experiment,) = doubt.suspicion.experiments
    assert [WaitUntil(8.01), Read("/pets/1")] == list(experiment.steps)
    (doubt,) = verdict_of(CLAUSE, [*trace, got(1, own(1), at=9.0)]).suspected
    assert any(isinstance(each, Create) for each in doubt.suspicion.experiments[0].steps)
    gone = [lost(each, at=9.0) for each in FIRST]
    assert not verdict_of(CLAUSE, [*trace, *gone]).suspected


@pytest.mark.parametrize(
    "later",
    [
        pytest.param(grown(()), id="the page shows no older one: a scan of the newest ends before it"),
        pytest.param(grown(OLD, unfiltered=FIRST[1:]), id="the list without the filter lacks it as well"),
        pytest.param([got(1, animal(1, status="pending"), at=9.0), *grown(OLD)], id="it may move to and fro"),
        pytest.param(grown((*OLD, 1)), id="it is shown"),
    ],
)
def test_an_animal_that_may_lawfully_be_gone_from_a_filter_is_not_forgotten(later: list[Exchange]) -> None:
    """Each for a reason of its own; of the others, one may be."""
    found = [each.finding.message for each in verdict_of(CLAUSE, [*BEFORE, *later]).findings]
    assert not any("shows animal 1," in each for each in found)


def test_a_page_that_is_as_long_as_ever_may_be_cut() -> None:
    """In another order than that in which the animals were created."""
    before = [*BEFORE[:3], sold(4.0, *OLD, 1), whole(4.1, *OLD, *FIRST)]
    trace = [*before, *made(11, at=5.0), sold(8.0, *OLD, 11), whole(8.1, *OLD, *FIRST, 11)]
    assert Explained("capped") == told(trace)
    assert "capped" in explained(trace, CLAUSE)


def test_pages_that_lose_animals_and_show_them_again_are_a_choice() -> None:
    """What is missing in each is chance."""
    other = [sold(5.0, *OLD, *FIRST[1:]), sold(6.0, *OLD, *FIRST)]
    trace = [*BEFORE, *other, sold(8.0, *OLD), whole(8.1, *OLD, *FIRST)]
    assert Explained("sampled") == told(trace)
