"""Faults that show only where many requests are under way at once; a run that sends a few at a time finds none of them."""

from __future__ import annotations

from animal_conformance.reference.changes import breaks
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.crowds import answering, cached, crossed, filling, lost, raced

FAULTS = [
    *breaks("animal.id.unique", 4,
        ("load.id.raced", "Above 16 at once, create requests are given the same id.",
         raced(16)), under_load=True),
    *breaks("get.found", 4,
        ("load.write.lost", "Above 16 at once, an animal is acknowledged and not stored.",
         lost(16)), under_load=True),
    *breaks("http.server-error", 4,
        ("load.pool.dry", "Above 32 at once, requests find no connection in the pool: a 500.",
         answering(lambda others, _: error(500, "No connection is free.") if others >= 32 else None)),
        ("load.memory.leaked",
         "Memory runs full: from the 1,000th request on there are 500s, and then no server.",
         filling(1000)), under_load=True),
    *breaks("get.requested", 4,
        ("load.answers.crossed", "Above 16 at once, getPet returns the answer of another connection.",
         crossed(16)), under_load=True),
    *breaks(("auth.missing.list", "auth.key.wrong"), 4,
        ("load.cache.keyless", "Above 16 at once, lists are cached for whoever asks, with a key or without.",
         cached(16, 1.0)), under_load=True),
]  # fmt: skip
