"""The rules of rules/completing.py: what cuts lists, with a filter and without, and what no end of a list explains."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    PASSED,
    animal,
    animals,
    chosen_as_shown,
    failed_of,
    got,
    listing,
    outcome_of,
    verdict_of,
)
from selftests.rules.test_completing import BEHIND, behind, oldest
from selftests.suspicions.lists import FOREIGN, explained, filled, full, made, made_in_order, own, sold, whole
from selftests.tables import cases

FILTERED = "list.status.complete"
# Others that a list shows behind the end of a page.
LAST = FOREIGN[-1]


def page(at: float, *ids: int, took: float = 0.01) -> Exchange:
    """A list that lacks the last of the others."""
    return listing([*map(own, ids), *FOREIGN[:-1]], limit=100, at=at, took=took)


def shows_last(at: float, limit: int = 50) -> Exchange:
    """A list of another query that shows it."""
    return listing([LAST], limit=limit, at=at)


BEGUN = [*made(1, 3), *(got(1, own(1), at=at) for at in (5.3, 6.3, 7.3))]
PAGES = [*(page(at, 3) for at in (5.0, 6.0, 7.0)), filled(5.8, [own(3), *FOREIGN[:-1]])]
# The same query has shown more before: what a page shows, and others.
ADDED = listing([own(3), *FOREIGN[:-1], own(5)], limit=100, at=8.5)
LONGER = listing([own(3), *FOREIGN], limit=100, at=4.0)


@cases(
    ("others", "cut"),
    {
        "meanwhile": ([LONGER, shows_last(6.5)], True),
        "with the first": ([LONGER, shows_last(5.0)], True),
        "until the last was answered": ([LONGER, shows_last(PAGES[2].answered_s)], True),
        "before": ([LONGER, shows_last(4.9)], False),
        "afterwards": ([LONGER, shows_last(7.5)], False),
        "never": ([LONGER], False),
        "in the same query": ([LONGER, replace(LONGER, sent_s=7.005, answered_s=7.2)], False),
        "what does not stand behind": (
            [listing([own(3), LAST, *FOREIGN[:-1]], limit=100, at=4.0), shows_last(6.5)],
            False,
        ),
        "what the run has added": ([*made(5, at=4.0), ADDED, listing([own(5)], limit=50, at=6.5)], False),
    },
)
def test_a_page_is_cut_where_others_show_meanwhile_what_stands_behind_its_end(
    others: list[Exchange], *, cut: bool
) -> None:
    """A longer one of its query begins like it; a node that has no more animals than it lists would not show them."""
    trace = [*BEGUN, *PAGES, *others, *made(4, at=8.0), whole(9.0, 3, 4)]
    assert cut == ("list.complete" not in failed_of(trace))
    assert cut <= ("capped" in explained(trace, "list.complete"))


# Where no list ever shows an animal

THREE = [*made(3), *made(1, at=1.5), *made(4, at=2.0)]
LATER = [*made(5, at=8.0), listing([own(600)], limit=1, at=0.5), sold(8.8, 3, 4, 5, 600)]


def hidden(*beside: Exchange, ids: tuple[int, ...] = (3, 4, 600)) -> list[Exchange]:
    """A list of the sold ones that lacks one three times while getPet finds it, and lists without the filter."""
    pages = [each for at in (5.0, 6.0, 7.0) for each in (sold(at, *ids), got(1, own(1), at=at + 0.5))]
    return [*THREE, *pages, *beside, got(3, own(3), at=9.0), *LATER]


def with_room(at: float) -> Exchange:
    """A list without a filter that shows older and newer ones."""
    return listing([own(3), own(4)], limit=100, at=at)


# As long, before anything was added.
ALIKE = listing([own(600), *FOREIGN[:2]], limit=100, at=0.3)


@cases(
    ("beside", "failed"),
    {
        "around it": ([full(4.5, 3, 4)], {"list.complete"}),
        "around it at last": ([full(4.5, 3, 4, 600), full(4.7, 3, 4)], {"list.complete"}),
        "around it at last of three": (
            [full(4.5, 3, 4, 600), full(4.6, 3, 4, 600), full(4.7, 3, 4)],
            {"list.complete"},
        ),
        "as far as the filtered one": ([full(4.5, 3, 4, 600)], set()),
        "as far at last": ([full(4.5, 3, 4), full(4.7, 3, 4, 600)], set()),
        "as far at last of three": ([full(4.5, 3, 4), full(4.6, 3, 4), full(4.7, 3, 4, 600)], set()),
        "with room, as nothing was added": (
            [ALIKE, listing([*map(own, (3, 4, 600))], limit=100, at=4.5)],
            set(),
        ),
        "with room, before it had settled": ([with_room(3.0)], {"list.complete"}),
        "with room, but perhaps not for a large one": ([with_room(4.5)], {"list.complete"}),
        "older ones alone": ([full(4.5, 3)], set()),
        "it was listed once": ([full(4.5, 3, 4), listing([own(1)], limit=7, at=4.0)], set()),
    },
)
def test_what_every_list_lacks_is_a_finding_where_both_show_older_and_newer_ones(
    beside: list[Exchange], failed: set[str]
) -> None:
    """And the filtered one has to come farther than the one without the filter."""
    assert failed == failed_of(hidden(*beside)) & {"list.complete", FILTERED}


def roomy(at: float) -> Exchange:
    """A list without a filter that shows others alone, and has room for more."""
    return listing(animals(40, 100), limit=100, at=at)


KNOWN = [listing(animals(50, first), limit=50, at=0.1) for first in (100, 150)]
SHOWN = [behind(5.0, 1, 2, 3), behind(6.0, 1, 2, 3), *made(4, at=7.0), behind(9.5, 1, 2, 3, 4)]


@cases(
    ("beside", "outcome"),
    {
        "full": ([oldest(0.2), oldest(4.9)], PASSED),
        "full once": ([oldest(4.9)], PASSED),
        "with room before": ([roomy(0.2), oldest(4.9)], PASSED),
        "with room": ([roomy(4.9)], CANT_TELL),
        "none since": ([oldest(0.2)], CANT_TELL),
        "none": ([], CANT_TELL),
    },
)
def test_a_filtered_list_is_evidence_where_the_list_of_all_ends_before_what_was_added(
    beside: list[Exchange], outcome: str
) -> None:
    """A list with room that shows none of it says nothing of a scan."""
    assert outcome == outcome_of(FILTERED, [*KNOWN, *beside, *BEHIND[1:], *SHOWN])


def test_a_filtered_list_may_lack_the_newest() -> None:
    """It need not come as far, though the list without the filter does."""
    assert set() == failed_of(hidden(full(4.5, 3, 4), ids=(3, 600))) & {"list.complete", FILTERED}


# Of sixty others, half of them sold, a list shows twenty, three times, and getPet finds what it lacks after each.
OTHERS = [animal(each, status=("sold", "pending")[each % 2]) for each in range(100, 160)]
SALES = [each for each in OTHERS if each["status"] == "sold"]


def of_all(at: float, number: int, *ids: int, limit: int = 100) -> Exchange:
    """A list without a filter that shows so many of them."""
    return listing([*map(own, ids), *OTHERS[:number]], limit=limit, at=at)


def of_sold(at: float, number: int, first: int = 0, limit: int = 100) -> Exchange:
    """A list of so many that are sold."""
    return listing(SALES[first : first + number], limit=limit, state="sold", at=at)


TWENTY = [each for at in (5.0, 6.0, 7.0) for each in (of_all(at, 20), got(1, own(1), at=at + 0.3))]
TWENTY.append(filled(5.8, OTHERS[:20]))
GROWN = [of_all(5.0, 20), *made(4, at=5.5), of_all(9.0, 20, 4), of_all(10.0, 20, 4)]
GROWN.append(filled(9.8, [own(4), *OTHERS[:19]]))
BEFORE = [of_all(0.3 + at / 100, 60) for at in range(8)]
AFTER = [of_all(10.0 + at, 60) for at in range(8)]
SOLD = [{**each, "status": "sold"} for each in OTHERS]


def sixty(number: int, at: float) -> Exchange:
    """A list of so many of the sold ones, where all are."""
    return listing(SOLD[:number], limit=100, state="sold", at=at)


def other_query(number: int, at: float) -> Exchange:
    """A list without a filter of so many others, in another query."""
    return listing(OTHERS[20 : 20 + number], limit=99, at=at)


@cases(
    ("lists", "cut"),
    {
        "two lengths": ([of_all(0.2, 60)], False),
        "three lengths": ([of_all(0.2, 60), of_all(0.3, 40)], True),
        "three lengths, one of them shorter": ([of_all(0.2, 60), of_all(0.3, 10)], True),
        "another order": ([of_all(0.2, 60), listing(OTHERS[10:50], limit=100, at=0.3)], False),
        "eight before": ([of_all(0.2, 40), *BEFORE[:7]], True),
        "nine before": ([of_all(0.2, 40), *BEFORE], False),
        "eight after": ([of_all(0.2, 60), *AFTER[:7], of_all(30.0, 40)], True),
        "nine after": ([of_all(0.2, 60), *AFTER, of_all(30.0, 40)], False),
        "with a filter": ([of_all(0.2, 60), of_sold(0.4, 30), of_sold(9.0, 20)], True),
        "with a filter, always": ([of_all(0.2, 60), of_sold(9.0, 20)], False),
        "with a filter, as long before": ([of_all(0.2, 60), of_sold(0.4, 20), of_sold(9.0, 20)], False),
        "with a filter, longer afterwards": ([of_all(0.2, 60), of_sold(9.0, 20), of_sold(9.5, 30)], False),
        "with a filter, in another order": ([of_all(0.2, 60), of_sold(0.4, 25, 5), of_sold(9.0, 20)], False),
        "with a filter, at another length": ([of_all(0.2, 60), of_sold(0.4, 30), of_sold(9.0, 19)], False),
        "with a filter, full": (
            [of_all(0.2, 60), of_sold(0.4, 30, limit=20), of_sold(9.0, 20, limit=20)],
            False,
        ),
        "with a filter, the same": ([of_all(0.2, 60), sixty(60, 0.4), sixty(20, 9.0)], False),
        "another query": ([of_all(0.2, 60), other_query(40, 0.4), other_query(20, 9.0)], False),
    },
)
def test_pages_that_end_at_many_lengths_or_as_those_with_a_filter_are_cut(
    lists: list[Exchange], *, cut: bool
) -> None:
    """A cap that varies ends them anywhere; of eight pages before and after, those tell that begin like them."""
    trace = [*made(1), *TWENTY, *lists]
    assert cut == ("list.complete" not in failed_of(trace))


def test_a_page_is_held_against_longer_ones_as_it_was_at_first() -> None:
    """What was added to it since stands in none of them."""
    read = [got(1, own(1), at=at) for at in (5.3, 9.3, 10.3)]
    trace = [*made(1), *GROWN, *read]
    assert "list.complete" not in failed_of([*trace, of_all(0.2, 60), of_all(0.3, 40)])
    assert "list.complete" in failed_of([*trace, of_all(0.2, 60)])


# The newest first: the newest of all is missing, and the oldest may be behind the end.
AGED = [*made_in_order(10), *made(3000, at=1.0)]
NEWEST_FIRST = [own(each) for each in range(2009, 2000, -1)]


@cases(
    ("others", "later", "named"),
    {
        "never longer": ([], [], "were added: 3000."),
        "longer once": (FOREIGN[:3], [*made(3001, at=8.0)], "were added: 3000."),
        "full": (animals(91, 100), [], "were added: 3000."),
    },
)
def test_a_list_that_shows_the_newest_first_ends_behind_the_place_of_the_newest(
    others: list[dict[str, object]], later: list[Exchange], named: str
) -> None:
    """What is older than all that it shows may be cut off."""
    fill = [] if later else others
    pages = [listing([*NEWEST_FIRST, *fill], limit=100, at=at) for at in (5.0, 6.0, 7.0)]
    read = [got(3000, own(3000), at=at) for at in (5.5, 6.5, 7.5)]
    longer = [listing([own(3001), *NEWEST_FIRST, *others], limit=100, at=10.5)] if later else []
    longer += [filled(5.8, NEWEST_FIRST)]
    pushed = [listing(animals(100, 100), limit=100, at=0.0005)] if len(others) > len(FOREIGN) else []
    trace = [*pushed, listing(others[:50], limit=50, at=0.001)] if others else []
    trace += [*AGED, *pages, *read, *later, *longer]
    (found,) = verdict_of("list.complete", [*trace, *chosen_as_shown()]).findings
    assert named in found.finding.message
