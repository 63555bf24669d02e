"""report.html: one file that needs no network and executes nothing from a deployment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.record.exchange import Exchange
from animal_conformance.report import words
from animal_conformance.report.causes import causes
from animal_conformance.report.drawings import Latencies, LoadOverTime, Timeline, found_in
from animal_conformance.report.safe_text import well_formed
from animal_conformance.report.templating import asset, policy, render

Clause = dict[str, Any]

# With few findings, their exchanges are shown; with many, they would bury the rest.
MOST_OPEN: Final = 3
MOST_EXCHANGES: Final = 4
MOST_LEFTOVERS: Final = 300
USUAL: Final = (ClauseOutcome.PASSED, ClauseOutcome.FAILED, ClauseOutcome.CANT_TELL)
PARTS: Final = (
    ("failed", "Failed"),
    ("known", "Known failures"),
    ("untold", "Can't tell"),
    ("excused", "Excused or inapplicable"),
    ("passed", "Passed"),
    ("unselected", "Not judged"),
)
# Settings that the page shows elsewhere.
SHOWN: Final = frozenset({"base_url", "name", "profile", "seed", "connections", "strict", "certify"})


def html_page(report: dict[str, Any], exchanges: Sequence[Exchange]) -> bytes:
    """The report as a page.

    :param exchanges: those of the run, for its drawings.
    """
    report = well_formed(report)
    known = words.known_failures(report)
    by_outcome = {
        outcome: [each for each in report["clauses"] if each["outcome"] == outcome]
        for outcome in ClauseOutcome
    }
    totals = {outcome.value: len(clauses) for outcome, clauses in by_outcome.items()}
    cant_tell = by_outcome[ClauseOutcome.CANT_TELL]
    excused = [each for each in cant_tell if each["excuse"] is not None]
    sections = {
        "known": [
            (each, known[each["id"]]) for each in by_outcome[ClauseOutcome.FAILED] if each["id"] in known
        ],
        "untold": _by_reason(each for each in cant_tell if each["excuse"] is None),
        "excused": _by_reason([*excused, *by_outcome[ClauseOutcome.INAPPLICABLE]]),
        "passed": _chapters(by_outcome[ClauseOutcome.PASSED]),
        "unselected": _by_reason(by_outcome[ClauseOutcome.UNTESTED]),
    }
    failed = by_outcome[ClauseOutcome.FAILED]
    load = report.get("load")
    found = causes(each for each in failed if each["id"] not in known)
    style, script = asset("report.css"), asset("report.js")
    page = render(
        "report.html.j2",
        report=report,
        run=report["run"],
        target=report["target"],
        suite=report["suite"],
        ran=words.ran(report["run"]),
        verdict=words.verdict_words(report),
        outcome=words.shown_outcome(report),
        reason=words.shown_reason(report),
        stale=words.stale_expectations(report),
        notes=words.gate_notes(report),
        verdict_symbol=words.VERDICT_SYMBOLS[words.shown_outcome(report)],
        outcomes=list(ClauseOutcome),
        counted=[each for each in ClauseOutcome if totals[each] or each in USUAL],
        causes=found,
        restart=words.restart_command(report),
        **sections,
        parts=[
            (name, heading)
            for name, heading in PARTS
            if found or name != "failed"
            if sections.get(name, True)
        ],
        totals=totals,
        answered=[each for each in report["observations"] if each["observed"]],
        unanswered=[each for each in report["observations"] if not each["observed"]],
        open_findings=totals["failed"] <= MOST_OPEN,
        latencies=Latencies(exchanges if load is None else ()),
        timeline=_over_time(exchanges, failed, load),
        load=load,
        leftovers=report["leftovers"][:MOST_LEFTOVERS],
        unidentified=words.unidentified(report),
        options={
            name.removesuffix("_s").replace("_", " "): _setting(value)
            for name, value in report["run"]["options"].items()
            if name not in SHOWN and value not in (None, "", [], False)
        },
        style=style,
        script=script,
        policy=policy(style, script),
        most_exchanges=MOST_EXCHANGES,
    )
    return page.encode("utf-8")


def _over_time(
    exchanges: Sequence[Exchange], failed: list[Clause], load: dict[str, Any] | None
) -> Timeline | LoadOverTime | None:
    """The run over time; for a soak, drawn from what was counted, since its exchanges are only a sample."""
    if load is not None:
        return LoadOverTime(load, failed) if load["bins"] else None
    return Timeline(exchanges, found_in(failed)) if exchanges else None


def _by_reason(clauses: Iterable[Clause]) -> list[tuple[str, str, list[Clause]]]:
    """The clauses, grouped by why they were not determined and what would determine them."""
    found: dict[tuple[str, str], list[Clause]] = {}
    for each in clauses:
        why = each["why"] if each["excuse"] is None else f"{words.reason_of(each)} {each['why']}"
        found.setdefault((why, each["remedy"]), []).append(each)
    return [(why, remedy, members) for (why, remedy), members in found.items()]


def _chapters(clauses: list[Clause]) -> list[tuple[str, list[Clause]]]:
    """The clauses, grouped by the heading of their chapter."""
    found: dict[str, list[Clause]] = {}
    for prefix, members in groupby(clauses, key=lambda clause: clause["id"].split(".", 1)[0]):
        found.setdefault(words.CHAPTERS.get(prefix, prefix), []).extend(members)
    return list(found.items())


def _setting(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_setting, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
