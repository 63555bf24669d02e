"""Commands that the tests of several processes look at, each run once."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from selftests.loopback.command import Ended, Runs


class SharedRuns(Runs):
    """Commands by name, each run once for all processes of a pytest run: the first that needs one keeps what it said.

    :param home: a directory that these processes share.
    :raises AssertionError: if a command does not end as it should; the next process tries it again.
    """

    def __init__(self, home: Path, **calls: Callable[[], Ended]) -> None:
        super().__init__(**calls)
        self._home = home

    def __getitem__(self, name: str) -> Ended:
        kept = self._home / f"{name}.ended"
        if name not in self._ended:
            with FileLock(kept.with_suffix(".lock")):
                if not kept.exists():
                    kept.write_bytes(pickle.dumps(super().__getitem__(name)))
            self._ended[name] = pickle.loads(kept.read_bytes())  # noqa: S301 - written above
        return super().__getitem__(name)


def shared_directory(name: str, temporary: pytest.TempPathFactory) -> Path:
    """A directory that all processes of a pytest run share."""
    base = temporary.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    home.mkdir(exist_ok=True)
    return home
