"""The rules of rules/completing.py: what lists leave out, and what lawfully explains it."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.experiments import Read, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    animals,
    asked_by,
    created,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    reads_of,
    verdict_of,
)
from selftests.suspicions.lists import (
    FOREIGN,
    explained,
    filled,
    in_turns,
    made,
    own,
    smaller,
    sold,
    suspected,
    whole,
)
from selftests.tables import cases

BOTH = ("list.complete", "list.status.complete")
# Of everything, 1 is missing; the list has been longer by 3 at the end.
HIDDEN = [*made(1, 3), *in_turns(1, 9.0, whole(5.0, 3), whole(6.0, 3), whole(7.0, 3))]
LONGER = [*made(4, at=8.0), whole(8.5, 3, 4)]


def test_animals_that_stand_in_lists_are_evidence() -> None:
    """Of lists that end early, where the same query has been longer; of the filter, where the list of all shows them."""
    trace = [*made(1), whole(5.0, 1), sold(5.1, 1), *made(2, at=5.5), whole(6.0, 1, 2), sold(6.1, 1, 2)]
    assert [PASSED, PASSED] == [outcome_of(each, trace) for each in BOTH]
    assert [CANT_TELL, CANT_TELL] == [outcome_of(each, trace[:3]) for each in BOTH]
    assert CANT_TELL == outcome_of(BOTH[1], [*trace[:1], *trace[2:4], *trace[5:]])


def test_one_animal_that_lists_leave_out_in_turns_is_a_finding() -> None:
    """It names what excluded the explanations."""
    assert {"list.complete"} == failed_of([*HIDDEN, *LONGER])
    finding = verdict_of("list.complete", [*HIDDEN, *LONGER]).findings[0].finding
    assert ("capped", "sampled", "withdrawn") == tuple(each for each, _ in finding.excluded)
    assert LONGER[1] is finding.excluded[0][1]
    assert "leaves out animals that were added: 1." in finding.message


def test_what_was_sent_in_few_characters_is_the_evidence() -> None:
    """Of two that are missing, the one with a long name is named only."""
    long = own(1) | {"name": "w" * 180}
    wordy = created({name: value for name, value in long.items() if name != "id"}, 1)
    others = made(2, 3)
    lists = in_turns(2, 9.0, whole(5.0, 3), whole(6.0, 3), whole(7.0, 3))
    read = [got(1, long, at=at) for at in (5.6, 6.6, 7.6)]
    more = range(4, 20)
    longer = [*made(*more, at=8.0), whole(8.5, 3, *more)]
    (found,) = verdict_of("list.complete", [wordy, *others, *lists, *read, *longer]).findings
    assert "were added: 1, 2." in found.finding.message
    assert others[0] is found.finding.related[0]
    (alone,) = verdict_of("list.complete", [wordy, *others[1:], *lists, *read, *longer]).findings
    assert wordy is alone.finding.related[0]


def test_it_is_a_suspicion_until_it_was_asked_in_turns() -> None:
    """The experiment asks for the same list and the animal."""
    unread = [*made(1, 3), whole(5.0, 3), *LONGER]
    (first,) = verdict_of("list.complete", unread).suspected[0].suspicion.experiments
    assert (WaitUntil(unread[-1].answered_s), Read("/pets/1")) == first.steps
    trace = [*unread, got(1, own(1), at=9.0)]
    assert {"sampled"} == suspected(trace)
    (experiment,) = verdict_of("list.complete", trace).suspected[0].suspicion.experiments
    assert {"/pets?limit=100", "/pets/1"} == set(reads_of(experiment))


def test_a_list_that_was_never_longer_may_be_cut() -> None:
    """Something is added to it; if it does not grow, it is cut, and if it grows, it was not."""
    assert "capped" in suspected(HIDDEN)
    same = [*HIDDEN, *made(4, at=9.5), whole(12.0, 3), smaller(12.1, 3)]
    assert FAILED != outcome_of("list.complete", same)
    assert {"capped"} == explained(same, "list.complete")
    assert set() == suspected(same)
    assert FAILED == outcome_of("list.complete", [*HIDDEN, *made(4, at=9.5), whole(12.0, 3, 4)])


def test_a_list_that_never_shows_what_was_added_is_a_finding() -> None:
    """Where it shows all that was there when it was first requested, and nothing but the run's own is missing."""
    stale = [whole(0.5), *made(1, 3), *in_turns(1, 9.0, whole(5.0), whole(6.0), whole(7.0))]
    assert {"list.complete"} == failed_of(stale)
    older = [*stale, listing([animal(400)], limit=1, at=4.0), smaller(9.5)]
    assert set() == failed_of(older)
    assert {"capped"} == explained(older, "list.complete")


def test_a_list_that_shows_an_animal_now_and_then_is_a_choice() -> None:
    """That query is excused for that animal."""
    trace = [*made(1, 3), whole(4.0, 1, 3), *HIDDEN[2:], *LONGER]
    assert set() == failed_of(trace)
    assert {"sampled"} == explained(trace, "list.complete")


def test_pages_that_end_anywhere_are_alike_three_times_by_chance() -> None:
    """The newest first, and as many as could be read in time: before there were so many, all of them."""
    before = [animal(each, name=f"someone's {each} " + "y" * 40) for each in range(145, 100, -1)]
    newest = [*(own(each) for each in range(2040, 2000, -1)), *before]
    sent = [each for number in range(2001, 2041) for each in made(number, at=number / 1000)]
    anywhere = (28, 11, 22, 35, 8, 31, 13, 27, 10, 34, 19, 24, 14, 29, 16, 32)
    lengths = (30, 12, 25, 15, 15, 15, 33, 9, *anywhere)
    lists = [listing(newest[:count], limit=100, at=10.0 + at) for at, count in enumerate(lengths)]
    found = [got(2001, own(2001), at=each.sent_s + 0.5) for each in lists]
    trace = [listing(before, limit=100, at=0.5), *sent]
    assert set() == failed_of([*trace, *lists, *found])
    # Three alone are no chance, where what is missing does not come last in their order.
    mixed = [*newest[5:15], *newest[:5]]
    three = [listing(mixed, limit=100, at=10.0 + at) for at in (3, 4, 5)]
    assert {"list.complete"} == failed_of([*trace, *three, *found[3:6], filled(13.7, mixed)])


@pytest.mark.parametrize(
    ("filtered", "failed"),
    [
        pytest.param(20, set(), id="a cap that is 20 at times"),
        pytest.param(8, {"list.complete"}, id="a node with 20 animals, 8 of them sold"),
        pytest.param(None, set(), id="a list with the filter that never was longer"),
    ],
)
def test_a_cap_that_changes_cuts_lists_with_a_filter_at_the_same_length(
    filtered: int | None, failed: set[str]
) -> None:
    """A node that has no more animals than it lists without a filter has fewer of each status."""
    others = [animal(each, status=("sold", "pending")[each % 2]) for each in range(100, 160)]
    sales = [each for each in others if each["status"] == "sold"]
    before = [listing(sales, limit=100, state="sold", at=0.4)] if filtered else []
    trace = [whole_of(others, 0.2), *before, *made(1), filled(5.8, others[:20])]
    for at in (5.0, 6.0, 7.0):
        few = listing(sales[: filtered or 20], limit=100, state="sold", at=at + 0.5)
        trace += [whole_of(others[:20], at), got(1, own(1), at=at + 0.3), few]
    assert failed == failed_of(trace) & {"list.complete"}


def whole_of(shown: list[dict[str, Any]], at: float) -> Exchange:
    """The largest list without a filter."""
    return listing(shown, limit=100, at=at)


def test_another_query_that_loses_animals_excuses_nothing() -> None:
    """Nor does this one, for another animal, before or after."""
    others = [listing(animals(3 - at, 100), limit=50, at=4.0 + at) for at in range(2)]
    assert {"list.complete"} == failed_of([*HIDDEN, *LONGER, *others])
    lost_once = [*made(9, at=1.5), whole(4.0, 3, 9), filled(5.8, [*FOREIGN, own(3)])]
    assert {"list.complete"} == failed_of([*HIDDEN, *LONGER, *lost_once])


@cases("later", {"gone": [lost(1, at=12.0)], "not asked for": []})
def test_an_animal_that_may_be_gone_is_no_finding(later: list[Exchange]) -> None:
    """What is not found is covered by get.found."""
    pages = [whole(5.0, 3), whole(6.0, 3), whole(7.0, 3)]
    trace = [*made(1, 3), *pages, *LONGER, *later]
    assert "list.complete" not in failed_of(trace)
    assert bool(suspected(trace)) == (not later)


def test_where_some_are_gone_getpet_may_lag_behind() -> None:
    """It shows once more, after settling, whether the animal is still there."""
    pages = [each for at in (5.0, 5.2, 5.4) for each in (whole(at, 3), got(1, own(1), at=at + 0.1))]
    trace = [*made(1, 3), *pages, *LONGER]
    assert {"list.complete"} == failed_of(trace)
    elsewhere = [*made(9, at=0.5), lost(9, at=4.0)]
    assert "list.complete" not in failed_of([*elsewhere, *trace])
    asked = asked_by(verdict_of("list.complete", [*elsewhere, *trace]))
    assert (Read("/pets/1"),) in [each.steps[1:] for each in asked]
    assert "list.complete" in failed_of([*elsewhere, *trace, got(1, own(1), at=9.0)])
    gone = verdict_of("list.complete", [*elsewhere, *trace, lost(1, at=9.0)])
    assert (0, False) == (
        gone.finding_count,
        any("animal 1" == each.suspicion.subject for each in gone.suspected),
    )


def test_lists_may_lag_until_the_time_to_settle_is_over() -> None:
    """What is missing from the last list that was too early is asked for again."""
    trace = [*made(1, 3, at=4.5), *HIDDEN[2:4], *LONGER]
    assert FAILED != outcome_of("list.complete", [*trace, whole(9.9, 1, 3, 4)])
    early = [*made(1), whole(1.2), *made(3, at=1.3), whole(1.5, 3)]
    assert {"lagging"} == suspected(early)
    assert set() == suspected([*early, whole(9.0, 1, 3)])


# Filters

FILTER = [
    *made(1, 3),
    *(each for at in (5.0, 6.0, 7.0) for each in (sold(at, 3), whole(at + 0.5, 1, 3))),
    *made(4, at=8.0),
    sold(8.5, 3, 4),
]


def test_an_animal_that_only_the_filter_leaves_out_is_a_finding_of_the_filter() -> None:
    """The list of all shows it in turns, so that a scan has met it."""
    assert {"list.status.complete"} == failed_of(FILTER)
    once = [*FILTER[:4], *FILTER[8:], got(1, own(1), at=8.6)]
    assert {"sampled"} == suspected(once, "list.status.complete")


def test_an_animal_that_every_list_leaves_out_is_no_finding_of_the_filter() -> None:
    """One cause, one clause."""
    trace = [*HIDDEN, *LONGER, *(sold(at, 3) for at in (5.1, 6.1, 7.1)), sold(8.6, 3, 4)]
    assert {"list.complete"} == failed_of(trace)


def test_an_animal_whose_status_moved_is_no_finding_of_the_filter() -> None:
    """It stands in another list now."""
    moved = got(1, {**own(1), "status": "pending"}, at=9.5)
    trace = [*FILTER[:3], *FILTER[8:], moved]
    assert set() == failed_of(trace)
    assert set() == suspected(trace, "list.status.complete")
    # Lists without a filter that go on showing its old one are covered by create.status.exact.
    assert "list.status.complete" not in failed_of([*FILTER, moved])


def test_a_filter_with_a_cap_of_its_own_is_no_finding() -> None:
    """It does not grow with what is added to it."""
    less = listing([own(3)], limit=99, state="sold", at=11.1)
    trace = [*FILTER[:8], *made(4, at=8.0), sold(11.0, 3), less]
    assert set() == failed_of(trace)
    assert {"capped"} == explained(trace, "list.status.complete")


def oldest(at: float) -> Exchange:
    """The largest list without a filter, which others fill: what was added stands behind its end."""
    return listing(animals(100, 100), limit=100, at=at)


BEHIND = [
    oldest(0.2),
    listing(animals(30, 300, status="sold"), limit=100, state="sold", at=0.3),
    *made(1, 2),
    *made(3, at=2.0),
]


def behind(at: float, *ids: int) -> Exchange:
    """The largest list of the sold animals, oldest first: others, and these."""
    return listing([*animals(30, 300, status="sold"), *map(own, ids)], limit=100, state="sold", at=at)


def test_a_filtered_list_tells_where_the_one_without_the_filter_ends_before_what_was_added() -> None:
    """It has room, and shows older and newer animals."""
    trace = [*BEHIND, oldest(4.9), behind(5.0, 1, 2, 3), behind(6.0, 1, 2, 3)]
    assert PASSED == outcome_of("list.status.complete", [*trace, *made(4, at=7.0), behind(9.5, 1, 2, 3, 4)])
    assert CANT_TELL == outcome_of("list.status.complete", trace[:5] + trace[6:])
    newest = [*BEHIND, oldest(4.9), behind(5.0, 3), behind(9.0, 3)]
    assert CANT_TELL == outcome_of("list.status.complete", newest)


def test_what_it_leaves_out_between_others_is_a_finding() -> None:
    """In turns with getPet."""
    turns = in_turns(2, 20.0, *(behind(at, 1, 3) for at in (5.0, 6.0, 7.0)))
    longer = [*made(4, at=8.0), behind(10.5, 1, 3, 4)]
    trace = [*BEHIND, oldest(4.9), *turns, *longer]
    assert {"list.status.complete"} == failed_of(trace)
    roomy = listing(animals(40, 100), limit=100, at=4.9)
    assert "list.status.complete" not in failed_of([*BEHIND, roomy, *turns, *longer])
    unlisted = [*BEHIND, *turns, *longer]
    assert "list.status.complete" not in failed_of(unlisted)


# Of 30 others and 3 a list shows 20 from a time on, and never 1, which is older than 3.
OTHERS = animals(30, 100)
CUT = [*OTHERS[:5], own(3), *OTHERS[5:19]]
SHORTER = [
    whole_of(OTHERS, 0.5),
    *made(1, at=1.0),
    *made(3, at=1.5),
    *in_turns(1, 9.0, *(whole_of(CUT, at) for at in (5.0, 6.0, 7.0))),
    filled(5.8, CUT),
]
ADDED = made(4, at=9.5)
SAME, GROWN = whole_of(CUT, 13.0), whole_of([own(4), *CUT], 13.0)
THERE, GONE = (
    [each(number, at=13.5) for number in (129, 128, 127)]
    for each in (lambda number, **at: got(number, animal(number), **at), lost)
)


@pytest.mark.parametrize(
    ("later", "outcome"),
    [
        pytest.param([], CANT_TELL, id="nothing was asked"),
        pytest.param([*ADDED, SAME], CANT_TELL, id="what it shows no longer was not asked for"),
        pytest.param(THERE, CANT_TELL, id="nothing was added"),
        pytest.param([*ADDED, SAME, *THERE], PASSED, id="as long as ever"),
        pytest.param([*ADDED, GROWN, *THERE], FAILED, id="it goes on growing"),
        pytest.param([*ADDED, SAME, *GONE], FAILED, id="what it shows no longer is gone"),
    ],
)
def test_a_list_may_be_cut_that_was_longer_before_its_cap_was_lowered(
    later: list[Exchange], outcome: str
) -> None:
    """It is, where it has been as long as ever since, whatever was added, and what it showed before is still there."""
    judged = verdict_of("list.complete", [*SHORTER, *later])
    assert (outcome == FAILED) == bool(judged.findings)
    assert (outcome == CANT_TELL) == bool(judged.suspected)
    if not later:
        targets = {"/pets?limit=100", "/pets/129", "/pets/128", "/pets/127"}
        assert targets <= set(reads_of(*asked_by(judged)))
