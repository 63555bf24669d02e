"""report.html: one file that needs no network and executes nothing from a deployment."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.drawings import MOST_ROWS, Latencies, Timeline, TimesOverTime
from animal_conformance.report.safe_text import well_formed
from animal_conformance.report.templating import asset, policy, render
from animal_conformance.report.words import (
    CHAPTERS,
    VERDICT_SYMBOLS,
    gate_notes,
    known_failures,
    known_words,
    ran,
    shown_outcome,
    shown_reason,
    stale_expectations,
    verdict_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from animal_conformance.record.exchange import Exchange

# With few findings, all are expanded; with many, they would bury the rest.
MOST_OPEN: Final = 3
MOST_EXCHANGES: Final = 4
MOST_LEFTOVERS: Final = 300
MOST_LISTED: Final = 10
USUAL: Final = (ClauseOutcome.PASSED, ClauseOutcome.FAILED, ClauseOutcome.CANT_TELL)


def html_page(report: dict[str, Any], exchanges: Sequence[Exchange]) -> bytes:
    """The report as a page.

    :param exchanges: those of the run, for its drawings.
    """
    report = well_formed(report)
    failed = [each for each in report["clauses"] if each["outcome"] == ClauseOutcome.FAILED]
    failed.sort(key=lambda clause: clause["level"] != Level.MUST)
    totals = {each.value: sum(counts[each] for counts in report["counts"].values()) for each in ClauseOutcome}
    style, script = asset("report.css"), asset("report.js")
    load = report.get("load")
    timeline = None
    if load is not None:
        timeline = Timeline.of_load(load, failed) if load["bins"] else None
    elif exchanges:
        timeline = Timeline.of(exchanges, failed)
    page = render(
        "report.html.j2",
        report=report,
        run=report["run"],
        target=report["target"],
        suite=report["suite"],
        ran=ran(report["run"]),
        verdict=verdict_words(report),
        outcome=shown_outcome(report),
        reason=shown_reason(report),
        stale=stale_expectations(report),
        notes=gate_notes(report),
        known={name: known_words(each) for name, each in known_failures(report).items()},
        verdict_symbol=VERDICT_SYMBOLS[shown_outcome(report)],
        chapters=_chapters(report["clauses"]),
        outcomes=list(ClauseOutcome),
        counted=[each for each in ClauseOutcome if totals[each] or each in USUAL],
        failed=failed,
        totals=totals,
        answered=[each for each in report["observations"] if each["observed"]],
        unanswered=[each for each in report["observations"] if not each["observed"]],
        open_findings=len(failed) <= MOST_OPEN,
        latencies=Latencies(exchanges if load is None else ()),
        timeline=timeline,
        load=load,
        times=None if load is None else TimesOverTime(load),
        unmarked=max(0, len(failed) - MOST_ROWS),
        leftovers=report["leftovers"][:MOST_LEFTOVERS],
        options={name: _setting(value) for name, value in report["run"]["options"].items()},
        style=style,
        script=script,
        policy=policy(style, script),
        most_exchanges=MOST_EXCHANGES,
        most_listed=MOST_LISTED,
    )
    return page.encode("utf-8")


def _chapters(clauses: list[dict[str, Any]]) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """The clauses by chapter, each with its id and heading; chapters with the same heading are merged."""
    found: dict[str, tuple[str, list[dict[str, Any]]]] = {}
    for prefix, members in groupby(clauses, key=lambda clause: clause["id"].split(".", 1)[0]):
        heading = CHAPTERS.get(prefix, prefix)
        found.setdefault(heading, (prefix, []))[1].extend(members)
    return [(prefix, heading, members) for heading, (prefix, members) in found.items()]


def _setting(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
