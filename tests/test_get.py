"""Get an animal (deprecated)."""

from __future__ import annotations

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import MALFORMED_PET_IDS, OPEN_PET_IDS, far_ids

# The last two are delimiters if they are decoded too early.
FOLLOWING = ("abc", ".5", "'", "\nabc", "?x", "#x")
SEVERAL = 9
# A smaller number is written as in decimal.
LEAST_IN_OCTAL = 8
CONTROL = ("get.found", "get.requested", "get.deprecation-header", "get.sunset-header", "animal", "http")


@pytest.mark.clauses(*CONTROL, "animal.id.stable", "open.status.moves")
def test_animals_that_exist(store: Store) -> None:
    """Gets animals that the run created or found, each twice in a different order."""
    known = store.known_ids(store.profile.lookups)
    store.side_by_side(known, Lane.get_pet)
    # The second time comes after the first: only successive requests show answers that alternate.
    store.gather()
    store.side_by_side(reversed(known) if store.profile.thorough else (), Lane.get_pet)


@pytest.mark.rounds
@pytest.mark.clauses("get.unknown", *CONTROL, "error")
def test_ids_that_name_no_animal(store: Store) -> None:
    """Gets ids from the whole int64 range, and ones that collide with known ids if truncated, without sign or cut short."""
    thorough = store.profile.thorough
    known = store.known_ids(2 if thorough else 1)
    colliding = [animal_id + 2**32 for animal_id in known] + [-animal_id - 2**40 for animal_id in known]
    colliding += [-animal_id for animal_id in known if -animal_id not in store.ledger.animals]
    colliding += [animal_id // 10 for animal_id in known[:1]]
    corners = [2**53 + 1, 0, -1, *colliding] if thorough else [2**63 - 1, 2**40, -(2**62)]
    corners = [each for each in corners if -(2**63) <= each < 2**63]
    store.side_by_side(known, Lane.get_pet)
    store.for_each(far_ids, Lane.get_pet, store.profile.lookups // 2 if thorough else 0, corners)


@pytest.mark.clauses("get.malformed", *CONTROL, "error", "open.get")
def test_ids_that_are_no_int64(store: Store) -> None:
    """Gets words, fractions and integers outside the int64 range, some of which start with a known id."""
    known = store.known_ids(1)
    store.side_by_side(known, Lane.get_pet)
    if not store.profile.thorough:
        store.side_by_side(MALFORMED_PET_IDS[:2], Lane.get_pet)
        return
    wrapped = [animal_id + 2**64 for animal_id in known]
    followed = [f"{animal_id}{rest}" for animal_id in known for rest in FOLLOWING]
    octal = [f"0{animal_id:o}" for animal_id in store.known_ids(SEVERAL) if animal_id >= LEAST_IN_OCTAL][:1]
    # The first two are like what Schemathesis derives from the contract.
    store.side_by_side((*MALFORMED_PET_IDS[2:], *wrapped, *followed, *octal, *OPEN_PET_IDS), Lane.get_pet)
    # Not valid UTF-8, and not a valid escape: whether such a path is refused before it reaches an operation is left open.
    store.side_by_side(["/pets/%FF", "/pets/%ZZ"], Lane.get_path)
