"""A soak from start to report, in a process that Locust patches: this is imported before anything that sends."""

from __future__ import annotations

# isort: off
from animal_conformance.soak import processes, swarm

# isort: on
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Final

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.job import tell_job
from animal_conformance.commands.output import OutputConsole
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    DOES_NOT_CONFORM,
    EXIT_CODES,
    exit_code,
)
from animal_conformance.record.trace import TraceError
from animal_conformance.reference.embedded import DeploymentError, EmbeddedDeployment
from animal_conformance.report.files import ReportError, write_reports
from animal_conformance.report.terminal import render
from animal_conformance.report.typed import Report
from animal_conformance.session.interruptions import when_asked_to_end
from animal_conformance.session.lock import Lock, LockedError
from animal_conformance.soak.master import Master
from animal_conformance.soak.settings import SoakOptions

INTERRUPTED: Final = "The soak was interrupted before its time was over."


def soak_and_report(options: SoakOptions, key: str, meeting: processes.Meeting | None) -> int:
    """Drive the users, judge, print the result, and return the exit code.

    :param meeting: where workers meet; without it, all users are in this process.
    """
    interrupted = _interruptions()
    run = options.run
    unwritten = ""
    if options.web_port is not None and not _is_free(options.web_port):
        fail(f"Port {options.web_port} of this machine is in use: choose another --web-port.")
    with ExitStack() as stack:
        try:
            stack.enter_context(closing(Lock(run.report_dir)))
            base_url = run.base_url
            if run.embedded:
                embedded = stack.enter_context(EmbeddedDeployment(faults=run.faults, variants=run.variants))
                base_url, key = embedded.base_url, embedded.api_key
            master = Master(options, base_url)
            if meeting is None:
                obstacle = swarm.run_here(master, options, key, interrupted)
            else:
                obstacle = processes.run_with_workers(master, options, meeting, interrupted, key)
            stopped, remedy = master.ended, ""
            if interrupted():
                stopped = INTERRUPTED
            elif obstacle is not None:
                stopped, remedy = obstacle.reason, obstacle.remedy
            report = master.finish(stopped=stopped, remedy=remedy)
            unwritten = master.unwritten
            try:
                write_reports(report, master.sample, run.report_dir)
            except ReportError as error:
                unwritten = unwritten or str(error)
        except processes.SwarmError as error:
            fail(error, EXIT_CODES[COULD_NOT_JUDGE])
        except (LockedError, DeploymentError, TraceError) as error:
            fail(error)
    render(report, OutputConsole(), reports=None if unwritten else run.report_dir)
    unwritten = tell_job(report, run.report_dir, unwritten)
    if master.exceeded and exit_code(report) == EXIT_CODES[CONFORMS]:
        return EXIT_CODES[DOES_NOT_CONFORM]
    return Report(report, unwritten=unwritten).exit_code


def _is_free(port: int) -> bool:
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def work(key: str, host: str, port: int) -> int:
    """Run users for a master; return the exit code."""
    try:
        processes.run_as_worker(
            key, host, port, _interruptions(), lambda sentence: click.echo(sentence, err=True)
        )
    except processes.SwarmError as error:
        fail(error, EXIT_CODES[COULD_NOT_JUDGE])
    return 0


def _interruptions() -> Callable[[], bool]:
    """What says whether the process was asked to end, by Ctrl-C or another signal."""
    asked = threading.Event()
    when_asked_to_end(asked.set, signal.SIGINT)
    return asked.is_set
