"""Failed clauses by cause: those that fail in the very same responses, or because a response is broken altogether."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from animal_conformance.interface.clauses import Level
from animal_conformance.record.exchange import reference

Clause: TypeAlias = dict[str, Any]

# Where a response breaks one of these, nothing else can be expected of it.
NO_ANSWER: Final = frozenset({"http.answer", "http.server-error", "http.json.body"})


@dataclass(frozen=True)
class Cause:
    """A failed clause, and the ``symptoms``: the failed clauses that fail nowhere else.

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
    failed = list(failed)
    where = {each["id"]: frozenset(each["found_in"]) for each in failed}
    failed.sort(key=lambda clause: (clause["level"] != Level.MUST, _was_created(clause["id"], where)))
    groups: dict[str, list[Clause]] = {}
    for clause in failed:
        cause = next((each for each in groups if _explains(each, clause["id"], where)), clause["id"])
        groups.setdefault(cause, []).append(clause)
    return [
        Cause(first, tuple(rest), tuple(_beside(first, {first["id"], *(each["id"] for each in rest)}, where)))
        for first, *rest in groups.values()
    ]


def _was_created(clause_id: str, where: dict[str, frozenset[str]]) -> bool:
    """Whether an animal is wrong that was created so, which is a finding on its creation in the first place."""
    return clause_id.startswith("animal.") and any(
        each.startswith("create.") and found & where[clause_id] for each, found in where.items()
    )


def _explains(one: str, other: str, where: dict[str, frozenset[str]]) -> bool:
    """Whether a clause fails wherever another does: there alone, or where there is no proper response."""
    return where[one] >= where[other] if one in NO_ANSWER else where[one] == where[other]


def _beside(clause: Clause, told: set[str], where: dict[str, frozenset[str]]) -> list[str]:
    last = clause["findings"][0]["exchanges"][-1]
    shown = reference(last["sequence"], last["step"])
    return [other for other, found in where.items() if shown in found and other not in told]
