"""badge.svg: the verdict for a README."""

from __future__ import annotations

from typing import Any, Final

from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE, DOES_NOT_CONFORM
from animal_conformance.report.templating import render
from animal_conformance.report.words import verdict_words

LABEL: Final = "animal store interface"
# White text has a contrast of at least 4.5 to 1 on each.
COLOURS: Final = {CONFORMS: "#176b34", DOES_NOT_CONFORM: "#b3261e", COULD_NOT_JUDGE: "#7a5200"}
CHARACTER: Final = 6.4


def badge_svg(report: dict[str, Any]) -> bytes:
    """The verdict as a picture that says it in words, to a screen reader as well."""
    verdict = verdict_words(report).lower()
    parts = [
        (text, round(len(text) * CHARACTER) + 14, colour)
        for text, colour in ((LABEL, "#444c56"), (verdict, COLOURS[report["outcome"]]))
    ]
    return render("badge.svg.j2", label=LABEL, verdict=verdict, parts=parts).encode()
