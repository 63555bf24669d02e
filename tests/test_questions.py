"""What the document leaves open about methods, addresses and representations: seen, never judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store

# Safe by their definitions: none of them may change anything, on whatever they are tried.
SAFE_METHODS = ("HEAD", "OPTIONS", "PROPFIND")


@pytest.mark.clauses("methods.allow", "open.methods")
def test_methods_that_the_interface_does_not_have(store: Store) -> None:
    """Tries safe methods; others might do something on a deployment that has them."""
    store.side_by_side(SAFE_METHODS, lambda lane, method: lane.send(method, "/pets"))


@pytest.mark.clauses("open.accept", "open.trailing-slash", "open.query.unknown")
def test_other_representations_and_addresses(store: Store) -> None:
    """Asks for another type, with unknown parameters, some of which parsers make lists of, and with a slash too many."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    requests: tuple[Callable[[Lane], object], ...] = (
        lambda lane: lane.list_pets(headers=(("Accept", "text/html"),)),
        lambda lane: lane.get_path("/pets", [("colour", "brown")]),
        lambda lane: lane.get_path("/pets", [("status[]", "sold"), ("limit[]", 5)]),
        lambda lane: lane.get_path("/pets/"),
    )
    store.side_by_side(requests, lambda lane, send: send(lane))
