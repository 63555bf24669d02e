"""The outcome of a run and its exit code: a function of the verdicts and of how the run ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from animal_conformance.judge.verdicts import Verdict
    from animal_conformance.record.exchange import Terms

CONFORMS: Final = "conforms"
DOES_NOT_CONFORM: Final = "does-not-conform"
COULD_NOT_JUDGE: Final = "could-not-judge"

EXIT_CODES: Final = {CONFORMS: 0, DOES_NOT_CONFORM: 1, COULD_NOT_JUDGE: 3}
EXIT_USAGE: Final = 2
EXIT_SUITE_FAULT: Final = 4

WHOLE: Final = "whole"
PARTIAL: Final = "partial"

# Clauses without which a verdict would mean nothing: a run in which one is undetermined is not green.
CORNERSTONES: Final = ("list.answer", "list.array", "create.answer", "get.found", "auth.missing.list")


def left_out(terms: Terms, *, recorded: bool = False) -> str:
    """What leaves clauses out of a run by its user's own choice, and what would tell the rest; empty where it is whole.

    :param recorded: whether the traffic is other people's.
    """
    if recorded:
        return "this is recorded traffic, and a run on the deployment would judge the rest"
    chosen = [
        option for option, given in (("--clause", terms.selected), ("--read-only", terms.read_only)) if given
    ]
    return f"a run without {' and '.join(chosen)} would judge the rest" if chosen else ""


def decide(
    judgement: Judgement,
    *,
    stopped: str = "",
    remedy: str = "",
    strict: bool = False,
    certify: bool = False,
    recorded: bool = False,
) -> tuple[str, str]:
    """The outcome of a run, and the reason in one sentence.

    :param stopped: why the run ended early, in a sentence; empty if it did not.
    :param remedy: what to do about a run that could not start; empty if it started.
    :param strict: whether a failed SHOULD clause fails the run.
    :param certify: whether every MUST clause has to pass.
    :param recorded: whether the traffic is other people's, who need not have sent what everything else rests on.
    """
    failed = judgement.failed(Level.MUST)
    if remedy:
        return COULD_NOT_JUDGE, stopped
    if failed:
        return DOES_NOT_CONFORM, f"{_number(failed, 'MUST clause')} failed: {_ids(failed)}."
    if stopped:
        return COULD_NOT_JUDGE, stopped
    lenient = judgement.failed(Level.SHOULD)
    if strict and lenient:
        return (
            DOES_NOT_CONFORM,
            f"{_number(lenient, 'SHOULD clause')} failed in a strict run: {_ids(lenient)}.",
        )
    must = [each for each in judgement.verdicts if each.clause.level is Level.MUST]
    passed = [each for each in must if each.outcome is ClauseOutcome.PASSED]
    open_ended = [each for each in must if each.outcome is ClauseOutcome.CANT_TELL]
    if not any(each.outcome is ClauseOutcome.PASSED for each in judgement.verdicts):
        return COULD_NOT_JUDGE, "No clause could be judged."
    missing = [each for each in open_ended if each.clause.id in CORNERSTONES and not recorded]
    if missing:
        return (
            COULD_NOT_JUDGE,
            f"Essential clauses could not be determined: {_ids(missing)}. {missing[0].why}",
        )
    if certify and len(passed) < len(must):
        short = [each for each in must if each.outcome is not ClauseOutcome.PASSED]
        return (
            COULD_NOT_JUDGE,
            f"A certificate requires every MUST clause to pass; {_number(short, 'does', 'do')} not: {_ids(short)}.",
        )
    rest = left_out(judgement.ledger.terms, recorded=recorded)
    if rest:
        return _partial(judgement, rest, strict=strict)
    reason = f"{len(passed)} of {_number(must, 'MUST clause')} passed and none failed"
    if open_ended:
        return CONFORMS, f"{reason}; {len(open_ended)} could not be determined: {_ids(open_ended)}."
    return CONFORMS, f"{reason}."


def _partial(judgement: Judgement, rest: str, *, strict: bool) -> tuple[str, str]:
    """The outcome of a run that left clauses out and found no violation: of those that count it has to judge one."""
    counting = [each for each in judgement.verdicts if strict or each.clause.level is Level.MUST]
    judged = [each for each in counting if each.outcome is ClauseOutcome.PASSED]
    of_all = _number(counting, "clause" if strict else "MUST clause")
    if not judged:
        return COULD_NOT_JUDGE, f"None of {of_all} was judged; {rest}."
    return CONFORMS, f"No violation in the {len(judged)} of {of_all} judged; {rest}."


def exit_code(report: Mapping[str, Any]) -> int:
    """The exit code of a report: 4 if the suite itself failed, else that of the outcome."""
    return EXIT_SUITE_FAULT if report["suite_faults"] else EXIT_CODES[report["outcome"]]


def _number(items: list[Verdict] | tuple[Verdict, ...], one: str, many: str | None = None) -> str:
    return f"{len(items)} {one if len(items) == 1 else many or one + 's'}"


def _ids(verdicts: list[Verdict] | tuple[Verdict, ...], most: int = 6) -> str:
    shown = ", ".join(each.clause.id for each in verdicts[:most])
    return shown if len(verdicts) <= most else f"{shown} and {len(verdicts) - most} more"
