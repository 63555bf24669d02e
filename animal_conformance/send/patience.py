"""How long to wait for a deployment that throttles requests."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from animal_conformance.interface.waiting import PATIENCE_S, retry_after_s
from animal_conformance.record.exchange import Response

# Without Retry-After, pauses grow; rate limits are often expressed per minute.
SHORTEST_PATIENCE_S: Final = 0.05
LONGEST_UNASKED_S: Final = 5.0
# Where a request was put off to the end and another of its kind was served afterwards, the limit is not one on all of
# them.
BRIEF_PATIENCE_S: Final = 3.0
# Wrong keys may be locked out for a time that no response states, and each attempt may start it anew, so pauses go on
# growing. This is the longest wait for one request, and the longest for all requests of a run together.
LOCKED_OUT_S: Final = 25.0
LOCKED_OUT_IN_ALL_S: Final = 240.0
FEWEST_ATTEMPTS: Final = 3


@dataclass
class Patience:
    """How often and how long one request has been retried, and how often in a row others were served meanwhile.

    ``most_s`` is how long it is retried at most, ``longest_s`` the longest pause that the deployment has not asked for.
    """

    most_s: float = PATIENCE_S
    longest_s: float = LONGEST_UNASKED_S
    attempts: int = 0
    waited_s: float = 0.0
    others_served: int = 0

    @property
    def ended(self) -> bool:
        """Whether it has been retried long enough."""
        return self.attempts > FEWEST_ATTEMPTS and self.waited_s >= self.most_s

    def pause_s(self, asked_s: float) -> float:
        """The next pause: as requested by the deployment, and longer each time."""
        pause_s = max(asked_s, min(SHORTEST_PATIENCE_S * 2.0**self.attempts, self.longest_s))
        self.attempts += 1
        self.waited_s += pause_s
        return pause_s


def asked_to_wait_s(response: Response | None) -> float:
    """How many seconds a response that has just arrived asks to wait; 0 if it does not ask.

    This is :func:`animal_conformance.interface.waiting.retry_after_s`, which has no clock of its own, with the addition
    that a response without a Date is taken to be made now.
    """
    return retry_after_s(response, time.time())
