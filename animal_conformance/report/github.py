"""GitHub Actions output: annotations, the summary on the page of the job, and the outputs of the step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final, cast

from animal_conformance.judge.outcome import COULD_NOT_JUDGE, final_outcome, is_binding
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report import words
from animal_conformance.report.files import ReportError
from animal_conformance.report.safe_text import safe_text, well_formed

# GitHub shows ten annotations of each kind per step, and drops the rest.
MOST: Final = 10
LONGEST: Final = 1000
# What the runner takes for a command: two colons at the beginning of a line, and ##[ anywhere.
_COMMAND: Final = re.compile(r"(?m)^[^\S\n]*:(?=:)|#(?=#\[)")


def running_there(environ: Mapping[str, str]) -> bool:
    """Whether this is a GitHub Actions job (or a compatible one)."""
    return environ.get("GITHUB_ACTIONS") == "true"


class WithoutCommands:
    """A stream that a job reads, in which no text of a server is a workflow command, wherever its lines are broken."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write a text, with a space that breaks each workflow command."""
        return self._file.write(_COMMAND.sub(lambda found: f"{found.group()} ", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def for_job(file: IO[str], environ: Mapping[str, str]) -> IO[str]:
    """A stream on which text of servers can be shown: without workflow commands, if a job reads it."""
    return cast("IO[str]", WithoutCommands(file)) if running_there(environ) else file


def commands(report: dict[str, Any]) -> list[str]:
    """The workflow commands, one per line: errors for MUST clauses, warnings for SHOULD clauses, notices for known failures."""
    errors = [
        _command("error", "animal-conformance", f"Fault in the suite itself: {each}")
        for each in report["suite_faults"]
    ]
    if final_outcome(report) == COULD_NOT_JUDGE:
        told = f"{words.shown_reason(report)} {report['remedy']}".strip()
        errors.append(_command("error", "Could not be judged", told))
    errors += [_command("error", "Threshold exceeded", each) for each in words.exceeded_thresholds(report)]
    errors += [
        _command("error", "Expectation out of date", each) for each in words.stale_expectations(report)
    ]
    known = words.known_failures(report)
    warnings: list[str] = []
    notices: list[str] = []
    for clause in report["clauses"]:
        if clause["outcome"] != ClauseOutcome.FAILED:
            continue
        finding = clause["findings"][0]
        text = f"{finding['message']}\nRequired: {clause['title']}\nExpected: {finding['expected']}\nObserved: {finding['observed']}"
        title = f"{clause['id']} ({clause['level']})"
        if clause["id"] in known:
            notices.append(_command("notice", title, f"{known[clause['id']]}\n{text}"))
            continue
        binding = is_binding(clause["level"], report)
        (errors if binding else warnings).append(_command("error" if binding else "warning", title, text))
    return errors[:MOST] + warnings[:MOST] + notices[:MOST]


def mistake(sentence: str) -> str:
    """The workflow command that shows why a command could not do what was requested."""
    return _command("error", "animal-conformance", sentence)


def tell_job(report: dict[str, Any], environ: Mapping[str, str], reports: Path) -> None:
    """Append the summary and the outputs to the files named by GITHUB_STEP_SUMMARY and GITHUB_OUTPUT, if they are set.

    :param reports: the directory of the reports.
    :raises ReportError: if such a file cannot be written.
    """
    from animal_conformance.report.summary import summary  # noqa: PLC0415 - no run waits for the templates to begin

    outputs = {
        "outcome": final_outcome(report),
        "scope": report["scope"],
        "headline": words.verdict_words(report).lower(),
        "report": reports / "conformance.json",
    }
    # The outputs come first: later steps depend on them, and nothing depends on the summary.
    _append("GITHUB_OUTPUT", environ, "\n".join(f"{name}={value}" for name, value in outputs.items()))
    _append("GITHUB_STEP_SUMMARY", environ, summary(well_formed(report)))


def _append(variable: str, environ: Mapping[str, str], text: str) -> None:
    path = environ.get(variable)
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    except OSError as error:
        raise ReportError(f"Cannot append to {path}, which {variable} names: {error.strerror}.") from error


def _command(kind: str, title: str, text: str) -> str:
    data = safe_text(text, lines=True, length=LONGEST).replace("%", "%25").replace("\n", "%0A")
    name = safe_text(title).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={name}::{data}"
