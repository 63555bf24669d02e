"""`python -m benchmarks`: measure, and print."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from rich.console import Console

from benchmarks.cost import measure_cost
from benchmarks.side_by_side import Row, chosen_faults, chosen_variants, compare, show


@click.command()
@click.option(
    "--faults", default=24, show_default=True, help="How many faults; a sample by depth and clause."
)
@click.option("--variants", default=8, show_default=True, help="How many lawful variants.")
@click.option("--all", "everything", is_flag=True, help="All faults and all variants.")
@click.option(
    "--at-once", default=2, show_default=True, help="How many deployments are tried at the same time."
)
@click.option("--minutes", type=float, help="How long this may begin new runs; 4, or without end with --all.")
@click.option("--seed", default=1, show_default=True, help="The seed of both contenders.")
@click.option("--cost/--no-cost", default=True, help="Whether the cost of a run is measured.")
@click.option(
    "--competitor/--no-competitor", default=True, help="Whether the faults are run under both contenders."
)
def main(
    *,
    faults: int,
    variants: int,
    everything: bool,
    at_once: int,
    minutes: float | None,
    seed: int,
    cost: bool,
    competitor: bool,
) -> None:
    """Measure what a run costs, and what both contenders make of faults and lawful variants."""
    console = Console(width=120)
    if cost:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
            measure_cost(Path(directory), console)
    if not competitor:
        return
    chosen = chosen_faults(None if everything else faults), chosen_variants(None if everything else variants)
    count, total = 0, 1 + sum(map(len, chosen))

    def done(row: Row) -> None:
        nonlocal count
        count += 1
        click.echo(
            f"{count}/{total} {row.name}: {row.suite.seconds:.1f} s, {row.schemathesis.seconds:.1f} s",
            err=True,
        )

    if minutes is None:
        minutes = float("inf") if everything else 4
    rows = compare(*chosen, at_once=at_once, seed=seed, most_s=60 * minutes, done=done)
    show(rows, console)
    if len(rows) < total:
        console.print(
            f"{total - len(rows)} of the {total} chosen deployments were not begun in {minutes:g} minutes."
        )


if __name__ == "__main__":
    main()
