"""The outcome of a run and its exit code: a function of the verdicts and of how the run ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.gaps import WITHOUT_CLAUSE, WITHOUT_READ_ONLY
from animal_conformance.judge.verdicts import ClauseOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from animal_conformance.judge.verdicts import Judgement, Verdict

CONFORMS: Final = "conforms"
DOES_NOT_CONFORM: Final = "does-not-conform"
COULD_NOT_JUDGE: Final = "could-not-judge"

EXIT_CODES: Final = {CONFORMS: 0, DOES_NOT_CONFORM: 1, COULD_NOT_JUDGE: 3}
EXIT_USAGE: Final = 2
EXIT_SUITE_FAULT: Final = 4

WHOLE: Final = "whole"
PARTIAL: Final = "partial"

# An outcome with which a certificate may be had, beside an excuse.
SUFFICIENT: Final = frozenset({ClauseOutcome.PASSED, ClauseOutcome.INAPPLICABLE})


def left_out(judgement: Judgement, *, recorded: bool = False) -> str:
    """What leaves MUST clauses out of a run, or untold, by its user's own choice, and what would tell the rest.

    Empty where the run is whole.

    :param recorded: whether the traffic is other people's.
    """
    if recorded:
        return "this is recorded traffic, and a run on the deployment would judge the rest"
    terms = judgement.ledger.terms
    if terms.crowded:
        return "a soak sends what makes load and forgets most of it, and a run would judge the rest"
    needed = [
        choice
        for choice, given in ((WITHOUT_CLAUSE, terms.selected), (WITHOUT_READ_ONLY, terms.read_only))
        if given
    ]
    needed += [each.choice for each in _must(judgement) if each.untold and each.choice]
    phrases = list(dict.fromkeys(needed))
    return f"a run {_joined(phrases)} would judge the rest" if phrases else ""


def is_gap(verdict: Verdict, *, recorded: bool = False) -> bool:
    """Whether a MUST clause was not told although nothing excuses it, nor is it the user's choice."""
    return verdict.untold and verdict.clause.level is Level.MUST and not verdict.choice and not recorded


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
    :param certify: whether every MUST clause has to pass, be inapplicable, or be excused.
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
    if not any(each.outcome is ClauseOutcome.PASSED for each in judgement.verdicts):
        return COULD_NOT_JUDGE, "No clause could be judged."
    gaps = [each for each in judgement.verdicts if is_gap(each, recorded=recorded)]
    if gaps:
        # The one that says what to do about it says most.
        told = next((each for each in gaps if each.remedy), gaps[0])
        first = " ".join(filter(None, (told.why, told.remedy)))
        of = "" if len(gaps) == 1 else f"{told.clause.id}: "
        return (
            COULD_NOT_JUDGE,
            f"{_number(gaps, 'MUST clause')} could not be determined: {_ids(gaps)}. {of}{first}",
        )
    rest = left_out(judgement, recorded=recorded)
    must = _must(judgement)
    short = [each for each in must if each.outcome not in SUFFICIENT and each.excuse is None]
    if certify and (rest or short):
        return COULD_NOT_JUDGE, _uncertified(short, rest)
    if rest:
        return _partial(judgement, rest, strict=strict)
    passed = [each for each in must if each.outcome is ClauseOutcome.PASSED]
    others = [
        f"; {len(those)} {word}: {_ids(those)}"
        for those, word in (
            ([each for each in must if each.outcome is ClauseOutcome.INAPPLICABLE], "inapplicable"),
            ([each for each in must if each.excuse is not None], "excused, as no client could tell"),
        )
        if those
    ]
    return (
        CONFORMS,
        f"{len(passed)} of {_number(must, 'MUST clause')} passed and none failed{''.join(others)}.",
    )


def _uncertified(short: list[Verdict], rest: str) -> str:
    if not short:
        return f"A certificate requires a whole run; {rest}."
    return (
        "A certificate requires every MUST clause to pass, be inapplicable or be excused; "
        f"{_number(short, 'does', 'do')} not: {_ids(short)}{f'; {rest}' if rest else ''}."
    )


def _partial(judgement: Judgement, rest: str, *, strict: bool) -> tuple[str, str]:
    """The outcome of a run that left clauses out and found no violation: of those that count it has to judge one."""
    counting = [each for each in judgement.verdicts if strict or each.clause.level is Level.MUST]
    judged = [each for each in counting if each.outcome is ClauseOutcome.PASSED]
    of_all = _number(counting, "clause" if strict else "MUST clause")
    if not judged:
        return COULD_NOT_JUDGE, f"None of {of_all} was judged; {rest}."
    return CONFORMS, f"No violation in the {len(judged)} of {of_all} judged; {rest}."


def _must(judgement: Judgement) -> list[Verdict]:
    return [each for each in judgement.verdicts if each.clause.level is Level.MUST]


def _joined(phrases: list[str]) -> str:
    return " and ".join(phrases)


def exit_code(report: Mapping[str, Any]) -> int:
    """The exit code of a report: 4 if the suite itself failed, else that of the outcome behind its gate.

    Expectations that are out of date are wrong usage, where nothing else is wrong.
    """
    if report["suite_faults"]:
        return EXIT_SUITE_FAULT
    outcome, gate = final_outcome(report), report.get("gate")
    return EXIT_USAGE if gate and gate["stale"] and outcome == CONFORMS else EXIT_CODES[outcome]


def final_outcome(report: Mapping[str, Any]) -> str:
    """The outcome of a report, or what becomes of it where known failures are let through."""
    outcome: str = (report.get("gate") or report)["outcome"]
    return outcome


def _number(items: list[Verdict] | tuple[Verdict, ...], one: str, many: str | None = None) -> str:
    return f"{len(items)} {one if len(items) == 1 else many or one + 's'}"


def _ids(verdicts: list[Verdict] | tuple[Verdict, ...], most: int = 6) -> str:
    shown = ", ".join(each.clause.id for each in verdicts[:most])
    return shown if len(verdicts) <= most else f"{shown} and {len(verdicts) - most} more"
