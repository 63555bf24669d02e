"""Faults that show only where many requests are under way at once; a run that sends a few at a time finds none of them."""

from __future__ import annotations

from animal_conformance.reference.changes import breaks
from animal_conformance.reference.mechanisms.crowds import (
    cached,
    crossed,
    exhausted,
    filling,
    leaking,
    lost,
    raced,
)

FAULTS = [
    *breaks("animal.id.unique", 4, raced, under_load=True).rows(
        ("load.id.raced", "Above 16 at once, create requests are given the same id.", 16)),
    *breaks("get.found", 4, lost, under_load=True).rows(
        ("load.write.lost", "Above 16 at once, an animal is acknowledged and not stored.", 16)),
    *breaks("http.server-error", 4, exhausted, under_load=True).rows(
        ("load.pool.dry", "Above 32 at once, requests find no connection in the pool: a 500.", 32)),
    *breaks("http.server-error", 4, filling, under_load=True).rows(
        ("load.memory.leaked", "Memory runs full: from the 1,000th request on there are 500s, and then no server.",
         1000)),
    *breaks("get.requested", 4, crossed, under_load=True).rows(
        ("load.answers.crossed", "Above 16 at once, getPet returns the answer of another connection.", 16)),
    *breaks("list.status.filter", 4, leaking, under_load=True).rows(
        ("load.filter.leak", "While eight animals are being created, filtered lists are not filtered.", 8)),
    *breaks(("auth.missing.list", "auth.key.wrong"), 4, cached, under_load=True).rows(
        ("load.cache.keyless", "Above 16 at once, lists are cached for whoever asks, with a key or without.",
         16, 1.0)),
]  # fmt: skip
