"""The hard limits of a run, which apply to all of its lanes together."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Final

from animal_conformance.send.clock import Clock

# Two requests sent one interval apart may arrive a little closer together: this share is added.
PACE_MARGIN: Final = 0.05
# Many servers, their pools and gateways give up after 30 s: what they answer then has to be seen.
TIMEOUT_S: Final = 35.0
# No exchange is given less time than this, however little is left of the run.
SHORTEST_TIMEOUT_S: Final = 0.05


@dataclass
class Budget:
    """The hard limits: ``deadline_s`` on the clock of the run, ``rate`` in requests per second.

    ``allowance`` is how many of the ``creates`` animals may have been created so far, if a run spreads them.
    ``kept_requests`` and ``kept_creates`` are kept back for experiments, until they are released.
    Every create request in flight counts as a creation until its response shows that nothing was created.
    """

    requests: int = 1_000_000
    creates: int = 1_000_000
    deadline_s: float = float("inf")
    rate: float | None = None
    allowance: int | None = None
    kept_requests: int = 0
    kept_creates: int = 0
    sent: int = 0
    created: int = 0
    _in_flight: int = field(default=0, repr=False)
    _changed: threading.Condition = field(default_factory=threading.Condition, repr=False)
    _pace: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _next_slot_s: float = field(default=0.0, repr=False)

    def take_request(self) -> bool:
        """Count one more request if the limit allows it; return whether it was counted."""
        with self._changed:
            if not self.requests_left():
                return False
            self.sent += 1
            return True

    def requests_left(self) -> int:
        """How many requests may still be sent."""
        return max(0, self.requests - self.kept_requests - self.sent)

    def release(self) -> None:
        """Allow what was kept back."""
        with self._changed:
            self.kept_requests = self.kept_creates = 0

    def take_creation(self) -> bool:
        """Count one more creation if the limit allows it; return whether it was counted.

        If the limit is reached by create requests still in flight, wait for their responses.
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
        """Record the response to a create request; ``kept`` if an animal may have been created."""
        with self._changed:
            self._in_flight -= 1
            self.created -= not kept
            self._changed.notify_all()

    def creates_left(self) -> int:
        """How many animals may still be created."""
        return max(0, self._most() - self.created)

    def creates_not_kept(self) -> int:
        """How many animals may still be created if none of the create requests in flight creates one."""
        with self._changed:
            return max(0, self._most() - self.created + self._in_flight)

    def _most(self) -> int:
        most = self.creates - self.kept_creates
        return most if self.allowance is None else min(most, self.allowance)

    def spread_creates(self, now_s: float, end_s: float) -> None:
        """Allow the share of creations that corresponds to the elapsed share of the run's time."""
        self.allowance = int(self.creates * min(1.0, now_s / end_s))

    def keep_pace(self, clock: Clock) -> bool:
        """Wait until the next request may be sent; return whether that is before the deadline."""
        if self.rate is None:
            return clock.now_s() <= self.deadline_s
        # A lane that waits for the next slot holds the lock, so requests are never closer than the interval.
        with self._pace:
            if max(self._next_slot_s, clock.now_s()) > self.deadline_s:
                return False
            clock.sleep(self._next_slot_s - clock.now_s())
            self._next_slot_s = clock.now_s() + (1 + PACE_MARGIN) / self.rate
            return True
