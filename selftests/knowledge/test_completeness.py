"""completeness.py: where the lists of a query end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from animal_conformance.judge.knowledge.completeness import JSON_BYTES, Page
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, ledger_of, listing
from selftests.knowledge.pages import made, page_of

FOREIGN = animals(5, 100)


def whole(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list: these, and others."""
    return listing([*map(animal, ids), *FOREIGN], limit=100, at=at, **options)


def test_a_page_is_uncut_where_this_very_query_has_given_a_longer_one() -> None:
    """Reading 20: a cap belongs to one query, so that another query's length says nothing."""
    short, longer, other = whole(1.0), whole(2.0, 1), listing(animals(50), limit=99, at=3.0)
    ledger = ledger_of(short, longer, other)
    assert [short] == [each.exchange for each in ledger.completeness.uncut.values()]


def test_a_page_may_have_to_be_longer_in_bytes() -> None:
    """Reading 20: a cap may be in bytes, and keeps out what is too large for what was left."""
    short, longer = whole(1.0), whole(2.0, 1)
    lists = ledger_of(short, longer).completeness
    page, after = lists.pages
    assert after is lists.longer(page, after.size - page.size)
    assert lists.longer(page, after.size - page.size + 1) is None
    assert lists.longer(after) is None


def test_many_small_animals_are_no_room_for_a_large_one_where_less_is_stored_of_each() -> None:
    """A cap may count what a row takes in a database, which is less than its JSON."""
    large = listing([animal(1, name="x" * 900), animal(2, name="x" * 900)], limit=100, at=1.0)
    many = listing(animals(30, 10), limit=100, at=2.0)
    page, longer = (lists := ledger_of(large, many).completeness).pages
    beside_json = longer.size - page.size - JSON_BYTES * (longer.length - page.length - 1)
    assert longer is lists.longer(page, beside_json)
    assert lists.longer(page, beside_json + 1) is None


def test_the_first_page_that_is_long_enough_is_the_one_that_counts() -> None:
    """Of whichever length: in items, and in bytes."""
    short, small, large, middle, longest = pages = [
        listing([animal(each, name="x" * size) for each in range(count)], limit=100, at=float(at))
        for at, (count, size) in enumerate([(1, 5), (2, 5), (2, 90), (2, 50), (3, 90)])
    ]
    lists = ledger_of(*pages).completeness
    page = lists.by_exchange[id(short)]

    def longer(than: Exchange) -> Exchange | None:
        wanted = lists.by_exchange[id(than)]
        found = lists.longer(page, wanted.size - page.size - JSON_BYTES * (wanted.length - page.length - 1))
        return None if found is None else found.exchange

    assert [small, large, large] == [longer(each) for each in (small, large, middle)]
    assert longest is longer(longest)
    same = [animals(1), animals(1), animals(2)]
    same[0] = [animal(1, name="x" * (len(json.dumps(same[2])) - len(json.dumps([animal(1, name="")]))))]
    ledger = ledger_of(*(listing(each, limit=100, at=float(at)) for at, each in enumerate(same)))
    assert [2, 2, None] == [
        found and found.length for found in map(ledger.completeness.longer, ledger.completeness.pages)
    ]
    assert ledger.pages == ledger.completeness.beside(ledger.pages[0])


def test_a_page_with_an_unknown_element_or_without_room_is_no_uncut_one() -> None:
    """What has no id may be the animal that is looked for."""
    pages = [listing(["x"], limit=9, at=1.0), listing(animals(2), limit=9, at=2.0)]
    assert {} == ledger_of(*pages).completeness.uncut


@pytest.mark.parametrize(
    "earlier",
    [
        pytest.param(whole(2.0, 1), id="as long"),
        pytest.param(listing([animal(7)], limit=100, at=0.5), id="fewer, and another among them"),
        pytest.param(whole(4.0), id="fewer, but later"),
    ],
)
def test_a_page_has_grown_by_what_its_query_did_not_show_before(earlier: Exchange) -> None:
    """And shows nothing else than that."""
    page = whole(3.0, 1)
    for trace, shown in (([earlier, page], False), ([earlier, whole(1.0), page], True)):
        lists = ledger_of(*trace).completeness
        assert shown == lists.shows_all(lists.by_exchange[id(page)])


def test_a_page_shows_its_animals_with_their_statuses() -> None:
    """By id, and those alone that have one."""
    page = page_of(ledger_of(shown := listing([animal(1), animal(2, status="sold"), animal("3"), 4])), shown)
    assert [True, True, False] == [page.shows(1, status) for status in (None, "available", "sold")]
    assert [False, True, False] == [page.shows(*each) for each in ((2, "available"), (2, "sold"), (3, None))]
    assert {1: animal(1), 2: animal(2, status="sold")} == page.animals
    assert len(shown.response.body if shown.response else b"") == page.size


def test_a_query_that_loses_an_animal_and_shows_it_again_varies() -> None:
    """Its pages are a choice, and prove nothing; those of another query do."""
    flickering = [whole(1.0, 1), whole(2.0), whole(3.0, 1, 2)]
    steady = [listing(FOREIGN[: at + 1], limit=99, at=5.0 + at) for at in range(2)]
    lists = ledger_of(*flickering, *steady).completeness
    assert steady == [each.exchange for each in lists.pages if lists.shows_all(each)]


def test_a_query_that_varied_once_does_so_no_more_after_many_steady_pages() -> None:
    """As where others were taken down and put back."""
    republished = [whole(1.0, 1), whole(2.0), whole(3.0, 1)]
    for count, shown in ((8, 8), (7, 0)):
        steady = [whole(4.0 + at, *range(1, 3 + at)) for at in range(count)]
        assert steady[:shown] == [each.exchange for each in uncut(*republished, *steady)]
    again = [whole(20.0, *range(3, 10)), whole(21.0, *range(1, 12))]
    steady = [whole(4.0 + at, *range(1, 3 + at)) for at in range(8)]
    assert [] == uncut(*republished, *steady, *again)


def test_a_query_does_not_vary_by_what_was_created_lately() -> None:
    """One of several replicas may lag behind, until it has settled."""
    new = [made(1, at=1.0), whole(1.5, 1), whole(2.0), whole(2.5, 1, 2)]
    assert new[1:] == [each.exchange for each in uncut(*new)]
    assert uncut(*new[:2], whole(4.0), whole(5.0, 1, 2)) == []


@pytest.mark.parametrize(
    ("kept", "shown"), [(3, True), (5, False)], ids=["others' behind", "the run's alone"]
)
def test_what_a_cap_cuts_now_and_then_is_not_lost(kept: int, *, shown: bool) -> None:
    """A page with which longer ones begin may be cut; where it lacks but the run's animals, they may be left out."""
    full = [*FOREIGN, animal(1)]
    lists = [listing(each, limit=100, at=at) for at, each in ((4.0, full), (5.0, full[:kept]), (6.0, full))]
    assert shown == bool(uncut(made(1, at=0.1), whole(0.5), *lists))


def uncut(*trace: Exchange) -> list[Page]:
    """The pages that show whatever there is."""
    lists = ledger_of(*trace).completeness
    return [each for each in lists.pages if lists.shows_all(each)]


def test_a_filtered_query_does_not_vary_by_an_animal_whose_status_moves() -> None:
    """It leaves the list and comes back."""
    moving = [
        listing([*added, *FOREIGN], limit=100, state="sold", at=at)
        for at, added in enumerate(([animal(1)], [], [animal(1), animal(2)]), 1)
    ]
    told = listing([animal(1, status="pending")], limit=1, at=2.5)
    for trace, shown in ((moving, []), ([*moving, told], moving)):
        lists = ledger_of(*trace).completeness
        assert shown[:2] == [each.exchange for each in lists.pages if lists.shows_all(each)][:2]


def test_a_page_that_has_grown_would_show_what_was_added() -> None:
    """Reading 20: the first page of a query may be cut, and so may one that lost what it had shown."""
    grown = [whole(1.0), whole(2.0, 1), listing(animals(7, 500), limit=99, at=3.0)]
    window = [listing(animals(8, first), limit=98, at=3.0 + first) for first in (1, 2)]
    lists = ledger_of(*grown, *window).completeness
    assert grown[:2] == [each.exchange for each in lists.pages if lists.shows_all(each)]


@pytest.mark.parametrize(
    ("page", "early"),
    [
        (listing(animals(3), limit=4), True),
        (listing(animals(4), limit=4), False),
        (listing([animal(1), "x"], limit=4), False),
    ],
)
def test_a_page_ends_early_where_it_has_room_and_every_id_is_known(page: Exchange, *, early: bool) -> None:
    """What has no id may be the animal that is looked for."""
    assert early == page_of(ledger_of(page), page).ends_early
