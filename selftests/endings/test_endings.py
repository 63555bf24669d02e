"""However a run ends, what was judged counts, the rest is untested, and a trace that was truncated is known as one."""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import signal
import termios
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from animal_conformance.api import RunOptions, judge
from selftests.loopback.command import COMMAND, SMOKE, Ended, Running, against, judge_again, smoke
from selftests.loopback.harmless import harm
from selftests.loopback.server import KEY, Answer, Behaviour, RawServer, Visit, response, silent
from selftests.turns import is_turn_now

LANES = ("--profile", "standard", "--connections", "8")
PAUSE_S = 0.02
# In how many days each second signal has its turn.
DAYS = 4
LARGEST = 60_000


def slowly(visit: Visit) -> Answer:
    """Answer honestly, and not at once, so that there is a middle of the run."""
    visit.wire.wait(PAUSE_S)
    return visit.honest()


def slowly_wrong(visit: Visit) -> Answer:
    """List without regard to the limit."""
    visit.wire.wait(PAUSE_S)
    return response(200, visit.shop.animals) if visit.caught.operation == "list" else visit.honest()


def until(condition: Callable[[], object]) -> None:
    """Wait until something is so, for a minute at most."""
    end_s = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end_s, "It never came to be."
        time.sleep(0.01)


def cut_short(number: signal.Signals, cwd: Path, behaviour: Behaviour = slowly) -> Ended:
    """Send a signal to a run in its middle."""
    with RawServer(behaviour) as server:
        running = Running(*SMOKE, server.url, cwd=cwd)
        until(lambda: len(server.log) >= 60)
        running.signal(number)
        return running.end()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_reports_what_it_has_judged(number: signal.Signals, tmp_path: Path) -> None:
    """What has evidence counts, the rest is untested, and it is no whole run; and the trace says the same again."""
    ended = cut_short(number, tmp_path / "run")
    assert ended.code == 3, ended.said
    assert "interrupted" in ended.report["reason"]
    assert ended.ids("passed")
    assert ended.ids("untested")
    assert set() == ended.ids("cant-tell") | ended.ids("failed")
    assert [] == harm(ended)
    assert ("partial", False) == (ended.report["scope"], "badge.svg" in ended.files)
    again = judge_again(ended.directory / "trace.ndjson", tmp_path / "again")
    assert again.code == 3, again.said
    assert "partial" == again.report["scope"]
    assert ended.outcomes() == again.outcomes()
    assert "interrupted" in again.report["reason"]


SECOND_SIGNALS = [
    (number, gap_s) for number in (signal.SIGINT, signal.SIGTERM) for gap_s in (0.0, 0.05, 0.2, 0.4)
]


@pytest.mark.parametrize(
    ("number", "gap_s"), [each for each in SECOND_SIGNALS if is_turn_now(f"second signal {each}", DAYS)]
)
def test_a_second_signal_loses_no_report(number: signal.Signals, gap_s: float, tmp_path: Path) -> None:
    """Wherever it comes: among the drivers' last responses, while it is judged, written, shown or over."""
    with RawServer(slowly) as server:
        running = Running(*SMOKE, server.url, cwd=tmp_path, program=COMMAND)
        until(lambda: len(server.log) >= 60)
        running.signal(number)
        time.sleep(gap_s)
        if running.poll() is None:
            running.signal(number)
        ended = running.end()
    assert ended.code == 3, ended.said
    assert "Traceback" not in ended.said
    assert "interrupted" in ended.report["reason"]
    assert {"report.html", "junit.xml", "summary.md"} <= set(ended.files)


@pytest.mark.parametrize("place", ["session.run:decide_on", "report.formats:junit_xml"])
def test_a_signal_while_a_run_is_judged_and_written_leaves_it_whole(place: str, tmp_path: Path) -> None:
    """All is sent; what is left is worth more than the moment that it takes."""
    fault = (
        "import importlib, os, signal\n"
        f"module = importlib.import_module('animal_conformance.{place.partition(':')[0]}')\n"
        f"before = module.{place.partition(':')[2]}\n"
        "def asked(*arguments, **settings):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return before(*arguments, **settings)\n"
        f"module.{place.partition(':')[2]} = asked"
    )
    ended = smoke(cwd=tmp_path, before=partial(exec, fault, {}))
    assert ended.code == 0, ended.said
    assert "whole" == ended.report["scope"]
    assert "One more signal ends the run" in ended.complaints


def test_the_third_signal_ends_a_run_at_once_and_says_so(tmp_path: Path) -> None:
    """Even where judging takes long."""
    fault = (
        "import time\nfrom animal_conformance.session import run\n"
        "def long(*_, **__):\n    time.sleep(60)\n"
        "run.decide_on = long"
    )
    with RawServer(slowly) as server:
        running = Running(*SMOKE, server.url, cwd=tmp_path, before=partial(exec, fault, {}))
        until(lambda: len(server.log) >= 60)
        running.signal(signal.SIGINT)
        time.sleep(0.5)
        running.signal(signal.SIGINT)
        until(lambda: b"One more signal" in running.complaints_so_far)
        running.signal(signal.SIGINT)
        ended = running.end()
    assert ended.code == 3, ended.said
    assert "Ended at once" in ended.complaints


def test_a_run_whose_terminal_is_closed_writes_its_reports(tmp_path: Path) -> None:
    """Though nobody can be told any more."""
    terminal, its_end = pty.openpty()

    def attach() -> None:
        fcntl.ioctl(its_end, termios.TIOCSCTTY, 0)
        for output in (1, 2):
            os.dup2(its_end, output)

    with RawServer(slowly) as server:
        running = Running(*SMOKE, server.url, cwd=tmp_path, program=COMMAND, before=attach)
        until(lambda: len(server.log) >= 60)
        os.close(its_end)
        os.close(terminal)
        ended = running.end()
    assert 3 == ended.code
    assert "interrupted" in ended.report["reason"]
    assert {"report.html", "junit.xml", "summary.md"} <= set(ended.files)


def test_a_run_that_is_to_go_on_without_its_terminal_does(tmp_path: Path) -> None:
    """As nohup has it."""
    with RawServer(slowly) as server:
        running = Running(*SMOKE, server.url, cwd=tmp_path, before=ignore_hang_ups)
        until(lambda: len(server.log) >= 20)
        running.signal(signal.SIGHUP)
        assert 0 == running.end().code


def ignore_hang_ups() -> None:
    """What nohup does."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def test_a_finding_before_an_interruption_counts(tmp_path: Path) -> None:
    """The deployment does not conform, however little else is known."""
    ended = cut_short(signal.SIGTERM, tmp_path, slowly_wrong)
    assert ended.code == 1, ended.said
    assert ended.failed_musts >= {"list.limit.respected"}
    assert ended.ids("untested")


def test_an_interruption_before_anything_was_judged_is_no_verdict(tmp_path: Path) -> None:
    """Neither conformance nor its opposite: the code says that nothing could be judged."""
    with RawServer(silent) as server:
        running = Running(*SMOKE, server.url, cwd=tmp_path)
        until(lambda: server.log)
        running.signal(signal.SIGINT)
        ended = running.end()
    assert ended.code == 3, ended.said
    assert "Traceback" not in ended.complaints
    assert "nterrupted" in ended.said


@pytest.mark.parametrize("options", [(), LANES], ids=("one", "eight"))
def test_a_killed_run_leaves_a_trace_that_gives_a_partial_report(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    """No report stands there as if it were whole; what was answered counts in every lane."""
    with RawServer(slowly) as server:
        running = Running(*SMOKE, server.url, *options, cwd=tmp_path / "run")
        until(lambda: len(server.log) >= 60)
        running.signal(signal.SIGKILL)
        ended = running.end()
        sent = len(server.log)
    assert ended.code == -signal.SIGKILL
    assert "conformance.json" not in ended.files
    again = judge_again(ended.directory / "trace.ndjson", tmp_path / "again")
    assert again.code == 3, again.said
    assert "truncated" in again.report["reason"]
    assert "partial" == again.report["scope"]
    assert again.ids("passed")
    assert again.ids("untested")
    assert set() == again.ids("cant-tell") | again.ids("failed")
    # A request may have been on its way in each lane.
    assert sent - 9 <= again.report["run"]["requests"] <= sent


def test_a_directory_of_reports_belongs_to_one_run_at_a_time(tmp_path: Path) -> None:
    """The second says so and disturbs nothing; one that was killed holds nothing any more."""
    with RawServer(slowly) as server:
        first = Running(*SMOKE, server.url, cwd=tmp_path)
        until(lambda: len(server.log) >= 20)
        second = smoke(server.url, cwd=tmp_path)
        assert 2 == second.code, second.said
        assert "Another run is writing its reports to reports" in second.said
        assert 2 == judge_again(tmp_path / "reports" / "trace.ndjson", tmp_path).code
        first.signal(signal.SIGKILL)
        first.end()
        third = smoke(server.url, cwd=tmp_path)
        assert third.report["run"]["requests"] == len(third.sent)
    assert 0 == third.code, third.said


def bound_files() -> None:
    """Let no file grow beyond a size, as on a disk that is nearly full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))


def test_a_full_disk_ends_a_run_with_a_sentence(tmp_path: Path) -> None:
    """The reports that fit are whole, the others are not there, and the trace is good as far as it goes."""
    directory = tmp_path / "run" / "reports"
    directory.mkdir(parents=True)
    # HAR says at more length what the trace says, and the trace is as large as a file may be.
    (directory / "trace.har").write_text("an earlier report", encoding="utf-8")
    ended, _ = against(None, cwd=tmp_path / "run", before=bound_files, code=3)
    assert "Traceback" not in ended.said
    assert "Cannot write" in ended.said
    assert "Reports:" not in ended.said
    written = ended.said.partition("These were written: ")[2]
    assert "reports/conformance.json" in written
    assert "trace.har" not in written
    assert ended.files["trace.har"] == b"an earlier report"
    assert len(ended.files["trace.ndjson"]) == LARGEST
    assert ended.report["outcome"] == "could-not-judge"
    assert ended.ids("untested")
    assert [] == [name for name in ended.files if name.startswith(".")]
    again = judge_again(directory / "trace.ndjson", tmp_path / "again")
    assert again.code == 3, again.said
    assert again.ids("passed")
    assert again.ids("untested")


def silent_about_all(visit: Visit) -> Answer:
    """Answer whatever does not ask for the largest page."""
    return silent(visit) if "limit=100" in visit.caught.target else visit.honest()


def test_what_ends_a_run_before_its_drivers_leaves_nothing_in_flight(tmp_path: Path) -> None:
    """The first lists are under way when somebody who is told that it has begun changes their mind."""

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with RawServer(silent_about_all) as server:
        options = RunOptions(base_url=server.url, profile="smoke", connections=4, report_dir=tmp_path)
        with pytest.raises(KeyboardInterrupt):
            judge(server.url, KEY, options, on_begun=stop)
    assert [] == [each.name for each in threading.enumerate() if each.name.startswith("lane")]
