"""The text at the end of a run, most important first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from animal_conformance.judge.case import plural
from animal_conformance.judge.outcome import is_binding
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report import words
from animal_conformance.report.causes import causes
from animal_conformance.report.safe_text import ELLIPSIS, safe_text

if TYPE_CHECKING:
    from rich.console import Console

MOST_FAILED: Final = 12
MOST_UNTOLD: Final = 10
MOST_ANSWERS: Final = 3
LONGEST_TEXT: Final = 600
LONGEST_ANSWER: Final = 120
ID_WIDTH: Final = 30
LOAD_WIDTH: Final = 18
# The widths that the second of two columns and the table of counts need.
READABLE_WIDTH: Final = 26
COUNTS_WIDTH: Final = 60
SEE_PAGE: Final = "see report.html"


def render(report: dict[str, Any], console: Console, *, reports: Path | None) -> None:
    """Print the end of a run.

    :param reports: the directory of the reports; ``None`` if none were written.
    """
    page = Page(console)
    _verdict(page, report)
    if report["remedy"]:
        # The run never started: forty undetermined clauses would only bury the one sentence that helps.
        _end(page, report, reports)
        return
    _counts(page, report)
    if measured := words.load_rows(report):
        page.heading("UNDER LOAD")
        page.rows(measured, indent=2, width=LOAD_WIDTH)
    known = words.known_failures(report)
    failed = [each for each in report["clauses"] if each["outcome"] == ClauseOutcome.FAILED]
    _failures(page, [each for each in failed if each["id"] not in known], report)
    _known(page, [each for each in failed if each["id"] in known], known)
    _untold(page, report)
    _observations(page, report["observations"])
    _end(page, report, reports)


class Page:
    """A console for plain text only: no markup, no emoji codes, no highlighting, nothing it cannot encode."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def text(self, text: object, style: str = "", *, length: int | None = LONGEST_TEXT) -> Text:
        """A text as this console can display it."""
        shown = safe_text(text, length=length)
        encoding = self.console.encoding
        if not encoding.lower().startswith("utf"):
            shown = shown.replace(ELLIPSIS, "...").encode(encoding, "backslashreplace").decode(encoding)
        return Text(shown, style, overflow="fold")

    def say(self, text: object = "", style: str = "", indent: int = 0) -> None:
        """Print a text, wrapped."""
        shown = self.text(text, style)
        self.console.print(Padding(shown, (0, 0, 0, indent)) if indent else shown)

    def heading(self, text: str, style: str = "bold") -> None:
        """Print a heading preceded by an empty line."""
        self.say()
        self.say(text, style)

    def rows(self, rows: Sequence[tuple[str, object]], indent: int, width: int) -> None:
        """Print labels and texts in two columns, or each text below its label if its column would be too narrow to read."""
        if self.console.width - indent - width < READABLE_WIDTH:
            for label, text in rows:
                self.say(label, "dim", indent)
                self.say(text, indent=indent + 2)
            return
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=width, overflow="fold")
        table.add_column(overflow="fold")
        for label, text in rows:
            table.add_row(self.text(label, "dim"), self.text(text))
        self.console.print(Padding(table, (0, 0, 0, indent)))

    def paste(self, line: str) -> None:
        """Print a line to paste into a shell: unwrapped at any terminal width."""
        self.console.print(
            self.text(line, length=None), soft_wrap=True, no_wrap=True, overflow="ignore", crop=False
        )


def _verdict(page: Page, report: dict[str, Any]) -> None:
    page.heading(words.verdict_words(report), f"bold {words.VERDICT_STYLES[words.shown_outcome(report)]}")
    page.say(words.shown_reason(report))
    for sentence in (*words.exceeded_thresholds(report), *words.stale_expectations(report)):
        page.say(sentence, "bold")
    for sentence in words.gate_notes(report):
        page.say(sentence)
    if report["remedy"]:
        page.say(report["remedy"], "bold")
    page.say()
    target = report["target"]
    shown = (
        target["base_url"]
        if target["name"] in {"", target["base_url"]}
        else f"{target['name']}, {target['base_url']}"
    )
    page.rows([("deployment", shown), ("run", words.ran(report["run"]))], indent=0, width=10)
    for note in report["run"]["notes"]:
        page.say(note, "yellow")


def _counts(page: Page, report: dict[str, Any]) -> None:
    page.say()
    if page.console.width < COUNTS_WIDTH:
        for level, counts in report["counts"].items():
            shown = (f"{counts[each]} {words.OUTCOME_WORDS[each]}" for each in ClauseOutcome if counts[each])
            page.say(f"{level}: {', '.join(shown)}")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for outcome in ClauseOutcome:
        table.add_column(Text(words.OUTCOME_WORDS[outcome]), justify="right")
    for level, counts in report["counts"].items():
        cells = [
            Text(
                str(counts[outcome]),
                "bold red" if outcome is ClauseOutcome.FAILED and counts[outcome] else "",
            )
            for outcome in ClauseOutcome
        ]
        table.add_row(Text(level), *cells)
    page.console.print(table)


def _failures(page: Page, failed: list[dict[str, Any]], report: dict[str, Any]) -> None:
    found = causes(failed)
    if found and (command := words.restart_command(report)):
        page.say()
        page.say(
            "The reference deployment has stopped. To restart it for the commands below (export the key that it prints first):"
        )
        page.paste(command)
    for cause in found[:MOST_FAILED]:
        clause, finding = cause.clause, cause.clause["findings"][0]
        binding = is_binding(clause["level"], report)
        remark = "" if binding else " (fails the run only with --strict)"
        page.heading(
            f"FAILED  {clause['id']}  {clause['level']}{remark}", "bold red" if binding else "bold yellow"
        )
        rows = [
            ("required", clause["title"]),
            ("expected", finding["expected"]),
            ("observed", finding["observed"]),
            ("finding", finding["message"]),
            ("source", clause["source"]),
        ]
        if excluded := words.excluded_of(finding):
            rows.insert(4, ("excluded", f"{excluded} of trace.ndjson"))
        if cause.beside:
            rows.append(("also", f"The same response also breaks {', '.join(cause.beside)}."))
        if cause.symptoms:
            rows.append(
                (
                    "with it",
                    f"These fail only where this does: {', '.join(each['id'] for each in cause.symptoms)}.",
                )
            )
        if clause["finding_count"] > 1:
            rows.append(
                (
                    "",
                    f"This is the smallest of {clause['finding_count']:,} findings; trace.ndjson has the exchanges of all.",
                )
            )
        page.rows(rows, indent=2, width=10)
        for line in finding["curl"].splitlines():
            page.paste(line)
    _more(page, sum(len(each.clauses) for each in found[MOST_FAILED:]), "failed clause")


def _known(page: Page, failed: list[dict[str, Any]], known: dict[str, str]) -> None:
    if not failed:
        return
    page.heading(f"KNOWN FAILURES: {plural(len(failed), 'clause').upper()}")
    rows = [
        (each["id"], f"{known[each['id']]}. {each['findings'][0]['message']}")
        for each in failed[:MOST_UNTOLD]
    ]
    page.rows(rows, indent=2, width=ID_WIDTH)
    _more(page, len(failed) - MOST_UNTOLD, "known failure")


def _untold(page: Page, report: dict[str, Any]) -> None:
    untold = [each for each in report["clauses"] if each["outcome"] == ClauseOutcome.CANT_TELL]
    groups = (
        (words.OUTCOME_WORDS[ClauseOutcome.CANT_TELL], [each for each in untold if each["excuse"] is None]),
        ("excused, as no client could tell", [each for each in untold if each["excuse"] is not None]),
        (
            words.OUTCOME_WORDS[ClauseOutcome.INAPPLICABLE],
            [each for each in report["clauses"] if each["outcome"] == ClauseOutcome.INAPPLICABLE],
        ),
    )
    for heading, members in groups:
        if not members:
            continue
        page.heading(f"{heading}: {plural(len(members), 'clause')}".upper())
        # Clauses with the same reason share one row.
        whys: dict[str, list[str]] = {}
        for clause in members:
            whys.setdefault(_short(clause), []).append(clause["id"])
        shown = list(whys.items())
        page.rows([(", ".join(ids), why) for why, ids in shown[:MOST_UNTOLD]], indent=2, width=ID_WIDTH)
        _more(page, sum(len(ids) for _, ids in shown[MOST_UNTOLD:]), "clause")


def _short(clause: dict[str, Any]) -> str:
    """Why a clause was not determined, and its remedy, or else the evidence that is needed."""
    if clause["excuse"] is not None:
        return str(clause["excuse"]["sentence"])
    said, _, needed = clause["why"].partition(" Evidence needed: ")
    if clause["remedy"]:
        return f"{said} {clause['remedy']}"
    unknown = said == "No exchange could have revealed a violation."
    return f"evidence needed: {needed}" if unknown and needed else str(clause["why"])


def _observations(page: Page, observations: list[dict[str, Any]]) -> None:
    seen = [each for each in observations if each["observed"]]
    if not seen:
        return
    page.heading("OPEN QUESTIONS (animal-conformance clauses --open): WHAT THIS DEPLOYMENT DOES")
    rows = []
    for observation in seen:
        answers = observation["observed"]
        shown = [
            f"{safe_text(each['answer'], length=LONGEST_ANSWER)} ({each['count']:,}x)"
            for each in answers[:MOST_ANSWERS]
        ]
        if len(answers) > MOST_ANSWERS:
            shown.append(f"and {len(answers) - MOST_ANSWERS} more")
        rows.append((observation["id"], "; ".join(shown)))
    page.rows(rows, indent=2, width=ID_WIDTH)


def _end(page: Page, report: dict[str, Any], reports: Path | None) -> None:
    page.say()
    if sentence := words.left_behind(report):
        page.say(sentence)
    for fault in report["suite_faults"]:
        page.say("Fault in the suite itself, not in the deployment:", "bold magenta")
        page.say(fault, indent=2)
    if reports is not None:
        page.paste(
            f"Reports: {reports / 'report.html'}; in the same directory conformance.json, junit.xml, trace.ndjson"
        )


def _more(page: Page, count: int, what: str) -> None:
    if count > 0:
        page.say(f"and {plural(count, f'more {what}')}; {SEE_PAGE}", "dim", indent=2)
