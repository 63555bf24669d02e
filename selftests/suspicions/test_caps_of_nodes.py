"""Lists that end where some nodes end all of theirs: the cap of one version, and no animal that comes and goes."""

from __future__ import annotations

from collections.abc import Iterable

from animal_conformance.judge.experiments import Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    animal,
    animals,
    chosen_as_shown,
    created,
    failed_of,
    got,
    listing,
    named,
    outcome_of,
    verdict_of,
)
from selftests.suspicions.lists import explained, made, own, sold, suspected
from selftests.tables import cases

OTHER_LIMITS = (99, 98, 97)
OWN = range(1, 21)
# Two seconds after the pending animal was added.
SETTLED_S = 2.1
PENDING = animal(50, name="Rex", status="pending")
# The oldest are first: one node lists all, the other one no more than the first 13.
BEFORE = [*animals(4, 100), PENDING]
ALL, FIRST = [*BEFORE, *map(own, OWN)], [*BEFORE, *map(own, range(1, 9))]


def in_turns(shown: Iterable[dict[str, object]] = FIRST) -> list[Exchange]:
    """The list at the largest limit, from one node and the other, and before that while the run adds animals."""
    pages = [ALL, list(shown)] * 10
    return [
        created(named("Rex", status="pending"), 50, at=0.0),
        listing(BEFORE, limit=100, at=0.1),
        *(each for animal_id in OWN for each in made(animal_id, at=0.1 * animal_id + 0.1)),
        *(listing(page, limit=100, at=9.0 + number) for number, page in enumerate(pages)),
    ]


def at_limits(*limits: int, times: int, short: bool = True) -> list[Exchange]:
    """Lists with other limits, from one node and the other in turns, or only from the one that lists all."""
    asked = [limit for _ in range(times) for limit in limits]
    return [
        listing(FIRST if short and at // len(limits) % 2 else ALL, limit=limit, at=40 + at / 10)
        for at, limit in enumerate(asked)
    ]


def pending(at: float, *shown: dict[str, object]) -> Exchange:
    """The list of the pending animals."""
    return listing([*shown], limit=100, state="pending", at=at)


# Lists that are shorter than any cap show that all nodes know all animals.
FILTERED = [pending(30.0 + number / 10, PENDING) for number in range(20)]
# The filter that has more animals than one node lists, from the one and from the other.
ENDED = [sold(50.0, *OWN), sold(51.0, *range(1, 14)), sold(52.0, *OWN)]
ASKED_FOR = at_limits(*OTHER_LIMITS, times=12)


def test_other_limits_are_asked_for_before_an_animal_is_said_to_come_and_go() -> None:
    """On new connections, as often as it takes to meet each of two nodes."""
    (doubt,) = verdict_of("list.complete", [*in_turns(), *FILTERED]).suspected[:1]
    (experiment,) = doubt.suspicion.experiments
    # Not in turns: where nodes take turns as well, each limit might always meet the same one.
    assert [Read(f"/pets?limit={each}", anew=True) for each in OTHER_LIMITS for _ in range(12)] == [
        *experiment.steps
    ]
    assert len(experiment.steps) == 36


def test_lists_that_end_at_one_length_whatever_their_limit_and_filter_are_capped_by_some_nodes() -> None:
    """A worker that has kept a list, and returns the beginning of it, does not end filtered lists there."""
    trace = [*in_turns(), *at_limits(*OTHER_LIMITS, times=2), *ENDED]
    assert set() == failed_of(trace) | suspected(trace)
    assert "capped" in explained(trace, "list.complete")


@cases(
    "shown",
    {
        "the newest first": [*reversed(FIRST)],
        "one that the others do not show": [*FIRST[1:], animal(900)],
    },
)
def test_nodes_with_a_cap_of_their_own_may_have_an_order_of_their_own(shown: list[dict[str, object]]) -> None:
    """Filtered lists tell of the cap, whichever animals stand before it."""
    trace = [*in_turns(shown), *at_limits(*OTHER_LIMITS, times=2), *ENDED]
    assert set() == failed_of(trace) | suspected(trace)
    assert CANT_TELL == outcome_of("list.complete", [*in_turns(shown), *FILTERED, *ASKED_FOR])


def test_what_a_replica_may_not_have_yet_does_not_tell_that_nodes_lack_animals() -> None:
    """A filter lacks a new animal for less than two seconds."""
    trace = [*in_turns(), *FILTERED, pending(SETTLED_S - 0.2), *ASKED_FOR]
    assert CANT_TELL == outcome_of("list.complete", trace)


def test_where_no_filter_has_more_animals_nothing_tells_a_cap_from_what_a_worker_has_kept() -> None:
    """So it is no finding, and not explained either."""
    assert CANT_TELL == outcome_of("list.complete", [*in_turns(), *FILTERED, *ASKED_FOR])


@cases(
    "trace",
    {
        "a filter goes on beyond that": [*in_turns(), *FILTERED, *ASKED_FOR, ENDED[0]],
        "a filter was as long while it grew": [
            *in_turns(),
            *FILTERED,
            *ASKED_FOR,
            sold(2.0, *range(1, 14)),
            ENDED[0],
        ],
        "a filter is as long once animals are gone": [*in_turns(), *FILTERED, *ASKED_FOR, *ENDED[:2]],
        "a filter lacks an animal of the run now and then": [
            *in_turns(),
            *FILTERED,
            pending(35.0),
            pending(36.0, animal(101, status="pending")),
            pending(37.0, PENDING),
            *ASKED_FOR,
        ],
        "a filter lacked it when replicas had settled": [
            *in_turns(),
            *FILTERED,
            pending(SETTLED_S),
            *ASKED_FOR,
        ],
        "too few filtered lists": [*in_turns(), *FILTERED[:19], *ASKED_FOR],
        "only two limits end there": [
            *in_turns(),
            *FILTERED,
            *at_limits(*OTHER_LIMITS[:2], times=12),
            *at_limits(97, times=12, short=False),
            *ENDED,
        ],
        "lists that may have been kept since before there were more": [
            *(listing(BEFORE, limit=each, at=0.2) for each in OTHER_LIMITS),
            *in_turns(),
            *FILTERED,
            *ASKED_FOR,
            *ENDED,
        ],
    },
)
def test_an_animal_comes_and_goes_where_no_cap_of_some_nodes_explains_it(trace: list[Exchange]) -> None:
    """Each limit was asked for often enough, so nothing more is asked."""
    assert FAILED == outcome_of("list.complete", trace)


def test_what_older_and_newer_ones_surround_is_left_out_whatever_the_length_of_the_list() -> None:
    """That some nodes end their lists at this length may be a coincidence."""
    capped = [*in_turns(), *at_limits(*OTHER_LIMITS, times=2), *ENDED, *chosen_as_shown()]
    for missing, expected in ((3, {"list.complete"}), (20, set())):
        shown = [each for each in ALL if each["id"] != missing][: len(FIRST)]
        later = [
            each
            for at in range(60, 70)
            for each in (listing(shown, limit=100, at=at), got(missing, own(missing), at=at + 0.5))
        ]
        assert expected == failed_of([*capped, *later])


def test_each_other_limit_is_asked_for_up_to_twelve_times() -> None:
    """Eleven times leave it open; twelve decide."""
    trace = [*in_turns(), *FILTERED]
    untold = [*trace, *at_limits(*OTHER_LIMITS, times=11, short=False)]
    assert CANT_TELL == outcome_of("list.complete", untold)
    assert FAILED == outcome_of("list.complete", [*trace, *at_limits(*OTHER_LIMITS, times=12, short=False)])
