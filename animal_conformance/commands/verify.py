"""`animal-conformance verify`: whether a certificate is valid."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from animal_conformance.commands.output import say
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES
from animal_conformance.report.certificate import shown
from animal_conformance.report.certificate import verify as problems_of
from animal_conformance.report.safe_text import safe_text


@click.command(short_help="Verify a certificate.")
@click.argument("certificate", type=click.Path(exists=True, path_type=Path))
def verify(certificate: Path) -> None:
    """Recompute every field of CERTIFICATE from the files next to it, and list the problems, or what it says.

    CERTIFICATE is the file, or the directory to which a run wrote it.

    Who issued it can be established only by a signature. Exit code: 0 if it is valid, 3 if not.
    """
    path = certificate / "certificate.json" if certificate.is_dir() else certificate
    problems = problems_of(path)
    for problem in problems:
        say(f"invalid: {safe_text(problem)}")
    if problems:
        sys.exit(EXIT_CODES[COULD_NOT_JUDGE])
    say(
        "The certificate is valid: its files match their digests, and judging the trace again gives its verdict."
    )
    for label, text in shown(path):
        say(f"{label:10}  {safe_text(text)}")
