"""Progress while a run goes, on a terminal only: a line that says how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console


class Progress:
    """A bar of drivers done. Where there is no terminal, such as in a CI log, nothing is drawn."""

    def __init__(self, console: Console) -> None:
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
        """Say what is being done."""
        self._bar.update(self._task, description=what.replace("[", "\\["))

    def advance(self, done: int, total: int) -> None:
        """Take note of how many drivers have ended."""
        self._bar.update(self._task, completed=done, total=total or None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()
