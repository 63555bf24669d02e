"""The rule of rules/recurring.py: animals that come and go with the worker, replica or cache that answers."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    animal,
    failed_of,
    got,
    listing,
    outcome_of,
    verdict_of,
)
from selftests.rules.lists import (
    made,
    own,
)

KEPT = range(200, 212)


def kept(at: float, *ids: int) -> Exchange:
    """A list of a deployment with a few animals besides these."""
    return listing([own(each) for each in (*KEPT, *ids)], limit=100, at=at)


def test_an_animal_that_a_list_shows_now_and_then_may_belong_to_a_choice() -> None:
    """The same list is asked for again and again, on new connections."""
    trace = [kept(0.5), *made(1), kept(9.0), kept(9.1, 1)]
    (doubt,) = verdict_of("list.complete", trace).suspected
    (experiment,) = doubt.suspicion.experiments
    assert {Read("/pets?limit=100", anew=True)} == set(experiment.steps[1:])


def test_the_same_few_pages_in_turns_are_what_workers_keep() -> None:
    """They differ in one animal, and in nothing else that was there before; also where one worker came first."""
    shown = [() if number % 3 == 0 else (1,) for number in range(20)]
    trace = [kept(0.5), *made(1), *(kept(9.0 + number, *ids) for number, ids in enumerate(shown))]
    assert {"list.complete"} == failed_of(trace)
    later = [kept(9.0), *(kept(9.1 + number / 100, 1) for number in range(19)), *(trace[2:])]
    assert {"list.complete"} == failed_of([*trace[:2], *later])
    assert "depends on the worker" in verdict_of("list.complete", trace).findings[0].finding.message


def test_pages_that_leave_out_others_as_well_are_a_choice() -> None:
    """And so is one that never is the same."""
    pages = [
        listing(
            [
                own(each)
                for each in (*KEPT, 1)
                if each not in {1 if number % 3 == 0 else None, 200 + number % 12}
            ],
            limit=100,
            at=9.0 + number,
        )
        for number in range(20)
    ]
    assert FAILED != outcome_of("list.complete", [kept(0.5), *made(1), *pages])


def test_an_animal_that_lists_show_once_it_has_reached_them_does_not_come_and_go() -> None:
    """Nor does one that was taken away."""
    late = [kept(9.0 + number, *(() if number < 10 else (1,))) for number in range(20)]
    gone = [kept(9.0 + number, *((1,) if number < 10 else ())) for number in range(20)]
    assert [set(), set()] == [failed_of([kept(0.5), *made(1), *pages]) for pages in (late, gone)]


def test_an_animal_at_the_edge_of_a_cut_page_does_not_come_and_go() -> None:
    """Somebody adds an animal and takes it away, and the page holds no more than before."""
    pages = [
        listing(
            [own(each) for each in (*((999,) if number % 2 else (1,)), *KEPT)], limit=100, at=9.0 + number
        )
        for number in range(20)
    ]
    assert set() == failed_of([kept(0.5), *made(1), *pages])


def test_an_animal_that_moves_to_and_fro_does_not_come_and_go() -> None:
    """The filter lists it while it has that status, and getPet and the list of all say so."""
    beside = [animal(each, status="sold") for each in KEPT]
    trace = [*made(1), listing(beside, limit=100, state="sold", at=0.5)]
    for number in range(20):
        status = "pending" if number % 2 else "sold"
        moving = animal(1, name="Babette1", status=status)
        trace += [
            listing(
                [*([moving] if status == "sold" else []), *beside], limit=100, state="sold", at=9.0 + number
            ),
            got(1, moving, at=9.2 + number),
        ]
    assert "list.status.complete" not in failed_of(trace)


@pytest.mark.parametrize(
    ("others", "times", "varies", "outcome"),
    [
        pytest.param(9, 20, False, FAILED, id="nine others and the animal"),
        pytest.param(8, 20, False, CANT_TELL, id="eight others and the animal, all by chance"),
        pytest.param(24, 20, True, FAILED, id="so many are hardly ever the same by chance"),
        pytest.param(23, 20, True, CANT_TELL, id="one less, and a third page"),
        pytest.param(9, 8, False, FAILED, id="each four times, in eight turns"),
        pytest.param(9, 7, False, CANT_TELL, id="one of them three times"),
    ],
)
def test_pages_recur_if_neither_can_be_the_same_by_chance(
    others: int, times: int, *, varies: bool, outcome: str
) -> None:
    """Two pages with ten animals or more, or those of a few with twenty-five."""

    def page(number: int) -> Exchange:
        ids = range(200, 200 + others - int(varies and number == times - 1))
        return listing(
            [own(each) for each in (*ids, *([1] if number % 2 else []))], limit=100, at=9.0 + number
        )

    before = listing([own(each) for each in range(200, 200 + others)], limit=100, at=0.5)
    assert outcome == outcome_of("list.complete", [before, *made(1), *map(page, range(times))])
