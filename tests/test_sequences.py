"""Sequences of creations and readings: what a single request does not show."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import seed
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, rule, run_state_machine_as_test

from animal_conformance.drive.store import Store, generating
from animal_conformance.drive.strategies import STATUSES, names, statuses
from animal_conformance.interface.reading import created_id

from .auditing import audit


@dataclass(frozen=True)
class Created:
    """A creation of the sequence; without an id where it was refused, so that what is drawn depends on no answer."""

    animal_id: int | None


class Sequence(RuleBasedStateMachine):
    """Creates animals, and reads them and what is around them, in every order.

    The model is the ledger: it knows what was created, and the rules hold every reading against it.
    """

    store: Store
    animals = Bundle("animals")

    @rule(target=animals, status=statuses(), rest=names(maximum_length=6))
    def create(self, status: str | None, rest: str) -> Created:
        """An animal that nothing else is like."""
        payload = self.store.payload(name=self.store.name(rest), status=... if status is None else status)
        return Created(created_id(self.store.create_pet(payload)))

    @rule(animal=animals)
    def get(self, animal: Created) -> None:
        """One of the animals of the sequence."""
        if animal.animal_id is not None:
            self.store.get_pet(animal.animal_id)

    @rule(animal=animals)
    def get_around_a_listing(self, animal: Created) -> None:
        """The same animal before and after a list."""
        self.get(animal)
        self.store.watch()
        self.get(animal)

    @rule(status=st.sampled_from((None, *STATUSES)), limit=st.sampled_from((None, 1, 20, 100)))
    def list_page(self, status: str | None, limit: int | None) -> None:
        """A page."""
        self.store.list_pets(limit=limit, status=status)

    @rule()
    def refuse(self) -> None:
        """A creation that is refused between others."""
        self.store.create_pet(self.store.payload(status="lost"))


@pytest.mark.rounds
@pytest.mark.clauses(
    "create", "get.found", "get.requested", "list.complete", "list.status.complete", "animal.id"
)
def test_sequences_of_creations_and_readings(store: Store) -> None:
    """Runs the state machine a few times on the same deployment, and looks at the whole afterwards."""
    if not store.profile.sequences or store.category_id is None:
        pytest.skip("Left to the standard profile, or no creation was accepted.")
    machine = type("SequenceOfThisRun", (Sequence,), {"store": store})
    profile = store.profile
    run_state_machine_as_test(
        seed(f"{store.seed_number} sequences")(machine),
        settings=generating(profile.sequences, profile.steps),
    )
    audit(store)
