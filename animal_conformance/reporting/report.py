"""The report of a run: plain JSON values, a function of the clauses and the verdicts."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

from animal_conformance import __version__
from animal_conformance.clauses import Level
from animal_conformance.judge import ClauseOutcome, Judgement
from animal_conformance.reporting.curl import curl
from animal_conformance.resources import spec_file

if TYPE_CHECKING:
    from animal_conformance.judge import Found, Verdict

FORMAT: Final = "animal-conformance/1"

CONFORMS: Final = "conforms"
DOES_NOT_CONFORM: Final = "does-not-conform"
COULD_NOT_JUDGE: Final = "could-not-judge"

EXIT_CODES: Final = {CONFORMS: 0, DOES_NOT_CONFORM: 1, COULD_NOT_JUDGE: 3}
EXIT_USAGE: Final = 2
EXIT_SUITE_FAULT: Final = 4

LONGEST_SHOWN_BODY: Final = 16 * 1024

# Clauses without which a verdict would say nothing: short of them, a run is not green.
CORNERSTONES: Final = ("list.answer", "list.array", "create.answer", "get.found", "auth.missing.list")


@dataclass(frozen=True)
class RunFacts:
    """What a run was, beside its verdicts.

    ``started`` and ``finished`` are seconds since the epoch; ``options`` are the settings as the user gave
    them, never the key. ``stopped`` says in a sentence why a run ended early, ``remedy`` what to do about it.
    """

    run_id: str
    base_url: str
    name: str
    started: float
    finished: float
    profile: str
    seed: int
    workers: int
    strict: bool = False
    certify: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""
    remedy: str = ""
    trace_digest: str = ""
    suite_faults: tuple[str, ...] = ()


def build_report(judgement: Judgement, facts: RunFacts) -> dict[str, Any]:
    """Everything that a run has to say, as in spec/report.schema.json."""
    exchanges = judgement.ledger.exchanges
    faults = [*facts.suite_faults, *judgement.faults]
    outcome, reason = decide(judgement, facts)
    if facts.options.get("insecure"):
        reason = f"{reason} TLS certificates were not verified."
    return {
        "format": FORMAT,
        "suite": {
            "version": __version__,
            "contract_sha256": sha256(spec_file("openapi.yaml").read_bytes()),
            "clauses_sha256": sha256(spec_file("clauses.yaml").read_bytes()),
            "python": platform.python_version(),
            "schemathesis": metadata.version("schemathesis"),
            "hypothesis": metadata.version("hypothesis"),
        },
        "target": {"base_url": facts.base_url, "name": facts.name},
        "run": {
            "id": facts.run_id,
            "started": _timestamp(facts.started),
            "finished": _timestamp(facts.finished),
            "seconds": round(facts.finished - facts.started, 3),
            "profile": facts.profile,
            "seed": facts.seed,
            "workers": facts.workers,
            "strict": facts.strict,
            "certify": facts.certify,
            "requests": len(exchanges),
            "creations": len(judgement.ledger.creations),
            "stopped": facts.stopped,
            "trace_digest": facts.trace_digest,
            "options": facts.options,
        },
        "outcome": outcome,
        "reason": reason,
        "remedy": facts.remedy,
        "counts": _counts(judgement),
        "clauses": [_clause(each, facts.base_url) for each in judgement.verdicts],
        "observations": [
            {
                "id": each.question.id,
                "question": each.question.question,
                "source": each.question.source,
                "observed": [
                    {"answer": text, "count": n, "exchange": first} for text, n, first in each.answers
                ],
            }
            for each in judgement.observations
        ],
        "leftovers": [creation.answer["id"] for creation in judgement.ledger.creations],
        "suite_faults": faults,
    }


def exit_code(report: dict[str, Any]) -> int:
    """The exit code of a report: 4 where the suite itself was at fault, else that of the outcome."""
    return EXIT_SUITE_FAULT if report["suite_faults"] else EXIT_CODES[report["outcome"]]


def decide(judgement: Judgement, facts: RunFacts) -> tuple[str, str]:
    """The outcome of a run, and the reason in one sentence."""
    failed = judgement.failed(Level.MUST)
    if facts.remedy:
        return COULD_NOT_JUDGE, facts.stopped
    if failed:
        return DOES_NOT_CONFORM, f"{_number(failed, 'MUST clause')} failed: {_ids(failed)}."
    if facts.stopped:
        return COULD_NOT_JUDGE, facts.stopped
    lenient = judgement.failed(Level.SHOULD)
    if facts.strict and lenient:
        return (
            DOES_NOT_CONFORM,
            f"{_number(lenient, 'SHOULD clause')} failed, and the run is strict: {_ids(lenient)}.",
        )
    must = [each for each in judgement.verdicts if each.clause.level is Level.MUST]
    passed = [each for each in must if each.outcome is ClauseOutcome.PASSED]
    open_ended = [each for each in must if each.outcome is ClauseOutcome.CANT_TELL]
    if not any(each.outcome is ClauseOutcome.PASSED for each in judgement.verdicts):
        return COULD_NOT_JUDGE, "No clause could be judged."
    missing = [each for each in open_ended if each.clause.id in CORNERSTONES]
    if missing:
        return (
            COULD_NOT_JUDGE,
            f"What everything else rests on could not be judged: {_ids(missing)}. {missing[0].why}",
        )
    if facts.certify and len(passed) < len(must):
        short = [each for each in must if each.outcome is not ClauseOutcome.PASSED]
        return (
            COULD_NOT_JUDGE,
            f"A certificate needs every MUST clause passed, and {_number(short, 'is', 'are')} not: {_ids(short)}.",
        )
    reason = f"{len(passed)} of {_number(must, 'MUST clause')} passed and none failed"
    if open_ended:
        return CONFORMS, f"{reason}; {len(open_ended)} could not be told: {_ids(open_ended)}."
    return CONFORMS, f"{reason}."


def sha256(content: bytes) -> str:
    """The SHA-256 digest in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _number(items: list[Verdict] | tuple[Verdict, ...], one: str, many: str | None = None) -> str:
    return f"{len(items)} {one if len(items) == 1 else many or one + 's'}"


def _ids(verdicts: list[Verdict] | tuple[Verdict, ...], most: int = 6) -> str:
    shown = ", ".join(each.clause.id for each in verdicts[:most])
    return shown if len(verdicts) <= most else f"{shown} and {len(verdicts) - most} more"


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _counts(judgement: Judgement) -> dict[str, dict[str, int]]:
    counts = {level.value: dict.fromkeys((each.value for each in ClauseOutcome), 0) for level in Level}
    for verdict in judgement.verdicts:
        counts[verdict.clause.level.value][verdict.outcome.value] += 1
    return counts


def _clause(verdict: Verdict, base_url: str) -> dict[str, Any]:
    clause = verdict.clause
    return {
        "id": clause.id,
        "level": clause.level.value,
        "title": clause.title,
        "source": clause.source,
        "outcome": verdict.outcome.value,
        "evidence": verdict.evidence,
        "why": verdict.why,
        "finding_count": verdict.finding_count,
        "findings": [_finding(each, base_url) for each in verdict.findings],
    }


def _clipped(record: dict[str, Any]) -> dict[str, Any]:
    """An exchange without the far end of a large answer, which the trace has."""
    response = record["response"]
    if (
        response is not None
        and isinstance(response["body"], str)
        and len(response["body"]) > LONGEST_SHOWN_BODY
    ):
        left_out = len(response["body"]) - LONGEST_SHOWN_BODY
        response["body"] = (
            f"{response['body'][:LONGEST_SHOWN_BODY]}… ({left_out} characters more in the trace)"
        )
    return record


def _finding(found: Found, base_url: str) -> dict[str, Any]:
    exchanges = [*found.finding.related, found.exchange]
    return {
        "message": found.finding.message,
        "expected": found.finding.expected,
        "observed": found.finding.observed,
        "curl": "\n".join(curl(each, base_url) for each in exchanges),
        "exchanges": [_clipped(each.as_record()) for each in exchanges],
    }
