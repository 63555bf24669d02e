"""How long to wait for a deployment that throttles requests."""

from __future__ import annotations

import email.utils
import time
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from animal_conformance.record.exchange import Response

# Without Retry-After, pauses grow; rate limits are often expressed per minute.
SHORTEST_PATIENCE_S: Final = 0.05
LONGEST_UNASKED_S: Final = 5.0
PATIENCE_S: Final = 90.0
# Where a request was put off to the end and its like was served afterwards, it was no limit on all of them.
BRIEF_PATIENCE_S: Final = 3.0
# Not even a run without a time limit waits longer.
LONGEST_ASKED_S: Final = 3600.0
FEWEST_ATTEMPTS: Final = 3
MOST_DIGITS: Final = 9


@dataclass
class Patience:
    """How often and how long one request has been retried, and how often in a row others were served meanwhile.

    ``most_s`` is how long it is retried at most.
    """

    most_s: float = PATIENCE_S
    attempts: int = 0
    waited_s: float = 0.0
    others_served: int = 0

    @property
    def ended(self) -> bool:
        """Whether it has been retried long enough."""
        return self.attempts > FEWEST_ATTEMPTS and self.waited_s >= self.most_s

    def pause_s(self, asked_s: float) -> float:
        """The next pause: as requested by the deployment, and longer each time."""
        pause_s = max(asked_s, min(SHORTEST_PATIENCE_S * 2.0**self.attempts, LONGEST_UNASKED_S))
        self.attempts += 1
        self.waited_s += pause_s
        return pause_s


def retry_after_s(response: Response) -> float:
    """The Retry-After of a response: seconds or an HTTP date (RFC 9110 section 10.2.3); 0 if there is none."""
    value = (response.header("retry-after") or "").strip()
    if value.isascii() and value.isdigit():
        return float(value) if len(value) <= MOST_DIGITS else float("inf")
    until = _http_date(value)
    if until is None:
        return 0.0
    # The clocks of the deployment and of this machine may differ.
    now = _http_date(response.header("date") or "")
    return max(0.0, until - (time.time() if now is None else now))


def _http_date(text: str) -> float | None:
    """Seconds since the epoch; ``None`` if the text is not a date."""
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
