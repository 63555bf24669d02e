"""The deployment that the tests of several commands use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from selftests.loopback.deployment import Counted, counted


@pytest.fixture(scope="module")
def correct() -> Iterator[Counted]:
    """A correct deployment, with its key."""
    with counted() as server:
        yield server
