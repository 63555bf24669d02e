"""Exchanges in, verdicts out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from animal_conformance.interface.clauses import (
    Circumstance,
    Clause,
    ClauseList,
    Level,
    OpenQuestion,
    load_clauses,
)
from animal_conformance.interface.explanations import load_explanations
from animal_conformance.judge.case import Rule
from animal_conformance.judge.causes import caused_by
from animal_conformance.judge.excuses import excuse_of
from animal_conformance.judge.gaps import Cut, gap_of, needs_writing, remedy_of_suspicions
from animal_conformance.judge.hearing import Found, Hearing, Suspected, Tally, hear
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.rules import RULES
from animal_conformance.record.exchange import Exchange, Terms

BEHIND_FAILURES: Final = "First fix the clauses that failed: they may hide this one."


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

    ``evidence`` counts exchanges, ``findings`` are the smallest of each kind, ``finding_count`` counts all of
    them, ``found_in`` are the references of the exchanges with one, ``suspected`` the suspicions that no experiment
    decided, ``why`` says in a sentence why it is not ``passed`` or ``failed``. Where it could not be told, ``excuse`` is
    the circumstance in which no client could; without one, ``remedy`` says in a sentence what would tell, and ``choice``
    which option a run needs for that where the user chose otherwise. Where another failed clause explains this one,
    ``under`` is the id of that clause.
    """

    clause: Clause
    outcome: ClauseOutcome
    evidence: int = 0
    findings: tuple[Found, ...] = ()
    finding_count: int = 0
    found_in: tuple[str, ...] = ()
    why: str = ""
    suspected: tuple[Suspected, ...] = ()
    excuse: Circumstance | None = None
    remedy: str = ""
    choice: str = ""
    under: str = ""

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
    ``whole`` is whether the run completed.
    """

    verdicts: tuple[Verdict, ...]
    observations: tuple[Observation, ...]
    ledger: Ledger
    faults: tuple[str, ...] = ()
    whole: bool = True

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
    cut: Cut | None = None,
) -> Judgement:
    """Judge a whole trace.

    :param exchanges: in any order; the ledger orders them by the time of their response.
    :param terms: the terms of the run; ``terms.selected`` limits the clauses.
    :param whole: whether the run completed; if not, a clause without evidence is untested rather than undetermined.
    :param cut: why a run that completed had to leave something out; ``None`` if it did not.
    """
    clause_list = clause_list or load_clauses()
    hearing = hear(Ledger.of(exchanges, terms), clause_list.selected(terms.selected), rules)
    return decide_on(hearing, clause_list, whole=whole, cut=cut)


def decide_on(
    hearing: Hearing, clause_list: ClauseList, *, whole: bool = True, cut: Cut | None = None
) -> Judgement:
    """The verdicts that follow from what was said on a trace; ``whole`` and ``cut`` as in :func:`judge`."""
    verdicts = [_verdict(each, hearing, whole=whole, cut=cut) for each in clause_list.clauses]
    return Judgement(
        verdicts=tuple(_grouped(verdicts, hearing)),
        observations=tuple(_observation(each, hearing) for each in clause_list.open_questions),
        ledger=hearing.ledger,
        faults=tuple(hearing.faults.values()),
        whole=whole,
    )


def _grouped(verdicts: list[Verdict], hearing: Hearing) -> Iterator[Verdict]:
    """The verdicts, each failed clause with the one that explains it; failures may hide clauses without evidence."""
    failed = [each.clause for each in verdicts if each.outcome is ClauseOutcome.FAILED]
    under = caused_by(failed, {each.id: hearing.tallies[each.id].found_in.keys() for each in failed})
    broken = any(each.level is Level.MUST for each in failed)
    for verdict in verdicts:
        if broken and verdict.untold and not (verdict.suspected or verdict.remedy):
            yield replace(verdict, remedy=BEHIND_FAILURES)
        elif verdict.clause.id in under:
            yield replace(verdict, under=under[verdict.clause.id])
        else:
            yield verdict


def _observation(question: OpenQuestion, hearing: Hearing) -> Observation:
    answers = hearing.answers.get(question.id, Counter())
    return Observation(
        question, tuple((text, n, hearing.examples[question.id, text]) for text, n in answers.most_common())
    )


def _verdict(clause: Clause, hearing: Hearing, *, whole: bool, cut: Cut | None) -> Verdict:
    verdict, ledger = _opinion(clause, hearing, whole=whole), hearing.ledger
    if verdict.outcome is not ClauseOutcome.CANT_TELL or clause.id in hearing.faults:
        return verdict
    if verdict.suspected:
        still_open = {each.explanation for each in hearing.tallies[clause.id].asked}
        excuse = excuse_of(clause, ledger, still_open)
        return replace(verdict, excuse=excuse, remedy="" if excuse else remedy_of_suspicions(ledger.terms))
    excuse = excuse_of(clause, ledger)
    gap = gap_of(clause, ledger, cut=cut)
    if excuse is not None:
        return replace(verdict, why=gap.why, excuse=excuse)
    return replace(verdict, why=gap.why, remedy=gap.remedy, choice=gap.choice)


def _opinion(clause: Clause, hearing: Hearing, *, whole: bool) -> Verdict:
    ledger, tally = hearing.ledger, hearing.tallies.get(clause.id)
    if tally is None:
        left_out = ledger.terms.crowded and not ledger.terms.selected
        why = "A soak does not judge this clause: a run does." if left_out else "The clause was not selected."
        return Verdict(clause, ClauseOutcome.UNTESTED, why=why)
    if tally.found:
        return Verdict(
            clause,
            ClauseOutcome.FAILED,
            tally.evidence,
            tuple(tally.found),
            tally.found_count,
            tuple(tally.found_in),
        )
    if clause.id in hearing.faults:
        return Verdict(
            clause,
            ClauseOutcome.CANT_TELL,
            tally.evidence,
            why="The suite's own rule failed; see the suite faults.",
        )
    if tally.suspected:
        return _undecided(clause, tally)
    if (
        ledger.get_pet_may_be_removed
        and not tally.evidence
        and clause.id.startswith(("get.", "auth.missing.get"))
    ):
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
        ended = "The load has shown no evidence: a run would look for it."
        why = ended if ledger.terms.crowded else "The run ended before there was evidence."
        return Verdict(clause, ClauseOutcome.UNTESTED, why=why)
    return Verdict(clause, ClauseOutcome.CANT_TELL)


def _undecided(clause: Clause, tally: Tally) -> Verdict:
    """A clause on which a suspicion stayed open: neither passed nor failed."""
    suspicion, explanations = tally.suspected[0].suspicion, load_explanations()
    still_open = [explanations[each] for each in suspicion.explanations]
    return Verdict(
        clause,
        ClauseOutcome.CANT_TELL,
        tally.evidence,
        why=(
            f"Suspected: {suspicion.finding.message} A lawful explanation was not excluded: "
            f"{' '.join(each.title for each in still_open)} "
            f"This would decide it: {' '.join(each.experiment for each in still_open)}"
        ),
        suspected=tuple(tally.suspected),
    )
