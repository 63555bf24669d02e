"""completeness.py: which lists are known to hold every animal that they could."""

from __future__ import annotations

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, ledger_of, listing, unauthorised

LONGER = listing(animals(30, 100, status="pending"), limit=100, state="pending", at=0.0)
SOLD = [animal(1, status="sold"), animal(2, status="sold")]


def filtered(limit: int = 100, at: float = 2.0) -> Exchange:
    """The sold animals."""
    return listing(SOLD[:limit], limit=limit, state="sold", at=at)


FULL = filtered(limit=2, at=1.0)


def complete_pages(*exchanges: Exchange) -> list[float]:
    """When the pages that are known to be complete were sent."""
    return [each.exchange.sent_s for each in ledger_of(*exchanges).completeness.complete]


def test_a_filtered_page_with_room_for_more_is_complete() -> None:
    """Reading 11: longer filtered pages exist, and the filter is applied before the limit."""
    assert [2.0] == complete_pages(LONGER, FULL, filtered())


def test_a_filtered_page_is_complete_where_the_whole_list_is() -> None:
    """There was nothing to cut before the filter; what was asked for later says nothing."""
    whole = [listing(animals(each), limit=100, at=float(each)) for each in (8, 9)]
    assert [2.0, 8.0] == complete_pages(LONGER, filtered(), *whole)
    assert [8.0] == complete_pages(LONGER, *whole, filtered(at=10.0))


def test_an_empty_page_is_complete_from_the_default_limit_on() -> None:
    """Below it, a deployment whose pages are a few short gives empty ones lawfully."""
    whole = [listing(animals(each), limit=100, at=float(each)) for each in (8, 9)]
    nothing = [listing([], at=1.0), listing([], limit=20, state="sold", at=2.0)]
    assert [1.0, 2.0, 8.0] == complete_pages(*nothing, *whole)
    few = [listing([], limit=1, at=1.0), listing([], limit=19, state="sold", at=2.0)]
    assert [8.0] == complete_pages(*few, *whole)


def test_an_empty_filtered_page_is_not_complete_for_a_full_one_before_it() -> None:
    """Where the limit comes before the filter, the first animals may have had the status then."""
    full = listing(SOLD[:1], limit=1, state="sold", at=1.0)
    assert [] == complete_pages(LONGER, full, listing([], limit=50, state="sold", at=2.0))


def test_an_unfiltered_page_with_room_for_more_is_complete() -> None:
    """Where a longer one was seen."""
    assert [0.5] == complete_pages(
        listing(animals(10), limit=100, at=0.5), listing(animals(12), limit=100, at=1.0)
    )


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([FULL, filtered()], id="no longer page was seen"),
        pytest.param([LONGER, filtered()], id="the filter may come after the limit"),
        pytest.param([LONGER, FULL, filtered(limit=50)], id="not the largest limit"),
        pytest.param([listing(animals(100), limit=100)], id="a full page"),
        pytest.param(
            [LONGER, FULL, listing([SOLD[0], "x"], limit=100, state="sold")], id="an element without id"
        ),
        pytest.param(
            [listing(animals(each), limit=100, at=float(each)) for each in (100, 101)],
            id="a full one of a longer",
        ),
        pytest.param([LONGER, FULL, unauthorised(filtered())], id="refused"),
        pytest.param(
            [LONGER, FULL, listing(SOLD, query="limit=100&status=sold&x=1")], id="an unknown parameter"
        ),
        pytest.param(
            [LONGER, FULL, filtered(), listing(SOLD[1:], limit=100, state="sold", at=3.0)],
            id="the same query lost an animal",
        ),
        pytest.param(
            [
                LONGER,
                FULL,
                *(listing(animals(30, each), limit=100, at=1.5) for each in (100, 101)),
                filtered(),
            ],
            id="an unfiltered query lost an animal",
        ),
    ],
)
def test_a_page_that_may_be_short_is_not_complete(trace: list[Exchange]) -> None:
    """Reading 11: shorter is lawful."""
    assert [] == complete_pages(*trace)


def test_another_filter_that_loses_animals_does_not_matter() -> None:
    """Reading 12: their statuses moved."""
    pending = [listing(animals(3 - at), limit=100, state="pending", at=1.2 + at / 10) for at in range(2)]
    assert [2.0] == complete_pages(LONGER, FULL, *pending, filtered())


@pytest.mark.parametrize(
    ("full", "shown", "complete"), [(5, 5, True), (4, 5, True), (3, 5, False), (6, 5, True), (1, 2, False)]
)
def test_a_full_page_of_about_its_length_shows_that_the_filter_comes_first(
    full: int,
    shown: int,
    complete: bool,  # noqa: FBT001 - the answer
) -> None:
    """Four fifths of it are enough: others may have created some meanwhile."""
    sold = animals(6, status="sold")
    trace = [LONGER, listing(sold[:full], limit=full, state="sold", at=1.0)]
    last = listing(sold[:shown], limit=100, state="sold", at=2.0)
    assert complete == (2.0 in complete_pages(*trace, last))


def test_a_full_page_of_another_filter_shows_nothing_of_this_one() -> None:
    """Nor does one without a filter, or one that had room."""
    pending = listing(animals(2, 50, status="pending"), limit=2, state="pending", at=1.0)
    assert [] == complete_pages(LONGER, pending, filtered())
    unfiltered = listing(animals(2), limit=2, at=1.0)
    assert [] == complete_pages(LONGER, unfiltered, filtered())
    roomy = listing(SOLD, limit=3, state="sold", at=1.0)
    assert [] == complete_pages(LONGER, roomy, filtered())


def test_a_longer_page_is_one_with_a_filter_where_this_one_has_one() -> None:
    """Pages may have a largest length of their own each."""
    few, whole = (listing(animals(each), limit=100, at=each / 100) for each in (3, 30))
    assert [0.03] == complete_pages(few, whole, FULL, filtered())
    assert [] == complete_pages(LONGER, few)


def test_full_pages_that_differ_are_no_sign_of_pages_that_vary() -> None:
    """What is not on a full page may be on the next one; another limit is another question."""
    turned = listing(SOLD[::-1][:1], limit=1, state="sold", at=1.5)
    once = listing(SOLD[:1], limit=1, state="sold", at=1.2)
    assert [2.0] == complete_pages(LONGER, FULL, once, turned, filtered())
    short = listing(SOLD[1:], limit=99, state="sold", at=1.2)
    assert [2.0] == complete_pages(LONGER, FULL, short, filtered())


def test_what_was_asked_for_first_was_shown_first() -> None:
    """An answer that took long shows what there was when it was asked for, and loses nothing."""
    three = animals(3, status="sold")
    grown = [listing(three, limit=each, state="sold", at=3.0) for each in (3, 100)]
    slow = listing(SOLD, limit=100, state="sold", at=2.0, took=9.0)
    assert [3.0, 2.0] == complete_pages(LONGER, FULL, slow, *grown)


def test_an_animal_that_a_page_lost_at_any_time_makes_its_filter_unsteady() -> None:
    """Also where the page after it has it again."""
    lacking = listing(SOLD[1:], limit=100, state="sold", at=2.5)
    assert [] == complete_pages(LONGER, FULL, filtered(), lacking, filtered(at=3.0))
    another = listing([animal(3, status="sold")], limit=100, state="sold", at=2.5)
    assert [] == complete_pages(LONGER, FULL, filtered(), another)


def test_a_complete_page_without_a_filter_is_one_that_shows_animals() -> None:
    """An empty one at the default limit says nothing of what was cut before it was filtered."""
    page = listing([], limit=100, state="sold", at=2.0)
    assert [3.0] == complete_pages(page, listing([], at=3.0))


def test_an_empty_page_is_complete_where_a_whole_one_was_asked_for_when_it_was_answered() -> None:
    """In that moment, or later."""
    whole = [listing(animals(each), limit=100, at=float(each)) for each in (8, 9)]
    for at, complete in ((7.0, True), (7.5, False)):
        page = listing([], limit=100, state="sold", at=at, took=1.0)
        assert complete == (at in complete_pages(page, *whole))


def test_a_ledger_says_anew_what_is_complete_when_it_has_learned_another_page() -> None:
    """And only then."""
    ledger = ledger_of(LONGER, FULL)
    before = ledger.completeness
    assert before is ledger.completeness
    page = filtered()
    ledger.learn(page)
    assert [page] == [each.exchange for each in ledger.completeness.complete]
    assert page is ledger.completeness.by_exchange[id(page)].exchange
