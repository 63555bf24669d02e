"""junit.xml: one case per clause, for the tools that read what test runners write."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final
from xml.etree import ElementTree as ET

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.outcome import COULD_NOT_JUDGE
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.safe_text import safe_text

LONGEST_MESSAGE: Final = 500


def junit_xml(report: dict[str, Any]) -> bytes:
    """The report as JUnit XML.

    A suite per chapter, and a case per clause with its level and source as properties. A finding of a MUST is
    a `failure`; one of a SHOULD is `skipped` with the finding for a message, unless the run is strict. What
    could not be told is `skipped` with the reason. A run that could not be judged has one case of its own
    that fails, since a file of skipped cases would pass for green; only a fault of the suite is an `error`.
    """
    root = ET.Element("testsuites", name="animal-conformance")
    for chapter, clauses in groupby(report["clauses"], key=lambda clause: clause["id"].split(".", 1)[0]):
        suite = _suite(root, chapter, report)
        for clause in clauses:
            _clause(suite, clause, strict=report["run"]["strict"])
    if report["outcome"] == COULD_NOT_JUDGE or report["suite_faults"]:
        suite = _suite(root, "run", report)
        if report["outcome"] == COULD_NOT_JUDGE:
            message = " ".join(filter(None, (report["reason"], report["remedy"])))
            _child(_case(suite, "run.judged"), "failure", message, kind=COULD_NOT_JUDGE)
        for number, fault in enumerate(report["suite_faults"], start=1):
            case = _case(suite, f"run.suite-fault-{number}")
            _child(
                case,
                "error",
                "The suite itself failed; this says nothing of the deployment.",
                fault,
                "suite-fault",
            )
    _count(root, report["run"]["seconds"])
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(root: ET.Element, name: str, report: dict[str, Any]) -> ET.Element:
    return ET.SubElement(root, "testsuite", name=name, timestamp=report["run"]["started"].removesuffix("Z"))


def _case(suite: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(
        suite, "testcase", classname=f"animal-conformance.{suite.get('name')}", name=name, time="0"
    )


def _clause(suite: ET.Element, clause: dict[str, Any], *, strict: bool) -> None:
    case = _case(suite, clause["id"])
    properties = ET.SubElement(case, "properties")
    for name in ("level", "title", "source", "outcome", "evidence"):
        ET.SubElement(properties, "property", name=name, value=safe_text(clause[name]))
    outcome = clause["outcome"]
    if outcome == ClauseOutcome.FAILED:
        finding = clause["findings"][0]
        if strict or clause["level"] == Level.MUST:
            _child(case, "failure", finding["message"], _details(clause), clause["level"])
        else:
            _child(
                case,
                "skipped",
                f"SHOULD finding, no failure of a run that is not strict: {finding['message']}",
            )
            _child(case, "system-out", "", _details(clause))
    elif outcome != ClauseOutcome.PASSED:
        _child(case, "skipped", f"{outcome}: {clause['why']}")


def _child(case: ET.Element, tag: str, message: str, text: str = "", kind: str = "") -> None:
    child = ET.SubElement(case, tag)
    if message:
        child.set("message", safe_text(message, length=LONGEST_MESSAGE))
    if kind:
        child.set("type", kind)
    if text:
        child.text = safe_text(text, lines=True)


def _details(clause: dict[str, Any]) -> str:
    """What a person needs to see the findings for themselves."""
    parts = [f"required:   {clause['title']}\nsource:     {clause['source']}"]
    parts += [
        "\n".join(
            (
                finding["message"],
                f"acceptable: {finding['expected']}",
                f"observed:   {finding['observed']}",
                finding["curl"],
            )
        )
        for finding in clause["findings"]
    ]
    if clause["finding_count"] > len(clause["findings"]):
        parts.append(f"Findings in all: {clause['finding_count']}.")
    return "\n\n".join(parts)


def _count(root: ET.Element, seconds: float) -> None:
    """Set the counts that readers expect, on each suite and on the whole."""
    for element in (*root, root):
        element.set("tests", str(len(list(element.iter("testcase")))))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            element.set(name, str(len(list(element.iter(tag)))))
        element.set("time", str(seconds) if element is root else "0")
