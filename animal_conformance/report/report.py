"""The report of a run: plain JSON values, a function of the clauses and the verdicts."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, Final

from animal_conformance import __version__
from animal_conformance.interface.clauses import Level
from animal_conformance.interface.explanations import load_explanations
from animal_conformance.interface.resources import spec_file
from animal_conformance.judge.case import Finding
from animal_conformance.judge.hearing import Found, Suspected
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_in_han
from animal_conformance.judge.outcome import PARTIAL, WHOLE, decide, left_out
from animal_conformance.judge.verdicts import ClauseOutcome, Judgement, Verdict
from animal_conformance.record.exchange import Exchange
from animal_conformance.record.jsontext import is_integer
from animal_conformance.report.beside import InFlight
from animal_conformance.report.curl import commands
from animal_conformance.report.words import RECORDED

FORMAT: Final = "animal-conformance/1"

LONGEST_SHOWN_BODY: Final = 16 * 1024
# An answer to a create request with one of these breaks create.answer.
OTHER_SUCCESSES: Final = frozenset(range(200, 300)) - {201}


@dataclass(frozen=True)
class LoadFacts:
    """What was counted in a soak, whose exchanges are forgotten; ``section`` is the `load` section of the report."""

    requests: int
    created: tuple[int, ...]
    section: dict[str, Any]


@dataclass(frozen=True)
class RunFacts:
    """The facts of a run other than its verdicts.

    ``notes`` are sentences on the run, such as which limit left requests out.
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
    connections: int
    strict: bool = False
    certify: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""
    remedy: str = ""
    trace_digest: str = ""
    suite_faults: tuple[str, ...] = ()
    load: LoadFacts | None = None
    notes: tuple[str, ...] = ()

    @property
    def recorded(self) -> bool:
        """Whether this is other people's traffic, and not a run of this suite."""
        return self.profile == RECORDED


def facts_of(
    header: Mapping[str, Any], ending: Mapping[str, Any], base_url: str, digest: str, last_s: float = 0.0
) -> RunFacts:
    """What a trace says of its run: its first line how the run was set up, its last line how it ended.

    :param digest: the last digest of the trace.
    :param last_s: when the last exchange was answered; taken for the end of the run if the trace does not say it.
    """
    options: dict[str, Any] = header.get("options", {})
    started = float(header.get("started", 0.0))
    return RunFacts(
        run_id=str(header.get("run", "")),
        base_url=base_url,
        name=str(header.get("name", "")),
        started=started,
        finished=float(ending.get("finished", started + last_s)),
        profile=str(options.get("profile", "")),
        seed=int(options.get("seed", 0)),
        connections=int(ending.get("connections", options.get("connections") or 1)),
        strict=bool(options.get("strict", False)),
        certify=bool(options.get("certify", False)),
        options=options,
        stopped=str(ending.get("stopped", "")),
        remedy=str(ending.get("remedy", "")),
        notes=tuple(map(str, ending.get("notes", ()))),
        suite_faults=tuple(map(str, ending.get("suite_faults", ()))),
        trace_digest=digest,
    )


def build_report(judgement: Judgement, facts: RunFacts) -> dict[str, Any]:
    """The complete report of a run, as specified in spec/report.schema.json."""
    ledger, load = judgement.ledger, facts.load
    flights = InFlight(ledger.exchanges, facts.connections)
    created = [creation.answer["id"] for creation in ledger.creations] if load is None else list(load.created)
    unidentified = _unidentified(ledger) if load is None else 0
    faults = [*facts.suite_faults, *judgement.faults]
    outcome, reason = decide(
        judgement,
        stopped=facts.stopped,
        remedy=facts.remedy,
        strict=facts.strict,
        certify=facts.certify,
        recorded=facts.recorded,
    )
    partial = left_out(judgement, recorded=facts.recorded)
    if facts.options.get("insecure") and facts.base_url.startswith("https:"):
        reason = f"{reason} TLS certificates were not verified."
    return {
        "format": FORMAT,
        "suite": suite_facts(),
        "target": {"base_url": facts.base_url, "name": facts.name},
        "run": {
            "id": facts.run_id,
            "started": _timestamp(facts.started),
            "finished": _timestamp(facts.finished),
            "seconds": round(facts.finished - facts.started, 3),
            "profile": facts.profile,
            "seed": facts.seed,
            "connections": facts.connections,
            "strict": facts.strict,
            "certify": facts.certify,
            "requests": len(ledger.exchanges) if load is None else load.requests,
            "creations": len(created) + unidentified,
            "stopped": facts.stopped,
            "trace_digest": facts.trace_digest,
            "options": facts.options,
            "notes": list(facts.notes),
        },
        "outcome": outcome,
        "scope": PARTIAL if partial else WHOLE,
        "reason": reason,
        "remedy": facts.remedy,
        "gate": None,
        "counts": _counts(judgement),
        "clauses": [_clause(each, facts, flights) for each in judgement.verdicts],
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
        "leftovers": list(dict.fromkeys((*created, *_taken_otherwise(ledger), *_shown_otherwise(ledger)))),
        "unidentified": unidentified,
        **({} if load is None else {"load": load.section}),
        "suite_faults": faults,
    }


def suite_facts() -> dict[str, str]:
    """The versions of this installation of the suite, and the digests of its contract and clauses."""
    return {
        "version": __version__,
        "contract_sha256": sha256(spec_file("openapi.yaml").read_bytes()),
        "clauses_sha256": sha256(spec_file("clauses.yaml").read_bytes()),
        "python": platform.python_version(),
        "schemathesis": metadata.version("schemathesis"),
        "hypothesis": metadata.version("hypothesis"),
    }


def sha256(content: bytes) -> str:
    """The SHA-256 digest in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _counts(judgement: Judgement) -> dict[str, dict[str, int]]:
    counts = {level.value: dict.fromkeys((each.value for each in ClauseOutcome), 0) for level in Level}
    for verdict in judgement.verdicts:
        counts[verdict.clause.level.value][verdict.outcome.value] += 1
    return counts


def _clause(verdict: Verdict, facts: RunFacts, flights: InFlight) -> dict[str, Any]:
    clause = verdict.clause
    return {
        "id": clause.id,
        "level": clause.level.value,
        "title": clause.title,
        "source": clause.source,
        "outcome": verdict.outcome.value,
        "evidence": verdict.evidence,
        "why": verdict.why,
        "excuse": verdict.excuse and {"id": verdict.excuse.id, "sentence": verdict.excuse.sentence},
        "remedy": verdict.remedy,
        "choice": verdict.choice,
        "under": verdict.under,
        "finding_count": verdict.finding_count,
        "found_in": list(verdict.found_in),
        "findings": [_found(each, facts, flights) for each in verdict.findings],
        "suspicions": [_suspected(each, facts, flights) for each in verdict.suspected],
    }


def _clipped(record: dict[str, Any]) -> dict[str, Any]:
    """An exchange with a large response body truncated; the trace has all of it."""
    response = record["response"]
    if (
        response is not None
        and isinstance(response["body"], str)
        and len(response["body"]) > LONGEST_SHOWN_BODY
    ):
        left_out = len(response["body"]) - LONGEST_SHOWN_BODY
        response["body"] = (
            f"{response['body'][:LONGEST_SHOWN_BODY]}… ({left_out} more characters in the trace)"
        )
    return record


def _found(found: Found, facts: RunFacts, flights: InFlight) -> dict[str, Any]:
    excluded = [
        {"explanation": explanation, "exchange": exchange.reference}
        for explanation, exchange in found.finding.excluded
    ]
    return {**_finding(found.finding, found.exchange, facts, flights), "excluded": excluded}


def _taken_otherwise(ledger: Ledger) -> list[int]:
    """The ids in 2xx responses other than 201 to create requests: the animals probably exist all the same."""
    answers = (
        each.value
        for each in ledger.exchanges
        if each.request.method == "POST" and each.request.path == "/pets" and each.status in OTHER_SUCCESSES
    )
    ids = (each.get("id") for each in answers if isinstance(each, dict))
    return list(dict.fromkeys(int(each) for each in ids if is_integer(each)))


def _shown_otherwise(ledger: Ledger) -> list[int]:
    """The ids of animals with names that this run made up, but for which no create request got a 201 with their id.

    Every run with the same seed gives its first animal the same name: if a 201 confirms this run's, other animals of
    that name belong to other runs.
    """
    payloads = (ledger.reading(each).payload for each in ledger.exchanges if each.request.method == "POST")
    names = dict.fromkeys(each["name"] for each in payloads if each and isinstance(each.get("name"), str))
    own = [each for each in names if OWN_NAME.fullmatch(each) or is_in_han(each)]
    if own and own[0] in (each.payload.get("name") for each in ledger.creations):
        del own[0]
    return [
        animal_id
        for animal_id, animal in ledger.animals.items()
        if not animal.creations and any(each.animal.get("name") in own for each in animal.sightings)
    ]


def _unidentified(ledger: Ledger) -> int:
    """How many create requests returned 201 without an id that could be read: their animals probably exist all the same."""
    known = {id(each.exchange) for each in ledger.creations}
    return sum(
        each.request.method == "POST"
        and each.request.path == "/pets"
        and each.status == 201
        and id(each) not in known
        for each in ledger.exchanges
    )


def _suspected(suspected: Suspected, facts: RunFacts, flights: InFlight) -> dict[str, Any]:
    explanations = [load_explanations()[each] for each in suspected.suspicion.explanations]
    return {
        **_finding(suspected.suspicion.finding, suspected.exchange, facts, flights),
        "explanations": [
            {"id": each.id, "title": each.title, "experiment": each.experiment} for each in explanations
        ],
    }


def _finding(finding: Finding, exchange: Exchange, facts: RunFacts, flights: InFlight) -> dict[str, Any]:
    exchanges = [*finding.related, exchange]
    # A creation comes before the exchanges that show it, whichever of them was judged.
    in_order = sorted(exchanges, key=lambda each: each.sent_s)
    told, sent = flights.told(exchanges), commands(in_order, facts.base_url, facts.options)
    return {
        "message": finding.message,
        "expected": finding.expected,
        "observed": finding.observed,
        "curl": f"# {told}\n{sent}" if told else sent,
        "exchanges": [_clipped(each.as_record()) for each in exchanges],
    }
