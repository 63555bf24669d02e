"""Look for two changes that are judged wrongly together, although each is judged rightly alone: ./dev crossed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import islice

import click

from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE
from selftests.catalogue.crossed import Crossed, cross, faults_on_variants, variants_at_once


@click.command()
@click.option("--count", default=500, show_default=True, help="How many pairs of each kind.")
@click.option("--seed", type=int, help="Which pairs; by default, those of the day.")
@click.option("--at-once", default=os.cpu_count(), show_default=True, help="How many are judged at a time.")
def main(count: int, seed: int | None, at_once: int) -> None:
    """Judge pairs of permitted variants, and faults on permitted variants, in this process.

    Two variants that together fail a clause are a false alarm, and make the exit code 1. A fault that a variant hides is
    only listed, and so is a deployment that could not be judged: a variant may have removed what would show the fault.
    """
    drawn_by = datetime.now(UTC).date().toordinal() if seed is None else seed
    with ProcessPoolExecutor(at_once) as pool:
        lawful, broken = (
            _results(pool.map(cross, islice(draw(drawn_by), count)), count)
            for draw in (variants_at_once, faults_on_variants)
        )
    hidden = [each for each in broken if each.missed]
    alarms = [each for each in lawful if each.wrong]
    _tell("Lawful, and failed", alarms)
    _tell("Failed under another clause", [each for each in broken if each.wrong])
    _tell("Hidden", [each for each in hidden if each.outcome == CONFORMS])
    _tell("Not judged", [each for each in hidden if each.outcome == COULD_NOT_JUDGE])
    sys.exit(1 if alarms else 0)


def _results(results: Iterator[Crossed], count: int) -> list[Crossed]:
    with click.progressbar(results, length=count, file=sys.stderr, show_pos=True) as shown:
        return list(shown)


def _tell(title: str, results: list[Crossed]) -> None:
    """Print results, and how many there are."""
    for each in results:
        click.echo(f"{title}: {each.name}: {', '.join(each.wrong or each.missed)}")
    click.echo(f"{title}: {len(results)}")


if __name__ == "__main__":
    main()
