"""What the tests of several commands are led to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from selftests.loopback.deployment import Counted, counted


@pytest.fixture(scope="module")
def correct() -> Iterator[Counted]:
    """A correct deployment, whose key is known."""
    with counted() as server:
        yield server
