"""Queries that lack nothing but what the run has added, by knowledge/lacking.py."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from animal_conformance.judge.experiments import WITHDRAWN, once
from animal_conformance.judge.knowledge.lacking import (
    MANY,
    Lacking,
    has_room_for,
    lacks_only_own,
    worth_asking_for,
)
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, created, got, ledger_of, listing, lost, named
from selftests.knowledge.pages import FOREIGN, available, made, page_of, whole
from selftests.tables import cases


def lacking(*others: Exchange, first: Exchange | None = None, last: Exchange | None = None) -> bool:
    """Whether a query that shows others alone lacks only what the run has added."""
    first, last = first or whole(0.5), last or whole(9.0)
    ledger = ledger_of(first, made(1, 1.0), made(2, 2.0), last, *others)
    told = lacks_only_own(ledger, page_of(ledger, last))
    return told is not None and told.is_told


@cases(
    "others",
    {
        "nothing else": [],
        "one of its own is listed elsewhere": [listing([animal(1)], limit=1, at=3.0)],
        "another one was found, and in no list": [got(105, at=3.0)],
        "another one came later": [listing([animal(300)], limit=1, at=20.0)],
        "another query shows fewer": [available(0.1), available(9.5, few=4)],
        "a query of another limit stops": [available(0.1, limit=99), available(9.5, limit=99)],
        "another query has grown": [available(0.1), available(9.5, 1, 2)],
        "another query grew late": [available(0.1), available(8.0), available(9.5, 1, 2)],
        "another query was requested once": [available(0.1)],
    },
)
def test_a_query_that_never_changes_lacks_only_own(others: list[Exchange]) -> None:
    """Reading 20: the run's own animals are all that it lacks of what is known to be there."""
    assert lacking(*others)


@cases(
    "others",
    {
        "an older animal that it lacks too": [listing([animal(300)], limit=1, at=3.0)],
        "it has grown": [whole(3.0, 400)],
        "it was shorter once": [listing(FOREIGN[1:], limit=100, at=3.0)],
        "one of the run's own from before": [made(5, -5.0)],
        "another query stops at the same length": [available(0.1), available(9.5)],
    },
)
def test_what_else_is_missing_speaks_for_a_cap(others: list[Exchange]) -> None:
    """Then the run's own may be beyond it."""
    assert not lacking(*others)


def test_a_query_lacks_only_own_where_it_shows_none_of_those_added_since() -> None:
    """Two at least, and whatever was added before."""
    before = [listing([animal(5)], limit=100, at=at) for at in (0.5, 9.0)]
    assert lacking(made(5, -5.0), first=before[0], last=before[1])
    overlapping = whole(0.5, 2, took=5.0)
    assert not lacking(made(3, 3.0), first=overlapping, last=whole(9.0, 2))
    ledger = ledger_of(whole(0.5), made(1, 1.0), last := whole(9.0))
    assert not lacks_only_own(ledger, page_of(ledger, last))
    ledger = ledger_of(whole(0.5), made(1, 0.5), made(2, 2.0), last := whole(9.0))
    assert lacks_only_own(ledger, page_of(ledger, last))


def test_a_query_that_has_as_many_as_its_limit_stops_there_for_that_reason() -> None:
    """That another one with the limit is as long tells of no cap."""
    full = [listing(FOREIGN, limit=5, at=at) for at in (0.5, 9.0)]
    others = [available(at, limit=5) for at in (0.1, 9.5)]
    assert lacking(*others, first=full[0], last=full[1])


@pytest.mark.parametrize(("status", "only_own"), [("sold", False), ("pending", True)])
def test_a_filtered_query_need_not_show_animals_with_another_status(status: str, *, only_own: bool) -> None:
    """By the status that lists showed last."""
    other = [
        listing([animal(300, status=each)], limit=1, at=at)
        for at, each in ((2.5, "available"), (3.0, status))
    ]
    pages = [listing(animals(2, 100, status="sold"), limit=100, state="sold", at=at) for at in (0.5, 9.0)]
    own = [created(named(f"Babette{each}", status="sold"), each, at=each) for each in (1, 2)]
    ledger = ledger_of(*pages, *other, *own)
    assert only_own == (lacks_only_own(ledger, page_of(ledger, pages[1])) is not None)


def shrunk(at: float, few: int) -> Exchange:
    """The largest list, where the last of the others are gone."""
    return listing(FOREIGN[:few], limit=100, at=at)


@cases(
    ("asked", "told"),
    {
        "nobody asked": ([], Lacking((), (103, 104))),
        "one is gone": ([lost(104, at=9.5)], Lacking((104,), (103,))),
        "both are gone": ([lost(103, at=9.5), lost(104, at=9.5)], Lacking((103, 104), ())),
        "it was asked for before": ([lost(103, at=0.2), lost(104, at=9.5)], Lacking((104,), (103,))),
        "one has been found": ([lost(104, at=9.5), got(103, at=9.5)], None),
        "one was found before the last page": ([lost(104, at=9.5), got(103, at=6.0)], None),
        "one was found as soon as it was shown": ([lost(104, at=9.5), got(103, at=5.0 + 0.01)], None),
        "one was shown elsewhere since": (
            [lost(103, at=9.5), listing([animal(103)], limit=1, at=9.8), lost(104, at=9.9)],
            None,
        ),
        "another one took a place": ([listing([*FOREIGN[:3], animal(400)], limit=100, at=6.0)], None),
        "one came back": ([whole(8.0), lost(104, at=9.5)], Lacking((104,), (103,))),
    },
)
def test_what_a_query_has_lost_has_to_be_gone(asked: list[Exchange], told: Lacking | None) -> None:
    """A cap would have let others take their places; what getPet was not asked for since is still to be asked for."""
    pages = [whole(0.5), shrunk(5.0, 4), last := shrunk(9.0, 3)]
    ledger = ledger_of(*pages, made(1, 1.0), made(2, 2.0), *asked)
    assert told == lacks_only_own(ledger, page_of(ledger, last))


def test_what_a_query_shows_at_last_it_may_have_lacked_before() -> None:
    """Only what it returned before a time counts."""
    ledger = ledger_of(whole(0.5), made(1, 1.0), made(2, 2.0), page := whole(9.0), whole(12.0, 1, 2))
    assert Lacking((), ()) == lacks_only_own(ledger, page_of(ledger, page), 12.0)
    assert lacks_only_own(ledger, page_of(ledger, page), 12.1) is None
    assert lacks_only_own(ledger, page_of(ledger, page)) is None


def test_of_many_that_a_query_has_lost_a_few_are_asked_for() -> None:
    """One after another, after the last page; what a few of them have told holds for all."""
    ledger = ledger_of(last := shrunk(9.0, 3))
    page = page_of(ledger, last)
    lacking = Lacking((7,), (1, 2, 3))
    assert not lacking.is_told
    wanted = [once(WITHDRAWN, f"/pets/{each}", page.answered_s) for each in (1, 2)]
    assert wanted == [*lacking.asked_after(page)]
    assert Lacking((7, 8, 9), (1, 2)).is_told
    assert Lacking((7,), ()).is_told


@cases(
    ("told", "asked"),
    {
        "nothing yet": ([], range(9, 21)),
        "one is gone": ([lost(15, at=9.5)], range(9, 21)),
        "some of the others are gone": ([lost(1, at=9.5), lost(2, at=9.5)], [1, 2, *range(11, 21)]),
        "one was asked for after the page": ([got(3, at=9.5)], [3, *range(9, 21)]),
        "one was asked for before the page": ([got(3, at=8.5)], range(9, 21)),
        "one was asked for before the page and after it": (
            [got(3, at=8.5), got(3, at=9.5)],
            [3, *range(9, 21)],
        ),
        "more than that are gone": ([lost(each, at=9.5) for each in range(1, MANY + 2)], range(1, MANY + 2)),
        "so many are gone": ([lost(each, at=9.5) for each in range(1, MANY + 1)], range(1, MANY + 1)),
        "all are gone": ([lost(each, at=9.5) for each in range(1, 21)], range(1, 21)),
    },
)
def test_of_many_that_a_page_lacks_the_newest_are_asked_for_until_enough_are_gone(
    told: list[Exchange], asked: Sequence[int]
) -> None:
    """Of twenty animals; those that were asked for remain."""
    ledger = ledger_of(*(made(each, each / 10) for each in range(1, 21)), last := whole(9.0), *told)
    worth = worth_asking_for(ledger, page_of(ledger, last), ledger.creations)
    assert [*asked] == [each.animal_id for each in worth]


def test_a_page_has_room_for_an_animal_where_its_query_was_longer_by_the_largest_that_it_lacks() -> None:
    """A cap in bytes may have ended it before that one."""
    small, large = made(1, 1.0), created(named("L" * 2000), 2, at=2.0)
    pages = [whole(0.5), whole(3.0)]
    grown = [made(3, 4.0), made(4, 4.5), whole(9.0, 3, 4)]
    for large_ones, room in (([], True), ([large], False)):
        ledger = ledger_of(*pages, small, *large_ones, *grown)
        page = page_of(ledger, pages[1])
        first = next(each for each in ledger.creations if each.animal_id == 1)
        assert room is has_room_for(ledger, page, first)


def test_a_full_page_has_room_for_nothing() -> None:
    """Nor has one of a query that did not grow as animals were added."""
    pages = [listing(animals(3, 100), limit=3, at=at) for at in (0.5, 9.0)]
    for first, last in (pages, (whole(0.5), whole(9.0))):
        ledger = ledger_of(first, made(1, 1.0), made(2, 2.0), last)
        assert not has_room_for(ledger, page_of(ledger, last), ledger.creations[0])
