"""What all senders of a run share: limits, pace, retries, and the recording of exchanges."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, TypeVar

from animal_conformance.record.exchange import Exchange, Failure, FailureKind, Request, Response
from animal_conformance.record.redaction import Redactor
from animal_conformance.send.answers import may_have_created
from animal_conformance.send.body import Bodies
from animal_conformance.send.budget import Budget
from animal_conformance.send.clock import Clock
from animal_conformance.send.deadlines import Deadlines
from animal_conformance.send.endings import Gone, NoRequestsLeft, Spent
from animal_conformance.send.health import Health
from animal_conformance.send.keys import authorizations
from animal_conformance.send.sender import Sender
from animal_conformance.send.transport import Transport, TransportSettings

S = TypeVar("S", bound=Sender)

# A shorter value of a user's header is not redacted: it is not a secret, or redacting it would alter animals.
SHORTEST_SECRET_HEADER: Final = 16
# If a deployment has been silent for this long when the time is up, the message says so.
SILENT_S: Final = 1.0
TIME_IS_UP: Final = "The run has reached its time limit."
# How long a server that has room for few connections has to close one on its side, before the next one is opened.
LINGER_S: Final = 0.2
READS: Final = re.compile(r"/pets(/[^/]+)?")


class Client:
    """One deployment, as used by a whole run.

    :param base_url: the base address, ending with ``/v1``.
    :param key: the valid key; never recorded.
    :param record: called with each completed exchange, one at a time; may return the exchange as it is kept.
    :param budget: the hard limits; checked before each request.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        record: Callable[[Exchange], Exchange | None],
        *,
        settings: TransportSettings | None = None,
        budget: Budget | None = None,
        clock: Clock | None = None,
        read_only: bool = False,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.budget = budget or Budget()
        self.clock = clock or Clock()
        self.driver = ""
        self.read_only = read_only
        self.authorizations = authorizations(key)
        self.settings = settings or TransportSettings()
        others = (value for _, value in self.settings.headers if len(value) >= SHORTEST_SECRET_HEADER)
        self.redactor = Redactor(key, others)
        self._record = record
        self._deadlines = Deadlines()
        self._bodies = Bodies()
        self._transports: list[Transport] = []
        self._lock = threading.Lock()
        self._floor = threading.RLock()
        self._numbers = self._in_flight = 0
        self._linger_s = 0.0
        self.health = Health()

    # Numbers and senders

    def reserve(self, count: int = 1) -> int:
        """The first of ``count`` sequence numbers, one per item of the run; requests carry the number of their item."""
        with self._lock:
            first = self._numbers + 1
            self._numbers += count
            return first

    @property
    def last_number(self) -> int:
        """The last sequence number that was given."""
        return self._numbers

    def sender(self) -> Sender:
        """A sender with its own connection."""
        return self.sender_of(Sender)

    def sender_of(self, make: Callable[[Client, Transport], S]) -> S:
        """A sender of another kind, with its own connection."""
        transport = Transport(self.settings, self._deadlines, self._bodies)
        transport.linger(self._linger_s)
        self._transports.append(transport)
        return make(self, transport)

    def dismiss(self, sender: Sender) -> None:
        """Close a sender's connection, and forget it: it sends nothing more."""
        sender.close_idle()
        with self._lock:
            self._transports.remove(sender.transport)

    def make_room(self) -> None:
        """Close idle connections where few may be open at a time; from now on, let the server close each of them as well."""
        self._linger_s = LINGER_S
        for transport in self._transports:
            transport.linger(LINGER_S)
        self.close_idle()

    def close_idle(self) -> None:
        """Close idle connections; the next request opens a new one."""
        for transport in self._transports:
            transport.close_idle()

    def close(self) -> None:
        """Close the connections."""
        self.close_idle()
        self._deadlines.close()

    def stop(self) -> None:
        """End all exchanges in flight and all waits: nothing more is sent or recorded."""
        self.clock.stop()
        self._deadlines.expire_all()

    # Time and limits

    def now_s(self) -> float:
        """Seconds since the run began."""
        return self.clock.now_s()

    def exhausted(self) -> bool:
        """Whether the time or request limit is reached, so that drivers were cut short."""
        budget = self.budget
        return (
            isinstance(self.health.ended, Spent)
            or self.now_s() >= budget.deadline_s
            or not budget.requests_left()
        )

    def wait(self, seconds: float) -> None:
        """Wait.

        :raises Spent: if the run must end before.
        """
        left_s = self.budget.deadline_s - self.now_s()
        if left_s <= 0:
            raise Spent(TIME_IS_UP)
        if seconds > left_s:
            raise Spent(f"The run has less time left than the required wait of {seconds:.1f} s.")
        self.clock.sleep(seconds)
        self._go_on()

    def pause_until(self, time_s: float) -> None:
        """Wait until a time on the clock of the run.

        :raises Spent: if the run must end before it.
        """
        self.wait(max(0.0, time_s - self.now_s()))

    @contextmanager
    def alone(self) -> Generator[None, None, None]:
        """Block all other senders in this context: only one lane retries on a deployment that asks clients to wait."""
        with self._floor:
            yield

    def end(self, reason: Spent | Gone) -> Spent | Gone:
        """Record that nothing more can be sent, and why."""
        self.health.ended = self.health.ended or reason
        return reason

    def release(self) -> None:
        """Let experiments have the requests that were kept for them, and send although drivers were ended by waiting in vain."""
        self.budget.release()
        self.health.release()

    def _go_on(self) -> None:
        if self.clock.stopped:
            raise Gone("The run was interrupted before it was complete.")
        if self.health.ended is not None:
            raise self.health.ended

    # One attempt

    def attempt(
        self,
        transport: Transport,
        request: Request,
        authorization: str | None,
        place: tuple[int, int],
        *,
        driver: str | None = None,
        again: bool = False,
        at_most_s: float = float("inf"),
    ) -> Exchange:
        """Send a request once, within the limits, and record the exchange.

        :param place: the number of the item that sends it, and the position among its requests.
        :param driver: whose request it is; default: the current driver's.
        :param again: whether it is a retry, which counts only against the time and creation limits.
        :param at_most_s: the time limit, if shorter than the timeout.
        :raises Spent: if a limit of the run is reached.
        :raises Gone: if the deployment no longer responds.
        """
        # A lane that is retrying holds the floor until it is served.
        with self._floor:
            pass
        self._admit(request, again=again)
        with self._lock:
            self._in_flight += 1
        try:
            sent_s = self.now_s()
            result = transport.exchange(
                self.base_url, request, authorization, min(at_most_s, self.budget.deadline_s - sent_s)
            )
            if self.clock.stopped:
                self._go_on()
            self._end_if_cut(result, sent_s)
            response = self.redactor.response(result) if isinstance(result, Response) else None
            failure = (
                Failure(result.kind, self.redactor.text(result.detail))
                if isinstance(result, Failure)
                else None
            )
        except BaseException:
            with self._lock:
                self._in_flight -= 1
            if request.method == "POST":
                self.budget.end_creation(kept=True)
            raise
        if request.method == "POST":
            self.budget.end_creation(kept=may_have_created(response))
        with self._lock:
            # Exchanges are recorded in the order of their answers.
            exchange = Exchange(
                request,
                response,
                failure,
                *place,
                driver=self.driver if driver is None else driver,
                sent_s=sent_s,
                answered_s=self.now_s(),
            )
            self._in_flight -= 1
            self.health.learn(exchange, beside=self._in_flight > 0)
            return self._record(exchange) or exchange

    def _end_if_cut(self, result: Response | Failure, sent_s: float) -> None:
        """Discard an exchange that the run's own time limit ended: it shows nothing about a deployment that answers.

        :raises Spent: if the time limit ended it.
        """
        if not self.health.has_answered or self.now_s() < self.budget.deadline_s:
            return
        if isinstance(result, Failure) and result.kind is FailureKind.TIMEOUT:
            waited_s = self.now_s() - sent_s
            silent = f"{TIME_IS_UP[:-1]}, and no response for the last {waited_s:.0f} s of it."
            raise Spent(silent if waited_s >= SILENT_S else TIME_IS_UP)

    def _admit(self, request: Request, *, again: bool) -> None:
        self._go_on()
        budget = self.budget
        if self.read_only and (request.method != "GET" or not READS.fullmatch(request.path)):
            raise Spent("The run is read-only.")
        # Every create request in flight counts until its response shows that nothing was created.
        if request.method == "POST" and not budget.take_creation():
            if budget.created < budget.creates:
                raise Spent("The run has created as many animals as it may so far; more are allowed later.")
            raise Spent(f"The run has reached its limit of {budget.creates} created animals.")
        refused: Spent | None = None
        if not again and not budget.take_request():
            refused = NoRequestsLeft(f"The run has reached its limit of {budget.requests} requests.")
            if budget.kept_requests:
                sent = budget.requests - budget.kept_requests
                refused = NoRequestsLeft(
                    f"The run has sent {sent} of its {budget.requests} requests; the others are kept for experiments."
                )
        elif not budget.keep_pace(self.clock):
            refused = Spent(TIME_IS_UP)
        if refused is not None or self.clock.stopped or self.health.ended is not None:
            if request.method == "POST":
                budget.end_creation(kept=False)
            self._go_on()
            raise refused or Spent()
