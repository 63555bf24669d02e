"""An invalid request that never gets the answer it should, whenever it is sent, while valid ones are served."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from animal_conformance.interface.waiting import KEY_REFUSED, retry_after_s, says_when
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, shorten
from animal_conformance.judge.experiments import OUTAGE, THROTTLED
from animal_conformance.judge.suspicions.turned_away import (
    Attempts,
    is_served,
    is_turned_away,
    last_served,
    while_others_are_served,
)
from animal_conformance.record.exchange import Credential, Exchange

# Status codes that frameworks and proxies return because of a connection or its headers, which valid requests have too.
OF_THE_TRANSPORT: Final = frozenset({408, 421, 426, 431})


def _asks_to_wait(exchange: Exchange) -> bool:
    return exchange.status == 503 and is_turned_away(exchange)


def _is_refused(exchange: Exchange) -> bool:
    """Whether an invalid request is refused with a status code that looks like a wrong key."""
    return exchange.status in KEY_REFUSED and not says_when(exchange.response)


def unavailable(case: Case) -> Opinion:
    """What it means that an invalid request is answered with 503 and Retry-After.

    A finding of http.server-error if that is its only answer, three times apart, while others like it are served.
    """
    exchange = case.exchange
    if case.credential is not Credential.VALID or exchange.request.voice or case.reading.valid:
        return None  # wrong keys may be locked out, a client limited; valid requests are covered by their operation
    attempts = Attempts.at(case, _asks_to_wait, lambda each: is_served(each) or _is_refused(each))
    if attempts.served_s >= exchange.sent_s:
        return Explained(THROTTLED)
    like = last_served(case)
    if like is None:
        return None
    finding = Finding(
        f"{exchange.request.method} {shorten(exchange.request.target, 60)} gets {case.status} whenever it is sent, "
        "although others like it are served.",
        "a status code below 500",
        case.describe(),
    )
    return while_others_are_served(case, finding, THROTTLED, like, attempts.apart)


def _is_put_off(exchange: Exchange) -> bool:
    """Whether an invalid request gets 408, or 403 with Retry-After."""
    return is_turned_away(exchange) and not _is_refused(exchange) and not _asks_to_wait(exchange)


def _answered(exchange: Exchange) -> bool:
    return is_served(exchange) or _is_refused(exchange)


def put_off(case: Case) -> Opinion:
    """What it means that an invalid create request gets 408, or 403 with Retry-After.

    A finding of create.refusal.status if it gets nothing else, three times apart, while animals are created.
    """
    exchange = case.exchange
    if case.credential is not Credential.VALID or exchange.request.voice or case.declined:
        return None  # one client may be limited
    attempts, like = Attempts.at(case, _is_put_off, _answered), last_served(case)
    explanation = THROTTLED if case.throttled else OUTAGE
    if attempts.served_s >= exchange.sent_s:
        return Explained(explanation)
    if like is None:
        return None
    finding = Finding(
        f"An invalid create request gets {case.status} whenever it is sent, although valid ones are accepted.",
        "400 with an Error",
        case.describe(),
    )
    heeded = [each for each in attempts.apart if _is_heeded(each, case.ledger.asked[exchange.request])]
    return while_others_are_served(case, finding, explanation, like, heeded or attempts.apart[:1])


def _is_heeded(exchange: Exchange, asked: Sequence[Exchange]) -> bool:
    """Whether an attempt was sent only after the time for which the one before was asked to wait."""
    before = [each for each in asked if each.answered_s <= exchange.sent_s and each.status][-1:]
    return all(exchange.sent_s >= each.answered_s + retry_after_s(each.response) for each in before)


def without_an_error(case: Case, finding: Finding) -> Opinion:
    """What it means that an invalid request is answered with a status that is about the connection, and no Error.

    A finding if it gets no other answer, three times apart, while valid ones are served over the same connections.
    """
    exchange = case.exchange
    if case.credential is not Credential.VALID or exchange.request.voice or case.reading.valid:
        return None  # a valid request is covered by its operation
    attempts = Attempts.at(
        case, _is_of_the_transport, lambda each: is_served(each) and not _is_of_the_transport(each)
    )
    if attempts.served_s >= exchange.sent_s:
        return Explained(OUTAGE)
    like = last_served(case)
    return None if like is None else while_others_are_served(case, finding, OUTAGE, like, attempts.apart)


def _is_of_the_transport(exchange: Exchange) -> bool:
    return exchange.status in OF_THE_TRANSPORT


def refused_like_a_key(case: Case) -> Opinion:
    """What it means that an invalid create request is answered with 401 or 403, although its key is valid.

    A finding of create.refusal.status if this happens three times apart, while the key creates animals.
    """
    ledger, exchange = case.ledger, case.exchange
    if case.credential is not Credential.VALID or exchange.request.voice or case.throttled or case.declined:
        return None  # the key may not be the run's valid one, or a client may be unwelcome
    attempts, like = Attempts.at(case, _is_refused, is_served), last_served(case)
    if attempts.served_s >= exchange.sent_s or like is None or ledger.key_comes_and_goes:
        return None  # a key that is refused at times is covered by auth.key.valid; or it may be a scope
    finding = Finding(
        f"An invalid create request is rejected like a wrong key, with {case.status}, although valid ones are accepted.",
        "400 with an Error",
        case.describe(),
    )
    return while_others_are_served(case, finding, OUTAGE, like, attempts.apart)
