"""The clock of a run, and interruptible waits."""

from __future__ import annotations

import threading
import time


class Clock:
    """Seconds since a run began, the same for all of its lanes.

    :param origin_s: when the run began, on the clock of ``time.monotonic``; default: now.
    """

    def __init__(self, origin_s: float | None = None) -> None:
        self._origin_s = time.monotonic() if origin_s is None else origin_s
        self._stopped = threading.Event()

    def now_s(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._origin_s

    def sleep(self, seconds: float) -> None:
        """Wait, or return early if the run is stopped."""
        self._stopped.wait(max(0.0, seconds))

    @property
    def stopped(self) -> bool:
        """Whether the run was stopped."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End every wait, from now on."""
        self._stopped.set()
