"""New animals of the run that were read right at first: whether each one changes by itself later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import dropwhile
from math import inf
from typing import Final

from animal_conformance.judge.experiments import Create, Experiment, Read, ReadCreated, Wait
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.presence import LONGEST_S, SOON_S
from animal_conformance.judge.knowledge.tellings import History, Telling
from animal_conformance.judge.suspicions.values.aged import (
    NEAR,
    ROW,
    Life,
    experiment_at_age,
    life_of,
    rows_of,
    usual,
)
from animal_conformance.judge.suspicions.values.alike import KINDS, LIKE, Alike, body_of, creation_of
from animal_conformance.judge.suspicions.values.firsts import came_soon, while_right
from animal_conformance.judge.suspicions.values.together import Together

# Once more new ones than these were tried at an age, no further row of them is made.
MOST_MADE: Final = LIKE + 1 + 2 * ROW
# A new animal is read again after settling; it counts as young for this many times as long.
AGES: Final = 3


class Later:
    """The run's animals with a field that changed after it had been read right.

    :param changed: the histories of those animals.
    :param together: the times at which somebody has changed several.
    """

    def __init__(self, explanation: str, alike: Alike, changed: list[History], together: Together) -> None:
        self._explanation = explanation
        self._alike = alike
        self._changed = changed
        self._together = together

    def each_changes(self, history: History) -> Telling | None:
        """The response that shows that an animal changed by itself, as did all like it since, each at another time.

        Editors who rename one animal in several may come upon two in a row; editors who rename any of them may come
        upon a younger one first.
        """
        return self._each_changes.get(history.animal.animal_id)

    @cached_property
    def _each_changes(self) -> dict[int, Telling]:
        young = {each.animal.animal_id: each for each in self._changed if _changed_young(each)}
        changes: dict[int, Telling] = {}
        for kind in self._alike.by_kind.values():
            since = list(dropwhile(lambda each: each.animal_id not in young, kind))
            row = sorted(
                (young[each.animal_id] for each in since if each.animal_id in young),
                key=lambda each: each.changed[0].answered_s,
            )
            row = [each for each in row if not self._together.explains(each, each.changed[0])]
            if (
                len(_one_after_another(row)) > LIKE
                and not any(map(self._alike.stayed, since))
                and not any(self._outlasted(each, row) for each in since)
            ):
                changes |= {each.animal.animal_id: row[-1].changed[0] for each in row}
        return changes

    def changes_at_age(self, history: History) -> tuple[str, tuple[Telling, ...]] | None:
        """The age at which an animal and others like it changed, one after another, and what told that they had."""
        return self._at_age.get(history.animal.animal_id)

    @cached_property
    def _at_age(self) -> dict[int, tuple[str, tuple[Telling, ...]]]:
        found: dict[int, tuple[str, tuple[Telling, ...]]] = {}
        for kind in self._alike.by_kind.values():
            for row in rows_of(kind, self._alike.history):
                told = tuple(each.history.changed[0] for each in row)
                right_s, wrong_s = min(each.right_s for each in row), max(each.wrong_s for each in row)
                age = f"between {right_s:.1f} and {wrong_s:.1f} s"
                found |= {each.creation.animal_id: (age, told) for each in row}
        return found

    def experiment_on_change(self, query: str) -> Experiment | None:
        """New animals like the one that was youngest when it changed.

        ``None`` if others like it stayed as they were, or if enough new ones were tried.
        """
        youngest = self._youngest_alone
        return None if youngest is None else self._like(youngest, query)

    def _like(self, youngest: History, query: str) -> Experiment | None:
        """Three new animals like one if it changed before it can have settled.

        Otherwise a row that is read at the age at which it changed.
        """
        life = self._narrowed(youngest)
        if life is None or life.right_s < youngest.settle_s:
            return self._three(youngest, query)
        since_s = youngest.changed[0].answered_s
        tried = sum(
            each.creation.sent_s >= since_s and each.right_s >= NEAR * life.right_s
            for each in self._lives_like(youngest)
        )
        if tried > MOST_MADE:
            return None
        return experiment_at_age(
            self._explanation, body_of(youngest), life.right_s, life.wrong_s, youngest.settle_s
        )

    def _narrowed(self, history: History) -> Life | None:
        """The life of an animal, with the age that those like it were right at before; ``None`` if none will tell its age."""
        life = life_of(creation_of(history), history)
        if life is None or life.wrong_s > LONGEST_S or life.has_gone_back:
            return None
        right = (each.right_s for each in self._lives_like(history) if each.right_s < life.wrong_s)
        return life._replace(right_s=max(right, default=life.right_s))

    def _lives_like(self, history: History) -> list[Life]:
        kind = self._alike.by_kind[self._alike.kind(history)]
        return [life for each in kind if (life := life_of(each, self._alike.history(each)))]

    @cached_property
    def _youngest_alone(self) -> History | None:
        """The animal that was youngest when it changed, unless others like it stayed as they were.

        Then another one, whose age at its change is well known. If the youngest was still right after settling, most
        others whose ages are as well known must have changed at that age.
        """
        by_age = sorted(self._changed, key=_age_s)
        aged = list(filter(None, map(self._aged, by_age)))
        candidates = []
        for each in by_age[:1]:
            life = self._narrowed(each)
            if life is None or life.right_s < each.settle_s or usual([life], aged):
                candidates.append(each)
        by_kind: dict[str, History] = {}
        for known in usual(aged, aged):
            by_kind.setdefault(self._alike.kind(known.history), known.history)
        return next(filter(self._is_alone, (*candidates, *list(by_kind.values())[:KINDS])), None)

    def _aged(self, history: History) -> Life | None:
        """An animal if it is well known that it changed at an age beyond the settling time, and alone."""
        life = life_of(creation_of(history), history)
        if life is None or not life.is_near or life.right_s < history.settle_s:
            return None
        return None if self._together.explains(history, history.changed[0]) else life

    def _is_alone(self, history: History) -> bool:
        """Whether fewer than two animals like one stayed as they were until its age, and none that was read for long."""
        age_s = _age_s(history)
        since = self._alike.after(self._alike.kind(history), history.first_s)
        stayed = [each for each in since if self._alike.stayed(each, age_s)]
        return len(stayed) < LIKE and not any(map(self._alike.outlived, stayed))

    def _three(self, history: History, query: str) -> Experiment:
        """Three new animals, each read and listed when it is new, and read again when it has settled."""
        one = (Create(body_of(history)), ReadCreated(), Read(query), Wait(history.settle_s), ReadCreated())
        return Experiment(self._explanation, one * (LIKE + 1))

    def _outlasted(self, creation: Creation, row: list[History]) -> bool:
        """Whether an animal was still right when a younger one had changed and settled, and had been read as often.

        If every animal changes at some age, after an event or in a queue, the older one changes first.
        """
        history = self._alike.history(creation)
        if history is None or not history.tellings:
            return False
        right = while_right(history)
        right_s = max((each.as_of_s for each in right), default=-inf)
        return any(
            creation.answered_s < creation_of(each).sent_s
            and right_s >= each.changed[0].answered_s + each.settle_s
            and Counter(told.listed for told in right) >= Counter(told.listed for told in while_right(each))
            for each in row
        )


def _age_s(history: History) -> float:
    """The age at which an animal was read that had changed."""
    return history.changed[0].sent_s - history.first_s


def _changed_young(history: History) -> bool:
    """Whether an animal was read right soon after its creation, and changed not long after the settling time."""
    early, changed = history.tellings[0], history.changed[0]
    young_s = max(AGES * history.settle_s, SOON_S)
    return came_soon(history, early) and changed.sent_s <= history.first_s + young_s


def _one_after_another(row: Iterable[History]) -> list[History]:
    """Those of some animals, in the order of their changes, that changed at another time than the one before."""
    chain: list[History] = []
    for each in row:
        if not chain or _is_apart(chain[-1].changed[0], each):
            chain.append(each)
    return chain


def _is_apart(change: Telling, later: History) -> bool:
    """Whether an animal changed at another time than a change that was told: it was created later, or still right then."""
    changed_s = change.answered_s
    right_s = max((each.as_of_s for each in later.tellings if each.value == later.first), default=-inf)
    return creation_of(later).sent_s >= changed_s or right_s >= changed_s + later.settle_s
