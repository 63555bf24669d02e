"""completeness.py: where the lists of a query end."""

from __future__ import annotations

import json
from dataclasses import replace
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


def test_a_list_that_was_cut_off_while_it_was_read_is_as_long_as_it_was() -> None:
    """Its elements are counted, whether they are kept or not."""
    shown = listing(animals(2), limit=1)
    assert shown.response is not None
    counted = replace(shown, response=replace(shown.response, elements=2_000_000))
    assert 2_000_000 == page_of(ledger_of(counted), counted).length


@pytest.mark.parametrize(("limit", "target"), [(None, "/pets"), (7, "/pets?limit=7")])
def test_the_list_without_the_filter_has_the_same_limit(limit: int | None, target: str) -> None:
    """An omitted one may be less than any that is stated."""
    shown = listing(FOREIGN, limit=limit, state="sold")
    assert target == page_of(ledger_of(shown), shown).target_of_all


def test_a_page_has_not_shown_before_what_it_is_the_first_to_show() -> None:
    """Those after it have."""
    pages = [whole(1.0), whole(2.0, 1), whole(3.0, 1)]
    lists = ledger_of(*pages).completeness
    assert [False, False, True] == [lists.has_shown(each, 1) for each in lists.pages]


def test_the_list_with_a_smaller_limit_is_the_last_that_was_stated_and_showed_something() -> None:
    """Of another query: an omitted limit is as large as it has shown, and may be as small as one."""
    largest, small = listing(FOREIGN, limit=100, at=1.0), listing(FOREIGN[:3], limit=3, at=2.0)
    later = [
        listing([], limit=3, at=3.0),
        listing([], limit=2, at=3.1),
        listing(FOREIGN, at=4.0),
        listing(FOREIGN, limit=100, at=5.0),
    ]
    ledger = ledger_of(largest, small, *later)
    found = ledger.completeness.smaller(page_of(ledger, largest))
    assert found is not None
    assert small is found.exchange
    omitted = listing(FOREIGN, state="sold", at=1.0)
    stated = [listing(FOREIGN[:each], limit=each, state="sold", at=1.0 + each) for each in (1, 2)]
    ledger = ledger_of(omitted, *stated)
    found = ledger.completeness.smaller(page_of(ledger, omitted))
    assert found is not None
    assert stated[0] is found.exchange


def test_the_first_page_that_has_enough_bytes_counts_though_its_length_came_later() -> None:
    """Pages of one length are tried together, whichever of them has the bytes."""
    sizes = [(1, 5), (2, 90), (2, 50), (3, 90), (2, 200)]
    pages = [
        listing([animal(each, name="x" * size) for each in range(count)], limit=100, at=float(at))
        for at, (count, size) in enumerate(sizes)
    ]
    lists = ledger_of(*pages).completeness
    page, large, middle, longest, largest = lists.pages
    assert large is lists.longer(page, middle.size + 1 - page.size)
    assert longest.size - JSON_BYTES >= large.size + 1
    assert longest is lists.longer(page, large.size + 1 - page.size)
    assert largest is lists.longer(page, largest.size - page.size)


def test_more_animals_in_fewer_bytes_are_no_longer_page() -> None:
    """A cap in bytes may have kept one more out, by a single byte."""
    more = listing(animals(2), limit=100, at=2.0)
    assert more.response is not None
    name = "x" * (len(more.response.body) - len(json.dumps([animal(1, name="")])))
    for longer, found in ((name, True), (f"{name}x", False)):
        lists = ledger_of(listing([animal(1, name=longer)], limit=100, at=1.0), more).completeness
        assert found is (lists.longer(lists.pages[0]) is not None)


def test_a_full_page_shows_not_all_although_it_has_grown() -> None:
    """There may be more."""
    short, full = (listing(animals(count), limit=4, at=float(count)) for count in (3, 4))
    assert [short] == [each.exchange for each in uncut(short, full)]


def test_a_full_page_loses_nothing() -> None:
    """What newer animals have pushed out comes back when there is room again."""
    first, second, last = ([animal(each) for each in ids] for ids in ((1, 2, 3), (4, 2, 3), (1, 2)))
    pages = [listing(each, limit=3, at=at) for at, each in enumerate((first, second, last), 1)]
    assert pages[2:] == [each.exchange for each in uncut(*pages)]


def test_a_list_without_a_filter_varies_by_what_has_moved_as_well() -> None:
    """A status takes no animal from it."""
    told = listing([animal(1, status="pending")], limit=1, at=2.5)
    assert [] == uncut(whole(1.0, 1), whole(2.0), told, whole(3.0, 1, 2))


def test_what_later_pages_show_behind_does_not_tell_that_an_earlier_one_was_cut() -> None:
    """It lacked what stood in front of it by then."""
    later = listing([*FOREIGN, animal(1), *animals(3, 200)], limit=100, at=3.0)
    assert [] == uncut(whole(1.0, 1), whole(2.0), later)
