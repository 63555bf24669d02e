"""The rule of suspicions/lists/behind.py: lists that show an animal once the next one has been created."""

from __future__ import annotations

from animal_conformance.judge.experiments import Create
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, failed_of, listing, lost, steps_asked
from selftests.suspicions.lists import made, own, suspected

CLAUSE = "list.complete"


def shown(at: float, *ids: int) -> Exchange:
    """A list with room for more: an animal of others, and these of the run, the oldest first."""
    return listing([animal(1), *map(own, ids)], limit=100, at=at)


def behind(
    *ids: int, shown_at_once: int = 0, missing_s: tuple[float, ...] = (7, 8, 6, 9, 5)
) -> list[Exchange]:
    """One creation after another, each right after a list without the one before it; then one that lacks the last."""
    trace: list[Exchange] = [shown(0.5)]
    at = 1.0
    for number, each in enumerate(ids):
        trace += [*made(each, at=at), shown(at + 0.2, *ids[: number + (number < shown_at_once)])]
        at += missing_s[number]
        trace.append(shown(at - 0.2, *ids[: number + (number < shown_at_once)]))
    return trace


def test_a_list_that_is_always_behind_by_one_leaves_animals_out() -> None:
    """It has shown three animals only when another one was created, each of them long after it had settled."""
    assert {CLAUSE} == failed_of(behind(3, 5, 7, 9))


def test_a_list_that_is_always_behind_by_two_leaves_animals_out() -> None:
    """Each of three creations has shown the animal before the last one."""
    trace: list[Exchange] = [shown(0.5)]
    ids, at = (3, 5, 7, 9, 11), 1.0
    for number, missing_s in enumerate((7, 8, 6, 9, 5)):
        trace += [*made(ids[number], at=at), shown(at + 0.2, *ids[: max(0, number - 1)])]
        at += missing_s
        trace.append(shown(at - 0.2, *ids[: max(0, number - 1)]))
    assert {CLAUSE} == failed_of(trace)
    assert {"capped"} == suspected(trace[:-4])


def test_what_a_list_has_shown_as_the_newest_it_is_not_behind_by() -> None:
    """It lacked animals until others were created; but at last it shows the newest one, which had settled."""
    trace = behind(3, 5, 7)
    assert set() == suspected([*trace, shown(40.0, 3, 5, 7)])
    assert {"capped"} == suspected([*trace, *made(9, at=30.0), shown(30.2, 3, 5, 7, 9)])


def test_a_list_that_was_behind_is_so_when_it_has_become_full() -> None:
    """What it did while it had room counts."""
    trace = behind(3, 5, 7, 9)
    full = listing([animal(each) for each in range(100, 200)], limit=100, at=60.0)
    assert {CLAUSE} == failed_of([*trace, full])
    assert "capped" not in suspected([*behind(3, 5, 7), full])


def test_a_list_that_was_behind_less_often_is_suspected() -> None:
    """The like of what it lacks is created, and listed when it has settled and when the next one is there."""
    trace = behind(3, 5, 7)
    assert set() == failed_of(trace)
    assert {"capped"} == suspected(trace)
    assert 5 == sum(isinstance(each, Create) for each in steps_asked(CLAUSE, trace))


def test_lists_that_lag_for_longer_than_they_may_are_not_behind() -> None:
    """What they lack each time for as long, they would have shown without another creation."""
    assert set() == failed_of(behind(3, 5, 7, 9, missing_s=(7, 7, 7, 7)))


def test_a_list_that_ends_at_the_same_place_is_capped() -> None:
    """What it has not shown, it does not show when others are created."""
    capped = [shown(0.5), *made(3, at=1), shown(8.0, 3), *made(5, at=11), shown(18.0, 3), *made(7, at=21)]
    assert set() == failed_of([*capped, shown(28.0, 3)])
    assert set() == suspected([*capped, shown(28.0, 3)])


def test_a_list_that_has_shown_everything_in_time_is_not_behind() -> None:
    """A cap may lie just before the last animal."""
    assert set() == suspected(behind(3, 5, 7, shown_at_once=2))


def test_what_is_withdrawn_is_not_what_a_list_is_behind_by() -> None:
    """Nothing shows the newest animal, and getPet does not find it."""
    assert set() == suspected([*behind(3, 5, 7), lost(7, at=29.0)])


def test_shorter_lists_now_and_then_tell_nothing() -> None:
    """Under load, a page may end earlier; what it lacks the next one shows."""
    trace = behind(3, 5, 7, 9)
    longer = shown(0.7, *range(30, 40))
    assert set() == failed_of([*made(*range(30, 40), at=0.1), longer, *trace])
