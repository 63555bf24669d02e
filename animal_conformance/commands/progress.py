"""Progress during a run: a bar on a terminal, and a line now and then elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

if TYPE_CHECKING:
    from rich.console import Console

# In a CI log, a shorter run prints nothing, and a longer one shows that it is alive.
SILENCE_S: Final = 30.0


class Progress:
    """A bar of completed drivers; without a terminal, such as in a CI log, a line every ``silence_s``."""

    def __init__(self, console: Console, silence_s: float = SILENCE_S) -> None:
        self._console = console
        self._silence_s = silence_s
        self._what = ""
        self._began_s = self._said_s = time.monotonic()
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=None)

    def say(self, what: str) -> None:
        """Show what is being done."""
        self._what = what
        self._bar.update(self._task, description=what.replace("[", "\\["))
        self._break_silence("")

    def advance(self, done: int, total: int) -> None:
        """Record how many drivers have completed."""
        self._bar.update(self._task, completed=done, total=total or None)
        self._break_silence(f", {done:,} of {total:,} drivers done" if total else "")

    def _break_silence(self, how_far: str) -> None:
        now_s = time.monotonic()
        if self._console.is_terminal or now_s - self._said_s < self._silence_s:
            return
        self._said_s = now_s
        self._console.print(
            f"{self._what}{how_far} after {now_s - self._began_s:.0f} s",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()
