"""What mechanisms of every part need: refusing, counting, and looking at values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn, TypeGuard, TypeVar

from animal_conformance.reference.changes import Before, Steps
from animal_conformance.reference.model import INT64_MAX, INT64_MIN, Call, Json, Payload, Refusal

T = TypeVar("T")
R = TypeVar("R")


def refuse(status: int, message: str = "This cannot be done here.") -> NoReturn:
    """End the handling of a request; a lambda cannot raise."""
    raise Refusal(status, "refused", message)


def refusing(step: str, status: int, when: Callable[..., object]) -> Steps:
    """Refuse instead of taking a step where something holds of what it is given."""

    def instead(before: Callable[..., Any], *given: Any) -> Any:
        return refuse(status) if when(*given) else before(*given)

    return Steps(**{step: instead})  # type: ignore[arg-type] # a step is named in a row


def every(number: int) -> Callable[[], bool]:
    """A question that is answered yes every so many times that it is asked."""
    asked = 0

    def ask() -> bool:
        nonlocal asked
        asked += 1
        return asked % number == 0

    return ask


def sometimes(number: int, steps: Steps, counts: Callable[..., bool]) -> Steps:
    """Take altered steps every so many times, of those that count, and the steps before them else."""
    turn = every(number)

    def at_times(instead: Callable[..., Any]) -> Callable[..., Any]:
        return lambda before, *given: instead(before, *given) if counts(*given) and turn() else before(*given)

    altered: dict[str, Any] = {name: at_times(instead) for name, instead in steps.replaced()}
    return replace(steps, **altered)


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


def retried(repair: Callable[[T], T]) -> Callable[[Before[[T], R], T], R]:
    """Give a step that refuses what it is given something else."""

    def step(before: Before[[T], R], given: T) -> R:
        try:
            return before(given)
        except Refusal:
            return before(repair(given))

    return step


def always(*_: object) -> bool:
    """Whether something holds that always does."""
    return True


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
    value = integer(text)
    return value is not None and signed(value, bits) != value


def clamped(value: int) -> int:
    """The nearest int64."""
    return min(max(value, INT64_MIN), INT64_MAX)


def signed(value: int, bits: int) -> int:
    """The integer that the lowest bits are."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def unstated(_number: int, _payload: Payload, call: Call) -> bool:
    """Whether a creation leaves its status out."""
    return b'"status"' not in call.body
