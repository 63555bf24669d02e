"""The programs as processes, each on a free port of 127.0.0.1 for as long as a test needs it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from selftests.loopback.deployment import free_port

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
API_KEY = "kX7-fRameworks-Q2w9zB4"
LONGEST_START_S = 20


@contextmanager
def listening(program: str, **settings: str) -> Iterator[str]:
    """Start a program with these variables, and yield the base address at which it listens; it ends with the context."""
    port = free_port()
    path = HERE / program
    command = [str(node())] if path.suffix == ".js" else [sys.executable]
    environment = {**os.environ, "PORT": str(port), "API_KEY": API_KEY, "PYTHONPATH": str(ROOT), **settings}
    process = subprocess.Popen(
        [*command, str(path)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(process, port)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline_s = time.monotonic() + LONGEST_START_S
    while process.poll() is None and time.monotonic() < deadline_s:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"{process.args!r} does not listen.")


def node() -> str | None:
    """The path of Node.js, if it is installed."""
    return shutil.which("node")


def can_run(program: str) -> bool:
    """Whether a program can run here: whether its language and framework are installed."""
    return not program.endswith(".js") or has_express()


@cache
def has_express() -> bool:
    """Whether Node.js finds Express, in its own path or in NODE_PATH."""
    if node() is None:
        return False
    asked = [str(node()), "-e", "require('express')"]
    return subprocess.run(asked, capture_output=True, check=False, cwd=HERE, timeout=20).returncode == 0
