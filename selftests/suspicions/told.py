"""Readings for the tests of what changes: of somebody else's animal, and of the run's own animals."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from animal_conformance.judge.knowledge.tellings import History
from animal_conformance.judge.suspicions.values.changed import survey_of
from animal_conformance.judge.suspicions.values.histories import Of
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import ANSWER, animal, created, got, ledger_of, listing, named

# Names as the run makes them up, which differ only in their unique part.
A, B, C = "Acabcdefghij", "Acbbcdefghij", "Accbcdefghij"
OLD = (("Cache-Control", "max-age=30"), *ANSWER)
STATUSES = {"a": "available", "s": "sold"}


def told(
    turns: str, *, animal_id: int = 1, listed: dict[str, Any] | None = None, field: str = "name"
) -> list[Exchange]:
    """Readings of somebody else's animal, such as ``l0a g3b``: by a list or getPet, at a time, with a name."""
    trace = []
    for each in turns.split():
        shown = animal(animal_id, **{field: STATUSES[each[-1]] if field == "status" else each[-1]})
        at = float(each[1:-1])
        trace.append(
            got(animal_id, shown, at=at, took=0.0)
            if each[0] == "g"
            else listing([shown], at=at, took=0.0, **(listed or {}))
        )
    return trace


told_status = partial(told, field="status")
"""Readings of a status, such as ``l0a g3s``: available or sold."""


def history_of(trace: Iterable[Exchange], name: str = "name", of: Of = Of.OTHERS) -> History:
    """The history of the first animal."""
    return survey_of(ledger_of(*trace), name, of).rulings[1].history


def own(animal_id: int, name: str, *shown: tuple[float, str], at: float = 1.0) -> list[Exchange]:
    """An animal of the run, and getPet responses that show it with these names so long after its creation."""
    sent = named(name)
    readings = (
        got(animal_id, {**sent, "id": animal_id, "name": each}, at=at + after) for after, each in shown
    )
    return [created(sent, animal_id, at=at, took=0.0), *readings]


def status_of(animal_id: int, at: float, *told: tuple[str, float, str]) -> list[Exchange]:
    """An available animal of the run, and which status a list or getPet shows so long after its creation."""
    sent = named(A, status="available")
    shown = [(kind, after, {**sent, "id": animal_id, "status": each}) for kind, after, each in told]
    return [
        created(sent, animal_id, at=at, took=0.0),
        *(
            got(animal_id, each, at=at + after) if kind == "got" else listing([each], at=at + after)
            for kind, after, each in shown
        ),
    ]
