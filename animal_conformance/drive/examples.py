"""Examples from Hypothesis: drawn first and sent afterwards, so that they do not depend on any response."""

from __future__ import annotations

import getpass
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.internal.conjecture.providers import CONSTANTS_CACHE, HypothesisProvider
from hypothesis.internal.constants_ast import Constants

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

# In a container, a user may have a number and no name.
USER: Final = getpass.getuser() if sys.platform == "win32" else os.getuid()
# Hypothesis caches Unicode tables; keep them out of the current directory.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"animal-conformance-{USER}")


def drawn(strategy: SearchStrategy[T], count: int, seed_text: str) -> list[T]:
    """At most this many examples of a strategy, the same for the same seed."""
    examples: list[T] = []

    @seed(seed_text)
    @settings(generating(count))
    @given(strategy)
    def draw(example: T) -> None:
        examples.append(example)

    with _without_constants_of_local_modules():
        draw()
    return examples


@contextmanager
def _without_constants_of_local_modules() -> Iterator[None]:
    """Make examples independent of the imported modules, whose constants Hypothesis would otherwise draw."""
    name = "_local_constants"
    before = HypothesisProvider.__dict__[name]
    setattr(HypothesisProvider, name, Constants())
    CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        setattr(HypothesisProvider, name, before)
        CONSTANTS_CACHE.cache.clear()


def generating(examples: int) -> settings:
    """Settings under which Hypothesis only generates: drivers never fail, so nothing is shrunk."""
    return settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
