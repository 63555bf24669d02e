"""Values that seem to alternate: somebody may have edited an animal and edited it back, so one of them is watched."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from animal_conformance.judge.experiments import Experiment, Read, Step, Wait
from animal_conformance.judge.knowledge.tellings import History

# An animal is watched for so many settling times that two values come twice in turns, each after settling; and how often
# within one of them it is read.
SETTLINGS: Final = 5
TURNS_EACH: Final = 4


def experiment_on(explanation: str, history: History, among: Collection[History]) -> Experiment | None:
    """Read an animal again and again as it was read when it changed, changed back, and changed once more.

    :param among: the histories of all animals that were told in more than one way, of which one is watched.
    """
    seeming = [each for each in among if each.seems_to_alternate]
    if history not in seeming[:1] or any(map(_was_watched, seeming)):
        return None
    targets = [each.exchange.request.target for each in history.turns[-2:]]
    reads = [Read(each) for each in dict.fromkeys((*targets, f"/pets/{history.animal.animal_id}"))]
    turn: tuple[Step, ...] = (Wait(round(history.settle_s / TURNS_EACH, 3)), *reads)
    return Experiment(explanation, turn * SETTLINGS * TURNS_EACH)


def _was_watched(history: History) -> bool:
    """Whether getPet was asked long after it began to look so, whatever it answered."""
    told = history.seems_to_alternate
    until_s = told.as_of_s + (SETTLINGS - 1) * history.settle_s if told else 0.0
    return told is not None and any(each.sent_s >= until_s for each in history.asked)
