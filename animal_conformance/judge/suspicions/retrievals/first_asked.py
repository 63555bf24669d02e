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
from animal_conformance.judge.suspicions.retrievals.missing import finding, suspicion
from animal_conformance.record.exchange import Exchange

# So many animals have to be missed by the first request and found by the second one before they are suspected; and so
# many of them when they had settled before it is a finding.
ENOUGH: Final = 3
SETTLED: Final = 2
MARGIN_S: Final = 0.1

TWICE: Final = 2
AT_FIRST: Final = (
    "The second request for it finds it, as for others, however long after its creation the first one came."
)


def missed_at_first(case: Case, animal: Animal) -> Opinion:
    """What a 404 means to the first request for an animal of the run that the second request finds.

    The reason may be a replica that lags behind creations. Where several are missed in this way, two are created that
    nobody asks for until they have settled.

    :returns: ``None`` if this is no such response, or if such animals are found by the first request.
    """
    ledger = case.ledger
    if ledger.terms.crowded:
        return None
    asked = ledger.survey("first asked", lambda: _first_asked(ledger))
    missed = [each for each in asked if each.missed]
    this = next((each for each in missed[:ENOUGH] if each.first is case.exchange), None)
    if this is None or len(missed) < ENOUGH:
        return None
    settle_s = ledger.terms.settle_s
    settled = [each for each in asked if each.first.sent_s >= each.creation.answered_s + settle_s]
    late = [each.second for each in settled if each.missed]
    if len(late) >= SETTLED:
        told = finding(case, animal, *((LAGGING, each) for each in late[:SETTLED]))
        return replace(told, message=f"{told.message} {AT_FIRST}")
    if len(settled) - len(late) >= SETTLED:
        return None
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
