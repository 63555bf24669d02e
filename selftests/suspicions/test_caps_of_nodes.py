"""Lists that end where some nodes end all of theirs: the cap of one version, and no animal that comes and goes."""

from __future__ import annotations

from collections.abc import Iterable

from animal_conformance.judge.experiments import Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import CANT_TELL, FAILED, animal, failed_of, listing, outcome_of, verdict_of
from selftests.suspicions.lists import FOREIGN, explained, made, own, sold, suspected
from selftests.tables import cases

OTHER_LIMITS = (99, 98, 97)
OWN = range(1, 9)
# The oldest are first: one node lists all, the other one no more than the first 33.
ALL, FIRST = [*FOREIGN, *map(own, OWN)], [*FOREIGN, *map(own, (1, 2, 3))]


def in_turns(shown: Iterable[dict[str, object]] = FIRST) -> list[Exchange]:
    """The list at the largest limit, from one node and the other, and before that while the run adds animals."""
    pages = [ALL, list(shown)] * 10
    return [
        listing(FOREIGN, limit=100, at=0.1),
        *(each for animal_id in OWN for each in made(animal_id, at=0.1 * animal_id + 0.1)),
        *(listing(page, limit=100, at=9.0 + number) for number, page in enumerate(pages)),
    ]


def at_limits(*limits: int, times: int, from_s: float = 40.0, short: bool = True) -> list[Exchange]:
    """Lists with other limits, from one node and the other in turns."""
    asked = [limit for _ in range(times) for limit in limits]
    return [
        listing(FIRST if short and at // len(limits) % 2 else ALL, limit=limit, at=from_s + at / 10)
        for at, limit in enumerate(asked)
    ]


FILTERED = [sold(30.0 + number / 10, *OWN) for number in range(20)]


def test_other_limits_are_asked_for_before_an_animal_is_said_to_come_and_go() -> None:
    """On new connections, as often as it takes to meet each of two nodes."""
    (doubt,) = verdict_of("list.complete", [*in_turns(), *FILTERED]).suspected[:1]
    (experiment,) = doubt.suspicion.experiments
    assert {Read(f"/pets?limit={each}", anew=True) for each in OTHER_LIMITS} == set(experiment.steps)
    assert len(experiment.steps) == 36


def test_lists_that_end_at_one_length_whatever_their_limit_are_capped_by_some_nodes() -> None:
    """A node that knew only those animals would leave the others out of filtered lists too."""
    trace = [*in_turns(), *FILTERED, *at_limits(*OTHER_LIMITS, times=2)]
    assert set() == failed_of(trace) | suspected(trace)
    assert {"sampled"} == explained(trace, "list.complete")


def test_an_animal_that_filters_no_longer_show_says_nothing_of_nodes() -> None:
    """It may be withdrawn, or have moved."""
    gone = [sold(35.0 + number, *OWN[:4]) for number in range(3)]
    assert set() == failed_of([*in_turns(), *FILTERED, *gone, *at_limits(*OTHER_LIMITS, times=2)])


@cases(
    "trace",
    {
        "a filter lacks an animal of the run now and then": [
            *in_turns(),
            *FILTERED,
            sold(35.0, *OWN[:-1]),
            sold(36.0, *OWN),
            *at_limits(*OTHER_LIMITS, times=12),
        ],
        "too few filtered lists": [*in_turns(), *FILTERED[:19], *at_limits(*OTHER_LIMITS, times=12)],
        "only two limits end there": [
            *in_turns(),
            *FILTERED,
            *at_limits(*OTHER_LIMITS[:2], times=12),
            *at_limits(97, times=12, short=False),
        ],
        "lists that may have been kept since before there were more": [
            *(listing(FOREIGN, limit=each, at=0.2) for each in OTHER_LIMITS),
            *in_turns(),
            *FILTERED,
            *at_limits(*OTHER_LIMITS, times=12),
        ],
        "the animals in front are others": [
            *in_turns([*FIRST[1:], animal(900)]),
            *FILTERED,
            *at_limits(*OTHER_LIMITS, times=2),
        ],
    },
)
def test_an_animal_comes_and_goes_where_no_cap_of_some_nodes_explains_it(trace: list[Exchange]) -> None:
    """Each limit was asked for often enough, so nothing more is asked."""
    assert FAILED == outcome_of("list.complete", trace)


def test_an_answer_that_is_not_there_yet_is_asked_for_up_to_twelve_times_at_each_limit() -> None:
    """Eleven times leave it open; twelve decide."""
    trace = [*in_turns(), *FILTERED]
    untold = [*trace, *at_limits(*OTHER_LIMITS, times=11, short=False)]
    assert CANT_TELL == outcome_of("list.complete", untold)
    assert FAILED == outcome_of("list.complete", [*trace, *at_limits(*OTHER_LIMITS, times=12, short=False)])
