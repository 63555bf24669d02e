"""store.py: what was found is read while other lanes find more."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from animal_conformance.judge.knowledge.animals import Animal
from selftests.drive.stores import store_at

MANY = 10_000
# After so many new objects, Python collects garbage, and may run another thread; before 3.12, even in the midst of a copy.
OFTEN = 50


@contextmanager
def added_meanwhile(animals: dict[int, Animal]) -> Iterator[None]:
    """One more animal at each collection of garbage, as from another thread."""

    def add(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            animals[MANY + len(animals)] = Animal(0, 0.0)

    thresholds = gc.get_threshold()
    gc.set_threshold(OFTEN)
    gc.callbacks.append(add)
    try:
        yield
    finally:
        gc.callbacks.remove(add)
        gc.set_threshold(*thresholds)


def test_what_was_found_can_be_read_while_other_lanes_find_more() -> None:
    """On a store of 100,000 animals, a run ended as a fault of the suite."""
    with store_at(1) as (store, _, _):
        animals = store.ledger.animals
        animals.update((each, Animal(each, 0.0)) for each in range(MANY))
        with added_meanwhile(animals):
            assert [] == store.found_ids()
