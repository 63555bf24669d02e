"""A store with some lanes on a loopback server, for the tests of lanes and of what drives them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.send.budget import Budget
from animal_conformance.send.client import Client
from selftests.loopback.server import KEY, Behaviour, RawServer

WIDTHS = (1, 8)


@contextmanager
def store_at(
    width: int, behaviour: Behaviour | None = None, budget: Budget | None = None
) -> Iterator[tuple[Store, list[Exchange], RawServer]]:
    """A store with so many lanes on a server, and what it records."""
    recorded: list[Exchange] = []
    ledger = Ledger(Terms())

    def record(exchange: Exchange) -> None:
        recorded.append(exchange)
        ledger.learn(exchange)

    with RawServer(behaviour) as server:
        client = Client(server.url, KEY, record, budget=budget)
        store = Store(client, client.sender(), ledger, PROFILES["standard"], 1, (1,), marker="Actest")
        store.lanes.width = width
        try:
            yield store, recorded, server
        finally:
            store.lanes.close()
            client.close()
