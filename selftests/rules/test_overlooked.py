"""The rule of rules/overlooked.py: other people's animals, and those that have moved, that a filter leaves out."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import WaitUntil
from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import (
    CANT_TELL,
    JSON,
    animal,
    failed_of,
    got,
    listing,
    verdict_of,
)
from selftests.rules.lists import (
    explained,
    suspected,
)


def filtered(at: float, *ids: int) -> Exchange:
    """The largest list of the available animals."""
    return listing([animal(each) for each in ids], limit=100, state="available", at=at)


def unfiltered(at: float, *ids: int, headers: Headers = JSON) -> Exchange:
    """The largest list without a filter, all of them available."""
    return listing([animal(each) for each in ids], limit=100, at=at, headers=headers)


ALL, SHOWN = (9, 7, 5, 3), (9, 7, 3)
OVERLOOKED = [
    filtered(0.5, 7, 3),
    *(each for at in (1.0, 5.0, 6.0, 7.0) for each in (unfiltered(at, *ALL), filtered(at + 0.5, *SHOWN))),
    unfiltered(8.0, *ALL),
    got(5, animal(5), at=8.5),
]


def test_an_animal_of_others_that_the_filter_leaves_out_in_turns_is_a_finding() -> None:
    """It stands between two that the filter lets through, so neither a cap nor a scan has left it out."""
    assert {"list.status.complete"} == failed_of(OVERLOOKED)
    found = verdict_of("list.status.complete", OVERLOOKED).findings[0].finding
    assert {"moved", "sampled", "capped"} == {each for each, _ in found.excluded}
    assert "shows with that status: 5." in found.message


def test_what_getpet_told_before_is_no_proof_that_it_still_has_that_status() -> None:
    """The list without the filter may be stored."""
    before = [*OVERLOOKED[:-1], got(5, animal(5), at=0.7)]
    assert set() == failed_of(before)
    assert {"moved"} == suspected(before, "list.status.complete")


def test_an_animal_of_others_that_the_filter_left_out_once_is_asked_for_in_turns() -> None:
    """When lists may lag no longer."""
    verdict = verdict_of("list.status.complete", OVERLOOKED[:3])
    assert CANT_TELL == verdict.outcome
    (experiment,) = verdict.suspected[0].suspicion.experiments
    assert ("moved", WaitUntil(3.51)) == (experiment.explanation, experiment.steps[0])


def test_a_filter_may_know_sooner_than_all_others_that_an_animal_has_moved() -> None:
    """The list without the filter and getPet may be of a replica that lags behind, or be stored."""
    soon = [each for at in (10.0, 10.3, 10.6) for each in (filtered(at, *SHOWN), unfiltered(at + 0.1, *ALL))]
    lagging = [filtered(0.5, 7, 3), unfiltered(1.0, *ALL), *soon, got(5, animal(5), at=10.8)]
    assert set() == failed_of(lagging)
    assert {"moved"} == suspected(lagging, "list.status.complete")
    at_last = listing([animal(5, status="sold"), animal(3)], limit=100, at=20.0)
    assert set() == suspected([*lagging, at_last], "list.status.complete")
    old = (*JSON, ("Cache-Control", "max-age=30"))
    stored = [
        each
        for at in (10.0, 14.0, 15.0, 16.0)
        for each in (filtered(at, *SHOWN), unfiltered(at + 0.1, *ALL, headers=old))
    ]
    trace = [filtered(0.5, 7, 3), unfiltered(1.0, *ALL), *stored, got(5, animal(5), at=17.0)]
    assert set() == failed_of(trace)
    (doubt, *_) = verdict_of("list.status.complete", trace).suspected
    assert ("cached", WaitUntil(42.01)) == (
        doubt.suspicion.experiments[0].explanation,
        doubt.suspicion.experiments[0].steps[0],
    )


def test_an_animal_that_has_moved_hides_no_other_that_is_left_out() -> None:
    """Each of them is judged."""
    ids = (9, 7, 6, 5, 3)
    told = [
        filtered(0.5, 7, 3),
        *(each for at in (1.0, 5.0, 6.0, 7.0) for each in (unfiltered(at, *ids), filtered(at + 0.5, *SHOWN))),
        unfiltered(8.0, *ids),
        got(6, animal(6, status="sold"), at=8.2),
        got(5, animal(5), at=8.5),
    ]
    found = verdict_of("list.status.complete", told).findings[0].finding
    assert "shows with that status: 5." in found.message


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        pytest.param((9, 7, 3, 5), SHOWN, id="behind all that the filter shows"),
        pytest.param((5, 9, 7, 3), SHOWN, id="before all that the filter shows"),
        pytest.param(ALL, (3, 7, 9), id="in another order"),
        pytest.param(ALL, (7, 3), id="a filter that has never shown more"),
    ],
)
def test_what_a_filter_may_not_have_come_to_is_not_left_out(
    plain: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    """It was cut, or looked at so many animals and no more."""
    trace = [
        each for at in (1.0, 5.0, 6.0, 7.0) for each in (unfiltered(at, *plain), filtered(at + 0.5, *shown))
    ]
    trace.append(got(5, animal(5), at=9.0))
    assert set() == failed_of([filtered(0.5, 7, 3), *trace])
    assert set() == suspected([filtered(0.5, 7, 3), *trace], "list.status.complete")


def test_what_a_filter_shows_behind_the_end_of_the_list_of_all_stands_behind_it() -> None:
    """The list of all was full."""
    cut = [
        each
        for at in (1.0, 5.0, 6.0, 7.0)
        for each in (unfiltered(at, 9, 7, 5), filtered(at + 0.5, *SHOWN), unfiltered(at + 0.6, 9, 7, 5))
    ]
    assert {"list.status.complete"} == failed_of([filtered(0.5, 7, 3), *cut, got(5, animal(5), at=9.0)])


def test_an_animal_of_others_that_has_moved_belongs_in_no_such_list() -> None:
    """The list of all or getPet tells another status, or the filter shows it later."""
    moved = [animal(9), animal(7), animal(5, status="sold"), animal(3)]
    trace = [*OVERLOOKED[:3], listing(moved, limit=100, at=1.6)]
    assert set() == failed_of(trace) | suspected(trace, "list.status.complete")
    told = [*OVERLOOKED[:-1], got(5, moved[2], at=8.5)]
    assert "list.status.complete" not in failed_of(told) | suspected(told, "list.status.complete")
    late = [*OVERLOOKED[:3], filtered(1.7, *ALL)]
    assert set() == failed_of(late) | suspected(late, "list.status.complete")
    assert {"sampled"} == explained(late, "list.status.complete")
