"""The rules of rules/completing.py: what cuts lists, with a filter and without, and what no end of a list explains."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    PASSED,
    animals,
    failed_of,
    got,
    listing,
    outcome_of,
)
from selftests.rules.test_completing import BEHIND, behind, oldest
from selftests.suspicions.lists import FOREIGN, explained, full, made, own, sold, whole
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
PAGES = [page(at, 3) for at in (5.0, 6.0, 7.0)]
# The same query has shown more before: what a page shows, and others.
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
        "what the run has added": (
            [*made(5, at=4.0), page(8.5, 3, 5), listing([own(5)], limit=50, at=6.5)],
            False,
        ),
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


@pytest.mark.parametrize("newest", [True, False])
def test_a_filtered_list_may_lack_what_is_at_one_end(newest: bool) -> None:  # noqa: FBT001 - a parameter
    """It need not come as far as the newest, nor as the oldest."""
    ids = (3, 600) if newest else (4, 600)
    assert set() == failed_of(hidden(full(4.5, *ids[:1]), ids=ids)) & {"list.complete", FILTERED}
