"""Whose turn it is: of the cases that take too long for every day, each has its own day, which depends only on its name.

So a new case does not change the day of any other, and after so many days every case was tried.
"""

from __future__ import annotations

import hashlib
import os
from datetime import date
from typing import Final

DAY_VARIABLE: Final = "SELFTESTS_DAY"
EVERY: Final = "every"


def is_turn(name: str, day: date, days: int) -> bool:
    """Whether it is a case's turn on a day, if each has one turn in so many days."""
    place = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return (place + day.toordinal()) % days == 0


def is_turn_now(name: str, days: int) -> bool:
    """Whether it is a case's turn today, or on the day in the variable, which may also be ``every``."""
    day = os.environ.get(DAY_VARIABLE, "") or date.today().isoformat()  # noqa: DTZ011 - whoever works has a day
    return day == EVERY or is_turn(name, date.fromisoformat(day), days)
