"""What becomes of a verdict where failures are known: by a list of expected ones, or by an earlier report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from animal_conformance.interface.clauses import Circumstance, Level, load_clauses
from animal_conformance.judge.case import plural
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    DOES_NOT_CONFORM,
    PARTIAL,
    few,
    is_binding,
    shortfall,
)
from animal_conformance.judge.verdicts import ClauseOutcome, Verdict
from animal_conformance.report.compare import changes, read_report, report_file
from animal_conformance.report.words import OUTCOME_WORDS, RECORDED
from animal_conformance.session.expectations import Expectation, read_expectations

UNSETTLED: Final = frozenset({ClauseOutcome.FAILED, ClauseOutcome.CANT_TELL})


@dataclass(frozen=True)
class Gates:
    """What a report is held against: an earlier report and the expected failures; ``None`` if not given."""

    baseline: dict[str, Any] | None = None
    expected: tuple[Expectation, ...] | None = None


def read_gates(baseline: Path | None, expect: Path | None) -> Gates:
    """Read an earlier report (or the directory that holds it) and a file of expectations.

    :raises ReportError: if the baseline is not a report.
    :raises ExpectationError: if the expectations are invalid.
    """
    return Gates(
        baseline=None if baseline is None else read_report(report_file(baseline)),
        expected=None if expect is None else read_expectations(expect),
    )


def gate_of(report: dict[str, Any], gates: Gates, today: date) -> dict[str, Any] | None:
    """What becomes of a report at the gates, in the form of spec/report.schema.json; ``None`` if there are no gates.

    A known failure does not count: one that is expected and whose date is not over, or one that the baseline has; with
    both gates, it has to be known to both. A clause that could not be determined beside known failures does not count
    either, if it is known in the same way: a failure hides what stands behind it. A run that could not be judged for other
    reasons stays unjudged. An expectation is stale if its clause passes, since it would hide the next failure, or if its
    clause still fails after its date.
    """
    if gates.expected is None and gates.baseline is None:
        return None
    failed = {
        each["id"]: each["level"] for each in report["clauses"] if each["outcome"] == ClauseOutcome.FAILED
    }
    counting = {name for name, level in failed.items() if is_binding(level, report)}
    known = [each for name in failed if (each := _known(name, gates, today, counts=name in counting))]
    broken = [name for name in failed if name in counting - {each["id"] for each in known}]
    hidden = (
        [] if not known else [each for each in _undetermined(report) if _is_known_gap(each, gates, today)]
    )
    outcome, reason = _outcome(report, known, broken, hidden)
    stale, unseen = _expectations(_outcomes(report), gates.expected or (), today)
    return {
        "outcome": outcome,
        "reason": reason,
        "known": known,
        "hidden": hidden,
        "stale": stale,
        "notes": unseen + _since(report, gates.baseline),
    }


def _undetermined(report: dict[str, Any]) -> list[str]:
    """The MUST clauses that could not be determined and have no excuse."""
    return [
        each["id"]
        for each in report["clauses"]
        if each["level"] == Level.MUST and each["outcome"] == ClauseOutcome.CANT_TELL and not each["excuse"]
    ]


def _is_known_gap(name: str, gates: Gates, today: date) -> bool:
    """Whether a clause need not be determined: it is expected to fail, or failed or could not be told in the baseline."""
    if gates.baseline is not None:
        before = next((each for each in gates.baseline["clauses"] if each["id"] == name), None)
        # A clause that the baseline's user chose to leave out is not a known gap.
        if before is None or before["outcome"] not in UNSETTLED or before["choice"]:
            return False
    return gates.expected is None or any(each.id == name and today <= each.until for each in gates.expected)


def _known(name: str, gates: Gates, today: date, *, counts: bool) -> dict[str, Any] | None:
    """Why a clause that failed is allowed to fail; ``None`` if it is not."""
    reason, until = "", None
    if gates.baseline is not None and counts:
        if _outcomes(gates.baseline).get(name) != ClauseOutcome.FAILED:
            return None
        reason = f"it failed in the baseline of {gates.baseline['run']['started'][:10]} as well"
    if gates.expected is not None:
        living = next((each for each in gates.expected if each.id == name and today <= each.until), None)
        if living is None:
            return None
        reason, until = living.reason, living.until.isoformat()
    return {"id": name, "reason": reason, "until": until} if reason else None


def _outcome(
    report: dict[str, Any], known: list[dict[str, Any]], broken: list[str], hidden: list[str]
) -> tuple[str, str]:
    """The outcome as if the known failures had not occurred, and why; a finding may hide that nothing else was determined.

    :param hidden: the clauses of which it is known that they are not determined beside these failures.
    """
    outcome, reason = report["outcome"], report["reason"]
    if outcome == COULD_NOT_JUDGE or not known:
        return outcome, reason
    passes = f"{plural(len(known), 'known failure')}: {few([each['id'] for each in known])}"
    if outcome == CONFORMS:
        return outcome, f"{reason} Besides {passes}."
    if broken:
        what = "clause" if report["run"]["strict"] else "MUST clause"
        return DOES_NOT_CONFORM, f"{plural(len(broken), what)} failed: {few(broken)}; besides {passes}."
    if lacking := _lacking(report, hidden):
        return COULD_NOT_JUDGE, f"{lacking} Besides {passes}."
    if hidden:
        passes += f"; {len(hidden)} not determined, as was known: {few(hidden)}"
    must = [each for each in report["clauses"] if each["level"] == Level.MUST]
    passed = sum(each["outcome"] == ClauseOutcome.PASSED for each in must)
    return CONFORMS, f"{passed} of {plural(len(must), 'MUST clause')} passed; {passes}."


def _lacking(report: dict[str, Any], hidden: list[str]) -> str:
    """Why a run would not be green without its findings and what is hidden behind them; empty if it would be."""
    run, clauses = report["run"], {each.id: each for each in load_clauses().clauses}
    if run["stopped"]:
        return str(run["stopped"])
    if run["certify"]:
        return "A certificate requires a run in which no clause that counts failed, known or not."
    verdicts = [
        Verdict(
            clauses[each["id"]],
            ClauseOutcome(each["outcome"]),
            why=each["why"],
            excuse=each["excuse"] and Circumstance(**each["excuse"]),
            remedy=each["remedy"],
            choice=each["choice"],
        )
        for each in report["clauses"]
        if each["id"] not in hidden
    ]
    rest = "the run left the rest out" if report["scope"] == PARTIAL else ""
    return shortfall(verdicts, rest, strict=run["strict"], certify=False, recorded=run["profile"] == RECORDED)


def _expectations(
    outcomes: dict[str, str], expected: tuple[Expectation, ...], today: date
) -> tuple[list[str], list[str]]:
    """The expectations that are stale, and those whose clause was not determined, each in a sentence."""
    stale, unseen = [], []
    for each in expected:
        outcome = outcomes.get(each.id, ClauseOutcome.UNTESTED)
        if outcome == ClauseOutcome.PASSED:
            stale.append(
                f"{each.id} was expected to fail, but passed: remove it from the expectations ({each.reason})"
            )
        elif outcome != ClauseOutcome.FAILED:
            unseen.append(
                f"{each.id} is expected to fail, but was not determined ({OUTCOME_WORDS[ClauseOutcome(outcome)]})."
            )
        elif each.until < today:
            stale.append(f"{each.id} failed, but was expected to only until {each.until}: {each.reason}")
    return stale, unseen


def _since(report: dict[str, Any], baseline: dict[str, Any] | None) -> list[str]:
    if baseline is None:
        return []
    day = baseline["run"]["started"][:10]
    return [
        f"{'Worse' if each.worse else 'Better'} than the baseline of {day}: "
        f"{each.id} ({_words_for(each.before)} before, {_words_for(each.after)} now)."
        for each in changes(baseline, report)
    ]


def _words_for(outcome: str) -> str:
    return OUTCOME_WORDS[ClauseOutcome(outcome)]


def _outcomes(report: dict[str, Any]) -> dict[str, str]:
    return {each["id"]: each["outcome"] for each in report["clauses"]}
