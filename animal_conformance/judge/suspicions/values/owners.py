"""Animals that are told with the name of another: their names went round, or the run made that name up for another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable
from functools import cached_property
from typing import Final

from animal_conformance.judge.knowledge.fields import reads_alike, value_of
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME
from animal_conformance.judge.knowledge.tellings import History, Telling

# Nobody who changes names gives this many animals the names of others that get another one, and their category with it.
EXCHANGED: Final = 3


class Owners:
    """The animals by names that no other animal can have."""

    def __init__(self, ledger: Ledger, of_others: Collection[History]) -> None:
        """``of_others`` are the histories of the names of animals that others have created, as far as these changed."""
        self._ledger = ledger
        self._of_others = of_others

    def named(self, history: History, *, at_first: bool) -> tuple[Telling, int] | None:
        """The response that tells the name of another animal, and the id of that one.

        Whoever has mixed up two names may give one animal the name of another, and leaves it so: unless the animal was
        told wrong ``at_first``, it counts only if the same request tells its own name again.
        """
        for told in history.changed:
            owner = self._whose.get(told.value, history.animal.animal_id)
            if owner == history.animal.animal_id or reads_alike(told.value, history.first):
                continue
            if told.value in self._exchanged or at_first or _is_undone(told, history):
                return told, owner
        return None

    @cached_property
    def _whose(self) -> dict[Hashable, int]:
        return {**self._exchanged, **self._made_up()}

    def _made_up(self) -> dict[Hashable, int]:
        own: dict[Hashable, int] = {}
        for each in self._ledger.creations:
            name = value_of(each.payload, "name", self._ledger.contract)
            if isinstance(name, str) and OWN_NAME.fullmatch(name):
                own.setdefault(name, each.animal_id)
        return own

    @cached_property
    def _exchanged(self) -> dict[Hashable, int]:
        times = Counter(each.first for each in self._of_others)
        whose = {each.first: each for each in self._of_others if times[each.first] == 1}
        taken = {
            told.value
            for each in self._of_others
            for told in each.changed
            if (owner := whose.get(told.value, each)) is not each and _is_that_of(told, owner, each)
        }
        return {name: whose[name].animal.animal_id for name in taken} if len(taken) >= EXCHANGED else {}


def _is_undone(told: Telling, history: History) -> bool:
    """Whether the request that told a name tells the first one again afterwards: a list may just be older than getPet."""
    target = told.exchange.request.target
    return any(
        each.value == history.first
        and each.exchange.request.target == target
        and each.as_of_s >= told.answered_s
        for each in history.tellings
    )


def _is_that_of(told: Telling, owner: History, history: History) -> bool:
    """Whether a response tells another animal's category along with its name: a name may just belong to a place."""
    whole, before = owner.tellings[0].whole, history.tellings[0].whole
    return told.whole == whole and whole[1] != before[1]
