"""What mechanisms of every part need: refusing, counting, noting creations, and looking at values."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn, TypeAlias, TypeGuard, TypeVar

from animal_conformance.reference.changes import Before, Instead, Steps, anew
from animal_conformance.reference.model import (
    INT64_MAX,
    INT64_MIN,
    Animal,
    Call,
    Json,
    Payload,
    Refusal,
    Reply,
)

T = TypeVar("T")
R = TypeVar("R")

Answering: TypeAlias = Before[[Call], Reply]
Inserting: TypeAlias = Before[[Payload, Call], Animal]
Finding: TypeAlias = Before[[int], Animal | None]
Selecting: TypeAlias = Before[[int, str | None], list[Animal]]
Showing: TypeAlias = Before[[Animal, str], Json]
Insert: TypeAlias = Instead[[Payload, Call], Animal]
When: TypeAlias = Callable[[Call], object]


def always(*_: object) -> bool:
    """Whether something holds that always does."""
    return True


def refuse(status: int, message: str = "This cannot be done here.") -> NoReturn:
    """End the handling of a request; a lambda cannot raise."""
    raise Refusal(status, "refused", message)


def refusing(step: str, status: int, when: Callable[..., object]) -> Steps:
    """Refuse instead of taking a step where something holds of what it is given."""

    def instead(before: Callable[..., Any], *given: Any) -> Any:
        return refuse(status) if when(*given) else before(*given)

    return Steps(**{step: instead})  # type: ignore[arg-type] # a step is named in a row


def handled(handle: Callable[[Refusal], R | None]) -> Callable[[Before[[T], R], T], R]:
    """Have handle make another answer of a step's refusals, or raise another one; None lets them be."""

    def step(before: Before[[T], R], given: T) -> R:
        try:
            return before(given)
        except Refusal as refusal:
            instead = handle(refusal)
            if instead is None:
                raise
            return instead

    return step


def every(number: int) -> Callable[[], bool]:
    """A question that is answered yes every so many times that it is asked."""
    asked = itertools.count(1)
    return lambda: next(asked) % number == 0


@anew
def sometimes(number: int, steps: Steps, counts: Callable[..., object] = always) -> Steps:
    """Take altered steps every so many times, of those that count, and the steps before them else."""
    turn = every(number)
    return where(lambda *given: counts(*given) and turn(), steps)


@anew
def later(number: int, steps: Steps) -> Steps:
    """Take altered steps after so many times."""
    asked = itertools.count(1)
    return where(lambda *_: next(asked) > number, steps)


def where(when: Callable[..., object], steps: Steps) -> Steps:
    """Take altered steps where something holds of what they are given, and the steps before them else."""

    def altered(instead: Callable[..., Any]) -> Callable[..., Any]:
        return lambda before, *given: instead(before, *given) if when(*given) else before(*given)

    changed: dict[str, Any] = {name: altered(instead) for name, instead in steps.replaced()}
    return replace(steps, **changed)


def noting(note: Callable[[Animal, Call], object]) -> Insert:
    """Note each animal once it is created."""

    def insert(before: Inserting, payload: Payload, call: Call) -> Animal:
        animal = before(payload, call)
        note(animal, call)
        return animal

    return insert


def aging() -> tuple[Insert, Callable[[Animal], float]]:
    """Note when animals are created, and tell how many seconds ago; an infinity for those that were there before."""
    made: dict[int, float] = {}
    insert = noting(lambda animal, _: made.update({animal.id: time.monotonic()}))
    return insert, lambda animal: time.monotonic() - made.get(animal.id, -math.inf)


def unstated(_number: int, _animal: Animal, call: Call) -> bool:
    """Whether a creation leaves its status out."""
    return b'"status"' not in call.body


def setting(name: str, value: object) -> Steps:
    """Replace a setting."""
    return Steps(settings={name: value})


def is_number(value: Json) -> TypeGuard[int | float]:
    """Whether a value is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def integer(text: str) -> int | None:
    """Read an integer of any size but thousands of digits; None for everything else."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else None


def outside(text: str, bits: int) -> bool:
    """Whether a text is an integer that so many bits cannot hold."""
    value = integer(text) or 0
    return signed(value, bits) != value


def clamped(value: int) -> int:
    """The nearest int64."""
    return min(max(value, INT64_MIN), INT64_MAX)


def signed(value: int, bits: int) -> int:
    """The integer that the lowest bits are."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
