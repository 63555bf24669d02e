"""What all mechanisms need: refusing, counting, noting creations, and looking at values."""

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
    """A condition that always holds."""
    return True


def refuse(status: int, message: str = "This cannot be done here.") -> NoReturn:
    """End the handling of a request; for lambdas, which cannot raise."""
    raise Refusal(status, "refused", message)


def refusing(step: str, status: int, when: Callable[..., object]) -> Steps:
    """Refuse instead of taking a step if ``when`` holds for its arguments."""

    def instead(before: Callable[..., Any], *given: Any) -> Any:
        return refuse(status) if when(*given) else before(*given)

    return Steps(**{step: instead})  # type: ignore[arg-type] # a step is named in a row


def handled(handle: Callable[[Refusal], R | None]) -> Callable[[Before[[T], R], T], R]:
    """Have ``handle`` replace each refusal of a step by an answer or another refusal; None leaves it as it is."""

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
    """A function that returns True at every so many calls, and otherwise False."""
    asked = itertools.count(1)
    return lambda: next(asked) % number == 0


@anew
def sometimes(number: int, steps: Steps, counts: Callable[..., object] = always) -> Steps:
    """Take the altered steps every so many of the times that count, and otherwise the steps that they replace."""
    turn = every(number)
    return where(lambda *given: counts(*given) and turn(), steps)


@anew
def later(number: int, steps: Steps) -> Steps:
    """Take the altered steps once so many times are over."""
    asked = itertools.count(1)
    return where(lambda *_: next(asked) > number, steps)


def where(when: Callable[..., object], steps: Steps) -> Steps:
    """Take the altered steps if ``when`` holds for their arguments, and otherwise the steps that they replace."""

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
    """Note when animals are created, and tell how many seconds ago; infinity for the animals of the catalogue."""
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
    """Read an integer of fewer than a thousand digits; None for everything else."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else None


def outside(text: str, bits: int) -> bool:
    """Whether a text is an integer that does not fit into so many bits."""
    value = integer(text) or 0
    return signed(value, bits) != value


def clamped(value: int) -> int:
    """The nearest int64."""
    return min(max(value, INT64_MIN), INT64_MAX)


def signed(value: int, bits: int) -> int:
    """The lowest bits of an integer, as a signed integer."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
