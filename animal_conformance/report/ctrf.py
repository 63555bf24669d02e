"""ctrf-report.json: the Common Test Report Format (https://ctrf.io), a test per clause."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Final

from animal_conformance.interface.clauses import Level
from animal_conformance.judge.outcome import COULD_NOT_JUDGE
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report.safe_text import safe_text
from animal_conformance.report.words import reason_of

SPEC_VERSION: Final = "1.0.0"
STATUSES: Final = {
    ClauseOutcome.PASSED: "passed",
    ClauseOutcome.FAILED: "failed",
    ClauseOutcome.CANT_TELL: "other",
    ClauseOutcome.INAPPLICABLE: "skipped",
    ClauseOutcome.UNTESTED: "skipped",
}
# The namespace of the UUIDs that the format requires for clauses; must never change.
NAMESPACE: Final = uuid.UUID("7a3e1c52-5b0d-5f1c-9a54-0c8f2f6f8f11")


def ctrf_report(report: dict[str, Any]) -> dict[str, Any]:
    """The report in that format.

    An undetermined clause is `other`, and so is a failed SHOULD clause unless the run is strict. A run
    that could not be judged has one additional test that fails.
    """
    run = report["run"]
    tests = [_test(each, strict=run["strict"]) for each in report["clauses"]]
    if report["outcome"] == COULD_NOT_JUDGE or report["suite_faults"]:
        message = safe_text(" ".join((report["reason"], *report["suite_faults"])))
        tests.append({**_named("run.judged"), "status": "failed", "suite": ["run"], "message": message})
    counts = dict.fromkeys(("passed", "failed", "skipped", "pending", "other"), 0)
    for test in tests:
        counts[test["status"]] += 1
    return {
        "reportFormat": "CTRF",
        "specVersion": SPEC_VERSION,
        "reportId": str(uuid.uuid5(NAMESPACE, f"run {run['id']} {run['started']}")),
        "timestamp": run["finished"],
        "generatedBy": "animal-conformance",
        "results": {
            "tool": {"name": "animal-conformance", "version": report["suite"]["version"]},
            "summary": {
                "tests": len(tests),
                **counts,
                "suites": len({test["suite"][0] for test in tests}),
                "start": _milliseconds(run["started"]),
                "stop": _milliseconds(run["finished"]),
                "duration": round(run["seconds"] * 1000),
                "extra": {
                    "outcome": report["outcome"],
                    "scope": report["scope"],
                    "reason": safe_text(report["reason"]),
                },
            },
            "tests": tests,
            "environment": {
                "appName": safe_text(report["target"]["name"]),
                "testEnvironment": safe_text(report["target"]["base_url"]),
                "extra": {"profile": run["profile"], "seed": run["seed"], "requests": run["requests"]},
            },
        },
    }


def _named(name: str) -> dict[str, Any]:
    return {"id": str(uuid.uuid5(NAMESPACE, name)), "name": name, "duration": 0}


def _test(clause: dict[str, Any], *, strict: bool) -> dict[str, Any]:
    outcome = ClauseOutcome(clause["outcome"])
    lenient = outcome is ClauseOutcome.FAILED and clause["level"] == Level.SHOULD and not strict
    test = {
        **_named(clause["id"]),
        "status": "other" if lenient else STATUSES[outcome],
        "rawStatus": outcome.value,
        "suite": [clause["id"].split(".", 1)[0]],
        "tags": [clause["level"]],
        "labels": {
            "level": clause["level"],
            "title": clause["title"],
            "source": clause["source"],
            "evidence": clause["evidence"],
            **({"excuse": clause["excuse"]["id"]} if clause["excuse"] else {}),
        },
    }
    if clause["findings"]:
        finding = clause["findings"][0]
        test["message"] = safe_text(finding["message"])
        test["trace"] = safe_text(
            f"required: {clause['title']}\nexpected: {finding['expected']}\nobserved: {finding['observed']}",
            lines=True,
        )
        test["snippet"] = safe_text(finding["curl"], lines=True)
    elif clause["why"]:
        test["message"] = safe_text(reason_of(clause))
    return test


def _milliseconds(timestamp: str) -> int:
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
