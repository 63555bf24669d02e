"""An animal that getPet does not find yet: a replica may lag, and a stored response may be older than the animal."""

from __future__ import annotations

from itertools import dropwhile, pairwise
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
from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.creating import creations_like
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import (
    LONGEST_S,
    NOT_FOUND,
    SOON_S,
    Presence,
    asked_for,
    declared_age_s,
    tells_age,
    told_of,
)
from animal_conformance.judge.suspicions.retrievals.missing import SAMPLE, finding, suspicion
from animal_conformance.judge.suspicions.retrievals.never import is_soon
from animal_conformance.record.exchange import Exchange

# How many new animals have to be missed at the first request for each: this many soon, and as many after settling.
SEVERAL: Final = 2
MARGIN_S: Final = 0.1


def not_found_yet(case: Case, animal: Animal) -> Opinion:
    """What a 404 means while a replica may lag, or that may be a stored response from that time.

    The newest of such animals that were not asked for again are asked for later. If a few that were created later were
    found in the end, this one would be as well; if no list has shown it, none may have shown these few before either.
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
    """What a 404 means that may be stored for longer than a run waits.

    A response that nobody has asked for before cannot be stored. So animals like it are created, and each is asked for
    once: soon, while a replica may lag, or after settling, when it may have been withdrawn. It is a finding if none of
    them is found, neither soon nor later.
    """
    ledger, creation = case.ledger, animal.creation
    if creation is None or not creation.reading.valid:
        return Explained(CACHED)
    alike = creations_like(ledger, creation)
    first = [(like, each) for like in alike if (each := _first_answer(ledger, like)) is not None]
    # A stored response to the first request of the run shows that somebody else has asked before.
    if any(each.status not in NOT_FOUND or tells_age(each) for _, each in first) or _takes_away(ledger):
        return Explained(CACHED)
    settle_s = ledger.terms.settle_s
    soon = [each for like, each in first if is_soon(ledger, like, each)]
    late = [each for like, each in first if each.sent_s >= like.answered_s + settle_s]
    if min(len(soon), len(late)) >= SEVERAL:
        return finding(case, animal, *((CACHED, each) for each in late[:SEVERAL]))
    one, read = Create(alike[0].body), ReadCreated()
    ages = (one, read, one, Wait(SOON_S / 2), read, one, Wait(settle_s + MARGIN_S), read)
    return suspicion(case, animal, Experiment(CACHED, ages * SEVERAL))


def _takes_away(ledger: Ledger) -> bool:
    """Whether getPet has found any animal of the run, and did not find it later."""

    def is_gone(animal: Animal) -> bool:
        got = (each.there for each in told_of(ledger, animal) if not each.listed)
        return animal.creation is not None and (True, False) in pairwise(got)

    return ledger.survey("takes away", lambda: any(map(is_gone, asked_for(ledger))))


def _first_answer(ledger: Ledger, creation: Creation) -> Exchange | None:
    """The response to the first getPet request for an animal of the run; ``None`` if it is neither a 200 nor not found."""
    first = next(iter(ledger.gets.get(creation.animal_id, ())), None)
    if ledger.animals[creation.animal_id].creation is None or first is None:
        return None
    return first if first.sent_s >= creation.answered_s and first.status in NOT_FOUND | {200} else None


class Late:
    """The animals that getPet did not find while replicas may lag.

    ``waiting`` are those that were not asked for again after settling, by their ids. ``found_since_s`` are the times
    since when those that were found later had been known; ``found_unlisted_since_s`` only of those that no list had
    shown before that.
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
