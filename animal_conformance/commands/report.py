"""`animal-conformance report`: judge a recorded trace or HAR file, without sending anything."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

import click

from animal_conformance.api import AlteredError, UsageError, judge_trace
from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES
from animal_conformance.report.terminal import render
from animal_conformance.session.flags import DAY, JUDGING


@click.command(short_help="Judge a recorded trace or HAR file.", params=list(JUDGING))
@click.argument("trace", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--report-dir",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Directory for reports; without it, none are written.",
)
@click.option(
    "--today",
    "as_of",
    metavar="YYYY-MM-DD",
    type=DAY,
    help="Date by which to judge a HAR file; a trace contains its own.  [default: that of its first request]",
)
def report(trace: Path, report_dir: Path | None, as_of: date | None, **values: Any) -> None:
    """Judge TRACE (a trace.ndjson of a run or its directory, or a HAR file from a browser or proxy); nothing is sent.

    Exit codes are those of `run`. A truncated trace gives a partial report; an altered one gives none.
    """
    try:
        result = judge_trace(
            trace / "trace.ndjson" if trace.is_dir() else trace, as_of=as_of, report_dir=report_dir, **values
        )
    except UsageError as error:
        fail(error)
    except AlteredError as error:
        fail(error, EXIT_CODES[COULD_NOT_JUDGE])
    render(result.json, OutputConsole(), reports=report_dir)
    sys.exit(result.exit_code)
