"""Sequences of create and read requests: what a single request does not reveal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import STATUSES, names, st, statuses
from animal_conformance.interface.reading import created_id

from .auditing import audit

# What a store may call an animal besides what the interface names.
FURTHER_STATUSES = ("adopted", "unavailable", "inactive", "archived", "deleted", "hidden")
# The requests of one of the steps below; the others send one.
AROUND_A_LISTING = 3


@dataclass(frozen=True)
class Step:
    """A step of a sequence: the action, its values, and which of the sequence's animals it concerns."""

    do: Callable[..., object]
    values: tuple[Any, ...] = ()
    animal: int = 0


def create(lane: Lane, made: list[int], step: Step) -> None:
    """Create a unique animal."""
    status, rest = step.values
    payload = lane.payload(name=lane.name(rest), status=... if status is None else status)
    animal_id = created_id(lane.create_pet(payload))
    if animal_id is not None:
        made.append(animal_id)


def get(lane: Lane, made: list[int], step: Step) -> None:
    """Get one of the animals of the sequence."""
    if made:
        lane.get_pet(made[step.animal % len(made)])


def get_around_a_listing(lane: Lane, made: list[int], step: Step) -> None:
    """Get the same animal before and after a list."""
    get(lane, made, step)
    lane.watch()
    get(lane, made, step)


def list_page(lane: Lane, _made: list[int], step: Step) -> None:
    """List a page."""
    lane.list_pets(*step.values)


def refuse(lane: Lane, _made: list[int], step: Step) -> None:
    """Send a create request that must be rejected, among others."""
    lane.create_pet(lane.payload(status=FURTHER_STATUSES[step.animal % len(FURTHER_STATUSES)]))


def sequences_of(length: int) -> st.SearchStrategy[list[Step]]:
    """At most so many requests: one that creates, and then mostly reads, since created animals cannot be deleted."""
    animals = st.integers(0, 25)
    pages = st.tuples(st.sampled_from((None, 1, 20, 100)), st.sampled_from((None, *STATUSES)))
    creations = st.builds(Step, st.just(create), st.tuples(statuses(), names(maximum_length=6)))
    readings = [
        st.builds(Step, st.just(get), animal=animals),
        st.builds(Step, st.just(get_around_a_listing), animal=animals),
        st.builds(Step, st.just(list_page), pages),
    ]
    steps = st.one_of(*readings, *readings, creations, st.builds(Step, st.just(refuse), animal=animals))
    whole = st.builds(
        lambda first, rest: [first, *rest],
        creations,
        st.lists(steps, min_size=length - 1, max_size=length - 1),
    )
    return whole.map(lambda sequence: _first_of(sequence, length))


def _first_of(sequence: list[Step], requests: int) -> list[Step]:
    """The first steps of a sequence, as far as they send so many requests at most."""
    sent = accumulate(AROUND_A_LISTING if each.do is get_around_a_listing else 1 for each in sequence)
    return [step for step, so_far in zip(sequence, sent, strict=True) if so_far <= requests]


@pytest.mark.rounds
@pytest.mark.clauses(
    "create", "get.found", "get.requested", "list.complete", "list.status.complete", "animal.id"
)
def test_sequences_of_creations_and_readings(store: Store) -> None:
    """Creates animals, and reads them and their neighbours, in every order; the sequences run in parallel.

    The model is the ledger: it knows what was created, and the rules hold every reading against it. In the first round,
    these animals are read back together with the generated ones.
    """
    if not store.profile.sequences or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")

    def drive(lane: Lane, sequence: list[Step]) -> None:
        made: list[int] = []
        for step in sequence:
            step.do(lane, made, step)

    sequences = store.examples(partial(sequences_of, store.profile.steps), store.profile.sequences)
    creates = max(sum(step.do in {create, refuse} for step in each) for each in sequences)
    store.side_by_side(sequences, drive, creates=creates, requests=store.profile.steps)
    if store.round_number:
        audit(store)
