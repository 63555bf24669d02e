"""`animal-conformance run`: announce, judge, report."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from animal_conformance.api import SuiteError, UsageError, judge
from animal_conformance.commands.failing import fail
from animal_conformance.commands.job import tell_job
from animal_conformance.commands.output import OutputConsole, say
from animal_conformance.commands.plan import announce, announce_duration
from animal_conformance.commands.progress import Progress
from animal_conformance.judge.outcome import EXIT_SUITE_FAULT
from animal_conformance.report.terminal import render
from animal_conformance.session.interruptions import installed, leave_closed_terminals, when_hung_up
from animal_conformance.session.options import RunOptions


def run_and_report(options: RunOptions, key: str) -> int:
    """Run the drivers, print the result, and return the exit code."""
    when_hung_up(installed())

    def announcement() -> None:
        if not options.embedded:
            announce(options, to_stderr=True)

    with Progress(Console(stderr=True)) as progress:
        try:
            report = judge(
                "", key, options, progress=progress, on_ready=announcement, on_begun=announce_duration
            )
        except UsageError as error:
            fail(error)
        except SuiteError as error:
            fail(error, EXIT_SUITE_FAULT)
        finally:
            # pytest had replaced the outputs, and has put them back.
            leave_closed_terminals()
    render(report.json, OutputConsole(), reports=None if report.unwritten else options.report_dir)
    if report.certificate:
        say(f"certificate: {report.certificate}")
    unwritten = tell_job(report.json, options.report_dir, report.unwritten)
    return replace(report, unwritten=unwritten).exit_code
