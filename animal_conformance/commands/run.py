"""`animal-conformance run`: announce, drive, judge, report."""

from __future__ import annotations

import importlib
import os
import signal
import threading
from typing import Final, NoReturn

import click
from rich.console import Console

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole, say
from animal_conformance.commands.plan import announce
from animal_conformance.commands.progress import Progress
from animal_conformance.interface.resources import tests_dir
from animal_conformance.judge.outcome import EXIT_SUITE_FAULT
from animal_conformance.record.trace import TraceError
from animal_conformance.report import github
from animal_conformance.report.files import ReportError
from animal_conformance.report.terminal import render
from animal_conformance.session.expectations import ExpectationError
from animal_conformance.session.gates import read_gates
from animal_conformance.session.options import RunOptions
from animal_conformance.session.run import Run, RunError

PLUGIN: Final = "animal_conformance.session.plugin"
# What only the larger profiles need, and what every run needs at its end.
GENERATION: Final = "animal_conformance.drive.examples"
REPORTS: Final = "animal_conformance.report.formats"
# Of pytest, what drivers have no use for.
UNUSED_PLUGINS: Final = (
    "cacheprovider", "terminal", "junitxml", "faulthandler", "legacypath", "doctest", "pastebin", "freeze_support",
    "setuponly", "setupplan", "stepwise", "tmpdir", "monkeypatch", "recwarn", "logging", "unittest", "threadexception",
    # It collects garbage five times at the end, for warnings that are never displayed.
    "unraisableexception",
)  # fmt: skip


def run_and_report(options: RunOptions, key: str) -> int:
    """Run the drivers, print the result, and return the exit code."""
    try:
        gates = read_gates(options.baseline, options.expect)
    except (ReportError, ExpectationError) as error:
        fail(error)
    if not options.embedded:
        announce(options, to_stderr=True)
    signal.signal(signal.SIGTERM, _interrupt)
    # Otherwise Hypothesis imports what other packages plug into it.
    os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
    run = Run(options, key, gates=gates)
    loading = _load(PLUGIN)
    _load(*((GENERATION,) if options.profile != "smoke" else ()), REPORTS, after=loading)
    with Progress(Console(stderr=True)) as progress:
        try:
            progress.say("Connecting to the deployment")
            run.begin()
            progress.say(f"Testing {run.store.client.base_url}")
            loading.join()
            status = _drive(run, progress)
        except (RunError, TraceError, ReportError) as error:
            fail(error)
        finally:
            run.close()
    if run.report is None:
        click.echo(f"animal-conformance: the drivers could not be run (pytest exit code {status}).", err=True)
        return EXIT_SUITE_FAULT
    render(run.report, OutputConsole(), reports=options.report_dir)
    for line in run.lines:
        say(line)
    try:
        github.append_summary(run.report, os.environ)
    except ReportError as error:
        run.unwritten = run.unwritten or str(error)
    if run.unwritten:
        click.echo(f"animal-conformance: {run.unwritten}", err=True)
        return run.exit_code()
    if github.running_there(os.environ):
        for command in github.commands(run.report):
            say(command)
    return run.exit_code()


def _load(*modules: str, after: threading.Thread | None = None) -> threading.Thread:
    """Import modules while the reference deployment starts or responses are awaited."""

    def load() -> None:
        if after is not None:
            after.join()
        for each in modules:
            importlib.import_module(each)

    thread = threading.Thread(target=load, name="loading")
    thread.start()
    return thread


def _drive(run: Run, progress: Progress) -> int:
    import pytest  # noqa: PLC0415 - loaded by now

    from animal_conformance.session.plugin import Handover  # noqa: PLC0415 - as above

    handover = Handover(run, progress.advance, progress.say)
    return int(pytest.main(pytest_arguments(), plugins=[handover]))


def pytest_arguments() -> list[str]:
    """The arguments for pytest: only the suite's own plugin and configuration, regardless of what is installed."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    return [
        str(tests_dir()),
        f"--rootdir={tests_dir()}",
        "--noconftest",
        "--import-mode=importlib",
        *("-c", os.devnull),
        *("-p", "animal_conformance.session.plugin"),
        *(part for name in UNUSED_PLUGINS for part in ("-p", f"no:{name}")),
        # Drivers assert nothing.
        "--assert=plain",
        *("-W", "ignore"),
    ]


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
