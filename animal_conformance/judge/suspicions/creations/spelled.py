"""A valid create request that is rejected as the suite writes it: for its name, or because its body is not all ASCII."""

from __future__ import annotations

import json
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import ESCAPING, UNWELCOME, Create, Experiment, Naming
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_in_han, kind_of
from animal_conformance.judge.suspicions.creations.filled import may_be_full
from animal_conformance.record.exchange import Exchange

# How many names have to show that only the spelling was changed.
NAMES: Final = 3


def rejected(case: Case) -> Opinion:
    """What a 400 to a valid creation means whose body is not all ASCII: a finding if the same is accepted in escapes.

    Parsers read characters of two, three and four bytes in different ways. One name stands for all whose longest
    character is as long; where any of them is accepted as it is, the others are rejected for themselves.
    """
    payload = case.reading.payload
    if payload is None:
        return None
    spelled = _spelled_like(case.ledger, payload)
    if spelled is None or spelled.accepted or spelled.example is not case.exchange:
        return None
    if may_be_full(case, payload):
        return Explained(UNWELCOME)
    tried = spelled.tried_in_escapes(kind_of(payload)).values()
    if any(each.status == 400 for each in tried):
        return Explained(UNWELCOME)
    accepted = [each for each in tried if each.status == 201]
    if len(accepted) >= NAMES:
        return _finding(case, *accepted[:NAMES])
    plain = json.dumps({name: payload[name] for name in PAYLOAD_FIELDS if name in payload})
    # Twice as it is and then in escapes. If that is accepted, in the same way again, and once in escapes alone: so a
    # deployment that rejects every second or third request, or some by chance, is told apart.
    both = (Create(plain), Create(plain, Naming.RETRY), Create(plain, Naming.RETRY, ESCAPING))
    steps = (*both, Create(plain, voice=ESCAPING), *both) if accepted else both
    subject = "create requests with characters outside ASCII"
    return Suspicion(_finding(case), subject, (Experiment(UNWELCOME, steps),))


def is_rejected_from_the_suite(ledger: Ledger, payload: dict[str, Any]) -> bool:
    """Whether names with characters as long were rejected in the suite's own requests, and none was accepted there."""
    spelled = _spelled_like(ledger, payload)
    return spelled is not None and not spelled.accepted and spelled.example is not None


def _spelled_like(ledger: Ledger, payload: dict[str, Any]) -> _Spelled | None:
    return ledger.survey("spelled", lambda: _by_length(ledger)).get(_longest(payload))


class _Spelled:
    """The creations under names of the run whose longest character takes as many bytes, as they are and in escapes.

    :attr:`accepted` tells whether the suite itself was accepted with any, as they are.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._rejected: list[Exchange] = []
        self._in_escapes: list[Exchange] = []
        self.accepted = False

    def add(self, exchange: Exchange) -> None:
        """Take one of these creations, in the order in which they were sent."""
        if (exchange.request.body or b"").isascii():
            self._in_escapes.append(exchange)
        elif not exchange.request.voice:
            self.accepted |= exchange.status == 201
            self._rejected += [exchange] if exchange.status == 400 else []

    @property
    def example(self) -> Exchange | None:
        """The first rejected one; one of letters alone, if there is any."""
        of_letters = (each for each in self._rejected if self._payload(each)["name"].isalpha())
        return next(of_letters, next(iter(self._rejected), None))

    def tried_in_escapes(self, kind: str) -> dict[str, Exchange]:
        """The names of a kind that were rejected as they are, each with the same payload sent in escapes afterwards."""
        names = {self._payload(each)["name"]: each for each in self._rejected if self._kind(each) == kind}
        tried: dict[str, Exchange] = {}
        for each in self._in_escapes:
            payload = self._payload(each)
            before = names.get(payload["name"])
            if before and payload == self._payload(before) and before.answered_s <= each.sent_s:
                tried.setdefault(payload["name"], each)
        return tried

    def _payload(self, exchange: Exchange) -> dict[str, Any]:
        return self._ledger.reading(exchange).payload or {}

    def _kind(self, exchange: Exchange) -> str:
        return kind_of(self._payload(exchange))


def _by_length(ledger: Ledger) -> dict[int, _Spelled]:
    """The answered valid creations under names of the run that are not all ASCII, by the bytes of the longest character."""
    spelled: dict[int, _Spelled] = {}
    for each in sorted(ledger.exchanges, key=lambda each: each.sent_s):
        reading = ledger.reading(each)
        if reading.operation is Operation.CREATE and reading.valid and reading.payload and each.response:
            name = reading.payload["name"]
            if not name.isascii() and (is_in_han(name) or OWN_NAME.fullmatch(name)):
                spelled.setdefault(_longest(reading.payload), _Spelled(ledger)).add(each)
    return spelled


def _longest(payload: dict[str, Any]) -> int:
    """How many bytes the longest character of a name takes in UTF-8."""
    return max((len(each.encode("utf-8", "surrogatepass")) for each in payload["name"]), default=1)


def _finding(case: Case, *shown: Exchange) -> Finding:
    return Finding(
        "A valid create request is rejected for how its characters are written: the same payload is accepted in escapes.",
        "201",
        case.describe(),
        related=shown,
        excluded=tuple((UNWELCOME, each) for each in shown),
    )
