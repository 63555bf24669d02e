"""excuses.py: what lists are like is recognised where it is so, and not where it merely could be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.excuses import RECOGNISED, excuse_of
from animal_conformance.judge.gaps import gap_of
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    JSON,
    animal,
    animals,
    created,
    got,
    ledger_of,
    listing,
    lost,
    named,
    payload,
)
from selftests.judge.test_excuses import CLAUSES, holds
from selftests.tables import cases

STATUSES = ("available", "pending", "sold")
EXCUSES = {each.id: each for clause in CLAUSES.values() for each in clause.unobservable}


def lists(count: int, *, limit: int = 100, at: float = 1.0, last: int | None = None) -> list[Exchange]:
    """A list without a filter and with each, of that many animals; the one of sold animals may have another number."""
    pages = [listing(animals(count), limit=limit, at=at)]
    for number, status in enumerate(STATUSES):
        length = last if last is not None and status == "sold" else count
        shown = animals(length, 1000 * (number + 1), status=status)
        pages.append(listing(shown, limit=limit, state=status, at=at + 0.1 * (number + 1)))
    return pages


def test_full_lists_excuse_what_may_be_behind_them() -> None:
    """Of every filter, and at the largest limit."""
    assert holds("list.full", lists(100))
    assert not holds("list.full", lists(100, last=99))
    assert not holds("list.full", lists(50, limit=50))
    assert not holds("list.full", lists(100)[:-1])
    assert not any(holds(each, []) for each in RECOGNISED)


def many() -> list[Exchange]:
    """Lists of ten, each of other animals."""
    plain = [listing(animals(10, 5000 + 10 * at), limit=10, at=2.0 + at) for at in range(3)]
    return plain + [
        listing(animals(10, 8000 + 100 * at, status=status), limit=10, state=status, at=8.0 + at)
        for at, status in enumerate(STATUSES * 2)
    ]


def test_a_cap_in_bytes_leaves_fewer_animals_with_longer_names() -> None:
    """Such a list is as large as any, but for one more animal; where another one is larger by more, it is not."""
    longer = [animal(each, status="sold", name="Rex" * 8) for each in range(9, 18)]
    capped = [*lists(10, at=20.0)[:3], listing(longer, limit=100, state="sold", at=30.0)]
    assert holds("list.capped", [*many(), *capped])
    larger = listing([animal(each, name="Rex" * 12) for each in range(10)], limit=100, at=19.0)
    assert not holds("list.capped", [*many(), larger, *capped])


def test_a_cap_that_changes_leaves_the_beginning_of_what_was_longer() -> None:
    """What is behind it is not only what the run has added: that may be what an old list lacks."""
    before, after = lists(30, at=10.0), lists(10, at=20.0)
    assert holds("list.capped", [*many(), *before, *after])
    assert not holds("list.capped", [*many(), *before, *lists(0, at=20.0)])
    assert not holds(
        "list.capped",
        [*many(), *before, *after[:3], listing(animals(9, 3001), limit=100, state="sold", at=30.0)],
    )
    sold = [animal(each, status="sold") for each in range(3000, 3010)]
    own = [created(named("Fluffington", status="sold"), each, at=5.0) for each in (3010, 3011)]
    longer = listing(
        [*sold, *(animal(each, status="sold") for each in (3010, 3011))], limit=100, state="sold", at=11.0
    )
    assert not holds("list.capped", [*many(), *own, *before[:3], longer, *after])


def test_what_is_gone_is_not_behind_a_cap() -> None:
    """Where getPet does not find one of those that a list showed at its end once, and nothing has shown another since."""
    trace = [*many(), *lists(30, at=10.0), *lists(10, at=20.0)]
    gone = lost(3010, at=25.0)
    assert not holds("list.capped", [*trace, gone])
    assert holds("list.capped", [*trace, gone, got(3011, animal(3011, status="sold"), at=26.0)])
    assert not holds("list.capped", [*trace, gone, got(3001, animal(3001, status="sold"), at=26.0)])


def test_lists_whose_limits_count_what_they_leave_out_are_capped() -> None:
    """Smaller limits than the number of their animals are not filled."""
    later = lists(10, at=20.0, last=7)
    sold = later[-1]
    shown = animals(7, 3000, status="sold")
    short = [listing(shown[:2], limit=3, state="sold", at=21.0 + at) for at in range(2)]
    again = replace(sold, sent_s=25.0, answered_s=25.1)
    assert holds("list.capped", [*many(), *later, *short, again])
    assert not holds("list.capped", [*many(), *later, short[0], again])
    assert not holds("list.capped", [*many(), *later])


def test_capped_lists_excuse_what_may_be_behind_them() -> None:
    """Where there are more animals than the longest list shows."""
    later, more = lists(10, at=20.0), many()
    assert holds("list.capped", [*more, *later])
    assert not holds("list.capped", later)
    assert not holds("list.capped", [*more, *lists(10, at=20.0, last=7)])
    clause, ledger = CLAUSES["list.complete"], ledger_of(*more, *later)
    assert excuse_of(clause, ledger) is excuse_of(clause, ledger, {"sampled"}) is EXCUSES["list.capped"]
    # What is open because lists may be stored is not excused because they are capped.
    assert excuse_of(clause, ledger, {"sampled", "cached"}) is None
    # Lists with a filter may be capped at less, and full ones need no excuse.
    longer = listing(animals(30, 9000), limit=100, at=30.0)
    assert holds("list.capped", [*more, *later[1:], listing(animals(12, 9000), limit=100, at=30.0)])
    assert holds("list.capped", [*more, *later, listing(animals(100, 9000), limit=100, at=30.0)])
    assert not holds("list.capped", [*more, longer, *lists(10, at=40.0)])
    assert not holds("list.capped", [*lists(10), *later])
    assert holds("list.capped", lists(100))


def frozen_filters(*, seeds: int = 4, shown: int = 4) -> list[Exchange]:
    """Lists of a store with so many animals of each status, of which filters always hold the first ones."""
    of_each = {state: animals(seeds, 1000 * at, status=state) for at, state in enumerate(STATUSES, 1)}
    there = [each for state in STATUSES for each in of_each[state]]
    made = [animal(9000 + at, status=state, name=f"Ac{at}") for at, state in enumerate(STATUSES)]
    filters = [(state, of_each[state][:shown]) for state in STATUSES]
    return [
        listing(there, limit=100, at=1.0),
        *(listing(held, limit=100, state=state, at=1.1) for state, held in filters),
        *(
            created({**payload(), "name": each["name"], "status": each["status"]}, each["id"], at=2.0)
            for each in made
        ),
        listing([*made, *there, *animals(97 - len(there), 50_000)], limit=100, at=9.0),
        *(listing(held, limit=100, state=state, at=9.1) for state, held in filters),
    ]


def test_filters_that_hold_what_there_was_at_first_may_never_change() -> None:
    """A cap may be as long by chance; one that has cut from the first list on is a cap."""
    assert not holds("list.capped", frozen_filters())
    assert holds("list.capped", frozen_filters(seeds=6))
    gap = gap_of(CLAUSES["list.status.complete"], ledger_of(*frozen_filters()))
    assert gap.why.startswith("Filtered lists have always held the animals that there were at first")
    other = gap_of(CLAUSES["list.status.complete"], ledger_of(*frozen_filters(seeds=6)))
    assert gap.remedy != other.remedy


def test_each_query_may_have_a_cap_of_its_own() -> None:
    """It has never been longer, and takes in what the run adds in exchange for others."""
    made = [created(animal_id=each, at=2.0) for each in range(20, 24)]
    caps = {None: 9, "available": 8, "pending": 7, "sold": 6}
    before, after = (
        [
            listing(animals(cap, first, **state), limit=100, at=at, **({"state": status} if status else {}))
            for status, cap in caps.items()
            for state in [{"status": status} if status else {}]
        ]
        for first, at in ((12, 1.0), (18, 9.0))
    )
    gone = [
        listing(animals(30, 100 * at, status=each), limit=30, at=0.1) for at, each in enumerate(STATUSES, 1)
    ]
    assert holds("list.capped", [*gone, *before, *made, *after])
    assert not holds("list.capped", [*gone, *after])
    assert not holds("list.capped", [*gone, *before, *made, *before])
    longer = listing(animals(8, 50, status="sold"), limit=100, state="sold", at=5.0)
    assert not holds("list.capped", [*gone, *before, *made, longer, *after])


def test_lists_that_are_never_full_excuse_what_they_leave_out() -> None:
    """Without a filter and with one; a single full one, and they are no such lists."""
    short = [
        listing(animals(limit - 1), limit=limit, state=state, at=float(limit))
        for limit in (3, 5, 7, 20)
        for state in (None, "available")
    ]
    known = [listing(animals(1, 1), limit=1, at=0.1), *[got(each, at=0.2) for each in range(1, 40)]]
    assert holds("list.short", [*known, *short])
    assert not holds("list.short", [*known, *short, listing(animals(4), limit=4, at=50.0)])
    assert not holds("list.short", short)
    for of_two in (
        listing(animals(2), limit=2, at=50.0),
        listing(animals(2), limit=2, state="sold", at=50.0),
    ):
        assert not holds("list.short", [*known, *short, of_two])
    # Three of each kind are enough, where there are more animals than they have room for.
    assert holds("list.short", [*known, *short[:6]])
    assert not holds("list.short", [*known[:8], *short[:6]])


def chosen(ids: Iterable[int], at: float) -> Exchange:
    """A list of these animals."""
    return listing([animal(each) for each in ids], limit=100, at=at)


TEN, NEXT = range(1, 11), range(11, 21)
SAMPLE: Sequence[range] = (TEN, NEXT, TEN, NEXT)


@cases(
    ("pages", "recognised"),
    {
        "other animals in turns": (SAMPLE, True),
        "twice is no habit": (SAMPLE[:3], False),
        "animals that go for good": ([range(20 * at, 20 * at + 20) for at in range(5)], False),
        "one that comes and goes": ([range(20 - at % 2) for at in range(9)], False),
        "lists of nine": ([each[1:] for each in SAMPLE], False),
        "what was lost twice and shown at last": ([TEN, NEXT, TEN, [*NEXT, 99], TEN[:9]], True),
        "nine that were shown again": ([TEN, NEXT, [*TEN[:9], 99], range(21, 31), range(31, 41)], False),
        "less than a tenth": ([range(each, 91 + each) for each in (0, 9, 0, 9, 0)], False),
        "a tenth": ([range(each, 90 + each) for each in (0, 9, 0, 9, 0)], True),
        "ten that were shown again": ([TEN, NEXT, TEN, range(21, 31), range(31, 41)], True),
        "a twentieth on average": ([*SAMPLE, *[NEXT] * 57], True),
        "less than a twentieth on average": ([*SAMPLE, *[NEXT] * 58], False),
        "short lists that lack one animal, and seldom two": (
            [{*range(12)} - {at % 12, (at + 5) % 12 if at % 10 == 0 else at % 12} for at in range(40)],
            True,
        ),
    },
)
def test_sampled_lists_show_what_they_dropped_again(
    pages: Sequence[Iterable[int]], *, recognised: bool
) -> None:
    """Many animals at a time, again and again; not where a list had no room for them."""
    trace = [chosen(each, 1.0 + at) for at, each in enumerate(pages)]
    assert recognised == holds("list.sampled", trace)
    full = [listing(animals(10, 1 + 10 * (at % 2)), limit=10, at=1.0 + at) for at in range(6)]
    assert not holds("list.sampled", full)


@pytest.mark.parametrize(
    ("age", "made_at", "recognised"), [(61, 1.0, True), (60, 1.0, False), (61, -90.0, False)]
)
def test_stored_lists_say_that_they_are_older_than_a_run_waits_for(
    age: int, made_at: float, *, recognised: bool
) -> None:
    """And than anything that the run has created."""
    headers = (*JSON, ("Cache-Control", f"max-age={age}"))
    states = (None, *STATUSES)
    pages = [listing(limit=100, state=state, at=5.0, headers=headers) for state in states]
    later = created(named("Fluffington"), 2, at=4.0)
    assert recognised == holds("list.stored", [created(at=made_at), later, *pages])
    assert not holds("list.stored", pages)
    assert not holds("list.stored", [created(at=made_at), *pages[1:]])


def half_sold(count: int) -> list[dict[str, Any]]:
    """So many animals, of which the second half is sold."""
    return [*animals(count // 2, 1), *animals(count - count // 2, 1 + count // 2, status="sold")]


@cases(
    ("first", "left", "recognised"),
    {
        "what is on the page": (1, 0, True),
        "animals that are not on it": (500, 0, False),
        "all of these but one": (1, 1, False),
        "none of these": (1, 50, False),
    },
)
def test_filters_that_are_applied_last_show_what_is_in_the_plain_page(
    first: int, left: int, *, recognised: bool
) -> None:
    """Where there is more with that status, and the page without a filter was full."""
    known = listing(animals(100, first), limit=100, at=1.0)
    pages = [
        page
        for at, limit in enumerate((10, 20, 50))
        for page in (
            listing(half_sold(limit), limit=limit, at=2.0 + at),
            listing(animals(max(0, limit // 2 - left), first), limit=limit, state="available", at=2.1 + at),
        )
    ]
    everything = listing(half_sold(100), limit=100, at=0.5)
    assert recognised == holds("list.filtered-last", [everything, known, *pages])
    # Those that each filter lacks, and that have moved.
    moved = listing([animal(each, status="sold") for each in (5, 10, 25)], limit=3, at=1.5)
    assert (recognised or left == 1) == holds("list.filtered-last", [everything, known, moved, *pages])
    elsewhere = listing(animals(2, 90), limit=10, state="available", at=9.0)
    assert not holds("list.filtered-last", [everything, known, *pages, elsewhere])


def scanned(at: float, *, own: bool = False, moves: bool = True, whole: bool = False) -> list[Exchange]:
    """The largest lists of each status, without some that the one without a filter shows, or with all others.

    Those of two statuses have exchanged an animal by the second time, where statuses move.
    """
    held = {"available": [1, 2, 3, 4], "pending": [5, 6], "sold": [7, 8]}
    beyond = {"available": [21], "pending": [22], "sold": [23]}
    if moves and at > 5.0:
        held |= {"available": [1, 2, 3], "pending": [5, 6, 4]}
    if own:
        held["sold"].append(50)
    everything = {state: [*ids, *beyond[state]] for state, ids in held.items()}
    shown = everything if whole else held
    return [
        listing(
            [animal(each, status=state) for state, ids in everything.items() for each in ids],
            limit=100,
            at=at,
        ),
        *(
            listing([animal(each, status=state) for each in ids], limit=100, state=state, at=at + 0.1)
            for state, ids in shown.items()
        ),
    ]


@pytest.mark.parametrize(
    ("options", "recognised"),
    [
        pytest.param({}, True, id="of a part"),
        pytest.param({"own": True}, False, id="with one of the run"),
        pytest.param({"moves": False}, False, id="of statuses that stay"),
        pytest.param({"whole": True}, False, id="with all others"),
    ],
)
def test_filters_that_scan_a_part_never_show_what_was_added(
    options: dict[str, bool], *, recognised: bool
) -> None:
    """Where statuses move, they are longer at times all the same; what shows all others hides what was added."""
    made = [
        created(named(f"Fluffington{at}", status=state), 50 + at, at=2.0 + at / 10)
        for at, state in enumerate(("sold", "pending", "available"))
    ]
    trace = [*scanned(1.0), *made, *scanned(9.0, **options)]
    assert recognised == holds("list.scanned", trace)
    assert not holds("list.scanned", [*scanned(1.0), *scanned(9.0)])


def test_filtered_lists_that_are_full_or_show_all_with_their_status_say_nothing() -> None:
    """A filter that is applied first would show the same."""

    def pages(at: float, state: str | None = None, most: int = 100, **status: Any) -> list[Exchange]:
        return [
            listing(animals(min(limit, most), **status), limit=limit, state=state, at=at + limit)
            for limit in (10, 20, 50)
        ]

    for filtered in (pages(70.0, "sold", 5, status="sold"), pages(200.0, "available")):
        assert not holds("list.filtered-last", [*pages(1.0), *filtered])
