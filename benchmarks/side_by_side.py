"""The fault catalogue and the permitted variants under both contenders, and one table of the results."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from animal_conformance.reference.embedded import EmbeddedDeployment
from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.variants import VARIANTS
from benchmarks.contenders import Outcome, run_schemathesis, run_suite

PLAIN = "plain"

COLUMNS = (
    "", "runs", "contender", "found", "rightly", "alarms", "no verdict", "seconds", "requests", "created",
)  # fmt: skip
COUNTED = """\
found      exit code 1 on a deployment with that one fault. The suite runs with --strict, for some faults break
           a SHOULD clause only.
rightly    suite: it fails exactly the clauses that the fault names. Schemathesis: it reports a check, on an
           operation, that it does not report on the correct deployment with the same seed.
alarms     suite: a clause fails that the permitted variant does not declare (it may declare SHOULD clauses that it
           does not follow). Schemathesis: exit code 1.
no verdict runs that ended without one, which are neither found nor alarms.
seconds, requests and animals created are medians of one run, the start of the process included.
Both contenders have their defaults, the same contract, the same key, the same seed, and a deployment of their own."""


@dataclass(frozen=True)
class Row:
    """A deployment, what both contenders found in it, and what the suite has to find."""

    name: str
    depth: int
    must: frozenset[str]
    may: frozenset[str]
    suite: Outcome
    schemathesis: Outcome


def compare(
    faults: list[str], variants: list[str], *, at_once: int, seed: int, most_s: float
) -> Iterator[Row]:
    """Run both contenders on the plain deployment, on each variant and on each fault.

    Deployments that were not begun within ``most_s`` seconds are left out. Their order is random, so that the others
    are a fair sample. Rows are yielded as soon as they are ready.
    """
    jobs = [*(("variant", each) for each in variants), *(("fault", each) for each in faults)]
    random.Random(seed).shuffle(jobs)  # noqa: S311 - a sample, not a secret
    jobs = [(PLAIN, PLAIN), *jobs]
    deadline_s = time.monotonic() + most_s

    def run(job: tuple[str, str]) -> Row | None:
        late = job[0] != PLAIN and time.monotonic() > deadline_s
        return None if late else _run(*job, seed)

    with ThreadPoolExecutor(max_workers=at_once) as threads:
        yield from filter(None, threads.map(run, jobs))


def _run(kind: str, name: str, seed: int) -> Row:
    variant = VARIANTS[name] if kind == "variant" else None
    fault = FAULTS[name] if kind == "fault" else None
    faults, variants = ([name] if fault else []), ([name] if variant else [])
    with tempfile.TemporaryDirectory(prefix="benchmark-") as place:
        directories = [Path(place, each) for each in ("suite", "schemathesis")]
        for directory in directories:
            directory.mkdir()
        with EmbeddedDeployment(faults=faults, variants=variants) as deployment:
            suite = run_suite(deployment, directories[0], today=variant.today if variant else None, seed=seed)
        with EmbeddedDeployment(faults=faults, variants=variants) as deployment:
            schemathesis = run_schemathesis(deployment, directories[1], seed=seed)
    return Row(
        name=name,
        depth=fault.depth if fault else 0,
        must=frozenset(fault.clauses) if fault else frozenset(),
        may=frozenset(variant.shoulds) if variant else frozenset(),
        suite=suite,
        schemathesis=schemathesis,
    )


def show(rows: list[Row], console: Console) -> None:
    """Print the table, and how its numbers were counted."""
    table = Table(title="Side by side", title_justify="left")
    for heading in COLUMNS:
        table.add_column(heading, justify="left" if heading in {"", "contender"} else "right", no_wrap=True)
    plain = next(row for row in rows if row.name == PLAIN)
    depths = sorted({row.depth for row in rows if row.depth})
    groups = {
        "the correct deployment": [plain],
        "permitted variants": [row for row in rows if not row.depth and row is not plain],
        **{f"faults of depth {depth}": [row for row in rows if row.depth == depth] for depth in depths},
        "all faults": [row for row in rows if row.depth],
    }
    for name, group in groups.items():
        if group:
            table.add_row(name, f"{len(group)}", "this suite", *_suite_cells(group))
            table.add_row("", "", "schemathesis", *_schemathesis_cells(group, plain), end_section=True)
    console.print(table)
    console.print(COUNTED, highlight=False)
    theirs = [
        row
        for row in rows
        if row.depth and not row.suite.alarm and row.schemathesis.kinds - plain.schemathesis.kinds
    ]
    console.print(f"Faults that Schemathesis alone finds rightly: {len(theirs)}.", highlight=False)
    for row in theirs:
        checks = ", ".join(sorted(row.schemathesis.kinds - plain.schemathesis.kinds))
        console.print(f"    {row.name}: {checks}", markup=False, highlight=False)
    for row in rows:
        for contender, outcome in (("animal-conformance", row.suite), ("schemathesis", row.schemathesis)):
            if outcome.trouble:
                console.print(
                    f"no verdict: {contender} on {row.name}: {outcome.trouble}", markup=False, highlight=False
                )


def _suite_cells(group: list[Row]) -> list[str]:
    if not group[0].depth:
        alarms = sum(bool(row.suite.kinds - row.may) for row in group)
        return ["", "", f"{alarms}", *_medians([row.suite for row in group])]
    found = sum(row.suite.alarm for row in group)
    rightly = sum(row.suite.kinds == row.must for row in group)
    return [f"{found}", f"{rightly}", "", *_medians([row.suite for row in group])]


def _schemathesis_cells(group: list[Row], plain: Row) -> list[str]:
    alarms = sum(row.schemathesis.alarm for row in group)
    medians = _medians([row.schemathesis for row in group])
    if not group[0].depth:
        return ["", "", f"{alarms}", *medians]
    rightly = sum(bool(row.schemathesis.kinds - plain.schemathesis.kinds) for row in group)
    return [f"{alarms}", f"{rightly}", "", *medians]


def _medians(outcomes: list[Outcome]) -> list[str]:
    return [
        f"{sum(bool(each.trouble) for each in outcomes)}",
        f"{statistics.median(each.seconds for each in outcomes):.1f}",
        f"{statistics.median(each.requests for each in outcomes):.0f}",
        f"{statistics.median(each.creations for each in outcomes):.0f}",
    ]
