"""Values that alternate: with the request, or from one of several equal requests to the next, again and again.

Somebody may have edited an animal and edited it back, and a replica that lags behind may go on telling the value before
for a while. Nobody does so whenever somebody looks: one of the animals that seem to alternate is read in bursts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import cycle, islice, pairwise
from operator import attrgetter
from typing import Final

from animal_conformance.judge.experiments import Experiment, Read, Step, Wait
from animal_conformance.judge.knowledge.tellings import History, Telling, follows

# So many bursts of so many requests, each once the one before has settled.
BURSTS: Final = 5
IN_BURST: Final = 12
# The requests of a burst are in turns getPet and at most two lists.
TARGETS: Final = 3
# So many responses in a row with one value show that the animal was left alone. Of two replicas that differ and take
# turns at random, one answers that many of a burst's requests in a row in 1 of 256 cases.
STEADY: Final = 10
# Bursts that are further apart than so many settling times leave room for an editor.
LATEST: Final = 3


def alternates(history: History) -> Telling | None:
    """The response that shows that an animal is told in two ways for good, by request or in turns.

    A field that moves may go with the query because a list is not asked again.
    """
    return (None if history.moves else history.alternates_with_query()) or _restless(history)


def _restless(history: History) -> Telling | None:
    """The last of the responses that return to the value before, one in each burst, with no steady value in between."""
    count, came_s, both = 0, float("-inf"), frozenset[object]()
    for each, turns in _returns(history):
        if turns != both or each.as_of_s > came_s + LATEST * history.settle_s:
            count, came_s, both = 1, each.answered_s, turns
        elif each.as_of_s >= came_s + history.settle_s:
            count, came_s = count + 1, each.answered_s
        if turns and count == BURSTS:
            return each
    return None


def _returns(history: History) -> Iterator[tuple[Telling, frozenset[object]]]:
    """The responses that return to the value before, with both, and those that show a steady value, with none.

    Name and category come back together, and a status by itself.
    """
    told = attrgetter("value" if history.moves else "whole")
    turns: list[object] = []
    steady = 1
    for before, each in pairwise(history.tellings):
        if not follows(before.exchange, each.exchange):
            turns, steady = [], 1
        elif told(each) == told(before):
            steady += 1
            if steady == STEADY:
                yield each, frozenset()
        else:
            turns, steady = [*(turns or [told(before)])[-2:], told(each)], 1
            if turns[2:] == turns[:1] and each.value != before.value:
                yield each, frozenset(turns)


def experiment_on(explanation: str, history: History, among: Collection[History]) -> Experiment | None:
    """Read an animal in bursts, as it was read when it changed, changed back, and changed once more.

    :param among: the histories of all animals that were told in more than one way, of which one is read.
    """
    seeming = [(each, told) for each in among if (told := _seems_to_alternate(each))]
    if not seeming or history is not seeming[0][0] or any(_was_read_in_bursts(*each) for each in seeming):
        return None
    targets = [each.exchange.request.target for each in history.turns[-2:]]
    reads = cycle(
        Read(each, anew=True) for each in dict.fromkeys((*targets, f"/pets/{history.animal.animal_id}"))
    )
    burst: tuple[Step, ...] = (Wait(history.settle_s), *islice(reads, IN_BURST))
    return Experiment(explanation, burst * BURSTS)


def first_of(explanation: str, *among: Collection[History]) -> Experiment | None:
    """The bursts for the first animal that seems to alternate, in the first of several groups that has one."""
    asked = (experiment_on(explanation, each, group) for group in among for each in group)
    return next(filter(None, asked), None)


def _seems_to_alternate(history: History) -> Telling | None:
    """The response that shows two values in turns that somebody would have to have given it three times.

    A status may move as often as that. It is moved to and fro less often while a few requests follow each other at once.
    """
    if not history.moves:
        return history.seems_to_alternate
    back = [each for each, turns in _returns(history) if turns]
    return next((each for each in back if each.as_of_s >= back[0].answered_s + history.settle_s), None)


def _was_read_in_bursts(history: History, told: Telling) -> bool:
    """Whether getPet was asked as often and for as long as that takes since it began to look so, whatever it answered."""
    asked_s = [each.sent_s for each in history.asked if each.sent_s >= told.as_of_s]
    if len(asked_s) < BURSTS * (IN_BURST // TARGETS):
        return False
    return asked_s[-1] - asked_s[0] >= (BURSTS - 1) * history.settle_s
