"""Requests that now and then get no answer in time, although the same ones are answered when they are sent again."""

from __future__ import annotations

from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion, shorten
from animal_conformance.judge.experiments import OUTAGE, Experiment, ReadAlone, Wait
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import TIMES_APART
from animal_conformance.judge.suspicions import unread
from animal_conformance.judge.suspicions.closed import (
    ASKED_FROM,
    MORE_PROBES,
    PAUSE_S,
    PROBES,
    TARGET,
    alone,
    probed,
)
from animal_conformance.record.exchange import Exchange, FailureKind

# The interface names no time, and an answer may be slow. Only after this long is it said not to come.
LONG_S: Final = 10.0
# If this many requests get no answer, apart from each other, one that gets none with nothing beside it is not explained
# by a restart.
OFTEN: Final = 5
# This many probes are added, since the first of them may be sent beside other experiments.
MARGIN: Final = 2
ALONE: Final = "although nothing else is sent meanwhile"
UNREAD: Final = "after a create request on the same connection that was rejected"


def silent_now_and_then(case: Case) -> Opinion:
    """What it means that some requests get no answer in time, while the same ones do when they are sent again.

    There may have been too many requests at a time. A backend that is gone, or a worker that hangs, also fails requests
    that are sent one at a time, each on its own connection; a body that was left unread fails the request after it.
    """
    ledger = case.ledger
    silent = ledger.survey("silent", lambda: _silent(ledger))
    if not silent or case.exchange is not silent[0]:
        return None
    times = len(ledger.times_apart(silent))
    if times < ASKED_FROM or ledger.terms.crowded:
        return Explained(OUTAGE)
    longest_s = max(each.answered_s - each.sent_s for each in silent)
    pairs = unread.left_unread(ledger)
    by_themselves = ledger.survey("alone", lambda: alone(ledger))
    met = ledger.times_apart(each for each in _timed_out(ledger) if id(each) in by_themselves)
    shown = pairs or len(met) >= TIMES_APART
    if pairs:
        finding = _finding(case, longest_s, UNREAD, tuple(each for pair in pairs for each in pair))
    else:
        finding = _finding(case, longest_s, ALONE, tuple(each for each, _ in met[:TIMES_APART]))
    if shown and longest_s >= LONG_S:
        return finding
    done = probed(ledger, by_themselves)
    often = times >= OFTEN
    few = not met if often else len(met) <= 1
    if not shown and few and done >= (MORE_PROBES if met or often else PROBES):
        return Explained(OUTAGE)
    probes = MORE_PROBES if often else MORE_PROBES - PROBES if met else PROBES
    one_at_a_time = Experiment(OUTAGE, (Wait(PAUSE_S), ReadAlone(TARGET)) * (probes + MARGIN))
    return Suspicion(finding, "requests without an answer", (*unread.experiments(ledger), one_at_a_time))


def _silent(ledger: Ledger) -> list[Exchange]:
    """The requests of drivers that got no answer in time, but got one when they were sent again; by time."""
    silent = [
        each
        for each in _timed_out(ledger)
        if each.driver
        and any(
            again.response is not None and again.sent_s > each.sent_s for again in ledger.asked[each.request]
        )
    ]
    return sorted(silent, key=lambda each: each.sent_s)


def _timed_out(ledger: Ledger) -> list[Exchange]:
    """The requests of the interface that got no answer in time."""
    return [
        each
        for each in ledger.exchanges
        if each.failure_kind is FailureKind.TIMEOUT and ledger.reading(each).operation is not Operation.OTHER
    ]


def _finding(case: Case, longest_s: float, when: str, related: tuple[Exchange, ...]) -> Finding:
    failure = case.exchange.failure
    return Finding(
        f"Some requests get no response within {longest_s:.0f} s, {when}; sent again, they are answered.",
        "a complete HTTP response to every request",
        "" if failure is None else f"{failure.kind.value}: {shorten(failure.detail)}",
        related=tuple(each for each in related if each is not case.exchange),
        excluded=tuple((OUTAGE, each) for each in related if each.response is not None),
    )
