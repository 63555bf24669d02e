"""What an earlier version of a deployment left in its store, told apart from what this one does."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, Finding, Rule, as_json
from animal_conformance.judge.knowledge.ledger import Ledger

# The clauses on the animals in a response that a single animal can break.
OF_ONE_ANIMAL: Final = frozenset(
    {"animal.object", "animal.id", "animal.name", "animal.category-id", "animal.status"}
)


class Earlier:
    """The animals that were listed before the run created any."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def told(self, clause_id: str, rule: Rule, case: Case, finding: Finding) -> tuple[Finding, bool]:
        """The finding to report, and whether it is only about animals that were there before the run.

        Where other animals break the clause as well, the finding is about those.
        """
        if clause_id not in OF_ONE_ANIMAL or not self._ledger.creations:
            return finding, False
        alone = Case(case.exchange, case.reading, self._ledger)
        alone.animals = [
            (place, animal) for place, animal in case.animals if self._key(animal) not in self._listed
        ]
        opinion = rule(alone)
        if isinstance(opinion, Finding):
            return opinion, False
        return replace(finding, message=f"{finding.message} It was there before this run."), True

    @cached_property
    def _listed(self) -> frozenset[str]:
        creations = (
            each
            for each in self._ledger.exchanges
            if self._ledger.reading(each).operation is Operation.CREATE
        )
        first_s = min(each.sent_s for each in creations)
        return frozenset(
            self._key(animal)
            for exchange in self._ledger.successes[Operation.LIST]
            if exchange.answered_s <= first_s and isinstance(exchange.value, list)
            for animal in exchange.value
        )

    @staticmethod
    def _key(animal: Any) -> str:
        """What tells one animal from another: its id, or all that is shown where it has none."""
        known = isinstance(animal, dict) and "id" in animal
        return as_json(animal["id"] if known else [animal])
