"""What becomes of a verdict where failures are known: by a list of expected ones, or by an earlier report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.outcome import CONFORMS, COULD_NOT_JUDGE, DOES_NOT_CONFORM, WHOLE
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.compare import changes, read_report
from animal_conformance.report.words import RECORDED, plural
from animal_conformance.session.expectations import Expectation, read_expectations

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path


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
    if baseline is not None and baseline.is_dir():
        baseline /= "conformance.json"
    return Gates(
        baseline=None if baseline is None else read_report(baseline),
        expected=None if expect is None else read_expectations(expect),
    )


def gate_of(report: dict[str, Any], gates: Gates, today: date) -> dict[str, Any] | None:
    """What becomes of a report behind the gates, as spec/report.schema.json has it; ``None`` where there are none.

    A known failure does not count: one that is expected and whose date is not over, or that the baseline has; with
    both gates, it has to pass both. Only findings can be known: a run that could not be judged stays one. An
    expectation is stale if its clause passes, since it would hide the next failure, or still fails after its date.
    """
    if gates.expected is None and gates.baseline is None:
        return None
    clauses = {each["id"]: each for each in report["clauses"]}
    failed = [name for name, each in clauses.items() if each["outcome"] == ClauseOutcome.FAILED]
    counting = {name for name in failed if report["run"]["strict"] or clauses[name]["level"] == Level.MUST}
    known = [each for name in failed if (each := _known(name, gates, today, counts=name in counting))]
    broken = [name for name in failed if name in counting - {each["id"] for each in known}]
    outcome, reason = _outcome(report, known, broken)
    return {
        "outcome": outcome,
        "reason": reason,
        "known": known,
        "stale": _stale(clauses, gates, today),
        "notes": _unseen(clauses, gates) + _since(report, gates.baseline),
    }


def _known(name: str, gates: Gates, today: date, *, counts: bool) -> dict[str, Any] | None:
    """Why a clause that failed may; ``None`` if it may not."""
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


def _outcome(report: dict[str, Any], known: list[dict[str, Any]], broken: list[str]) -> tuple[str, str]:
    """The outcome as if the known failures had not occurred, and the reason; a finding may hide that nothing else was told."""
    outcome, reason = report["outcome"], report["reason"]
    if outcome == COULD_NOT_JUDGE or not known:
        return outcome, reason
    passes = f"{plural(len(known), 'known failure')}: {_few([each['id'] for each in known])}"
    if outcome == CONFORMS:
        return outcome, f"{reason} Besides {passes}."
    if broken:
        return DOES_NOT_CONFORM, f"{plural(len(broken), 'clause')} failed: {_few(broken)}; besides {passes}."
    if untold := _untold(report):
        return COULD_NOT_JUDGE, f"{untold} Besides {passes}."
    must = [each for each in report["clauses"] if each["level"] == Level.MUST]
    passed = sum(each["outcome"] == ClauseOutcome.PASSED for each in must)
    return CONFORMS, f"{passed} of {plural(len(must), 'MUST clause')} passed; {passes}."


def _untold(report: dict[str, Any]) -> str:
    """Why a run would not be green if none of its findings were there; empty if it would."""
    if report["run"]["stopped"]:
        return str(report["run"]["stopped"])
    must = [each for each in report["clauses"] if each["level"] == Level.MUST]
    open_ended = [
        each for each in must if each["outcome"] == ClauseOutcome.CANT_TELL and each["excuse"] is None
    ]
    gaps = [each["id"] for each in open_ended if not each["choice"]]
    if gaps and report["run"]["profile"] != RECORDED:
        return f"{plural(len(gaps), 'MUST clause')} could not be determined: {_few(gaps)}."
    failed = any(each["outcome"] == ClauseOutcome.FAILED for each in must)
    if report["run"]["certify"] and (report["scope"] != WHOLE or open_ended or failed):
        return "A certificate requires every MUST clause to pass, be inapplicable or be excused."
    if not any(each["outcome"] == ClauseOutcome.PASSED for each in report["clauses"]):
        return "No clause passed."
    return ""


def _stale(clauses: dict[str, dict[str, Any]], gates: Gates, today: date) -> list[str]:
    found = []
    for each in gates.expected or ():
        outcome = clauses[each.id]["outcome"] if each.id in clauses else ClauseOutcome.UNTESTED
        if outcome == ClauseOutcome.FAILED and each.until < today:
            found.append(f"{each.id} failed, but was expected to only until {each.until}: {each.reason}")
        if outcome == ClauseOutcome.PASSED:
            found.append(
                f"{each.id} was expected to fail, but passed: remove it from the expectations ({each.reason})"
            )
    return found


def _unseen(clauses: dict[str, dict[str, Any]], gates: Gates) -> list[str]:
    outcomes = {
        each.id: clauses[each.id]["outcome"] if each.id in clauses else ClauseOutcome.UNTESTED
        for each in gates.expected or ()
    }
    return [
        f"{name} is expected to fail, but neither passed nor failed ({outcome})."
        for name, outcome in outcomes.items()
        if outcome not in {ClauseOutcome.PASSED, ClauseOutcome.FAILED}
    ]


def _since(report: dict[str, Any], baseline: dict[str, Any] | None) -> list[str]:
    if baseline is None:
        return []
    day = baseline["run"]["started"][:10]
    return [
        f"{'Worse' if each.worse else 'Better'} than the baseline of {day}: "
        f"{each.id} was {each.before}, is now {each.after}."
        for each in changes(baseline, report)
    ]


def _outcomes(report: dict[str, Any]) -> dict[str, str]:
    return {each["id"]: each["outcome"] for each in report["clauses"]}


def _few(names: list[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
