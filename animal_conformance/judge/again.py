"""What a complete trace proves to someone who did not see the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from animal_conformance.judge.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from animal_conformance.record.trace import Trace


class NothingProvedError(Exception):
    """A trace that cannot prove anything about all clauses; the message is a sentence."""


def judged_again(trace: Trace) -> Mapping[str, str]:
    """The outcome of each clause, derived from the trace alone.

    :raises NothingProvedError: if the trace is incomplete or altered, or covers only a part of the clauses.
    """
    if trace.damage or not trace.whole:
        raise NothingProvedError(trace.damage or "The trace is truncated: its closing record is missing.")
    if trace.terms.selected or trace.terms.read_only:
        raise NothingProvedError("The trace is from a run that did not cover all clauses.")
    judgement = judge(trace.exchanges, trace.terms)
    if judgement.faults:
        raise NothingProvedError("The suite itself failed on the trace, so it proves nothing.")
    return {each.clause.id: each.outcome.value for each in judgement.verdicts}
