"""The rule of rules/listing.py on the status filter: which animals may stand in a filtered list."""

from __future__ import annotations

import pytest

from selftests.exchanges import (
    CANT_TELL,
    animal,
    created,
    failed_of,
    got,
    listing,
    opinions_of,
    outcome_of,
    payload,
)


@pytest.mark.parametrize("wanted", ["available", "pending", "sold"])
def test_an_animal_of_another_status_in_a_filtered_list_is_a_finding(wanted: str) -> None:
    """Rule 3: the list is restricted."""
    other = "sold" if wanted == "pending" else "pending"
    shown = [animal(1, status=wanted), animal(2, status=other)]
    assert {"list.status.filter"} == failed_of([listing(shown, state=wanted)])


def test_an_animal_without_a_status_stands_in_one_filtered_list_and_not_in_two() -> None:
    """Reading 5: what a status that was left out stands for is open, but it is one status."""
    bare = animal(2, status=...)
    pages = [listing([bare], state="pending"), listing([bare], state="pending", at=2.0)]
    assert set() == failed_of(pages)
    assert {"list.status.filter"} == failed_of([*pages, listing([bare], state="sold", at=3.0)])


def test_an_animal_that_was_created_with_another_status_does_not_stand_in_a_filtered_list_without_one() -> (
    None
):
    """With the requested status, it stands there by right, but should show it."""
    bare = {**animal(1), **payload(status="sold"), "status": ...}
    shown = {name: value for name, value in bare.items() if value is not ...}
    sold = created(payload(status="sold"))
    assert "list.status.filter" in failed_of([sold, listing([shown], state="pending", at=2.0)])
    right = [sold, listing([shown], state="sold", at=2.0)]
    assert set() == failed_of(right)
    assert CANT_TELL == outcome_of("create.status.exact", right)


def test_a_filter_that_is_shown_as_the_status_of_others_is_a_finding_of_the_filter() -> None:
    """Rule 3: getPet goes on saying otherwise, in turns; if lists without the filter agree with it, it is not the filter."""
    stored = {**animal(1), **payload(status="sold", name="Babette")}
    trace = [created(payload(status="sold", name="Babette"), 1), got(1, stored, at=1.2)]
    for at in (2.0, 9.0, 10.0):
        trace += [
            listing([{**stored, "status": "pending"}], state="pending", at=at),
            got(1, stored, at=at + 0.5),
        ]
    assert {"list.status.filter"} == failed_of(trace)
    assert set() == failed_of(trace[:-2])
    assert CANT_TELL == outcome_of("list.status.filter", trace[:-2])
    plain = listing([{**stored, "status": "pending"}], at=3.0)
    assert "list.status.filter" not in failed_of([*trace, plain])


def test_a_status_that_is_none_is_not_blamed_on_the_filter() -> None:
    """One cause, one clause: animal.status."""
    assert {"animal.status"} == failed_of([listing([animal(1, status="SOLD")], state="sold")])


def test_a_filtered_list_is_evidence_where_others_could_have_leaked() -> None:
    """It needs an animal in the list, and one of another status that is known before."""
    sold, page = animal(1, status="sold"), listing([animal(1, status="sold")], state="sold")
    for trace, evidence in (
        ([listing([animal(2)], at=0.0), page], 1),
        ([page], 0),
        ([listing([animal(2)], at=0.0), listing([], state="sold")], 0),
        ([listing([sold], at=0.0), page], 0),
        ([page, listing([animal(2)], at=9.0)], 0),
    ):
        assert (evidence, 0) == opinions_of("list.status.filter", trace)


def test_every_animal_of_a_filtered_list_is_held_against_the_filter() -> None:
    """Also behind one whose status is none, or was left out."""
    for first in (
        animal(1, status="SOLD"),
        animal(1, status=...),
        animal("x", status=...),
        animal([], status=...),
    ):
        assert (0, 1) == opinions_of("list.status.filter", [listing([first, animal(2)], state="sold")])


def test_an_animal_without_a_status_whose_id_is_none_may_stand_anywhere() -> None:
    """Nothing is known of it; nor of the status of one that was created without."""
    pages = [listing([animal("x", status=...)], state=each) for each in ("sold", "pending")]
    assert (0, 0) == opinions_of("list.status.filter", pages)
    sent = payload(status=...)
    shown = {name: value for name, value in {**animal(1), **sent, "status": ...}.items() if value is not ...}
    trace = [created(sent, changes={"status": ...}), listing([shown], state="sold", at=2.0)]
    assert (1, 0) == opinions_of("list.status.filter", trace)


def test_an_animal_that_a_filtered_list_shows_as_it_is_is_no_finding() -> None:
    """Right before and right after it has the status that was asked for."""
    sent = payload(status="sold")
    stored = {**animal(1), **sent}
    trace = [created(sent), listing([stored], state="sold", at=1.05), got(1, stored, at=1.1)]
    assert (0, 0) == opinions_of("list.status.filter", trace)
