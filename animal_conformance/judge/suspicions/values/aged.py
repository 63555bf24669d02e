"""Animals of one kind that all change at the same age: what a cache told until then was not what was stored.

Editors come at times of their own. Whoever changes many at once meets them at different ages, and whoever changes one
after another seldom meets several in a row at an age that an earlier one has told. So new animals are made at different
times, and each is read shortly before that age and shortly after it, while the next one is still to reach it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import ceil, inf, log
from typing import Final, NamedTuple

from animal_conformance.judge.experiments import (
    Create,
    Experiment,
    ReadCreated,
    ReadEarlier,
    Step,
    WaitUntilAged,
)
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.tellings import History
from animal_conformance.judge.suspicions.values.firsts import while_right

# So many animals in a row, after an earlier one.
ROW: Final = 4
# An animal's last right reading came no earlier than at this part of the age at which it was first wrong; so for all of
# them together.
NEAR: Final = 0.7
# An experiment reads animals so much earlier and later than at the ages that are known.
MARGIN: Final = 0.05
# An experiment reads each animal again whenever its age has grown by this factor; if that takes more readings than PARTS,
# it divides the time into PARTS.
GROWTH: Final = 1.2
PARTS: Final = 4
# Of so many that changed after settling, one may have been edited.
OF: Final = 8


class Life(NamedTuple):
    """An animal of the run: the greatest age at which it was read right, and an age at which it had changed, in seconds."""

    creation: Creation
    history: History
    right_s: float
    wrong_s: float

    @property
    def has_changed(self) -> bool:
        """Whether it was read right, and wrong later."""
        return self.wrong_s < inf

    @property
    def has_gone_back(self) -> bool:
        """Whether it was right once more when the change had settled, as nothing is that was stored otherwise."""
        changed = self.history.changed[:1]
        settled_s = changed[0].answered_s + self.history.settle_s if changed else inf
        return any(
            each.value == self.history.first and each.as_of_s >= settled_s for each in self.history.tellings
        )

    @property
    def is_near(self) -> bool:
        """Whether it is well known at which age it changed, and it has not gone back."""
        return self.has_changed and self.right_s >= NEAR * self.wrong_s and not self.has_gone_back

    def may_change_between(self, right_s: float, wrong_s: float) -> bool:
        """Whether it may change between two ages, or may have done so."""
        return self.wrong_s > right_s and self.right_s < wrong_s


def life_of(creation: Creation, history: History | None) -> Life | None:
    """The life of an animal; ``None`` if it was not read right at first."""
    right = [] if history is None else while_right(history)
    if history is None or not right:
        return None
    return Life(
        creation,
        history,
        max(each.as_of_s for each in right) - creation.answered_s,
        history.changed[0].answered_s - creation.sent_s if history.changed else inf,
    )


def rows_of(
    kind: Iterable[Creation], history_of: Callable[[Creation], History | None]
) -> Iterator[list[Life]]:
    """Animals of one kind that changed at the same age, one after another, as one before them had.

    None that was made between them changed earlier or stayed as it was for longer.
    """
    lives = [life for each in kind if (life := life_of(each, history_of(each)))]
    near = [at for at, each in enumerate(lives) if each.is_near]
    for places in zip(*(near[start:] for start in range(ROW)), strict=False):
        row = [lives[at] for at in places]
        right_s, wrong_s = min(each.right_s for each in row), max(each.wrong_s for each in row)
        if right_s < NEAR * wrong_s or not _is_one_after_another(row):
            continue
        among = lives[places[0] : places[-1]]
        if all(each.may_change_between(right_s, wrong_s) for each in among) and any(
            each.has_changed and each.may_change_between(right_s, wrong_s)
            for each in islice(lives, places[0])
        ):
            yield row


def usual(lives: Iterable[Life], among: Sequence[Life]) -> list[Life]:
    """The animals at whose age almost all of others may have changed: what editors change has all ages."""
    wrong, right = sorted(each.wrong_s for each in among), sorted(each.right_s for each in among)

    def apart(life: Life) -> int:
        return bisect_right(wrong, life.right_s) + len(right) - bisect_left(right, life.wrong_s)

    return [each for each in lives if apart(each) <= max(1, len(among) // OF)]


def _is_one_after_another(row: Sequence[Life]) -> bool:
    """Whether each was still right when the one before it had changed, and the last even after settling."""
    pairs = [*pairwise(row), (row[0], row[-1])]
    settles = [0.0] * (len(row) - 1) + [row[0].history.settle_s]
    return all(
        later.right_s + later.creation.answered_s >= before.history.changed[0].answered_s + settle_s
        for (before, later), settle_s in zip(pairs, settles, strict=True)
    )


def experiment_at_age(
    explanation: str, payload: str, right_s: float, wrong_s: float, settle_s: float
) -> Experiment:
    """A row of new animals, each made some time after the one before, and read between two ages, and at both.

    :param right_s: an age at which such animals are right, in seconds, and above zero.
    :param wrong_s: an age at which they have changed.
    """
    from_s, until_s = right_s * (1 - MARGIN), wrong_s * (1 + MARGIN)
    parts = min(PARTS, ceil(log(until_s / from_s) / log(GROWTH)))
    ages = [from_s * (until_s / from_s) ** (part / parts) for part in range(parts + 1)]
    # Where the ages are far apart, this row only narrows them down for the next one.
    apart_s = max(settle_s / 2, min(2 * (ages[-1] - ages[-2]), (1 - NEAR) * until_s))
    events = sorted((apart_s * number + age, number, age) for number in range(ROW) for age in (0.0, *ages))
    steps: list[Step] = []
    last = -1
    for _, number, age in events:
        if age:
            before = last - number
            steps += [WaitUntilAged(round(age, 2), before), ReadEarlier(before)]
        else:
            steps += [WaitUntilAged(round(apart_s, 2))] if number else []
            steps += [Create(payload), ReadCreated()]
            last = number
    return Experiment(explanation, tuple(steps))
