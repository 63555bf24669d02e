"""What a CI job is told of a report, beside its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from animal_conformance.commands.failing import complain
from animal_conformance.commands.output import say
from animal_conformance.report import github
from animal_conformance.report.files import ReportError


def tell_job(report: dict[str, Any], reports: Path, unwritten: str) -> str:
    """Tell the CI job of a report, if this is a job, and say which file could not be written.

    :param reports: the directory of the reports.
    :param unwritten: why one of them could not be written; empty if all were.
    :returns: the same, or else why what the job reads could not be written.
    """
    try:
        github.tell_job(report, os.environ, reports)
    except ReportError as error:
        unwritten = unwritten or str(error)
    if unwritten:
        complain(unwritten)
    if github.running_there(os.environ):
        for command in github.commands(report):
            say(command)
    return unwritten
