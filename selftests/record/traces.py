"""Whole traces for tests, chained as a run chains them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.record.trace import Trace, TraceWriter


def write_trace(path: Path, terms: Terms, header: dict[str, Any], exchanges: Iterable[Exchange]) -> str:
    """Write a whole trace, and return its last digest."""
    with TraceWriter(path, terms, header) as writer:
        for each in exchanges:
            writer.write(each)
    return writer.digest


def header_of(trace: Trace) -> dict[str, Any]:
    """The header of a run, to be written again."""
    own = {"kind", "format", "terms", "digest"}
    return {name: value for name, value in trace.header.items() if name not in own}
