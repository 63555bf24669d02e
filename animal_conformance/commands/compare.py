"""`animal-conformance compare`: clauses by deployments, and what changed between two runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from animal_conformance.commands.failing import fail
from animal_conformance.commands.output import OutputConsole, say
from animal_conformance.report.compare import compare as compare_reports
from animal_conformance.report.compare import read_report
from animal_conformance.report.compare_render import html, markdown, print_text
from animal_conformance.report.files import ReportError, write_whole


@click.command(short_help="Set reports side by side, and say what got worse.")
@click.argument(
    "reports", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="REPORT..."
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown instead of text.")
@click.option(
    "--html",
    "html_file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write a page as well.",
)
def compare(reports: tuple[Path, ...], *, as_markdown: bool, html_file: Path | None) -> None:
    """Set reports (conformance.json, or directories that hold one) side by side.

    Two runs of one deployment: what got worse and what got better; exit code 1 where a MUST clause got worse.
    """
    if len(reports) < 2:
        fail("There is nothing to compare with: name two reports or more.")
    try:
        comparison = compare_reports(
            [read_report(each / "conformance.json" if each.is_dir() else each) for each in reports]
        )
        if html_file is not None:
            write_whole(html_file, html(comparison))
    except ReportError as error:
        fail(error)
    if as_markdown:
        say(markdown(comparison))
    else:
        print_text(comparison, OutputConsole())
    sys.exit(comparison.exit_code)
