"""What every rule and every observer says of every exchange of a trace."""

from __future__ import annotations

import traceback
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, Rule, Suspicion
from animal_conformance.judge.concerns import Concerned
from animal_conformance.judge.earlier import Earlier
from animal_conformance.judge.experiments import Experiment
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.observers import OBSERVERS
from animal_conformance.judge.rules import RULES
from animal_conformance.record.exchange import Credential, Exchange, Timed

# How many findings, and how many suspicions, are kept for each clause.
EXAMPLES_KEPT: Final = 5
# How many exchanges with a finding are remembered for each clause, so that a long run does not use ever more memory.
MOST_FOUND_IN: Final = 10_000

# The open question that confirmed explanations answer.
EXPLANATIONS: Final = "open.explanations"


@dataclass(frozen=True)
class Found(Timed):
    """A finding, and the exchange it was found in; ``earlier`` if it is only about what was there before the run."""

    finding: Finding
    exchange: Exchange
    earlier: bool = False


@dataclass(frozen=True)
class Suspected:
    """A suspicion that is still open, and the exchange that gave rise to it."""

    suspicion: Suspicion
    exchange: Exchange


@dataclass
class Tally:
    """What was said on one clause: how many exchanges are evidence, the smallest findings, and the open suspicions.

    ``found_count`` counts all findings, ``found_in`` are the references of the exchanges with the first of them;
    ``asked`` are all the experiments that the suspicions ask for.
    """

    evidence: int = 0
    found: list[Found] = field(default_factory=list)
    found_count: int = 0
    found_in: dict[str, None] = field(default_factory=dict)
    suspected: list[Suspected] = field(default_factory=list)
    asked: dict[Experiment, None] = field(default_factory=dict)

    def find(self, said: Found) -> None:
        """Take in a finding."""
        self.found_count += 1
        if len(self.found_in) < MOST_FOUND_IN:
            self.found_in[said.exchange.reference] = None
        alike = next((each for each in self.found if _kind(each) == _kind(said)), None)
        if alike is None or _size(said) < _size(alike):
            self.found = [each for each in self.found if each is not alike]
            _keep(self.found, said)

    def suspect(self, said: Suspected) -> None:
        """Take in a suspicion."""
        self.asked |= dict.fromkeys(said.suspicion.experiments)
        _keep(self.suspected, said)


S = TypeVar("S", Found, Suspected)


def _keep(kept: list[S], said: S) -> None:
    """Keep a finding or suspicion if it is one of the smallest few."""
    insort(kept, said, key=_size)
    del kept[EXAMPLES_KEPT:]


def _kind(said: Found) -> tuple[bool, str, bool, int | None, Credential]:
    """The kind of a finding: its age, operation, status and credential; only the smallest of each kind is kept."""
    request, response = said.exchange.request, said.exchange.response
    status = None if response is None else response.status
    return said.earlier, request.method, request.path == "/pets", status, request.credential


def _size(said: Found | Suspected) -> tuple[bool, bool, int, int, int, int]:
    """A sort key for what is shown first: what the deployment does now, and of that the smallest exchange."""
    exchange = said.exchange
    finding = said.finding if isinstance(said, Found) else said.suspicion.finding
    body = len(exchange.request.body or b"")
    answer = 0 if exchange.response is None else len(exchange.response.body)
    return (
        isinstance(said, Found) and said.earlier,
        # A finding that does not depend on a voice is shown without one.
        bool(exchange.request.voice),
        len(finding.related),
        body + len(exchange.request.target),
        answer,
        exchange.sequence,
    )


@dataclass
class Hearing:
    """What the rules and observers said on a whole trace.

    ``tallies`` are by clause, ``answers`` by open question, ``examples`` the first exchange with each answer;
    ``faults`` are exceptions raised by the suite's own rules and observers, by clause or question.
    """

    ledger: Ledger
    tallies: dict[str, Tally]
    answers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    def take(self, clause_id: str, opinion: Opinion, exchange: Exchange, *, earlier: bool = False) -> None:
        """Take in what a rule says of an exchange, unless that is evidence; ``earlier`` as in :class:`Found`."""
        if isinstance(opinion, Finding):
            self.tallies[clause_id].find(Found(opinion, exchange, earlier))
        elif isinstance(opinion, Suspicion):
            self.tallies[clause_id].suspect(Suspected(opinion, exchange))
        elif isinstance(opinion, Explained):
            self.observe(EXPLANATIONS, f"{clause_id}: {opinion.explanation}", exchange)

    def observe(self, question_id: str, answer: str, exchange: Exchange) -> None:
        """Take in an answer to an open question."""
        self.answers[question_id][answer] += 1
        if (question_id, answer) not in self.examples:
            self.examples[question_id, answer] = exchange.reference

    def fail(self, kind: str, name: str, exchange: Exchange) -> None:
        """Take in the exception that is being handled, which a rule or an observer of the suite raised."""
        detail = traceback.format_exc(limit=-2)
        self.faults.setdefault(name, f"{kind} {name}, exchange {exchange.reference}: {detail}")


def hear(ledger: Ledger, selected: Collection[str], rules: Mapping[str, Rule] = RULES) -> Hearing:
    """Ask every rule of a selected clause, and every observer, about every exchange that concerns it.

    :param ledger: that of the whole trace; it is learned again if it was not learned in the order of the responses.
    :param selected: the ids of the clauses that are judged.
    """
    *_, hearing = hear_in_steps(ledger, selected, rules)
    return hearing


def hear_in_steps(
    ledger: Ledger,
    selected: Collection[str],
    rules: Mapping[str, Rule] = RULES,
    about: Iterable[Exchange] | None = None,
) -> Iterator[Hearing]:
    """As :func:`hear`, but yield after each exchange, so that the caller can do other things in between.

    :param about: the exchanges of the ledger that the rules are asked about; by default all of them.
    """
    asked = Concerned({clause_id: rule for clause_id, rule in rules.items() if clause_id in selected})
    heard = Concerned(OBSERVERS)
    if not ledger.in_order:
        ledger = Ledger.of(ledger.exchanges, ledger.terms)
    # Experiments are asked for in this order, which has to be the same in every process.
    tallies = {each: Tally() for each in sorted(selected)}
    hearing = Hearing(ledger, tallies)
    yield hearing
    earlier = Earlier(ledger)
    for exchange in ledger.exchanges if about is None else about:
        case = Case(exchange, ledger.reading(exchange), ledger)
        for clause_id, rule in asked.by(case):
            try:
                opinion, before = rule(case), False
                if isinstance(opinion, Finding):
                    opinion, before = earlier.told(clause_id, rule, case, _in_its_voice(opinion, exchange))
            except Exception:  # noqa: BLE001 - a fault of the suite is reported as such, and the rest is judged
                hearing.fail("rule", clause_id, exchange)
                continue
            # Most opinions by far are evidence.
            if opinion is EVIDENCE:
                tallies[clause_id].evidence += 1
            elif opinion is not None:
                hearing.take(clause_id, opinion, exchange, earlier=before)
        for question_id, observe in heard.by(case):
            try:
                answer = observe(case)
            except Exception:  # noqa: BLE001 - as above
                hearing.fail("observer", question_id, exchange)
                continue
            if answer is not None:
                hearing.observe(question_id, answer, exchange)
        yield hearing


def _in_its_voice(finding: Finding, exchange: Exchange) -> Finding:
    """The finding, which names the client if the request was sent in the voice of one."""
    voice = exchange.request.voice
    return (
        replace(finding, message=f"{finding.message} The request is that of {voice}.") if voice else finding
    )
