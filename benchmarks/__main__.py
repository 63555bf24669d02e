"""`python -m benchmarks`: measure, and print."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from animal_conformance.reference.faults import FAULTS
from animal_conformance.reference.variants import VARIANTS
from benchmarks.cost import measure_cost
from benchmarks.round_trips import measure_round_trips
from benchmarks.side_by_side import Row, compare, show


@click.command()
@click.option("--faults", default=24, show_default=True, help="How many faults, drawn by the seed.")
@click.option("--variants", default=8, show_default=True, help="How many permitted variants, drawn likewise.")
@click.option("--all", "everything", is_flag=True, help="All faults and all variants.")
@click.option(
    "--at-once", default=2, show_default=True, help="How many deployments are tried at the same time."
)
@click.option(
    "--minutes", type=float, help="How long this may begin new deployments; 4, or without end with --all."
)
@click.option(
    "--seed", default=1, show_default=True, help="The seed of both contenders, and of what is drawn."
)
@click.option(
    "--only",
    type=click.Choice(["cost", "round-trips", "competitor", "soak"]),
    help="Only what a run costs, only near and far, only faults and variants under both contenders, or a soak "
    "instead: what judging costs under load, and its memory over a million exchanges.",
)
@click.option(
    "--repeats",
    default=5,
    show_default=True,
    help="How often each is timed near and far; 5 take half an hour.",
)
def main(
    *,
    faults: int,
    variants: int,
    everything: bool,
    at_once: int,
    minutes: float | None,
    seed: int,
    only: str | None,
    repeats: int,
) -> None:
    """Measure what a run costs, and what both contenders find in faults and permitted variants."""
    if only == "soak":
        # Locust has to be the first thing that a process imports.
        for each in ("benchmarks.soak_cost", "benchmarks.soak_memory"):
            subprocess.run([sys.executable, "-m", each], check=True)
        return
    console = Console(width=120)
    if only in {None, "cost"}:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
            measure_cost(Path(directory), console)
    if only in {None, "round-trips"}:
        measure_round_trips(console, repeats)
    if only not in {None, "competitor"}:
        return
    # No contender could find what shows only under load.
    known = [[name for name, each in those.items() if not each.under_load] for those in (FAULTS, VARIANTS)]
    chosen = known if everything else [_drawn(known[0], faults, seed), _drawn(known[1], variants, seed)]
    total = 1 + sum(map(len, chosen))
    if minutes is None:
        minutes = float("inf") if everything else 4
    rows = list[Row]()
    for row in compare(*chosen, at_once=at_once, seed=seed, most_s=60 * minutes):
        rows.append(row)
        times = f"{row.suite.seconds:.1f} s, {row.schemathesis.seconds:.1f} s"
        click.echo(f"{len(rows)}/{total} {row.name}: {times}", err=True)
    show(rows, console)
    if len(rows) < total:
        console.print(
            f"{total - len(rows)} of the {total} chosen deployments were not begun in {minutes:g} minutes."
        )


def _drawn(names: Iterable[str], count: int, seed: int) -> list[str]:
    everything = list(names)
    return random.Random(seed).sample(everything, min(count, len(everything)))  # noqa: S311 - no secret


if __name__ == "__main__":
    main()
