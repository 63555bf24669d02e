"""The rules of suspicions/values/unfinished.py: what lists show before a creation is answered."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    FAILED,
    PASSED,
    animal,
    created,
    failed_of,
    got,
    listing,
    named,
    outcome_of,
    verdict_of,
)

FIRST, SECOND = named("Whiskerton", categoryId=5), named("Annabelle", categoryId=6)


def under_way(sent: dict[str, Any], animal_id: int, at: float, **shown: Any) -> list[Exchange]:
    """A creation that takes half a second, a list that is answered meanwhile, and the animal afterwards."""
    there = animal(animal_id, **{**sent, **shown})
    return [
        listing([there], at=at + 0.1, took=0.1),
        created(sent, animal_id, at=at, took=0.5),
        got(animal_id, animal(animal_id, **sent), at=at + 1.0),
    ]


def test_lists_that_show_animals_before_they_are_complete_do_not_show_them_as_sent() -> None:
    """They may leave them out until the 201, whose id nobody knows before, so that nobody has changed them."""
    trace = [*under_way(FIRST, 1, 1.0, name=""), *under_way(SECOND, 2, 4.0, name="")]
    finding = verdict_of("create.name.exact", trace).findings[0].finding
    assert 'name: "" in listPets, before the 201' == finding.observed
    assert (trace[1], trace[4], trace[3]) == finding.related
    assert PASSED == outcome_of("create.category-id.exact", trace)
    counted = [*under_way(FIRST, 1, 1.0, categoryId=0), *under_way(SECOND, 2, 4.0, categoryId=0)]
    assert FAILED == outcome_of("create.category-id.exact", counted)


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([*under_way(FIRST, 1, 1.0, name=""), *under_way(SECOND, 2, 4.0)], id="one of them"),
        pytest.param(
            [
                *under_way(FIRST, 1, 1.0, name=""),
                listing([animal(1, **{**FIRST, "name": "x"})], at=1.15, took=0.1),
            ],
            id="twice the same one",
        ),
        pytest.param(
            [*under_way(FIRST, 1, 1.0, status="sold"), *under_way(SECOND, 2, 4.0, status="sold")],
            id="statuses, which move",
        ),
        pytest.param(
            [*under_way(FIRST, 1, 1.0, name="Whiskerton "), *under_way(SECOND, 2, 4.0, name=" Annabelle")],
            id="but for white space",
        ),
        pytest.param(
            [
                listing([animal(1, name="x"), animal(2, name="y")], at=0.1, took=0.1),
                *under_way(FIRST, 1, 1.0),
                *under_way(SECOND, 2, 4.0),
            ],
            id="of others, before a reset",
        ),
    ],
)
def test_what_somebody_else_may_have_done_is_no_finding(lawful: list[Exchange]) -> None:
    """An animal may be edited and back; what was asked for before a creation is of an older one."""
    assert PASSED == outcome_of("create.name.exact", lawful)


def test_an_id_that_is_given_twice_is_no_matter_of_what_lists_show_too_early() -> None:
    """They show the other animal, and go on showing it; one that is there twice may be either."""
    early = [*under_way(FIRST, 1, 1.0, name="x"), *under_way(SECOND, 2, 4.0, name="y")]
    assert "create.name.exact" in failed_of(early)
    changed = [got(number, animal(number, name=name), at=8.0) for number, name in ((1, "x"), (2, "y"))]
    assert "create.name.exact" not in failed_of([*early, *changed])
    again = [created(named("Bob"), number, at=7.0 + number) for number in (1, 2)]
    assert "create.name.exact" not in failed_of([*early, *again])
    twice = [
        listing([animal(number, name="x"), animal(number, **sent)], at=at + 0.1, took=0.1)
        for number, sent, at in ((1, FIRST, 1.0), (2, SECOND, 4.0))
    ]
    assert "create.name.exact" not in failed_of([*twice, *early[1:3], *early[4:]])
