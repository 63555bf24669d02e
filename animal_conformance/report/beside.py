"""How many requests were in flight beside one: what was found in a burst may not be found by single requests."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from animal_conformance.record.exchange import Exchange


class InFlight:
    """Tells how many requests were in flight at a time.

    :param connections: how many the run sends at a time where nothing has to be concurrent.
    """

    def __init__(self, exchanges: Iterable[Exchange], connections: int) -> None:
        spans = [(each.sent_s, each.answered_s) for each in exchanges]
        self._sent_s = sorted(sent_s for sent_s, _ in spans)
        self._answered_s = sorted(answered_s for _, answered_s in spans)
        self._connections = connections

    def beside(self, exchange: Exchange) -> int:
        """How many other requests were in flight while one was."""
        begun = bisect_left(self._sent_s, exchange.answered_s)
        ended = bisect_right(self._answered_s, exchange.sent_s)
        return max(begun - ended - 1, 0)

    def told(self, exchanges: Iterable[Exchange]) -> str:
        """A sentence if one of some requests was sent in a burst: beside as many others as the run has connections, or more."""
        most = max(map(self.beside, exchanges), default=0)
        if most < self._connections:
            return ""
        return (
            f"Sent beside up to {most} other requests: one at a time, these may not show the finding again."
        )
