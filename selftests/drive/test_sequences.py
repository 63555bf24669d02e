"""tests/test_sequences.py: how long sequences are."""

from __future__ import annotations

from hypothesis import given, settings

from selftests.drive.stores import store_at
from selftests.exchanges import animals
from tests.test_sequences import AROUND_A_LISTING, Step, create, get_around_a_listing, sequences_of

REQUESTS = 6


def _around(sequence: list[Step]) -> int:
    """How many steps of a sequence get an animal around a list."""
    return [step.do for step in sequence].count(get_around_a_listing)


def test_getting_an_animal_around_a_list_takes_so_many_requests() -> None:
    """The list is one of them."""
    with store_at(1) as (store, recorded, server):
        server.shop.animals = animals(3)
        assert store.observable_status
        before = len(recorded)
        store.side_by_side([Step(get_around_a_listing)], lambda lane, step: step.do(lane, [1], step))
        store.gather()
        assert AROUND_A_LISTING == len(recorded) - before


# Names take long to draw, and do not matter here.
@settings(max_examples=15)
@given(sequences_of(REQUESTS))
def test_a_sequence_sends_no_more_requests_than_its_length(sequence: list[Step]) -> None:
    """Whichever steps are drawn: an ordinary run has so many requests to spend. The first one creates."""
    assert create is sequence[0].do
    assert REQUESTS >= len(sequence) + (AROUND_A_LISTING - 1) * _around(sequence)
