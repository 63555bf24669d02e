"""Named faults of the reference deployment."""

from __future__ import annotations

from animal_conformance.reference.changes import Change

FAULTS: dict[str, Change] = {}
