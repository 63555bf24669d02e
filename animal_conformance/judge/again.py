"""What a whole trace proves to somebody who did not see its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from animal_conformance.judge.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from animal_conformance.record.trace import Trace


class NothingProvedError(Exception):
    """A trace that proves nothing of all clauses; the message is a sentence."""


def judged_again(trace: Trace) -> Mapping[str, str]:
    """The outcome of each clause, by the trace alone.

    :raises NothingProvedError: where the trace is not whole and unaltered, or is one of a part of the clauses.
    """
    if trace.damage or not trace.whole:
        raise NothingProvedError(trace.damage or "The trace was cut off: its closing record is missing.")
    if trace.terms.selected or trace.terms.read_only:
        raise NothingProvedError("The trace is of a run that left clauses out.")
    judgement = judge(trace.exchanges, trace.terms)
    if judgement.faults:
        raise NothingProvedError("The suite itself fails on the trace, so that nothing is proved by it.")
    return {each.clause.id: each.outcome.value for each in judgement.verdicts}
