"""Failed clauses by cause: those that fail in the very same responses, or because a response is broken altogether."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from animal_conformance.interface.clauses import Clause, Level

# Where a response breaks one of these, nothing else can be expected of it.
NO_ANSWER: Final = frozenset({"http.answer", "http.server-error", "http.json.body"})


def caused_by(failed: Sequence[Clause], found_in: Mapping[str, AbstractSet[str]]) -> dict[str, str]:
    """The cause of each failed clause: another clause's id, or ``""``; causes come first, MUST before SHOULD.

    :param failed: in the order in which a response is read: whether it is one, its status, its body, what it says.
    :param found_in: by the id of the clause, the references of the exchanges in which it failed.
    """
    under: dict[str, str] = {}
    for clause in sorted(failed, key=lambda each: (each.level != Level.MUST, was_created(each.id, found_in))):
        first = (each for each, cause in under.items() if not cause and _is_cause(each, clause.id, found_in))
        under[clause.id] = next(first, "")
    return under


def was_created(clause_id: str, found_in: Mapping[str, AbstractSet[str]]) -> bool:
    """Whether a clause on animals fails where a clause on creations does: that is a finding on the creation first."""
    return clause_id.startswith("animal.") and any(
        each.startswith("create.") and exchanges & found_in[clause_id] for each, exchanges in found_in.items()
    )


def _is_cause(one: str, other: str, found_in: Mapping[str, AbstractSet[str]]) -> bool:
    """Whether one clause fails exactly where another does; one of ``NO_ANSWER`` may fail in other exchanges as well."""
    return found_in[one] >= found_in[other] if one in NO_ANSWER else found_in[one] == found_in[other]
