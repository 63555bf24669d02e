"""The rules of rules/completing.py where limits count more than lists show: rows that are hidden or merged afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.experiments import WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    TERMS,
    animal,
    animals,
    asked_by,
    chosen_as_shown,
    failed_of,
    listing,
    reads_of,
    verdict_of,
)
from selftests.suspicions.lists import filled, in_turns, made, made_in_order, own, suspected
from selftests.tables import cases

# Sixty others, in no order that they show.
OTHERS = [animal(each * 37 % 101 + 100, name=f"someone's {each * 17 % 61}") for each in range(60)]
FORTY = OTHERS[:40]


def page(shown: list[dict[str, Any]], at: float) -> Exchange:
    """The largest list without a filter."""
    return listing(shown, limit=100, at=at)


def short(at: float, limit: int, by: int = 1) -> Exchange:
    """A list that is shorter than its limit, although there are more animals."""
    return listing(FORTY[: limit - by], limit=limit, at=at)


# The query has shown more before, and lacks an animal three times while getPet finds it.
MISSED = [
    page(OTHERS, 0.5),
    *made(1),
    *in_turns(1, 9.0, page(FORTY, 5.0), page(FORTY, 6.0), page(FORTY, 7.0)),
]


def test_a_longer_page_that_shows_others_is_no_proof_until_smaller_limits_were_tried() -> None:
    """Limits that the animals of the page would fill, between two of its query."""
    assert set() == failed_of(MISSED)
    asked = [each for each in asked_by(verdict_of("list.complete", MISSED)) if each.explanation == "capped"]
    whole, smaller = "/pets?limit=100", [f"/pets?limit={each}" for each in (40, 39, 38)]
    assert [[whole, *smaller, whole]] == [reads_of(each) for each in asked]
    # Once what the last page of the query shows has settled.
    assert [WaitUntil(7.01 + TERMS.settle_s)] == [each.steps[0] for each in asked]


@cases(
    ("controls", "failed"),
    {
        "as long as their limits": ([filled(5.8, FORTY)], True),
        "almost as long a limit": ([filled(5.8, FORTY[:38])], True),
        "shorter twice": ([short(5.7, 40), short(5.8, 39)], False),
        "shorter twice at small limits": ([short(5.7, 3), short(5.8, 3), filled(5.9, FORTY)], False),
        "shorter once": ([short(5.7, 40), filled(5.8, FORTY)], True),
        "empty": ([short(5.7, 40, 40), short(5.8, 40, 40), filled(5.9, FORTY)], True),
        "shorter twice at the smallest limit that can be": (
            [short(5.7, 2), short(5.8, 2), filled(5.9, FORTY)],
            False,
        ),
        "before there were more": ([short(0.1, 3), short(0.2, 3), filled(5.9, FORTY)], True),
        "with a filter": (
            [
                *(listing([animal(900, status="sold")], limit=3, state="sold", at=at) for at in (5.7, 5.8)),
                filled(5.9, FORTY),
            ],
            True,
        ),
        "without a limit, which may be less than the contract's": (
            [*(listing(FORTY[:10], at=at) for at in (5.7, 5.8)), filled(5.9, FORTY)],
            True,
        ),
    },
)
def test_lists_that_are_shorter_than_their_limits_may_end_before_what_is_missing(
    controls: list[Exchange], *, failed: bool
) -> None:
    """Although there were as many animals before and after them; else a longer page shows that there was room."""
    trace = [*MISSED, *controls]
    assert failed == ("list.complete" in failed_of([*trace, *chosen_as_shown()]))
    assert "capped" not in suspected(trace)


@pytest.mark.parametrize(("at", "failed"), [(0.1, False), (4.9, True)])
def test_what_a_replica_may_lack_yet_fills_no_list(at: float, *, failed: bool) -> None:
    """A list that is shorter by what was just created says nothing of what limits count."""
    new = range(3000, 3005)
    shown = [*map(own, new), *OTHERS]
    fewer = [listing(OTHERS[:39], limit=62, at=5.2 + each / 10) for each in range(2)]
    trace = [*MISSED, *made(*new, at=at), page(shown, 5.1), *fewer, page(shown, 5.4), filled(5.8, FORTY)]
    assert failed == ("list.complete" in failed_of(trace))


@pytest.mark.parametrize("limit", [7, 37])
def test_too_small_a_limit_says_nothing_of_what_stands_behind_it(limit: int) -> None:
    """Some may stand between it and the length of the page."""
    assert "capped" in suspected([*MISSED, filled(5.8, OTHERS[:limit])])


def test_what_was_longer_than_lists_are_now_is_told_by_no_smaller_limit() -> None:
    """Another round would only show once more that a limit as long as the last page is filled."""
    long = in_turns(1, 30.0, *(page(FORTY, 5.0 + each) for each in range(12)))
    shorter = [page(OTHERS, 0.5), *made(1), *long, page(OTHERS[:7], 40.0)]
    assert "capped" in suspected(shorter)
    again = [*shorter, filled(40.1, OTHERS[:7]), page(OTHERS[:7], 40.2)]
    assert "capped" not in suspected(again)


def test_the_query_itself_is_no_smaller_limit() -> None:
    """That its lists are shorter than others of it is what is to be explained."""
    most = [*OTHERS, *animals(40, 300)]
    around = [page(most, at) for at in (0.5, 4.9, 5.1, 5.9, 6.1, 6.9, 7.1)]
    assert {"list.complete"} == failed_of([*MISSED[1:], *around, filled(5.8, FORTY)])


def test_what_comes_last_by_its_name_or_id_may_be_behind_the_end() -> None:
    """Where a page is sorted by these."""
    for key in ("name", "id"):
        shown = sorted(({**each, "name": f"A {each['id']}"} for each in OTHERS), key=lambda each: each[key])
        number = 1 if key == "name" else 900
        missed = in_turns(number, 9.0, *(page(shown[:40], at) for at in (5.0, 6.0, 7.0)))
        trace = [page(shown, 0.5), *made(number), *missed, filled(5.8, shown[:40])]
        assert set() == failed_of(trace)
        assert "capped" not in suspected(trace)


def test_what_stands_between_older_and_newer_ones_of_the_run_is_missing_whatever_limits_count() -> None:
    """If eight of them are in the order of their creation."""
    thinned = [short(5.7, 40), short(5.8, 39)]
    for count, failed in ((9, True), (8, False)):
        before = made_in_order(count)
        shown = [own(2000 + each) for each in range(count) if each != 4] + FORTY
        missed = in_turns(2004, 9.0, *(page(shown, at) for at in (5.0, 6.0, 7.0)))
        grown = [*made(3000, at=8.0), page([own(3000), *shown], 12.5)]
        trace = [page([*shown, *OTHERS[40:]], 0.5), *before, *missed, *thinned, *grown]
        assert "list.complete" not in failed_of(trace)
        trace += chosen_as_shown()
        assert failed == ("list.complete" in failed_of(trace))
        for each in verdict_of("list.complete", trace).findings:
            assert "shows older and newer animals of the run" in each.finding.message


# Nine of the run, one after another; the lists lack the fifth.
IN_ORDER = [2000, 2001, 2002, 2003, 2005, 2006, 2007, 2008]


def lacking(animal_id: int, before: list[Exchange], shown: list[int]) -> list[Exchange]:
    """Lists that lack an animal of the run, and show these before the others; limits count more than lists show."""
    some = [*map(own, shown), *FORTY]
    missed = in_turns(animal_id, 9.0, *(page(some, at) for at in (5.0, 6.0, 7.0)))
    grown = [*made(3000, at=8.0), page([own(3000), *some], 12.5)]
    return [
        page([*some, *OTHERS[40:]], 0.5),
        *before,
        *missed,
        short(5.7, 40),
        short(5.8, 39),
        *grown,
    ]


SIDE_BY_SIDE = [*made(2000, at=0.02), *made(2004, at=0.1), *made(*IN_ORDER[1:], at=0.2)]


@cases(
    ("trace", "failed"),
    {
        "in order": (lacking(2004, made_in_order(9), IN_ORDER), True),
        "in no order": (lacking(2004, made_in_order(9), [*IN_ORDER[4:], *IN_ORDER[:4]]), False),
        "all of them older": (lacking(2008, made_in_order(9), [*range(2000, 2008)]), False),
        "made side by side": (lacking(2004, SIDE_BY_SIDE, IN_ORDER), False),
    },
)
def test_an_animal_stands_between_others_only_where_their_order_says_so(
    trace: list[Exchange], *, failed: bool
) -> None:
    """What is newer than all, or stands anywhere, may be behind the end; those made side by side are in any order."""
    assert "list.complete" not in failed_of(trace)
    assert failed == ("list.complete" in failed_of([*trace, *chosen_as_shown()]))
