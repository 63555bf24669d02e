"""The create requests with the key: which were rejected or asked to wait again and again, and which are alike."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import asks_for_patience
from animal_conformance.judge.knowledge.plain import is_plain, kind_of
from animal_conformance.record.exchange import Credential, Exchange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from animal_conformance.judge.knowledge.animals import Creation
    from animal_conformance.judge.knowledge.ledger import Ledger

SUCCESSES: Final = frozenset({200, 201})
# Requests that were asked to wait fewer times than this may have come when the run's time was over.
TIMES: Final = 3


def creations(ledger: Ledger, *, valid: bool) -> Sequence[Exchange]:
    """The create requests with the key, all or the valid ones, in the order of their answers."""
    return ledger.survey(("creations with the key", valid), lambda: _creations(ledger, valid=valid))


def _creations(ledger: Ledger, *, valid: bool) -> list[Exchange]:
    return [
        each
        for each in ledger.exchanges
        if each.request.credential is Credential.VALID
        and (reading := ledger.reading(each)).operation is Operation.CREATE
        and (reading.valid or not valid)
    ]


def rejected_in_a_row(ledger: Ledger) -> list[list[Exchange]]:
    """The plain valid creations in accepted categories that were rejected with 400, in rows between successful creations.

    The last row is empty if the last creation succeeded.
    """
    rows: list[list[Exchange]] = [[]]
    for exchange in creations(ledger, valid=True):
        payload = ledger.reading(exchange).payload or {}
        if exchange.status in SUCCESSES:
            rows.append([])
        elif (
            exchange.status == 400
            and is_plain(payload["name"])
            and payload["categoryId"] in ledger.accepted_categories
        ):
            rows[-1].append(exchange)
    return rows


def creations_like(ledger: Ledger, creation: Creation) -> list[Creation]:
    """The creations that differ from one only in the unique beginning of the name, including that one itself."""
    kinds = ledger.survey("creations by kind", lambda: _by_kind(ledger))
    return kinds[kind_of(creation.payload)]


def _by_kind(ledger: Ledger) -> dict[str, list[Creation]]:
    kinds: dict[str, list[Creation]] = defaultdict(list)
    for each in ledger.creations:
        kinds[kind_of(each.payload)].append(each)
    return kinds


def tries_like(ledger: Ledger, creation: Creation) -> list[Exchange]:
    """As :func:`creations_like`: the requests, of which some may have been rejected."""
    kinds = ledger.survey("tries by kind", lambda: _tries_by_kind(ledger))
    return kinds[kind_of(creation.payload)]


def _tries_by_kind(ledger: Ledger) -> dict[str, list[Exchange]]:
    kinds: dict[str, list[Exchange]] = defaultdict(list)
    for each in creations(ledger, valid=True):
        kinds[kind_of(ledger.reading(each).payload or {})].append(each)
    return kinds


def put_off_for_status(ledger: Ledger) -> dict[str, list[Exchange]]:
    """By status, the valid create requests with the key, for each status whose requests were only ever asked to wait."""
    return ledger.survey("put off for a status", lambda: _put_off(ledger))


def _put_off(ledger: Ledger) -> dict[str, list[Exchange]]:
    answered: dict[str, list[Exchange]] = defaultdict(list)
    for each in creations(ledger, valid=True):
        status = (ledger.reading(each).payload or {}).get("status")
        if isinstance(status, str) and each.response is not None:
            answered[status].append(each)
    return {
        status: answers
        for status, answers in answered.items()
        if len(answers) >= TIMES and all(asks_for_patience(each.response) for each in answers)
    }
