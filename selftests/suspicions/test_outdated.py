"""The rule of suspicions/lists/outdated.py: full lists that are as they were before animals were added."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, failed_of, got, listing, reads_of, verdict_of
from selftests.suspicions.lists import made, own
from selftests.suspicions.told import OLD

# Those of others, which were there when the run began.
OTHERS = animals(100, 300)


def page(at: float, *ids: int, **options: Any) -> Exchange:
    """A full list, the newest first: these animals of the run, and as many of others as fit."""
    return listing([*map(own, ids), *OTHERS[: 100 - len(ids)]], limit=100, at=at, **options)


def old(at: float) -> Exchange:
    """The list as it was before animals 3 and 4 were added."""
    return page(at, 2, 1)


def new(at: float) -> Exchange:
    """The list with all animals."""
    return page(at, 4, 3, 2, 1)


MADE = [*made(1, 2, at=0.1), old(1.0), *made(3, 4, at=2.0)]
IN_TURNS = [*MADE, new(5.0), old(6.0), new(7.0), old(8.0), new(9.0)]


def read_on(*, from_s: float) -> list[Exchange]:
    """As many more lists as an experiment reads, all of them with all animals."""
    return [new(from_s + at) for at in range(16)]


def test_a_full_list_that_goes_back_in_turns_is_a_finding() -> None:
    """It says which animal it leaves out, and shows lists with it and without it."""
    [found] = verdict_of("list.complete", IN_TURNS).findings
    assert IN_TURNS[-2] is found.exchange
    assert "is as it was before animal 4 was added, in turns" in found.finding.message
    assert {IN_TURNS[-4], IN_TURNS[-3]} <= set(found.finding.related)
    assert [("lagging", IN_TURNS[-2])] == list(found.finding.excluded)


def test_a_list_that_goes_back_once_is_read_again() -> None:
    """Until it has gone back once more, or has not for as often as an experiment reads it."""
    once = [*MADE, new(5.0), old(6.0), new(7.0)]
    doubts = verdict_of("list.complete", once).suspected
    (experiment,) = next(
        each.suspicion.experiments for each in doubts if "the list" in each.suspicion.subject
    )
    assert ("lagging", ["/pets?limit=100"] * 16) == (experiment.explanation, reads_of(experiment))
    later = [*once, *read_on(from_s=8.0)]
    assert "list.complete" not in failed_of(later)
    assert () == verdict_of("list.complete", later).suspected


def test_a_list_that_stays_as_it_was_is_no_older_state() -> None:
    """The animals were withdrawn, for all that lists tell."""
    assert "list.complete" not in failed_of([*MADE, new(5.0), old(6.0), old(7.0), old(8.0)])
    assert "list.complete" not in failed_of([*MADE, new(5.0), old(6.0), old(7.0), new(8.0)])


def goes_back(*exchanges: Exchange) -> bool:
    """Whether a list is said to be as it was before, in a finding or a suspicion."""
    verdict = verdict_of("list.complete", [*MADE, *exchanges])
    findings = (
        *(each.finding for each in verdict.findings),
        *(each.suspicion.finding for each in verdict.suspected),
    )
    return any("is as it was before" in each.message for each in findings)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([own(2), own(1), *OTHERS[:98]], True),
        ([own(3), own(2), own(1), *OTHERS[:97]], True),
        (OTHERS[::-1], False),
        ([own(4), *OTHERS[:99]], False),
        ([own(2), own(1), *OTHERS[:97], own(4)], False),
        ([own(2), own(1), *OTHERS[:90]], False),
        ([*OTHERS[93:96], *animals(97, 500)], True),
        ([*OTHERS[94:96], *animals(98, 500)], False),
        ([*OTHERS[93:95], OTHERS[0], *animals(97, 500)], False),
    ],
    ids=[
        "as it was", "without the newest", "in another order", "with one of the front", "with one at its end",
        "with room", "three in common", "two in common", "with another between them",
    ],
)  # fmt: skip
def test_an_older_state_is_full_and_goes_on_in_the_same_order(
    others: list[dict[str, Any]], *, expected: bool
) -> None:
    """Without any animal of the front that it leaves out."""
    other = [listing(others, limit=100, at=at) for at in (6.0, 8.0)]
    assert expected == goes_back(new(5.0), other[0], new(7.0), other[1], new(9.0))


def test_a_list_may_lag_until_replicas_have_settled() -> None:
    """So long after the creation of what it leaves out, as of the time for which a stored response says it was stored."""
    assert goes_back(new(2.5), old(4.1), new(4.2))
    assert not goes_back(new(2.5), old(3.9), new(4.0))
    assert not goes_back(new(5.0), page(6.0, 2, 1, headers=OLD), new(7.0))


def test_a_full_list_may_go_back_by_more_than_it_holds() -> None:
    """All that it shows has been pushed out of the others meanwhile."""
    many = range(5, 110)

    def newest(at: float) -> Exchange:
        return listing([own(each) for each in many[::-1][:100]], limit=100, at=at)

    trace = [*MADE, new(2.5), *made(*many, at=3.0)]
    in_turns = [newest(6.0), old(7.0), newest(8.0), old(9.0), newest(10.0)]
    (found,) = verdict_of("list.complete", [*trace, *in_turns]).findings
    assert "is as it was before animal 109 was added" in found.finding.message
    others = [page(at, 1, 2) for at in (7.0, 9.0)]
    assert not goes_back(*trace[len(MADE) :], newest(6.0), others[0], newest(8.0), others[1], newest(10.0))


def test_lists_that_go_round_the_store_show_no_older_state() -> None:
    """The next animals are neither those of now nor those of before; but what newer ones have pushed out may be."""

    def beyond(at: float, *ids: int) -> Exchange:
        return listing([*map(own, ids), *animals(100 - len(ids), 500)], limit=100, at=at)

    def others_between(*ids: int) -> list[Exchange]:
        between = [new(5.0), old(6.0), beyond(6.5, *ids), new(7.0), old(8.0), beyond(8.5, *ids), new(9.0)]
        return [*made(5, at=2.5), *between]

    assert not goes_back(*others_between())
    assert not goes_back(*others_between(1, 2))
    assert goes_back(*others_between(5))
    with_room = [listing(animals(99, 500), limit=100, at=at) for at in (6.5, 8.5)]
    assert goes_back(new(5.0), old(6.0), with_room[0], new(7.0), old(8.0), with_room[1], new(9.0))


def test_lists_that_are_in_another_order_meanwhile_go_round_the_store() -> None:
    """They show the newest behind others; before and afterwards, another order says nothing."""

    def turned(at: float) -> Exchange:
        return listing([*OTHERS[4:96], *map(own, (5, 4, 3, 2, 1)), *OTHERS[:3]], limit=100, at=at)

    trace = [*made(5, at=2.5), new(5.0), old(6.0), new(7.0), old(8.0), new(9.0)]
    assert goes_back(*trace)
    assert not goes_back(*trace, turned(6.5))
    assert not goes_back(*trace, turned(8.5))
    assert goes_back(*trace, turned(5.5))
    assert goes_back(*trace, turned(9.5))


def test_a_list_that_has_older_animals_in_front_of_the_new_ones_was_no_such_list_before() -> None:
    """It would have shown them: unless others have added them meanwhile, or they stand behind."""
    run, other = [own(each) for each in (4, 3, 2, 1)], animal(500)

    def goes_back_to(*first: dict[str, Any], known: bool) -> bool:
        later = [listing([*first, *OTHERS[:95]], limit=100, at=at) for at in (7.0, 9.0)]
        seen = [listing([other], limit=1, at=0.05)] if known else []
        return goes_back(*seen, new(5.0), old(6.0), later[0], old(8.0), later[1])

    assert not goes_back_to(other, *run, known=True)
    assert goes_back_to(other, *run, known=False)
    assert goes_back_to(*run, other, known=True)


def test_lists_that_are_smaller_are_read_often_enough() -> None:
    """Once is nothing there, and twice is a finding."""

    def smaller(at: float, *ids: int) -> Exchange:
        return listing([*map(own, ids), *OTHERS[: 20 - len(ids)]], at=at)

    assert goes_back(
        smaller(5.0, 4, 3, 2, 1),
        smaller(6.0, 2, 1),
        smaller(7.0, 4, 3, 2, 1),
        smaller(8.0, 2, 1),
        smaller(9.0, 4, 3, 2, 1),
    )
    assert not goes_back(smaller(5.0, 4, 3, 2, 1), smaller(6.0, 2, 1), smaller(7.0, 4, 3, 2, 1))


def test_animals_that_have_had_another_status_may_have_left_a_filtered_list() -> None:
    """And have come back to it."""

    def filtered(at: float, *ids: int) -> Exchange:
        others = [animal(each, status="sold") for each in range(300, 400)]
        return listing([*map(own, ids), *others[: 100 - len(ids)]], limit=100, state="sold", at=at)

    turns = [filtered(at, *((4, 3, 2, 1) if at % 2 else (2, 1))) for at in (5.0, 6.0, 7.0, 8.0, 9.0)]
    trace = [*made(1, 2, at=0.1), filtered(1.0, 2, 1), *made(3, 4, at=2.0), *turns]
    assert "list.status.complete" in failed_of(trace)
    moved = [got(each, {**own(each), "status": "pending"}, at=4.0) for each in (3, 4)]
    told = verdict_of("list.status.complete", [*trace, *moved]).findings
    assert not any("is as it was before" in each.finding.message for each in told)
