"""The command, measured: exit code, output, files, time and memory.

It runs in a process that is forked from one that has already imported it, since importing would otherwise take
most of its time; or in a new process, where its start is part of the test.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from animal_conformance.record.trace import Trace, read_trace
from selftests.loopback.child import Start, run, suite
from selftests.loopback.server import KEY, Behaviour, RawServer

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "animal_conformance")
# With one lane: on a loaded machine, answers come so late that a run would use more, and their requests would overlap.
SMOKE = ("run", "--profile", "smoke", "--settle", "0.1", "--connections", "1")
# Variables in the environment of the tests that would change what the command does.
FOREIGN = (
    "ANIMAL_STORE_", "GITHUB_", "PYTEST_", "FORCE_COLOR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
    "SSL_CERT",
)  # fmt: skip
LONGEST_S = 120.0

_WARM = get_context("forkserver")
_WARM.set_forkserver_preload(["selftests.loopback.warm"])
# multiprocessing polls all of its children whenever it starts one, even if another thread waits for them.
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Ended:
    """The results of a command that has ended; ``peak_mb`` is the most memory that it used."""

    code: int
    stdout: bytes
    stderr: bytes
    peak_mb: float
    directory: Path
    """Where it wrote its reports."""

    @property
    def output(self) -> str:
        """What it printed."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def complaints(self) -> str:
        """What it printed on standard error."""
        return self.stderr.decode("utf-8", "replace")

    @property
    def said(self) -> str:
        """Everything on the terminal, with its lines joined, since a narrow terminal breaks sentences."""
        return " ".join((self.output + self.complaints).split())

    @cached_property
    def report(self) -> dict[str, Any]:
        """conformance.json; if there is none, fail with the output of the command."""
        path = self.directory / "conformance.json"
        assert path.exists(), self.said
        report: dict[str, Any] = json.loads(path.read_bytes())
        return report

    @cached_property
    def trace(self) -> Trace:
        """trace.ndjson."""
        return read_trace(self.directory / "trace.ndjson")

    @property
    def sent(self) -> list[tuple[str, str, bytes | None]]:
        """The method, target and body of each request, in the order of the trace."""
        requests = [each.request for each in self.trace.exchanges]
        return [(each.method, each.target, each.body) for each in requests]

    @property
    def files(self) -> dict[str, bytes]:
        """Every file in the report directory."""
        return {each.name: each.read_bytes() for each in sorted(self.directory.rglob("*")) if each.is_file()}

    @property
    def everything(self) -> dict[str, bytes]:
        """Every byte that the run wrote: its output and files, by name."""
        return {"stdout": self.stdout, "stderr": self.stderr, **self.files}

    def outcomes(self, level: str = "") -> dict[str, str]:
        """The outcome of each clause, or of each clause of a level."""
        return {each["id"]: each["outcome"] for each in self.report["clauses"] if level in each["level"]}

    def ids(self, outcome: str, level: str = "") -> set[str]:
        """The clauses that have an outcome."""
        return {name for name, each in self.outcomes(level).items() if each == outcome}

    @property
    def failed_musts(self) -> set[str]:
        """The MUST clauses that failed."""
        return self.ids("failed", "MUST")

    def clause(self, name: str) -> dict[str, Any]:
        """A clause of the report."""
        found: dict[str, Any] = next(each for each in self.report["clauses"] if each["id"] == name)
        return found


class Running:
    """A command that was started in a directory; :meth:`end` waits until it ends, or ends it if it takes too long.

    :param env: variables; the key is set, and None unsets it.
    :param program: the program to start in a new process; without it, ``main`` is called in a forked one.
    :param before: called in the process, before anything else.
    :param reports: where its reports will be, if not in ``reports`` below its directory.
    :param longest_s: how long it may take.
    """

    def __init__(
        self,
        *arguments: str | Path,
        cwd: Path,
        env: Mapping[str, str | None] | None = None,
        program: tuple[str, ...] = (),
        main: Callable[[list[str]], object] = suite,
        before: Callable[[], object] | None = None,
        reports: Path | None = None,
        longest_s: float = LONGEST_S,
    ) -> None:
        self._longest_s = longest_s
        cwd.mkdir(parents=True, exist_ok=True)
        self.directory = reports or cwd / "reports"
        self._said = Path(tempfile.mkdtemp(prefix="said-"))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        given = {
            **kept,
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "ANIMAL_STORE_API_KEY": KEY,
            **(env or {}),
        }
        variables = {name: value for name, value in given.items() if value is not None}
        self._started_s = time.monotonic()
        words = [str(each) for each in arguments]
        start = Start(main, words, cwd, variables, self._said, before)
        self.pid, self.poll = _apart([*program, *words], start) if program else _forked(start)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    @property
    def complaints_so_far(self) -> bytes:
        """What it has printed on standard error until now."""
        return (self._said / "stderr").read_bytes()

    def end(self) -> Ended:
        """Wait for it."""
        peak_mb = 0.0
        while (code := self.poll()) is None:
            peak_mb = max(peak_mb, _peak_mb(self.pid))
            if time.monotonic() - self._started_s > self._longest_s:
                self.signal(signal.SIGKILL)
            time.sleep(0.01)
        stdout, stderr = ((self._said / name).read_bytes() for name in ("stdout", "stderr"))
        shutil.rmtree(self._said)
        return Ended(code, stdout, stderr, peak_mb, self.directory)


def _forked(start: Start) -> tuple[int, Callable[[], int | None]]:
    process = _WARM.Process(target=run, args=(start,))

    def poll() -> int | None:
        with _LOCK:
            return process.exitcode

    with _LOCK:
        process.start()
    assert process.pid is not None
    return process.pid, poll


def _apart(command: list[str], start: Start) -> tuple[int, Callable[[], int | None]]:
    process = subprocess.Popen(
        command,
        env=start.env,
        preexec_fn=start.prepare,  # noqa: PLW1509 - the tests' threads hold no lock that it needs
        start_new_session=True,
    )
    return process.pid, process.poll


def _peak_mb(pid: int) -> float:
    """The most memory that a process has used until now; the figure of wait4 would include the test's own memory."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s*(\d+) kB", status, flags=re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def command(*arguments: str | Path, cwd: Path, **settings: Any) -> Ended:
    """Run the command until it ends, with the settings of :class:`Running`."""
    return Running(*arguments, cwd=cwd, **settings).end()


def smoke(*arguments: str | Path, cwd: Path, **settings: Any) -> Ended:
    """A small run: of the address that is named, or of the embedded deployment."""
    return command(*SMOKE, *arguments, cwd=cwd, **settings)


def against(
    behaviour: Behaviour | None, *options: str | Path, cwd: Path, code: int = 0, **settings: Any
) -> tuple[Ended, RawServer]:
    """A small run against a server with this behaviour, which must end with this exit code; and the server."""
    with RawServer(behaviour) as server:
        ended = smoke(server.url, *options, cwd=cwd, **settings)
    assert code == ended.code, ended.said
    return ended, server


def judge_again(file: Path, cwd: Path) -> Ended:
    """`animal-conformance report`."""
    return command("report", file, "--report-dir", "reports", cwd=cwd)


class Runs(Mapping[str, Ended]):
    """Commands by name, each run when it is first needed: a process needs only those of its own tests."""

    def __init__(self, **calls: Callable[[], Ended]) -> None:
        self._calls = calls
        self._ended: dict[str, Ended] = {}

    def __getitem__(self, name: str) -> Ended:
        if name not in self._ended:
            self._ended[name] = self._calls[name]()
        return self._ended[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)
