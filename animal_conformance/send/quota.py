"""Creations that a deployment puts off for longer than a run can wait, while it serves everything else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import read_request
from animal_conformance.record.exchange import Credential, Exchange, Request, Response

# A single creation may be asked to wait for a reason of its own.
ENOUGH: Final = 3


@dataclass
class _Waits:
    """How many creations in a row were asked to wait, the last response that asked, and until when."""

    count: int = 0
    response: Response | None = None
    until_s: float = 0.0


@dataclass
class Quota:
    """Whether the next creation need not be sent, since it is known what its response would be.

    It is known once several in a row were asked to wait, until that time is over. Invalid creations may be rejected before
    the deployment looks at a quota: they are sent until several of them were asked to wait as well.

    ``asked_s`` is how long the deployment asked to wait, ``unsent`` how many creations were not sent.
    """

    asked_s: float = 0.0
    unsent: int = 0
    _valid: _Waits = field(default_factory=_Waits)
    _invalid: _Waits = field(default_factory=_Waits)

    def answer_to(self, request: Request, now_s: float) -> Response | None:
        """The response that a creation would get; ``None`` for a request that has to be sent."""
        waits = self._waits_of(request)
        if waits is None or waits.count < ENOUGH or now_s >= waits.until_s:
            return None
        self.unsent += 1
        return waits.response

    def put_off(self, exchange: Exchange, asked_s: float) -> None:
        """Note a request that was asked to wait for longer than the run can."""
        waits = self._waits_of(exchange.request)
        if waits is not None:
            waits.count, waits.response = waits.count + 1, exchange.response
            waits.until_s, self.asked_s = exchange.answered_s + asked_s, asked_s

    def served(self, exchange: Exchange) -> None:
        """Note a request that got an answer; if a valid creation is rejected, that says nothing about a quota."""
        waits, response = self._waits_of(exchange.request), exchange.response
        if waits is not None and (waits is self._invalid or (response is not None and response.status < 400)):
            waits.count = 0

    def _waits_of(self, request: Request) -> _Waits | None:
        if request.method != "POST" or request.credential is not Credential.VALID:
            return None
        reading = read_request(request)
        if reading.operation is not Operation.CREATE:
            return None
        return self._invalid if reading.problems else self._valid
