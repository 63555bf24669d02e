"""summary.md: a run as the summary of a CI job."""

from __future__ import annotations

from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.templating import render
from animal_conformance.report.words import VERDICT_MARKS, ran, verdict_words

MOST_FAILED: Final = 20
MOST_CURLS: Final = 10


def summary(report: dict[str, Any]) -> str:
    """The verdict, the counts, failures and how to reproduce them, undetermined clauses, open questions."""
    failed = [each for each in report["clauses"] if each["outcome"] == ClauseOutcome.FAILED]
    return render(
        "summary.md.j2",
        report=report,
        mark=VERDICT_MARKS[report["outcome"]],
        verdict=verdict_words(report),
        ran=ran(report["run"]),
        outcomes=list(ClauseOutcome),
        failed=sorted(failed, key=lambda clause: clause["level"] != Level.MUST),
        untold=[each for each in report["clauses"] if each["outcome"] == ClauseOutcome.CANT_TELL],
        observed=[each for each in report["observations"] if each["observed"]],
        most_failed=MOST_FAILED,
        most_curls=MOST_CURLS,
    )
