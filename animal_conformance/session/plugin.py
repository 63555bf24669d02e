"""pytest: options, the fixture of the drivers, and a verdict at the end of the session.

The command runs the drivers through this plugin, and so does plain pytest (`pytest tests --deployment URL`).
Workers are pytest-xdist's: each is given an assignment and leaves its part of the trace.
"""

from __future__ import annotations

import getpass
import pickle
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis.configuration import set_hypothesis_home_dir
from rich.console import Console

from animal_conformance.drive.profiles import PROFILES
from animal_conformance.drive.store import Store
from animal_conformance.interface.clauses import matches
from animal_conformance.interface.resources import tests_dir
from animal_conformance.record.trace import TraceError
from animal_conformance.report.files import ReportError
from animal_conformance.report.terminal import render
from animal_conformance.send.client import Gone, Spent
from animal_conformance.session.expectations import ExpectationError
from animal_conformance.session.flags import API_KEY_FILE, OPTIONS, options_from_texts
from animal_conformance.session.gates import read_gates
from animal_conformance.session.options import RunOptions, UsageError, checked, find_key
from animal_conformance.session.run import Run, RunError, limits_of

RUN: Final = pytest.StashKey[Run]()
LAST_ROUND: Final = 1_000_000
# What is left of the time is for looking again at what was created.
ROUNDS_SHARE: Final = 0.9
STOPPED: Final = "stopped"
CUT_SHORT: Final = "cut short"
STAGES: Final = (
    "authentication",  # before the creations that a lax deployment would let use up what the run may create
    "create",
    "sequences",
    "at_once",
    "generated",
    "get",
    "list",
    "questions",
    "audit",
)


@dataclass(eq=False)
class Handover:
    """A plugin object by which a program hands its run to the session.

    ``on_item`` is told how many drivers have ended, ``on_phase`` what the session is about to do; ``write`` is
    whether reports are written.
    """

    run: Run
    on_item: Callable[[int, int], None] | None = None
    on_phase: Callable[[str], None] = lambda _: None
    write: bool = True


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `animal-conformance run`, under the same names (`-n` stands for `--workers`)."""
    group = parser.getgroup("animal-conformance", "judging a deployment of the animal store interface")
    for option in (API_KEY_FILE, *OPTIONS):
        if option.name != "workers":  # pytest-xdist's -n
            action = "append" if option.multiple else "store_true" if option.is_flag else "store"
            flag = "--strict-should" if option.name == "strict" else option.opts[0]  # pytest has a --strict
            group.addoption(flag, dest=option.name, action=action, default=None, help=option.help)
    group.addoption(
        "--deployment",
        dest="base_url",
        metavar="URL",
        help="The deployment to judge; without it the embedded one.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Leave a smoke run to one process, before pytest-xdist starts any."""
    if config.option.profile == "smoke" and getattr(config.option, "numprocesses", None):
        config.option.numprocesses = 0


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; take over the run of the command, or a worker's part of one."""
    config.addinivalue_line("markers", "rounds: a driver that a deep run repeats with fresh examples")
    config.addinivalue_line(
        "markers", "clauses(*prefixes): the clauses for which the exchanges of this driver are evidence"
    )
    # Hypothesis keeps tables of Unicode somewhere; not in whatever directory the user is in.
    set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"animal-conformance-{getpass.getuser()}")
    handed = getattr(config, "workerinput", {}).get("animal_conformance")
    try:
        _run_options(config)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error
    if handed is not None:
        assignment = pickle.loads(handed)  # noqa: S301 - from the session that started this worker
        config.stash[RUN] = Run(assignment.options, assignment=assignment)
    handover = _handover(config)
    if handover is not None:
        _take(config, handover.run, handover.on_item)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat the drivers that generate, as often as the time of a deep run may allow."""
    if metafunc.definition.get_closest_marker("rounds") is None:
        return
    options = _run_options(metafunc.config)
    rounds = PROFILES[options.profile].rounds(limits_of(options).deadline_s)
    metafunc.fixturenames.append("round_number")
    metafunc.parametrize(
        "round_number", range(rounds), ids=lambda number: f"round {number + 1}" if rounds > 1 else "once"
    )


def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Keep the drivers that the options select, in the order of their stages."""
    drivers = [item for item in items if _is_driver(item)]
    if not drivers:
        return
    prefixes = _run_options(session.config).clauses
    kept = [item for item in drivers if not prefixes or _serves(item, prefixes)]
    kept.sort(key=lambda item: (_round(item), _stage(item)))
    dropped = [item for item in drivers if item not in kept]
    if dropped:
        session.config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in drivers] + kept


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """With workers, begin the run before they start: each needs its assignment."""
    config = session.config
    if (
        RUN in config.stash
        or hasattr(config, "workerinput")
        or not getattr(config.option, "numprocesses", None)
    ):
        return
    if any(Path(str(each).split("::")[0]).resolve().is_relative_to(tests_dir()) for each in config.args):
        _begin(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a worker of pytest-xdist its assignment."""
    if RUN in node.config.stash:
        run = node.config.stash[RUN]
        node.workerinput["animal_conformance"] = pickle.dumps(run.assignment_for(node.gateway.id))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Begin the run, unless it has begun; without a deployment to judge there is nothing to loop over."""
    config = session.config
    if (
        not config.option.collectonly
        and RUN not in config.stash
        and any(_is_driver(item) for item in session.items)
    ):
        _begin(config)
    return True if RUN in config.stash and config.stash[RUN].obstacle is not None else None


def _take(config: pytest.Config, run: Run, on_item: Callable[[int, int], None] | None = None) -> None:
    config.stash[RUN] = run
    config.pluginmanager.register(Chronicle(run, on_item))


def _begin(config: pytest.Config) -> None:
    try:
        options = checked(_run_options(config))
        key = "" if options.embedded else find_key(config.option.api_key_file)
        run = Run(options, key, gates=read_gates(options))
        _take(config, run)
        run.begin()
    except (UsageError, RunError, ReportError, ExpectationError) as error:
        raise pytest.UsageError(str(error)) from error


@pytest.fixture(scope="session")
def store(request: pytest.FixtureRequest) -> Store:
    """The deployment under test, as drivers see it."""
    return request.config.stash[RUN].store


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """File what a driver sends from now on under its name."""
    if not _is_driver(item):
        return (yield)
    run, round_number = item.config.stash[RUN], _round(item)
    client = run.store.client
    client.driver = item.nodeid.rsplit("/", 1)[-1]
    client.limit = None
    run.store.round_number = round_number
    run.store.profile = run.profile.in_round(round_number)
    client.may_create, client.would_create = True, False
    if 0 < round_number < LAST_ROUND:
        now_s, end_s = client.now_s(), ROUNDS_SHARE * client.budget.deadline_s
        if now_s > end_s:
            pytest.skip("The time of the run is nearly over.")
        # Else the first rounds would create all, and sequences end when those rounds do.
        granted = client.budget.created.count() < client.budget.creates_until(now_s, end_s)
        client.may_create = granted and run.turns.take(_name(item))
    try:
        return (yield)
    except Exception as error:
        _end_at_limit(item, error)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """End a driver where the run's limits or the deployment do."""
    try:
        return (yield)
    except Exception as error:
        if _is_driver(item):
            _end_at_limit(item, error)
        raise


def _end_at_limit(item: pytest.Item, error: Exception) -> None:
    """Skip the rest of a driver, if it was a limit or the deployment's going away that ended it."""
    run = item.config.stash[RUN]
    client = run.store.client
    # Hypothesis may say that the limit made its examples inconsistent instead of passing it on.
    reason = _reason(error) or (client.limit if type(error).__module__.startswith("hypothesis") else None)
    if reason is None:
        return
    if client.would_create:
        run.turns.wait(_name(item))
    if isinstance(reason, (Gone, TraceError)):
        run.gone(str(reason))
        # A worker's run is not that of the session that judges: it is told so.
        item.user_properties.append((STOPPED, str(reason)))
        item.session.shouldstop = str(reason)
    elif run.store.round_number == 0 and client.exhausted():
        run.cut_short(str(reason))
        item.user_properties.append((CUT_SHORT, str(reason)))
    pytest.skip(str(reason))


class Chronicle:
    """Counts the drivers that have ended, and notes those that broke: a fault of the suite, never a verdict."""

    def __init__(self, run: Run, on_item: Callable[[int, int], None] | None) -> None:
        self.run = run
        self.on_item = on_item
        self.done = self.total = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """With one worker, the number of drivers."""
        self.total = max(self.total, len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """With several workers, the number of drivers."""
        self.total = len(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a driver's end."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            detail = str(crash.message if crash is not None else report.longrepr).strip()
            detail = self.run.store.client.redactor.text(detail)
            self.run.suite_faults.append(f"driver {report.nodeid} ({report.when}): {detail[:500]}")
        for name, reason in report.user_properties:
            if name == STOPPED:
                self.run.gone(str(reason))
            elif name == CUT_SHORT:
                self.run.cut_short(str(reason))
        if report.when == "teardown":
            self.done += 1
            if self.on_item is not None:
                self.on_item(self.done, self.total)


def _reason(error: BaseException) -> Spent | Gone | TraceError | None:
    """The limit behind an exception, also where Hypothesis has wrapped it."""
    if isinstance(error, (Spent, Gone, TraceError)):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((reason for each in error.exceptions if (reason := _reason(each)) is not None), None)
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Judge, write the reports, and make the verdict the session's exit status."""
    config = session.config
    run = config.stash.get(RUN, None)
    if run is None:
        return
    if hasattr(config, "workerinput"):
        run.end_worker()
        return
    if exitstatus == pytest.ExitCode.INTERRUPTED:
        run.interrupted = True
        run.gone("The run was interrupted before it was complete.")
    handover = _handover(config) or Handover(run)
    try:
        handover.on_phase("Judging what was recorded")
        run.finish()
        if handover.write:
            handover.on_phase("Writing the reports")
            run.write()
    finally:
        run.close()
    session.exitstatus = run.exit_code()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The page of text, where pytest itself is the command."""
    run = config.stash.get(RUN, None)
    if run is None or run.report is None or _handover(config) is not None:
        return
    terminalreporter.ensure_newline()
    render(run.report, Console(file=terminalreporter._tw._file), reports=run.options.report_dir)  # noqa: SLF001
    for line in (*run.passage.lines, *filter(None, [run.unwritten])):
        terminalreporter.write_line(line)


def _run_options(config: pytest.Config) -> RunOptions:
    run = config.stash.get(RUN, None)
    if run is not None:
        return run.options
    given = {option.name or "": getattr(config.option, option.name or "", None) for option in OPTIONS}
    workers = getattr(config.option, "numprocesses", None) or None
    return options_from_texts({**given, "base_url": config.option.base_url, "workers": workers})


def _is_driver(item: pytest.Item) -> bool:
    return item.path.is_relative_to(tests_dir())


def _round(item: pytest.Item) -> int:
    """The round of a driver; that of the last look at everything comes after all others."""
    callspec = getattr(item, "callspec", None)
    if item.path.stem == "test_audit":
        return LAST_ROUND
    return int(callspec.params.get("round_number", 0)) if callspec is not None else 0


def _name(item: pytest.Item) -> str:
    """The name of a driver, whatever its round."""
    return str(getattr(item, "originalname", item.name))


def _stage(item: pytest.Item) -> int:
    name = item.path.stem.removeprefix("test_")
    return STAGES.index(name) if name in STAGES else len(STAGES)


def _serves(item: pytest.Item, prefixes: tuple[str, ...]) -> bool:
    served = [each for mark in item.iter_markers("clauses") for each in mark.args]
    return any(matches(each, prefix) or matches(prefix, each) for each in served for prefix in prefixes)


def _handover(config: pytest.Config) -> Handover | None:
    return next((each for each in config.pluginmanager.get_plugins() if isinstance(each, Handover)), None)
