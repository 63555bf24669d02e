"""summary.md: a run as the summary of a CI job."""

from __future__ import annotations

from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report import words
from animal_conformance.report.templating import render

MOST_FAILED: Final = 20
MOST_CURLS: Final = 10


def summary(report: dict[str, Any]) -> str:
    """The verdict, the counts, failures and how to reproduce them, undetermined clauses, open questions."""
    known = words.known_failures(report)
    failed = [each for each in report["clauses"] if each["outcome"] == ClauseOutcome.FAILED]
    return render(
        "summary.md.j2",
        report=report,
        mark=words.VERDICT_MARKS[words.shown_outcome(report)],
        verdict=words.verdict_words(report),
        reason=words.shown_reason(report),
        gate_lines=[
            *words.exceeded_thresholds(report),
            *words.stale_expectations(report),
            *words.gate_notes(report),
        ],
        measured=words.load_rows(report),
        known=[(each, known[each["id"]]) for each in failed if each["id"] in known],
        ran=words.ran(report["run"]),
        outcomes=list(ClauseOutcome),
        failed=sorted(
            (each for each in failed if each["id"] not in known),
            key=lambda clause: clause["level"] != Level.MUST,
        ),
        untold=[each for each in report["clauses"] if each["outcome"] == ClauseOutcome.CANT_TELL],
        left_behind=words.left_behind(report),
        observed=[each for each in report["observations"] if each["observed"]],
        most_failed=MOST_FAILED,
        most_curls=MOST_CURLS,
    )
