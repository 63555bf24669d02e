"""The faults: ways to break the interface, each naming the clauses that it breaks.

One table for each chapter of the interface document. A fault of one chapter may break a clause of
another: what it breaks is what it names.
"""

from __future__ import annotations

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.faults import (
    answers,
    authentication,
    crashes,
    creating,
    getting,
    listing,
    refusing,
    twins_changed,
    twins_listed,
    twins_refused,
    under_load,
    voices_clients,
    voices_keys,
    voices_values,
)

__all__ = ["FAULTS"]

_CHAPTERS = (
    answers, crashes, listing, creating, refusing, getting, authentication, twins_changed, twins_listed,
    twins_refused, under_load, voices_clients, voices_keys, voices_values,
)  # fmt: skip

FAULTS: dict[str, Fault] = {fault.name: fault for chapter in _CHAPTERS for fault in chapter.FAULTS}
