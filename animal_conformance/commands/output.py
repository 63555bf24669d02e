"""Standard output whose reader may exit early, as in `animal-conformance run | head`.

The exit code is still the verdict, not that of a broken pipe.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import Final

import click
from rich.console import Console

from animal_conformance.report.github import for_job
from animal_conformance.session.interruptions import to_nowhere

WIDEST: Final = 1000


class OutputConsole(Console):
    """A console on standard output that ignores a broken pipe, and does not pass commands from servers to a CI job."""

    def __init__(self) -> None:
        super().__init__(file=for_job(sys.stdout, os.environ))
        # An environment variable may set any width, and every line is filled up to it.
        self.width = min(self.width, WIDEST)

    def on_broken_pipe(self) -> None:
        """Discard further output, instead of exiting."""
        write_to_nowhere()


def say(line: str) -> None:
    """Print a line, unless the reader has exited."""
    try:
        click.echo(line)
    except BrokenPipeError:
        write_to_nowhere()


def say_sentences(text: str, *, to_stderr: bool) -> None:
    """Print sentences, wrapped between words where they go to a terminal, and on one line elsewhere."""
    if (sys.stderr if to_stderr else sys.stdout).isatty():
        columns = shutil.get_terminal_size().columns
        text = textwrap.fill(text, columns, break_long_words=False, break_on_hyphens=False)
    click.echo(text, err=to_stderr)


def write_to_nowhere() -> None:
    """Discard standard output from now on."""
    to_nowhere(sys.stdout.fileno())
