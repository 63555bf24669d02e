"""An event loop in which waiting takes no time: its clock advances by itself, and jumps to the next event."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Mapping
from typing import Any, Final, TypeVar
from unittest.mock import patch

T = TypeVar("T")

BEGINNING: Final = 1_795_000_000.0
"""The time by the wall clock at which every loop begins: in November 2026."""
TICK_S: Final = 1e-6


class _Unwaiting(selectors.SelectSelector):
    """A selector that never waits, but advances the clock instead."""

    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            message = "Everything waits, and nothing will ever happen."
            raise RuntimeError(message)
        self.now_s += max(0.0, timeout)
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop with a clock of its own, which like a real one never shows the same time twice."""

    def __init__(self) -> None:
        self._unwaiting = _Unwaiting()
        super().__init__(self._unwaiting)

    def time(self) -> float:
        """Seconds since the loop began."""
        self._unwaiting.now_s += TICK_S
        return self._unwaiting.now_s


def simulated(work: Coroutine[Any, Any, T]) -> T:
    """Do work on a simulated clock, which the module ``time`` shows as well until the work is done."""
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        clock = runner.get_loop().time
        clocks: Mapping[str, Any] = {"monotonic": clock, "time": lambda: BEGINNING + clock()}
        with patch.multiple("time", **clocks):
            return runner.run(work)
