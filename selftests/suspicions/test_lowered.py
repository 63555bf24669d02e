"""The experiments of suspicions/lists/lowered.py: whether a query has room for more."""

from __future__ import annotations

import json

import pytest

from animal_conformance.judge.experiments import Create, Read, Wait
from animal_conformance.judge.knowledge.absence import size_of
from animal_conformance.judge.suspicions.lists.lowered import MANY, growing
from selftests.exchanges import created, ledger_of
from selftests.suspicions.lists import made, sold

PAGE = sold(5.0, 1)
LARGE, LARGER = ({"name": "Ac" + "x" * count, "categoryId": 5, "status": "pending"} for count in (1500, 1900))
LEDGER = ledger_of(*made(1, 2), created(LARGE, 3, at=2.0), created(LARGER, 4, at=3.0), PAGE)
SIZE, LARGE_SIZE, LARGER_SIZE = (size_of(LEDGER.creations[at]) for at in (0, 2, 3))
TARGET = "/pets?limit=100&status=sold"


def added(by_bytes: int) -> list[str]:
    """The bodies of the animals that are created so that a query is longer by so many bytes."""
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0], by_bytes)
    return [each.payload for each in experiment.steps if isinstance(each, Create)]


def test_two_animals_are_added_to_a_query() -> None:
    """Which is read after each, and in the end."""
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0])
    assert [Read(TARGET)] * 3 == [each for each in experiment.steps if isinstance(each, Read)]
    assert [LEDGER.creations[0].body] * 2 == added(0) == added(2 * SIZE)


@pytest.mark.parametrize("animals", [3, MANY + 2])
def test_as_many_are_added_as_it_takes_to_be_longer_by_so_many_bytes(animals: int) -> None:
    """The query is read again when they have settled."""
    assert [LEDGER.creations[0].body] * animals == added(animals * SIZE) == added((animals - 1) * SIZE + 1)
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0], animals * SIZE)
    assert (Wait(2.0), Read(TARGET)) == experiment.steps[-2:]


def test_a_large_one_is_added_instead_of_many() -> None:
    """It has the shortest name that is long enough, and the query is read again when it has settled."""
    few = (MANY + 2) * SIZE
    for by_bytes, large in ((few + 1, LARGE), (LARGE_SIZE, LARGE), (LARGE_SIZE + 1, LARGER)):
        *two, third = added(by_bytes)
        assert [LEDGER.creations[0].body] * 2 == two
        assert {**json.loads(two[0]), "name": large["name"]} == json.loads(third)
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0], LARGE_SIZE)
    assert (Wait(2.0), Read(TARGET)) == experiment.steps[-2:]


def test_two_are_added_where_no_animal_is_so_large() -> None:
    """Many more would be a burden."""
    assert len(added(LARGER_SIZE + 1)) == 2


def test_nothing_is_added_to_a_query_that_nothing_of_the_run_belongs_in() -> None:
    """Nobody knows what would."""
    ledger = ledger_of(PAGE)
    assert () == growing(ledger, ledger.completeness.pages[0])


def test_what_is_added_is_valid_and_says_its_status() -> None:
    """A default may be another one by then; and what should have been rejected may be treated in any way."""
    bare = {"name": "Acabcdefghij", "categoryId": 5}
    stated = {**bare, "status": "sold"}
    wrong = {**stated, "categoryId": "5"}
    trace = [
        created(sent, at, at=float(at), changes=stated) for at, sent in enumerate((wrong, bare, stated), 1)
    ]
    ledger = ledger_of(*trace, PAGE)
    [experiment] = growing(ledger, ledger.completeness.pages[0])
    assert {json.dumps(stated)} == {each.payload for each in experiment.steps if isinstance(each, Create)}


def test_a_third_one_has_the_name_of_a_valid_one() -> None:
    """Another one may be no text."""
    wrong = created({**LARGER, "categoryId": "5"}, 4, at=3.0)
    longer = created({**LARGER, "name": f"{LARGER['name']}yyyy"}, 5, at=3.5)
    ledger = ledger_of(*made(1, 2), wrong, longer, PAGE)
    [experiment] = growing(ledger, ledger.completeness.pages[0], LARGE_SIZE)
    *_, third = (each.payload for each in experiment.steps if isinstance(each, Create))
    assert json.loads(third)["name"].endswith("y")
