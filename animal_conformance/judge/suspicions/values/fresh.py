"""New animals of the run: whether the first reading was wrong, and whether lists and getPet agree on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
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
from animal_conformance.judge.knowledge.tellings import History, Telling
from animal_conformance.judge.suspicions.values.alike import KINDS, LIKE, Alike, body_of, creation_of
from animal_conformance.judge.suspicions.values.firsts import (
    came_soon,
    first_wrong,
    has_moved_by,
    is_at_once,
    soon_wrong,
)
from animal_conformance.judge.suspicions.values.later import Later
from animal_conformance.judge.suspicions.values.together import Together

# Where others change animals, this many of one kind have to be wrong in the first reading, and none right since.
WHERE_OTHERS_CHANGE: Final = 4


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
        self._changed = list(changed)
        self._no_room = no_room
        self._alike = Alike(creations, history_of)
        # Statuses move one by one all the time, so that some move at the same time as others.
        self._together = Together(self._changed if explanation == EDITED else ())

    @cached_property
    def later(self) -> Later:
        """What is known of the animals that changed after they had been read right."""
        return Later(self._explanation, self._alike, self.changed_later, self._together)

    # The first reading

    @cached_property
    def wrong_at_first(self) -> list[History]:
        """The animals whose first reading was wrong, or the first one by getPet or by a list if that came early."""
        return [each for each in self._changed if first_wrong(each) is not None]

    @cached_property
    def wrong_twice(self) -> tuple[Telling, Telling] | None:
        """Wrong first readings of two animals, each read soon, the second created after the first was read.

        Animals that somebody may have edited together with older ones do not count. Where many statuses move, one may
        move within a second, so it has to be read at once. Where an animal that was read right has changed later, somebody
        changes animals (those of its first status), now and then before the first reading: then both animals have to be of
        one kind, with two more of that kind, which an experiment creates, and no other of the kind may have been read right
        since.
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
            by_kind[self._alike.kind(each) if self._others_change(each) else ""].append((wrong, each))
        for alike in by_kind.values():
            first, history = alike[0]
            later = (wrong for wrong, each in alike if creation_of(each).sent_s >= first.answered_s)
            second = next(later, None)
            enough = not self._others_change(history) or (
                len(alike) >= WHERE_OTHERS_CHANGE and not self._was_right_since(history)
            )
            if second is not None and enough:
                return first, second
        return None

    def _was_right_since(self, history: History) -> bool:
        """Whether any animal like one whose first reading was wrong was read right afterwards."""
        since = self._alike.after(self._alike.kind(history), history.changed[0].answered_s)
        return any(self._right_at_first(each, history) for each in since)

    def _others_change(self, history: History) -> bool:
        """Whether animals that had been read right changed later: any, or, of statuses, one that had the same at first."""
        return history.first in self._moved_from if history.moves else bool(self.changed_later)

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

    @cached_property
    def changed_later(self) -> list[History]:
        """The animals that were read right at first."""
        return [each for each in self._changed if first_wrong(each) is None]

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
            of_it = self._alike.history(like)
            if of_it is None:
                return False
            # Where somebody goes on editing, it may have been changed long after it had been told.
            stayed = self._alike.stayed(like, 2 * of_it.settle_s) and read_s >= of_it.first_s + of_it.settle_s
            return stayed or of_it.agreed or (of_it.was_asked and read_s >= of_it.settled_s)

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

    def _experiment(
        self,
        history: History,
        alike: list[History],
        excused_by: Callable[[History, Creation], bool],
        make: Callable[[str, int], Experiment],
    ) -> Experiment | None:
        by_kind: dict[str, list[History]] = defaultdict(list)
        for each in alike:
            by_kind[self._alike.kind(each)].append(each)

        def order(kind: str) -> tuple[bool, int, int, str]:
            soon = any(soon_wrong(each) for each in by_kind[kind])
            return not soon, -len(by_kind[kind]), len(kind), kind

        chosen = sorted(by_kind, key=order)[:KINDS]
        kind = self._alike.kind(history)
        for wanted in [kind] if kind in chosen else chosen:
            first = by_kind[wanted][0]
            since_s = first.changed[0].answered_s
            tried = self._alike.after(wanted, since_s)
            if sum(excused_by(first, each) for each in tried) < LIKE:
                return make(body_of(first), len(tried))
        return None

    def _right_at_first(self, creation: Creation, other: History) -> bool:
        """Whether the operation that told another animal wrong told this one right in its first response.

        That has to come as soon as it did for the other animal: lists that lag show neither soon, and full ones show
        none. A list that lags may also show a status only when it has moved, as getPet tells by then.
        """
        history, wrong = self._alike.history(creation), first_wrong(other)
        if history is None or wrong is None:
            return False
        listed = wrong.page is not None and not self._no_room(wrong.page, creation)
        early = next((each for each in history.tellings if each.listed == listed), None)
        if early is not None and early.listed and other.moves and has_moved_by(history, early):
            return True
        if early is None or early.value != history.first:
            return False
        return came_soon(history, early) or not came_soon(other, wrong)
