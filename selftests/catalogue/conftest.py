"""What the tests of the catalogue share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _what_is_there_stays() -> Iterator[None]:
    """Libraries and tests are looked through for garbage once, and not with every deployment."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
