"""What a full list has never shown, between too few or many animals that are like it; see suspicions/lists/passed_over.py."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create, Read, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    animal,
    animals,
    asked_by,
    chosen_as_shown,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    own_name,
    verdict_of,
)

CLAUSE = "list.complete"
# Ids tell nothing of the age of these.
IDS = [each * 7919 % 1009 for each in range(1, 31)]
LOST = IDS[10]
OTHERS = animals(100, 5000)


def own(animal_id: int, **changes: Any) -> dict[str, Any]:
    """An animal of the run, as lists show it."""
    return animal(animal_id, name=own_name(IDS.index(animal_id)), **changes)


def full(at: float, ids: Sequence[int]) -> Exchange:
    """A full list: animals of the run, and behind them as many of the others as it has room for."""
    return listing([*map(own, ids), *OTHERS[: 100 - len(ids)]], limit=100, at=at)


def run(made: int, *, odd: int = 0, lacking: Sequence[int] = (LOST,), turned: bool = False) -> list[Exchange]:
    """So many creations, one after another, full lists that show the newest first, and getPet in turns with them.

    The one that is lost has an odd name, so that it is of another kind, if ``odd`` is 1; if it is 2, so have two others.
    """
    unlike = ([], [LOST], [LOST, IDS[9], IDS[11]])[odd]
    creations = [
        created(named(own_name(at) + "!" * (each in unlike), status="available"), each, at=1.0 + at / 50)
        for at, each in enumerate(IDS[:made])
    ]
    shown = [each for each in IDS[:made] if each not in lacking]
    lists = (full(at, shown if turned else shown[::-1]) for at in count(5))
    turns = [each for page in (next(lists) for _ in range(3)) for each in (page, asked(page.sent_s + 0.4))]
    return [full(0.5, []), *creations, *turns, *chosen_as_shown()]


def asked(at: float) -> Exchange:
    """The animal that is lost, from getPet."""
    return got(LOST, own(LOST), at=at)


def test_what_stands_between_many_that_are_like_it_is_left_out() -> None:
    """All of them in the order of their creation, on a page that loses nothing but its end."""
    assert {CLAUSE} == failed_of(run(20))


@pytest.mark.parametrize("odd", [1, 2])
def test_an_animal_of_another_kind_may_stand_behind_the_end(odd: int) -> None:
    """None of its kind is on the page, or too few of it."""
    trace = run(20, odd=odd, lacking=[LOST] if odd == 1 else [LOST, IDS[9], IDS[11]])
    assert set() == failed_of(trace)


def test_a_choice_of_animals_may_leave_out_any() -> None:
    """It loses others, anywhere, for those that it takes in."""
    trace = run(20)
    chosen = [*OTHERS[:5], *animals(2, 6000), *OTHERS[5:98]]
    assert set() == failed_of([listing(chosen, limit=100, at=0.5), *trace[1:]])


def test_between_few_that_are_like_it_more_are_created() -> None:
    """As many as it takes, of its kind."""
    experiments = asked_by(verdict_of(CLAUSE, run(14, lacking=[LOST, *IDS[:5]])))
    (body,) = {each.payload for one in experiments for each in one.steps if isinstance(each, Create)}
    assert own_name(10) in body


def test_one_that_nothing_tells_of_since_the_list_is_asked_for_first() -> None:
    """It may have been withdrawn; so may others that the list lacks."""
    trace = run(14, lacking=[LOST, *IDS[:5]])
    *_, last = (each for each in trace if each.request.target == f"/pets/{LOST}")
    page = trace[trace.index(last) - 1]
    trace.remove(last)
    experiments = asked_by(verdict_of(CLAUSE, trace))
    since = (WaitUntil(page.answered_s), Read(f"/pets/{LOST}"))
    assert [since] == [each.steps for each in experiments]
    assert not asked_by(verdict_of(CLAUSE, [*trace, lost(LOST, at=last.sent_s)]))


def test_once_the_list_shows_these_it_is_told() -> None:
    """The one that it still lacks stands between them and an older one."""
    trace = run(24, lacking=[LOST, *IDS[:5]])
    assert {CLAUSE} == failed_of(trace)
