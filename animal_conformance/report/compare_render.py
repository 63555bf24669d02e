"""A comparison as text, Markdown and one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from animal_conformance.judge.case import plural
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.compare import Change, Comparison, Question
from animal_conformance.report.safe_text import safe_text
from animal_conformance.report.templating import asset, policy, render
from animal_conformance.report.terminal import Page
from animal_conformance.report.words import OUTCOME_SYMBOLS, OUTCOME_WORDS

if TYPE_CHECKING:
    from rich.console import Console

MOST_ANSWERS: Final = 4
LONGEST: Final = 160
NO_CLAUSE: Final = "–"  # noqa: RUF001 - a dash that stands for nothing


def print_text(comparison: Comparison, console: Console) -> None:
    """Print a comparison: what changed, where the reports differ, and how many clauses agree."""
    page = Page(console)
    for warning in comparison.warnings:
        page.say(warning, "yellow")
    if comparison.changes is not None:
        worse = [each for each in comparison.changes if each.worse]
        better = [each for each in comparison.changes if not each.worse]
        for title, found in (("WORSE", worse), ("BETTER", better)):
            page.heading(f"{title}: {len(found)}")
            for change in found:
                page.say(_sentence(change), "red" if change.broken else "", indent=2)
        page.say()
    grid = Table(box=None, pad_edge=False)
    for name in ("clause", "level", *comparison.names):
        grid.add_column(page.text(name, length=LONGEST), overflow="fold")
    grid.add_row("verdict", "", *(each.lower() for each in comparison.verdicts))
    grid.add_row("date", "", *comparison.dates)
    differing = [each for each in comparison.rows if each.differs]
    for row in differing:
        grid.add_row(page.text(row.id), row.level, *(_word(each) for each in row.outcomes))
    console.print(grid)
    page.say(
        f"{plural(len(comparison.rows) - len(differing), 'clause')} with the same outcome in all reports."
    )
    asked = [each for each in comparison.questions if each.differs]
    if asked:
        page.heading("OPEN QUESTIONS ON WHICH THE DEPLOYMENTS DIFFER")
        for question in asked:
            page.say(f"{question.id}: {question.question}", indent=2)
            for name, answers in zip(comparison.names, _answers(question), strict=True):
                page.say(f"{safe_text(name, length=LONGEST)}: {answers}", indent=4)


def markdown(comparison: Comparison) -> str:
    """A comparison as Markdown."""
    return render("compare.md.j2", **_shown(comparison))


def html(comparison: Comparison, pages: Sequence[str] = ()) -> bytes:
    """A comparison as one page, under the same rules as report.html.

    :param pages: where the page of each report is, relative to this one; empty where there is none.
    """
    style, pages = asset("report.css"), pages or [""] * len(comparison.names)
    page = render("compare.html.j2", **_shown(comparison), pages=pages, style=style, policy=policy(style))
    return page.encode("utf-8", "backslashreplace")


def _shown(comparison: Comparison) -> dict[str, Any]:
    return {
        "comparison": comparison,
        "verdicts": [each.capitalize() for each in comparison.verdicts],
        "changes": [(each, _sentence(each)) for each in comparison.changes or ()],
        "questions": [(each, _answers(each)) for each in comparison.questions if any(each.answers)],
        "symbol": lambda outcome: NO_CLAUSE if outcome is None else OUTCOME_SYMBOLS[outcome],
        "word": _word,
    }


def _sentence(change: Change) -> str:
    before, after = (OUTCOME_WORDS[ClauseOutcome(each)] for each in (change.before, change.after))
    return f"{change.id} ({change.level}): {before} before, {after} now. {change.title}"


def _word(outcome: str | None) -> str:
    return "not in this report" if outcome is None else OUTCOME_WORDS[ClauseOutcome(outcome)]


def _answers(question: Question) -> list[str]:
    shown = []
    for answers in question.answers:
        text = "; ".join(safe_text(each, length=LONGEST) for each in answers[:MOST_ANSWERS]) or "not observed"
        shown.append(
            text if len(answers) <= MOST_ANSWERS else f"{text}; and {len(answers) - MOST_ANSWERS} more"
        )
    return shown
