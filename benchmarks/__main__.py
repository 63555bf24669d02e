"""`python -m benchmarks`: measure, and print."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from rich.console import Console

from benchmarks.cost import measure_cost
from benchmarks.kept import Kept, KeptError
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
@click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of what came of each deployment, to go on from where an earlier run ended.",
)
@click.option("--seed", default=1, show_default=True, help="The seed of both contenders.")
@click.option(
    "--only",
    type=click.Choice(["cost", "competitor"]),
    help="Only what a run costs, or only faults and variants under both contenders.",
)
def main(
    *,
    faults: int,
    variants: int,
    everything: bool,
    at_once: int,
    minutes: float | None,
    keep: Path | None,
    seed: int,
    only: str | None,
) -> None:
    """Measure what a run costs, and what both contenders make of faults and lawful variants."""
    try:
        kept = Kept(keep, seed) if keep else None
    except (KeptError, OSError) as error:
        raise click.UsageError(str(error)) from error
    console = Console(width=120)
    if only != "competitor":
        with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
            measure_cost(Path(directory), console)
    if only == "cost":
        return
    chosen = chosen_faults(None if everything else faults), chosen_variants(None if everything else variants)
    total = 1 + sum(map(len, chosen))
    before = list(kept.rows) if kept else []
    count = len(before)

    def done(row: Row) -> None:
        nonlocal count
        count += 1
        if kept:
            kept.add(row)
        click.echo(
            f"{count}/{total} {row.name}: {row.suite.seconds:.1f} s, {row.schemathesis.seconds:.1f} s",
            err=True,
        )

    if minutes is None:
        minutes = float("inf") if everything else 4
    rows = compare(*chosen, at_once=at_once, seed=seed, most_s=60 * minutes, done=done, kept=before)
    show(rows, console)
    if len(rows) < total:
        console.print(
            f"{total - len(rows)} of the {total} chosen deployments were not begun in {minutes:g} minutes."
        )


if __name__ == "__main__":
    main()
