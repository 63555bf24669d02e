"""What was said of a window as plain values, which go from a worker to its master; and the sum of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import Any, Final, TypeAlias

from animal_conformance.judge.case import Finding, Suspicion
from animal_conformance.judge.experiments import EDITED, MOVED, WITHDRAWN, Again, Create, Experiment, Read
from animal_conformance.judge.hearing import Found, Hearing, Suspected, Tally
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms

# At most this many suspected things of a clause are told apart; if there are more, not all of them can be decided.
MOST_OPEN: Final = 10_000
UNTOLD: Final = "what nobody decides"
# Explanations that are other people's doing, and how many matters have to confirm one: an animal has one or two.
BY_OTHERS: Final = frozenset({EDITED, MOVED, WITHDRAWN})
SAMPLE: Final = 6

# A clause, and what a suspicion on it is about.
Matter: TypeAlias = tuple[str, str]


def matters(experiment: Experiment) -> list[str]:
    """What an experiment is about: its explanation with each of the animals or requests that it asks for, whenever it does.

    The list that shows an animal differs from window to window; it counts only where there is nothing else. The
    explanation stands before a colon.
    """
    about: set[object] = {each for each in experiment.steps if isinstance(each, Again)}
    about |= {each.payload for each in experiment.steps if isinstance(each, Create)}
    targets = {each.target for each in experiment.steps if isinstance(each, Read)}
    about |= {each for each in targets if each.startswith("/pets/")}
    return [
        f"{experiment.explanation}:{blake2b(repr(each).encode(), digest_size=8).hexdigest()}"
        for each in about or targets
    ]


def _explanation(matter: str) -> str:
    return matter.partition(":")[0]


def open_in(hearing: Hearing) -> set[Matter]:
    """The matters that are suspected, and that experiments would decide."""
    return {
        (clause_id, matter)
        for clause_id, tally in hearing.tallies.items()
        for each in tally.asked
        for matter in matters(each)
    }


def said_of(hearing: Hearing, decided: Iterable[Matter] = ()) -> dict[str, Any]:
    """A hearing as plain values.

    :param decided: the matters that experiments were performed on, and that are not suspected any more.
    """
    return {
        "clauses": {
            clause_id: {
                "evidence": tally.evidence,
                "count": tally.found_count,
                "found": [_record(each.finding, each.exchange, earlier=each.earlier) for each in tally.found],
                "suspected": [
                    _record(
                        each.suspicion.finding,
                        each.exchange,
                        explanations=each.suspicion.explanations,
                        about=[matter for asked in each.suspicion.experiments for matter in matters(asked)],
                    )
                    for each in tally.suspected
                ],
                "open": list({matter for asked in tally.asked for matter in matters(asked)}),
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
        self._open: defaultdict[str, set[str]] = defaultdict(set)
        self._decided: set[Matter] = set()

    def add(self, said: dict[str, Any]) -> None:
        """Add what :func:`said_of` says of a window."""
        hearing = self.hearing
        for clause_id, told in said["clauses"].items():
            tally = hearing.tallies[clause_id]
            tally.evidence += told["evidence"]
            tally.found_count += told["count"] - len(told["found"])
            for each in told["found"]:
                tally.find(Found(_finding(each), Exchange.from_record(each["exchange"]), each["earlier"]))
            for each in told["suspected"]:
                experiments = tuple(Experiment(name, ()) for name in each["explanations"])
                suspicion = Suspicion(_finding(each), " ".join(each["about"]), experiments)
                tally.suspect(Suspected(suspicion, Exchange.from_record(each["exchange"])))
            known = self._open[clause_id]
            known.update(told["open"] if len(known) < MOST_OPEN or not told["open"] else [UNTOLD])
        for question_id, answer, count, example in said["answers"]:
            hearing.answers.setdefault(question_id, Counter())[answer] += count
            hearing.examples.setdefault((question_id, answer), example)
        for name, fault in said["faults"].items():
            hearing.faults.setdefault(name, fault)
        self._decided.update((clause_id, matter) for clause_id, matter in said["decided"])

    def settle(self) -> Hearing:
        """The hearing, without the suspicions on matters that were themselves put to the test, in whichever window.

        Others do more to animals all the time than can be tested: what tests have shown of a few holds for all.
        """
        shown_of = Counter(_explanation(each) for each in {matter for _, matter in self._decided})
        for_all = {each for each in BY_OTHERS if shown_of[each] >= SAMPLE}
        for clause_id, tally in self.hearing.tallies.items():
            left = {
                each
                for each in self._open[clause_id]
                if (clause_id, each) not in self._decided and _explanation(each) not in for_all
            }
            shown = [each for each in tally.suspected if not left.isdisjoint(each.suspicion.subject.split())]
            # What stays open need not be among the smallest few.
            tally.suspected = shown or tally.suspected[: bool(left)]
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
