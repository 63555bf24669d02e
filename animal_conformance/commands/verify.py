"""`animal-conformance verify`: whether a certificate holds."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from animal_conformance.commands.output import say
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES
from animal_conformance.report.certificate import shown
from animal_conformance.report.certificate import verify as problems_of
from animal_conformance.report.safe_text import safe_text


@click.command(short_help="Say whether a certificate holds.")
@click.argument("certificate", type=click.Path(exists=True, path_type=Path))
def verify(certificate: Path) -> None:
    """Recompute every field of CERTIFICATE from the files beside it, and say what does not hold, or what it says.

    CERTIFICATE is the file, or the directory that a run wrote it to.

    Who made it is for its signature to say. Exit code: 0 where all of it holds, 3 where something does not.
    """
    path = certificate / "certificate.json" if certificate.is_dir() else certificate
    problems = problems_of(path)
    for problem in problems:
        say(f"does not hold: {safe_text(problem)}")
    if problems:
        sys.exit(EXIT_CODES[COULD_NOT_JUDGE])
    say("The certificate holds: its files are the ones it names, and their trace gives its verdict again.")
    for label, text in shown(path):
        say(f"{label:10}  {safe_text(text)}")
