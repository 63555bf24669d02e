"""Animals that getPet has missed and then found: withdrawn and put back, which happens once, or missed now and then.

A moderator who looks at an animal may hide it for a while, and whoever has withdrawn one may undo that. Nobody does so
again and again: animals that are back are asked for in bursts.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Final

from animal_conformance.judge.experiments import WITHDRAWN, Experiment, Read, Step, Wait, WaitUntil
from animal_conformance.judge.knowledge.animals import Animal
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import (
    LONGEST_S,
    Presence,
    asked_for,
    missed_since_shown,
    told_of,
)

# Of the animals that are back, so many are asked for in so many bursts, each once the one before has settled.
SAMPLE: Final = 3
BURSTS: Final = 3
# They are asked for so often in each burst, all together: what is missed now and then is missed once more.
IN_BURST: Final = 24
# Where lists have lacked them as well, there is no sign that getPet alone misses them.
IN_BURST_IF_UNLISTED: Final = 16


def are_back_to_stay(ledger: Ledger) -> bool:
    """Whether the animals that are asked for in bursts have been found whenever they were asked for, in all the bursts."""
    reads, settled_s = BURSTS * _in_burst(ledger), (BURSTS - 1) * ledger.terms.settle_s
    for animal in asked_in_bursts(ledger):
        presences = told_of(ledger, animal)
        missed_s = last_missed_s(presences)
        found = [each for each in presences if not each.listed and each.sent_s >= missed_s]
        if len(found) < reads or found[-1].sent_s - found[-reads].answered_s < settled_s:
            return False
    return True


def last_missed_s(presences: list[Presence]) -> float:
    """When an animal was last missed; -inf if it never was."""
    return max((each.answered_s for each in presences if not each.there), default=-inf)


def stored_s_of(presences: list[Presence]) -> float:
    """For how long the responses may have been stored."""
    return max((each.sent_s - each.as_of_s for each in presences), default=0.0)


def asked_in_bursts(ledger: Ledger) -> list[Animal]:
    """The first few of the animals that were missed when they should have been there, and found since."""
    back = ledger.survey("back", lambda: [each for each in asked_for(ledger) if _is_back(ledger, each)])
    return back[:SAMPLE]


def _is_back(ledger: Ledger, animal: Animal) -> bool:
    presences, settled_s = told_of(ledger, animal), animal.known_since_s + ledger.terms.settle_s
    missed = any(not each.there and each.sent_s >= settled_s for each in presences)
    return missed and not missed_since_shown(presences) and stored_s_of(presences) <= LONGEST_S


def _in_burst(ledger: Ledger) -> int:
    """How often each of these animals is asked for in a burst."""
    asked = asked_in_bursts(ledger)
    unlisted = ledger.survey("back unlisted", lambda: all(_was_unlisted(ledger, each) for each in asked))
    return (IN_BURST_IF_UNLISTED if unlisted else IN_BURST) // max(1, len(asked))


def _was_unlisted(ledger: Ledger, animal: Animal) -> bool:
    """Whether a list that has shown an animal lacked it while getPet did not find it either."""
    presences = told_of(ledger, animal)
    queries = {each.exchange.request.target for each in presences if each.listed}
    away = [
        (one.answered_s, then.sent_s)
        for one, then in pairwise(each for each in presences if each.there)
        if any(not each.there and one.answered_s <= each.sent_s <= then.sent_s for each in presences)
    ]
    return any(
        animal.animal_id not in page.id_set and any(from_s <= page.sent_s <= to_s for from_s, to_s in away)
        for page in ledger.pages
        if page.exchange.request.target in queries
    )


def bursts(ledger: Ledger, targets: tuple[str, str], from_s: float) -> Experiment:
    """Get an animal in bursts, every other time on a new connection, each burst after a list.

    :param targets: those of getPet and of the list.
    """
    animal, page = targets
    reads = (Read(animal, anew=each % 2 == 1) for each in range(_in_burst(ledger)))
    burst: tuple[Step, ...] = (Read(page), *reads)
    pause = Wait(ledger.terms.settle_s)
    return Experiment(WITHDRAWN, (WaitUntil(from_s), *burst, *(pause, *burst) * (BURSTS - 1), Read(page)))
