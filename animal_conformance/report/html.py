"""report.html: one file that needs no network, and runs nothing that a server wrote."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import jinja2
from markupsafe import Markup

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.drawings import MOST_ROWS, Latencies, Timeline, milliseconds
from animal_conformance.report.pretty import shown
from animal_conformance.report.safe_text import safe_text, well_formed
from animal_conformance.report.words import (
    CHAPTERS,
    OUTCOME_SYMBOLS,
    OUTCOME_WORDS,
    VERDICT_SYMBOLS,
    VERDICT_WORDS,
    plural,
    ran,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from animal_conformance.record.exchange import Exchange

# A page of few findings shows them at once; on one of many they would bury the rest.
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
    page = environment().get_template("report.html.j2").render(
        report=report,
        run=report["run"],
        target=report["target"],
        suite=report["suite"],
        ran=ran(report["run"]),
        verdict=VERDICT_WORDS[report["outcome"]],
        verdict_symbol=VERDICT_SYMBOLS[report["outcome"]],
        chapters=_chapters(report["clauses"]),
        outcomes=list(ClauseOutcome),
        counted=[each for each in ClauseOutcome if totals[each] or each in USUAL],
        failed=failed,
        totals=totals,
        answered=[each for each in report["observations"] if each["observed"]],
        unanswered=[each for each in report["observations"] if not each["observed"]],
        open_findings=len(failed) <= MOST_OPEN,
        latencies=Latencies(exchanges),
        timeline=Timeline(exchanges, failed) if exchanges else None,
        unmarked=max(0, len(failed) - MOST_ROWS),
        leftovers=report["leftovers"][:MOST_LEFTOVERS],
        options={name: _setting(value) for name, value in report["run"]["options"].items()},
        style=Markup(style),  # noqa: S704 - ours
        script=Markup(script),  # noqa: S704 - ours
        policy=policy(style, script),
    )  # fmt: skip
    return page.encode("utf-8")


@cache
def environment() -> jinja2.Environment:
    """The templates, in which whatever is shown is harmless text."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("animal_conformance.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Whatever a template shows goes through here, so that nothing can be forgotten.
        finalize=lambda value: value if isinstance(value, Markup) else safe_text(value, lines=True),
    )
    environment.globals.update(
        shown=shown,
        most_exchanges=MOST_EXCHANGES,
        most_listed=MOST_LISTED,
        OUTCOME_WORDS=OUTCOME_WORDS,
        OUTCOME_SYMBOLS=OUTCOME_SYMBOLS,
        milliseconds=milliseconds,
        plural=plural,
    )
    return environment


def _chapters(clauses: list[dict[str, Any]]) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """The clauses by chapter, each with its id and its heading; chapters of one heading are one."""
    found: dict[str, tuple[str, list[dict[str, Any]]]] = {}
    for prefix, members in groupby(clauses, key=lambda clause: clause["id"].split(".", 1)[0]):
        heading = CHAPTERS.get(prefix, prefix)
        found.setdefault(heading, (prefix, []))[1].extend(members)
    return [(prefix, heading, members) for heading, (prefix, members) in found.items()]


def _setting(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@cache
def asset(name: str) -> str:
    """A file beside the templates."""
    return (
        resources.files("animal_conformance.report").joinpath("templates", name).read_text(encoding="utf-8")
    )


def policy(style: str, script: str | None = None) -> str:
    """Nothing may load or run but a page's own style and script, known by their digests."""
    runs = "'none'" if script is None else f"'{_digest(script)}'"
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {runs}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
