"""The faults: ways to break the interface, each naming the clauses that it breaks.

One table for each chapter of the interface document. A fault of one chapter may break a clause of
another chapter: it breaks the clauses that it names.
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
    twins,
    voices,
)

__all__ = ["FAULTS"]

_CHAPTERS = (answers, authentication, crashes, creating, getting, listing, refusing, twins, voices)

FAULTS: dict[str, Fault] = {fault.name: fault for chapter in _CHAPTERS for fault in chapter.FAULTS}
