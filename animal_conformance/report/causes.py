"""Failed clauses as reports show them: by cause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.causes import was_created
from animal_conformance.record.exchange import reference

Clause: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Cause:
    """A failed clause, and its ``symptoms``: the failed clauses that fail only where it fails.

    ``beside`` are the ids of further clauses that the response of its first finding breaks.
    """

    clause: Clause
    symptoms: tuple[Clause, ...]
    beside: tuple[str, ...]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clause, and then its symptoms."""
        return self.clause, *self.symptoms


def causes(failed: Iterable[Clause]) -> list[Cause]:
    """Failed clauses by cause: MUST before SHOULD, and causes before symptoms."""
    listed = {each["id"]: each for each in failed}
    where = {clause_id: frozenset(each["found_in"]) for clause_id, each in listed.items()}
    groups: dict[str, list[Clause]] = {}
    for clause in sorted(listed.values(), key=lambda each: _place(each, listed, where)):
        cause = clause["under"] if clause["under"] in listed else clause["id"]
        groups.setdefault(cause, []).append(clause)
    return [
        Cause(first, tuple(rest), tuple(_beside(first, {first["id"], *(each["id"] for each in rest)}, where)))
        for first, *rest in groups.values()
    ]


def _place(
    clause: Clause, listed: Mapping[str, Clause], where: Mapping[str, frozenset[str]]
) -> tuple[bool, bool, bool]:
    return clause["under"] in listed, clause["level"] != Level.MUST, was_created(clause["id"], where)


def _beside(clause: Clause, told: set[str], where: dict[str, frozenset[str]]) -> list[str]:
    last = clause["findings"][0]["exchanges"][-1]
    shown = reference(last["sequence"], last["step"])
    return [other for other, found in where.items() if shown in found and other not in told]
