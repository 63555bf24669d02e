"""How a command ends where it cannot do what it was asked."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from animal_conformance.judge.outcome import EXIT_USAGE


def fail(sentence: object, code: int = EXIT_USAGE) -> NoReturn:
    """Say why in a sentence, and end with a code."""
    click.echo(f"animal-conformance: {sentence}", err=True)
    sys.exit(code)
