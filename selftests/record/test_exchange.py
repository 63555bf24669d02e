"""exchange.py: what is kept of bodies that were read."""

from __future__ import annotations

from animal_conformance.record import exchange
from animal_conformance.record.exchange import Response


def test_bodies_that_are_the_same_are_read_once() -> None:
    """Every rule asks for them, and a long run gets the same answers again and again."""
    assert Response(200, body=b'{"id": 12}').json is Response(200, body=b'{"id": 12}').json


def test_values_of_a_long_run_are_let_go_and_read_again() -> None:
    """Its bodies are kept, and not what takes fifty times their room."""
    response = Response(200, body=b'["first"]')
    read = response.json
    numbers = ",".join(["1"] * (exchange.VALUES_KEPT // exchange.FEWEST_KEPT))
    for at in range(exchange.FEWEST_KEPT + 1):
        assert Response(200, body=f"[{at},{numbers}]".encode()).json.valid
    assert read is not response.json
    assert read == response.json
