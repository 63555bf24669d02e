"""The faults: ways to break the interface, each naming the clauses that it breaks.

One module for each chapter of the interface document. A fault of one chapter may break a clause of
another: what it breaks is what it names.
"""

from __future__ import annotations

from animal_conformance.reference.changes import Fault
from animal_conformance.reference.faults import (
    animals,
    answers,
    authentication,
    crashes,
    creating,
    errors,
    getting,
    listing,
    refusing,
    storing,
)

__all__ = ["FAULTS"]

_CHAPTERS = (answers, crashes, animals, listing, creating, storing, refusing, getting, authentication, errors)

FAULTS: dict[str, Fault] = {fault.name: fault for chapter in _CHAPTERS for fault in chapter.FAULTS}
