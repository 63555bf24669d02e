"""An animal of the run that is gone since another one like it was created: withdrawn, or replaced by that one.

The other one has the same name; or neither name has a letter or digit of ASCII, of which some keys are made. Names are
put to the test with what follows their unique beginning: a key may consist of as many characters as long names begin
with.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, zip_longest
from math import inf
from typing import Final

from animal_conformance.judge.experiments import (
    UNTIL_FOUND_S,
    WITHDRAWN,
    Create,
    Experiment,
    Naming,
    ReadCreated,
    ReadEarlier,
    Step,
    Wait,
)
from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_in_han, is_own, kind_of
from animal_conformance.judge.knowledge.presence import SOON_S, Presence, presences_of
from animal_conformance.record.exchange import Exchange

# If this many are gone as soon as one like it is created, while others stay, they were not withdrawn by somebody.
TIMES: Final = 2
# To see that takes this many animals: pairs that are alike, and pairs that are not.
PAIRED: Final = 2 * 2 * TIMES
_IN_KEYS: Final = re.compile("[A-Za-z0-9]")


class Likeness(StrEnum):
    """What an animal and the one that may have replaced it have in common, in words that follow 'another one'."""

    NAME = "with its name"
    SCRIPT = "whose name has no letter or digit of ASCII either"


@dataclass(frozen=True)
class Trial:
    """An animal that was asked for just before another one was created, and right afterwards, by ``reading``.

    ``alike`` is whether the other one was created with the same body, or one that differs only in the characters of
    another script. ``stayed`` is ``None`` if the animal was not found before, or went only later.
    """

    alike: bool
    stayed: bool | None
    reading: Exchange


class Replaced:
    """What became of some of the run's animals when one like them was created, and when one unlike them was created.

    With ``Likeness.NAME``, they are those whose names have ``rest`` behind their unique beginning.
    """

    def __init__(self, ledger: Ledger, likeness: Likeness, rest: str = "") -> None:
        self._ledger = ledger
        self._rest = rest
        self.likeness = likeness

    def may_be(self, animal: Animal, presences: Sequence[Presence]) -> bool:
        """Whether an animal was never there again once one like it had been created."""
        made = animal.creation
        if made is None or not self._is_meant(made):
            return False
        return any(
            each is not made
            and made.answered_s <= each.sent_s
            and self._key(each) == self._key(made)
            and not any(one.there and one.answered_s >= each.answered_s for one in presences)
            for each in self._ledger.creations
        )

    @cached_property
    def _like(self) -> Creation | None:
        """The first of these animals that was followed by one like it."""
        last = {self._key(each): each for each in self._ledger.creations}
        meant = (each for each in self._ledger.creations if self._is_meant(each))
        return next((each for each in meant if last[self._key(each)] is not each), None)

    def _is_meant(self, creation: Creation) -> bool:
        """Whether an animal has a name that nobody else uses, of the kind that is looked at."""
        name = str(creation.payload.get("name"))
        if self.likeness is Likeness.SCRIPT:
            return is_in_han(name)
        return is_own(name) and _rest_of(name) == self._rest

    def _key(self, creation: Creation) -> str:
        """What animals that may replace one another have in common."""
        name = str(creation.payload.get("name"))
        return name if self.likeness is Likeness.NAME or _IN_KEYS.search(name) else ""

    @property
    def is_tried(self) -> bool:
        """Whether enough animals were put to the test, or one of them shows that there is another reason."""
        both = ([each for each in self._trials if each.alike is one] for one in (True, False))
        return self._is_excluded or all(len(each) >= TIMES for each in both)

    @property
    def proof(self) -> Sequence[Exchange]:
        """The readings which exclude that somebody has withdrawn the animals; none if too few do, or one contradicts them.

        Whoever withdraws animals, by age, by number, by name or one by one, does not look at the name of the next one.
        """
        replaced = [each.reading for each in self._trials if each.stayed is False]
        stayed = [each.reading for each in self._trials if each.stayed]
        return () if min(len(replaced), len(stayed)) < TIMES or self._is_excluded else (*replaced, *stayed)

    @property
    def _is_excluded(self) -> bool:
        """Whether an animal has stayed beside one like it, or gone when one unlike it was created."""
        return any(each.stayed is each.alike for each in self._trials)

    @cached_property
    def _trials(self) -> list[Trial]:
        return list(self._tried())

    def _tried(self) -> Iterator[Trial]:
        stored = self._ledger.stored
        after = {id(each): later for each, later in zip_longest(stored, stored[1:])}
        for first, second, alike in self._pairs:
            third = after[id(second.exchange)]
            is_next = after[id(first.exchange)] is second.exchange
            trial = self._trial(
                first, second, inf if third is None else third.sent_s, alike=alike, is_next=is_next
            )
            if trial is not None:
                yield trial

    @cached_property
    def _pairs(self) -> list[tuple[Creation, Creation, bool]]:
        """These animals, each with the one created next if it is unlike it, and with the next one like it; and whether it is."""
        creations = sorted(self._ledger.creations, key=lambda each: each.sent_s)
        alike: dict[str, list[Creation]] = defaultdict(list)
        for each in filter(self._is_meant, creations):
            alike[each.body if self.likeness is Likeness.NAME else kind_of(each.payload)].append(each)
        unlike = (
            (one, two, False)
            for one, two in pairwise(creations)
            if self._is_meant(one) and self._key(one) != self._key(two)
        )
        return [*unlike, *((one, two, True) for each in alike.values() for one, two in pairwise(each))]

    def _trial(
        self, first: Creation, second: Creation, until_s: float, *, alike: bool, is_next: bool
    ) -> Trial | None:
        """What became of the first when the second was created; ``None`` if nobody asked, or others came in between.

        :param until_s: when the next animal was created.
        """
        animal, settle_s = self._ledger.animals[first.animal_id], self._ledger.terms.settle_s
        if animal.creation is None or first.answered_s > second.sent_s:
            return None
        got = [each for each in presences_of(self._ledger, animal) if not each.listed]
        made_s = second.answered_s
        before = [each.there for each in got if each.answered_s <= second.sent_s]
        # What is like the first may take its place later, whatever the second is like.
        gone_s = inf if alike else self._next_alike_s(first, made_s)
        after = [each for each in got if each.as_of_s >= made_s and each.answered_s <= gone_s]
        stayed = any(each.there for each in after)
        # One that stayed beside one like it was not replaced, whatever became of it, and whatever else there was.
        if alike and stayed:
            return Trial(alike, stayed, after[0].exchange)
        if not is_next or not before or not after or after[-1].as_of_s < made_s + settle_s:
            return None
        soon = after[0].exchange
        if soon.sent_s > made_s + SOON_S or soon.answered_s > until_s:
            return None
        # A replica may lag.
        is_clear = before[-1] and stayed == after[-1].there
        return Trial(alike, stayed if is_clear else None, soon)

    def _next_alike_s(self, creation: Creation, from_s: float) -> float:
        """When another animal that is like one was created, after some time."""
        sent_s = self._sent_s[self._key(creation)]
        return next(iter(sent_s[bisect_right(sent_s, from_s) :]), inf)

    @cached_property
    def _sent_s(self) -> dict[str, list[float]]:
        sent_s: dict[str, list[float]] = defaultdict(list)
        for each in sorted(self._ledger.creations, key=lambda each: each.sent_s):
            sent_s[self._key(each)].append(each.sent_s)
        return sent_s

    def experiment(self) -> Experiment | None:
        """Create animals that are read before and after the next one, which is like them or not, in turns.

        Those that may have stayed are read when they have settled, before one like them is created.
        """
        if self._like is None:
            return None
        payload, wait = self._like.body, Wait(self._ledger.terms.settle_s)
        read = ReadCreated(UNTIL_FOUND_S)

        def pair(naming: Naming) -> tuple[Step, ...]:
            return Create(payload), read, Create(payload, naming), ReadEarlier()

        again = (ReadEarlier(before) for before in range(1, PAIRED, 2))
        if self.likeness is Likeness.NAME:
            turns = (*pair(Naming.SAME), *pair(Naming.LIKE)) * TIMES
            return Experiment(WITHDRAWN, (*turns, wait, *again))
        turns = (*pair(Naming.LIKE), *pair(Naming.USUAL), wait, ReadEarlier()) * TIMES
        return Experiment(WITHDRAWN, (*turns, *again))


def _rest_of(name: str) -> str:
    """What follows the unique beginning of a name that the run made up; nothing where it has another style."""
    own = OWN_NAME.fullmatch(name)
    return own["rest"] if own else ""


def all_replaced(ledger: Ledger) -> list[Replaced]:
    """What is known of animals for which the run has created one like them, of each kind, made once for a trace."""
    return ledger.survey("replaced", lambda: list(_all_replaced(ledger)))


def _all_replaced(ledger: Ledger) -> Iterator[Replaced]:
    rests = (_rest_of(str(each.payload.get("name"))) for each in ledger.creations)
    yield from (Replaced(ledger, Likeness.NAME, each) for each in dict.fromkeys(rests))
    yield Replaced(ledger, Likeness.SCRIPT)
