"""The animals of the run by their kinds: payloads that differ only in the unique part of the name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Final

from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.plain import kind_of
from animal_conformance.judge.knowledge.presence import SOON_S
from animal_conformance.judge.knowledge.tellings import History
from animal_conformance.judge.suspicions.values.firsts import while_right

# How many kinds of animals new ones are created for; the others are taken to do the same.
KINDS: Final = 2
# So many animals of a kind agree by more than chance.
LIKE: Final = 2


class Alike:
    """The run's animals, and the histories of one of their fields.

    :param history_of: the history of any creation of the run; ``None`` if it has none that counts.
    """

    def __init__(
        self, creations: Iterable[Creation], history_of: Callable[[Creation], History | None]
    ) -> None:
        self._creations = list(creations)
        self._history_of = history_of
        self._histories: dict[int, History | None] = {}

    @cached_property
    def by_kind(self) -> dict[str, list[Creation]]:
        """The creations of each kind, in their order."""
        by_kind: dict[str, list[Creation]] = defaultdict(list)
        for each in self._creations:
            by_kind[kind_of(each.payload)].append(each)
        return by_kind

    def after(self, kind: str, since_s: float) -> list[Creation]:
        """The creations of a kind that were sent after a time."""
        return [each for each in self.by_kind[kind] if each.sent_s >= since_s]

    def kind(self, history: History) -> str:
        """The kind of an animal."""
        return kind_of(creation_of(history).payload)

    def history(self, creation: Creation) -> History | None:
        """The history of an animal; ``None`` if it has none that counts."""
        if creation.animal_id not in self._histories:
            self._histories[creation.animal_id] = self._history_of(creation)
        return self._histories[creation.animal_id]

    def stayed(self, creation: Creation, age_s: float = 0.0) -> bool:
        """Whether an animal was read right soon after its creation and after settling, and never changed.

        :param age_s: the age at which it was read right; beyond the settling time, it may have changed afterwards.
        """
        history = self.history(creation)
        if history is None or (history.changed and age_s <= history.settle_s):
            return False
        sent = [each.sent_s - history.first_s for each in while_right(history)]
        return bool(sent) and sent[0] <= SOON_S and sent[-1] >= max(history.settle_s, age_s)

    def outlived(self, creation: Creation) -> bool:
        """Whether an animal was also read after another one was created."""
        history = self.history(creation)
        read_s = 0.0 if history is None else history.tellings[-1].sent_s
        return any(
            each is not creation and creation.answered_s <= each.sent_s and each.answered_s <= read_s
            for each in self._creations
        )


def body_of(history: History) -> str:
    """The request body that creates animals like one."""
    return creation_of(history).body


def creation_of(history: History) -> Creation:
    """The creation of an animal of the run."""
    creation = history.animal.creation
    if creation is None:
        raise ValueError("Only animals that the run created are compared with new ones.")
    return creation
