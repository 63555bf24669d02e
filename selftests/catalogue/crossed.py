"""Deployments with two random changes at once: variants that are lawful alone are lawful together, and hide no fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.variants import VARIANTS
from selftests.catalogue.judged import OF_VOICES, judged, visit
from selftests.catalogue.wire import OF_THE_WIRE
from selftests.matrix.cases import MatrixCase, pair

# Pairs of variants that together are not a lawful deployment, by the beginnings of their names, with the reason.
CONTRADICTORY: Final = {
    (
        "pages.thinned",
        "store.",
    ): "It hides by ids, which are those of the run's own animals if there are few others.",
    ("status.left-out.got", "status."): "What getPet leaves out is no longer the default.",
    ("pages.bytes", "order."): "The order is that of what was cut before.",
    ("pages.lowered", "pages."): "Pages are chosen anew where their cap changes.",
    ("pages.alternating", "store.page"): "The cap is what a node would show that knows no more.",
    ("gone.kept", "ids."): "The highest ids are kept, which are no longer the latest.",
    ("pages.timeboxed", "pages."): "Where another cap ends pages, scans stop at too few lengths.",
    ("lists.stored", "open.cookies"): "What is stored says that it never is.",
    ("copied.pending", "status.pending"): "A copy is the animal once more.",
}

CHANGES: Final = tuple(
    name for name, change in VARIANTS.items() if not change.under_load and name not in OF_VOICES
)
SHOWN: Final = tuple(
    name for name, change in FAULTS.items() if not change.under_load and name not in OF_VOICES | OF_THE_WIRE
)


@dataclass(frozen=True)
class Crossed:
    """How the rules judge two changes: ``wrong`` are clauses that failed wrongly, ``missed`` those that should have."""

    name: str
    outcome: str
    wrong: tuple[str, ...]
    missed: tuple[str, ...]


def variants_at_once(seed: int) -> Iterator[MatrixCase]:
    """Pairs of permitted variants."""
    dice = Random(seed)  # noqa: S311 - a choice, not a secret
    while True:
        one, other = dice.sample(CHANGES, 2)
        dates = {VARIANTS[each].today for each in (one, other)} - {None}
        if len(dates) < 2 and not contradicts(one, other):
            yield MatrixCase(
                f"{one} + {other}",
                "variant",
                variants=(one, other),
                today=next(iter(dates), None),
                must=frozenset(),
                may=frozenset(VARIANTS[one].shoulds) | frozenset(VARIANTS[other].shoulds),
            )


def faults_on_variants(seed: int) -> Iterator[MatrixCase]:
    """Faults, each on a permitted variant."""
    dice = Random(seed)  # noqa: S311 - a choice, not a secret
    while True:
        variant, fault = dice.choice(CHANGES), dice.choice(SHOWN)
        case = pair(variant, fault)
        yield replace(case, may=case.may | frozenset(FAULTS[fault].besides))


def contradicts(one: str, other: str) -> bool:
    """Whether two variants are known not to be lawful together."""
    return any(
        first.startswith(begin) and second.startswith(end)
        for begin, end in CONTRADICTORY
        for first, second in ((one, other), (other, one))
    )


def cross(case: MatrixCase) -> Crossed:
    """Judge a deployment in this process."""
    result = judged(case, visit(case))
    failed = frozenset(result.failed)
    return Crossed(
        case.name,
        result.outcome,
        tuple(sorted(failed - case.must - case.may)),
        tuple(sorted(case.must - failed)),
    )
