"""A soak from its begin to its report, in a process that Locust has patched."""

from __future__ import annotations

import signal
import threading
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole
from animal_conformance.judge.outcome import exit_code
from animal_conformance.record.trace import TraceError
from animal_conformance.reference.embedded import DeploymentError, EmbeddedDeployment
from animal_conformance.report.files import ReportError, write_reports
from animal_conformance.report.terminal import render
from animal_conformance.session.lock import Lock, LockedError
from animal_conformance.soak.master import Master
from animal_conformance.soak.worker import Place, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from animal_conformance.soak.settings import SoakOptions

INTERRUPTED = "The soak was interrupted before its time was over."


def soak_and_report(
    options: SoakOptions,
    key: str,
    drive: Callable[[Worker, SoakOptions, Callable[[], bool]], None],
) -> int:
    """Drive the users, judge, print the result, and return the exit code."""
    interrupted = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: interrupted.set())
    run = options.run
    with ExitStack() as stack:
        try:
            stack.enter_context(closing(Lock(run.report_dir)))
            base_url = run.base_url
            if run.embedded:
                embedded = stack.enter_context(EmbeddedDeployment(faults=run.faults, variants=run.variants))
                base_url, key = embedded.base_url, embedded.api_key
            master = Master(options, base_url)
            worker = Worker(options, master.terms, key, Place(started=master.started), master.take)
            obstacle = worker.begin()
            if obstacle is None:
                drive(worker, options, interrupted.is_set)
                stopped, remedy = INTERRUPTED if interrupted.is_set() else worker.ended, ""
            else:
                stopped, remedy = obstacle.reason, obstacle.remedy
            report = master.finish(stopped=stopped, remedy=remedy)
            write_reports(report, master.sample, run.report_dir)
        except (LockedError, DeploymentError, TraceError, ReportError) as error:
            fail(error)
    render(report, OutputConsole(), reports=run.report_dir)
    return exit_code(report)
