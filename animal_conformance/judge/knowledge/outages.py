"""When a proxy answered every request with an error of its own, because the deployment behind it was not there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from itertools import accumulate, chain
from math import inf
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.waiting import GATEWAY_ERRORS, says_when
from animal_conformance.record.exchange import Exchange, FailureKind, Request

if TYPE_CHECKING:
    from animal_conformance.judge.knowledge.ledger import Ledger

# How a connection ends if the deployment, or a proxy in front of it, breaks it off: with part of a response, or with
# none.
BROKEN_OFF: Final = frozenset({FailureKind.RESET, FailureKind.MALFORMED})
# One error may be the fault of the network or of a moment; this many, with other requests served in between, are not.
TIMES_APART: Final = 3
# This many attempts at different requests have to meet the error before it counts as one that meets every request.
ATTEMPTS: Final = 3


class Outages:
    """The gateway errors of a trace by the gaps in which they fell, between one success and the next."""

    def __init__(self, ledger: Ledger) -> None:
        self._errors = sorted(ledger.gateway_errors, key=lambda each: each.answered_s)
        # For each error, the earliest time at which it or any later one was sent: none of them falls into an earlier
        # gap.
        self._sent_from = list(accumulate((each.sent_s for each in reversed(self._errors)), min))[::-1]
        served = [*chain.from_iterable(ledger.successes.values())]
        answered = sorted((each.answered_s, each.sent_s) for each in served)
        self._answered = [each for each, _ in answered]
        self._sent_until = list(accumulate((sent_s for _, sent_s in answered), max))
        sent = sorted((each.sent_s, each.answered_s) for each in served)
        self._sent = [each for each, _ in sent]
        self._answered_from = list(accumulate((answered_s for _, answered_s in reversed(sent)), min))[::-1]
        self._answered_until = list(accumulate((answered_s for _, answered_s in sent), max))
        self._of_every_request: dict[tuple[float, float], bool] = {}

    def meets_every_request(self, exchange: Exchange) -> bool:
        """Whether a proxy's error met different requests one after another, until others were served again.

        It did not if another request, which was served, was under way all the while: there were too many at once.
        """
        gap = self._gap_around(exchange)
        if gap not in self._of_every_request:
            together = self._in(*gap)
            answered_s = max((each.answered_s for each in together), default=inf)
            again = bool(self._sent) and self._sent[-1] >= answered_s
            different = len({each.request for each in together}) > 1
            too_many = all(self._was_serving(each) for each in together)
            self._of_every_request[gap] = again and different and not too_many and len(together) >= ATTEMPTS
        return self._of_every_request[gap]

    def begun(self) -> dict[Request, list[Exchange]]:
        """By request, the errors that began an outage: answered before any other request that met it was sent."""
        begun: dict[Request, list[Exchange]] = defaultdict(list)
        by_gap: dict[tuple[float, float], list[Exchange]] = defaultdict(list)
        for each in self._errors:
            if self.meets_every_request(each):
                by_gap[self._gap_around(each)].append(each)
        for errors in by_gap.values():
            first, *others = sorted(errors, key=lambda each: each.sent_s)
            if all(each.sent_s >= first.answered_s for each in others):
                begun[first.request].append(first)
        return begun

    def _was_serving(self, exchange: Exchange) -> bool:
        """Whether another request, which was served, was under way from before an exchange until after it."""
        before = bisect_right(self._sent, exchange.sent_s)
        return before > 0 and self._answered_until[before - 1] >= exchange.answered_s

    def _gap_around(self, exchange: Exchange) -> tuple[float, float]:
        """When the last success before an exchange was sent, and when the first success after it was answered."""
        before = bisect_right(self._answered, exchange.sent_s)
        after = bisect_left(self._sent, exchange.answered_s)
        return (
            self._sent_until[before - 1] if before else -inf,
            self._answered_from[after] if after < len(self._sent) else inf,
        )

    def _in(self, after_s: float, before_s: float) -> list[Exchange]:
        """The errors that were answered after one time and sent before another."""
        start = bisect_right(self._errors, after_s, key=lambda each: each.answered_s)
        end = bisect_left(self._sent_from, before_s)
        return [each for each in self._errors[start:end] if each.sent_s < before_s]


def is_gateway_error(exchange: Exchange) -> bool:
    """Whether the answer is that of a proxy whose deployment is not there, and does not say when it will be back."""
    return exchange.status in GATEWAY_ERRORS and not says_when(exchange.response)
