"""Windows of exchanges, judged by the rules of every run with what is remembered of earlier ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from animal_conformance.interface.waiting import PATIENCE_S, asks_for_patience
from animal_conformance.judge.hearing import Hearing, hear_in_steps
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Credential, Exchange, Request, Terms
from animal_conformance.send.patience import asked_to_wait_s
from animal_conformance.soak.memory import Memory

# Load may explain these, a time limit and too many requests, as well as no response and an answer that asks for patience.
TROUBLE: Final = frozenset({408, 429})
# At most this many of a window's requests that got only such answers are sent again, in the ordinary way.
LOOKED_AT_AGAIN: Final = 3


def kind_of_trouble(exchange: Exchange) -> str:
    """What kept a request from an answer of its operation, where load may explain it; empty if nothing did."""
    if exchange.response is None:
        return "no response" if exchange.failure is None else exchange.failure.kind.value
    troubled = exchange.status in TROUBLE or asks_for_patience(exchange.response)
    return str(exchange.status) if troubled else ""


def _is_due_in_time(exchange: Exchange) -> bool:
    """Whether a request may be sent again within the time that a run would wait: a daily quota says nothing about it."""
    return asked_to_wait_s(exchange.response) <= PATIENCE_S


@dataclass
class Window:
    """What is judged together: the ``exchanges`` of a while, and the ``recalled`` ones that they refer to.

    ``doubtful`` are requests that load may have kept from an answer; none of them is judged unless it is looked at again.
    """

    terms: Terms
    exchanges: list[Exchange]
    recalled: list[Exchange] = field(default_factory=list)
    doubtful: dict[Request, list[Exchange]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, exchanges: Iterable[Exchange], memory: Memory, terms: Terms, shown: Iterable[Exchange] = ()
    ) -> Window:
        """A window of exchanges in any order, with what experiments have ``shown`` lately."""
        told: list[Exchange] = []
        doubtful: dict[Request, list[Exchange]] = {}
        for each in exchanges:
            if not kind_of_trouble(each):
                told.append(each)
            elif each.request.credential is Credential.VALID:
                doubtful.setdefault(each.request, []).append(each)
        soon = (request for request, refused in doubtful.items() if _is_due_in_time(refused[-1]))
        chosen = {request: doubtful[request] for request in islice(soon, LOOKED_AT_AGAIN)}
        kept = list(shown)
        created = {(each.sequence, each.step) for each in kept if each.request.method == "POST"}
        # Readings that are made up from what stays of an animal have the number of its creation.
        recalled = [
            each
            for each in memory.recall(told)
            if each.request.method != "POST" or (each.sequence, each.step) not in created
        ]
        return cls(terms, told, [*recalled, *kept], chosen)

    def add_again(self, exchanges: Iterable[Exchange]) -> None:
        """Add what was sent again, and with it what was doubtful."""
        for each in self.doubtful.values():
            self.exchanges += each
        self.doubtful = {}
        self.exchanges += exchanges

    def hear(self, selected: Collection[str]) -> Iterator[Hearing]:
        """What the rules say of the exchanges, with a pause after each of them."""
        ledger = Ledger.of((*self.recalled, *self.exchanges), self.terms)
        about = sorted(self.exchanges, key=lambda each: (each.answered_s, each.sequence, each.step))
        return hear_in_steps(ledger, selected, about=about)
