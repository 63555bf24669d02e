"""What the document leaves open: observers report what a deployment does there, and never judge."""

from __future__ import annotations

from animal_conformance.judge.observers import creations, exchanges, lists
from animal_conformance.judge.observers.kinds import Observer

OBSERVERS: dict[str, Observer] = {**lists.OBSERVERS, **creations.OBSERVERS, **exchanges.OBSERVERS}
"""The observer of each open question."""
