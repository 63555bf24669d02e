"""How long a run takes near and far: the suite's profiles, a bare replay of its requests, and Schemathesis."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from animal_conformance.record.trace import read_trace
from animal_conformance.reference.embedded import EmbeddedDeployment
from benchmarks.contenders import Deployed, Reached, run_schemathesis, run_suite
from benchmarks.cost import replay
from benchmarks.distance import Distance

ROUND_TRIPS_S = (0.0, 0.02, 0.08)
KEY = "bEnch-7f3Qz9-mArk"


@dataclass(frozen=True)
class Timed:
    """One measurement; ``what`` names the row."""

    what: str
    seconds: float
    requests: int
    creations: int


@contextmanager
def reached(round_trip_s: float) -> Iterator[Deployed]:
    """A fresh deployment with the same animals and key each time, a round trip away."""
    with EmbeddedDeployment(api_key=KEY) as deployment:
        if not round_trip_s:
            yield deployment
            return
        with Distance(deployment.base_url, round_trip_s) as far:
            yield Reached(far.base_url, KEY)


def measure_round_trips(console: Console, repeats: int) -> None:
    """Time everything in turn at every distance, so many times, and print the medians."""
    table = Table(title=f"Round trips (medians of {repeats})", title_justify="left")
    for heading in ("round trip", "", "seconds", "least", "most", "requests", "created"):
        table.add_column(heading, justify="left" if heading in {"", "round trip"} else "right", no_wrap=True)
    for round_trip_s in ROUND_TRIPS_S:
        rows: dict[str, list[Timed]] = {}
        for number in range(repeats):
            for each in _once(round_trip_s):
                rows.setdefault(each.what, []).append(each)
                click.echo(
                    f"{round_trip_s * 1000:.0f} ms, {number + 1}/{repeats}, {each.what}: {each.seconds:.1f} s",
                    err=True,
                )
        for what, timed in rows.items():
            seconds = [each.seconds for each in timed]
            table.add_row(
                f"{round_trip_s * 1000:.0f} ms" if round_trip_s else "loopback",
                what,
                *(f"{each:.2f}" for each in (statistics.median(seconds), min(seconds), max(seconds))),
                f"{timed[-1].requests}",
                f"{timed[-1].creations}",
            )
        table.add_section()
    console.print(table)


def _once(round_trip_s: float) -> Iterator[Timed]:
    with tempfile.TemporaryDirectory(prefix="benchmark-") as place:
        for profile in ("standard", "smoke"):
            yield _timed(round_trip_s, Path(place, profile), profile)
        trace = read_trace(Path(place, "standard", "trace.ndjson"))
        with reached(round_trip_s) as deployment:
            seconds = replay(trace, deployment)
        yield Timed("bare replay of the standard run", seconds, len(trace.exchanges), 0)
        yield _schemathesis(round_trip_s, Path(place, "schemathesis"))


def _timed(round_trip_s: float, directory: Path, profile: str) -> Timed:
    directory.mkdir()
    with reached(round_trip_s) as deployment:
        outcome = run_suite(deployment, directory, profile=profile)
    if outcome.trouble or outcome.alarm:
        raise click.ClickException(f"The {profile} run came to no green verdict: {outcome.trouble}")
    return Timed(f"this suite, {profile}", outcome.seconds, outcome.requests, outcome.creations)


def _schemathesis(round_trip_s: float, directory: Path) -> Timed:
    directory.mkdir()
    with reached(round_trip_s) as deployment:
        outcome = run_schemathesis(deployment, directory)
    return Timed("schemathesis, defaults", outcome.seconds, outcome.requests, outcome.creations)
