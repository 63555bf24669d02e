"""ctrf-report.json: the Common Test Report Format (https://ctrf.io), a test per clause."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Final

from animal_conformance.judge.outcome import COULD_NOT_JUDGE, final_outcome, is_binding
from animal_conformance.judge.verdicts import ClauseOutcome
from animal_conformance.report import words
from animal_conformance.report.safe_text import safe_text

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
    """The report as a document of the Common Test Report Format.

    An undetermined clause is `other`; so is a known failure, and so is a failed SHOULD clause unless the run is strict.
    There is one additional test that fails if the run could not be judged, if its expectations are out of date, or if
    a soak exceeded a threshold.
    """
    run, known = report["run"], words.known_failures(report)
    further = (
        *words.exceeded_thresholds(report), *words.stale_expectations(report), *report["suite_faults"],
    )  # fmt: skip
    tests = [_test(each, known.get(each["id"]), report) for each in report["clauses"]]
    if final_outcome(report) == COULD_NOT_JUDGE or further:
        message = safe_text(" ".join((words.shown_reason(report), *further)))
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
                    "outcome": final_outcome(report),
                    "scope": report["scope"],
                    "reason": safe_text(words.shown_reason(report)),
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


def _test(clause: dict[str, Any], known: str | None, report: dict[str, Any]) -> dict[str, Any]:
    outcome = ClauseOutcome(clause["outcome"])
    counts = known is None and is_binding(clause["level"], report)
    lenient = outcome is ClauseOutcome.FAILED and not counts
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
        test["message"] = safe_text(finding["message"] if known is None else f"{known}. {finding['message']}")
        test["trace"] = safe_text(
            f"required: {clause['title']}\nexpected: {finding['expected']}\nobserved: {finding['observed']}",
            lines=True,
        )
        test["snippet"] = safe_text(finding["curl"], lines=True)
    elif clause["why"]:
        test["message"] = safe_text(words.reason_of(clause))
    return test


def _milliseconds(timestamp: str) -> int:
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
