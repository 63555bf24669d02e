"""One request after another on its own connection, with retries after network failures and throttling."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.reading import read_request
from animal_conformance.interface.waiting import LONGEST_ASKED_S, PATIENCE_S, asks_for_patience
from animal_conformance.record.exchange import Credential, Exchange, FailureKind, Request, Response
from animal_conformance.send.answers import asked, failed, may_have_created
from animal_conformance.send.endings import Gone, InVain, Spent
from animal_conformance.send.gone import expect_an_answer, watch_key, watch_responses
from animal_conformance.send.health import Health
from animal_conformance.send.patience import (
    BRIEF_PATIENCE_S,
    FEWEST_ATTEMPTS,
    LOCKED_OUT_IN_ALL_S,
    LOCKED_OUT_S,
    LONGEST_UNASKED_S,
    Patience,
    asked_to_wait_s,
)
from animal_conformance.send.transport import Transport

if TYPE_CHECKING:
    from animal_conformance.send.client import Client

# Not None, since None is sent as null.
NO_BODY: Final = object()
# A request without an answer (no response, 408, or a proxy's error) is retried after growing pauses. From the second
# attempt on, a plain list request before each shows whether the request or the deployment is the problem.
PAUSES_S: Final = (0.1, 0.4, 0.4)
ATTEMPTS_UNTIL_CONTROL: Final = 2
# A timeout is slow enough by itself.
SLOW_ATTEMPTS: Final = 3
# After this many requests without any response, and no successful retry, there are no more retries.
NO_RETRIES_AFTER: Final = 3
# How often one request may be put off, while plain list requests are served, before it is given up.
PUT_OFF_AT_MOST: Final = 4
# After this many requests were given up, further ones are sent only once more.
PUT_OFF_MANY: Final = 3
JSON_HEADERS: Final = (("Accept", "application/json"),)
CLOSE: Final = ("Connection", "close")
CONTROL: Final = Request("GET", "/pets?limit=1", JSON_HEADERS)
# An id that names no animal: its response is short, whatever the animals are like.
OTHER_CONTROL: Final = Request("GET", "/pets/8000000000000003", JSON_HEADERS)


class Sender:
    """Sends the requests of one lane.

    Each request gets its own number, unless :meth:`begin` has set the number of an item: then the requests
    of that item carry its number, and count from 1. ``kept`` is how many animals they may have created by now.
    """

    def __init__(self, client: Client, transport: Transport) -> None:
        self.client = client
        self.transport = transport
        self._item: int | None = None
        self._driver: str | None = None
        self._steps = 0
        self.kept = 0

    def begin(self, item: int | None, *, driver: str | None = None, sent: int = 0) -> None:
        """Start the requests of an item; ``None`` for requests that belong to no item.

        :param driver: whose item it is, which may have ended by then; default: the current one.
        :param sent: how many of the item's requests were already sent by other senders.
        """
        self._item, self._driver, self._steps = item, driver, sent
        self.kept = 0

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
        voice: str = "",
    ) -> Exchange:
        """Send a request, with retries after network failures and throttling.

        :param target: path and query relative to the base address, already encoded.
        :param json: a value to send as JSON; ``body`` sends bytes as they are.
        :param form: which of the credential's headers (see :mod:`animal_conformance.send.keys`); the first, if
            there is no such form.
        :param voice: the name of the client whose headers these are, all of them; empty for the suite's own.
        :returns: the last exchange; all attempts are recorded. If the deployment has put creations off for longer than the
            run can wait, an exchange that is not recorded, with the response that is known.
        :raises Spent: if a limit of the run is reached.
        :raises Gone: if the deployment no longer responds.
        """
        if json is not NO_BODY:
            body = json_module.dumps(json, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return self.send_as(Request(method, target, headers, body, credential, form, voice))

    def send_as(self, request: Request) -> Exchange:
        """Send a complete request, such as an earlier one once more; everything else is as in :meth:`send`.

        A body without a Content-Type gets one; if the credential has no such form, its first form is sent.
        """
        headers, forms = request.headers, self.client.authorizations[request.credential]
        if request.body is not None and request.header("content-type") is None:
            headers = (*headers, ("Content-Type", "application/json"))
        form = request.form if request.form in forms else next(iter(forms))
        request = replace(request, headers=headers, form=form)
        authorization = forms[form]
        known = self._health.quota.answer_to(request, self.client.now_s())
        if known is not None:
            return Exchange(request, known)
        exchange = self._attempt(request, authorization)
        if exchange.status and not asks_for_patience(exchange.response) and not failed(exchange):
            self._take_in(exchange)
            return exchange
        if exchange.failure is not None and not failed(exchange):
            watch_responses(self)
            return exchange
        return self._again(request, authorization, exchange)

    def close_idle(self) -> None:
        """Close the connection; the next request opens a new one."""
        self.transport.close_idle()

    def serves(self, wait_s: float) -> bool:
        """Whether a plain list request, sent once, is served within a time: neither turned away with 503 nor asked to wait."""
        response = self.control(wait_s, again=False).response
        turned_away = response is None or response.status == 503
        return not (turned_away or asks_for_patience(response))

    def control(self, at_most_s: float = float("inf"), *, again: bool = True) -> Exchange:
        """A plain list request, which shows whether the deployment still responds."""
        valid = self.client.authorizations[Credential.VALID][0]
        return self._attempt(CONTROL, valid, again=again, at_most_s=at_most_s)

    def answers_otherwise(self) -> bool:
        """Whether a request whose response has no animal is answered: each list may have an animal that cannot be read."""
        valid = self.client.authorizations[Credential.VALID][0]
        return not failed(self._attempt(OTHER_CONTROL, valid, again=True))

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
        if request.method == "POST" and self._health.needs_new_connections:
            self.close_idle()
            # So that the trace says so as well; the headers of a voice are left as they are.
            request = request if request.voice else replace(request, headers=(*request.headers, CLOSE))
        exchange = self.client.attempt(
            self.transport,
            request,
            authorization,
            place,
            driver=self._driver,
            again=again,
            at_most_s=min(at_most_s, self._health.at_most_s),
        )
        self.kept += exchange.request.method == "POST" and may_have_created(exchange.response)
        return exchange

    def _again(self, request: Request, authorization: str | None, exchange: Exchange) -> Exchange:
        """Retry a request until it gets a response or is given up; no other lane sends meanwhile."""
        failures, kind, first = 0, _kind(request), exchange
        most_s = BRIEF_PATIENCE_S if kind in self._health.selective else PATIENCE_S
        patience = Patience(most_s, LONGEST_UNASKED_S if _has_the_key(request) else LOCKED_OUT_S)
        with self.client.alone():
            while True:
                response = exchange.response
                if response is not None and asks_for_patience(response):
                    if kind in self._health.throttled:
                        self._put_off(exchange, response)
                        return exchange
                    if self._is_put_off(exchange, patience):
                        return exchange
                    if not self._be_patient(exchange, response, patience):
                        # A quota on creations or wrong keys, while other requests are served: no response to judge.
                        self._health.throttled.add(kind)
                        self._put_off(exchange, response)
                        return exchange
                elif failed(exchange):
                    failures += 1
                    if not self._try_again(failures, exchange):
                        return exchange
                else:
                    if failures:
                        self._health.answered_again(first, exchange)
                    self._take_in(exchange)
                    return exchange
                exchange = self._attempt(request, authorization, again=True)

    def _take_in(self, exchange: Exchange) -> None:
        """Note that a request was served."""
        self._health.served(_kind(exchange.request), exchange.request)
        self._health.quota.served(exchange)
        watch_key(self, exchange)

    def _put_off(self, exchange: Exchange, response: Response) -> None:
        """Note that a request was asked to wait, and is not sent again."""
        asked_s = asked_to_wait_s(response)
        if response.status == 429 and self._is_too_long(asked_s):
            self._health.quota.put_off(exchange, asked_s)

    def _is_too_long(self, asked_s: float) -> bool:
        """Whether this is longer than the run has time to wait, or than it waits in any case."""
        left_s = self.client.budget.deadline_s - self.client.now_s()
        return asked_s > PATIENCE_S and (asked_s > left_s or asked_s > LONGEST_ASKED_S)

    def _is_put_off(self, exchange: Exchange, patience: Patience) -> bool:
        """Whether one reading, or an invalid creation, is put off again and again, while a plain list request is served each time.

        A limit on requests (429) does that at most to requests in another client's voice: in the suite's own voice, it is
        waited for. A quota is waited for as well, but an invalid creation adds nothing to what a quota counts.
        """
        status = exchange.status
        request = exchange.request
        if (status == 429 and not request.voice) or request.credential is not Credential.VALID:
            return False
        if request.method != "GET" and (status == 429 or not read_request(request).problems):
            return False
        put_off = self._health.put_off
        if request in put_off:
            return True
        if not patience.attempts:
            return False
        control = self.control()
        served = control.status == 200
        patience.others_served = patience.others_served + 1 if served else 0
        if patience.others_served < (PUT_OFF_AT_MOST - 1 if len(put_off) < PUT_OFF_MANY else 1):
            return False
        put_off.add(request)
        return True

    def _be_patient(self, exchange: Exchange, response: Response, patience: Patience) -> bool:
        """Wait as long as a response asks, and longer each time.

        :returns: whether it waited; false if waiting would not help while a plain list request is served.
        :raises Gone: if waiting would not help and the list request is not served either.
        """
        client = self.client
        asked_s = asked_to_wait_s(response)
        pause_s = patience.pause_s(asked_s)
        left_s = client.budget.deadline_s - client.now_s()
        too_long = self._is_too_long(asked_s)
        # Wrong keys may be locked out for long; whether only they are affected is checked early.
        locked_out = not _has_the_key(exchange.request) and (
            patience.attempts == FEWEST_ATTEMPTS or patience.others_served > 0 or asked_s > PATIENCE_S
        )
        if not (too_long or locked_out or patience.ended):
            if client.now_s() + pause_s > client.budget.deadline_s:
                raise client.end(
                    Spent(
                        f"The run reached its time limit while the deployment returned {response.status} to one request."
                    )
                )
            if patience.attempts > 1 or response.status == 503:
                self.client.make_room()
            # Requests that were put off together have waited while the first of them was sent again.
            client.pause_until(exchange.answered_s + pause_s)
            return True
        control = self.control()
        served = control.response is not None and not asks_for_patience(control.response)
        if served and (asked_s or not locked_out or self._is_locked_out_for_long(patience)):
            return False
        if locked_out and not too_long:
            if served:
                patience.others_served += 1
                self._health.locked_out_s += pause_s
            client.wait(pause_s)
            return True
        if too_long:
            asks = f"{response.status} with Retry-After: {(response.header('retry-after') or '')[:40]}"
            left = f"{left_s:.0f} s are left" if isfinite(left_s) else f"{LONGEST_ASKED_S:.0f} s at most"
            raise client.end(
                Gone(f"The deployment asks for a longer wait than the run has time for ({asks}; {left}).")
            )
        raise client.end(
            Gone(
                f"The deployment returned {response.status} {patience.attempts} times in a row to one request."
            )
        )

    def _is_locked_out_for_long(self, patience: Patience) -> bool:
        """Whether requests without the valid key have been waited for long enough."""
        return patience.waited_s > LOCKED_OUT_S or self._health.locked_out_s > LOCKED_OUT_IN_ALL_S

    def _try_again(self, failures: int, exchange: Exchange) -> bool:
        """Whether to retry a request that got no answer this many times; if so, the pause before it is over by then."""
        health, slow = self._health, exchange.failure_kind is FailureKind.TIMEOUT
        health.unanswered += exchange.response is None
        hopeless = health.given_up >= NO_RETRIES_AFTER
        if slow or failures >= ATTEMPTS_UNTIL_CONTROL or (hopeless and health.unanswered > failures):
            expect_an_answer(self, exchange)
            health.stuck = health.stuck or slow
        if hopeless or failures > len(PAUSES_S) or (slow and failures >= SLOW_ATTEMPTS):
            health.given_up += 1
            if slow and health.in_vain:
                in_vain = f"{health.given_up} were given up without an answer"
                last = f"The last one was exchange {exchange.reference}: {asked(exchange)}"
                raise self.client.end(
                    InVain(f"The deployment does not respond to some requests: {in_vain}. {last}")
                )
            return False
        if exchange.status == 503:
            # Beside the connections that the run itself keeps open, there may be no room for a further request.
            self.client.make_room()
        self.client.wait(PAUSES_S[failures - 1])
        return True


def _has_the_key(request: Request) -> bool:
    return request.credential is Credential.VALID


def _kind(request: Request) -> str:
    if not _has_the_key(request):
        return "no key" if request.credential is Credential.ABSENT else "not the valid key"
    return f"{request.method} {request.path == '/pets'}"
