"""New connections that are now and then closed without a response: a backend that is gone, or too many connections."""

from __future__ import annotations

from math import inf
from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion, shorten
from animal_conformance.judge.experiments import OUTAGE, Experiment, ReadAlone, Wait
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import TIMES_APART
from animal_conformance.record.exchange import Credential, Exchange, FailureKind, by_name

# If this many are closed, apart from each other, that is put to the test: a restart closes what it meets.
ASKED_FROM: Final = 2
# In most runs, one backend of eight is met three times in this many connections; a rarer one takes more of them.
PROBES: Final = 30
MORE_PROBES: Final = 90
# A limit on new connections lets one through after each pause of this length.
PAUSE_S: Final = 0.5
# A deployment may still count connections for this long after they were closed.
QUIET_S: Final = 0.3
TARGET: Final = "/pets?limit=1"


def closed_now_and_then(case: Case) -> Opinion:
    """What it means that connections are closed without a response, while requests sent again are answered.

    A connection that was used before may have been closed for being idle (RFC 9112 section 9.5), and one beside others
    may have been one too many. So requests are sent one at a time, each on a connection of its own: it is a finding if
    three of those, apart from each other, get nothing. A 408 says the same in words (RFC 9110 section 15.5.9).
    """
    ledger = case.ledger
    closed = ledger.survey("closed", lambda: _closed(ledger))
    if not closed or case.exchange is not closed[0]:
        return None
    by_themselves = ledger.survey("alone", lambda: alone(ledger))
    apart = ledger.times_apart(each for each in closed if id(each) in by_themselves)
    failure = case.exchange.failure
    finding = Finding(
        "Some requests on new connections get no response, or a 408, although nothing else is sent meanwhile.",
        "a complete HTTP response to every request",
        case.describe() if failure is None else f"{failure.kind.value}: {shorten(failure.detail)}",
        related=tuple(each for each, _ in apart[:TIMES_APART]),
        excluded=tuple((OUTAGE, served) for _, served in apart[1:TIMES_APART] if served is not None),
    )
    if len(apart) >= TIMES_APART:
        return finding
    done = probed(ledger, by_themselves)
    # Probes are lists: they cannot excuse connections that are closed to creations alone, with nothing else in flight.
    of_creations = all(each.request.method == "POST" for each in closed) and (
        len(ledger.times_apart(_with_nothing_in_flight(ledger, closed))) >= TIMES_APART
    )
    # A restart closes one of those that are sent one at a time, not two.
    if len(ledger.times_apart(closed)) < ASKED_FROM or (
        done >= PROBES and (not apart or (len(apart) == 1 and done >= MORE_PROBES)) and not of_creations
    ):
        return Explained(OUTAGE)
    probes = MORE_PROBES - PROBES if apart else PROBES
    return Suspicion(
        finding, "new connections", (Experiment(OUTAGE, (Wait(PAUSE_S), ReadAlone(TARGET)) * probes),)
    )


def _closed(ledger: Ledger) -> list[Exchange]:
    """The requests on connections of their own that got no response, or a 408, by time."""
    return sorted(
        (each for each in ledger.exchanges if is_own(each) and _got_nothing(each)),
        key=lambda each: each.sent_s,
    )


def _got_nothing(exchange: Exchange) -> bool:
    refused = exchange.status == 408 and exchange.request.credential is Credential.VALID
    return refused or exchange.failure_kind is FailureKind.RESET


def _with_nothing_in_flight(ledger: Ledger, closed: list[Exchange]) -> list[Exchange]:
    """Those of some exchanges during which no other was in flight."""
    return [
        each
        for each in closed
        if not any(
            other is not each and other.sent_s < each.answered_s and each.sent_s < other.answered_s
            for other in ledger.exchanges
        )
    ]


def is_own(exchange: Exchange) -> bool:
    """Whether a request of the run asked for its connection to be closed, and so had a connection of its own."""
    headers = by_name(exchange.request.headers)
    return bool(exchange.driver) and headers.get("connection", "").lower() == "close"


def alone(ledger: Ledger) -> set[int]:
    """The exchanges on connections of their own during which, and shortly before which, nothing else was in flight."""
    by_time = sorted(ledger.exchanges, key=lambda each: each.sent_s)
    found, before_s = set[int](), -inf
    for at, each in enumerate(by_time):
        after_s = by_time[at + 1].sent_s if at + 1 < len(by_time) else inf
        if is_own(each) and before_s + QUIET_S <= each.sent_s and each.answered_s <= after_s:
            found.add(id(each))
        before_s = max(before_s, each.answered_s)
    return found


def probed(ledger: Ledger, by_themselves: set[int]) -> int:
    """How many probes were sent while nothing else was in flight."""
    return sum(id(each) in by_themselves and each.request.target == TARGET for each in ledger.exchanges)
