"""The drivers of a run as pytest items: their selection, order and repetition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from animal_conformance.interface.clauses import matches
from animal_conformance.record.trace import TraceError
from animal_conformance.send.endings import Gone, Spent
from animal_conformance.session.run import Run

if TYPE_CHECKING:
    import pytest

LAST_ROUND: Final = -1
EXPERIMENTS: Final = "test_experiments"
STAGES: Final = (
    "authentication",  # first, since on a lax deployment its create requests use up the limit on creations
    "refusals",
    "create",
    "voices",
    "without_a_key",  # its first creations beside the last voices
    "returning",
    "at_once",
    "sequences",  # beside what is generated, since each of them is long
    "generated",
    "get",
    "questions",
    "list",
    "audit",
    "experiments",
    "torture",
)
LAST: Final = ("test_audit", "test_experiments", "test_torture")


def is_driver(item: pytest.Item) -> bool:
    """Whether an item is a driver, and not a test of anything else."""
    return holds_drivers(item.path.parent)


@cache
def holds_drivers(folder: Path) -> bool:
    """Whether a folder is one of drivers: the package's own, or that of a checkout while the package is installed."""
    return all((folder / f"test_{stage}.py").is_file() for stage in STAGES)


def selected(drivers: Iterable[pytest.Item], prefixes: tuple[str, ...]) -> list[pytest.Item]:
    """The drivers that provide evidence for the selected clauses, in the order of their stages."""
    return sorted((each for each in drivers if not prefixes or _serves(each, prefixes)), key=_stage)


def in_rounds(run: Run, items: list[pytest.Item]) -> Iterator[tuple[int, pytest.Item]]:
    """Every driver once, then the generating ones repeatedly while there is time, and those of ``LAST`` at the end.

    Each round starts with a different driver, so that creations, which a run spreads over its time, are shared by all.

    :returns: each driver with the number of its round.
    """
    last = [each for each in items if each.path.stem in LAST]
    yield from ((0, each) for each in items if each not in last)
    again = [each for each in items if each.get_closest_marker("rounds") is not None]
    number = 0
    while run.profile.repeats and again and run.has_time_for_a_round():
        number += 1
        for at in range(len(again)):
            if run.has_time_for_a_round():
                yield number, again[(number + at) % len(again)]
    yield from ((LAST_ROUND, each) for each in last)


def is_once(run: Run) -> bool:
    """Whether the current driver is one that a run has to complete: further rounds end when their time is over."""
    return run.store.round_number == 0 or not run.profile.repeats


def limit_behind(error: BaseException) -> Spent | Gone | TraceError | None:
    """The limit reached, or the loss of the deployment, behind an exception; ``None`` if it is neither."""
    if isinstance(error, (Spent, Gone, TraceError)):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((reason for each in error.exceptions if (reason := limit_behind(each)) is not None), None)
    return None


def _stage(item: pytest.Item) -> int:
    name = item.path.stem.removeprefix("test_")
    return STAGES.index(name) if name in STAGES else len(STAGES)


def _serves(item: pytest.Item, prefixes: tuple[str, ...]) -> bool:
    served = [each for mark in item.iter_markers("clauses") for each in mark.args]
    return any(matches(each, prefix) or matches(prefix, each) for each in served for prefix in prefixes)
