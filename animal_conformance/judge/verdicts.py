"""Exchanges in, verdicts out."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.clauses import Clause, ClauseList, Level, OpenQuestion, load_clauses
from animal_conformance.interface.contract import Operation
from animal_conformance.judge.concerns import Concerned
from animal_conformance.judge.ledger import Ledger
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.rules import RULES
from animal_conformance.judge.rules.case import EVIDENCE, Case, Finding
from animal_conformance.record.exchange import Credential

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from animal_conformance.judge.rules.case import Rule
    from animal_conformance.record.exchange import Exchange, Terms

CORROBORATED: Final = 2
EXAMPLES_KEPT: Final = 5
FORBIDDEN: Final = 403
COMPLETENESS: Final = frozenset({"list.complete", "list.status.complete"})


class ClauseOutcome(StrEnum):
    """What is known of a clause; only ``passed`` is green."""

    PASSED = "passed"
    FAILED = "failed"
    CANT_TELL = "cant-tell"
    INAPPLICABLE = "inapplicable"
    UNTESTED = "untested"


@dataclass(frozen=True)
class Found:
    """A finding, and the exchange it was found in."""

    finding: Finding
    exchange: Exchange


@dataclass(frozen=True)
class Verdict:
    """What is known of one clause.

    ``evidence`` counts exchanges, ``findings`` are the smallest few, ``finding_count`` counts all of them,
    ``why`` says in a sentence why it is not ``passed`` or ``failed``.
    """

    clause: Clause
    outcome: ClauseOutcome
    evidence: int = 0
    findings: tuple[Found, ...] = ()
    finding_count: int = 0
    why: str = ""


@dataclass(frozen=True)
class Observation:
    """What a deployment does where the document is open: each answer, its count, and the first exchange with it."""

    question: OpenQuestion
    answers: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True)
class Judgement:
    """The verdicts on a trace.

    ``faults`` are exceptions raised by the suite's own rules, each with its clause; never a verdict on a deployment.
    """

    verdicts: tuple[Verdict, ...]
    observations: tuple[Observation, ...]
    ledger: Ledger
    faults: tuple[str, ...] = ()

    def failed(self, level: Level) -> tuple[Verdict, ...]:
        """The failed clauses of a level."""
        return tuple(
            each
            for each in self.verdicts
            if each.outcome is ClauseOutcome.FAILED and each.clause.level is level
        )


@dataclass
class _Tally:
    evidence: int = 0
    found: list[Found] = field(default_factory=list)


def judge(
    exchanges: Iterable[Exchange],
    terms: Terms,
    clause_list: ClauseList | None = None,
    rules: Mapping[str, Rule] = RULES,
    *,
    whole: bool = True,
) -> Judgement:
    """Judge a whole trace.

    :param exchanges: in any order; the ledger orders them by the time of their response.
    :param terms: the terms of the run; ``terms.selected`` limits the clauses.
    :param whole: whether the run completed; if not, a clause without evidence is untested rather than undetermined.
    """
    clause_list = clause_list or load_clauses()
    selected = clause_list.selected(terms.selected)
    asked = Concerned({clause_id: rule for clause_id, rule in rules.items() if clause_id in selected})
    heard = Concerned(OBSERVERS)
    ledger = Ledger.of(exchanges, terms)
    tallies = {each.id: _Tally() for each in clause_list.clauses}
    answers: dict[str, Counter[str]] = {each.id: Counter() for each in clause_list.open_questions}
    examples: dict[tuple[str, str], str] = {}
    faults: dict[str, str] = {}
    for exchange in ledger.exchanges:
        case = Case(exchange, ledger.reading(exchange), ledger)
        for clause_id, rule in asked.by(case):
            try:
                opinion = rule(case)
            except Exception:  # noqa: BLE001 - a fault of the suite is reported as such, and the rest is judged
                faults.setdefault(
                    clause_id,
                    f"rule {clause_id}, exchange {exchange.reference}: {traceback.format_exc(limit=-2)}",
                )
                continue
            if opinion is EVIDENCE:
                tallies[clause_id].evidence += 1
            elif opinion is not None:
                tallies[clause_id].found.append(Found(opinion, exchange))
        for question_id, observe in heard.by(case):
            try:
                answer = observe(case)
            except Exception:  # noqa: BLE001 - as above
                faults.setdefault(
                    question_id,
                    f"observer {question_id}, exchange {exchange.reference}: {traceback.format_exc(limit=-2)}",
                )
                continue
            if answer is not None:
                answers[question_id][answer] += 1
                examples.setdefault((question_id, answer), exchange.reference)
    return Judgement(
        verdicts=tuple(
            _verdict(
                each,
                tallies[each.id],
                ledger,
                selected=each.id in selected,
                faulty=each.id in faults,
                whole=whole,
            )
            for each in clause_list.clauses
        ),
        observations=tuple(
            Observation(
                question,
                tuple(
                    (text, n, examples[question.id, text]) for text, n in answers[question.id].most_common()
                ),
            )
            for question in clause_list.open_questions
        ),
        ledger=ledger,
        faults=tuple(faults.values()),
    )


def _verdict(
    clause: Clause, tally: _Tally, ledger: Ledger, *, selected: bool, faulty: bool, whole: bool
) -> Verdict:
    if not selected:
        return Verdict(clause, ClauseOutcome.UNTESTED, why="The clause was not selected.")
    counting = [each for each in tally.found if not each.finding.subjects]
    subjects = frozenset[str]().union(*(each.finding.subjects for each in tally.found))
    if len(subjects) >= CORROBORATED:
        counting = tally.found
    if counting:
        smallest = sorted(counting, key=_size)[:EXAMPLES_KEPT]
        return Verdict(clause, ClauseOutcome.FAILED, tally.evidence, tuple(smallest), len(counting))
    if faulty:
        return Verdict(
            clause,
            ClauseOutcome.CANT_TELL,
            tally.evidence,
            why="The suite's own rule failed; see the suite faults.",
        )
    if tally.found:
        seen = ", ".join(sorted(subjects))
        return Verdict(
            clause,
            ClauseOutcome.CANT_TELL,
            tally.evidence,
            tuple(tally.found),
            why=f"A violation was seen only on {seen}; another client could have caused it.",
        )
    if ledger.get_removed and clause.id.startswith(("get.", "auth.missing.get")):
        date = f"{ledger.contract.removal_date:%-d %B %Y}"
        return Verdict(
            clause, ClauseOutcome.INAPPLICABLE, why=f"getPet was removed, as announced for {date}."
        )
    if tally.evidence:
        return Verdict(clause, ClauseOutcome.PASSED, tally.evidence)
    if ledger.terms.read_only and needs_writing(clause.id):
        return Verdict(
            clause,
            ClauseOutcome.INAPPLICABLE,
            why="The run was read-only, and this clause needs other requests.",
        )
    if not whole:
        return Verdict(clause, ClauseOutcome.UNTESTED, why="The run ended before there was evidence.")
    return Verdict(clause, ClauseOutcome.CANT_TELL, why=_why_not(clause, ledger))


def needs_writing(clause_id: str) -> bool:
    """Whether evidence for a clause needs more than the two read operations."""
    return clause_id.startswith("create.") or clause_id in {
        "animal.id.unique", "list.complete", "list.status.complete", "auth.missing.create", "auth.untraced", "methods.allow"
    }  # fmt: skip


def _may_not_create(ledger: Ledger) -> bool:
    """Whether create requests with the valid key return 403, and none returns 201."""
    return not ledger.creations and any(
        each.response is not None
        and each.response.status == FORBIDDEN
        and each.request.method == "POST"
        and each.request.credential is Credential.VALID
        for each in ledger.exchanges
    )


def _why_not(clause: Clause, ledger: Ledger) -> str:
    wanted = f"Evidence needed: {clause.evidence[0].lower()}{clause.evidence[1:]}"
    if not any(each.response for each in ledger.exchanges):
        return f"No request got a response. {wanted}"
    if clause.id.startswith("create.") and _may_not_create(ledger):
        return f"The key is not allowed to create (403); use --read-only to judge the rest. {wanted}"
    if clause.id.startswith("create.") and not ledger.creations:
        return f"No create request was accepted; name an accepted category with --category-id. {wanted}"
    if clause.id.startswith("list.limit.") and not ledger.successes[Operation.LIST]:
        return f"No list request succeeded. {wanted}"
    if clause.id.startswith("list.limit.") and clause.level is Level.MUST:
        return f"The deployment returned only {len(ledger.animals)} animals. {wanted}"
    longest = ledger.contract.limit_maximum
    # Only a filtered list says something about the filter.
    lists = [page for page in ledger.pages if page.status is not None or clause.id == "list.complete"]
    if clause.id in COMPLETENESS and any(page.length == page.limit == longest for page in lists):
        return f"Lists were full at limit {longest}, so a missing animal may be on a later page. {wanted}"
    return f"No exchange could have revealed a violation. {wanted}"


def _size(found: Found) -> tuple[int, int, int, int]:
    """How much there is to read: the smallest exchange with a finding is shown first."""
    exchange = found.exchange
    body = len(exchange.request.body or b"")
    answer = 0 if exchange.response is None else len(exchange.response.body)
    return (len(found.finding.related), body + len(exchange.request.target), answer, exchange.sequence)
