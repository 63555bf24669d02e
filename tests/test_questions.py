"""What the document leaves open about methods, addresses and representations: observed, never judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store

# Safe by definition (RFC 9110): none of them changes anything.
SAFE_METHODS = ("HEAD", "OPTIONS", "PROPFIND")


@pytest.mark.clauses("methods.allow", "open.methods", "list.answer", "http.json")
def test_methods_that_the_interface_does_not_have(store: Store) -> None:
    """Tries safe methods; others might change something on a deployment that implements them.

    A list after HEAD shows whether its response, which has no body, was kept for GET.
    """

    def try_method(lane: Lane, method: str) -> None:
        lane.send(method, "/pets")
        if method == "HEAD":
            lane.list_pets()

    store.side_by_side(SAFE_METHODS, try_method, requests=2)


@pytest.mark.clauses("open.accept", "open.trailing-slash", "open.query.unknown")
def test_other_representations_and_addresses(store: Store) -> None:
    """Requests another media type, a trailing slash, and unknown parameters, some of which parsers read as lists."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    requests: tuple[Callable[[Lane], object], ...] = (
        lambda lane: lane.list_pets(headers=(("Accept", "text/html"),)),
        lambda lane: lane.get_path("/pets", [("colour", "brown")]),
        lambda lane: lane.get_path("/pets", [("status[]", "sold"), ("limit[]", 5)]),
        lambda lane: lane.get_path("/pets/"),
    )
    store.side_by_side(requests, lambda lane, send: send(lane))
