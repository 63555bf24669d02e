"""Connections on which nothing is answered after a rejected request, whose body was left unread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from typing import Final, TypeAlias

from animal_conformance.judge.experiments import OUTAGE, Again, Experiment, Read
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import TIMES_APART
from animal_conformance.judge.suspicions.closed import TARGET, is_own
from animal_conformance.record.exchange import Exchange, FailureKind, by_name

# At most this many kinds of rejection are tried.
KINDS: Final = 3

# Whether the key was invalid, and the status.
Kind: TypeAlias = tuple[bool, int]
Pair: TypeAlias = tuple[Exchange, Exchange]


def left_unread(ledger: Ledger) -> list[Pair]:
    """Rejections of one kind, each with the request after it that got no answer in time; empty if that is not shown.

    It is shown if, on one connection, no rejection of the kind is followed by an answer, three times, and every other
    answer is, as often. A deployment that rejects a request before it has read the body has to read the rest of it or
    close the connection (RFC 9112 section 9.3).
    """
    for each in _by_item(ledger.exchanges).values():
        silent, served = defaultdict[Kind, list[Pair]](list), set[Kind]()
        others = 0.0
        for before, after in _kept(each):
            kind = _kind(before)
            if after.failure_kind is FailureKind.TIMEOUT and kind:
                silent[kind].append((before, after))
            elif after.response is not None and kind:
                served.add(kind)
            else:
                others += 1 if after.response is not None else -inf
        for kind, pairs in silent.items():
            if min(len(pairs), others) >= TIMES_APART and kind not in served:
                return pairs[:TIMES_APART]
    return []


def experiments(ledger: Ledger) -> Iterator[Experiment]:
    """For each kind of rejection: a list after it, and one after an answer, on the same connection, three times each."""
    rejected = {kind: each for each in ledger.exchanges if not is_own(each) and (kind := _kind(each))}
    for each in list(rejected.values())[:KINDS]:
        yield Experiment(OUTAGE, (Read(TARGET), Again(each.request), Read(TARGET)) * TIMES_APART)


def _kind(exchange: Exchange) -> Kind | None:
    """The kind of a rejection of a create request; ``None`` if the exchange is not one."""
    request = exchange.request
    rejected = request.method == "POST" and request.body and 400 <= exchange.status < 500
    return (request.credential.invalid, exchange.status) if rejected else None


def _by_item(exchanges: Iterable[Exchange]) -> dict[int, list[Exchange]]:
    """The exchanges of each item, in their order."""
    items = defaultdict[int, list[Exchange]](list)
    for each in exchanges:
        items[each.sequence].append(each)
    return {item: sorted(sent, key=lambda each: each.step) for item, sent in items.items()}


def _kept(item: list[Exchange]) -> Iterator[Pair]:
    """Pairs of successive exchanges of an item, the first of which leaves the connection open."""
    for before, after in pairwise(item):
        response = before.response
        closed = response is None or "close" in by_name(response.headers).get("connection", "").lower()
        if not closed and not is_own(before) and not is_own(after):
            yield before, after
