"""What the tests of the catalogue share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

OBJECTS = 200_000
"""How many objects a few deployments leave behind."""


@pytest.fixture(scope="package", autouse=True)
def _what_is_there_stays() -> Iterator[None]:
    """Have the garbage collector scan libraries and tests only once, and what deployments leave behind now and then."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS)
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()
