"""`python -m selftests.matrix`: run the matrix and print it; exit 1 where it does not hold."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from animal_conformance.options import DEFAULT_SEED
from selftests.matrix.cases import faults, nulls, plain, variants
from selftests.matrix.runner import Job, Result, run_all
from selftests.matrix.table import complaint, verdicts


@click.command()
@click.option("--seeds", default=1, show_default=True, help="How many seeds.")
@click.option(
    "--only", multiple=True, help="Only cases whose kind or name begins with this; can be repeated."
)
@click.option("--profile", default="standard", show_default=True)
@click.option(
    "--at-once", default=2, show_default=True, help="How many deployments are judged at the same time."
)
@click.option(
    "--depth", "depths", multiple=True, type=int, help="Only faults of this depth; can be repeated."
)
@click.option("--output", type=click.Path(path_type=Path), help="Where the results go, as JSON.")
def main(
    seeds: int,
    only: tuple[str, ...],
    profile: str,
    at_once: int,
    depths: tuple[int, ...],
    output: Path | None,
) -> None:
    """Judge every deployment of the matrix and hold the verdicts against what they have to be."""
    cases = [
        case
        for case in (*plain(), *variants(), *nulls(), *faults())
        if (not only or case.kind in only or case.name.startswith(only))
        and (not depths or case.depth in depths)
    ]
    by_name = {case.name: case for case in cases}
    jobs = [Job(case, DEFAULT_SEED + at, profile) for at in range(seeds) for case in cases]
    started_s = time.monotonic()
    count = 0

    def show(result: Result) -> None:
        nonlocal count
        count += 1
        if count % 50 == 0:
            click.echo(f"{count}/{len(jobs)} after {time.monotonic() - started_s:.0f} s", err=True)
        wrong = complaint(by_name[result.name], result)
        if wrong or sys.stdout.isatty():
            click.echo(
                f"{count:4}/{len(jobs)} {result.seconds:5.1f}s {result.requests:5} {result.name}: {wrong or 'ok'}"
            )
            for clause_id, message in result.messages.items():
                if wrong and clause_id in wrong:
                    click.echo(f"           {clause_id}: {message[:300]}")

    results = run_all(jobs, at_once, show)
    if output is not None:
        output.write_text(json.dumps([asdict(each) for each in results], indent=1), encoding="utf-8")
    wrong = verdicts(cases, results)
    click.echo(
        f"{len(cases)} deployments, {len(jobs)} runs, {time.monotonic() - started_s:.0f} s; {len(wrong)} not as they have to be"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
