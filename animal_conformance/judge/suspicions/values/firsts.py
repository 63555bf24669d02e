"""The first reading of a new animal: whether it was wrong, and how soon after the creation it came."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from animal_conformance.judge.knowledge.presence import SOON_S
from animal_conformance.judge.knowledge.tellings import History, Telling

# An animal that is read within this time, or the time of this many requests, is read at once.
AT_ONCE_S: Final = 0.1
FEW_REQUESTS: Final = 4


def first_wrong(history: History) -> Telling | None:
    """The first reading if it was wrong, or that of getPet or of a list if it was wrong soon after the creation."""
    first = (
        each
        for each in history.tellings[:1]
        if each.value != history.first and each.answered_s <= history.read_s
    )
    return soon_wrong(history) or next(first, None)


def soon_wrong(history: History) -> Telling | None:
    """The first response of getPet, or of a list, if it was wrong soon after the creation."""
    for listed in (False, True):
        early = next((each for each in history.tellings if each.listed == listed), None)
        if early is None or early.value == history.first or not came_soon(history, early):
            continue
        # An animal may be changed as soon as it was read.
        if early.answered_s <= history.read_s:
            return early
    return None


def has_moved_by(history: History, listed: Telling) -> bool:
    """Whether getPet first told what was sent, soon after the creation, and then, right before or after a list, what the list shows."""
    got = [each for each in history.tellings if not each.listed]
    around = [each for each in got if each.sent_s <= listed.answered_s][-1:]
    around += [each for each in got if 0 <= each.sent_s - listed.answered_s <= SOON_S][:1]
    return (
        bool(got and got[0].value == history.first != listed.value)
        and came_soon(history, got[0])
        and not came_soon(history, listed)
        and any(each.value == listed.value for each in around)
    )


def came_soon(history: History, telling: Telling) -> bool:
    """Whether a response was asked for soon after its animal had been created."""
    return telling.sent_s - history.first_s <= SOON_S


def is_at_once(history: History, telling: Telling) -> bool:
    """Whether no more than a few requests can have come between a creation and a response."""
    took_s = telling.answered_s - telling.sent_s
    return telling.sent_s - history.first_s <= max(AT_ONCE_S, FEW_REQUESTS * took_s)


def while_right(history: History) -> list[Telling]:
    """The tellings of an animal before the first wrong one."""
    return list(takewhile(lambda each: each.value == history.first, history.tellings))
