"""Requests that are sent once, and what the deployment asks of all users: to wait, or to go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from animal_conformance.interface.waiting import PATIENCE_S, asks_for_patience
from animal_conformance.record.exchange import Credential, Exchange, Request, Response
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone
from animal_conformance.send.patience import LONGEST_UNASKED_S, SHORTEST_PATIENCE_S, asked_to_wait_s
from animal_conformance.send.sender import Sender
from animal_conformance.send.transport import Transport

# If no user gets any response for this long, the deployment is gone: it is longer than a restart takes.
GONE_S: Final = 30.0
# After a connection that was refused or broke off, a user waits this long.
BREATH_S: Final = 0.5
BRIEF_S: Final = 0.005


class Patience:
    """What all users of a process do when the deployment does not serve them.

    :param end_s: when the soak ends.
    :param tell: called with the time until which everybody waits, whenever that time is put off.
    :param is_behind: whether what was answered has to be judged first.
    """

    def __init__(
        self,
        client: Client,
        timeout_s: float,
        end_s: float,
        tell: Callable[[float], object],
        is_behind: Callable[[], bool] = lambda: False,
    ) -> None:
        self._is_behind = is_behind
        self._client = client
        self._end_s = end_s
        # A longer wait that goes beyond the end would leave too little of a soak to call it one.
        self._too_long_s = min(PATIENCE_S, (end_s - client.now_s()) / 2)
        self._gone_s = max(GONE_S, timeout_s + BREATH_S)
        self._tell = tell
        self._until_s = 0.0
        self.in_flight = 0
        # How long the next wait is, as a power of two; when the last one began, and what has been answered since.
        self._waits = 0
        self._waited_s = 0.0
        self._served = self._refused = 0
        self._answered_s = client.now_s()
        self._unanswered_s = -1.0
        self._lock = threading.Lock()
        # Wrong keys may be locked out for long, and there may be a quota on creations: other requests need not wait then.
        self.knock_from_s = self.create_from_s = 0.0

    def wait(self) -> None:
        """Wait as long as all have to."""
        while (left_s := self._until_s - self._client.now_s()) > 0 and not self._client.clock.stopped:
            self._client.clock.sleep(left_s)
        while self._is_behind() and not self._client.clock.stopped:
            self._client.clock.sleep(BRIEF_S)

    def wait_until(self, time_s: float) -> None:
        """Have everybody wait until a time on the clock of the run."""
        self._until_s = max(self._until_s, time_s)

    def hear(self, response: Response) -> None:
        """Note that a request was answered."""
        self._answered_s = self._client.now_s()
        self._served += not asks_for_patience(response)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A context in which an answer is awaited."""
        with self._lock:
            self.in_flight += 1
        try:
            yield
        finally:
            with self._lock:
                self.in_flight -= 1

    @property
    def unanswered(self) -> bool:
        """Whether no request has been answered since one got no answer."""
        return self._unanswered_s > self._answered_s

    def heed(self, exchange: Exchange) -> None:
        """Note that a request was not served, and wait here if only its user has to wait.

        :raises Gone: if nobody was answered for long, or the deployment asks for more time than there is.
        """
        client, response = self._client, exchange.response
        now_s = client.now_s()
        if response is None or not asks_for_patience(response):
            if response is None:
                self._unanswered_s = now_s
            else:
                self._answered_s = now_s
            if now_s - self._answered_s > self._gone_s:
                detail = (
                    ""
                    if exchange.failure is None
                    else f" ({exchange.failure.kind.value}: {exchange.failure.detail})"
                )
                raise client.end(
                    Gone(
                        f"The deployment has not answered any request for {now_s - self._answered_s:.0f} s{detail}."
                    )
                )
            client.clock.sleep(BREATH_S)
            return
        self._answered_s = now_s
        pause_s = asked_to_wait_s(response) or self._unasked_s(exchange)
        too_long = now_s + pause_s > self._end_s and pause_s > self._too_long_s
        if exchange.request.credential is not Credential.VALID:
            self.knock_from_s = max(self.knock_from_s, now_s + pause_s)
        elif too_long and exchange.request.method == "POST":
            self.create_from_s = self._end_s
        elif too_long:
            raise client.end(
                Gone(f"The deployment asks for a wait of {pause_s:.0f} s, for which the soak has no time.")
            )
        elif response.status == 429:
            self.wait_until(now_s + pause_s)
            self._tell(now_s + pause_s)
        else:
            client.clock.sleep(min(pause_s, max(0.0, self._end_s - now_s)))

    def _unasked_s(self, exchange: Exchange) -> float:
        """How long to wait if the deployment does not say: longer each time that more is refused than served after a wait.

        Responses to requests that were sent before the last wait began say nothing about it.
        """
        with self._lock:
            self._refused += 1
            if not self._waits or exchange.sent_s > self._waited_s:
                self._waits = max(1, self._waits + (1 if self._refused >= self._served else -1))
                self._waited_s = exchange.answered_s
                self._refused = self._served = 0
            return min(SHORTEST_PATIENCE_S * 2.0 ** min(self._waits, 10), LONGEST_UNASKED_S)


class HastySender(Sender):
    """A sender that sends a request only once: under load, each attempt counts by itself.

    :param seen: called with each exchange.
    """

    def __init__(
        self, client: Client, transport: Transport, patience: Patience, seen: Callable[[Exchange], object]
    ) -> None:
        super().__init__(client, transport)
        self._patience = patience
        self._seen = seen

    def _attempt(self, request: Request, authorization: str | None, **options: Any) -> Exchange:
        self._patience.wait()
        with self._patience.waiting():
            exchange = super()._attempt(request, authorization, **options)
        self._seen(exchange)
        return exchange

    def _again(self, request: Request, authorization: str | None, exchange: Exchange) -> Exchange:  # noqa: ARG002
        self._patience.heed(exchange)
        return exchange
