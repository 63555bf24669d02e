"""A forked process that becomes that of a command."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Start:
    """How a command is started; ``said`` is the directory for its output, and ``main`` is what is called."""

    main: Callable[[list[str]], object]
    arguments: list[str]
    cwd: Path
    env: dict[str, str]
    said: Path
    before: Callable[[], object] | None

    def prepare(self) -> None:
        """Set this process up as that of the command."""
        os.chdir(self.cwd)
        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(self.said / "stdout", writing, 0o600), 1)
        os.dup2(os.open(self.said / "stderr", writing, 0o600), 2)
        # Programs that a shell starts in the background ignore SIGINT, and so do the programs that they start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        if self.before is not None:
            self.before()


def run(start: Start) -> None:
    """Run the command in this process, which was forked for it."""
    os.setsid()
    os.environ.clear()
    os.environ.update(start.env)
    start.prepare()
    sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
    start.main(start.arguments)


def suite(arguments: list[str]) -> None:
    """`animal-conformance`."""
    from animal_conformance.__main__ import main  # noqa: PLC0415 - the process that starts a command need not wait

    main(arguments)


def as_pytest(arguments: list[str]) -> None:
    """`pytest`, which imports the plugin of the suite itself."""
    import pytest  # noqa: PLC0415 - as above

    sys.modules.pop("animal_conformance.session.plugin", None)
    sys.exit(pytest.main(arguments))
