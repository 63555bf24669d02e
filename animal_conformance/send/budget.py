"""The hard limits of a run, which hold for all of its lanes together."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from animal_conformance.send.clock import Clock

# Two requests that leave a pace apart may arrive a little closer: this share of it is added.
PACE_MARGIN: Final = 0.02


@dataclass
class Budget:
    """The hard limits: ``deadline_s`` on the clock of the run, ``rate`` in requests a second.

    ``allowance`` is how many of the ``creates`` animals may have been created by now, where a run spreads them.
    Every creation in flight counts as one, until its answer says that nothing was created.
    """

    requests: int = 1_000_000
    creates: int = 1_000_000
    deadline_s: float = float("inf")
    rate: float | None = None
    allowance: int | None = None
    sent: int = 0
    created: int = 0
    _in_flight: int = field(default=0, repr=False)
    _changed: threading.Condition = field(default_factory=threading.Condition, repr=False)
    _pace: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _next_slot_s: float = field(default=0.0, repr=False)

    def take_request(self) -> bool:
        """Count one more request, unless that were more than there may be; whether it was counted."""
        with self._changed:
            if self.sent >= self.requests:
                return False
            self.sent += 1
            return True

    def requests_left(self) -> int:
        """How many requests may still be sent."""
        return max(0, self.requests - self.sent)

    def take_creation(self) -> bool:
        """Count one more creation, unless that were more than there may be; whether it was counted.

        Where all places are taken, and some by creations that are not answered yet, it is waited for those.
        """
        with self._changed:
            while self.created >= self._most() and self._in_flight:
                self._changed.wait()
            if self.created >= self._most():
                return False
            self.created += 1
            self._in_flight += 1
            return True

    def end_creation(self, *, kept: bool) -> None:
        """Take note that a creation was answered; ``kept`` where there may be an animal of it now."""
        with self._changed:
            self._in_flight -= 1
            self.created -= not kept
            self._changed.notify_all()

    def creates_left(self) -> int:
        """How many animals may still be created."""
        return max(0, self._most() - self.created)

    def _most(self) -> int:
        return self.creates if self.allowance is None else min(self.creates, self.allowance)

    def spread_creates(self, now_s: float, end_s: float) -> None:
        """Allow as many creations until now as there are of a run's time, which ends at a time."""
        self.allowance = int(self.creates * min(1.0, now_s / end_s))

    def keep_pace(self, clock: Clock) -> bool:
        """Wait for the moment at which the next request may go out; whether it comes before the deadline."""
        if self.rate is None:
            return clock.now_s() <= self.deadline_s
        # Whoever waits for the next slot holds the lock: no two lanes are ever closer than a pace.
        with self._pace:
            if max(self._next_slot_s, clock.now_s()) > self.deadline_s:
                return False
            clock.sleep(self._next_slot_s - clock.now_s())
            self._next_slot_s = clock.now_s() + (1 + PACE_MARGIN) / self.rate
            return True
