"""junit.xml: one case per clause, for tools that read the output of test runners."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from animal_conformance.judge.outcome import COULD_NOT_JUDGE, final_outcome, is_binding
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report import words
from animal_conformance.report.templating import render


@dataclass(frozen=True)
class Case:
    """A test case; ``tag`` is `failure`, `skipped` or `error`, or empty if it passed."""

    name: str
    tag: str = ""
    message: str = ""
    kind: str = ""
    text: str = ""
    clause: dict[str, Any] | None = None


def junit_xml(report: dict[str, Any]) -> bytes:
    """The report as JUnit XML.

    A suite per chapter, and a case per clause with its level and source as output. A failed MUST is
    a `failure`; a failed SHOULD is `skipped` with the finding as its message, unless the run is strict, and so is
    a known failure. An undetermined clause is `skipped` with the reason. There is one additional case that fails if
    the run could not be judged, since a file of skipped cases would be read as green, if expectations are out of
    date, or if a soak exceeded a threshold; only a fault in the suite is an `error`.

    It keeps to what Jenkins' xUnit plugin accepts (junit-10.xsd there), the strictest of the readers.
    """
    known = words.known_failures(report)
    suites = [
        (chapter, [_case(each, known.get(each["id"]), report) for each in clauses])
        for chapter, clauses in groupby(report["clauses"], key=lambda clause: clause["id"].split(".", 1)[0])
    ]
    if of_the_run := _cases_of_the_run(report):
        suites.append(("run", of_the_run))
    return render(
        "junit.xml.j2",
        suites=suites,
        cases=[each for _, cases in suites for each in cases],
        run=report["run"],
        scope=report["scope"],
    ).encode()


def _case(clause: dict[str, Any], known: str | None, report: dict[str, Any]) -> Case:
    name, outcome = clause["id"], clause["outcome"]
    if outcome == ClauseOutcome.PASSED:
        return Case(name, clause=clause)
    if outcome != ClauseOutcome.FAILED:
        return Case(
            name, "skipped", f"{words.OUTCOME_WORDS[outcome]}: {words.reason_of(clause)}", clause=clause
        )
    message = clause["findings"][0]["message"]
    if known is not None:
        return Case(name, "skipped", f"{known}. {message}", text=words.details(clause), clause=clause)
    if is_binding(clause["level"], report):
        return Case(name, "failure", message, clause["level"], words.details(clause), clause)
    message = f"Failed SHOULD clause, which fails only a strict run: {message}"
    return Case(name, "skipped", message, text=words.details(clause), clause=clause)


def _cases_of_the_run(report: dict[str, Any]) -> list[Case]:
    cases = []
    if final_outcome(report) == COULD_NOT_JUDGE:
        message = " ".join(filter(None, (words.shown_reason(report), report["remedy"])))
        cases.append(Case("run.judged", "failure", message, COULD_NOT_JUDGE))
    if stale := words.stale_expectations(report):
        cases.append(Case("run.expectations", "failure", stale[0], "out-of-date", "\n".join(stale)))
    if exceeded := words.exceeded_thresholds(report):
        cases.append(Case("run.thresholds", "failure", exceeded[0], "exceeded", "\n".join(exceeded)))
    said = "The suite itself failed; this says nothing about the deployment."
    cases += [
        Case(f"run.suite-fault-{number}", "error", said, "suite-fault", fault)
        for number, fault in enumerate(report["suite_faults"], start=1)
    ]
    return cases
