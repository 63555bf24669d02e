"""The report of a run, made again from its trace alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any, Final

from animal_conformance.judge.gaps import Cut, Limit
from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Terms
from animal_conformance.record.har import Recording
from animal_conformance.record.trace import Trace
from animal_conformance.report.report import RunFacts, build_report, facts_of
from animal_conformance.report.words import RECORDED

TRUNCATED: Final = "The trace is truncated: it ends before its run was complete."


def report_of_trace(trace: Trace, *, selected: tuple[str, ...] = (), strict: bool = False) -> dict[str, Any]:
    """Judge a trace again.

    :param selected: prefixes of the clauses to judge; none for those that the run judged.
    :param strict: whether a failed SHOULD clause fails a run that was not strict.
    """
    whole = trace.whole and not trace.ending.get("interrupted")
    terms = replace(trace.terms, selected=selected or trace.terms.selected)
    facts = facts_of_trace(trace)
    return build_report(
        judge(trace.exchanges, terms, whole=whole, cut=_cut_of(trace)),
        replace(facts, strict=strict or facts.strict),
    )


def _cut_of(trace: Trace) -> Cut | None:
    """Which limit ended a run before every driver had, as its closing record says."""
    cut = trace.ending.get("cut")
    if not isinstance(cut, dict) or not cut:
        return None
    limit = Limit.REQUESTS if cut.get("limit") == Limit.REQUESTS else Limit.TIME
    return Cut(limit, str(cut.get("why", "")))


def report_of_har(
    recording: Recording, name: str, today: date | None, selected: tuple[str, ...], *, strict: bool
) -> dict[str, Any]:
    """Judge other people's traffic by the rules of ``today``, or else of the day on which it was recorded."""
    day = today or recording.began.date()
    terms = Terms(base_url=recording.base_url, today=day.isoformat(), selected=selected)
    began = recording.began.timestamp()
    facts = RunFacts(
        run_id="",
        base_url=recording.base_url,
        name=name,
        started=began,
        finished=began + max((each.answered_s for each in recording.exchanges), default=0.0),
        profile=RECORDED,
        seed=0,
        connections=1,
        strict=strict,
        notes=recording.notes,
    )
    return build_report(judge(recording.exchanges, terms), facts)


def facts_of_trace(trace: Trace) -> RunFacts:
    """What a trace says of its run."""
    last_s = max((each.answered_s for each in trace.exchanges), default=0.0)
    facts = facts_of(trace.header, trace.ending, trace.terms.base_url, trace.digest, last_s)
    return facts if trace.whole else replace(facts, stopped=TRUNCATED)
