"""Experiments as data: the requests that would exclude or confirm a lawful explanation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.record.exchange import Request

# Explanations of spec/explanations.yaml, by the ids that they have there.
CACHED: Final = "cached"
CAPPED: Final = "capped"
COPIED: Final = "copied"
EDITED: Final = "edited"
LAGGING: Final = "lagging"
MOVED: Final = "moved"
OUTAGE: Final = "outage"
OVERSIZED: Final = "oversized"
SAMPLED: Final = "sampled"
TAKEN: Final = "taken"
THROTTLED: Final = "throttled"
UNLISTED: Final = "unlisted"
UNWELCOME: Final = "unwelcome"
WITHDRAWN: Final = "withdrawn"

# The client of the suite's that escapes in JSON what it may, and sends the same as the suite itself otherwise.
ESCAPING: Final = "a client that escapes what it may"

TURNS: Final = 3
# Two replicas that serve in turns are both met within half a second, and both again after it.
UNTIL_FOUND_S: Final = (0.1, 0.1, 0.2, 0.2, 0.4)


@dataclass(frozen=True)
class Read:
    """GET a path below the base address, with its query; with ``anew``, on a connection of its own."""

    target: str
    anew: bool = False


@dataclass(frozen=True)
class ReadAlone:
    """GET a path while no other connection is open, on one that is closed afterwards."""

    target: str


@dataclass(frozen=True)
class Again:
    """Send a request once more as it was, its credential included; with ``anew``, on a connection of its own.

    With ``until_served``, nothing is sent once the experiment has got an answer below 500: it would add another animal.
    """

    request: Request
    anew: bool = False
    until_served: bool = False


class Naming(StrEnum):
    """The name of an animal to create."""

    LIKE = "a new one, as like the earlier one as names may be"
    UNLIKE = "a new one, unlike any other"
    USUAL = "a new one, as most names of the run are"
    SAME = "that of the animal that the experiment has tried to create before"
    RETRY = "the same if that creation was rejected; nothing is sent otherwise"


@dataclass(frozen=True)
class Create:
    """Create an animal with the fields of ``payload`` (a JSON object) under another name.

    With ``Naming.LIKE``, a name that the run made up gets another unique beginning, in the same script, and keeps the
    rest; any other name is sent as it was. ``voice`` names the client that sends the request; it is empty for the suite
    itself. With ``anew``, it is sent on a connection of its own.
    """

    payload: str
    naming: Naming = Naming.LIKE
    voice: str = ""
    anew: bool = False


@dataclass(frozen=True)
class ReadCreated:
    """getPet for the animal that the last :class:`Create` of the experiment created; nothing if it was rejected.

    While it is not found it is read again after each of the ``pauses_s``: a replica may know it a moment later.
    """

    pauses_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class ReadEarlier:
    """getPet for an animal created ``before`` creations earlier than the last one; nothing if either was rejected."""

    before: int = 1


@dataclass(frozen=True)
class Wait:
    """Wait this long after the preceding step, or after the experiment began."""

    seconds: float


@dataclass(frozen=True)
class WaitUntil:
    """Wait until this time on the clock of the run."""

    time_s: float


@dataclass(frozen=True)
class WaitUntilAged:
    """Wait until the animal created ``before`` creations earlier than the last one is so old; not if it was rejected.

    No other experiment prolongs the wait.
    """

    seconds: float
    before: int = 0


Waiting: TypeAlias = Wait | WaitUntil | WaitUntilAged
Step: TypeAlias = Read | ReadAlone | Again | Create | ReadCreated | ReadEarlier | Waiting


@dataclass(frozen=True)
class Experiment:
    """Steps, one after another, that would exclude or confirm one explanation of spec/explanations.yaml."""

    explanation: str
    steps: tuple[Step, ...]


def once(explanation: str, target: str, since_s: float) -> Experiment:
    """Read something once more after a point in time; what was read before then does not count."""
    return Experiment(explanation, (WaitUntil(since_s), Read(target)))


def in_turns(explanation: str, targets: tuple[str, ...], from_s: float, stored_s: float = 0.0) -> Experiment:
    """Read the same things in turns, from a time on, every other turn backwards and on connections of their own.

    So each is read at even and at odd places, which two replicas may serve in turns.

    :param stored_s: how long a response may be stored; the next turn waits until that time is over.
    """
    steps: list[Step] = [WaitUntil(from_s)]
    for turn in range(TURNS):
        if turn and stored_s:
            steps.append(Wait(stored_s))
        steps += [Read(each, anew=turn % 2 == 1) for each in (reversed(targets) if turn % 2 else targets)]
    return Experiment(explanation, tuple(steps))


def among_new(explanation: str, targets: tuple[str, ...], payload: str, from_s: float) -> Experiment:
    """Read the same things in turns, each after creating an animal like an earlier one: a list that shows it is no older."""
    turn: tuple[Step, ...] = (Create(payload), *map(Read, targets))
    return Experiment(explanation, (WaitUntil(from_s), *turn * TURNS))


def followed(explanation: str, target: str, animal: str, every_s: float, times: int) -> Experiment:
    """Get an animal a number of times, with a pause after each, and then read it and a list in turns."""
    turns = in_turns(explanation, (target, animal), 0.0).steps[1:]
    return Experiment(explanation, (*(Read(animal), Wait(every_s)) * times, Read(animal), *turns))


def beside_plain(explanation: str, request: Request, from_s: float) -> Experiment:
    """Send a list or get request as it was, and its target without its headers, in turns from a time on."""
    return Experiment(explanation, (WaitUntil(from_s), *(Again(request), Read(request.target)) * TURNS))


def repeated(explanation: str, target: str, times: int, from_s: float) -> Experiment:
    """Read the same thing repeatedly from a time on, each time on its own connection, which any worker may serve."""
    return Experiment(explanation, (WaitUntil(from_s), *(Read(target, anew=True),) * times))


def two_like(explanation: str, payload: str, settle_s: float, *, query: str = LARGEST_LIST) -> Experiment:
    """Create two animals like an earlier one, one after the other, and read each of them at once and when settled.

    A list is read after each creation, and once more at the end.
    """
    one = (Create(payload), ReadCreated(UNTIL_FOUND_S), Read(query))
    again = (Wait(settle_s), ReadCreated())
    return Experiment(explanation, (*one, *again, *one, *again, Read(query)))


def several_like(explanation: str, payload: str, count: int, settle_s: float) -> Experiment:
    """Create so many animals like an earlier one, one after the other, and read each of them at once and when settled."""
    again = (ReadEarlier(before) for before in reversed(range(count)))
    return Experiment(explanation, (*(Create(payload), ReadCreated()) * count, Wait(settle_s), *again))


def two_listed(
    explanation: str, payload: str, settle_s: float, *, query: str, other: str | None = None
) -> Experiment:
    """Create two animals like an earlier one, one after the other; look for each in a list at once, and when settled.

    :param other: an animal to create before each list is read: a list that shows it is no older than it.
    """
    new = () if other is None else (Create(other),)
    one = (Create(payload), *new, Read(query), Wait(settle_s), *new, Read(query))
    return Experiment(explanation, one * 2)
