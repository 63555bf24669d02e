"""How a command exits if it cannot do what was requested."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from animal_conformance.judge.outcome import EXIT_USAGE


def fail(sentence: object, code: int = EXIT_USAGE) -> NoReturn:
    """Print the reason in a sentence, and exit with a code."""
    click.echo(f"animal-conformance: {sentence}", err=True)
    sys.exit(code)
