"""The words shared by all reports."""

from __future__ import annotations

import shlex
from typing import Any, Final
from urllib.parse import urlsplit

from animal_conformance.interface.clauses import Level
from animal_conformance.interface.explanations import load_explanations
from animal_conformance.judge.case import plural
from animal_conformance.judge.outcome import (
    CONFORMS,
    COULD_NOT_JUDGE,
    DOES_NOT_CONFORM,
    EXIT_USAGE,
    PARTIAL,
    exit_code,
    final_outcome,
)
from animal_conformance.judge.verdicts import ClauseOutcome

VERDICT_WORDS: Final = {
    CONFORMS: "CONFORMS",
    DOES_NOT_CONFORM: "DOES NOT CONFORM",
    COULD_NOT_JUDGE: "COULD NOT BE JUDGED",
}
PARTIAL_WORDS: Final = {**VERDICT_WORDS, CONFORMS: "NO VIOLATION IN WHAT WAS JUDGED"}
VERDICT_STYLES: Final = {CONFORMS: "green", DOES_NOT_CONFORM: "red", COULD_NOT_JUDGE: "yellow"}
OUTCOME_WORDS: Final = {
    ClauseOutcome.PASSED: "passed",
    ClauseOutcome.FAILED: "failed",
    ClauseOutcome.CANT_TELL: "can't tell",
    ClauseOutcome.INAPPLICABLE: "inapplicable",
    ClauseOutcome.UNTESTED: "not judged",
}
VERDICT_SYMBOLS: Final = {CONFORMS: "✓", DOES_NOT_CONFORM: "✗", COULD_NOT_JUDGE: "?"}
VERDICT_MARKS: Final = {CONFORMS: "✅", DOES_NOT_CONFORM: "❌", COULD_NOT_JUDGE: "⚠️"}
OUTCOME_SYMBOLS: Final = {
    ClauseOutcome.PASSED: "✓",
    ClauseOutcome.FAILED: "✗",
    ClauseOutcome.CANT_TELL: "?",
    ClauseOutcome.INAPPLICABLE: "∅",
    ClauseOutcome.UNTESTED: "○",
}
MOST_EXCHANGES: Final = 3
# The percentiles of a soak's response times.
PERCENTILES: Final = (50, 95, 99)
# In place of a profile, for other people's traffic.
RECORDED: Final = "recorded"
# The first part of a clause id, and its chapter of the interface document.
CHAPTERS: Final = {
    "http": "All responses",
    "animal": "Animals in responses",
    "list": "List animals",
    "create": "Add an animal",
    "get": "Get an animal",
    "auth": "Authentication",
    "error": "Errors",
    "methods": "Endpoints and versioning",
    "version": "Endpoints and versioning",
}


def verdict_words(report: dict[str, Any]) -> str:
    """The verdict, with the known failures; a run that left clauses out never says that the deployment conforms."""
    outcome, known = final_outcome(report), known_failures(report)
    words = (PARTIAL_WORDS if report["scope"] == PARTIAL else VERDICT_WORDS)[outcome]
    if outcome != CONFORMS:
        return words
    if known:
        words = words.replace("NO VIOLATION", "NO NEW VIOLATION")
        words += f", WITH {plural(len(known), 'known failure').upper()}"
    if hidden := report["gate"]["hidden"] if known else ():
        words += f" AND {plural(len(hidden), 'clause').upper()} NOT DETERMINED"
    if exceeded_thresholds(report):
        words += ", BUT THRESHOLDS WERE EXCEEDED"
    return f"{words}, BUT EXPECTATIONS ARE OUT OF DATE" if stale_expectations(report) else words


def shown_outcome(report: dict[str, Any]) -> str:
    """The outcome whose colour and sign a report has: what fails the gate without a violation is not shown in green."""
    outcome = final_outcome(report)
    fails = exit_code(report) == EXIT_USAGE or (outcome == CONFORMS and exceeded_thresholds(report))
    return COULD_NOT_JUDGE if fails else outcome


def shown_reason(report: dict[str, Any]) -> str:
    """The sentence below the verdict."""
    reason: str = (report.get("gate") or report)["reason"]
    return reason


def known_failures(report: dict[str, Any]) -> dict[str, str]:
    """The known failures, by clause: each with its reason, and until when it may fail."""
    gate = report.get("gate")
    return {
        each[
            "id"
        ]: f"Known failure, {'until ' + each['until'] + ': ' if each['until'] else ''}{each['reason']}"
        for each in (gate["known"] if gate else ())
    }


def stale_expectations(report: dict[str, Any]) -> list[str]:
    """The expectations that have expired, or whose clause passes, each in a sentence; reports show them first."""
    gate = report.get("gate")
    return list(gate["stale"]) if gate else []


def gate_notes(report: dict[str, Any]) -> list[str]:
    """What else there is to say about the expectations and the baseline, in sentences."""
    gate = report.get("gate")
    return list(gate["notes"]) if gate else []


def exceeded_thresholds(report: dict[str, Any]) -> list[str]:
    """The thresholds of a soak's user that were exceeded, each in a sentence: they fail the command, but no clause."""
    load = report.get("load") or {"thresholds": []}
    return [f"Threshold exceeded: {each['sentence']}." for each in load["thresholds"] if not each["kept"]]


def load_rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    """What a soak has measured, each value with a label; empty for a run."""
    load = report.get("load")
    if load is None:
        return []
    requests, seconds = report["run"]["requests"], len(load["bins"]) * load["step_s"]
    rows = [("throughput", f"{requests / max(1, seconds):,.0f} requests per second")]
    rows += [
        (name, ", ".join(f"{percent}% within {each[f'p{percent}_ms']:.3g} ms" for percent in PERCENTILES))
        for name, each in load["operations"].items()
    ]
    if load["errors"]:
        counted = (f"{kind} {count:,}x" for kind, count in load["errors"].items())
        rows.append(("not served", ", ".join(counted)))
    broken = [each for each in load["guarantees"] if each["broken"]]
    rows += [(each["id"], f"broken {each['broken']:,}x, held {each['held']:,}x") for each in broken]
    rows += [("threshold", f"kept: {each['sentence']}") for each in load["thresholds"] if each["kept"]]
    lost = load["lost_workers_s"]
    return [
        *rows,
        *(
            ("lost", f"a worker, {each:g} s into the soak, with what it did in its last seconds")
            for each in lost
        ),
    ]


def excluded_of(finding: dict[str, Any]) -> str:
    """Which lawful explanations of a finding are excluded, each with the exchanges that exclude it; empty if none had to be."""
    exchanges: dict[str, list[str]] = {}
    for each in finding["excluded"]:
        exchanges.setdefault(each["explanation"], []).append(each["exchange"])
    titles = load_explanations()
    return "; ".join(
        f"“{titles[explanation].title.rstrip('.')}”, by exchange{'s' if len(found) > 1 else ''} {', '.join(found[:MOST_EXCHANGES])}"
        for explanation, found in exchanges.items()
    )


def reason_of(clause: dict[str, Any]) -> str:
    """Why a clause neither passed nor failed: what excuses it, or else why it was not determined and what would help."""
    excuse = clause["excuse"]
    if excuse is not None:
        return f"Excused, as no client could tell: {excuse['sentence']}"
    return " ".join(filter(None, (clause["why"], clause["remedy"])))


def levels_kept(report: dict[str, Any]) -> str:
    """The levels that a conforming deployment keeps: SHOULD only if none of its clauses failed or could not be told."""
    should = report["counts"][Level.SHOULD]
    short = should[ClauseOutcome.FAILED] + should[ClauseOutcome.CANT_TELL]
    return Level.MUST.value if short else " and ".join(Level)


def restart_command(report: dict[str, Any]) -> str:
    """The command that restarts the built-in deployment of a run at its address; empty if it judged another one."""
    options = report["run"]["options"]
    if options.get("base_url") != "":
        return ""
    changes = [("--fault", each) for each in options.get("faults", ())]
    changes += [("--variant", each) for each in options.get("variants", ())]
    changes += [("--null", options["null"])] if options.get("null") else []
    port = urlsplit(report["target"]["base_url"]).port
    words = ["animal-conformance", "serve", "--port", port, *(word for pair in changes for word in pair)]
    return shlex.join(map(str, words))


def left_behind(report: dict[str, Any]) -> str:
    """What a run has left in its deployment, in a sentence; empty if that has stopped, or for other people's traffic."""
    count, nameless = len(report["leftovers"]), unidentified(report)
    if not (count or nameless) or report["run"]["profile"] == RECORDED or restart_command(report):
        return ""
    told = (
        f"This run created {plural(count, 'animal')} and removed none: the interface has no delete operation. "
        "The ids are in conformance.json."
    )
    return " ".join(filter(None, (told if count else "", nameless)))


def unidentified(report: dict[str, Any]) -> str:
    """Which animals of unknown id a run has probably left, in a sentence; empty if there are none."""
    count = report["unidentified"]
    return (
        f"{plural(count, 'create request')} returned 201 without a readable id: "
        "their animals probably remain, too. Most names contain Ac."
        if count
        else ""
    )


def ran(run: dict[str, Any]) -> str:
    """A run in one line."""
    how = f"{run['profile']} profile, seed {run['seed']}, {plural(run['connections'], 'connection')}"
    return f"{'recorded traffic' if run['profile'] == RECORDED else how}; {plural(run['requests'], 'request')}, {plural(run['creations'], 'animal')} created, {run['seconds']:.1f} s"


def details(clause: dict[str, Any]) -> str:
    """What a reader needs to reproduce the findings."""
    parts = [f"required:   {clause['title']}\nsource:     {clause['source']}"]
    parts += [
        f"{each['message']}\nexpected:   {each['expected']}\nobserved:   {each['observed']}\n{each['curl']}"
        for each in clause["findings"]
    ]
    if clause["finding_count"] > len(clause["findings"]):
        parts.append(f"Total findings: {clause['finding_count']}.")
    return "\n\n".join(parts)
