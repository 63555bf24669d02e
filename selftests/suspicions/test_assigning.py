"""The rules of suspicions/lists/assigning.py: filters that change what they select by."""

from __future__ import annotations

from functools import partial

import pytest

from animal_conformance.drive.strategies import STATUSES
from animal_conformance.judge.experiments import Experiment, Read, ReadAlone
from animal_conformance.judge.suspicions.lists.assigning import IN_A_ROW, ORDER
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, asked_by, failed_of, got, listing, verdict_of

FILTER = "list.status.filter"
OTHERS = animals(3, 50, status="sold")


def page(at: float, state: str, *, limit: int = 100, number: int = 3) -> Exchange:
    """A filtered list with so many animals, all of them with the status that it asks for."""
    return listing(animals(number, status=state), limit=limit, state=state, at=at)


def told(at: float, state: str, animal_id: int = 2) -> Exchange:
    """The answer of getPet for an animal, with its status."""
    return got(animal_id, animal(animal_id, status=state), at=at)


def raised(at: float = 0.0) -> list[Exchange]:
    """Lists of different statuses with the same animals."""
    return [page(at + 0.1 * turn, STATUSES[turn % 2]) for turn in range(4)]


def pairs(states: list[str], at: float = 10.0) -> list[Exchange]:
    """Lists of these statuses, each followed by getPet, which tells the same one."""
    return [
        each
        for turn, state in enumerate(states)
        for each in (page(at + turn, state), told(at + turn + 0.5, state))
    ]


def asked(trace: list[Exchange]) -> list[Experiment]:
    """The experiments on the status filter that the trace asks for."""
    return [each for each in asked_by(verdict_of(FILTER, trace)) if isinstance(each.steps[1], ReadAlone)]


STATES = [STATUSES[place] for place in ORDER]


def test_an_animal_that_has_the_status_which_was_asked_for_last_is_a_finding() -> None:
    """As soon as it followed six lists in a row, of all three statuses; the last of them says so."""
    trace = [*raised(), *pairs(STATES)]
    assert failed_of(trace) == {FILTER}
    verdict = verdict_of(FILTER, trace)
    last = trace[4 + 2 * (IN_A_ROW - 1)]
    assert verdict.found_in == (last.reference,)
    finding = verdict.findings[0].finding
    assert finding.observed == "an animal with the status pending before, and sold after"
    assert [each for _, each in finding.excluded] == trace[5 : 5 + 2 * IN_A_ROW : 2]


def test_lists_of_different_statuses_with_the_same_animals_are_put_to_the_test() -> None:
    """Lists of each status, each followed by getPet for one in the middle, while nothing else is under way."""
    (experiment,) = asked(raised())
    _, alone, *reads = experiment.steps
    assert alone == ReadAlone(f"/pets?limit=100&status={STATES[0]}")
    assert reads == [
        each for state in STATES for each in (Read(f"/pets?limit=100&status={state}"), Read("/pets/2"))
    ]


@pytest.mark.parametrize("times", [2, 3])
def test_animals_that_were_in_two_or_three_lists_have_moved(times: int) -> None:
    """Nothing is asked for before the fourth list in a row."""
    assert not asked(raised()[:times])


def test_an_animal_that_keeps_another_status_than_was_asked_for_has_moved() -> None:
    """One getPet that tells another status than the list before it decides."""
    assert not asked([*raised(), page(5.0, "sold"), told(5.1, "pending")])


def test_an_animal_that_a_list_with_room_for_it_lacks_has_moved() -> None:
    """A list that ends before its limit would show it if it changed it."""
    lacking = listing(OTHERS, limit=100, state="sold", at=5.0)
    again = page(6.0, "sold")
    assert not asked([*raised(), lacking, told(5.1, "pending"), again])
    assert asked([*raised(), lacking, again])


def test_what_another_list_may_have_changed_meanwhile_decides_nothing() -> None:
    """Neither for it nor against it: a list of another status is under way, or it is open what it asks for."""
    for beside in (partial(page, state="pending"), partial(listing, [], query="status=lost")):
        trace = [*raised(), page(5.0, "sold"), beside(at=5.05), told(5.055, "available")]
        assert asked(trace)
        disturbed = [
            each
            for turn, state in enumerate(STATES)
            for each in (page(10.0 + turn, state), beside(at=10.05 + turn), told(10.055 + turn, state))
        ]
        assert FILTER not in failed_of([*raised(), *disturbed])


def test_smaller_lists_decide_nothing() -> None:
    """They may have no room for an animal, whether they change it or not."""
    small = [
        each
        for turn, state in enumerate(STATES)
        for each in (page(10.0 + turn, state, limit=50), told(10.5 + turn, state))
    ]
    assert FILTER not in failed_of([*raised(), *small])
    assert asked([*raised(), *small])


def full(at: float, state: str) -> Exchange:
    """A list with room for no other animals."""
    return listing(animals(100, 1001, status=state), limit=100, state=state, at=at)


def test_two_animals_that_full_lists_go_on_lacking_decide_for_all() -> None:
    """What is shown now and then has moved; one alone may have been pushed out."""
    trace = raised()
    for animal_id in (1, 2):
        at = 100.0 * animal_id
        trace += [
            each
            for turn, state in enumerate(STATES[:IN_A_ROW])
            for each in (full(at + turn, state), told(at + turn + 0.5, "sold", animal_id))
        ]
        trace.append(page(at + 50, "sold"))
        assert len(asked(trace)) == (1 if animal_id == 1 else 0)


def test_a_row_that_a_list_without_the_animal_interrupts_begins_anew() -> None:
    """Five before it and five after it are not six in a row."""
    states = STATES[: IN_A_ROW - 1]
    gap = [full(20.0, "sold"), told(20.5, "sold")]
    assert FILTER not in failed_of([*raised(), *pairs(states), *gap, *pairs(states, 30.0)])
    assert failed_of([*raised(), *pairs(states), *pairs(states, 30.0)]) == {FILTER}


def test_a_list_with_room_for_an_animal_that_lacks_it_ends_its_row() -> None:
    """Three lists in a row are no reason for an experiment, before it and after it; a full one, and a smaller one, end none."""
    lacking = listing(OTHERS, limit=100, state="sold", at=0.5)
    assert not asked([*raised()[:3], lacking, *raised(1.0)[:3]])
    assert asked([*raised()[:3], full(0.5, "sold"), *raised(1.0)[:3]])
