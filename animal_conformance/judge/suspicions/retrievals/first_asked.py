"""Animals that getPet finds from the second request on: a replica lags, or the first request for each animal is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from animal_conformance.judge.case import Case, Opinion
from animal_conformance.judge.experiments import (
    LAGGING,
    Create,
    Experiment,
    ReadCreated,
    ReadEarlier,
    Wait,
)
from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import NOT_FOUND, declared_age_s
from animal_conformance.judge.suspicions.retrievals.late import MARGIN_S
from animal_conformance.judge.suspicions.retrievals.missing import finding, suspicion
from animal_conformance.record.exchange import Exchange

# So many animals have to be missed by the first request and found by the second one before they are suspected. It takes
# so many later ones that nobody asked for until they had settled to tell.
ENOUGH: Final = 3
SETTLED: Final = 2

TWICE: Final = 2
AT_FIRST: Final = (
    "The second request for it found it, as it did for others that had settled before the first one came."
)


def missed_at_first(case: Case, animal: Animal) -> Opinion:
    """What a 404 means to the first request for an animal of the run that the second request finds.

    The reason may be a replica that lags behind creations, or somebody who hides animals for a moment. Where several are
    missed in this way, two are created that nobody asks for until they have settled. It is a finding if all those that
    were created since, and were first asked for when they had settled, are missed in this way as well.

    :returns: ``None`` if this is no such response, or if any of those is found by the first request.
    """
    ledger = case.ledger
    if ledger.terms.crowded:
        return None
    asked = ledger.survey("first asked", lambda: _first_asked(ledger))
    missed = [each for each in asked if each.missed]
    this = next((each for each in missed[:ENOUGH] if each.first is case.exchange), None)
    if this is None or len(missed) < ENOUGH:
        return None
    settle_s, since_s = ledger.terms.settle_s, max(each.second.answered_s for each in missed[:ENOUGH])
    settled = [
        each
        for each in asked
        if each.creation.sent_s >= since_s and each.first.sent_s >= each.creation.answered_s + settle_s
    ]
    if not all(each.missed for each in settled):
        return None
    if len(settled) >= SETTLED:
        told = finding(case, animal, *((LAGGING, each.second) for each in settled[:SETTLED]))
        return replace(told, message=f"{told.message} {AT_FIRST}")
    one, twice = Create(this.creation.body), (ReadCreated(), ReadCreated())
    earlier = (ReadEarlier(), ReadEarlier())
    return suspicion(
        case, animal, Experiment(LAGGING, (one, one, Wait(settle_s + MARGIN_S), *twice, *earlier))
    )


@dataclass(frozen=True)
class _Asked:
    """An animal of the run, and the first two responses of getPet: the second one found it."""

    creation: Creation
    first: Exchange
    second: Exchange

    @property
    def missed(self) -> bool:
        """Whether the first one did not find it."""
        return self.first.status in NOT_FOUND


def _first_asked(ledger: Ledger) -> list[_Asked]:
    """The animals of the run that the second request found, but for responses that may be older than the animal."""
    asked: list[_Asked] = []
    for each in ledger.creations:
        got = [one for one in ledger.gets.get(each.animal_id, ()) if one.sent_s >= each.answered_s]
        if ledger.animals[each.animal_id].creation is None or len(got) < TWICE:
            continue
        first, second = got[:TWICE]
        is_told = first.status in NOT_FOUND | {200} and second.status == 200
        if is_told and not declared_age_s(first):
            asked.append(_Asked(each, first, second))
    return asked
