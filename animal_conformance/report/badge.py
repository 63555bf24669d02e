"""badge.svg: the verdict for a README."""

from __future__ import annotations

from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE, DOES_NOT_CONFORM
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.templating import render
from animal_conformance.report.words import known_failures, levels_kept, shown_outcome, verdict_words

LABEL: Final = "animal store interface"
# White text has a contrast of at least 4.5 to 1 on each.
COLOURS: Final = {CONFORMS: "#176b34", DOES_NOT_CONFORM: "#b3261e", COULD_NOT_JUDGE: "#7a5200"}
CHARACTER: Final = 6.4


def badge_svg(report: dict[str, Any]) -> bytes:
    """The verdict with its level and date, as a picture that says it in words, to a screen reader as well."""
    said = ", ".join(
        filter(None, (verdict_words(report).lower(), _level(report), report["run"]["finished"][:10]))
    )
    parts = [
        (text, round(len(text) * CHARACTER) + 14, colour)
        for text, colour in ((LABEL, "#444c56"), (said, COLOURS[shown_outcome(report)]))
    ]
    return render("badge.svg.j2", label=LABEL, verdict=said, parts=parts).encode()


def _level(report: dict[str, Any]) -> str:
    """The levels that failed, or else those that the deployment keeps; empty if neither can be said."""
    if report["outcome"] == COULD_NOT_JUDGE or known_failures(report):
        return ""
    if report["outcome"] == DOES_NOT_CONFORM:
        return " and ".join(level for level in Level if report["counts"][level][ClauseOutcome.FAILED])
    return levels_kept(report)
