"""`animal-conformance report`: judge a recorded trace or HAR file, without sending anything."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole
from animal_conformance.judge.outcome import exit_code
from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Exchange, Terms
from animal_conformance.record.har import HarError, read_har
from animal_conformance.record.trace import Trace, TraceError, read_trace
from animal_conformance.report.files import ReportError, write_reports
from animal_conformance.report.report import RunFacts, build_report
from animal_conformance.report.terminal import render
from animal_conformance.session.flags import CLAUSE, DAY
from animal_conformance.session.options import RunOptions


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
    "--today", metavar="DATE", type=DAY, help="Date by which to judge a HAR file; a trace contains its own."
)
def report(
    trace: Path, report_dir: Path | None, clauses: tuple[str, ...], *, strict: bool, today: date | None
) -> None:
    """Judge TRACE (a trace.ndjson of a run, or a HAR file from a browser or proxy); nothing is sent.

    Exit codes are those of `run`. A truncated trace gives a partial report; an altered one gives none.
    """
    try:
        if trace.suffix.lower() == ".har":
            exchanges, base_url = read_har(trace)
            terms = Terms(base_url=base_url, today=(today or date.min).isoformat(), selected=clauses)
            facts, whole = _facts_of_har(exchanges, base_url, trace), True
        else:
            read = read_trace(trace)
            if read.damage:
                fail(f"{trace} was altered after the run: {read.damage}", 3)
            exchanges, terms = list(read.exchanges), read.terms
            terms = replace(terms, selected=clauses or terms.selected)
            facts, whole = facts_of_trace(read), read.whole and not read.ending.get("interrupted")
        result = build_report(
            judge(exchanges, terms, whole=whole), replace(facts, strict=strict or facts.strict)
        )
        if report_dir is not None:
            write_reports(result, exchanges, report_dir)
    except (TraceError, HarError, ReportError, ValueError) as error:
        fail(error)
    render(result, OutputConsole(), reports=report_dir)
    sys.exit(exit_code(result))


def facts_of_trace(trace: Trace) -> RunFacts:
    """The facts of a run as recorded in its trace."""
    options: dict[str, Any] = trace.header.get("options", {})
    started = float(trace.header.get("started", 0.0))
    last_s = max((each.answered_s for each in trace.exchanges), default=0.0)
    return RunFacts(
        run_id=str(trace.header.get("run", "")),
        base_url=trace.terms.base_url,
        name=RunOptions(str(options.get("base_url", "")), str(options.get("name", ""))).shown_name,
        started=started,
        finished=started + last_s,
        profile=str(options.get("profile", "")),
        seed=int(options.get("seed", 0)),
        connections=int(options.get("connections") or 1),
        strict=bool(options.get("strict", False)),
        certify=bool(options.get("certify", False)),
        options=options,
        stopped=str(trace.ending.get("stopped", ""))
        if trace.whole
        else "The trace is truncated: it ends before its run was complete.",
        suite_faults=tuple(map(str, trace.ending.get("suite_faults", ()))),
        trace_digest=trace.digest,
    )


def _facts_of_har(exchanges: list[Exchange], base_url: str, path: Path) -> RunFacts:
    last_s = max((each.answered_s for each in exchanges), default=0.0)
    return RunFacts(
        run_id="",
        base_url=base_url,
        name=path.name,
        started=0.0,
        finished=last_s,
        profile="recorded",
        seed=0,
        connections=1,
    )
