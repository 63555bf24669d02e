"""The deployments of the matrix, and what the suite has to say about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.nulls import NULLS
from animal_conformance.reference.variants import VARIANTS
from selftests.frameworks.expectations import EXPECTATIONS, ODDITIES
from selftests.frameworks.programs import can_run
from selftests.turns import is_turn_now

Kind = Literal["plain", "variant", "fault", "null", "pair", "framework", "oddity"]


@dataclass(frozen=True)
class MatrixCase:
    """A deployment: the embedded one with these changes, or a program of selftests/frameworks with these settings.

    ``must`` are the MUST and SHOULD clauses that the deployment has to fail, and no others; ``may`` are clauses that
    it may fail besides: SHOULD clauses that need not be followed, and what a fault or a program breaks only by chance.
    """

    name: str
    kind: Kind
    faults: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    null: str = ""
    program: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    profile: str = "standard"
    today: str | None = None
    depth: int = 0
    must: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()


def plain() -> list[MatrixCase]:
    """The correct deployment as it is."""
    return [MatrixCase("plain", "plain")]


def variants() -> list[MatrixCase]:
    """Every permitted variant, except those that show only under load: selftests/soak tries these."""
    return [
        MatrixCase(name, "variant", variants=(name,), today=variant.today, must=frozenset(variant.shoulds))
        for name, variant in VARIANTS.items()
        if not variant.under_load
    ]


def faults() -> list[MatrixCase]:
    """Every fault, except those that show only under load: selftests/soak tries these."""
    return [
        MatrixCase(
            name,
            "fault",
            faults=(name,),
            depth=fault.depth,
            must=frozenset(fault.clauses),
            may=frozenset(fault.besides),
        )
        for name, fault in FAULTS.items()
        if not fault.under_load
    ]


def nulls() -> list[MatrixCase]:
    """Every null server."""
    return [MatrixCase(name, "null", null=name) for name in NULLS]


def pair(variant_name: str, fault_name: str) -> MatrixCase:
    """A fault on a permitted variant: the suite still has to find it, under the same clauses."""
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


# Faults on permitted variants that might hide them: the suite still has to find each.
PAIRS = (
    ("lag.list", "list.filter.leak"),
    ("lag.list", "refusal.stored"),
    ("lag.replica", "category.minimum"),
    ("lag.get", "category.maximum"),
    ("others.creating", "id.race"),
    ("others.creating", "limit.one-more.at-100"),
    ("others.creating", "auth.open.get"),
    ("others.moving", "list.filter.leak"),
    ("others.moving", "name.cut-at-nul"),
    ("pages.ten", "limit.one-more.at-1"),
    ("pages.random", "list.filter.leak"),
    ("pages.scan-then-filter", "animal.status.null"),
    ("store.large", "limit.default-forgotten-with-filter"),
    ("store.large", "get.unknown.maximum-400"),
    ("store.empty", "limit.one-more.at-100"),
    ("store.empty", "list.filter.leak"),
    ("store.empty", "auth.case.get"),
    ("store.one", "filter.leak.large-page"),
    ("order.shuffled", "list.doubled.sometimes"),
    ("order.oldest-first", "list.filter.leak"),
    ("ids.random", "id.name-hash"),
    ("ids.negative", "get.collision"),
    ("ids.huge", "get.unknown.invented"),
    ("names.letters", "refusal.422.values"),
    ("names.unique", "status.array"),
    ("categories.closed", "name.boolean"),
    ("parameters.422", "limit.above-unbounded"),
    ("parameters.clamped", "limit.default-forgotten-with-filter"),
    ("properties.strict", "create.200"),
    ("fields.extra", "error.number-code"),
    ("json.ascii", "name.controls-lost"),
    ("http.gzip", "json.python"),
    ("http.closing", "auth.longer"),
    ("http.1.0", "error.status-200"),
    ("latency.jitter", "id.race"),
    ("rate.seconds", "auth.missing.nothing"),
    ("key.punctuation", "auth.shorter.last"),
    ("path.deep", "crash.get.32-bit"),
    ("get.removed-410", "limit.default-forgotten-with-filter"),
)


def pairs() -> list[MatrixCase]:
    """The faults on permitted variants that might hide them."""
    return [pair(variant_name, fault_name) for variant_name, fault_name in PAIRS]


def frameworks() -> list[MatrixCase]:
    """Programs without deliberate faults, each with what it breaks; only those that can run here."""
    return [
        MatrixCase(
            each.program,
            "framework",
            program=each.program,
            must=frozenset(each.breaks),
            may=frozenset(each.hidden),
        )
        for each in EXPECTATIONS
        if can_run(each.program)
    ]


def oddities() -> list[MatrixCase]:
    """Lawful behaviour of real servers, which must fail no clause, whether or not the run can be judged as a whole."""
    return [
        MatrixCase(name, "oddity", program="oddities.py", settings=(("ODDITY", name),), profile=profile)
        for name, profile in ODDITIES.items()
    ]


def everything() -> list[MatrixCase]:
    """The whole matrix."""
    kinds = (plain(), variants(), nulls(), faults(), pairs(), frameworks(), oddities())
    return [case for kind in kinds for case in kind]


# Each case has its turn among the selftests once in so many days.
DAYS = {"plain": 16, "framework": 64, "oddity": 64}
DAYS_OF_OTHERS = 360


def of_the_day() -> list[MatrixCase]:
    """The cases whose turn it is."""
    return [each for each in everything() if is_turn_now(each.name, DAYS.get(each.kind, DAYS_OF_OTHERS))]
