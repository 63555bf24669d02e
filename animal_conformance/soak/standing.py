"""What was said of a window as plain values, which go from a worker to its master; and the sum of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from animal_conformance.judge.experiments import Experiment
from animal_conformance.judge.hearing import Found, Hearing, Suspected, Tally
from animal_conformance.judge.ledger import Ledger
from animal_conformance.judge.rules.case import Finding, Suspicion
from animal_conformance.record.exchange import Exchange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from animal_conformance.record.exchange import Terms


def said_of(hearing: Hearing, decided: Iterable[tuple[str, str]] = ()) -> dict[str, Any]:
    """A hearing as plain values.

    :param decided: the clauses with the explanations that experiments have confirmed or excluded for them.
    """
    return {
        "clauses": {
            clause_id: {
                "evidence": tally.evidence,
                "count": tally.found_count,
                "found": [_record(each.finding, each.exchange, earlier=each.earlier) for each in tally.found],
                "suspected": [
                    _record(each.suspicion.finding, each.exchange, explanations=each.suspicion.explanations)
                    for each in tally.suspected
                ],
            }
            for clause_id, tally in hearing.tallies.items()
            if tally.evidence or tally.found or tally.suspected
        },
        "answers": [
            [question_id, answer, count, hearing.examples[question_id, answer]]
            for question_id, answers in hearing.answers.items()
            for answer, count in answers.items()
        ],
        "faults": hearing.faults,
        "decided": list(decided),
    }


class Standing:
    """The sum of what was said of windows.

    :param selected: the ids of the clauses that are judged.
    """

    def __init__(self, terms: Terms, selected: Collection[str]) -> None:
        self.hearing = Hearing(Ledger(terms), {each: Tally() for each in selected})
        self._decided: set[tuple[str, str]] = set()

    def add(self, said: dict[str, Any]) -> None:
        """Take in what :func:`said_of` says of a window."""
        hearing = self.hearing
        for clause_id, told in said["clauses"].items():
            tally = hearing.tallies[clause_id]
            tally.evidence += told["evidence"]
            tally.found_count += told["count"] - len(told["found"])
            for each in told["found"]:
                tally.find(Found(_finding(each), Exchange.from_record(each["exchange"]), each["earlier"]))
            for each in told["suspected"]:
                experiments = tuple(Experiment(name, ()) for name in each["explanations"])
                suspicion = Suspicion(_finding(each), "", experiments)
                tally.suspect(Suspected(suspicion, Exchange.from_record(each["exchange"])))
        for question_id, answer, count, example in said["answers"]:
            hearing.answers.setdefault(question_id, Counter())[answer] += count
            hearing.examples.setdefault((question_id, answer), example)
        for name, fault in said["faults"].items():
            hearing.faults.setdefault(name, fault)
        self._decided.update((clause_id, explanation) for clause_id, explanation in said["decided"])

    def settle(self) -> Hearing:
        """The hearing, without the suspicions whose like was put to the test in another window, and explained."""
        for clause_id, tally in self.hearing.tallies.items():
            tally.suspected = [
                each
                for each in tally.suspected
                if not all((clause_id, name) in self._decided for name in each.suspicion.explanations)
            ]
        return self.hearing


def _record(finding: Finding, exchange: Exchange, **more: object) -> dict[str, Any]:
    return {
        "message": finding.message,
        "expected": finding.expected,
        "observed": finding.observed,
        "related": [each.as_record() for each in finding.related],
        "excluded": [[name, each.as_record()] for name, each in finding.excluded],
        "exchange": exchange.as_record(),
        **more,
    }


def _finding(record: dict[str, Any]) -> Finding:
    return Finding(
        record["message"],
        record["expected"],
        record["observed"],
        related=tuple(map(Exchange.from_record, record["related"])),
        excluded=tuple((name, Exchange.from_record(each)) for name, each in record["excluded"]),
    )
