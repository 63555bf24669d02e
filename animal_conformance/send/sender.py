"""One request after another on a connection of its own, each again where the network or the deployment asks for it."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.send.patience import FEWEST_ATTEMPTS, PATIENCE_S, Patience, retry_after_s

if TYPE_CHECKING:
    from animal_conformance.send.client import Client
    from animal_conformance.send.health import Health
    from animal_conformance.send.transport import Transport

NO_BODY: Final = None
# A request that gets no answer is sent again after growing pauses. Behind the third attempt a plain listing
# tells whether it is the request or the deployment.
PAUSES_S: Final = (0.1, 0.4, 0.1, 0.2, 0.4)
ATTEMPTS_UNTIL_CONTROL: Final = 3
CONTROL_PAUSES_S: Final = (0.0, 0.5, 1.5)
# After so many requests that were never answered, and no second attempt that was, there are no second attempts.
GIVEN_UP_AT_MOST: Final = 3
REFUSALS_OF_AN_ENDED_KEY: Final = 12
JSON_HEADERS: Final = (("Accept", "application/json"),)
CONTROL: Final = Request("GET", "/pets?limit=1", JSON_HEADERS)
PASSING: Final = frozenset(
    {FailureKind.REFUSED, FailureKind.RESET, FailureKind.TIMEOUT, FailureKind.MALFORMED}
)


class Sender:
    """Sends what one lane has to send.

    Each request gets a number of its own, unless :meth:`begin` has given the number of an item: then the requests
    of that item bear its number, and count from 1.
    """

    def __init__(self, client: Client, transport: Transport) -> None:
        self.client = client
        self._transport = transport
        self._item: int | None = None
        self._steps = 0

    def begin(self, item: int | None, *, sent: int = 0) -> None:
        """Begin with an item's requests; ``None`` for requests that belong to none.

        :param sent: how many of the item's requests were sent by others.
        """
        self._item, self._steps = item, sent

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
    ) -> Exchange:
        """Send a request, again where the network or the deployment's patience asks for it.

        :param target: path and query relative to the base address, already encoded.
        :param json: a value to send as JSON; ``body`` sends bytes as they are.
        :param form: which of the credential's headers (see :mod:`animal_conformance.send.keys`); the first, where
            there is none.
        :returns: the last exchange; all attempts are recorded.
        :raises Spent: where a limit of the run is reached.
        :raises Gone: where the deployment does not answer any more.
        """
        if json is not NO_BODY:
            body = json_module.dumps(json, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if body is not None and not any(name.lower() == "content-type" for name, _ in headers):
            headers = (*headers, ("Content-Type", "application/json"))
        forms = self.client.authorizations[credential]
        form = form if form in forms else next(iter(forms))
        request = Request(method, target, headers, body, credential, form)
        exchange = self._attempt(request, forms[form])
        if exchange.response is not None and not asks_for_patience(exchange.response):
            self._health.throttled.discard(_kind(request))
            self._watch_key(exchange)
            return exchange
        if exchange.failure is not None and exchange.failure.kind not in PASSING:
            return exchange
        return self._again(request, forms[form], exchange)

    def serves(self, wait_s: float) -> bool:
        """Whether a plain listing is answered within a time; it is sent once."""
        return self._control(wait_s).response is not None

    @property
    def _health(self) -> Health:
        return self.client.health

    def _attempt(
        self,
        request: Request,
        authorization: str | None,
        *,
        again: bool = False,
        at_most_s: float = float("inf"),
    ) -> Exchange:
        if self._item is None:
            place = self.client.reserve(), 1
        else:
            self._steps += 1
            place = self._item, self._steps
        return self.client.attempt(
            self._transport, request, authorization, place, again=again, at_most_s=at_most_s
        )

    def _control(self, at_most_s: float = float("inf")) -> Exchange:
        """A plain listing, which tells one request from the deployment."""
        valid = self.client.authorizations[Credential.VALID][0]
        return self._attempt(CONTROL, valid, again=True, at_most_s=at_most_s)

    def _again(self, request: Request, authorization: str | None, exchange: Exchange) -> Exchange:
        """Send a request again until it is answered, or given up; nobody else sends meanwhile."""
        patience, failed, kind = Patience(), 0, _kind(request)
        with self.client.alone():
            while True:
                response, failure = exchange.response, exchange.failure
                if response is not None and asks_for_patience(response):
                    if kind in self._health.throttled or not self._be_patient(exchange, response, patience):
                        # A quota of creations or of wrong keys, while others are served: no answer to judge.
                        self._health.throttled.add(kind)
                        return exchange
                elif failure is not None and failure.kind in PASSING:
                    failed += 1
                    if not self._try_again(failed, failure):
                        return exchange
                else:
                    if failed:
                        self._health.given_up = 0
                    self._health.throttled.discard(kind)
                    self._watch_key(exchange)
                    return exchange
                exchange = self._attempt(request, authorization, again=True)

    def _be_patient(self, exchange: Exchange, response: Response, patience: Patience) -> bool:
        """Wait as long as a response asks for, and longer each time.

        :returns: whether it was waited; not where it would be for good while a plain listing is served.
        :raises Gone: where it would be for good, and the listing is not served either.
        """
        client = self.client
        asked_s = retry_after_s(response)
        pause_s = patience.pause_s(asked_s)
        too_long = asked_s > PATIENCE_S and client.now_s() + asked_s > client.budget.deadline_s
        # Wrong keys may be locked out for long; whether it is they alone shows soon.
        others = exchange.request.credential is not Credential.VALID
        locked_out = others and patience.attempts == FEWEST_ATTEMPTS
        if not (too_long or locked_out or patience.ended):
            if client.now_s() + pause_s > client.budget.deadline_s:
                raise client.end(
                    Spent(
                        f"The time of the run ended while the deployment answered {response.status} to one request."
                    )
                )
            client.wait(pause_s)
            return True
        control = self._control()
        if control.response is not None and not asks_for_patience(control.response):
            return False
        if locked_out:
            client.wait(pause_s)
            return True
        if too_long:
            asks = f"{response.status} with Retry-After: {(response.header('retry-after') or '')[:40]}"
            raise client.end(
                Gone(f"The deployment asks for a longer wait than the run has time left ({asks}).")
            )
        raise client.end(
            Gone(
                f"The deployment answered {response.status} {patience.attempts} times in a row to one request."
            )
        )

    def _try_again(self, failed: int, failure: Failure) -> bool:
        """Whether to send a request again that got no answer ``failed`` times, after a pause."""
        health = self._health
        health.unanswered += 1
        hopeless = health.given_up >= GIVEN_UP_AT_MOST
        if failed == ATTEMPTS_UNTIL_CONTROL or (hopeless and health.unanswered >= ATTEMPTS_UNTIL_CONTROL):
            self._expect_an_answer(failure)
        waited_enough = failure.kind is FailureKind.TIMEOUT and failed >= ATTEMPTS_UNTIL_CONTROL
        if hopeless or waited_enough or failed > len(PAUSES_S):
            health.given_up += 1
            return False
        self.client.wait(PAUSES_S[failed - 1])
        return True

    def _expect_an_answer(self, failure: Failure) -> None:
        """Tell a request that is not answered from a deployment that answers nothing.

        :raises Gone: where it answers nothing.
        """
        for pause_s in CONTROL_PAUSES_S:
            self.client.wait(pause_s)
            if self._control().response is not None:
                return
        raise self.client.end(
            Gone(f"The deployment does not answer any more ({failure.kind.value}: {failure.detail}).")
        )

    def _watch_key(self, exchange: Exchange) -> None:
        """Notice when the key has ended: nothing can be judged with it any more.

        :raises Gone: where it has.
        """
        if (
            exchange.request.credential is not Credential.VALID
            or self._health.refusals < REFUSALS_OF_AN_ENDED_KEY
        ):
            return
        with self.client.alone():
            # Each may have been refused for what came before it, such as a wrong key: two in a row tell.
            for _ in range(2):
                control = self._control()
                if control.response is None or control.response.status != 401:
                    self._health.refusals = 0
                    return
            raise self.client.end(
                Gone("The deployment refused the key many times in a row: it does not accept it any more.")
            )


def asks_for_patience(response: Response) -> bool:
    """Whether a response is no answer but a request to wait: 429, and 403 or 503 that says how long."""
    return response.status == 429 or (
        response.status in {403, 503} and response.header("retry-after") is not None
    )


def _kind(request: Request) -> str:
    if request.credential is not Credential.VALID:
        return "not the valid key"
    return f"{request.method} {request.path == '/pets'}"
