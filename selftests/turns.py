"""Whose turn it is: of what takes too long for every day, each has its own day, which depends on nothing but its name.

So whoever adds a fault changes nobody else's day, and in so many days everything was tried.
"""

from __future__ import annotations

import hashlib
import os
from datetime import date
from typing import Final

DAY_VARIABLE: Final = "SELFTESTS_DAY"
EVERY: Final = "every"


def is_turn(name: str, day: date, days: int) -> bool:
    """Whether it is a case's turn on a day, where each has one in so many days."""
    place = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return (place + day.toordinal()) % days == 0


def is_turn_now(name: str, days: int) -> bool:
    """Whether it is a case's turn today, or on the day that the variable names, which may be every day."""
    day = os.environ.get(DAY_VARIABLE, "") or date.today().isoformat()  # noqa: DTZ011 - whoever works has a day
    return day == EVERY or is_turn(name, date.fromisoformat(day), days)
