"""`animal-conformance compare`: clauses by deployment, and what changed between two runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from urllib.parse import quote

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole, say
from animal_conformance.report.compare import compare as compare_reports
from animal_conformance.report.compare import read_report, report_file
from animal_conformance.report.compare_render import html, markdown, print_text
from animal_conformance.report.files import ReportError, write_whole


@click.command(short_help="Compare reports.")
@click.argument(
    "reports", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="REPORT..."
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown instead of text.")
@click.option(
    "--html",
    "html_file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Also write an HTML page, with links to each report.html.",
)
def compare(reports: tuple[Path, ...], *, as_markdown: bool, html_file: Path | None) -> None:
    """Compare reports (conformance.json, or directories that contain one).

    For two runs of one deployment, say what got worse and what got better; exit code 1 if a MUST clause broke.
    """
    if len(reports) < 2:
        fail("Name at least two reports to compare.")
    files = [report_file(each) for each in reports]
    try:
        comparison = compare_reports([read_report(each) for each in files])
        if html_file is not None:
            write_whole(html_file, html(comparison, [_page_of(each, html_file) for each in files]))
    except ReportError as error:
        fail(error)
    if as_markdown:
        say(markdown(comparison))
    else:
        print_text(comparison, OutputConsole())
    sys.exit(comparison.exit_code)


def _page_of(report: Path, page: Path) -> str:
    """Where report.html beside a report is, seen from a page; empty if there is none."""
    beside = report.with_name("report.html")
    if not beside.is_file():
        return ""
    return quote(Path(os.path.relpath(beside.resolve(), page.resolve().parent)).as_posix())
