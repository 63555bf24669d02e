"""Named variants of the reference deployment."""

from __future__ import annotations

from animal_conformance.reference.changes import Change

VARIANTS: dict[str, Change] = {}
