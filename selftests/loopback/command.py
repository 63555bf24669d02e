"""The real command in a process of its own, measured: exit code, output, files, time and memory."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from selftests.loopback.server import KEY

ROOT = Path(__file__).parents[2]
LONGEST_S = 90.0
COMMAND = (sys.executable, "-m", "animal_conformance")
# Variables of whoever runs the tests that would change what the command does.
FOREIGN = (
    "ANIMAL_STORE_",
    "GITHUB_",
    "PYTEST_",
    "FORCE_COLOR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "SSL_CERT",
)


@dataclass(frozen=True)
class Ended:
    """What is left of a command that has ended; ``peak_mb`` is the most memory that it held."""

    code: int
    output: bytes
    complaints: bytes
    seconds: float
    peak_mb: float
    directory: Path

    @cached_property
    def report(self) -> dict[str, Any]:
        """The report; fails with what the command said where there is none."""
        path = self.directory / "conformance.json"
        assert path.exists(), self.said
        report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return report

    @property
    def said(self) -> str:
        """Everything on the terminal."""
        return (self.output + self.complaints).decode("utf-8", "replace")

    @property
    def files(self) -> dict[str, bytes]:
        """Every file in the report directory."""
        return {each.name: each.read_bytes() for each in sorted(self.directory.rglob("*")) if each.is_file()}

    @property
    def everything(self) -> dict[str, bytes]:
        """Every byte that the run wrote, by where."""
        return {"stdout": self.output, "stderr": self.complaints, **self.files}

    def ids(self, outcome: str) -> set[str]:
        """The clauses with an outcome."""
        return {each["id"] for each in self.report["clauses"] if each["outcome"] == outcome}

    @property
    def failed_musts(self) -> set[str]:
        """The MUST clauses that failed."""
        return {
            each["id"]
            for each in self.report["clauses"]
            if each["outcome"] == "failed" and each["level"] == "MUST"
        }


class Running:
    """A command that was started; :meth:`end` waits for its end, and ends it where it takes too long."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        directory: Path,
        environment: Mapping[str, str] | None = None,
        command: tuple[str, ...] = COMMAND,
        before: Callable[[], None] | None = None,
    ) -> None:
        self.directory = directory
        self._beside = directory.with_name(f"{directory.name}.said")
        self._beside.mkdir(parents=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        self._started_s = time.monotonic()

        def prepare() -> None:
            # Shells have what they start in the background ignore it, and so what that starts.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if before is not None:
                before()

        with (self._beside / "stdout").open("wb") as stdout, (self._beside / "stderr").open("wb") as stderr:
            self.process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                cwd=self._beside,
                env={**kept, "PYTHONPATH": str(ROOT), "ANIMAL_STORE_API_KEY": KEY, **(environment or {})},
                preexec_fn=prepare,  # noqa: PLW1509 - sets limits, and the tests' threads hold no lock of them
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def end(self) -> Ended:
        """Wait for it."""
        peak_mb = 0.0
        while (code := self.process.poll()) is None:
            peak_mb = max(peak_mb, _peak_mb(self.pid))
            if time.monotonic() - self._started_s > LONGEST_S:
                self.process.kill()
            time.sleep(0.01)
        return Ended(
            code,
            (self._beside / "stdout").read_bytes(),
            (self._beside / "stderr").read_bytes(),
            time.monotonic() - self._started_s,
            peak_mb,
            self.directory,
        )


def _peak_mb(pid: int) -> float:
    """The most memory that a process has held until now; what wait4 says would include the test's own."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s*(\d+) kB", status, flags=re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def start(url: str, directory: Path, *options: str, **settings: Any) -> Running:
    """Start a small run against an address."""
    # A smoke run is one worker's.
    shared = "2" in options[1:] and options[options.index("2") - 1] == "--workers"
    fixed = (
        "--profile",
        "standard" if shared else "smoke",
        "--timeout",
        "1",
        "--settle",
        "0.1",
        "--report-dir",
        str(directory),
    )
    return Running(("run", url, *fixed, *options), directory, **settings)


def run(url: str, directory: Path, *options: str, **settings: Any) -> Ended:
    """Make a small run against an address."""
    return start(url, directory, *options, **settings).end()


def judge_again(trace: Path, directory: Path, *options: str) -> Ended:
    """Make reports of a trace."""
    return Running(("report", str(trace), "--report-dir", str(directory), *options), directory).end()
