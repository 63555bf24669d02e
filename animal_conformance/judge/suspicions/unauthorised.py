"""A request without a valid key that is turned away whenever it is sent, while others like it get their 401."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import PATIENCE_S, retry_after_s, says_when
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import OUTAGE, THROTTLED, Again, Experiment, Step, Wait, WaitUntil
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import TIMES_APART
from animal_conformance.judge.suspicions.turned_away import THROTTLED_S, THROTTLED_TIMES, like_of
from animal_conformance.record.exchange import Credential, Exchange

MAY_ASK_TO_WAIT: Final = frozenset({403, 429, 503})
# A client that sends many wrong keys, even empty ones, may be locked out, and still be told where a key is missing.
WITHOUT_A_TOKEN: Final = frozenset({Credential.ABSENT, Credential.EMPTY})


def is_put_off(exchange: Exchange) -> bool:
    """Whether a request was answered with 408, or told how long to wait: 429, 403 and 503 with Retry-After."""
    return exchange.status == 408 or _asks_to_wait(exchange)


def _asks_to_wait(exchange: Exchange) -> bool:
    return exchange.status in MAY_ASK_TO_WAIT and says_when(exchange.response)


def has_target(exchange: Exchange, ledger: Ledger) -> bool:
    """Whether a request is valid except for its credential, so that it would have succeeded with a key."""
    reading = ledger.reading(exchange)
    return reading.valid and (reading.pet_id is None or reading.pet_id in ledger.animals)


@dataclass(frozen=True)
class PutOff:
    """What came of a request that was put off, since the last time that it got any other answer.

    ``since`` are the attempts at it since then. ``met`` are those after which another request got its 401 (or, for a
    408, a success) within the time that was asked for, each with that request; ``heeded`` counts those that were sent
    only after the time for which the one before was asked to wait. ``like`` is the step that asks for such another
    request again; ``None`` if none got its answer. ``is_limited`` is whether that one got no 401 either when it was
    sent again, or the time to wait is longer than a run waits.
    """

    since: tuple[Exchange, ...]
    met: tuple[tuple[Exchange, Exchange], ...]
    heeded: int
    like: Step | None
    is_limited: bool

    @classmethod
    def at(cls, exchange: Exchange, ledger: Ledger) -> PutOff:
        """What came of the request of an exchange."""
        asked = sorted(ledger.asked[exchange.request], key=lambda each: each.sent_s)
        other_s = max((each.sent_s for each in asked if _is_answered(each)), default=-inf)
        since = [each for each in asked if is_put_off(each) and each.sent_s > other_s]
        if not since:
            return cls((), (), 0, None, is_limited=False)
        waits = any(_asks_to_wait(each) for each in since)
        refused, served = list(_refused_like(exchange, ledger, waits=waits)), []
        if not waits:
            served = ledger.successes[ledger.reading(exchange).operation]
        heeded, met = 1, []
        for number, each in enumerate(since):
            before = since[number - 1] if number else None
            if before is not None:
                if each.sent_s < before.answered_s + _wait_s(before):
                    continue
                heeded += 1
            until_s = since[number + 1].sent_s if number + 1 < len(since) else inf
            if wait_s := _wait_s(each):
                until_s = min(until_s, each.answered_s + wait_s)
            other = next(
                (other for other in chain(refused, served) if each.answered_s <= other.sent_s < until_s), None
            )
            if other is not None:
                met.append((each, other))
        first = min(refused, key=lambda each: (each.sequence, each.step), default=None)
        if first is not None:
            afterwards = [each for each in ledger.asked[first.request] if each.sent_s >= since[-1].answered_s]
            is_limited = waits and any(each not in refused for each in afterwards[-1:])
            is_limited = is_limited or any(_wait_s(each) > PATIENCE_S for each in since)
            return cls(tuple(since), tuple(met), heeded, Again(first.request), is_limited)
        like = like_of(served[-1], ledger) if served else None
        return cls(tuple(since), tuple(met), heeded, like, is_limited=False)

    @property
    def waits(self) -> bool:
        """Whether the request was asked to wait."""
        return any(_asks_to_wait(each) for each in self.since)

    @property
    def is_for_good(self) -> bool:
        """Whether the request is put off permanently: a limit or a lock-out ends when it says."""
        if len(self.met) < TIMES_APART:
            return False
        lasted_s = self.since[-1].sent_s - self.since[0].answered_s
        return not self.waits or (self.heeded >= THROTTLED_TIMES and lasted_s >= THROTTLED_S)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that tell more: once at first, which shows a lock-out; then as often and as long as is needed."""
        if self.like is None:
            return ()
        last = self.since[-1]
        turn = (Again(last.request), self.like)
        if not self.met:
            # The last time, other experiments that wait may have come in between.
            return (WaitUntil(last.answered_s + _wait_s(last)), *turn)
        if not self.waits:
            return turn * max(1, TIMES_APART - len(self.met))
        pause_s = THROTTLED_S / (TIMES_APART - 1)
        # A time to wait until makes the next experiment a different one, which is not left out as already performed.
        first = (WaitUntil(last.answered_s + pause_s), *turn)
        return (*first, *(Wait(pause_s), *turn) * (TIMES_APART - len(self.met) - 1))


def put_off(case: Case, finding: Finding) -> Opinion:
    """What it means that a request without a valid key is put off: the finding, if it is so permanently."""
    ledger = case.ledger
    attempts = _attempts(case.exchange, ledger)
    if case.exchange not in attempts.since or attempts.like is None or not _is_welcome(case.exchange, ledger):
        return None
    explanation = THROTTLED if attempts.waits else OUTAGE
    if attempts.is_for_good:
        excluded = tuple((explanation, other) for _, other in attempts.met[:TIMES_APART])
        return replace(finding, related=tuple(other for _, other in excluded), excluded=excluded)
    if attempts.is_limited:
        return Explained(explanation)
    first = ledger.survey("put off without a key", lambda: _first_undecided(ledger))
    if first.get(_kind(case.exchange, ledger)) is not case.exchange:
        return None
    return Suspicion(finding, case.exchange.request.target, (Experiment(explanation, attempts.steps),))


def _attempts(exchange: Exchange, ledger: Ledger) -> PutOff:
    return ledger.survey(("put off without a key", exchange.request), lambda: PutOff.at(exchange, ledger))


def is_put_off_anyway(case: Case, credentials: Collection[Credential]) -> bool:
    """Whether valid requests of the operation with one of these credentials are put off too: covered by another clause."""
    ledger = case.ledger
    valid = ledger.survey("put off, but valid", lambda: _valid(ledger))
    return any((case.operation, each) in valid for each in credentials)


def _valid(ledger: Ledger) -> frozenset[tuple[Operation, Credential]]:
    return frozenset(
        (ledger.reading(each).operation, each.request.credential)
        for each, _ in _of_no_limit(ledger)
        if has_target(each, ledger)
    )


def _first_undecided(ledger: Ledger) -> dict[object, Exchange]:
    """For each kind of request, the first exchange that gives rise to a suspicion: one experiment at a time is enough."""
    first: dict[object, Exchange] = {}
    for each, attempts in sorted(_of_no_limit(ledger), key=lambda pair: (pair[0].sequence, pair[0].step)):
        if not attempts.is_for_good:
            first.setdefault(_kind(each, ledger), each)
    return first


def _of_no_limit(ledger: Ledger) -> Iterator[tuple[Exchange, PutOff]]:
    """The exchanges put off since their request's last answer, not by a limit or a lock-out as far as is known."""
    for each in ledger.exchanges:
        if each.request.credential.invalid and is_put_off(each) and _is_welcome(each, ledger):
            attempts = _attempts(each, ledger)
            if attempts.like is not None and not attempts.is_limited and each in attempts.since:
                yield each, attempts


def _kind(exchange: Exchange, ledger: Ledger) -> object:
    """What one clause is about: the credential, and the operation too if there is none; ``None`` for invalid requests."""
    credential = exchange.request.credential
    if not has_target(exchange, ledger):
        return None
    of: Operation | None = ledger.reading(exchange).operation if credential is Credential.ABSENT else None
    return credential, of


def _refused_like(exchange: Exchange, ledger: Ledger, *, waits: bool) -> Iterator[Exchange]:
    """Requests of an operation that got their 401 with another credential, which a lock-out would put off as well.

    There are none if the same credential gets its 401 on requests of this kind: its use may be limited.
    """
    operation, request = ledger.reading(exchange).operation, exchange.request
    refused = ledger.survey(("refused", operation), lambda: _refused(operation, ledger))
    if waits and any(_credential(each, ledger) == _credential(exchange, ledger) for each in refused):
        return
    bare = not waits or request.credential is Credential.ABSENT
    for each in refused:
        if each.request != request and (bare or each.request.credential not in WITHOUT_A_TOKEN):
            yield each


def _is_welcome(exchange: Exchange, ledger: Ledger) -> bool:
    """Whether the client that sent a request is served at other times, so that a limit for it explains only its 429s."""
    voice = exchange.request.voice
    served = ledger.successes[ledger.reading(exchange).operation]
    return not voice or (exchange.status != 429 and any(each.request.voice == voice for each in served))


def _credential(exchange: Exchange, ledger: Ledger) -> object:
    request = exchange.request
    return request.credential, request.form, request.voice, ledger.reading(exchange).problems


def _refused(operation: Operation, ledger: Ledger) -> list[Exchange]:
    return [
        each
        for each in ledger.exchanges
        if each.status == 401
        and each.request.credential.invalid
        and not each.request.voice
        and ledger.reading(each).operation is operation
    ]


def _is_answered(exchange: Exchange) -> bool:
    """Whether a request got an answer of its own, right or wrong; a 429 without a time to wait does not count."""
    answered = 0 < exchange.status < 500
    return answered and not (is_put_off(exchange) or exchange.status == 429)


def _wait_s(exchange: Exchange) -> float:
    return retry_after_s(exchange.response)
