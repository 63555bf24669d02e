"""The day whose turns are tried: the same in all processes of a run of pytest, and told, so that it can be repeated."""

from __future__ import annotations

import os
from datetime import date
from typing import Final

import pytest

from selftests.turns import DAY_VARIABLE

# Also for the workers, which may collect behind midnight.
os.environ.setdefault(DAY_VARIABLE, date.today().isoformat())  # noqa: DTZ011 - whoever works has a day


def pytest_report_header() -> str:
    """What to set to try the same again."""
    return f"turns: {DAY_VARIABLE}={os.environ[DAY_VARIABLE]}"


# What takes half a minute begins at once, beside all the others; at the end, a core would have nothing to do.
LONGEST: Final = ("selftests/matrix/test_matrix.py", "selftests/test_pasted.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first, and leave the others in their order."""
    items.sort(key=lambda each: not each.nodeid.startswith(LONGEST))
