"""The experiments that suspicions ask for, performed in parallel: those that wait, wait together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, takewhile, zip_longest
from typing import TYPE_CHECKING

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.voices import BY_NAME
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.experiments import (
    Again,
    Create,
    Experiment,
    Naming,
    Read,
    ReadAlone,
    ReadCreated,
    ReadEarlier,
    Step,
    Wait,
    Waiting,
    WaitUntil,
    WaitUntilAged,
)
from animal_conformance.judge.hearing import Hearing
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_in_han
from animal_conformance.judge.knowledge.presence import NOT_FOUND
from animal_conformance.send.budget import Budget
from animal_conformance.send.endings import NoRequestsLeft, Spent

if TYPE_CHECKING:
    from animal_conformance.drive.store import Store


# A suspicion that goes on asking for the same experiment, only at another time, learns nothing more from it.
TIMES_AT_MOST = 6


@dataclass
class Trial:
    """An experiment under way: the next step, the animal it has created, and the name it has used for one.

    ``earlier`` has the ids of all animals that it has tried to create, ``None`` for those that were rejected, and
    ``made_s`` when that was answered. ``unfound`` counts how often its next step has not found that animal. ``served`` is
    whether the last request that it sent again got an answer below 500.
    """

    experiment: Experiment
    at: int = 0
    created: int | None = None
    name: object = None
    unfound: int = 0
    served: bool = False
    earlier: list[int | None] = field(default_factory=list)
    made_s: list[float] = field(default_factory=list)

    @property
    def waits(self) -> Waiting | None:
        """The wait that comes next; ``None`` if anything else comes next."""
        step = self.experiment.steps[self.at]
        if isinstance(step, ReadCreated) and self.unfound:
            return Wait(step.pauses_s[self.unfound - 1])
        return step if isinstance(step, Waiting) else None

    def due_s(self, now_s: float) -> float:
        """When the wait that comes next is over, on the clock of the run."""
        wait = self.waits
        if isinstance(wait, WaitUntilAged):
            rejected = self.earlier[-1 - wait.before] is None
            return now_s if rejected else self.made_s[-1 - wait.before] + wait.seconds
        return wait.time_s if isinstance(wait, WaitUntil) else now_s + (wait.seconds if wait else 0.0)

    @property
    def is_punctual(self) -> bool:
        """Whether it waits for the ages of animals, so that no other experiment may delay it."""
        return any(isinstance(each, WaitUntilAged) for each in self.experiment.steps)

    @property
    def ended(self) -> bool:
        """Whether every step was taken."""
        return self.at >= len(self.experiment.steps)

    @property
    def makes_and_reads(self) -> bool:
        """Whether, before its next wait, it creates an animal and reads it at once."""
        steps = self.experiment.steps[self.at :]
        waiting = self.unfound == 0 and isinstance(steps[0], Waiting)
        until_wait = takewhile(lambda each: not isinstance(each, Waiting), steps[waiting:])
        return any(
            isinstance(each, Create) and isinstance(then, ReadCreated | ReadEarlier)
            for each, then in pairwise(until_wait)
        )

    @property
    def reads_alone(self) -> bool:
        """Whether the next step, or the one after a wait, needs the deployment for itself."""
        steps = self.experiment.steps[self.at :]
        return any(isinstance(each, ReadAlone) for each in steps[: 1 + isinstance(steps[0], Waiting)])

    def go_on(self, lane: Lane) -> None:
        """Take the steps up to the next wait, now that any earlier one is over."""
        if isinstance(self.experiment.steps[self.at], Waiting):
            self.at += 1
        while not self.ended and not isinstance(step := self.experiment.steps[self.at], Waiting):
            if isinstance(step, Read):
                lane.read(step.target, anew=step.anew)
            elif isinstance(step, ReadAlone):
                lane.read_alone(step.target)
            elif isinstance(step, Again):
                self._again(lane, step)
            elif isinstance(step, Create):
                if step.naming is Naming.RETRY and self.created is not None:
                    self.at += 1
                    continue
                self._create(lane, step)
            elif isinstance(step, ReadEarlier):
                animal_id = self.earlier[-1 - step.before]
                if self.created is not None and animal_id is not None:
                    lane.get_pet(animal_id)
            elif self.created is not None:
                missing = lane.get_pet(self.created).status in NOT_FOUND
                if missing and self.unfound < len(step.pauses_s):
                    self.unfound += 1
                    return
                self.unfound = 0
            self.at += 1

    def _again(self, lane: Lane, step: Again) -> None:
        if not (step.until_served and self.served):
            self.served = 0 < lane.again(step.request, anew=step.anew).status < 500

    def _create(self, lane: Lane, step: Create) -> None:
        if step.anew:
            lane.reconnect()
        payload = self._named(lane, step)
        lane.voice = BY_NAME.get(step.voice)
        answer = lane.create_pet(payload)
        self.created, self.name = created_id(answer), payload.get("name")
        self.earlier.append(self.created)
        self.made_s.append(answer.answered_s)
        lane.voice = None

    def _named(self, lane: Lane, step: Create) -> dict[str, object]:
        payload: dict[str, object] = json.loads(step.payload)
        if step.naming is Naming.UNLIKE:
            return {**payload, "name": lane.unlike_name()}
        if step.naming is Naming.USUAL:
            return {**payload, "name": lane.name()}
        if step.naming in {Naming.SAME, Naming.RETRY}:
            return {**payload, "name": self.name}
        return renamed(lane, payload)


class Performed:
    """The experiments that were performed: none is performed again, nor many times with nothing but the time changed."""

    def __init__(self) -> None:
        self._done: set[Experiment] = set()
        self._times: Counter[tuple[object, ...]] = Counter()

    def update(self, experiments: Iterable[Experiment]) -> None:
        """Note that experiments are performed."""
        for each in experiments:
            self._done.add(each)
            self._times[_apart_from_time(each)] += 1

    def __contains__(self, experiment: object) -> bool:
        """Whether an experiment would show nothing new."""
        if not isinstance(experiment, Experiment):
            return False
        return experiment in self._done or self._times[_apart_from_time(experiment)] >= TIMES_AT_MOST


def _apart_from_time(experiment: Experiment) -> tuple[object, ...]:
    timed = WaitUntil | WaitUntilAged
    return experiment.explanation, *(each for each in experiment.steps if not isinstance(each, timed))


def asked_for(
    hearing: Hearing, done: Container[Experiment], most: int, clauses: Container[str] | None = None
) -> list[Experiment]:
    """The experiments that open suspicions ask for and that were not performed: at most so many for each clause, in turns.

    In each turn those with the fewest steps come first, so that a long one does not use up the requests that decide
    several clauses.

    :param clauses: the ids of those whose suspicions count; ``None`` for all.
    """
    undecided = [
        tally
        for clause_id, tally in hearing.tallies.items()
        if not tally.found and (clauses is None or clause_id in clauses)
    ]
    turns = zip_longest(
        *(islice((each for each in tally.asked if each not in done), most) for tally in undecided)
    )
    return list(
        dict.fromkeys(
            each for turn in turns for each in sorted(filter(None, turn), key=lambda each: len(each.steps))
        )
    )


def affordable(experiments: Sequence[Experiment], budget: Budget) -> list[Experiment]:
    """The experiments, in their order, for which there are enough requests and creations left.

    The limits of the run would end the others halfway, and half an experiment decides nothing.
    """
    requests, creates = budget.requests_left(), budget.creates_left()
    chosen = []
    for each in experiments:
        if _requests(each.steps) <= requests and _creations(each.steps) <= creates:
            chosen.append(each)
            requests, creates = requests - _requests(each.steps), creates - _creations(each.steps)
    return chosen


def unaffordable(experiment: Experiment, budget: Budget) -> Spent:
    """Why an experiment is not begun: the limit of the run that would end it halfway."""
    requests, creates = budget.requests_left(), budget.creates_left()
    if _creations(experiment.steps) > creates:
        return Spent(
            f"An experiment would create more animals than the {creates} that the run may still create, "
            f"of {budget.creates}."
        )
    return NoRequestsLeft(
        f"An experiment would send more requests than the {requests} that the run may still send, of {budget.requests}."
    )


def perform(store: Store, experiments: Iterable[Experiment]) -> None:
    """Perform experiments side by side, until each has ended or the run has no more time, requests or creations."""
    trials = [Trial(each) for each in experiments]
    _perform(store, [each for each in trials if not each.is_punctual])
    for each in trials:
        if each.is_punctual:
            _perform(store, [each])


def _perform(store: Store, trials: list[Trial]) -> None:
    while under_way := [each for each in trials if not each.ended]:
        # What is not found yet may be there in a moment; the long waits come afterwards.
        under_way = [each for each in under_way if each.unfound] or under_way
        now_s = store.client.now_s()
        store.client.pause_until(max(each.due_s(now_s) for each in under_way))
        # What is created beside an animal may push it out of a store that keeps a few of the newest.
        apart = [each for each in under_way if each.makes_and_reads or each.reads_alone]
        together = [each for each in under_way if each not in apart]
        for group in filter(None, (together, *([each] for each in apart))):
            if group[0].reads_alone:
                store.client.close_idle()
            store.side_by_side(
                group,
                lambda lane, trial: trial.go_on(lane),
                creates=max(_creations(each.experiment.steps[each.at :]) for each in group),
                requests=max(_requests(each.experiment.steps) for each in group),
            )
            store.gather()


def _requests(steps: Iterable[Step]) -> int:
    """How many requests some steps may send."""
    return sum(
        1 + (len(each.pauses_s) if isinstance(each, ReadCreated) else 0)
        for each in steps
        if not isinstance(each, Waiting)
    )


def _creations(steps: Sequence[Step]) -> int:
    """How many animals some steps may create."""
    again = [each for each in steps if isinstance(each, Again) and each.request.method == "POST"]
    once = {each for each in again if each.until_served}
    new = sum(isinstance(each, Create) and each.naming is not Naming.RETRY for each in steps)
    return new + len(once) + sum(each not in once for each in again)


def renamed(lane: Lane, payload: dict[str, object]) -> dict[str, object]:
    """A payload with a new name that is as similar to the earlier one as names may be."""
    name = payload.get("name")
    if is_in_han(name):
        return {**payload, "name": lane.han_name()}
    own = OWN_NAME.fullmatch(name) if isinstance(name, str) else None
    return payload if own is None else {**payload, "name": lane.name(own["rest"], own["front"])}
