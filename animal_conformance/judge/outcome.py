"""The outcome of a run and its exit code: a function of the verdicts and of how the run ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.case import plural
from animal_conformance.judge.gaps import WITHOUT_CLAUSE, WITHOUT_READ_ONLY
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement, Verdict

CONFORMS: Final = "conforms"
DOES_NOT_CONFORM: Final = "does-not-conform"
COULD_NOT_JUDGE: Final = "could-not-judge"

EXIT_CODES: Final = {CONFORMS: 0, DOES_NOT_CONFORM: 1, COULD_NOT_JUDGE: 3}
EXIT_USAGE: Final = 2
EXIT_SUITE_FAULT: Final = 4

WHOLE: Final = "whole"
PARTIAL: Final = "partial"

# The outcomes of a clause that allow a certificate; an excuse does too.
SUFFICIENT: Final = frozenset({ClauseOutcome.PASSED, ClauseOutcome.INAPPLICABLE})


def left_out(judgement: Judgement, *, recorded: bool = False) -> str:
    """Why MUST clauses were left out of a run, or untold, by the user's own choice, and what would judge the rest.

    Empty if the run is whole.

    :param recorded: whether the traffic is other people's.
    """
    if recorded:
        return "this is recorded traffic, and a run on the deployment would judge the rest"
    terms = judgement.ledger.terms
    if terms.crowded:
        return "a soak judges only what load can show, and a run would judge the rest"
    if not judgement.whole:
        return "the run was interrupted, and one that is complete would judge the rest"
    needed = [
        choice
        for choice, given in ((WITHOUT_CLAUSE, terms.selected), (WITHOUT_READ_ONLY, terms.read_only))
        if given
    ]
    needed += [each.choice for each in _must(judgement.verdicts) if each.choice]
    phrases = list(dict.fromkeys(needed))
    return f"a run {' and '.join(phrases)} would judge the rest" if phrases else ""


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
        early = f" {stopped}" if stopped else ""
        return DOES_NOT_CONFORM, f"{plural(len(failed), 'MUST clause')} failed: {_ids(failed)}.{early}"
    if stopped:
        return COULD_NOT_JUDGE, stopped
    lenient = judgement.failed(Level.SHOULD)
    if strict and lenient:
        return (
            DOES_NOT_CONFORM,
            f"{plural(len(lenient), 'SHOULD clause')} failed in a strict run: {_ids(lenient)}.",
        )
    rest = left_out(judgement, recorded=recorded)
    lacking = shortfall(judgement.verdicts, rest, strict=strict, certify=certify, recorded=recorded)
    if lacking:
        return COULD_NOT_JUDGE, lacking
    if rest:
        judged, counting = _judged(judgement.verdicts, strict=strict)
        of_all = _clauses(counting, strict=strict)
        of = (
            f"any of the {of_all}"
            if len(judged) == len(counting)
            else f"the {len(judged)} of {of_all} judged"
        )
        return CONFORMS, f"No violation in {of}; {rest}."
    must = _must(judgement.verdicts)
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
        f"{len(passed)} of {plural(len(must), 'MUST clause')} passed and none failed{''.join(others)}.",
    )


def shortfall(verdicts: Sequence[Verdict], rest: str, *, strict: bool, certify: bool, recorded: bool) -> str:
    """What a run without a failure that counts lacks to be green, in a sentence; empty if it lacks nothing.

    :param rest: what was left out, as :func:`left_out` says it; the others are those of :func:`decide`.
    """
    if not any(each.outcome is ClauseOutcome.PASSED for each in verdicts):
        return "No clause could be judged."
    must = _must(verdicts)
    gaps = [each for each in must if each.untold and not each.choice]
    if gaps and not recorded:
        # A gap with a remedy tells the user most.
        told = next((each for each in gaps if each.remedy), gaps[0])
        first = " ".join(filter(None, (told.why, told.remedy)))
        of = "" if len(gaps) == 1 else f"{told.clause.id}: "
        return f"{plural(len(gaps), 'MUST clause')} could not be determined: {_ids(gaps)}. {of}{first}"
    short = [each for each in must if each.outcome not in SUFFICIENT and each.excuse is None]
    if certify and (rest or short):
        return _uncertified(short, rest)
    judged, counting = _judged(verdicts, strict=strict)
    return f"None of {_clauses(counting, strict=strict)} was judged; {rest}." if rest and not judged else ""


def _uncertified(short: list[Verdict], rest: str) -> str:
    if not short:
        return f"A certificate requires a whole run; {rest}."
    return (
        "A certificate requires every MUST clause to pass, be inapplicable or be excused; "
        f"{len(short)} {'does' if len(short) == 1 else 'do'} not: {_ids(short)}{f'; {rest}' if rest else ''}."
    )


def _judged(verdicts: Sequence[Verdict], *, strict: bool) -> tuple[list[Verdict], list[Verdict]]:
    """Those of the clauses that count that passed, and all that count; a partial run has to judge at least one."""
    counting = list(verdicts) if strict else _must(verdicts)
    return [each for each in counting if each.outcome is ClauseOutcome.PASSED], counting


def _clauses(counting: Sequence[Verdict], *, strict: bool) -> str:
    return plural(len(counting), "clause" if strict else "MUST clause")


def _must(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [each for each in verdicts if each.clause.level is Level.MUST]


def exit_code(report: Mapping[str, Any]) -> int:
    """The exit code of a report: 4 if the suite itself failed, else that of its outcome after the gate.

    If nothing else is wrong, expectations that are out of date count as wrong usage.
    """
    if report["suite_faults"]:
        return EXIT_SUITE_FAULT
    outcome, gate = final_outcome(report), report.get("gate")
    return EXIT_USAGE if gate and gate["stale"] and outcome == CONFORMS else EXIT_CODES[outcome]


def final_outcome(report: Mapping[str, Any]) -> str:
    """The outcome of a report, after known failures have been let through."""
    outcome: str = (report.get("gate") or report)["outcome"]
    return outcome


def is_binding(level: str, report: Mapping[str, Any]) -> bool:
    """Whether a failed clause of a level fails the run: a MUST clause does, and in a strict run every clause."""
    strict: bool = report["run"]["strict"]
    return strict or level == Level.MUST


def few(names: Sequence[str], most: int = 6) -> str:
    """The first of some names, and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _ids(verdicts: Sequence[Verdict]) -> str:
    return few([each.clause.id for each in verdicts])
