"""The rule of suspicions/lists/emptiness.py: lists that are empty although there are animals."""

from __future__ import annotations

from collections.abc import Callable

from animal_conformance.judge.experiments import Create, WaitUntil
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    animal,
    created,
    failed_of,
    got,
    listing,
    named,
    reads_of,
    steps_asked,
    verdict_of,
)
from selftests.suspicions.lists import alternating, explained, made, own, sold, suspected, whole
from selftests.tables import cases

CLAUSE = "list.status.complete"
EMPTY = alternating(sold, lambda at: whole(at, 1))


def message(clause_id: str, trace: list[Exchange]) -> str:
    """What the first finding of a clause says."""
    return verdict_of(clause_id, trace).findings[0].finding.message


def test_a_filtered_list_that_is_always_empty_is_a_finding_whatever_its_cap() -> None:
    """Reading 20: in turns, the page of the same limit goes on showing animals with that status."""
    (found,) = verdict_of(CLAUSE, [*made(1), *EMPTY]).findings
    assert (EMPTY[0], (EMPTY[1],)) == (found.exchange, found.finding.related)
    assert (("capped", EMPTY[5]),) == found.finding.excluded
    assert "A list filtered for sold is empty, although unfiltered lists show" in found.finding.message
    small = alternating(
        lambda at: listing([], limit=1, state="sold", at=at), lambda at: listing([own(1)], limit=1, at=at)
    )
    for trace in (EMPTY, [sold(4.0, 1), *EMPTY], small):
        assert {CLAUSE} == failed_of([*made(1), *trace])
    assert {"capped"} == suspected([*made(1), *EMPTY[:4]], CLAUSE)


def test_a_filtered_list_that_is_empty_although_a_smaller_one_is_not_is_a_finding() -> None:
    """Whatever a scan for the larger limit meets, a scan for the smaller one meets no more.

    A list without a limit may be as short as others without one are.
    """

    def few(at: float, limit: int = 2) -> Exchange:
        return listing([own(1)], limit=limit, state="sold", at=at)

    def turns(shown: Callable[[float], Exchange]) -> list[Exchange]:
        return alternating(lambda at: listing([], state="sold", at=at), shown, at=(6.0, 7.0, 8.0))

    plain = [*made(1), listing([animal(2), animal(4)], at=4.5)]
    empty = [listing([], state="sold", at=5.0), listing([animal(2), animal(4)], at=5.5)]
    assert {"capped"} == explained([*plain, *empty], CLAUSE)
    (doubt,) = verdict_of(CLAUSE, [*plain, few(4.0), *empty]).suspected
    targets = reads_of(doubt.suspicion.experiments[0])
    assert {"/pets?status=sold", "/pets?limit=2&status=sold"} == set(targets)
    trace = [*plain, few(4.0), *empty, *turns(few)]
    assert {CLAUSE} == failed_of(trace)
    assert "A list filtered for sold is empty, although other lists show" in message(CLAUSE, trace)
    assert set() == failed_of([*plain, *empty, *turns(lambda at: few(at, 3))])
    assert set() == failed_of([*plain, *empty, *turns(lambda at: listing([own(1)], limit=20, at=at))])


def test_a_filter_of_what_was_chosen_by_chance_may_leave_nothing() -> None:
    """Where some lists without the filter show no animal that belongs in it."""
    lacking = listing([animal(2), animal(4)], limit=100, at=7.2)
    assert {CLAUSE} == failed_of([*made(1), *EMPTY])
    assert set() == failed_of([*made(1), *EMPTY, lacking])


def test_a_smaller_filtered_list_that_shows_it_each_time_is_no_choice() -> None:
    """Whatever other lists leave out meanwhile, such as the newest without a filter; one that is empty in between may be one."""

    def few(at: float, *shown: int) -> Exchange:
        return listing([own(each) for each in shown], limit=2, state="sold", at=at)

    turns = alternating(sold, lambda at: few(at, 1))
    lacking = listing([animal(2), animal(4)], limit=100, at=7.2)
    assert {CLAUSE} == failed_of([*made(1), *turns, lacking])
    assert set() == failed_of([*made(1), *turns, few(7.2)])


def test_what_other_lists_show_is_waited_for_until_it_has_settled() -> None:
    """However often the list was empty before: replicas may lag."""
    empties = [sold(1.2 + each / 10) for each in range(10)]

    def waited_for(trace: list[Exchange]) -> set[float]:
        doubts = verdict_of(CLAUSE, trace).suspected
        first = [each.suspicion.experiments[0].steps[0] for each in doubts]
        return {round(each.time_s, 2) for each in first if isinstance(each, WaitUntil)}

    assert {4.11} == waited_for([*made(1), *empties, whole(2.5, 1)])
    new = [*made(1), *(sold(5 + each / 10) for each in range(10)), *made(2, at=6.0), whole(6.5, 2)]
    assert {8.01} == waited_for(new)


@cases(
    "trace",
    {
        "not always": [*EMPTY[:4], sold(7.0, 1), EMPTY[5]],
        "beyond the scan": alternating(sold, whole),
        "another limit": alternating(sold, lambda at: listing([own(1)], limit=99, at=at)),
        "others of another status": [
            listing([animal(2)], at=0.5),
            *alternating(sold, lambda at: listing([animal(2)], limit=100, at=at)),
        ],
        "no list shows any": alternating(sold, lambda at: got(1, own(1), at=at)),
        "a new one": [*made(2, at=4.0), *alternating(sold, lambda at: whole(at, 2))],
    },
)
def test_an_empty_filtered_list_may_be_right(trace: list[Exchange]) -> None:
    """Where the list of all shows no animal with that status, it may have been scanned without meeting one."""
    assert CLAUSE not in failed_of([*made(1), *trace])


@cases(
    ("trace", "open_ones", "closed"),
    {
        "it is shown since": ([*EMPTY[:4], sold(7.0, 1)], set(), set()),
        "the list of all shows none either": ([sold(5.0), whole(5.5)], set(), {"capped"}),
        "the list of all showed none before": ([whole(4.0), sold(5.0)], {"capped"}, set()),
        "the list of all shows none any more": ([sold(5.0), whole(5.5, 1), whole(6.0)], set(), {"capped"}),
        "asked alone six times": ([sold(each / 10) for each in range(50, 56)], {"capped"}, set()),
        "asked alone seven times": ([sold(each / 10) for each in range(50, 57)], set(), {"capped"}),
        "asked alone seven times, and once beside another": (
            [sold(5.0), whole(5.5, 1), *(sold(each / 10) for each in range(60, 67))],
            {"capped"},
            {"capped"},
        ),
        "asked alone ten times before it has settled": (
            [sold(1.5 + each / 10) for each in range(10)],
            {"capped"},
            set(),
        ),
    },
)
def test_an_empty_filtered_list_is_put_to_the_test_until_that_cannot_tell(
    trace: list[Exchange], open_ones: set[str], closed: set[str]
) -> None:
    """A run's own animal of that status is known; nothing else shows it."""
    assert open_ones == suspected([*made(1), *trace], CLAUSE)
    assert closed == explained([*made(1), *trace], CLAUSE)


def test_an_empty_filtered_list_of_which_nothing_is_known_is_no_suspicion() -> None:
    """However often it is asked for."""
    for times in (1, 7):
        assert set() == suspected([sold(5.0 + each) for each in range(times)], CLAUSE)


def test_a_list_without_a_filter_is_asked_alone_where_no_other_shows_more() -> None:
    """What it has shown itself since then is no turn."""
    pages = [listing([], limit=50, at=each / 10) for each in (50, *range(90, 97))]
    trace = [*made(1), pages[0], listing([own(1)], limit=50, at=8.0), *pages[1:]]
    assert (set(), {"capped"}) == (suspected(trace), explained(trace, "list.complete"))


def test_an_empty_list_is_asked_for_again_beside_one_that_shows_more() -> None:
    """Once what is known has settled; a list without a filter beside another one of its kind."""

    def asked(*trace: Exchange) -> list[object]:
        of = [*made(1), *trace]
        clause_id = "list.complete" if not trace[0].request.target.endswith("sold") else CLAUSE
        (suspected,) = verdict_of(clause_id, of).suspected
        first, *_ = suspected.suspicion.experiments
        return [first.steps[0], *dict.fromkeys(reads_of(first))]

    filtered = "/pets?limit=100&status=sold"
    assert [WaitUntil(9.01), filtered, "/pets?limit=100"] == asked(sold(9.0))
    assert [WaitUntil(3.51), filtered, "/pets?limit=100"] == asked(sold(1.5))
    assert [WaitUntil(9.01), filtered, "/pets?limit=100"] == asked(sold(9.0), got(1, own(1), at=8.0))
    assert [WaitUntil(9.01), "/pets", "/pets?limit=100"] == asked(listing([], at=9.0), sold(8.0, 1))
    limited = listing([], limit=50, at=9.0)
    assert [WaitUntil(9.01), "/pets?limit=50", "/pets"] == asked(limited, sold(8.0, 1))


def test_a_list_without_a_filter_that_is_always_empty_is_a_finding() -> None:
    """Other lists show animals; below the default limit, pages may be a few short."""
    nothing = alternating(lambda at: listing([], at=at), lambda at: whole(at, 1))
    assert {"list.complete"} == failed_of([*made(1), *nothing])
    assert "A list is empty, although other lists show" in message("list.complete", [*made(1), *nothing])
    below = alternating(lambda at: listing([], limit=19, at=at), lambda at: whole(at, 1))
    assert set() == failed_of([*made(1), *below])


def test_an_empty_list_whose_first_animal_may_be_too_large_for_it_is_put_to_the_test_with_smaller_ones() -> (
    None
):
    """Before that, nothing is concluded from it."""
    large = created(named("B" * 20_000), 2, at=3.0)
    empty = [
        each
        for at in (4.0, 5.0, 6.0)
        for each in (listing([], limit=100, at=at), got(1, own(1), at=at + 0.5))
    ]
    trace = [*made(1), whole(2.0, 1), large, *empty]
    verdict = verdict_of("list.complete", trace)
    assert ClauseOutcome.CANT_TELL == verdict.outcome
    assert 2 == sum(isinstance(each, Create) for each in steps_asked("list.complete", trace))
    again = [
        each
        for at in (14.0, 15.0, 16.0)
        for each in (listing([], limit=100, at=at), got(1, own(1), at=at + 0.5))
    ]
    smaller = created(named("Rexa"), 9, at=7.0)
    assert {"list.complete"} == failed_of([*trace, smaller, *again])


def test_lists_that_are_all_empty_are_a_finding_where_getpet_finds_animals() -> None:
    """No cap leaves nothing of everything; where lists show anything at all, they may end early."""
    nothing = alternating(lambda at: listing([], at=at), lambda at: got(1, own(1), at=at))
    trace = [*made(1, 2), got(2, own(2), at=4.0), *nothing]
    assert {"list.complete"} == failed_of(trace)
    assert "A list is empty, although getPet finds" in message("list.complete", trace)
    assert set() == failed_of([*made(1, at=4.0), *nothing])
    suspected = verdict_of("list.complete", trace[:6]).suspected[0]
    assert {"/pets/1", "/pets"} == set(reads_of(suspected.suspicion.experiments[0]))
    assert set() == failed_of([*made(1), *nothing, sold(8.0, 1)])
    # Where they showed animals before, and leave out those that were got.
    assert {"list.complete"} == failed_of([*made(1, 2), whole(3.0, 1, 2), *trace[2:]])
