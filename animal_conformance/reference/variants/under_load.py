"""Permitted conduct where many requests are under way at once: patience asked for, lag, and queues."""

from __future__ import annotations

from animal_conformance.reference.changes import varies
from animal_conformance.reference.mechanisms.crowds import lagging, queueing, turning_away

VARIANTS = [
    *varies(turning_away, under_load=True).rows(
        ("load.429", "Above 24 at once, requests return 429 with Retry-After.", 24, 429),
        ("load.503", "Above 24 at once, requests return 503 with Retry-After.", 24, 503)),
    *varies(lagging, under_load=True).rows(
        ("load.lag", "Readings lag behind creations by up to 4 s, the more requests are under way.", 0.1)),
    *varies(queueing, under_load=True).rows(
        ("load.queue", "Responses take 10 ms more for each request that is under way.", 0.01)),
]  # fmt: skip
