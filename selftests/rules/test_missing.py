"""The rules of rules/listing.py on what is missing from lists that are known to be complete."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    animals,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    opinions_of,
    outcome_of,
    payload,
    verdict_of,
)

# Completeness: what is known of a deployment with 30 animals of others and two of the run.

SOLD = payload(status="sold")
FOREIGN = animals(30, 100)


def own(animal_id: int) -> dict[str, Any]:
    """An animal of the run as answers show it."""
    return animal(animal_id, name=f"Babette{animal_id}", status="sold")


def made(*ids: int, at: float = 1.0) -> list[Exchange]:
    """The creations of animals that are sold."""
    return [created({**SOLD, "name": f"Babette{each}"}, each, at=at) for each in ids]


def pages(shown: list[Any], sold: list[Any], at: float) -> list[Exchange]:
    """The lists of all and of the sold animals at the largest limit, and the proof that the filter comes first."""
    full = (
        [listing(sold[:1], limit=max(1, len(sold)), state="sold", at=at + 0.3)]
        if len(sold) <= 1
        else [listing(sold, limit=len(sold), state="sold", at=at + 0.3)]
    )
    return [
        listing(FOREIGN, limit=100, state="available", at=at + 0.05),
        listing(shown, limit=100, at=at + 0.1),
        listing(sold, limit=100, state="sold", at=at + 0.2),
        *full,
    ]


def seen_again(*ids: int, at: float) -> list[Exchange]:
    """The animals, got by their ids."""
    return [got(each, own(each), at=at) for each in ids]


def test_animals_that_stand_in_a_complete_list_are_evidence() -> None:
    """A filtered list that had room for more holds both."""
    whole = [own(1), own(2)]
    trace = made(1, 2) + pages([*FOREIGN, *whole], whole, 5.0)
    assert PASSED == outcome_of("list.status.complete", trace)
    assert PASSED == outcome_of("list.complete", trace)
    assert set() == failed_of(trace)


def test_animals_that_every_list_hides_are_a_finding() -> None:
    """Reading 11: missing from complete lists, twice, after the time to settle, and still there."""
    trace = (
        made(1, 2, 3) + pages([*FOREIGN, own(3)], [own(3)], 5.0) + pages([*FOREIGN, own(3)], [own(3)], 6.0)
    )
    trace += seen_again(1, 2, at=8.0)
    assert {"list.complete"} == failed_of(trace)


def test_animals_that_the_filter_hides_are_a_finding_of_the_filter() -> None:
    """The list without a filter shows them."""
    whole = [*FOREIGN, own(1), own(2), own(3)]
    trace = made(1, 2, 3) + pages(whole, [own(3)], 5.0) + pages(whole, [own(3)], 6.0)
    trace += seen_again(1, 2, at=8.0)
    assert {"list.status.complete"} == failed_of(trace)


def test_one_animal_that_is_hidden_is_not_enough() -> None:
    """Reading 12: a second one is asked for."""
    trace = made(1, 3) + pages([*FOREIGN, own(3)], [own(3)], 5.0) + pages([*FOREIGN, own(3)], [own(3)], 6.0)
    assert CANT_TELL == outcome_of("list.complete", trace + seen_again(1, at=8.0))


def test_lists_that_lag_are_no_finding_within_the_time_to_settle() -> None:
    """Reading 11: replicas may lag."""
    late = pages([*FOREIGN, own(3)], [own(3)], 5.0) + pages([*FOREIGN, own(3)], [own(3)], 6.0)
    trace = made(1, 2, 3, at=4.9) + late + seen_again(1, 2, at=8.0)
    assert FAILED != outcome_of("list.complete", trace)
    assert FAILED == outcome_of("list.complete", trace, settle_s=0.01)


def test_animals_that_are_missing_once_are_no_finding() -> None:
    """Reading 11: it is asked again."""
    trace = made(1, 2, 3) + pages([*FOREIGN, own(3)], [own(3)], 5.0) + seen_again(1, 2, at=8.0)
    assert FAILED != outcome_of("list.complete", trace)


def test_animals_that_are_gone_altogether_are_no_finding_of_lists() -> None:
    """One cause, one clause: get.found."""
    trace = (
        made(1, 2, 3) + pages([*FOREIGN, own(3)], [own(3)], 5.0) + pages([*FOREIGN, own(3)], [own(3)], 6.0)
    )
    gone = [lost(1, at=8.0), lost(2, at=8.1), *seen_again(3, at=8.2)]
    assert {"get.found"} == failed_of(trace + gone)


def test_animals_whose_status_moved_are_no_finding() -> None:
    """Reading 12: they are another's now, and stand in another list."""
    whole = [*FOREIGN, own(3)]
    trace = made(1, 2, 3) + pages(whole, [own(3)], 5.0) + pages(whole, [own(3)], 6.0)
    trace += [got(each, {**own(each), "status": "pending"}, at=8.0) for each in (1, 2)]
    assert "list.status.complete" not in failed_of(trace)


def test_short_pages_are_no_finding() -> None:
    """Reading 11: a deployment whose pages are never longer than 10 shows no list that is known to be complete."""
    short = [listing(animals(10, 100), limit=100, at=5.0 + at) for at in range(4)]
    assert set() == failed_of(made(1, 2) + short + seen_again(1, 2, at=12.0))


def test_pages_that_are_cut_before_they_are_filtered_are_no_finding() -> None:
    """Reading 11: the first 100 animals, and of those the sold ones, are a page that is lawfully short."""
    first = animals(100, 100)
    cut = [
        each
        for at in range(4)
        for each in (
            listing(first, limit=100, at=5.0 + at),
            listing([own(3)], limit=100, state="sold", at=5.1 + at),
            listing([], limit=1, state="sold", at=5.2 + at),
        )
    ]
    assert set() == failed_of(made(1, 2, 3) + cut + seen_again(1, 2, at=12.0))


def test_random_pages_are_no_finding() -> None:
    """Reading 11: no order is promised, so each page may hold others than the page before."""
    sold = [own(each) for each in range(1, 9)]
    random_pages: list[Exchange] = []
    for at in range(6):
        chosen = [sold[(at + step) % 8] for step in range(4)]
        random_pages += pages([*FOREIGN, *chosen], chosen, 5.0 + at)
    assert set() == failed_of(made(*range(1, 9)) + random_pages + seen_again(*range(1, 9), at=20.0))


def test_smaller_pages_than_the_largest_prove_nothing() -> None:
    """A page that is short of a limit below 100 may be cut by any rule of its own."""
    whole = [listing(FOREIGN, limit=100, at=5.0), listing([own(3)], limit=1, state="sold", at=5.1)]
    short = [listing([own(3)], limit=50, state="sold", at=6.0 + at) for at in range(3)]
    assert set() == failed_of(made(1, 2, 3) + whole + short + seen_again(1, 2, at=12.0))


# Each list on its own, by how many it is evidence and by how many a finding.

CLAUSES = ("list.complete", "list.status.complete")
FOUND = seen_again(1, 2, at=99.0)
# A filter that is applied before the limit, and longer lists with a filter than those that are held against it.
FILTERED = [
    listing(FOREIGN, limit=100, state="available", at=0.0),
    listing([own(3)], limit=1, state="sold", at=0.1),
]


def opinions_on(*exchanges: Exchange, **terms: Any) -> list[tuple[int, int]]:
    """The opinions on both clauses."""
    return [opinions_of(each, exchanges, **terms) for each in CLAUSES]


def whole(at: float, *ids: int, limit: int = 100) -> Exchange:
    """A list without a filter, of others and these."""
    return listing([*FOREIGN, *(own(each) for each in ids)], limit=limit, at=at)


def sold(at: float, *ids: int) -> Exchange:
    """A list of the sold animals: these."""
    return listing([own(each) for each in ids], limit=100, state="sold", at=at)


def full(at: float, *ids: int) -> Exchange:
    """A list without a filter that has no room for more than others and these."""
    return listing([*(own(each) for each in ids), *animals(100 - len(ids), 100)], limit=100, at=at)


def longer(*ids: int) -> Exchange:
    """A longer list, beside which others are short."""
    return listing([*FOREIGN, *animals(30, 500), *(own(each) for each in ids)], limit=100, at=90.0)


HIDDEN = [whole(5.0), whole(6.0), longer()]


def test_each_list_that_hides_an_animal_is_a_finding() -> None:
    """It names those that are missing, and shows the first two creations."""
    creations = made(1, 2, 3)
    trace = [*creations, *HIDDEN, *seen_again(1, 2, 3, at=99.0)]
    assert [(0, 2), (0, 0)] == opinions_on(*trace)
    finding = verdict_of("list.complete", trace).findings[0].finding
    assert tuple(creations[:2]) == finding.related
    assert {"animal 1", "animal 2", "animal 3"} == finding.subjects
    assert "A list that had room for more leaves out animals that were added: 1, 2, 3." == finding.message


def test_a_finding_of_a_filtered_list_names_the_filter() -> None:
    """And counts what was expected."""
    trace = [*made(1, 2), *FILTERED, sold(5.0, 3), sold(6.0, 3), whole(7.0, 1, 2), *FOUND]
    finding = verdict_of("list.status.complete", trace).findings[0].finding
    assert finding.message.startswith("A list filtered for sold that had room for more leaves out")
    assert "1 animals at limit 100, 2 of those added not among them" == finding.observed
    assert finding.expected.startswith("all 2 animals")


@pytest.mark.parametrize(
    "creations",
    [
        pytest.param([*made(1, 2), *made(1, 2)], id="ids given twice"),
        pytest.param([created(named("Babette1", status="sold", colour="x"), 1)], id="open"),
        pytest.param([created(named("Babette1", status="lost"), 1)], id="invalid"),
        pytest.param(made(1, 2, at=4.5), id="not settled"),
        pytest.param(seen_again(1, 2, at=1.0), id="somebody else's"),
    ],
)
def test_what_need_not_be_listed_is_not_missed(creations: list[Exchange]) -> None:
    """And what is behind it in the trace is looked for all the same."""
    trace = [*creations, *made(3, at=2.0), whole(5.0, 3), whole(6.0, 3), longer(3), *FOUND]
    assert [(2, 0), (0, 0)] == opinions_on(*trace)
    hidden = [*creations, *made(3, at=2.0), *HIDDEN, *seen_again(3, at=99.0)]
    assert (0, 2) == opinions_on(*hidden)[0]


def test_an_animal_that_is_listed_is_evidence_at_once() -> None:
    """Also before the time to settle; a list that shows none of the run's is none."""
    assert (1, 0) == opinions_on(*made(1, at=4.9), whole(5.0, 1), longer(1))[0]
    assert (0, 0) == opinions_on(*made(1, at=4.9), whole(5.0), longer())[0]


@pytest.mark.parametrize(("made_at", "findings"), [(3.0, 2), (3.25, 0)])
def test_an_animal_is_missed_once_the_time_to_settle_is_over(made_at: float, findings: int) -> None:
    """In each list that was asked for in that moment or later."""
    creations = [replace(each, sent_s=0.0, answered_s=made_at) for each in made(1, 2)]
    assert (0, findings) == opinions_on(*creations, whole(5.0), whole(5.5), longer(), *FOUND)[0]


def test_an_animal_has_to_be_missing_twice_after_it_settled() -> None:
    """What came before that, and what shows it, is no absence."""
    assert (0, 0) == opinions_on(*made(1, 2), whole(1.5), whole(5.0), longer(), *FOUND)[0]
    assert (1, 0) == opinions_on(*made(1, 2), whole(5.0), whole(6.0, 1, 2), longer(1, 2), *FOUND)[0]
    assert (1, 2) == opinions_on(*made(1, 2), whole(5.0), whole(6.0), whole(7.0, 1, 2), longer(1, 2), *FOUND)[
        0
    ]


def test_absences_are_those_of_one_query() -> None:
    """Without a limit it is another one."""
    empty, largest = [listing([], at=each) for each in (5.0, 6.0)], listing([], limit=100, at=7.0)
    assert (0, 0) == opinions_on(*made(1, 2), empty[0], largest, *FOUND)[0]
    assert (0, 2) == opinions_on(*made(1, 2), *empty, largest, *FOUND)[0]


@pytest.mark.parametrize(("seen_at", "findings"), [(4.0, 0), (5.01, 0), (6.01, 1), (6.02, 2)])
def test_an_animal_that_is_not_shown_afterwards_may_be_gone(seen_at: float, findings: int) -> None:
    """One cause, one clause: what is lost altogether is get.found's."""
    assert (0, findings) == opinions_on(*made(1, 2), *HIDDEN, *seen_again(1, 2, at=seen_at))[0]


def test_where_getpet_was_removed_nobody_can_say_that_an_animal_is_still_there() -> None:
    """Reading 14: lists alone are asked then."""
    gone = [lost(each, 410, at=99.0) for each in (1, 2)]
    trace = [*made(1, 2), *HIDDEN, *gone]
    assert (0, 2) == opinions_on(*trace, today="2031-01-01")[0]
    assert (0, 0) == opinions_on(*trace)[0]


def test_an_animal_whose_status_moved_is_missed_in_lists_of_all() -> None:
    """A filtered list lacks it rightly."""
    moved = [got(each, {**own(each), "status": "pending"}, at=99.0) for each in (1, 2)]
    filtered = [*FILTERED, sold(5.5, 3), sold(6.5, 3)]
    assert [(0, 2), (0, 0)] == opinions_on(*made(1, 2), *HIDDEN, *filtered, *moved)
    assert [(0, 4), (0, 0)] == opinions_on(*made(1, 2), *HIDDEN, *filtered, *FOUND)


@pytest.mark.parametrize(
    ("others", "findings"),
    [
        pytest.param([], [2, 0], id="no other list"),
        pytest.param([whole(5.5, 1, 2, limit=50)], [2, 0], id="another limit"),
        pytest.param([whole(5.5, 1, 2)], [0, 2], id="shown by the nearest"),
        pytest.param([whole(1.01, 1, 2)], [0, 2], id="shown when it was made"),
        pytest.param([full(0.9), full(12.0, 1, 2)], [0, 2], id="not made yet"),
        pytest.param([full(5.5)], [2, 0], id="a full one"),
        pytest.param([full(1.5, 1, 2), full(5.5)], [0, 0], id="a full one that shows it no more"),
        pytest.param([whole(5.0), whole(6.0), whole(50.0, 1, 2), longer(1, 2)], [4, 0], id="hidden for long"),
    ],
)
def test_what_hides_an_animal_from_filtered_lists_is_told_by_the_nearest_list_of_all(
    others: list[Exchange], findings: list[int]
) -> None:
    """The filter alone, every list, or nobody knows: a full list says nothing of what is not on it."""
    trace = [*made(1, 2), *FILTERED, sold(5.2, 3), sold(6.2, 3), *others, *FOUND]
    assert findings == [each[1] for each in opinions_on(*trace)]


def test_a_list_of_all_hides_an_animal_whatever_another_shows_in_that_moment() -> None:
    """A filter has nothing to do with it."""
    both = [listing([own(1), own(2)], limit=20, at=9.0), listing([], at=9.0), listing([], at=9.5)]
    assert (0, 2) == opinions_on(*made(1, 2), *both, *FOUND)[0]


@pytest.mark.parametrize(
    ("sent", "answered", "findings"),
    [("sold", "sold", 2), ("sold", "pending", 2), ("pending", "sold", 0), (..., "sold", 2), (..., ..., 0)],
)
def test_an_animal_belongs_in_the_list_of_the_status_that_was_sent(
    sent: object, answered: object, findings: int
) -> None:
    """Or, where none was, of the one that was answered."""
    creations = [
        created(named(f"Babette{each}", status=sent), each, changes={"status": answered}) for each in (1, 2)
    ]
    assert findings == opinions_on(*creations, *FILTERED, sold(5.2, 3), sold(6.2, 3), *FOUND)[0][1]
