"""Sequences of creations and readings: what a single request does not show."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import seed
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, multiple, rule, run_state_machine_as_test

from animal_conformance.driving import Store, created_id
from animal_conformance.strategies import STATUSES, names, statuses

from .auditing import audit


class Sequence(RuleBasedStateMachine):
    """Creates animals, and reads them and what is around them, in every order.

    The model is the ledger: it knows what was created, and the rules hold every reading against it.
    """

    store: Store
    animals = Bundle("animals")

    @rule(target=animals, status=statuses(), rest=names(maximum_length=6))
    def create(self, status: str | None, rest: str) -> Any:
        """An animal that nothing else is like."""
        payload = self.store.payload(name=self.store.name(rest), status=... if status is None else status)
        animal_id = created_id(self.store.create(payload))
        return multiple() if animal_id is None else animal_id

    @rule(animal_id=animals)
    def get(self, animal_id: int) -> None:
        """One of the animals of the sequence."""
        self.store.get(animal_id)

    @rule(animal_id=consumes(animals))
    def get_around_a_listing(self, animal_id: int) -> None:
        """The same animal before and after a list."""
        self.store.get(animal_id)
        self.store.watch()
        self.store.get(animal_id)

    @rule(status=st.sampled_from((None, *STATUSES)), limit=st.sampled_from((None, 1, 20, 100)))
    def list(self, status: str | None, limit: int | None) -> None:
        """A page."""
        self.store.list(limit=limit, status=status)

    @rule()
    def refuse(self) -> None:
        """A creation that is refused between others."""
        self.store.create(self.store.payload(status="lost"))


@pytest.mark.clauses("create", "get.found", "get.requested", "list.complete", "list.status.complete", "animal.id")
def test_sequences_of_creations_and_readings(store: Store) -> None:
    """Runs the state machine a few times on the same deployment, and looks at the whole afterwards."""
    if store.category_id is None:
        pytest.skip("No creation was accepted.")
    machine = type("SequenceOfThisRun", (Sequence,), {"store": store})
    profile = store.profile
    run_state_machine_as_test(
        seed(f"{store.seed_number} sequences")(machine), settings=store.hypothesis_settings(profile.sequences, profile.steps)
    )
    audit(store)
