"""New animals of the run: whether the first reading was wrong, and whether each one changes by itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from itertools import dropwhile
from math import inf
from typing import Final

from animal_conformance.judge.experiments import (
    EDITED,
    Create,
    Experiment,
    Read,
    ReadCreated,
    ReadEarlier,
    Wait,
    two_like,
)
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.plain import kind_of
from animal_conformance.judge.knowledge.presence import LONGEST_S, SOON_S
from animal_conformance.judge.knowledge.tellings import History, Telling
from animal_conformance.judge.suspicions.values.aged import NEAR, ROW, experiment_at_age, life_of, rows_of
from animal_conformance.judge.suspicions.values.firsts import (
    came_soon,
    first_wrong,
    has_moved_by,
    is_at_once,
    soon_wrong,
    while_right,
)
from animal_conformance.judge.suspicions.values.together import Together

# How many kinds of animals new ones are created for; the others are taken to do the same.
KINDS: Final = 2
LIKE: Final = 2
# Where statuses move, this many of one kind have to be wrong in the first reading, and none right since.
WHERE_THEY_MOVE: Final = 4
# An age at which animals change is looked for with no more new ones than these.
MOST_MADE: Final = LIKE + 1 + 2 * ROW
# A new animal is read again after settling; it counts as young for this many times as long.
AGES: Final = 3


class Fresh:
    """The run's animals with a field that changed after the 201, and new ones like them.

    :param changed: the histories of those in which the field changed.
    :param history_of: the history of any creation of the run; ``None`` if it has none that counts.
    :param no_room: whether the query of a list has been full, without the animal, since a creation.
    """

    def __init__(
        self,
        explanation: str,
        creations: Iterable[Creation],
        changed: Iterable[History],
        history_of: Callable[[Creation], History | None],
        no_room: Callable[[Page, Creation], bool],
    ) -> None:
        self._explanation = explanation
        self._creations = list(creations)
        self._changed = list(changed)
        self._history_of = history_of
        self._no_room = no_room
        self._histories: dict[int, History | None] = {}
        # Statuses move one by one all the time, so that some move at the same time as others.
        self._together = Together(self._changed if explanation == EDITED else ())

    @cached_property
    def _by_kind(self) -> dict[str, list[Creation]]:
        by_kind: dict[str, list[Creation]] = defaultdict(list)
        for each in self._creations:
            by_kind[kind_of(each.payload)].append(each)
        return by_kind

    # The first reading

    @cached_property
    def wrong_at_first(self) -> list[History]:
        """The animals whose first reading was wrong, or the first one by getPet or by a list if that came early."""
        return [each for each in self._changed if first_wrong(each) is not None]

    @cached_property
    def wrong_twice(self) -> tuple[Telling, Telling] | None:
        """Wrong first readings of two animals, each read soon, the second created after the first was read.

        Animals that somebody may have edited together with older ones do not count. Where many statuses move, one may
        move within a second, so it has to be read at once. Where an animal that was read right has moved later, somebody moves
        those of its first status, now and then before the first reading: then both animals have to be of one kind, with
        two more of that kind, which an experiment creates, and no other of the kind may have been read right since.
        """
        soon = sorted(
            (
                (wrong, each)
                for each in self.wrong_at_first
                if (wrong := soon_wrong(each))
                and not self._together.explains(each, wrong)
                and (not each.moves or is_at_once(each, wrong))
            ),
            key=lambda each: each[0].answered_s,
        )
        by_kind: dict[str, list[tuple[Telling, History]]] = defaultdict(list)
        for wrong, each in soon:
            by_kind[self._kind(each) if each.first in self._moved_from else ""].append((wrong, each))
        for alike in by_kind.values():
            first, history = alike[0]
            later = (wrong for wrong, each in alike if _creation(each).sent_s >= first.answered_s)
            second = next(later, None)
            enough = history.first not in self._moved_from or (
                len(alike) >= WHERE_THEY_MOVE and not self._was_right_since(history)
            )
            if second is not None and enough:
                return first, second
        return None

    def _was_right_since(self, history: History) -> bool:
        """Whether any animal like one whose first reading was wrong was read right afterwards."""
        since = self._after(self._kind(history), history.changed[0].answered_s)
        return any(self._right_at_first(each, history) for each in since)

    @cached_property
    def _moved_from(self) -> frozenset[Hashable]:
        """The statuses that were read right at first, and of which one was told differently later."""
        return frozenset(each.first for each in self.changed_later if each.moves)

    def experiment_on_first(self, history: History, query: str) -> Experiment | None:
        """Two new animals like one whose first reading was wrong; ``None`` if animals like it were read right."""
        return self._experiment(
            history,
            self.wrong_at_first,
            lambda each, like: self._right_at_first(like, each),
            lambda payload, _: two_like(self._explanation, payload, history.settle_s, query=query),
        )

    # Changes later

    @cached_property
    def changed_later(self) -> list[History]:
        """The animals that were read right at first."""
        return [each for each in self._changed if first_wrong(each) is None]

    def each_changes(self, history: History) -> Telling | None:
        """The response that shows that an animal changed by itself, as did all like it since, each at another time.

        Editors who rename one animal in several may come upon two in a row; editors who rename any of them may come
        upon a younger one first.
        """
        return self._each_changes.get(history.animal.animal_id)

    @cached_property
    def _each_changes(self) -> dict[int, Telling]:
        young = {each.animal.animal_id: each for each in self.changed_later if _changed_young(each)}
        changes: dict[int, Telling] = {}
        for kind in self._by_kind.values():
            since = list(dropwhile(lambda each: each.animal_id not in young, kind))
            row = sorted(
                (young[each.animal_id] for each in since if each.animal_id in young),
                key=lambda each: each.changed[0].answered_s,
            )
            row = [each for each in row if not self._together.explains(each, each.changed[0])]
            if (
                len(_one_after_another(row)) > LIKE
                and not any(map(self._stayed, since))
                and not any(self._outlasted(each, row) for each in since)
            ):
                changes |= {each.animal.animal_id: row[-1].changed[0] for each in row}
        return changes

    def changes_at_age(self, history: History) -> tuple[float, tuple[Telling, ...]] | None:
        """The age at which an animal and others like it changed, one after another, and what told of them last."""
        return self._at_age.get(history.animal.animal_id)

    @cached_property
    def _at_age(self) -> dict[int, tuple[float, tuple[Telling, ...]]]:
        found: dict[int, tuple[float, tuple[Telling, ...]]] = {}
        for kind in self._by_kind.values():
            for row in rows_of(kind, self._history):
                told = tuple(each.history.changed[0] for each in row)
                found |= {each.creation.animal_id: (row[0].wrong_s, told) for each in row}
        return found

    def experiment_on_change(self, history: History, query: str) -> Experiment | None:
        """New animals like the one that was youngest when it changed; ``None`` if others like it stayed as they were."""
        if not self.is_right_at_first(history):
            return None
        youngest = self._youngest_alone
        return None if youngest is None else self._like(youngest, query)

    def _like(self, youngest: History, query: str) -> Experiment | None:
        """New animals like one, for what changes by the time to settle; after that, at the age at which that one changed."""
        lives = [
            life
            for each in self._after(self._kind(youngest), _creation(youngest).sent_s)
            if (life := life_of(each, self._history(each)))
        ]
        wrong_s = lives[0].wrong_s if lives else inf
        right_s = max((each.right_s for each in lives if each.right_s < wrong_s), default=0.0)
        if right_s < youngest.settle_s or wrong_s > LONGEST_S:
            return self._three(youngest, query)
        since_s = youngest.changed[0].answered_s
        made = sum(each.creation.sent_s >= since_s and each.right_s >= NEAR * right_s for each in lives)
        if made > MOST_MADE:
            return None
        return experiment_at_age(self._explanation, _body(youngest), right_s, wrong_s, youngest.settle_s)

    @cached_property
    def _youngest_alone(self) -> History | None:
        """The animal that was youngest when it changed; another one if others like it stayed as they were.

        That has to be one of which it is well known at which age it changed, and that has not changed with older ones.
        """
        by_age = sorted(self.changed_later, key=_age_s)
        aged = list(filter(self._has_an_age, by_age))
        kinds = list(dict.fromkeys(map(self._kind, aged)))[:KINDS]
        others = (each for each in aged if self._kind(each) in kinds)
        return next(filter(self._is_alone, (by_age[0], *others)), None)

    def _has_an_age(self, history: History) -> bool:
        """Whether it is well known that an animal changed at an age beyond the settling time, and alone."""
        life = life_of(_creation(history), history)
        return (
            life is not None
            and life.is_near
            and life.right_s >= history.settle_s
            and not self._together.explains(history, history.changed[0])
        )

    def _is_alone(self, history: History) -> bool:
        """Whether fewer than two animals like one stayed as they were until its age, and none that was read for long."""
        age_s = _age_s(history)
        since = self._after(self._kind(history), history.first_s)
        stayed = [each for each in since if self._stayed(each, age_s)]
        return len(stayed) < LIKE and not any(map(self._outlived, stayed))

    def is_wrong_at_first(self, history: History) -> bool:
        """Whether it is one of :attr:`wrong_at_first`."""
        return history.animal.animal_id in self._wrong_ids

    def is_right_at_first(self, history: History) -> bool:
        """Whether it is one of :attr:`changed_later`."""
        return history.animal.animal_id in self._right_ids

    @cached_property
    def _wrong_ids(self) -> frozenset[int]:
        return frozenset(each.animal.animal_id for each in self.wrong_at_first)

    @cached_property
    def _right_ids(self) -> frozenset[int]:
        return frozenset(each.animal.animal_id for each in self.changed_later)

    def experiment_unseen(self, history: History, query: str, read_s: float) -> Experiment | None:
        """New animals like one that lists no longer show; ``None`` if getPet and lists told of enough like it already.

        Both have to have told of them after settling. Lists that are cut may show none of them.

        :param read_s: the latest ``as_of_s`` of the query's pages.
        """

        def told(_: History, like: Creation) -> bool:
            of_it = self._history(like)
            return of_it is not None and (of_it.agreed or (of_it.was_asked and read_s >= of_it.settled_s))

        return self._experiment(history, self._changed, told, self._followed(history, query))

    def _followed(self, history: History, query: str) -> Callable[[str, int], Experiment]:
        """New animals, each read until it may have changed by itself, and again when that has settled; then a list.

        There are two, one after another, as each may change at some age. For statuses, which move at any time, there
        are some more at once, and more each time, as some may be moved meanwhile.
        """
        settle_s = history.settle_s
        listed = (Wait(history.stored_s), Read(query))

        def one_by_one(payload: str, _: int) -> Experiment:
            made, again = (Create(payload), ReadCreated()), (Wait(settle_s), ReadCreated())
            return Experiment(
                self._explanation, (*(*made, Wait(2 * settle_s), ReadCreated(), *again) * LIKE, *listed)
            )

        def at_once(payload: str, tried: int) -> Experiment:
            count = 2 * LIKE + tried // (2 * LIKE)
            made, each = (Create(payload), ReadCreated()) * count, tuple(map(ReadEarlier, range(count)))
            return Experiment(
                self._explanation, (*made, Wait(2 * settle_s), *each, Wait(settle_s), *each, *listed)
            )

        return at_once if history.moves else one_by_one

    def _three(self, history: History, query: str) -> Experiment:
        """Three new animals, each read and listed when it is new, and read again when it has settled."""
        one = (Create(_body(history)), ReadCreated(), Read(query), Wait(history.settle_s), ReadCreated())
        return Experiment(self._explanation, one * (LIKE + 1))

    def _experiment(
        self,
        history: History,
        alike: list[History],
        excused_by: Callable[[History, Creation], bool],
        make: Callable[[str, int], Experiment],
    ) -> Experiment | None:
        by_kind: dict[str, list[History]] = defaultdict(list)
        for each in alike:
            by_kind[self._kind(each)].append(each)

        def order(kind: str) -> tuple[bool, int, int, str]:
            soon = any(soon_wrong(each) for each in by_kind[kind])
            return not soon, -len(by_kind[kind]), len(kind), kind

        chosen = sorted(by_kind, key=order)[:KINDS]
        kind = self._kind(history)
        for wanted in [kind] if kind in chosen else chosen:
            first = by_kind[wanted][0]
            since_s = first.changed[0].answered_s
            tried = self._after(wanted, since_s)
            if sum(excused_by(first, each) for each in tried) < LIKE:
                return make(_body(first), len(tried))
        return None

    def _after(self, kind: str, since_s: float) -> list[Creation]:
        return [each for each in self._by_kind[kind] if each.sent_s >= since_s]

    def _kind(self, history: History) -> str:
        return kind_of(_creation(history).payload)

    def _history(self, creation: Creation) -> History | None:
        if creation.animal_id not in self._histories:
            self._histories[creation.animal_id] = self._history_of(creation)
        return self._histories[creation.animal_id]

    def _stayed(self, creation: Creation, age_s: float = 0.0) -> bool:
        """Whether an animal was read right soon after its creation and after settling, and never changed.

        :param age_s: the age at which it was read right; beyond the settling time, it may have changed afterwards.
        """
        history = self._history(creation)
        if history is None or (history.changed and age_s <= history.settle_s):
            return False
        sent = [each.sent_s - history.first_s for each in while_right(history)]
        return bool(sent) and sent[0] <= SOON_S and sent[-1] >= max(history.settle_s, age_s)

    def _outlasted(self, creation: Creation, row: list[History]) -> bool:
        """Whether an animal was still right when a younger one had changed and settled, and had been read as often.

        If every animal changes at some age, after an event or in a queue, the older one changes first.
        """
        history = self._history(creation)
        if history is None or not history.tellings:
            return False
        right = while_right(history)
        right_s = max((each.as_of_s for each in right), default=-inf)
        return any(
            creation.answered_s < _creation(each).sent_s
            and right_s >= each.changed[0].answered_s + each.settle_s
            and Counter(told.listed for told in right) >= Counter(told.listed for told in while_right(each))
            for each in row
        )

    def _outlived(self, creation: Creation) -> bool:
        """Whether an animal was also read after another one was created."""
        history = self._history(creation)
        read_s = 0.0 if history is None else history.tellings[-1].sent_s
        return any(
            each is not creation and creation.answered_s <= each.sent_s and each.answered_s <= read_s
            for each in self._creations
        )

    def _right_at_first(self, creation: Creation, other: History) -> bool:
        """Whether the operation that told another animal wrong told this one right in its first response.

        That has to come as soon as it did for the other animal: lists that lag show neither soon, and full ones show
        none. A list that lags may also show a status only when it has moved, as getPet tells by then.
        """
        history, wrong = self._history(creation), first_wrong(other)
        if history is None or wrong is None:
            return False
        listed = wrong.page is not None and not self._no_room(wrong.page, creation)
        early = next((each for each in history.tellings if each.listed == listed), None)
        if early is not None and early.listed and other.moves and has_moved_by(history, early):
            return True
        if early is None or early.value != history.first:
            return False
        return came_soon(history, early) or not came_soon(other, wrong)


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
    return _creation(later).sent_s >= changed_s or right_s >= changed_s + later.settle_s


def _body(history: History) -> str:
    return _creation(history).body


def _creation(history: History) -> Creation:
    creation = history.animal.creation
    if creation is None:
        raise ValueError("Only animals that the run created are compared with new ones.")
    return creation
