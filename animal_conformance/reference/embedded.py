"""The reference deployment in its own process, for as long as a program needs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

from animal_conformance.reference.errors import DeploymentError

__all__ = ["DeploymentError", "EmbeddedDeployment"]

# How long a deployment may take to start.
START_S = 20
_KEY_VARIABLE = "ANIMAL_STORE_API_KEY"
_ROOT = Path(__file__).resolve().parents[2]


class EmbeddedDeployment:
    """Context manager: starts a deployment on a free port of 127.0.0.1 and ends it.

    Takes the names of faults and variants, or of a null server; an ``api_key``, ``catalogue``, ``base_path`` or
    ``database`` of ``None`` is set by the variants or defaults. Within the context, ``base_url``, ``api_key`` and ``pid``
    are set. The deployment ends with this process, in whatever way that ends.

    :raises DeploymentError: with a sentence, if it cannot be started.
    """

    def __init__(
        self,
        *,
        faults: Sequence[str] = (),
        variants: Sequence[str] = (),
        null: str | None = None,
        api_key: str | None = None,
        catalogue: int | None = None,
        base_path: str | None = None,
        database: str | None = None,
    ) -> None:
        self.base_url = ""
        self.api_key = api_key or ""
        self.pid = 0
        self._process: subprocess.Popen[str] | None = None
        self._arguments = ["--json", "--exit-with-stdin"]
        self._arguments += [f"--fault={name}" for name in faults]
        self._arguments += [f"--variant={name}" for name in variants]
        settings = {"null": null, "catalogue": catalogue, "base-path": base_path, "database": database}
        self._arguments += [f"--{name}={value}" for name, value in settings.items() if value is not None]

    def start(self) -> Self:
        """Start the deployment and wait until it is ready."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
            # A file: an unread pipe would block a deployment that logs a lot.
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this package
                [sys.executable, "-m", "animal_conformance.reference", *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env=self._environment(),
                text=True,
                encoding="utf-8",
            )
            line = self._first_line(self._process)
            try:
                ready = json.loads(line)
                self.base_url, self.api_key = ready["base_url"], ready["api_key"]
                self.pid = ready["pid"]
            except (ValueError, KeyError, TypeError):
                self.stop()
                raise DeploymentError(_sentence(complaints)) from None
        return self

    def begin_stop(self) -> None:
        """Tell the deployment to end, which takes it some tenths of a second, without waiting for that."""
        if self._process is not None and self._process.stdin:
            self._process.stdin.close()

    def stop(self) -> None:
        """Stop the deployment, if it is running."""
        self.begin_stop()
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _environment(self) -> dict[str, str]:
        # The key is passed in the environment, which other users cannot read, unlike a command line.
        environment = {name: value for name, value in os.environ.items() if name != _KEY_VARIABLE}
        if self.api_key:
            environment[_KEY_VARIABLE] = self.api_key
        # The calling program may have found this package on a path that a new interpreter does not have.
        path = [str(_ROOT), *filter(None, [environment.get("PYTHONPATH")])]
        return {**environment, "PYTHONPATH": os.pathsep.join(path), "PYTHONUNBUFFERED": "1"}

    def _first_line(self, process: subprocess.Popen[str]) -> str:
        # Ends the wait for a line that never comes.
        timer = threading.Timer(START_S, process.kill)
        timer.daemon = True
        timer.start()
        try:
            return process.stdout.readline() if process.stdout else ""
        finally:
            timer.cancel()


def _sentence(complaints: IO[str]) -> str:
    complaints.seek(0)
    lines = complaints.read().strip().splitlines()
    return lines[-1] if lines else "The reference deployment did not start in time."
