"""The suite from Python: judge a deployment, or a trace of one, and get the report as objects.

For example::

    from animal_conformance.api import RunOptions, judge

    report = judge("https://staging.example/v1", api_key, RunOptions(profile="smoke"))
    for clause in report.failed:
        print(clause.id, clause.findings[0].curl)

Nothing is printed; what is wrong with a setting or a file is raised as :class:`UsageError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.trace import TraceError, read_trace
from animal_conformance.report.files import ReportError, write_reports
from animal_conformance.report.typed import Clause, Finding, Observation, Report
from animal_conformance.session.expectations import ExpectationError
from animal_conformance.session.flags import checked_values
from animal_conformance.session.gates import gate_of, read_gates
from animal_conformance.session.judging import Progress, SuiteError, judged
from animal_conformance.session.lock import Lock, LockedError
from animal_conformance.session.options import RunOptions, UsageError, checked, checked_key, today
from animal_conformance.session.run import Run

__all__ = [
    "AlteredError", "Clause", "Finding", "Observation", "Progress", "Report", "RunOptions", "SuiteError", "UsageError",
    "judge", "judge_trace",
]  # fmt: skip


class AlteredError(Exception):
    """A trace that was altered after its run, so that it says nothing; the message is a sentence."""


def judge(
    base_url: str = "",
    api_key: str = "",
    options: RunOptions | None = None,
    *,
    progress: Progress | None = None,
    on_ready: Callable[[], object] = lambda: None,
    on_begun: Callable[[Run], object] = lambda _: None,
) -> Report:
    """Judge a deployment, and write its reports to ``options.report_dir``.

    :param base_url: the address, which ends with /v1; empty for that of the options, or else the reference deployment.
    :param api_key: the key; the reference deployment needs none.
    :param options: the settings, as on the command line.
    :param progress: told what the run is doing.
    :param on_ready: called once settings and files are known to be right, before anything is sent.
    :param on_begun: called once the deployment has answered, before anything is judged.
    :raises UsageError: where a setting is wrong, or a file cannot be read or written.
    :raises SuiteError: where the drivers could not be run, which is a fault in the suite.
    """
    options = checked_values(options or RunOptions())
    options = checked(replace(options, base_url=base_url or options.base_url))
    key = "" if options.embedded else checked_key(api_key, "api_key")
    return judged(options, key, progress, on_ready, on_begun).result


def judge_trace(
    path: Path,
    *,
    clauses: Sequence[str] = (),
    strict: bool = False,
    as_of: date | None = None,
    baseline: Path | None = None,
    expect: Path | None = None,
    report_dir: Path | None = None,
) -> Report:
    """Judge a trace.ndjson again, or other people's traffic in a HAR file; nothing is sent.

    :param clauses: prefixes of the clauses to judge; none for those that the run judged.
    :param strict: whether a failed SHOULD fails a run that was not strict.
    :param as_of: the date by which to judge a HAR file; a trace contains its own.
    :param report_dir: where to write reports; without it, none are written.
    :raises UsageError: where a file cannot be read or written, or is neither of these, or no clause has such a prefix.
    :raises AlteredError: where the trace was altered after its run.
    """
    from animal_conformance.record.har import HarError, read_har  # noqa: PLC0415 - no run waits for them
    from animal_conformance.report.again import report_of_har, report_of_trace  # noqa: PLC0415 - nor for these

    try:
        load_clauses().selected(clauses)
    except ValueError as error:
        raise UsageError(str(error)) from error
    try:
        gates = read_gates(baseline, expect)
        exchanges: Sequence[Exchange]
        if path.suffix.lower() == ".har":
            recording = read_har(path)
            exchanges = recording.exchanges
            report = report_of_har(recording, path.name, as_of, tuple(clauses), strict=strict)
        else:
            trace = read_trace(path)
            if trace.damage:
                raise AlteredError(f"{path} was altered after the run: {trace.damage}")
            exchanges = trace.exchanges
            report = report_of_trace(trace, selected=tuple(clauses), strict=strict)
        report["gate"] = gate_of(report, gates, as_of or today())
        if report_dir is not None:
            with closing(Lock(report_dir)):
                write_reports(report, exchanges, report_dir)
    except (ExpectationError, HarError, LockedError, ReportError, TraceError) as error:
        raise UsageError(str(error)) from error
    return Report(report)
