"""An animal that getPet does not find yet: a replica may lag, and a stored response may be older than the animal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile
from typing import Final

from animal_conformance.judge.case import Case, Explained, Opinion
from animal_conformance.judge.experiments import (
    CACHED,
    LAGGING,
    Create,
    Experiment,
    Read,
    ReadCreated,
    Wait,
    WaitUntil,
)
from animal_conformance.judge.knowledge.animals import Animal
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import LONGEST_S, NOT_FOUND, Presence, declared_age_s
from animal_conformance.judge.suspicions.retrievals.missing import (
    SAMPLE,
    asked_for,
    finding,
    suspicion,
    told_of,
)
from animal_conformance.record.exchange import Exchange

# Of those that nobody had asked for, so many that are not found were not withdrawn.
SEVERAL: Final = 2
MARGIN_S: Final = 0.1


def not_found_yet(case: Case, animal: Animal) -> Opinion:
    """What a 404 means that comes so soon that a replica may lag, or is as old: the newest that nobody asks for later are.

    Where a few that were created later were found in the end, this one would be as well; if no list has shown it, so
    must no list have shown these before.
    """
    ledger = case.ledger
    if ledger.terms.crowded:
        return None  # the users of a soak ask again when an animal has settled
    late: Late = ledger.survey("late", lambda: Late(ledger))
    if animal.animal_id not in late.waiting:
        return None
    found_since_s = late.found_since_s if animal.listed else late.found_unlisted_since_s
    if sum(each >= animal.known_since_s for each in found_since_s) >= SAMPLE:
        return Explained(LAGGING)
    stored_s = declared_age_s(case.exchange)
    if stored_s > LONGEST_S:
        return _stored_for_long(case, animal)
    alike = (each for each in late.waiting.values() if bool(each.listed) == bool(animal.listed))
    newest = sorted(alike, key=lambda each: each.known_since_s)[-SAMPLE:]
    settled_s = newest[-1].known_since_s + ledger.terms.settle_s + stored_s
    reads = (Read(f"/pets/{each.animal_id}") for each in newest)
    return suspicion(case, animal, Experiment(LAGGING, (WaitUntil(settled_s), *reads)))


def _stored_for_long(case: Case, animal: Animal) -> Opinion:
    """What a 404 means that may be stored for longer than a run waits: what nobody has asked for before cannot be stored.

    So animals are created and first asked for when they have settled: a finding if two of these are not found.
    """
    ledger = case.ledger
    first = ledger.survey("first asked for late", lambda: list(_first_asked_late(ledger)))
    lost = [each for each in first if each.status in NOT_FOUND]
    if len(lost) == len(first) >= SEVERAL:
        return finding(case, animal, *((CACHED, each) for each in lost[:SEVERAL]))
    like = next((each for each in ledger.creations if each.reading.valid), None)
    if not animal.creation or like is None or len(lost) < len(first):
        return Explained(CACHED)
    later = (Create(like.body), Wait(ledger.terms.settle_s + MARGIN_S), ReadCreated())
    return suspicion(case, animal, Experiment(CACHED, later * SEVERAL))


def _first_asked_late(ledger: Ledger) -> Iterator[Exchange]:
    """The answers to the first requests for animals of the run that were asked for only when they had settled."""
    for animal in asked_for(ledger):
        first = next(iter(ledger.gets[animal.animal_id]), None)
        settled_s = animal.known_since_s + ledger.terms.settle_s
        if animal.creation and first and first.sent_s >= settled_s and first.status in NOT_FOUND | {200}:
            yield first


class Late:
    """The animals that getPet did not find while replicas may lag.

    ``waiting`` are those that nobody has asked for since, by their ids; ``found_since_s`` says of those that were found
    later from when on they were known, ``found_unlisted_since_s`` of those that no list had shown before.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.waiting: dict[int, Animal] = {}
        self.found_since_s: list[float] = []
        self.found_unlisted_since_s: list[float] = []
        for each in asked_for(ledger):
            self._take(each, told_of(ledger, each), each.known_since_s + ledger.terms.settle_s)

    def _take(self, animal: Animal, presences: list[Presence], settled_s: float) -> None:
        got = (each for each in presences if not each.listed and each.sent_s >= animal.known_since_s)
        since = list(dropwhile(lambda each: each.there, got))
        found = next((each for each in since if each.there), None)
        if found is not None:
            self.found_since_s.append(animal.known_since_s)
            if not any(each.listed and each.sent_s < found.sent_s for each in presences):
                self.found_unlisted_since_s.append(animal.known_since_s)
        elif since and since[-1].as_of_s < settled_s:
            self.waiting[animal.animal_id] = animal
