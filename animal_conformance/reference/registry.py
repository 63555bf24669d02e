"""Finding faults, variants and null servers by their names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from animal_conformance.reference.errors import DeploymentError

T = TypeVar("T")


def pick(kind: str, names: Iterable[str], known: Mapping[str, T]) -> list[T]:
    """Return the entries with these names; DeploymentError for an unknown name."""
    picked = []
    for name in names:
        if name not in known:
            raise DeploymentError(f"There is no {kind} named {name!r}: {_hint(name, list(known))}")
        picked.append(known[name])
    return picked


def _hint(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    close = close or [candidate for candidate in known if name and name in candidate][:3]
    return f"did you mean {' or '.join(close)}?" if close else "see serve --list."
