"""The experiments of suspicions/lists/lowered.py: whether a query has room for more."""

from __future__ import annotations

from math import ceil

import pytest

from animal_conformance.judge.experiments import Create, Read, Wait
from animal_conformance.judge.knowledge.absence import size_of
from animal_conformance.judge.suspicions.lists.lowered import MANY, growing
from selftests.exchanges import ledger_of
from selftests.suspicions.lists import made, sold

PAGE = sold(5.0, 1)
LEDGER = ledger_of(*made(1, 2), PAGE)
SIZE = size_of(LEDGER.creations[0])
TARGET = "/pets?limit=100&status=sold"


def added(by_bytes: int) -> int:
    """How many animals are created so that a query is longer by so many bytes."""
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0], by_bytes)
    return sum(isinstance(each, Create) for each in experiment.steps)


def test_two_animals_are_added_to_a_query() -> None:
    """Which is read after each, and in the end."""
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0])
    assert [Read(TARGET)] * 3 == [each for each in experiment.steps if isinstance(each, Read)]
    assert added(0) == 2


@pytest.mark.parametrize("animals", [1, 2, 3, MANY + 2])
def test_as_many_are_added_as_it_takes_to_be_longer_by_so_many_bytes(animals: int) -> None:
    """The query is read again when they have settled."""
    by_bytes = animals * SIZE
    assert max(2, animals) == added(by_bytes) == max(2, ceil(by_bytes / SIZE))
    [experiment] = growing(LEDGER, LEDGER.completeness.pages[0], by_bytes)
    if animals > 2:
        assert (Wait(2.0), Read(TARGET)) == experiment.steps[-2:]


def test_no_more_than_a_few_are_added() -> None:
    """More would be a burden, and decide no more than two."""
    assert added((MANY + 2) * SIZE + 1) == 2


def test_nothing_is_added_to_a_query_that_nothing_of_the_run_belongs_in() -> None:
    """Nobody knows what would."""
    ledger = ledger_of(PAGE)
    assert () == growing(ledger, ledger.completeness.pages[0])
