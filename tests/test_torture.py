"""What may harm a deployment: sent only if it is asked for, and last."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import STATUSES

DEEP = 1000
DIGITS = 5000
MEGABYTE = 1_000_000
PROPERTIES = 50_000

# Each makes a body of a name and a categoryId.
BODIES: tuple[Callable[[str, int], str], ...] = (
    # Half of a character: some store it, and cannot write any list that holds it from then on.
    lambda name, category: f'{{"name": "{name}\\ud800", "categoryId": {category}}}',
    lambda name, category: f'{{"name": "\\udc00{name}", "categoryId": {category}}}',
    lambda name, category: (
        f'{{"name": "{name}", "categoryId": {category}, "tags": {"[" * DEEP + "]" * DEEP}}}'
    ),
    lambda _, category: f'{{"name": {"[" * DEEP + "]" * DEEP}, "categoryId": {category}}}',
    lambda name, _: f'{{"name": "{name}", "categoryId": {"9" * DIGITS}}}',
    lambda name, _: f'{{"name": "{name}", "categoryId": 1{"0" * DIGITS}.5}}',
    lambda name, category: json.dumps({"name": name + "x" * MEGABYTE, "categoryId": category}),
    lambda name, category: f'{{"name": "{name}", "categoryId": {category}}}{" " * 3 * MEGABYTE}',
    lambda name, category: json.dumps(
        {"name": name, "categoryId": category, **{f"p{each}": each for each in range(PROPERTIES)}}
    ),
)


@pytest.mark.clauses("http", "create", "list.answer", "list.status.accepted")
def test_harmful_requests(store: Store) -> None:
    """Sends each harmful body once, one after another, and lists in between: what a server stores of it may spoil every list."""
    if not store.torture or store.category_id is None:
        pytest.skip("Sent only with --torture.")

    def create(lane: Lane, body: Callable[[str, int], str]) -> None:
        lane.create_raw(body(lane.name(), store.category_id or 0).encode())
        lane.list_pets()

    for each in BODIES:
        store.side_by_side([each], create, creates=1, requests=2)
    store.list_pets(status="x" * DIGITS)
    store.side_by_side((None, *STATUSES), lambda lane, status: lane.list_pets(limit=100, status=status))
