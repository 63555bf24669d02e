"""A request that is turned away again and again while others like it are served: refused for what it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from itertools import pairwise
from math import inf
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.interface.waiting import KEY_REFUSED, PATIENCE_S, says_when
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Rule, Suspicion
from animal_conformance.judge.experiments import (
    OUTAGE,
    THROTTLED,
    Again,
    Create,
    Experiment,
    Naming,
    Read,
    Step,
)
from animal_conformance.judge.knowledge.creating import creations
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import TIMES_APART
from animal_conformance.record.exchange import Credential, Exchange, FailureKind

# A limit on requests lets one through after the wait that it asks for. If it never does in this many attempts, over
# this long, it is not a limit.
THROTTLED_TIMES: Final = 5
THROTTLED_S: Final = 30.0
EXPECTED: Final = {
    Operation.LIST: "200 with an array of animals",
    Operation.CREATE: "201, or 400 with an Error",
    Operation.GET: "200 with the animal, or 404 with an Error",
}


def is_turned_away(exchange: Exchange) -> bool:
    """Whether a request got no answer of its operation, but 401, 403, 408, a 503 that asks for patience, or nothing.

    A connection that breaks off is covered by http.answer, and any other 5xx by http.server-error.
    """
    if exchange.failure is not None:
        return exchange.failure_kind is FailureKind.TIMEOUT
    if exchange.status == 503:
        return says_when(exchange.response)
    return exchange.status in KEY_REFUSED or exchange.status == 408


def is_served(exchange: Exchange) -> bool:
    """Whether a request got an answer of its operation."""
    return 0 < exchange.status < 500 and exchange.status != 429 and not is_turned_away(exchange)


def also(rule: Rule, operation: Operation, concerns: Callable[[Case], bool]) -> Rule:
    """The rule for answered requests, extended to those turned away, as far as they concern its clause."""

    @wraps(rule)
    def either(case: Case) -> Opinion:
        if case.credential is not Credential.VALID or case.declined:
            return rule(case)
        turned_away = is_turned_away(case.exchange)
        if not turned_away and case.status != 429:
            return rule(case)
        about = case.operation is operation and case.reading.valid and concerns(case)
        if turned_away:
            return _turned_away(case) if about else None
        return _throttled_for_good(case) if about else None

    return either


@dataclass(frozen=True)
class Attempts:
    """When a request was last sent that got another answer, and the attempts since then that were met, apart in time."""

    served_s: float
    apart: list[Exchange]

    @classmethod
    def at(
        cls, case: Case, is_met: Callable[[Exchange], bool], is_other: Callable[[Exchange], bool]
    ) -> Attempts:
        """The attempts at the request of a case."""
        asked = case.ledger.asked[case.exchange.request]
        served_s = max((each.sent_s for each in asked if is_other(each)), default=-inf)
        since = (each for each in asked if is_met(each) and each.sent_s > served_s)
        return cls(served_s, [each for each, _ in case.ledger.times_apart(since)])


def last_served(case: Case) -> Exchange | None:
    """The last request of an operation that was served, and in which nothing is invalid."""
    ledger, operation = case.ledger, case.operation
    served = (each for each in reversed(ledger.successes[operation]) if not ledger.reading(each).problems)
    return ledger.survey(("served last", operation), lambda: next(served, None))


def _turned_away(case: Case) -> Opinion:
    ledger, exchange = case.ledger, case.exchange
    attempts = ledger.survey(
        ("turned away", exchange.request), lambda: Attempts.at(case, is_turned_away, is_served)
    )
    if case.operation is Operation.CREATE and case.throttled and _asks_for_long(case):
        return Explained(THROTTLED)  # as a 429 does: a quota on what is stored is lawful
    key_refused = case.status in KEY_REFUSED and not case.throttled
    explanation = THROTTLED if case.throttled else OUTAGE
    if attempts.served_s >= exchange.sent_s and not key_refused:
        return Explained(explanation)
    if ledger.accepted_again(exchange) is not None:
        return None  # a key that is refused at times is covered by auth.key.valid
    like = last_served(case)
    if like is None or (key_refused and ledger.key_comes_and_goes):
        return None  # the key may lack a scope for the whole operation; or it is the key: covered by auth.key.valid
    stand_in = _first_since(case, like) if case.operation is Operation.CREATE else exchange
    if stand_in is not exchange:
        return _suspected(case, _finding(case), explanation, like, stand_in)
    # A request that was served at the same time may have been served before the key expired.
    apart = attempts.apart or [exchange]
    return while_others_are_served(case, _finding(case), explanation, like, apart)


def _asks_for_long(case: Case) -> bool:
    """Whether a 403 asks to wait for longer than a run does."""
    return case.status == 403 and (_waits_s(case.exchange) or 0.0) > PATIENCE_S


def _first_since(case: Case, like: Exchange) -> Exchange:
    """The first valid creation that was turned away since one was served last: while all are, one stands for all."""

    def since() -> Exchange | None:
        valid = creations(case.ledger, valid=True)
        return next((each for each in valid if each.sent_s > like.sent_s and is_turned_away(each)), None)

    first = case.ledger.survey("turned away since", since)
    return case.exchange if first is None or case.sent_s <= like.sent_s else first


def while_others_are_served(
    case: Case, finding: Finding, explanation: str, like: Exchange, apart: list[Exchange]
) -> Opinion:
    """The finding, if a request was met three times apart and others like it were served since; else a suspicion.

    :param like: the last request like it that was served, which the experiment sends again first.
    """
    like_after = case.ledger.served_between(apart[0].answered_s, inf, (case.operation,))
    if len(apart) >= TIMES_APART and like_after is not None:
        return replace(finding, related=(like_after,), excluded=((explanation, like_after),))
    again = TIMES_APART - len(apart)
    return _suspected(case, finding, explanation, like, case.exchange, again)


def _suspected(
    case: Case,
    finding: Finding,
    explanation: str,
    like: Exchange,
    exchange: Exchange,
    again: int = TIMES_APART - 1,
) -> Suspicion:
    """The suspicion that a request is refused for what it is.

    The experiment sends a request like one that was served, and then the refused one ``again``, so many times.
    """
    steps: list[Step] = [like_of(like, case.ledger)]
    for _ in range(again):
        steps += [Again(exchange.request), Read("/pets?limit=1")]
    return Suspicion(finding, exchange.request.target, (Experiment(explanation, tuple(steps)),))


def _throttled_for_good(case: Case) -> Opinion:
    """A finding if a request was never let through after the waits that it was asked for, while others like it were.

    Where no response says how long to wait, or the wait is longer than a run, a list or getPet request is only
    suspected: a limit may be one for each day.
    """
    ledger, exchange = case.ledger, case.exchange
    if any(map(is_served, ledger.asked[exchange.request])):
        return None
    asked = [each for each in ledger.asked[exchange.request] if each.status == 429]
    asking = {each: wait_s for each in asked if (wait_s := _waits_s(each)) is not None}
    often = len(asked) >= THROTTLED_TIMES and asked[-1].sent_s - asked[0].answered_s >= THROTTLED_S
    if not often and max(asking.values(), default=0.0) <= PATIENCE_S:
        return None
    apart = [each for each, _ in ledger.times_apart(asking)]
    honoured = [
        before for before, after in pairwise(apart) if after.sent_s - before.answered_s >= asking[before]
    ]
    known = len(honoured) >= THROTTLED_TIMES
    if exchange is not (apart[0] if known else asked[0]):
        return None
    from_s = asked[-1].answered_s - THROTTLED_S if often else asked[0].answered_s
    like_after = ledger.served_between(from_s, inf, (case.operation,))
    if like_after is None:
        return None
    if known:
        return _finding(case, (THROTTLED, like_after))
    if case.operation is Operation.CREATE or exchange.request.voice:
        return None  # a quota on what is stored and a limit for one client are lawful
    again = Experiment(THROTTLED, (Again(exchange.request),))
    return Suspicion(_finding(case), exchange.request.target, (again,))


def _waits_s(exchange: Exchange) -> float | None:
    """The seconds that a response asks to wait; ``None`` if it names none, or a date."""
    response = exchange.response
    value = ((response and response.header("retry-after")) or "").strip()
    return float(value) if value.isascii() and value.isdecimal() else None


def like_of(success: Exchange, ledger: Ledger) -> Step:
    """The step that repeats a served request: it reads the same list or animal, or creates another animal like it."""
    request, payload = success.request, ledger.reading(success).payload
    if payload is None:
        return Read(request.target)
    plain = {name: payload[name] for name in PAYLOAD_FIELDS if name in payload}
    return Create(json.dumps(plain), Naming.UNLIKE)


def _finding(case: Case, *excluded: tuple[str, Exchange]) -> Finding:
    refused = case.status in KEY_REFUSED
    what = "rejected like a wrong key" if refused else "never given one of its documented answers"
    return Finding(
        f"A valid {case.operation.value} request is {what}, although others like it are served.",
        EXPECTED[case.operation],
        case.describe(),
        related=tuple(each for _, each in excluded),
        excluded=excluded,
    )


def _is_list_with(*, limit: bool, status: bool) -> Callable[[Case], bool]:
    """A test for lists with these parameters.

    Of several parameters, those that were not accepted alone count, if there are any.
    """

    def concerns(case: Case) -> bool:
        both = {"limit": case.reading.limit, "status": case.reading.status}
        given = {(name, str(value)) for name, value in both.items() if value is not None}
        names = {name for name, _ in given - case.ledger.accepted_alone or given}
        return names == {name for name, wanted in (("limit", limit), ("status", status)) if wanted}

    return concerns


def _is_known(case: Case) -> bool:
    animal = case.ledger.animals.get(case.reading.pet_id) if case.reading.pet_id is not None else None
    return animal is not None and animal.known_since_s <= case.sent_s


CONCERNED: Final[Mapping[str, tuple[Operation, Callable[[Case], bool]]]] = {
    "list.answer": (Operation.LIST, _is_list_with(limit=False, status=False)),
    "list.limit.accepted": (Operation.LIST, _is_list_with(limit=True, status=False)),
    "list.status.accepted": (Operation.LIST, _is_list_with(limit=False, status=True)),
    "list.combined": (Operation.LIST, _is_list_with(limit=True, status=True)),
    "create.answer": (Operation.CREATE, lambda _: True),
    "get.found": (Operation.GET, _is_known),
    "get.unknown": (Operation.GET, lambda case: not _is_known(case)),
}
"""The clauses that say which answers a valid request may get, and which requests each is about."""
