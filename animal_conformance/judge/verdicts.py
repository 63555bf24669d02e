"""Exchanges in, verdicts out."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.clauses import Clause, ClauseList, Level, OpenQuestion, load_clauses
from animal_conformance.judge.concerns import Concerned
from animal_conformance.judge.earlier import Earlier
from animal_conformance.judge.excuses import excuse_of
from animal_conformance.judge.gaps import gap_of, needs_writing
from animal_conformance.judge.ledger import Ledger
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.rules import RULES
from animal_conformance.judge.rules.case import EVIDENCE, Case, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from animal_conformance.interface.clauses import Circumstance
    from animal_conformance.judge.rules.case import Rule
    from animal_conformance.record.exchange import Exchange, Terms

CORROBORATED: Final = 2
EXAMPLES_KEPT: Final = 5


class ClauseOutcome(StrEnum):
    """What is known of a clause; only ``passed`` is green."""

    PASSED = "passed"
    FAILED = "failed"
    CANT_TELL = "cant-tell"
    INAPPLICABLE = "inapplicable"
    UNTESTED = "untested"


@dataclass(frozen=True)
class Found:
    """A finding, and the exchange it was found in; ``earlier`` if it is only about what was there before the run."""

    finding: Finding
    exchange: Exchange
    earlier: bool = False


@dataclass(frozen=True)
class Verdict:
    """What is known of one clause.

    ``evidence`` counts exchanges, ``findings`` are the smallest few, ``finding_count`` counts all of them,
    ``why`` says in a sentence why it is not ``passed`` or ``failed``. Where it could not be told, ``excuse`` is the
    circumstance in which no client could; without one, ``remedy`` says in a sentence what would tell, and ``choice``
    what a run has to have for it where the user chose otherwise.
    """

    clause: Clause
    outcome: ClauseOutcome
    evidence: int = 0
    findings: tuple[Found, ...] = ()
    finding_count: int = 0
    why: str = ""
    excuse: Circumstance | None = None
    remedy: str = ""
    choice: str = ""

    @property
    def untold(self) -> bool:
        """Whether it could not be told, without an excuse."""
        return self.outcome is ClauseOutcome.CANT_TELL and self.excuse is None


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
    cut: str = "",
) -> Judgement:
    """Judge a whole trace.

    :param exchanges: in any order; the ledger orders them by the time of their response.
    :param terms: the terms of the run; ``terms.selected`` limits the clauses.
    :param whole: whether the run completed; if not, a clause without evidence is untested rather than undetermined.
    :param cut: why a run that completed had to leave something out, in a sentence; empty if it did not.
    """
    clause_list = clause_list or load_clauses()
    selected = clause_list.selected(terms.selected)
    asked = Concerned({clause_id: rule for clause_id, rule in rules.items() if clause_id in selected})
    heard = Concerned(OBSERVERS)
    ledger = Ledger.of(exchanges, terms)
    earlier = Earlier(ledger)
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
                told, before = earlier.told(clause_id, rule, case, opinion)
                tallies[clause_id].found.append(Found(told, exchange, before))
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
                cut=cut,
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
    clause: Clause, tally: _Tally, ledger: Ledger, *, selected: bool, faulty: bool, whole: bool, cut: str
) -> Verdict:
    verdict = _opinion(clause, tally, ledger, selected=selected, faulty=faulty, whole=whole)
    if verdict.outcome is not ClauseOutcome.CANT_TELL or faulty:
        return verdict
    excuse = excuse_of(clause, ledger)
    if verdict.why:
        return replace(verdict, excuse=excuse)
    gap = gap_of(clause, ledger, cut=cut)
    if excuse is not None:
        return replace(verdict, why=gap.why, excuse=excuse)
    return replace(verdict, why=gap.why, remedy=gap.remedy, choice=gap.choice)


def _opinion(
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
    return Verdict(clause, ClauseOutcome.CANT_TELL)


def _size(found: Found) -> tuple[bool, int, int, int, int]:
    """What is shown first: what the deployment does now, and of that the smallest exchange with a finding."""
    exchange = found.exchange
    body = len(exchange.request.body or b"")
    answer = 0 if exchange.response is None else len(exchange.response.body)
    return (
        found.earlier,
        len(found.finding.related),
        body + len(exchange.request.target),
        answer,
        exchange.sequence,
    )
