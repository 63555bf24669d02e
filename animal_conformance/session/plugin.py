"""pytest hooks: options, the fixture for the drivers, and a verdict at the end of the session.

The command runs the drivers through this plugin, and so does plain pytest: `pytest spec --deployment URL` has an item
for each clause, `pytest tests --deployment URL` one for each driver.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from rich.console import Console

from animal_conformance.drive.store import Store
from animal_conformance.record.trace import TraceError
from animal_conformance.report.files import ReportError
from animal_conformance.report.github import for_job
from animal_conformance.report.terminal import render
from animal_conformance.send.endings import Gone, InVain
from animal_conformance.session.clause_items import FILE as CLAUSES
from animal_conformance.session.clause_items import (
    JUDGED,
    ClauseItem,
    ClausesFile,
    chosen,
    holds_clauses,
    prefixes_of,
)
from animal_conformance.session.drivers import (
    EXPERIMENTS,
    holds_drivers,
    in_rounds,
    is_driver,
    is_once,
    limit_behind,
    selected,
)
from animal_conformance.session.expectations import ExpectationError
from animal_conformance.session.flags import API_KEY_FILE, OPTIONS, options_from_texts
from animal_conformance.session.gates import read_gates
from animal_conformance.session.interruptions import installed
from animal_conformance.session.judging import SuiteError, judged
from animal_conformance.session.options import RunOptions, UsageError, checked, find_address, find_key
from animal_conformance.session.run import Run, RunError
from animal_conformance.session.settings import read_settings

RUN: Final = pytest.StashKey[Run]()
# What was asked for, and the file with the key.
ASKED: Final = pytest.StashKey[tuple[RunOptions, str | None]]()


@dataclass(eq=False)
class Handover:
    """A plugin object with which a program passes its run to the session.

    ``on_item`` receives how many drivers have completed, ``on_phase`` what the session is about to do; ``write`` is
    whether reports are written.
    """

    run: Run
    on_item: Callable[[int, int], None] = lambda *_: None
    on_phase: Callable[[str], None] = lambda _: None
    write: bool = True


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `animal-conformance run`, under the same names."""
    group = parser.getgroup("animal-conformance", "judging a deployment of the animal store interface")
    for option in (API_KEY_FILE, *OPTIONS):
        action = "append" if option.multiple else "store_true" if option.is_flag else "store"
        flag = "--strict-should" if option.name == "strict" else option.opts[0]  # pytest has a --strict
        group.addoption(flag, dest=option.name, action=action, default=None, help=option.help)
    group.addoption(
        "--deployment",
        dest="base_url",
        metavar="URL",
        help="The deployment to judge; without it, the reference deployment.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Keep drivers in one process, before pytest-xdist starts any."""
    places = [Path(each.split("::")[0]).resolve() for each in config.args]
    folders = [each if each.is_dir() else each.parent for each in places]
    ours = any(
        holds_drivers(each) or holds_clauses(each)
        for folder in folders
        for each in (folder, folder / "tests", folder / "spec")
    )
    if ours and getattr(config.option, "numprocesses", None):
        config.option.numprocesses = 0
        print("Drivers run in one process: use --connections to send requests in parallel.")  # noqa: T201 - before there is a reporter


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; take over the run of the command."""
    config.addinivalue_line("markers", "must: a clause that a deployment must keep")
    config.addinivalue_line("markers", "should: a clause that a deployment should keep")
    config.addinivalue_line("markers", "rounds: a driver that a deep run repeats with fresh examples")
    config.addinivalue_line(
        "markers", "clauses(*prefixes): the clauses for which the exchanges of this driver are evidence"
    )
    handover = _handover(config)
    if handover is not None:
        config.stash[ASKED] = handover.run.options, None
        _take(config, handover.run, handover.on_item)
        return
    try:
        config.stash[ASKED] = _asked(config)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ClausesFile | None:
    """The clauses, if their file is named."""
    if file_path.name == CLAUSES and holds_clauses(file_path.parent):
        return ClausesFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Keep the clauses that the options select, or else the drivers, in the order of their stages.

    Where there are clauses, the drivers run behind them: selecting some of them too would only withhold evidence.
    """
    drivers = [item for item in items if is_driver(item)]
    clauses = [item for item in items if isinstance(item, ClauseItem)]
    if not drivers and not clauses:
        return
    prefixes = session.config.stash[ASKED][0].clauses
    kept: list[pytest.Item] = [*(chosen(clauses, prefixes) if clauses else selected(drivers, prefixes))]
    dropped = [item for item in clauses or drivers if item not in kept]
    if dropped:
        session.config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in drivers and item not in clauses] + kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Start the run, unless it has started, and run its drivers; other tests are left to pytest."""
    config = session.config
    clauses = [item for item in session.items if isinstance(item, ClauseItem)]
    drivers = [item for item in session.items if is_driver(item)]
    if config.option.collectonly or not (drivers or clauses):
        return None
    if clauses:
        _judge(session, clauses)
        return None
    if RUN not in config.stash:
        _begin(config)
    run = config.stash[RUN]
    if run.obstacle is not None:
        return True
    others = [(0, item) for item in session.items if item not in drivers]
    ahead = itertools.chain(others, in_rounds(run, drivers))
    upcoming = next(ahead, None)
    while upcoming is not None:
        (round_number, item), upcoming = upcoming, next(ahead, None)
        run.begin_round(round_number)
        config.hook.pytest_runtest_protocol(item=item, nextitem=upcoming[1] if upcoming else None)
        if installed().asked:
            # The interruption was raised where nothing can be raised, such as while an object was finalised.
            raise KeyboardInterrupt
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
    return True


def _judge(session: pytest.Session, items: list[ClauseItem]) -> None:
    """Have the clauses judged, before pytest asks for them one by one."""
    config = session.config
    try:
        options, key = _checked(config)
        run = judged(checked(replace(options, clauses=prefixes_of(items, options.clauses))), key)
    except (UsageError, SuiteError) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[JUDGED] = run
    if run.interrupted:
        raise session.Interrupted("The run was interrupted before it was complete.")


def _take(config: pytest.Config, run: Run, on_item: Callable[[int, int], None] = lambda *_: None) -> None:
    config.stash[RUN] = run
    config.pluginmanager.register(Chronicle(run, on_item))


def _begin(config: pytest.Config) -> None:
    try:
        options, key = _checked(config)
        run = Run(options, key, gates=read_gates(options.baseline, options.expect))
        try:
            run.begin()
        except BaseException:
            run.close()
            raise
        _take(config, run)
    except (UsageError, RunError, ReportError, ExpectationError, TraceError) as error:
        raise pytest.UsageError(str(error)) from error


@pytest.fixture(scope="session")
def store(request: pytest.FixtureRequest) -> Store:
    """The deployment under test, as drivers see it."""
    return request.config.stash[RUN].store


@pytest.fixture
def accepted_creation(store: Store) -> None:
    """Skips drivers that would have nothing to send where no creation is accepted."""
    if store.category_id is None:
        pytest.skip("No creation was accepted.")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Record the requests that follow under the name of the driver."""
    if not is_driver(item):
        return (yield)
    try:
        item.config.stash[RUN].begin_driver(item.nodeid.rsplit("/", 1)[-1])
        return (yield)
    except Exception as error:
        _end_at_limit(item, error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """End a driver when a limit of the run is reached or the deployment is lost."""
    try:
        return (yield)
    except Exception as error:
        if is_driver(item):
            _end_at_limit(item, error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Wait, after the last driver, for what is still in flight."""
    if nextitem is None and is_driver(item):
        try:
            item.config.stash[RUN].store.gather()
        except Exception as error:
            _end_at_limit(item, error)
            raise
    return (yield)


def _end_at_limit(item: pytest.Item, error: Exception) -> None:
    """Skip the rest of a driver if it was ended by a limit or the loss of the deployment."""
    reason = limit_behind(error)
    if reason is None:
        return
    run = item.config.stash[RUN]
    if isinstance(reason, (Gone, TraceError)):
        run.gone(str(reason))
        # After waiting in vain, the other drivers end with their first request, and experiments may send some more.
        if not isinstance(reason, InVain):
            item.session.shouldstop = str(reason)
    elif item.path.stem == EXPERIMENTS:
        run.untried = str(reason)
    elif is_once(run) and run.store.client.exhausted():
        run.cut_short(reason)
    pytest.skip(str(reason))


class Chronicle:
    """Counts the completed drivers, and records those that failed: a fault in the suite, never a verdict."""

    def __init__(self, run: Run, on_item: Callable[[int, int], None]) -> None:
        self.run = run
        self.on_item = on_item
        self.done = self.total = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the number of drivers."""
        self.total = len(session.items)

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note what broke outside every driver."""
        detail = self.run.store.client.redactor.text(excinfo.exconly())
        self.run.suite_faults.append(f"session: {detail[:500]}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the end of a driver."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            detail = str(crash.message if crash is not None else report.longrepr).strip()
            detail = self.run.store.client.redactor.text(detail)
            self.run.suite_faults.append(f"driver {report.nodeid} ({report.when}): {detail[:500]}")
        if report.when == "teardown":
            self.done += 1
            self.on_item(self.done, max(self.done, self.total))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Judge, write the reports, and make the verdict the session's exit status."""
    config = session.config
    if (ended := config.stash.get(JUDGED, None)) is not None:
        session.exitstatus = ended.result.exit_code or exitstatus
        return
    run = config.stash.get(RUN, None)
    if run is None:
        return
    if exitstatus == pytest.ExitCode.INTERRUPTED:
        # What is in flight is lost, since nobody wants to wait for it.
        run.store.client.stop()
        run.interrupted = True
        run.gone("The run was interrupted before it was complete.")
    handover = _handover(config) or Handover(run)
    installed().begin_end()
    try:
        handover.on_phase("Judging the recorded exchanges")
        run.finish()
        if handover.write:
            handover.on_phase("Writing the reports")
            run.write()
    finally:
        run.close()
    session.exitstatus = run.result.exit_code


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The text report, if pytest itself is the command."""
    run = config.stash.get(JUDGED, None) or config.stash.get(RUN, None)
    if run is None or run.report is None or _handover(config) is not None:
        return
    terminalreporter.ensure_newline()
    console = Console(file=for_job(terminalreporter._tw._file, os.environ))  # noqa: SLF001
    render(run.report, console, reports=None if run.unwritten else run.options.report_dir)
    certificate = f"certificate: {run.certificate}" if run.certificate else ""
    for line in filter(None, (certificate, run.unwritten)):
        terminalreporter.write_line(line)


def _asked(config: pytest.Config) -> tuple[RunOptions, str | None]:
    """The options and the file with the key; the command line takes precedence over the settings file."""
    settings = read_settings(config.option.base_url or "", config.invocation_params.dir)
    names = [option.name or "" for option in (API_KEY_FILE, *OPTIONS)]
    given = {name: value for name in names if (value := getattr(config.option, name, None)) is not None}
    texts = {**settings.values, **given, "base_url": settings.url or find_address(config.option.base_url, {})}
    key_file = texts.pop("api_key_file", None)
    return options_from_texts(texts), key_file


def _checked(config: pytest.Config) -> tuple[RunOptions, str]:
    """The options and the key of a run."""
    asked, key_file = config.stash[ASKED]
    options = checked(asked)
    return options, "" if options.embedded else find_key(key_file)


def _handover(config: pytest.Config) -> Handover | None:
    return next((each for each in config.pluginmanager.get_plugins() if isinstance(each, Handover)), None)
