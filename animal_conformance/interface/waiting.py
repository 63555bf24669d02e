"""How long a response asks to wait."""

from __future__ import annotations

import email.utils
from datetime import UTC
from typing import Final

from animal_conformance.record.exchange import Response

# How long a run waits, in all, for one request while others are served.
PATIENCE_S: Final = 90.0
# Not even a run without a time limit waits longer.
LONGEST_ASKED_S: Final = 3600.0
MOST_DIGITS: Final = 9
# What a proxy returns while the deployment behind it restarts; a 503 is such an error if it does not say for how long.
# From 520 on they are Cloudflare's, which has its own for 502 and 504.
GATEWAY_ERRORS: Final = frozenset({502, 503, 504, *range(520, 525)})
# What refuses a key; 403 with Retry-After asks to wait.
KEY_REFUSED: Final = frozenset({401, 403})


def says_when(response: Response | None) -> bool:
    """Whether there is a response that has a Retry-After."""
    return response is not None and response.header("retry-after") is not None


def asks_for_patience(response: Response | None) -> bool:
    """Whether a response is not an answer but a request to wait: 429, or a 403 or 503 that says how long."""
    return response is not None and (
        response.status == 429 or (response.status in {403, 503} and says_when(response))
    )


def retry_after_s(response: Response | None, now_s: float = float("inf")) -> float:
    """The Retry-After of a response: seconds or an HTTP date (RFC 9110 section 10.2.3); 0 if there is none.

    :param now_s: the time, in seconds since the epoch, that a date is compared with if the response does not say when it
        was made.
    """
    if response is None:
        return 0.0
    value = (response.header("retry-after") or "").strip()
    if value.isascii() and value.isdigit():
        return float(value) if len(value) <= MOST_DIGITS else float("inf")
    until = _http_date(value)
    if until is None:
        return 0.0
    # The clocks of the deployment and of this machine may differ.
    now = _http_date(response.header("date") or "")
    return max(0.0, until - (now_s if now is None else now))


def _http_date(text: str) -> float | None:
    """Seconds since the epoch; ``None`` if the text is not a date."""
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
