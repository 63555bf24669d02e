"""Reports side by side: clauses by deployment, what clients cannot rely on, and what changed between runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.inputs import REPORT_BYTES, json_problem, read_at_most
from animal_conformance.record.trace import KIND
from animal_conformance.report.files import ReportError
from animal_conformance.report.report import FORMAT
from animal_conformance.report.safe_text import safe_text
from animal_conformance.report.words import verdict_words

# How good an outcome is; any other is in between, since a clause that is no longer known to hold may be broken.
KNOWN: Final = {ClauseOutcome.PASSED.value: 2, ClauseOutcome.FAILED.value: 0}

REPORT: Final = "conformance.json"
# How much is shown of what is wrong with a report.
LONGEST_PART: Final = 200


@dataclass(frozen=True)
class Change:
    """A clause whose outcome differs between two runs."""

    id: str
    level: str
    title: str
    before: str
    after: str

    @property
    def worse(self) -> bool:
        """Whether the outcome got worse."""
        return KNOWN.get(self.after, 1) < KNOWN.get(self.before, 1)

    @property
    def broken(self) -> bool:
        """Whether a MUST clause fails that did not fail before."""
        return self.level == Level.MUST and self.after == ClauseOutcome.FAILED


@dataclass(frozen=True)
class Row:
    """A clause, and its outcome in each report; ``None`` if a report does not contain it."""

    id: str
    level: str
    title: str
    outcomes: tuple[str | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the reports disagree."""
        return len(set(self.outcomes)) > 1


@dataclass(frozen=True)
class Question:
    """An open question, and the answers in each report."""

    id: str
    question: str
    answers: tuple[tuple[str, ...], ...]

    @property
    def differs(self) -> bool:
        """Whether two reports have no answer in common, so that clients cannot rely on one."""
        known = [set(each) for each in self.answers if each]
        return any(not one & other for one in known for other in known)


@dataclass(frozen=True)
class Comparison:
    """Reports side by side.

    ``names`` are the columns, ``verdicts`` the outcomes, ``dates`` the days of the runs. ``changes`` is what differs between two runs of
    one deployment, worse outcomes first; ``None`` for any other reports. ``warnings`` are sentences.
    """

    names: tuple[str, ...]
    verdicts: tuple[str, ...]
    dates: tuple[str, ...]
    rows: tuple[Row, ...]
    questions: tuple[Question, ...]
    changes: tuple[Change, ...] | None
    warnings: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if a MUST clause got worse between two runs of one deployment."""
        return 1 if any(each.broken for each in self.changes or ()) else 0


def report_file(path: Path) -> Path:
    """The path of a report; if a directory is named, the report in it."""
    return path / REPORT if path.is_dir() else path


def read_report(path: Path) -> dict[str, Any]:
    """A conformance.json.

    :raises ReportError: if it cannot be read, or has another format.
    """
    try:
        content = read_at_most(path, REPORT_BYTES)
        report = json.loads(content)
    except OSError as error:
        raise ReportError(f"Cannot read the report {path}: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        if KIND.encode() in content.partition(b"\n")[0]:
            raise ReportError(
                f"{path} is not a report, but a trace, which `animal-conformance report` judges: name {REPORT}."
            ) from error
        raise ReportError(f"{path} is not a report: {json_problem(error)}.") from error
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        raise ReportError(f"{path} is not a report of this suite: its format is not {FORMAT}.")
    if problem := _misfit(report):
        raise ReportError(f"{path} is not a complete report: {problem}.")
    return report


def _misfit(report: dict[str, Any]) -> str:
    """Where and how a report violates spec/report.schema.json; empty if it does not."""
    import jsonschema_rs  # noqa: PLC0415 - few commands read a report

    schema = json.loads(spec_file("report.schema.json").read_bytes())
    error = next(jsonschema_rs.validator_for(schema).iter_errors(report), None)
    if error is None:
        return ""
    where = "/".join(map(str, error.instance_path)) or "it"
    return f"{safe_text(where, length=LONGEST_PART)}: {safe_text(error.message, length=LONGEST_PART)}"


def compare(reports: Sequence[dict[str, Any]]) -> Comparison:
    """Put reports side by side; two of one deployment are treated as before and after."""
    clauses: dict[str, dict[str, Any]] = {}
    questions: dict[str, str] = {}
    for report in reports:
        for clause in report["clauses"]:
            clauses.setdefault(clause["id"], clause)
        for observation in report["observations"]:
            questions.setdefault(observation["id"], observation["question"])
    outcomes = [{each["id"]: each["outcome"] for each in report["clauses"]} for report in reports]
    answers = [
        {
            each["id"]: tuple(answer["answer"] for answer in each["observed"])
            for each in report["observations"]
        }
        for report in reports
    ]
    targets = [each["target"] for each in reports]
    again = len(reports) == 2 and any(
        targets[0][key] == targets[1][key] != "" for key in ("base_url", "name")
    )
    return Comparison(
        names=tuple(_names(reports, again=again)),
        verdicts=tuple(map(verdict_words, reports)),
        dates=tuple(each["run"]["started"][:10] for each in reports),
        rows=tuple(
            Row(name, clause["level"], clause["title"], tuple(each.get(name) for each in outcomes))
            for name, clause in clauses.items()
        ),
        questions=tuple(
            Question(name, question, tuple(each.get(name, ()) for each in answers))
            for name, question in questions.items()
        ),
        changes=changes(*reports) if again else None,
        warnings=tuple(_warnings(reports, again=again)),
    )


def changes(before: dict[str, Any], after: dict[str, Any]) -> tuple[Change, ...]:
    """The clauses whose outcome differs between two reports: broken MUST clauses first, then worse, then better.

    A clause that was not selected or not applicable in one of the runs is not a change.
    """
    silent = {ClauseOutcome.UNTESTED, ClauseOutcome.INAPPLICABLE}
    earlier = {each["id"]: each["outcome"] for each in before["clauses"]}
    found = [
        Change(each["id"], each["level"], each["title"], earlier[each["id"]], each["outcome"])
        for each in after["clauses"]
        if each["id"] in earlier
        and each["outcome"] != earlier[each["id"]]
        and not {each["outcome"], earlier[each["id"]]} & silent
    ]
    return tuple(
        sorted(found, key=lambda change: (not change.broken, not change.worse, change.level != Level.MUST))
    )


def _names(reports: Sequence[dict[str, Any]], *, again: bool) -> list[str]:
    if again:
        return ["before", "after"]
    names = [each["target"]["name"] or each["target"]["base_url"] for each in reports]
    return [
        name if names.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(names, start=1)
    ]


def _warnings(reports: Sequence[dict[str, Any]], *, again: bool) -> list[str]:
    found = []
    if len(reports) == 2 and not again and not all(each["target"]["name"] for each in reports):
        found.append(
            "The reports are of two addresses, so nothing counts as worse. To compare two runs of one deployment, give both "
            "the same --name."
        )
    if len({each["suite"]["clauses_sha256"] for each in reports}) > 1:
        found.append(
            "The reports were made with different clause lists: a difference may come from the suite."
        )
    started = [each["run"]["started"] for each in reports]
    alike = again or len({each["target"]["base_url"] for each in reports}) == 1
    if alike and started != sorted(started):
        found.append("The reports are not in chronological order.")
    return found
