"""The state of a deployment, across all lanes of a run."""

from __future__ import annotations

from typing import Final

from animal_conformance.interface.waiting import says_when
from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.send.endings import Gone, InVain, Spent
from animal_conformance.send.quota import Quota

# After so many requests were given up in a row, and so much time was spent on waiting in vain, the run ends: what it could
# still tell is not worth it.
GIVEN_UP_AT_MOST: Final = 12
WAITED_AT_MOST_S: Final = 60.0
# So many more may be given up by the experiments.
LEFT_FOR_EXPERIMENTS: Final = 4
# A limit on the rate, rather than on how many are in flight, lets more than so many through before it asks to wait.
FEW_SERVED: Final = 16
# What has been in vain for a whole timeout is not given so much time again: this, or many times the slowest response.
BRIEF_S: Final = 2.0
BRIEF_TIMES: Final = 10
# A connection that is kept may be closed just when a request is sent on it: that is lawful, and each create request which
# is lost so counts as a creation. After so many, they have connections of their own.
LOST_CREATIONS: Final = 3
AT_ONCE_S: Final = 1.0
# After so many requests that were waited for in vain and answered when they were sent again, further ones get less time.
SILENT: Final = 3


class Health:
    """Whether the deployment still responds, and whether it still accepts the key.

    ``unanswered`` counts consecutive attempts without a response, ``unreadable`` consecutive requests whose response
    could not be read, ``refusals`` consecutive responses that reject the key, ``given_up`` requests that never got a
    response; ``stuck`` is whether one was waited for in vain while another was answered; ``throttled`` are the kinds of
    request that were throttled to the end of the retries, ``selective`` those that were served afterwards; ``quota`` is
    how long creations are asked to wait; ``has_answered`` is whether any response came at all; ``ended`` is why nothing
    more can be sent. ``crowded`` counts how often several that were sent side by side were put off with 429 or 503: so
    many lanes fewer do so from then on. ``put_off`` are the requests that were put off to the end while others were served, and
    not served since. ``lost_creations`` counts the create requests whose
    connection was closed, and which were answered at once on a new one, ``silent`` the requests that were waited for in vain
    and then answered; ``locked_out_s`` is how long keys that are not the valid one were waited for while that was served.
    """

    def __init__(self) -> None:
        self.unanswered = self.unreadable = self.refusals = self.given_up = self.crowded = 0
        self.lost_creations = self.silent = 0
        self.locked_out_s = 0.0
        self.throttled: set[str] = set()
        self.selective: set[str] = set()
        self.put_off: set[Request] = set()
        self.quota = Quota()
        self.has_answered = self.stuck = False
        self.ended: Spent | Gone | None = None
        self.last_failure: Failure | None = None
        self._crowded_s = 0.0
        self._served_in_a_row = 0
        self._slowest_s = self._waited_s = 0.0

    @property
    def in_vain(self) -> bool:
        """Whether too many requests got no answer for too long, whatever else was served."""
        return self.given_up >= GIVEN_UP_AT_MOST and self._waited_s >= WAITED_AT_MOST_S

    @property
    def needs_new_connections(self) -> bool:
        """Whether create requests are lost on connections that are kept."""
        return self.lost_creations >= LOST_CREATIONS

    @property
    def at_most_s(self) -> float:
        """How long an attempt may take besides its timeout: not for long while requests are given up, or come to nothing."""
        brief = self.given_up or self.stuck or self.silent >= SILENT
        return max(BRIEF_S, BRIEF_TIMES * self._slowest_s) if brief else float("inf")

    def answered_again(self, first: Exchange, last: Exchange) -> None:
        """Take in that a request got its answer when it was sent again: from the first attempt to the last one."""
        self.given_up, self.stuck = 0, False
        self.silent += first.failure_kind is FailureKind.TIMEOUT
        # What takes longer is an outage.
        at_once = last.answered_s - first.answered_s <= AT_ONCE_S
        closed = first.failure_kind is FailureKind.RESET and first.request.method == "POST"
        self.lost_creations += closed and at_once

    def release(self) -> None:
        """Let experiments send requests, although drivers have sent too many in vain."""
        if isinstance(self.ended, InVain):
            self.ended, self.given_up = None, GIVEN_UP_AT_MOST - LEFT_FOR_EXPERIMENTS

    def served(self, kind: str, request: Request) -> None:
        """Take in that a request of a kind was served."""
        self.put_off.discard(request)
        if kind in self.throttled:
            self.throttled.discard(kind)
            self.selective.add(kind)

    def _is_crowd(self, response: Response) -> bool:
        """Whether too many at once are the reason of being put off: with 429, where few were served since the last time."""
        if response.status == 429:
            return self._served_in_a_row <= FEW_SERVED
        return response.status == 503 and says_when(response)

    def learn(self, exchange: Exchange, *, beside: bool = False) -> None:
        """Take in one attempt; ``beside`` says whether another one was in flight when it was answered."""
        self.last_failure = exchange.failure
        if exchange.response is None:
            self._waited_s += exchange.answered_s - exchange.sent_s
            return
        self.unanswered = self.unreadable = 0
        self.has_answered = True
        self._slowest_s = max(self._slowest_s, exchange.answered_s - exchange.sent_s)
        if beside and self._is_crowd(exchange.response) and exchange.sent_s >= self._crowded_s:
            # What was sent before then belongs to the same crowd.
            self.crowded, self._crowded_s = self.crowded + 1, exchange.answered_s
        self._served_in_a_row = 0 if exchange.response.status == 429 else self._served_in_a_row + 1
        if exchange.request.credential is Credential.VALID:
            self.refusals = self.refusals + 1 if exchange.response.status == 401 else 0
