"""The deployments of the matrix, and what the suite has to say of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.nulls import NULLS
from animal_conformance.reference.variants import VARIANTS

Kind = Literal["plain", "variant", "fault", "null", "pair"]


@dataclass(frozen=True)
class MatrixCase:
    """A deployment: the embedded one with these changes.

    ``must`` are the MUST and SHOULD clauses that the run has to fail, and no others; ``may`` are SHOULD
    clauses that it may fail besides, lawfully.
    """

    name: str
    kind: Kind
    faults: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    null: str = ""
    today: str | None = None
    depth: int = 0
    must: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()


def plain() -> list[MatrixCase]:
    """The correct deployment as it is."""
    return [MatrixCase("plain", "plain")]


def variants() -> list[MatrixCase]:
    """Every lawful variant."""
    return [
        MatrixCase(name, "variant", variants=(name,), today=variant.today, may=frozenset(variant.shoulds))
        for name, variant in VARIANTS.items()
    ]


def faults() -> list[MatrixCase]:
    """Every fault."""
    return [
        MatrixCase(name, "fault", faults=(name,), depth=fault.depth, must=frozenset(fault.clauses))
        for name, fault in FAULTS.items()
    ]


def nulls() -> list[MatrixCase]:
    """Every null server."""
    return [MatrixCase(name, "null", null=name) for name in NULLS]


def pair(variant_name: str, fault_name: str) -> MatrixCase:
    """A fault on a lawful variant: it is found all the same, under the same clauses."""
    variant, fault = VARIANTS[variant_name], FAULTS[fault_name]
    return MatrixCase(
        f"{variant_name} + {fault_name}",
        "pair",
        faults=(fault_name,),
        variants=(variant_name,),
        today=variant.today,
        depth=fault.depth,
        must=frozenset(fault.clauses),
        may=frozenset(variant.shoulds),
    )
