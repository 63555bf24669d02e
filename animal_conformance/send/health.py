"""The state of a deployment, across all lanes of a run."""

from __future__ import annotations

from typing import Final

from animal_conformance.interface.waiting import says_when
from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.send.endings import Gone, InVain, Spent
from animal_conformance.send.quota import Quota

# The run ends once this many requests were given up, none having been answered when it was sent again, and this much time
# was spent on waiting in vain: what it could still find out is not worth more.
GIVEN_UP_AT_MOST: Final = 12
WAITED_AT_MOST_S: Final = 60.0
# The experiments may give up this many more.
LEFT_FOR_EXPERIMENTS: Final = 4
# A limit on the rate, unlike one on how many requests are in flight, lets more than this many through before it asks to
# wait.
FEW_SERVED: Final = 16
# After a request was waited for in vain for a whole timeout, requests get less time: this much, or many times as much as
# the slowest response took.
BRIEF_S: Final = 2.0
BRIEF_TIMES: Final = 10
# A connection that is kept may be closed just when a request is sent on it. That is lawful, and each create request that
# is lost in this way counts as a creation. After this many, create requests get connections of their own.
LOST_CREATIONS: Final = 3
AT_ONCE_S: Final = 1.0
# After this many requests that were waited for in vain and answered when they were sent again, further ones get less time.
SILENT: Final = 3


class Health:
    """Whether the deployment still responds, and whether it still accepts the key.

    ``unanswered`` counts consecutive attempts without a response, ``unreadable`` consecutive requests whose response
    could not be read, ``refusals`` consecutive responses that reject the key, ``given_up`` requests that never got a
    response; ``stuck`` is whether one was waited for in vain while another was answered; ``throttled`` are the kinds of
    request that were throttled to the end of the retries, ``selective`` those that were served afterwards; ``quota`` is
    how long creations are asked to wait; ``has_answered`` is whether any response came at all; ``ended`` is why nothing
    more can be sent. ``crowded`` counts how often requests that were sent side by side were put off with 429 or 503: that
    many fewer lanes are used from then on. ``put_off`` are the requests that were put off to the end while others were
    served, and not served since. ``lost_creations`` counts the create requests whose connection was closed, and which were
    answered at once on a new one, ``silent`` the requests that were waited for in vain and then answered; ``locked_out_s``
    is how long requests without the valid key were waited for while requests with it were served.
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
        """The limit on an attempt's time besides its timeout: a short one while requests are given up or waited for in vain."""
        brief = self.given_up or self.stuck or self.silent >= SILENT
        return max(BRIEF_S, BRIEF_TIMES * self._slowest_s) if brief else float("inf")

    def answered_again(self, first: Exchange, last: Exchange) -> None:
        """Note that a request got its answer when it was sent again: its first attempt and its last one."""
        self.given_up, self.stuck = 0, False
        self.silent += first.failure_kind is FailureKind.TIMEOUT
        # If it takes longer, it is an outage.
        at_once = last.answered_s - first.answered_s <= AT_ONCE_S
        closed = first.failure_kind is FailureKind.RESET and first.request.method == "POST"
        self.lost_creations += closed and at_once

    def release(self) -> None:
        """Let experiments send requests, although drivers have sent too many in vain."""
        if isinstance(self.ended, InVain):
            self.ended, self.given_up = None, GIVEN_UP_AT_MOST - LEFT_FOR_EXPERIMENTS

    def served(self, kind: str, request: Request) -> None:
        """Note that a request of a kind was served."""
        self.put_off.discard(request)
        if kind in self.throttled:
            self.throttled.discard(kind)
            self.selective.add(kind)

    def _is_crowd(self, response: Response) -> bool:
        """Whether a request is put off because too many came at once; a 429 says so only if few were served since the last one."""
        if response.status == 429:
            return self._served_in_a_row <= FEW_SERVED
        return response.status == 503 and says_when(response)

    def learn(self, exchange: Exchange, *, beside: bool = False) -> None:
        """Learn from one attempt; ``beside`` says whether another one was in flight when it was answered."""
        self.last_failure = exchange.failure
        if exchange.response is None:
            self._waited_s += exchange.answered_s - exchange.sent_s
            return
        self.unanswered = self.unreadable = 0
        self.has_answered = True
        self._slowest_s = max(self._slowest_s, exchange.answered_s - exchange.sent_s)
        if beside and self._is_crowd(exchange.response) and exchange.sent_s >= self._crowded_s:
            # Requests that were sent before this answer belong to the same crowd.
            self.crowded, self._crowded_s = self.crowded + 1, exchange.answered_s
        self._served_in_a_row = 0 if exchange.response.status == 429 else self._served_in_a_row + 1
        if exchange.request.credential is Credential.VALID:
            self.refusals = self.refusals + 1 if exchange.response.status == 401 else 0
