"""One run from its start to its reports: the deployment is reached, the drivers run in a pytest session of their own."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from animal_conformance.interface.resources import tests_dir
from animal_conformance.record.trace import TraceError
from animal_conformance.report.files import ReportError
from animal_conformance.session.expectations import ExpectationError
from animal_conformance.session.gates import read_gates
from animal_conformance.session.options import RunOptions, UsageError
from animal_conformance.session.run import Run, RunError

PLUGIN: Final = "animal_conformance.session.plugin"
# What only the larger profiles need, and what every run needs at its end.
GENERATION: Final = "animal_conformance.drive.examples"
REPORTS: Final = "animal_conformance.report.formats"
# The plugins of pytest that drivers have no use for.
UNUSED_PLUGINS: Final = (
    "cacheprovider", "terminal", "junitxml", "faulthandler", "legacypath", "doctest", "pastebin", "freeze_support",
    "setuponly", "setupplan", "stepwise", "tmpdir", "monkeypatch", "recwarn", "logging", "unittest", "threadexception",
    # It collects garbage five times at the end, for warnings that are never displayed.
    "unraisableexception",
)  # fmt: skip
# Neither Hypothesis nor pytest imports what other packages plug into them, nor takes options from elsewhere.
ALONE: Final = {"HYPOTHESIS_NO_PLUGINS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}


class SuiteError(Exception):
    """The drivers could not be run: a fault in the suite, not in the deployment."""


class Progress(Protocol):
    """What is told how a run is going."""

    def say(self, what: str) -> None:
        """Take note of what is being done."""

    def advance(self, done: int, total: int) -> None:
        """Take note of how many drivers have completed."""


class Silence:
    """Progress that nobody wants to know of."""

    def say(self, what: str) -> None:
        """Do nothing."""

    def advance(self, done: int, total: int) -> None:
        """Do nothing."""


def judged(
    options: RunOptions,
    key: str,
    progress: Progress | None = None,
    on_ready: Callable[[], object] = lambda: None,
    on_begun: Callable[[Run], object] = lambda _: None,
) -> Run:
    """Run the drivers against a deployment, judge what they recorded, and write the reports.

    :param options: checked settings.
    :param on_ready: called once the files that the run needs have been read, before anything is sent.
    :param on_begun: called once the deployment has answered, before the drivers.
    :returns: the run, which has its report.
    :raises UsageError: where the run cannot begin, or a file that it needs cannot be read or written.
    :raises SuiteError: where the drivers could not be run.
    """
    progress = progress or Silence()
    with _alone():
        try:
            run = Run(options, key, gates=read_gates(options.baseline, options.expect))
            on_ready()
            loading = _load(PLUGIN)
            _load(*((GENERATION,) if options.profile != "smoke" else ()), REPORTS, after=loading)
            try:
                progress.say("Connecting to the deployment")
                run.begin()
                on_begun(run)
                progress.say(f"Testing {run.store.client.base_url}")
                loading.join()
                status = drive(run, progress)
            finally:
                run.close()
        except (RunError, TraceError, ReportError, ExpectationError) as error:
            raise UsageError(str(error)) from error
    if run.report is None:
        raise SuiteError(f"the drivers could not be run (pytest exit code {status}).")
    return run


def drive(run: Run, progress: Progress | None = None, *, write: bool = True) -> int:
    """Run the drivers of a run that has begun; the exit code is pytest's.

    :param write: whether reports are written.
    """
    import pytest  # noqa: PLC0415 - loaded by now

    from animal_conformance.session.plugin import Handover  # noqa: PLC0415 - as above

    progress = progress or Silence()
    with _alone():
        return int(pytest.main(_arguments(), plugins=[Handover(run, progress.advance, progress.say, write)]))


def _arguments() -> list[str]:
    """The arguments for pytest: only the suite's own plugin and configuration, regardless of what is installed."""
    return [
        str(tests_dir()),
        f"--rootdir={tests_dir()}",
        "--noconftest",
        "--import-mode=importlib",
        *("-c", os.devnull),
        *("-p", PLUGIN),
        *(part for name in UNUSED_PLUGINS for part in ("-p", f"no:{name}")),
        # Drivers assert nothing.
        "--assert=plain",
        *("-W", "ignore"),
    ]


@contextmanager
def _alone() -> Iterator[None]:
    """A context in which environment variables keep others' plugins and options away from the drivers."""
    before = {name: os.environ.get(name) for name in ALONE}
    os.environ.update(ALONE)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


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
