"""The rule of suspicions/lists/overlooked.py: other people's animals, and those that have moved, that a filter leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    JSON,
    animal,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    verdict_of,
)
from selftests.suspicions.lists import alternating, explained, filtered, made_in_order, suspected, unfiltered
from selftests.tables import cases


def in_turns(plain: Sequence[int], shown: Sequence[int]) -> list[Exchange]:
    """The list without the filter and the one with it, once, and three times when they have settled."""
    pages = (lambda at: unfiltered(at, *plain)), (lambda at: filtered(at, *shown))
    return alternating(*pages, at=(1.0, 5.0, 6.0, 7.0))


ALL, SHOWN = (9, 7, 5, 3), (9, 7, 3)
CLAUSE = "list.status.complete"
NEXT = [unfiltered(1.0, *ALL), filtered(1.5, *SHOWN)]
OVERLOOKED = [filtered(0.5, 7, 3), *in_turns(ALL, SHOWN), unfiltered(8.0, *ALL), got(5, animal(5), at=8.5)]


def test_an_animal_of_others_that_the_filter_leaves_out_in_turns_is_a_finding() -> None:
    """It stands between two that the filter lets through, so neither a cap nor a scan has left it out."""
    assert {CLAUSE} == failed_of(OVERLOOKED)
    (found,) = verdict_of(CLAUSE, OVERLOOKED).findings
    first, last, shown = OVERLOOKED[4], OVERLOOKED[8], OVERLOOKED[9]
    assert (("moved", shown), ("sampled", last), ("capped", first)) == found.finding.excluded
    assert (found.exchange, (shown, last)) == (first, found.finding.related)
    assert "shows with that status: 5." in found.finding.message


def grown(*, by: int, order: int = 1, hidden: tuple[int, ...] = (3,)) -> list[Exchange]:
    """Lists of the ids 1 to 5 and of new ones up to so many more, in turns; the filter always leaves out the hidden ones."""
    trace = [filtered(0.5, *[each for each in range(1, 6)[::order] if each not in hidden])]
    for at, more in ((1.0, 0), (5.0, by), (6.0, by), (7.0, by)):
        ids = range(1, 6 + more)[::order]
        trace += [unfiltered(at, *ids), filtered(at + 0.5, *[each for each in ids if each not in hidden])]
    return [*trace, unfiltered(8.0, *range(1, 6 + by)[::order]), *(got(each, at=8.5) for each in hidden)]


@pytest.mark.parametrize("order", [1, -1])
@cases(
    ("hidden", "by", "failed"),
    {
        "the oldest": ((1,), 2, True),
        "the two oldest": ((1, 2), 3, True),
        "a scan that may end right behind it": ((1,), 1, False),
        "a list that has not grown": ((1,), 0, False),
    },
)
def test_what_a_filter_leaves_out_at_its_end_is_a_finding_once_it_has_outgrown_a_scan(
    hidden: tuple[int, ...], by: int, order: int, *, failed: bool
) -> None:
    """In either order: had the newest rows been scanned, what stands next to it would have gone as well."""
    trace = [*made_in_order(), *grown(by=by, order=order, hidden=hidden)]
    assert failed is (CLAUSE in failed_of(trace))


@cases("ids", {"in no order": (90, 70, 80), "too few to tell": (70, 80, 90)})
def test_where_ids_do_not_tell_the_age_an_end_may_be_that_of_a_scan(ids: tuple[int, ...]) -> None:
    """Three of the run's own animals may have random ids that ascend by chance."""
    trace = grown(by=2, hidden=(1,))
    made = [created(named(f"Rex{each}"), each, at=0.1 * at) for at, each in enumerate(ids, start=1)]
    assert set() == failed_of([*made, *trace]) & {CLAUSE}


def test_eight_animals_in_the_order_of_their_creation_tell_that_ids_tell_the_age() -> None:
    """And no fewer, nor such that were created at the same time."""
    trace = grown(by=2, hidden=(1,))
    at_once = [replace(each, sent_s=0.0) for each in made_in_order()]
    assert CLAUSE in failed_of([*made_in_order(8), *trace])
    assert CLAUSE not in failed_of([*made_in_order(7), *trace]) | failed_of([*at_once, *trace])


def test_what_getpet_told_before_is_no_proof_that_it_still_has_that_status() -> None:
    """The list without the filter may be stored."""
    before = [*OVERLOOKED[:-1], got(5, animal(5), at=0.7)]
    assert set() == failed_of(before)
    assert {"moved"} == suspected(before, CLAUSE)


def test_an_animal_of_others_that_the_filter_left_out_once_is_asked_for_in_turns() -> None:
    """When lists may lag no longer."""
    verdict = verdict_of(CLAUSE, OVERLOOKED[:3])
    assert CANT_TELL == verdict.outcome
    (experiment,) = verdict.suspected[0].suspicion.experiments
    assert ("moved", WaitUntil(3.51)) == (experiment.explanation, experiment.steps[0])


def test_a_filter_may_know_sooner_than_all_others_that_an_animal_has_moved() -> None:
    """The list without the filter and getPet may be of a replica that lags behind, or be stored."""
    soon = [each for at in (10.0, 10.3, 10.6) for each in (filtered(at, *SHOWN), unfiltered(at + 0.1, *ALL))]
    lagging = [filtered(0.5, 7, 3), unfiltered(1.0, *ALL), *soon, got(5, animal(5), at=10.8)]
    assert set() == failed_of(lagging)
    assert {"moved"} == suspected(lagging, CLAUSE)
    at_last = listing([animal(5, status="sold"), animal(3)], limit=100, at=20.0)
    assert set() == suspected([*lagging, at_last], CLAUSE)
    old = (*JSON, ("Cache-Control", "max-age=30"))
    pages = (lambda at: filtered(at, *SHOWN)), (lambda at: unfiltered(at, *ALL, headers=old))
    stored = alternating(*pages, at=(10.0, 14.0, 15.0, 16.0))
    trace = [filtered(0.5, 7, 3), unfiltered(1.0, *ALL), *stored, got(5, animal(5), at=17.0)]
    assert set() == failed_of(trace)
    (doubt, *_) = verdict_of(CLAUSE, trace).suspected
    assert ("cached", WaitUntil(42.01)) == (
        doubt.suspicion.experiments[0].explanation,
        doubt.suspicion.experiments[0].steps[0],
    )


@pytest.mark.parametrize(("age", "open_ones", "closed"), [(60, {"cached"}, set()), (61, set(), {"cached"})])
def test_lists_that_may_be_stored_for_long_are_an_excuse(
    age: int, open_ones: set[str], closed: set[str]
) -> None:
    """Reading 20: a run waits for a minute, and no longer."""
    old = unfiltered(2.0, *ALL, headers=(*JSON, ("Cache-Control", f"max-age={age}")))
    trace = [filtered(0.5, 7, 3), *NEXT, old]
    assert (open_ones, closed) == (suspected(trace, CLAUSE), explained(trace, CLAUSE))


def test_the_time_to_settle_begins_with_the_first_list_that_lacks_what_others_have_shown() -> None:
    """From then on, all that tells its status may lag; the filter may have shown it in between."""
    shown = [unfiltered(1.0, *ALL), filtered(1.2, *ALL), filtered(1.5, *SHOWN)]
    trace = [
        unfiltered(0.1, *SHOWN),
        filtered(0.5, 7, 3),
        *shown,
        unfiltered(2.0, *ALL),
        filtered(2.5, *SHOWN),
    ]
    doubts = verdict_of(CLAUSE, trace).suspected
    assert [trace[4], trace[6]] == [each.exchange for each in doubts]
    assert [WaitUntil(3.51)] * 2 == [each.suspicion.experiments[0].steps[0] for each in doubts]
    assert [(shown[0],)] * 2 == [each.suspicion.finding.related for each in doubts]


@cases(
    ("trace", "failed"),
    {
        "shown before": ([*OVERLOOKED[:3], filtered(1.7, *ALL), *OVERLOOKED[3:]], True),
        "cut before": ([filtered(0.5, 7), OVERLOOKED[1], filtered(1.5, 9, 7), *OVERLOOKED[3:]], True),
        "of that status since": ([got(5, animal(5, status="sold"), at=0.7), *OVERLOOKED], True),
        "gone in the end": ([*OVERLOOKED, unfiltered(9.0, *SHOWN)], True),
        "twice after the time to settle": ([*OVERLOOKED[:7], *OVERLOOKED[9:]], False),
        "once in another order": (
            [filtered(6.5, 3, 7, 9) if each is OVERLOOKED[6] else each for each in OVERLOOKED],
            False,
        ),
    },
)
def test_three_turns_are_a_finding_whatever_was_before(trace: list[Exchange], *, failed: bool) -> None:
    """In each of them the animal is passed over, and may no longer lag."""
    assert ({CLAUSE} if failed else set()) == failed_of(trace)


def test_an_animal_that_getpet_can_no_longer_tell_of_is_judged_by_lists() -> None:
    """GetPet was removed on its date."""
    unread = [*OVERLOOKED[:-1], lost(5, at=8.5)]
    assert {CLAUSE} == failed_of(unread, today="2031-01-01")


@cases(
    "last",
    {
        "it ends before": filtered(7.5, 9, 7),
        "one that has no id may be it": listing(
            [animal(9), animal(7), animal(...), animal(3)], limit=100, state="available", at=7.5
        ),
    },
)
def test_a_filter_whose_last_list_cannot_tell_is_not_asked_again(last: Exchange) -> None:
    """It would not tell then either."""
    trace = [last if each is OVERLOOKED[8] else each for each in OVERLOOKED]
    assert CLAUSE not in failed_of(trace)
    assert (set(), {"moved"}) == (suspected(trace, CLAUSE), explained(trace, CLAUSE))


@pytest.mark.parametrize(("turns", "closed"), [(3, set()), (4, {"sampled"})])
def test_a_filter_that_loses_others_in_every_turn_is_a_choice(turns: int, closed: set[str]) -> None:
    """Three times it was unlike what it was before."""
    ids = (15, 13, 11, 9, 7, 5, 3)
    trace = [filtered(0.5, 7, 3), unfiltered(1.0, *ids), filtered(1.5, 15, 13, 11, 9, 7, 3)]
    for number in range(turns):
        lacking = filtered(5.5 + number, *ids[number:5], 3)
        trace += [unfiltered(5.0 + number, *ids), lacking, unfiltered(5.7 + number, *ids)]
    assert set() == failed_of(trace)
    assert closed == explained(trace, CLAUSE)


def test_an_animal_that_has_moved_hides_no_other_that_is_left_out() -> None:
    """Each of them is judged."""
    ids = (9, 7, 6, 5, 3)
    told = [
        filtered(0.5, 7, 3),
        *in_turns(ids, SHOWN),
        unfiltered(8.0, *ids),
        got(6, animal(6, status="sold"), at=8.2),
        got(5, animal(5), at=8.5),
    ]
    found = verdict_of(CLAUSE, told).findings[0].finding
    assert "shows with that status: 5." in found.message


@cases(
    ("plain", "shown"),
    {
        "behind all that the filter shows": ((9, 7, 3, 5), SHOWN),
        "before all that the filter shows": ((5, 9, 7, 3), SHOWN),
        "in another order": (ALL, (3, 7, 9)),
        "beside nothing that the filter shows": ((29, 27, 5, 23), SHOWN),
        "a filter that has never shown more": (ALL, (7, 3)),
    },
)
def test_what_a_filter_may_not_have_come_to_is_not_left_out(
    plain: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    """It was cut, or looked at so many animals and no more."""
    trace = [*in_turns(plain, shown), got(5, animal(5), at=9.0)]
    assert set() == failed_of([filtered(0.5, 7, 3), *trace])
    assert set() == suspected([filtered(0.5, 7, 3), *trace], CLAUSE)


@cases(
    ("trace", "open_ones", "closed"),
    {
        "left out of none": ([unfiltered(1.0, *ALL), filtered(1.5, *ALL)], set(), set()),
        "shown only after": ([filtered(1.5, *SHOWN), unfiltered(2.0, *ALL)], set(), set()),
        "shown right before, if not at first": (
            [unfiltered(0.8, *SHOWN), unfiltered(1.0, *ALL), filtered(1.5, *SHOWN)],
            {"moved"},
            set(),
        ),
        "no longer shown right after": ([*NEXT, unfiltered(2.0, *SHOWN)], set(), set()),
        "shown right after, and gone in the end": (
            [*NEXT, unfiltered(2.0, *ALL), unfiltered(3.0, *SHOWN)],
            set(),
            {"moved"},
        ),
    },
)
def test_the_lists_without_the_filter_next_to_one_say_what_it_leaves_out(
    trace: list[Exchange], open_ones: set[str], closed: set[str]
) -> None:
    """The one before it, and the one after it, if there is one."""
    whole = [filtered(0.5, 7, 3), *trace]
    assert (open_ones, closed) == (suspected(whole, CLAUSE), explained(whole, CLAUSE))


def test_an_animal_of_others_that_the_list_of_all_loses_is_no_matter_of_filters() -> None:
    """It may be gone: getPet is asked for it."""
    lost = [unfiltered(1.0, *ALL), unfiltered(5.0, *SHOWN)]
    assert ({"withdrawn"}, set()) == (suspected(lost), explained(lost, "list.complete"))
    assert set() == suspected(lost, CLAUSE)


def test_what_a_filter_shows_behind_the_end_of_the_list_of_all_stands_behind_it() -> None:
    """The list of all was full."""
    cut = in_turns((9, 7, 5), SHOWN)
    cut += [unfiltered(each.sent_s + 0.6, 9, 7, 5) for each in cut[::2]]
    assert {CLAUSE} == failed_of([filtered(0.5, 7, 3), *cut, got(5, animal(5), at=9.0)])


def test_an_animal_of_others_that_has_moved_belongs_in_no_such_list() -> None:
    """The list of all or getPet tells another status, or the filter shows it later."""
    moved = [animal(9), animal(7), animal(5, status="sold"), animal(3)]
    trace = [*OVERLOOKED[:3], listing(moved, limit=100, at=1.6)]
    assert set() == failed_of(trace) | suspected(trace, CLAUSE)
    told = [*OVERLOOKED[:-1], got(5, moved[2], at=8.5)]
    assert CLAUSE not in failed_of(told) | suspected(told, CLAUSE)
    assert set() == failed_of([*OVERLOOKED, listing(moved, limit=100, at=9.0)])
    late = [*OVERLOOKED[:3], filtered(1.7, *ALL)]
    assert set() == failed_of(late) | suspected(late, CLAUSE)
    assert {"sampled"} == explained(late, CLAUSE)


def test_a_status_that_getpet_omits_is_the_one_that_lists_tell() -> None:
    """An animal without a status may be shown with a default one, but then the filter has to find it."""
    assert CLAUSE in failed_of([*OVERLOOKED[:-1], got(5, animal(5, status=...), at=8.5)])
