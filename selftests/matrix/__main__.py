"""`python -m selftests.matrix`: run the matrix and print it; exit 1 if a verdict is not as expected."""

from __future__ import annotations

import json
import random
import shutil
import sys
import time
from dataclasses import asdict
from pathlib import Path

import click

from animal_conformance.drive.profiles import DEFAULT_SEED
from selftests.matrix.cases import everything, of_the_day
from selftests.matrix.result import Result
from selftests.matrix.runner import Job, run_all
from selftests.matrix.table import alone, complaint, markdown, reason_of, verdicts
from selftests.matrix.twins import NAMES, table


@click.command()
@click.option("--seeds", default=1, show_default=True, help="How many seeds.")
@click.option("--first-seed", default=DEFAULT_SEED, show_default=True, help="The first of them.")
@click.option(
    "--only", multiple=True, help="Only cases whose kind or name begins with this; can be repeated."
)
@click.option("--depth", "depths", multiple=True, type=int, help="Only cases of this depth; can be repeated.")
@click.option(
    "--twins", is_flag=True, help="Only what looks alike until an experiment: variants and faults in pairs."
)
@click.option("--day", is_flag=True, help="Only the cases whose turn it is.")
@click.option("--at-once", default=5, show_default=True, help="How many deployments are judged at a time.")
@click.option(
    "--smoke/--no-smoke", default=True, show_default=True, help="See what the smoke profile finds, too."
)
@click.option(
    "--connections", type=int, help="How many lanes each run has; without it, as many as it finds out."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path("reports/matrix.md"),
    show_default=True,
    help="Where the table goes; beside it, the results as JSON and the traces of runs that were wrong.",
)
def main(  # noqa: PLR0913 - an option each
    *,
    seeds: int,
    first_seed: int,
    only: tuple[str, ...],
    depths: tuple[int, ...],
    twins: bool,
    day: bool,
    at_once: int,
    smoke: bool,
    connections: int | None,
    output: Path,
) -> None:
    """Judge every deployment of the matrix, and compare the verdicts with the expected ones."""
    cases = [
        case
        for case in (of_the_day() if day else everything())
        if (not only or case.kind in only or case.name.startswith(only))
        and (not depths or case.depth in depths)
        and (not twins or case.name in NAMES)
    ]
    by_name = {case.name: case for case in cases}
    small = {case.name for case in cases if smoke and case.kind in {"plain", "variant", "fault"}}
    # Of each deployment, one trace is judged again: the smallest.
    jobs = [
        Job(case, first_seed + at, case.profile, connections, again=at == 0 and case.name not in small)
        for at in range(seeds)
        for case in cases
    ]
    jobs += [
        Job(case, first_seed + at, "smoke", connections)
        for at in range(seeds)
        for case in cases
        if case.name in small
    ]
    # Shuffled, so that jobs that wait, such as for deployments with latency, run beside jobs that compute.
    random.Random(0).shuffle(jobs)  # noqa: S311 - an order, not a secret
    started_s = time.monotonic()
    count = 0

    def show(result: Result, place: Path) -> None:
        nonlocal count
        count += 1
        if count % 50 == 0:
            click.echo(f"{count}/{len(jobs)} after {time.monotonic() - started_s:.0f} s", err=True)
        wrong = complaint(by_name[result.name], result)
        if wrong:
            click.echo(
                f"{result.name} ({result.profile}, seed {result.seed}, {result.seconds:.1f} s): {wrong}"
            )
            for clause_id, message in result.messages.items():
                if clause_id in wrong:
                    click.echo(f"    {clause_id}: {message[:300]}")
            keep_trace(place, output.with_suffix(".wrong"), result)

    results = run_all(jobs, at_once, show)
    seconds = time.monotonic() - started_s
    how = f"{len(cases)} deployments, {len(jobs)} runs, {seeds} seeds, {at_once} at a time: {seconds:.0f} s."
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(markdown(cases, results, how) + table(cases, results), encoding="utf-8")
    output.with_suffix(".json").write_text(
        json.dumps([asdict(each) for each in results], indent=1), encoding="utf-8"
    )
    wrong = verdicts(cases, results)
    whole = not (only or depths or twins or day)
    idle = [each for each, count in alone(cases, results) if whole and not (count or reason_of(each))]
    if idle:
        click.echo(f"These drivers find nothing alone, and nothing says why they stay: {', '.join(idle)}.")
    click.echo(
        f"{how} {len(wrong)} not as they have to be{': ' + ', '.join(wrong) if wrong else ''}. Table: {output}"
    )
    sys.exit(1 if wrong or idle else 0)


def keep_trace(place: Path, kept: Path, result: Result) -> None:
    """Keep the trace of a run that was judged wrongly: what depends on the clock may not occur again.

    :param place: the folder of the run, which may have ended before it had a trace.
    :param kept: where traces are kept, by deployment, profile and seed.
    """
    trace = place / "trace.ndjson"
    if trace.exists():
        kept.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(trace, kept / f"{result.name}.{result.profile}.{result.seed}.ndjson")


if __name__ == "__main__":
    main()
