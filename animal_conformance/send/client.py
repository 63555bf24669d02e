"""A requests session that records every exchange, paces itself, waits where it is asked to, and keeps to its budget."""

from __future__ import annotations

import json as json_module
import re
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.record.redaction import Redactor
from animal_conformance.send.budget import Budget
from animal_conformance.send.keys import authorizations
from animal_conformance.send.patience import FEWEST_ATTEMPTS, PATIENCE_S, Patience, retry_after_s
from animal_conformance.send.transport import Transport, TransportSettings

if TYPE_CHECKING:
    from collections.abc import Callable

NO_BODY: Final = None
# A request that gets no answer is sent again after growing pauses. Behind the third attempt a plain listing
# tells whether it is the request or the deployment.
PAUSES_S: Final = (0.1, 0.4, 0.1, 0.2, 0.4)
ATTEMPTS_UNTIL_CONTROL: Final = 3
CONTROL_PAUSES_S: Final = (0.0, 0.5, 1.5)
# After so many requests that were never answered, and no second attempt that was, there are no second attempts.
GIVEN_UP_AT_MOST: Final = 3
REFUSALS_OF_AN_ENDED_KEY: Final = 12
# A shorter value of a user's header is no secret, or one that would be taken out of animals.
SHORTEST_SECRET_HEADER: Final = 16
JSON_HEADERS: Final = (("Accept", "application/json"),)
CONTROL: Final = Request("GET", "/pets?limit=1", JSON_HEADERS)
READS: Final = re.compile(r"/pets(/[^/]+)?")


class Spent(Exception):  # noqa: N818 - not an error: the driver has to end here
    """A limit of the run is reached; the message says which."""


class Gone(Exception):  # noqa: N818 - as above
    """The deployment does not answer any more, or only with 429; the message is a sentence."""


class Client:
    """Sends requests to one deployment, as one worker.

    :param base_url: the base address, ending with ``/v1``.
    :param key: the valid key; never recorded.
    :param record: called with each exchange, in the order in which they were begun.
    :param budget: the hard limits; checked before each request.
    :param origin_s: when the run began, on ``time.monotonic``'s clock.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        record: Callable[[Exchange], None],
        *,
        settings: TransportSettings | None = None,
        budget: Budget | None = None,
        worker: str = "main",
        origin_s: float | None = None,
        read_only: bool = False,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.budget = budget or Budget()
        self.worker = worker
        self.driver = ""
        self.may_create = True
        self.would_create = False
        self.read_only = read_only
        self.authorizations = authorizations(key)
        settings = settings or TransportSettings()
        others = (value for _, value in settings.headers if len(value) >= SHORTEST_SECRET_HEADER)
        self.redactor = Redactor(key, others)
        self._record = record
        self._transport = Transport(settings)
        self._origin_s = time.monotonic() if origin_s is None else origin_s
        self._lock = threading.Lock()
        self._sequence = 0
        self.last_failure: Failure | None = None
        self._refusals = self._unanswered = self._given_up = 0
        self._throttled: set[str] = set()
        self._ended: Gone | None = None
        self._over: Spent | None = None
        self.limit: Spent | Gone | None = None

    def now_s(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._origin_s

    def exhausted(self) -> bool:
        """Whether time or requests are spent: then drivers were cut short, whatever they were about."""
        time_s, sent = self.now_s(), self.budget.sent.count()
        return self._over is not None or time_s >= self.budget.deadline_s or sent >= self.budget.requests

    def close_idle(self) -> None:
        """Close the connections on which nothing is sent; the next request opens one."""
        self._transport.close_idle()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def send(
        self,
        method: str,
        target: str,
        *,
        json: Any = NO_BODY,
        body: bytes | None = None,
        headers: tuple[tuple[str, str], ...] = JSON_HEADERS,
        credential: Credential = Credential.VALID,
        form: int = 0,
        sequence: int | None = None,
    ) -> Exchange:
        """Send a request, again where the network or the deployment's patience asks for it.

        :param target: path and query relative to the base address, already encoded.
        :param json: a value to send as JSON; ``body`` sends bytes as they are.
        :param form: which of the credential's headers (see :func:`authorizations`); the first, where there is none.
        :param sequence: the number that :meth:`reserve` gave, for requests that are sent from threads.
        :returns: the last exchange; all attempts are recorded.
        :raises Spent: where a limit of the run is reached.
        :raises Gone: where the deployment does not answer any more.
        """
        if json is not NO_BODY:
            body = json_module.dumps(json, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if body is not None and not any(name.lower() == "content-type" for name, _ in headers):
            headers = (*headers, ("Content-Type", "application/json"))
        forms = self.authorizations[credential]
        form = form if form in forms else next(iter(forms))
        authorization = forms[form]
        request = Request(method, target, headers, body, credential, form)
        patience, failed = Patience(), 0
        kind = (
            f"{method} {request.path == '/pets'}" if credential is Credential.VALID else "not the valid key"
        )
        for reason in (self._ended, self._over):
            if reason is not None:
                raise reason
        while True:
            exchange = self._attempt(request, authorization, sequence)
            sequence = None
            self._watch_key(exchange)
            response = exchange.response
            if response is not None and self._asks_for_patience(response):
                if kind in self._throttled or not self._be_patient(exchange, response, patience):
                    # A quota of creations or of wrong keys, while others are served: no answer to judge.
                    self._throttled.add(kind)
                    return exchange
            elif exchange.failure is not None and self._is_passing(exchange.failure):
                failed += 1
                if not self._try_again(failed, exchange.failure):
                    return exchange
            else:
                if failed:
                    self._given_up = 0
                self._throttled.discard(kind)
                return exchange

    def pause_until(self, time_s: float) -> None:
        """Wait until a time on the clock of the run.

        :raises Spent: where the run has to end before it.
        """
        self._wait(max(0.0, time_s - self.now_s()))

    @contextmanager
    def in_order(self) -> Generator[None, None, None]:
        """Record what threads send within this context in the order of its numbers, whichever was answered first."""
        record, held = self._record, list[Exchange]()
        self._record = held.append
        try:
            yield
        finally:
            self._record = record
            for exchange in sorted(held, key=lambda each: each.sequence):
                record(exchange)

    def reserve(self) -> int:
        """A number for a request that a thread will send, so that a trace does not depend on threads."""
        with self._lock:
            self._sequence += 1
            return self._sequence

    def _be_patient(self, exchange: Exchange, response: Response, patience: Patience) -> bool:
        """Wait as long as a response asks for, and longer each time.

        :returns: whether it was waited; not where it would be for good while a plain listing is served.
        :raises Gone: where it would be for good, and the listing is not served either.
        """
        asked_s = retry_after_s(response)
        pause_s = patience.pause_s(asked_s)
        too_long = asked_s > PATIENCE_S and self.now_s() + asked_s > self.budget.deadline_s
        # Wrong keys may be locked out for long; whether it is they alone shows soon.
        others = exchange.request.credential is not Credential.VALID
        locked_out = others and patience.attempts == FEWEST_ATTEMPTS
        if not (too_long or locked_out or patience.ended):
            if self.now_s() + pause_s > self.budget.deadline_s:
                self._over = self._spent(
                    f"The time of the run ended while the deployment answered {response.status} to one request."
                )
                raise self._over
            self._wait(pause_s)
            return True
        control = self._attempt(CONTROL, self.authorizations[Credential.VALID][0])
        if control.response is not None and not self._asks_for_patience(control.response):
            return False
        if locked_out:
            self._wait(pause_s)
            return True
        if too_long:
            asks = f"{response.status} with Retry-After: {(response.header('retry-after') or '')[:40]}"
            raise self._gone(f"The deployment asks for a longer wait than the run has time left ({asks}).")
        raise self._gone(
            f"The deployment answered {response.status} {patience.attempts} times in a row to one request."
        )

    def _try_again(self, failed: int, failure: Failure) -> bool:
        """Whether to send a request again that got no answer ``failed`` times, after a pause."""
        self._unanswered += 1
        hopeless = self._given_up >= GIVEN_UP_AT_MOST
        if failed == ATTEMPTS_UNTIL_CONTROL or (hopeless and self._unanswered >= ATTEMPTS_UNTIL_CONTROL):
            self._control(failure)
        waited_enough = failure.kind is FailureKind.TIMEOUT and failed >= ATTEMPTS_UNTIL_CONTROL
        if hopeless or waited_enough or failed > len(PAUSES_S):
            self._given_up += 1
            return False
        self._wait(PAUSES_S[failed - 1])
        return True

    def _control(self, failure: Failure) -> None:
        """Send a plain listing, which tells a request that is not answered from a deployment that answers nothing.

        :raises Gone: where it answers nothing.
        """
        for pause_s in CONTROL_PAUSES_S:
            self._wait(pause_s)
            control = self._attempt(CONTROL, self.authorizations[Credential.VALID][0])
            if control.response is not None:
                return
        raise self._gone(f"The deployment does not answer any more ({failure.kind.value}: {failure.detail}).")

    def _gone(self, reason: str) -> Gone:
        self._ended = self.limit = Gone(reason)
        return self._ended

    def _spent(self, reason: str) -> Spent:
        self.limit = Spent(reason)
        return self.limit

    def _watch_key(self, exchange: Exchange) -> None:
        """Notice when the key has ended: nothing can be judged with it any more."""
        if exchange.request.credential is not Credential.VALID or exchange.response is None:
            return
        self._refusals = self._refusals + 1 if exchange.response.status == 401 else 0
        if self._refusals < REFUSALS_OF_AN_ENDED_KEY:
            return
        # Each may have been refused for what came before it, such as a wrong key: two in a row tell.
        for _ in range(2):
            control = self._attempt(CONTROL, self.authorizations[Credential.VALID][0])
            if control.response is None or control.response.status != 401:
                self._refusals = 0
                return
        raise self._gone(
            f"The deployment refused the key {self._refusals} times in a row: it does not accept it any more."
        )

    @staticmethod
    def _is_passing(failure: Failure) -> bool:
        return failure.kind in {
            FailureKind.REFUSED,
            FailureKind.RESET,
            FailureKind.TIMEOUT,
            FailureKind.MALFORMED,
        }

    @staticmethod
    def _asks_for_patience(response: Response) -> bool:
        return response.status == 429 or (
            response.status == 503 and response.header("retry-after") is not None
        )

    def _wait(self, seconds: float) -> None:
        if self.now_s() + seconds > self.budget.deadline_s:
            message = f"A wait of {seconds:.0f} s is more than the time that the run has left."
            raise self._spent(message)
        time.sleep(seconds)

    def _attempt(self, request: Request, authorization: str | None, sequence: int | None = None) -> Exchange:
        with self._lock:
            pause_s = self._take_slot(request)
            if sequence is None:
                self._sequence += 1
                sequence = self._sequence
            driver = self.driver
        if pause_s > 0:
            time.sleep(pause_s)
        sent_s = self.now_s()
        result = self._transport.exchange(
            self.base_url, request, authorization, self.budget.deadline_s - sent_s
        )
        exchange = Exchange(
            request=request,
            response=self._redacted(result) if isinstance(result, Response) else None,
            failure=Failure(result.kind, self.redactor.text(result.detail))
            if isinstance(result, Failure)
            else None,
            sequence=sequence,
            worker=self.worker,
            driver=driver,
            sent_s=sent_s,
            answered_s=self.now_s(),
        )
        self.last_failure = exchange.failure
        if exchange.response is not None:
            self._unanswered = 0
        with self._lock:
            if request.method == "POST" and not self._may_have_created(exchange):
                self.budget.created.give_back()
            self._record(exchange)
        return exchange

    def _take_slot(self, request: Request) -> float:
        budget, now_s = self.budget, self.now_s()
        if self.read_only and (request.method != "GET" or not READS.fullmatch(request.path)):
            message = "The run is read-only."
            raise self._spent(message)
        slot_s = budget.next_slot_s(now_s)
        if slot_s > budget.deadline_s:
            message = "The time of the run is over."
            raise self._spent(message)
        if request.method == "POST" and not self.may_create:
            self.would_create = True
            message = "The run has created the animals that it may until now; more as its time goes by."
            raise self._spent(message)
        # Every creation in flight counts until its answer says that nothing was created.
        if request.method == "POST" and not budget.created.take(budget.creates):
            message = f"The run has created the {budget.creates} animals that it may."
            raise self._spent(message)
        if not budget.sent.take(budget.requests):
            if request.method == "POST":
                budget.created.give_back()
            message = f"The run has sent the {budget.requests} requests that it may."
            raise self._spent(message)
        return slot_s - now_s

    @staticmethod
    def _may_have_created(exchange: Exchange) -> bool:
        response = exchange.response
        return response is None or response.status < 400 or response.status >= 500

    def _redacted(self, response: Response) -> Response:
        return Response(
            status=response.status,
            headers=self.redactor.pairs(response.headers),
            body=self.redactor.bytes(response.body),
            reason=self.redactor.text(response.reason),
            version=response.version,
        )
