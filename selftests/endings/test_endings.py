"""However a run ends, what was judged counts, the rest is untested, and a trace that was cut off is known as one."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from selftests.loopback.command import SMOKE, Ended, Running, judge_again, smoke
from selftests.loopback.harmless import harm
from selftests.loopback.server import Answer, Behaviour, RawServer, Visit, response

WORKERS = ("--profile", "standard", "--workers", "2")
PAUSE_S = 0.02
LARGEST = 60_000


def slowly(visit: Visit) -> Answer:
    """Answer honestly, and not at once, so that there is a middle of the run."""
    visit.wire.wait(PAUSE_S)
    return visit.honest()


def slowly_wrong(visit: Visit) -> Answer:
    """List without regard to the limit."""
    visit.wire.wait(PAUSE_S)
    return response(200, visit.shop.animals) if visit.caught.operation == "list" else visit.honest()


def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something is so."""
    end_s = time.monotonic() + seconds
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


def worker_pids(running: Running) -> list[int]:
    """The processes that a command has started."""
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text(encoding="ascii")
    return [int(each) for each in children.split()]


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_reports_what_it_has_judged(number: signal.Signals, tmp_path: Path) -> None:
    """What has evidence counts, the rest is untested; and the trace says the same again."""
    ended = cut_short(number, tmp_path / "run")
    assert ended.code == 3, ended.said
    assert "interrupted" in ended.report["reason"]
    assert ended.ids("passed")
    assert ended.ids("untested")
    assert set() == ended.ids("cant-tell") | ended.ids("failed")
    assert [] == harm(ended)
    again = judge_again(ended.directory / "trace.ndjson", tmp_path / "again")
    assert again.code == 3, again.said
    assert ended.outcomes() == again.outcomes()
    assert "interrupted" in again.report["reason"]


def test_a_finding_before_an_interruption_counts(tmp_path: Path) -> None:
    """The deployment does not conform, however little else is known."""
    ended = cut_short(signal.SIGTERM, tmp_path, slowly_wrong)
    assert ended.code == 1, ended.said
    assert ended.failed_musts >= {"list.limit.respected"}
    assert ended.ids("untested")


def test_an_interruption_before_anything_was_judged_is_no_verdict(tmp_path: Path) -> None:
    """Neither conformance nor its opposite: the code says that nothing could be judged."""

    def hanging(visit: Visit) -> Answer:
        visit.wire.wait(60)
        return None

    with RawServer(hanging) as server:
        running = Running(*SMOKE, server.url, cwd=tmp_path)
        until(lambda: server.log)
        running.signal(signal.SIGINT)
        ended = running.end()
    assert ended.code == 3, ended.said
    assert "Traceback" not in ended.complaints
    assert "nterrupted" in ended.said


@pytest.mark.parametrize("options", [(), WORKERS], ids=("one", "two"))
def test_a_killed_run_leaves_a_trace_that_gives_a_partial_report(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    """No report stands there as if it were whole; the traces of all workers count; none of them lives on."""
    with RawServer(slowly) as server:
        running = Running(*SMOKE, server.url, *options, cwd=tmp_path / "run")
        until(lambda: len(server.log) >= 60)
        workers = worker_pids(running)
        running.signal(signal.SIGKILL)
        ended = running.end()
        until(lambda: not any(alive(each) for each in workers))
        sent = len(server.log)
    assert ended.code == -signal.SIGKILL
    assert "conformance.json" not in ended.files
    again = judge_again(ended.directory / "trace.ndjson", tmp_path / "again")
    assert again.code == 3, again.said
    assert "cut off" in again.report["reason"]
    assert again.ids("passed")
    assert again.ids("untested")
    assert set() == again.ids("cant-tell") | again.ids("failed")
    # A request may have been on its way in each process.
    assert sent - 3 <= again.report["run"]["requests"] <= sent


def bound_files() -> None:
    """Let no file grow beyond a size, as on a disk that is nearly full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))


def test_a_full_disk_ends_a_run_with_a_sentence(tmp_path: Path) -> None:
    """The reports that fit are whole, the others are not there, and the trace is good as far as it goes."""
    directory = tmp_path / "run" / "reports"
    directory.mkdir(parents=True)
    (directory / "report.html").write_text("an earlier report", encoding="utf-8")
    with RawServer() as server:
        ended = smoke(server.url, cwd=tmp_path / "run", before=bound_files)
    assert ended.code == 3, ended.said
    assert "Traceback" not in ended.said
    assert "cannot be written" in ended.said
    assert ended.files["report.html"] == b"an earlier report"
    assert ended.report["outcome"] == "could-not-judge"
    assert ended.ids("untested")
    assert [] == [name for name in ended.files if name.startswith(".")]
    again = judge_again(directory / "trace.ndjson", tmp_path / "again")
    assert again.code == 3, again.said
    assert again.ids("passed")
    assert again.ids("untested")


def test_a_worker_that_crashes_is_a_fault_of_ours_and_the_rest_is_judged(tmp_path: Path) -> None:
    """Exit code 4; what it had recorded counts; and its end does not raise the limits of the run."""
    with RawServer(slowly) as server:
        # Two files of drivers, so that both workers have something to do.
        options = ("--max-creates", "9", "--clause", "auth.key", "--clause", "list.limit")
        running = Running(*SMOKE, server.url, *WORKERS, *options, cwd=tmp_path / "run")
        until(lambda: len(server.log) >= 60)
        os.kill(worker_pids(running)[0], signal.SIGKILL)
        ended = running.end()
        assert server.shop.created <= 9
        assert len(server.log) <= 1200
        recorded = [json.loads(line) for line in ended.files["trace.ndjson"].splitlines()]
        assert len(server.log) - 1 <= sum(each["kind"] == "exchange" for each in recorded) <= len(server.log)
    assert ended.code == 4, ended.said
    assert "crashed" in str(ended.report["suite_faults"])
    assert "fault" in ended.said
    assert ended.ids("passed")
    assert set() == ended.ids("failed")
    assert judge_again(ended.directory / "trace.ndjson", tmp_path / "again").code == 4
