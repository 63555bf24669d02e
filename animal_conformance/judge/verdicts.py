"""Exchanges in, verdicts out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.clauses import Clause, ClauseList, Level, OpenQuestion, load_clauses
from animal_conformance.interface.contract import Operation
from animal_conformance.interface.explanations import load_explanations
from animal_conformance.judge.hearing import Found, Hearing, Suspected, Tally, hear
from animal_conformance.judge.rules import RULES
from animal_conformance.judge.rules.case import shorten
from animal_conformance.record.exchange import Credential

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from animal_conformance.judge.ledger import Ledger
    from animal_conformance.judge.rules.case import Rule
    from animal_conformance.record.exchange import Exchange, Terms

CORROBORATED: Final = 2
EXAMPLES_KEPT: Final = 5
REJECTED: Final = 400
FORBIDDEN: Final = 403
LONGEST_SAID: Final = 200
COMPLETENESS: Final = frozenset({"list.complete", "list.status.complete"})


class ClauseOutcome(StrEnum):
    """What is known of a clause; only ``passed`` is green."""

    PASSED = "passed"
    FAILED = "failed"
    CANT_TELL = "cant-tell"
    INAPPLICABLE = "inapplicable"
    UNTESTED = "untested"


@dataclass(frozen=True)
class Verdict:
    """What is known of one clause.

    ``evidence`` counts exchanges, ``findings`` are the smallest few, ``finding_count`` counts all of them,
    ``suspected`` are the smallest few suspicions that no experiment decided, ``why`` says in a sentence why it is
    not ``passed`` or ``failed``.
    """

    clause: Clause
    outcome: ClauseOutcome
    evidence: int = 0
    findings: tuple[Found, ...] = ()
    finding_count: int = 0
    why: str = ""
    suspected: tuple[Suspected, ...] = ()


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
    return decide_on(
        hear(exchanges, terms, clause_list.selected(terms.selected), rules), clause_list, whole=whole
    )


def decide_on(hearing: Hearing, clause_list: ClauseList, *, whole: bool = True) -> Judgement:
    """The verdicts that follow from what was said on a trace; ``whole`` as in :func:`judge`."""
    return Judgement(
        verdicts=tuple(_verdict(each, hearing, whole=whole) for each in clause_list.clauses),
        observations=tuple(_observation(each, hearing) for each in clause_list.open_questions),
        ledger=hearing.ledger,
        faults=tuple(hearing.faults.values()),
    )


def _observation(question: OpenQuestion, hearing: Hearing) -> Observation:
    answers = hearing.answers.get(question.id, Counter())
    return Observation(
        question, tuple((text, n, hearing.examples[question.id, text]) for text, n in answers.most_common())
    )


def _verdict(clause: Clause, hearing: Hearing, *, whole: bool) -> Verdict:
    ledger, tally = hearing.ledger, hearing.tallies.get(clause.id)
    if tally is None:
        return Verdict(clause, ClauseOutcome.UNTESTED, why="The clause was not selected.")
    counting = [each for each in tally.found if not each.finding.subjects]
    subjects = frozenset[str]().union(*(each.finding.subjects for each in tally.found))
    if len(subjects) >= CORROBORATED:
        counting = tally.found
    if counting:
        smallest = sorted(counting, key=_size)[:EXAMPLES_KEPT]
        return Verdict(clause, ClauseOutcome.FAILED, tally.evidence, tuple(smallest), len(counting))
    if clause.id in hearing.faults:
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
    if tally.suspected:
        return _undecided(clause, tally)
    if ledger.get_removal and not tally.evidence and clause.id.startswith(("get.", "auth.missing.get")):
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


def _undecided(clause: Clause, tally: Tally) -> Verdict:
    """A clause on which a suspicion stayed open: neither passed nor failed."""
    suspected = sorted(tally.suspected, key=_size)
    explanations = load_explanations()
    still_open = [explanations[each] for each in suspected[0].suspicion.explanations]
    return Verdict(
        clause,
        ClauseOutcome.CANT_TELL,
        tally.evidence,
        why=(
            f"Suspected: {suspected[0].suspicion.finding.message} A lawful explanation was not excluded: "
            f"{' '.join(each.title for each in still_open)} "
            f"This would decide it: {' '.join(each.experiment for each in still_open)}"
        ),
        suspected=tuple(suspected[:EXAMPLES_KEPT]),
    )


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


def _last_refusal(ledger: Ledger) -> str:
    """What the deployment says of the last valid create request that it rejected, in a sentence; empty if nothing."""
    for exchange in reversed(ledger.exchanges):
        response, reading = exchange.response, ledger.reading(exchange)
        if response is None or response.status != REJECTED or reading.operation is not Operation.CREATE:
            continue
        said = response.json.value.get("message") if isinstance(response.json.value, dict) else None
        if reading.valid and isinstance(said, str) and said:
            plain = "".join(each if each.isprintable() else " " for each in said)
            return f"The deployment says: {shorten(plain, LONGEST_SAID)} "
    return ""


def _why_not(clause: Clause, ledger: Ledger) -> str:
    wanted = f"Evidence needed: {clause.evidence[0].lower()}{clause.evidence[1:]}"
    if not any(each.response for each in ledger.exchanges):
        return f"No request got a response. {wanted}"
    if clause.id.startswith("create.") and _may_not_create(ledger):
        return f"The key is not allowed to create (403); use --read-only to judge the rest. {wanted}"
    if clause.id.startswith("create.") and not ledger.creations:
        return (
            f"No create request was accepted; name an accepted category with --category-id. "
            f"{_last_refusal(ledger)}{wanted}"
        )
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


def _size(said: Found | Suspected) -> tuple[int, int, int, int]:
    """How much there is to read: the smallest exchange with a finding is shown first."""
    exchange = said.exchange
    finding = said.finding if isinstance(said, Found) else said.suspicion.finding
    body = len(exchange.request.body or b"")
    answer = 0 if exchange.response is None else len(exchange.response.body)
    return (len(finding.related), body + len(exchange.request.target), answer, exchange.sequence)
