"""What the tests of the catalogue share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

OBJECTS = 200_000
"""What a few deployments leave behind."""


@pytest.fixture(scope="package", autouse=True)
def _what_is_there_stays() -> Iterator[None]:
    """Libraries and tests are looked through for garbage once, and what deployments leave behind now and then."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS)
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()
