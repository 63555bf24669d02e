"""Animals that one client finds and others do not: clients may be served by different stores."""

from __future__ import annotations

from itertools import islice
from typing import Final

from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import Presence, asked_for, missed_since_shown, told_of
from animal_conformance.record.exchange import Exchange

# Of the animals that another client found, this many are asked for again as that client.
SAMPLE: Final = 2


def found_by_others(ledger: Ledger) -> dict[int, Exchange]:
    """Of the first few animals that one client found last and others missed: what found each that it has not missed since."""

    def sample() -> dict[int, Exchange]:
        found = ((each, _last_found_as(told_of(ledger, each))) for each in asked_for(ledger))
        first = islice(((animal, last) for animal, last in found if last is not None), SAMPLE)
        return {
            animal.animal_id: last
            for animal, last in first
            if all(
                each.request.voice != last.request.voice
                for each in missed_since_shown(told_of(ledger, animal))
            )
        }

    return ledger.survey("found by others", sample)


def _last_found_as(presences: list[Presence]) -> Exchange | None:
    """The last getPet response that found an animal, if it was found last by a certain client, and missed by others since."""
    last = [each.exchange for each in presences if each.there][-1:]
    voice = last[0].request.voice if last else ""
    if not voice or all(each.request.voice == voice for each in missed_since_shown(presences)):
        return None
    found = (each.exchange for each in reversed(presences) if each.there and not each.listed)
    return next((each for each in found if each.request.voice == voice), None)
