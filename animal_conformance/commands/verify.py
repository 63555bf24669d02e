"""`animal-conformance verify`: whether a certificate is valid."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import say
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES
from animal_conformance.report.certificate import CertificateError
from animal_conformance.report.certificate import verify as problems_of
from animal_conformance.report.files import ReportError


@click.command(short_help="Verify a certificate.")
@click.argument("certificate", type=click.Path(exists=True, path_type=Path))
def verify(certificate: Path) -> None:
    """Recompute the digests and the verdict of CERTIFICATE from the files next to it, and list the problems.

    CERTIFICATE is the file, or the directory to which a run wrote it.

    Who issued it can be established only by a signature. Exit code: 0 if it is valid, 3 if not.
    """
    try:
        problems = problems_of(certificate / "certificate.json" if certificate.is_dir() else certificate)
    except (CertificateError, ReportError) as error:
        fail(error)
    for problem in problems:
        say(f"invalid: {problem}")
    if problems:
        sys.exit(EXIT_CODES[COULD_NOT_JUDGE])
    say(
        "The certificate is valid: its files match their digests, and judging the trace again gives its verdict."
    )
