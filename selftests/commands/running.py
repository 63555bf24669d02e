"""The command as a process: what it said, how it ended, and what it wrote; and servers for it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import Message, Receive, Scope, Send

from animal_conformance.record.trace import Trace, read_trace
from animal_conformance.reference import catalogue
from animal_conformance.reference.server import Options, assemble, load, stack

ROOT = Path(__file__).parents[2]
KEY = "aB3dEf7hJ9kLmN2pQr5sTu8vWx1yZ046"
COMMAND = (sys.executable, "-m", "animal_conformance")
# What whoever runs the tests may have set, and what would change what the command does.
FOREIGN = ("ANIMAL_STORE_", "GITHUB_", "PYTEST_", "FORCE_COLOR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
LONGEST_S = 90


@dataclass(frozen=True)
class Ended:
    """What is left of a command that has ended; ``directory`` is where it wrote its reports."""

    code: int
    output: str
    complaints: str
    seconds: float
    directory: Path

    @property
    def said(self) -> str:
        """Everything on the terminal, with its lines joined, as a narrow terminal breaks sentences."""
        return " ".join((self.output + self.complaints).split())

    @cached_property
    def report(self) -> dict[str, Any]:
        """conformance.json; fails with what the command said where there is none."""
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
        return [
            (each.request.method, each.request.target, each.request.body) for each in self.trace.exchanges
        ]

    def outcomes(self, level: str = "") -> dict[str, str]:
        """The outcome of each clause, or of each of a level."""
        return {each["id"]: each["outcome"] for each in self.report["clauses"] if level in each["level"]}

    def ids(self, outcome: str, level: str = "") -> set[str]:
        """The clauses that have an outcome."""
        return {name for name, each in self.outcomes(level).items() if each == outcome}

    def clause(self, name: str) -> dict[str, Any]:
        """A clause of the report."""
        found: dict[str, Any] = next(each for each in self.report["clauses"] if each["id"] == name)
        return found


def command(
    *arguments: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = COMMAND,
    reports: Path | None = None,
) -> Ended:
    """Run the command (or another program) in a directory; its reports are in ``reports`` below it."""
    cwd.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    started_s = time.monotonic()
    done = subprocess.run(
        [*program, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **(env or {})},
        timeout=LONGEST_S,
        check=False,
    )
    return Ended(
        done.returncode,
        done.stdout.decode("utf-8"),
        done.stderr.decode("utf-8"),
        time.monotonic() - started_s,
        reports or cwd / "reports",
    )


def run(*arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Ended:
    """`animal-conformance run`."""
    return command("run", *arguments, cwd=cwd, env=env)


def smoke(*arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Ended:
    """`animal-conformance run --profile smoke`."""
    return run("--profile", "smoke", *arguments, cwd=cwd, env=env)


def together(**calls: Callable[[], Ended]) -> dict[str, Ended]:
    """Several commands, a few at the same time, as starting them takes longest."""
    with ThreadPoolExecutor(max_workers=3) as threads:
        begun = {name: threads.submit(call) for name, call in calls.items()}
        return {name: each.result() for name, each in begun.items()}


@dataclass
class Counted:
    """A deployment in this process that counts for itself what arrives and what it adds."""

    base_url: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)

    @property
    def env(self) -> dict[str, str]:
        """The variables that lead the command here."""
        return {"ANIMAL_STORE_BASE_URL": self.base_url, "ANIMAL_STORE_API_KEY": KEY}

    @property
    def created(self) -> int:
        """How many creations were answered with 201."""
        return self.statuses["POST", 201]


@contextmanager
def counted(*faults: str, variants: Sequence[str] = (), null: str | None = None) -> Iterator[Counted]:
    """A fresh deployment on a free port of 127.0.0.1, for as long as the context lasts."""
    options = Options(api_key=KEY, faults=faults, variants=variants, null=null)
    changes = load(options)
    service = assemble(options, changes)
    app = stack(service, changes, null)
    seen = Counted()

    async def counting(scope: Scope, receive: Receive, send: Send) -> None:
        method, query = scope["method"], scope["query_string"].decode("latin-1")
        path = scope["raw_path"].decode("latin-1").removeprefix(service.settings.base_path)
        seen.requests.append((method, f"{path}?{query}" if query else path))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.statuses[method, message["status"]] += 1
            await send(message)

        await app(scope, receive, sending)

    config = uvicorn.Config(counting, port=0, lifespan="off", ws="none", log_config=None, server_header=False)
    server = uvicorn.Server(config)

    def serve() -> None:
        # The store belongs to the thread that opens it.
        service.open(list(catalogue.animals(service.settings.catalogue)))
        server.run()
        service.store.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    end_s = time.monotonic() + 10
    while not server.started and time.monotonic() < end_s:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    seen.base_url = f"http://127.0.0.1:{port}{service.settings.base_path}"
    try:
        yield seen
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def serving(*arguments: str, cwd: Path) -> Iterator[dict[str, str]]:
    """`animal-conformance serve` as a process of its own; gives the variables that lead to it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    with subprocess.Popen(
        [*COMMAND, "serve", "--json", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            yield {"ANIMAL_STORE_BASE_URL": ready["base_url"], "ANIMAL_STORE_API_KEY": ready["api_key"]}
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)
