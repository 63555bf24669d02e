"""The hard limits of a run, kept over all of its workers together."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class Tally(Protocol):
    """Something to count with."""

    def take(self, most: int) -> bool:
        """Count one more, unless that were more than ``most``; whether it was counted."""

    def give_back(self) -> None:
        """Take one back."""

    def count(self) -> int:
        """How many there are."""


@dataclass
class OwnTally:
    """A count of this process alone."""

    taken: int = 0

    def take(self, most: int) -> bool:
        """Count one more, unless that were more than ``most``."""
        if self.taken >= most:
            return False
        self.taken += 1
        return True

    def give_back(self) -> None:
        """Take one back."""
        self.taken -= 1

    def count(self) -> int:
        """How many there are."""
        return self.taken


@dataclass
class SharedTally:
    """A count of several processes, in the lengths of two files: appending a byte is atomic on every system."""

    path: Path
    _taken: int = field(init=False, repr=False)
    _returned: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._taken, self._returned = (
            os.open(self.path.with_suffix(suffix), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            for suffix in (".taken", ".returned")
        )

    def take(self, most: int) -> bool:
        """Count one more, unless that were more than ``most``; in doubt, it is refused."""
        os.write(self._taken, b"+")
        if self.count() <= most:
            return True
        self.give_back()
        return False

    def give_back(self) -> None:
        """Take one back."""
        os.write(self._returned, b"-")

    def count(self) -> int:
        """How many there are."""
        # Read in this order, a count may be too high for a moment, and never too low.
        returned = os.fstat(self._returned).st_size
        return os.fstat(self._taken).st_size - returned

    def close(self) -> None:
        """Close the files."""
        os.close(self._taken)
        os.close(self._returned)


@dataclass
class Turns:
    """Whose turn it is to create, where creations are spread over a run: the drivers' in the order in which they wanted to."""

    _waiting: list[str] = field(default_factory=list)

    def take(self, driver: str) -> bool:
        """Whether a driver may create now; then its turn is over."""
        if self._waiting and self._waiting[0] != driver:
            return False
        del self._waiting[:1]
        return True

    def wait(self, driver: str) -> None:
        """Take note that a driver would have created."""
        if driver not in self._waiting:
            self._waiting.append(driver)


@dataclass
class Budget:
    """The hard limits: ``deadline_s`` on the clock of the run, ``rate`` in requests a second of this worker."""

    requests: int = 1_000_000
    creates: int = 1_000_000
    deadline_s: float = float("inf")
    rate: float | None = None
    sent: Tally = field(default_factory=OwnTally)
    created: Tally = field(default_factory=OwnTally)
    _slot_s: float = field(default=0.0, repr=False)

    def creates_until(self, now_s: float, end_s: float) -> float:
        """How many animals may be created until a time, where they are spread evenly over a run that ends at another."""
        return self.creates * min(1.0, now_s / end_s)

    def next_slot_s(self, now_s: float) -> float:
        """When the next request may go out, given the rate; the slot is taken."""
        if self.rate is None:
            return now_s
        slot = max(now_s, self._slot_s)
        self._slot_s = slot + 1 / self.rate
        return slot
