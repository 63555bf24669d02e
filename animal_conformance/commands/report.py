"""`animal-conformance report`: judge a recorded trace or HAR file, without sending anything."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES, exit_code
from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.record.har import HarError, Recording, read_har
from animal_conformance.record.trace import TraceError, read_trace
from animal_conformance.report.again import report_of_trace
from animal_conformance.report.files import ReportError, write_reports
from animal_conformance.report.report import RunFacts, build_report
from animal_conformance.report.terminal import render
from animal_conformance.report.words import RECORDED
from animal_conformance.session.flags import CLAUSE, DAY
from animal_conformance.session.lock import Lock, LockedError


@click.command(short_help="Judge a recorded trace or HAR file.")
@click.argument("trace", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--report-dir",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Directory for reports; without it, none are written.",
)
@click.option(
    "--clause", "clauses", multiple=True, metavar="PREFIX", type=CLAUSE, help="Judge only these clauses."
)
@click.option("--strict", is_flag=True, help="Treat a failed SHOULD clause as a failure of the run.")
@click.option(
    "--today",
    metavar="DATE",
    type=DAY,
    help="Date by which to judge a HAR file; a trace contains its own.  [default: that of its first request]",
)
def report(
    trace: Path, report_dir: Path | None, clauses: tuple[str, ...], *, strict: bool, today: date | None
) -> None:
    """Judge TRACE (a trace.ndjson of a run, or a HAR file from a browser or proxy); nothing is sent.

    Exit codes are those of `run`. A truncated trace gives a partial report; an altered one gives none.
    """
    try:
        if trace.suffix.lower() == ".har":
            recording = read_har(trace)
            exchanges: Sequence[Exchange] = recording.exchanges
            result = _report_of_har(recording, trace.name, today, clauses, strict=strict)
        else:
            read = read_trace(trace)
            if read.damage:
                fail(f"{trace} was altered after the run: {read.damage}", EXIT_CODES[COULD_NOT_JUDGE])
            exchanges = read.exchanges
            result = report_of_trace(read, selected=clauses, strict=strict)
        if report_dir is not None:
            with closing(Lock(report_dir)):
                write_reports(result, exchanges, report_dir)
    except (LockedError, TraceError, HarError, ReportError, ValueError) as error:
        fail(error)
    render(result, OutputConsole(), reports=report_dir)
    sys.exit(exit_code(result))


def _report_of_har(
    recording: Recording, name: str, today: date | None, clauses: tuple[str, ...], *, strict: bool
) -> dict[str, Any]:
    """Judge other people's traffic, as of the day on which it was recorded unless there is another."""
    day = today or recording.began.date()
    terms = Terms(base_url=recording.base_url, today=day.isoformat(), selected=clauses)
    began = recording.began.timestamp()
    facts = RunFacts(
        run_id="",
        base_url=recording.base_url,
        name=name,
        started=began,
        finished=began + max((each.answered_s for each in recording.exchanges), default=0.0),
        profile=RECORDED,
        seed=0,
        connections=1,
        strict=strict,
        recorded=True,
        notes=recording.notes,
    )
    return build_report(judge(recording.exchanges, terms), facts)
