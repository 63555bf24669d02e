"""Animals of different ages that changed at one time: somebody has edited them, as none changes like that by itself."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from animal_conformance.judge.knowledge.tellings import History, Telling


@dataclass(frozen=True)
class Change:
    """The change of an animal of the run between two times, and so between two ages."""

    from_s: float
    until_s: float
    youngest_s: float
    oldest_s: float


class Together:
    """The times at which animals of different ages changed together, so that their age does not explain it.

    :param changed: the histories of the run's animals in which the field changed.
    """

    def __init__(self, changed: Iterable[History]) -> None:
        self._changed = changed

    def explains(self, history: History, telling: Telling) -> bool:
        """Whether the value that a response tells of an animal may have come about at such a time."""
        change = _change(history, telling)
        if change is None:
            return False
        at = bisect_left(self._times, change.from_s)
        return at < len(self._times) and self._times[at] <= change.until_s

    @cached_property
    def _times(self) -> list[float]:
        """The beginnings and ends of the spans in which such changes may have been, in order."""
        changes = (_change(each, turn) for each in self._changed for turn in each.turns)
        times: set[float] = set()
        # The changes that may still be going on: the oldest animals first, and the youngest.
        oldest: list[tuple[float, float]] = []
        youngest: list[tuple[float, float]] = []
        for each in sorted(filter(None, changes), key=lambda each: each.from_s):
            for under_way in (oldest, youngest):
                while under_way and under_way[0][1] < each.from_s:
                    heappop(under_way)
            if oldest and -oldest[0][0] > each.oldest_s:
                times |= {each.from_s, min(each.until_s, oldest[0][1])}
            if youngest and youngest[0][0] < each.youngest_s:
                times |= {each.from_s, min(each.until_s, youngest[0][1])}
            heappush(oldest, (-each.youngest_s, each.until_s))
            heappush(youngest, (each.oldest_s, each.until_s))
        return sorted(times)


def _change(history: History, telling: Telling) -> Change | None:
    """When an animal changed to what a response tells of it; ``None`` if the run did not create it."""
    creation = history.animal.creation
    if creation is None:
        return None
    made = creation.exchange
    before = history.tellings[: history.place_of(telling)]
    other = (each.as_of_s for each in reversed(before) if each.value != telling.value)
    from_s, until_s = next(other, made.sent_s), telling.answered_s
    return Change(from_s, until_s, from_s - made.answered_s, until_s - made.sent_s)
