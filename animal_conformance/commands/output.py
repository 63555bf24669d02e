"""Standard output whose reader may go away, as that of `animal-conformance run | head` does.

The exit code is the verdict then as well, and not that of a broken pipe.
"""

from __future__ import annotations

import os
import sys

import click
from rich.console import Console


class OutputConsole(Console):
    """A console on standard output that goes on without a reader."""

    def on_broken_pipe(self) -> None:
        """Write to nowhere from now on, instead of exiting."""
        write_to_nowhere()


def say(line: str) -> None:
    """Print a line, if there is still somebody who reads."""
    try:
        click.echo(line)
    except BrokenPipeError:
        write_to_nowhere()


def write_to_nowhere() -> None:
    """Let standard output go nowhere from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
