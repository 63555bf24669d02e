"""Last of all: what looks wrong is put to the test."""

from __future__ import annotations

import pytest

from animal_conformance.drive.experiments import Performed, affordable, asked_for, perform
from animal_conformance.drive.store import Store

# In each round of experiments, this many times as many as in the one before.
GROWTH = 2


@pytest.mark.clauses("http", "animal", "list", "create", "get", "auth", "error", "open.explanations")
def test_suspicions_are_put_to_the_test(store: Store) -> None:
    """Performs the experiments that suspicions ask for, until nothing new is asked."""
    store.client.release()
    done = Performed()
    most = 3
    while asked := asked_for(store.heard(), done, most):
        new = affordable(asked, store.client.budget)
        done.update(new)
        perform(store, new)
        most *= GROWTH
