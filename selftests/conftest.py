"""The day whose turns are tried: the same in all processes of a run of pytest, and told, so that it can be repeated."""

from __future__ import annotations

import os
from datetime import date

from selftests.turns import DAY_VARIABLE

# Also for the workers, which may collect behind midnight.
os.environ.setdefault(DAY_VARIABLE, date.today().isoformat())  # noqa: DTZ011 - whoever works has a day


def pytest_report_header() -> str:
    """What to set to try the same again."""
    return f"turns: {DAY_VARIABLE}={os.environ[DAY_VARIABLE]}"
