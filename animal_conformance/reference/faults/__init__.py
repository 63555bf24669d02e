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
    bodies,
    crashes,
    creating,
    errors,
    fields,
    filters,
    getting,
    identifiers,
    limits,
    listing,
    losses,
    precedence,
    refusing,
    schemes,
    storing,
    together,
)

__all__ = ["FAULTS"]

_CHAPTERS = (
    answers,
    crashes,
    animals,
    identifiers,
    listing,
    limits,
    filters,
    losses,
    creating,
    storing,
    fields,
    bodies,
    refusing,
    getting,
    authentication,
    schemes,
    precedence,
    together,
    errors,
)

FAULTS: dict[str, Fault] = {fault.name: fault for chapter in _CHAPTERS for fault in chapter.FAULTS}
