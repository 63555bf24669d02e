"""The day whose turns are tried: the same in all processes of a pytest run, and printed, so that it can be repeated."""

from __future__ import annotations

import gc
import os
from datetime import date
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from selftests.turns import DAY_VARIABLE, is_turn_now

# Set for the worker processes as well, which may collect their tests after midnight.
os.environ.setdefault(DAY_VARIABLE, date.today().isoformat())  # noqa: DTZ011 - whoever works has a day


# The same examples each time, and no verdict that depends on how busy the machine is.
settings.register_profile(
    "selftests", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("selftests")

# Thousands of tests are collected, and all of them are kept: looking for what could be freed takes a quarter of that time.
gc.disable()


def pytest_report_header() -> str:
    """The setting that repeats the turns of this run."""
    return f"turns: {DAY_VARIABLE}={os.environ[DAY_VARIABLE]}"


# Tests that take half a minute begin first, beside all the others; at the end, they would leave a core idle.
LONGEST: Final = ("selftests/matrix/test_matrix.py", "selftests/test_types.py", "selftests/test_pasted.py")


# Tests of whole runs that wait, are interrupted or are repeated: in so many days, each has its turn once.
IN_TURNS: Final = (
    "selftests/manners/",
    "selftests/endings/",
    "selftests/send/test_width.py",
    "selftests/commands/test_again.py",
)
DAYS: Final = 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest tests first, leave the others in their order, and leave out those whose turn it is not."""
    waiting = [
        each for each in items if each.nodeid.startswith(IN_TURNS) and not is_turn_now(each.nodeid, DAYS)
    ]
    config.hook.pytest_deselected(items=waiting)
    left_out = set(waiting)
    items[:] = [each for each in items if each not in left_out]
    items.sort(key=lambda each: not each.nodeid.startswith(LONGEST))


def pytest_collection_finish() -> None:
    """Look for garbage again from here on, but not in what is there by now."""
    gc.freeze()
    gc.enable()
