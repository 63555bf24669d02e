"""`animal-conformance verify`: whether a certificate is valid."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import say
from animal_conformance.judge.outcome import COULD_NOT_JUDGE, EXIT_CODES
from animal_conformance.report.certificate import certificates, index_page, shown
from animal_conformance.report.certificate import verify as problems_of
from animal_conformance.report.files import ReportError, write_whole
from animal_conformance.report.safe_text import safe_text


@click.command(short_help="Verify a certificate.")
@click.argument("certificate", required=False, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--index",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    metavar="DIR",
    help="Verify every certificate in DIR and below it, and write DIR/index.html, a list of them to publish.",
)
def verify(certificate: Path | None, index: Path | None) -> None:
    """Recompute every field of CERTIFICATE from the files next to it, and list the problems, or what it says.

    CERTIFICATE is the file, or the directory to which a run wrote it.

    Who issued it can be established only by a signature. Exit code: 0 if it is valid, 3 if not.
    """
    if (certificate is None) == (index is None):
        fail("Name a certificate, or with --index a directory of certificates.")
    valid = _verified(certificate) if certificate else _listed(index or Path())
    if not valid:
        sys.exit(EXIT_CODES[COULD_NOT_JUDGE])


def _verified(certificate: Path) -> bool:
    path = certificate / "certificate.json" if certificate.is_dir() else certificate
    problems = problems_of(path)
    for problem in problems:
        say(f"invalid: {safe_text(problem)}")
    if problems:
        return False
    say(
        "The certificate is valid: its files match their digests, and judging the trace again gives its verdict."
    )
    for label, text in shown(path):
        say(_lines(f"{label:10}  {safe_text(text)}"))
    return True


def _lines(text: str) -> str:
    """A label and its text, wrapped to lines that are easy to read; ids and addresses stay whole."""
    return textwrap.fill(
        text, width=100, subsequent_indent=" " * 12, break_long_words=False, break_on_hyphens=False
    )


def _listed(directory: Path) -> bool:
    found = certificates(directory)
    if not found:
        fail(f"There is no certificate.json in {directory}, nor below it.", EXIT_CODES[COULD_NOT_JUDGE])
    try:
        page = write_whole(directory / "index.html", index_page(found))
    except ReportError as error:
        fail(error)
    for each in found:
        say(f"{'invalid' if each.problems else 'valid':8} {safe_text(each.name)} ({safe_text(each.place)})")
        for problem in each.problems:
            say(f"         {safe_text(problem)}")
    say(f"The list is {page}.")
    return not any(each.problems for each in found)
