"""Attempts that say nothing about a clause: requests without a response, and responses that only ask to wait."""

from __future__ import annotations

from itertools import takewhile

from animal_conformance.interface.clauses import Clause
from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import asks_for_patience
from animal_conformance.judge.concerns import concern_of
from animal_conformance.judge.knowledge.creating import creations
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange


def throttled_at_last(ledger: Ledger) -> list[Exchange]:
    """The create requests with the key at the end of the trace that, one after another, were only asked to wait.

    A request that is rejected as invalid does not interrupt the row: it may be rejected before a quota is looked at.
    """
    backwards = reversed(creations(ledger, valid=False))
    counted = (each for each in backwards if ledger.reading(each).valid or asks_for_patience(each.response))
    return list(takewhile(lambda each: asks_for_patience(each.response), counted))


def lists_answered(ledger: Ledger) -> bool:
    """Whether any list request got a response."""
    return any(
        each.response and ledger.reading(each).operation is Operation.LIST for each in ledger.exchanges
    )


def set_aside(clause: Clause, ledger: Ledger) -> tuple[list[Exchange], int, int]:
    """What became of the requests that a clause is about.

    :returns: those that were only asked to wait, how many got no response, and how many got any other response.
    """
    concern = concern_of(clause.id)
    aside, unanswered, others = [], 0, 0
    for exchange in ledger.exchanges:
        if not concern.covers_request(ledger.reading(exchange).operation, exchange.request.credential):
            continue
        if exchange.response is None:
            unanswered += 1
        elif exchange.status == 408 or asks_for_patience(exchange.response):
            aside.append(exchange)
        else:
            others += 1
    return aside, unanswered, others


def counted(exchanges: list[Exchange]) -> str:
    """The statuses of some responses with how often each came, such as ``429 2x, 503 1x``."""
    statuses = [each.status for each in exchanges if each.status]
    return ", ".join(f"{status} {statuses.count(status)}x" for status in sorted(set(statuses)))
