"""An animal of the run that is gone since another one with its name was created: withdrawn, or replaced by that one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, zip_longest
from math import inf
from typing import Final

from animal_conformance.judge.experiments import (
    UNTIL_FOUND_S,
    Create,
    Experiment,
    Naming,
    ReadCreated,
    ReadEarlier,
    Wait,
)
from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import is_own
from animal_conformance.judge.knowledge.presence import SOON_S, Presence, presences_of
from animal_conformance.record.exchange import Exchange

# If this many are gone as soon as a namesake is created, while others stay, they were not withdrawn by somebody.
TIMES: Final = 2
# To see that takes this many animals: pairs with the same name, and pairs with different names.
NAMESAKES: Final = 2 * 2 * TIMES


@dataclass(frozen=True)
class Trial:
    """An animal that was asked for just before another one was created, and right afterwards, by ``reading``.

    ``identical`` is whether the other one was created with the same body. ``stayed`` is ``None`` if the animal was not
    found before, or went only later.
    """

    identical: bool
    stayed: bool | None
    reading: Exchange


class Replaced:
    """What became of the run's animals when an identical one was created, and when one with another name was created."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def may_be(self, animal: Animal, presences: Sequence[Presence]) -> bool:
        """Whether an animal was never there again once a namesake had been created."""
        made = animal.creation
        if made is None or not is_own(str(made.payload.get("name"))):
            return False
        return any(
            made.answered_s <= each.sent_s
            and each.payload.get("name") == made.payload["name"]
            and not any(one.there and one.answered_s >= each.answered_s for one in presences)
            for each in self._ledger.creations
        )

    @cached_property
    def like(self) -> Creation | None:
        """The first of the run's animals that was followed by one with its name."""
        last = {each.payload.get("name"): each for each in self._ledger.creations}
        named = (each for each in self._ledger.creations if is_own(str(each.payload.get("name"))))
        return next((each for each in named if last[each.payload["name"]] is not each), None)

    @property
    def is_tried(self) -> bool:
        """Whether enough animals were put to the test, or one of them shows that there is another reason."""
        both = ([each for each in self._trials if each.identical is one] for one in (True, False))
        return self._is_excluded or all(len(each) >= TIMES for each in both)

    @property
    def proof(self) -> Sequence[Exchange]:
        """The readings which exclude that somebody has withdrawn the animals; none if too few do, or one contradicts them.

        Whoever withdraws animals, by age, by number or one by one, does not look at the name of the next one.
        """
        replaced = [each.reading for each in self._trials if each.stayed is False]
        stayed = [each.reading for each in self._trials if each.stayed]
        return () if min(len(replaced), len(stayed)) < TIMES or self._is_excluded else (*replaced, *stayed)

    @property
    def _is_excluded(self) -> bool:
        """Whether an animal has stayed beside an identical one, or gone when one with another name was created."""
        return any(each.stayed is each.identical for each in self._trials)

    @cached_property
    def _trials(self) -> list[Trial]:
        return list(self._tried())

    def _tried(self) -> Iterator[Trial]:
        stored = self._ledger.stored
        after = {id(each): later for each, later in zip_longest(stored, stored[1:])}
        for first, second in self._pairs:
            third = after[id(second.exchange)]
            is_next = after[id(first.exchange)] is second.exchange
            trial = self._trial(first, second, inf if third is None else third.sent_s, is_next=is_next)
            if trial is not None:
                yield trial

    @cached_property
    def _pairs(self) -> list[tuple[Creation, Creation]]:
        """The run's animals, each with the one created next if it has another name, and with the next identical one."""
        creations = sorted(self._ledger.creations, key=lambda each: each.sent_s)
        own = [each for each in creations if is_own(str(each.payload.get("name")))]
        alike: dict[str, list[Creation]] = defaultdict(list)
        for each in own:
            alike[each.body].append(each)
        others = [(one, two) for one, two in pairwise(own) if one.payload["name"] != two.payload["name"]]
        return [*others, *(pair for each in alike.values() for pair in pairwise(each))]

    def _trial(self, first: Creation, second: Creation, until_s: float, *, is_next: bool) -> Trial | None:
        """What became of the first when the second was created; ``None`` if nobody asked, or others came in between.

        :param until_s: when the next animal was created.
        """
        animal, settle_s = self._ledger.animals[first.animal_id], self._ledger.terms.settle_s
        if animal.creation is None or first.answered_s > second.sent_s:
            return None
        got = [each for each in presences_of(self._ledger, animal) if not each.listed]
        made_s = second.answered_s
        before = [each.there for each in got if each.answered_s <= second.sent_s]
        after = [each for each in got if each.as_of_s >= made_s]
        stayed, identical = any(each.there for each in after), first.body == second.body
        # One that stayed beside an identical one was not replaced, whatever became of it, and whatever else there was.
        if identical and stayed:
            return Trial(identical, stayed, after[0].exchange)
        if not is_next or not before or not after or after[-1].as_of_s < made_s + settle_s:
            return None
        soon = after[0].exchange
        if soon.sent_s > made_s + SOON_S or soon.answered_s > until_s:
            return None
        # A replica may lag.
        is_clear = before[-1] and stayed == after[-1].there
        return Trial(identical, stayed if is_clear else None, soon)


def followed_by_namesakes(explanation: str, payload: str, settle_s: float) -> Experiment:
    """Create animals that are read before and after the next one, which has the same name or another, in turns."""
    turns = (
        step
        for naming in (Naming.SAME, Naming.LIKE) * TIMES
        for step in (Create(payload), ReadCreated(UNTIL_FOUND_S), Create(payload, naming), ReadEarlier())
    )
    again = (ReadEarlier(before) for before in range(1, 4 * TIMES, 2))
    return Experiment(explanation, (*turns, Wait(settle_s), *again))
