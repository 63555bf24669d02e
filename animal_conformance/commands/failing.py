"""How a command exits if it cannot do what was requested."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

from animal_conformance.judge.outcome import EXIT_USAGE
from animal_conformance.report.github import mistake, running_there


def fail(sentence: object, code: int = EXIT_USAGE) -> NoReturn:
    """Print the reason in a sentence, and exit with a code."""
    complain(sentence)
    sys.exit(code)


def complain(sentence: object) -> None:
    """Print what went wrong in a sentence, also for the page of the CI job if this is one."""
    click.echo(f"animal-conformance: {sentence}", err=True)
    annotate(sentence)


def annotate(sentence: object) -> None:
    """Let the page of the CI job show what went wrong, if this is one: a job's standard error is read as well."""
    if running_there(os.environ):
        click.echo(mistake(str(sentence)), err=True)
