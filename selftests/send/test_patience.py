"""patience.py: how long a deployment is waited for."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from animal_conformance.interface.waiting import PATIENCE_S
from animal_conformance.record.exchange import Response
from animal_conformance.send.patience import FEWEST_ATTEMPTS, LONGEST_UNASKED_S, Patience, asked_to_wait_s

MAY_1 = "Fri, 01 May 2026 10:00:00 GMT"


def asked_s(value: str, date: str = MAY_1) -> float:
    """How long an answer with that Retry-After, made at that date, asks to wait."""
    return asked_to_wait_s(Response(429, (("Retry-After", value), ("Date", date))))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("17", 17),
        (" 17 ", 17),
        ("100000", 100_000),
        ("99999999999999999999", float("inf")),
        (f"1{40 * '0'}", float("inf")),
        ("Fri, 01 May 2026 10:00:30 GMT", 30),
        ("Friday, 01-May-26 10:00:30 GMT", 30),
        ("Fri May  1 10:00:30 2026", 30),
        ("Fri, 01 May 2026 09:59:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 251_624_671_199),
        ("", 0),
        ("soon", 0),
        ("-5", 0),
        ("1.5", 0),
        ("\u0665", 0),
    ],
)
def test_retry_after_is_seconds_or_a_date_by_the_clock_of_the_deployment(value: str, seconds: float) -> None:
    """RFC 9110 section 10.2.3; what is neither asks for nothing."""
    assert seconds == asked_s(value)


@pytest.mark.parametrize("date", ["", "yesterday"])
def test_a_date_is_by_our_clock_where_the_deployment_does_not_tell_its_own(date: str) -> None:
    """Nothing better is known."""
    in_an_hour = formatdate(time.time() + 3600, usegmt=True)
    assert 3000 < asked_s(in_an_hour, date) <= 3600


def test_no_retry_after_asks_for_nothing() -> None:
    """As in a bare 429."""
    assert 0 == asked_to_wait_s(Response(429))


def test_pauses_grow_where_nothing_is_asked_for() -> None:
    """From a twentieth of a second, twice as long each time, and no longer than a few seconds."""
    patience = Patience()
    pauses_s = [patience.pause_s(0) for _ in range(9)]
    assert [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, LONGEST_UNASKED_S, LONGEST_UNASKED_S] == pauses_s


def test_a_pause_is_never_shorter_than_what_is_asked_for() -> None:
    """However long it was waited already."""
    patience = Patience()
    assert [7, 7, 7] == [patience.pause_s(7) for _ in range(3)]


def test_patience_ends_with_its_time_and_not_before_a_few_attempts() -> None:
    """A single long pause that was asked for is no reason to give up."""
    patience = Patience()
    for _ in range(FEWEST_ATTEMPTS):
        patience.pause_s(PATIENCE_S)
        assert not patience.ended
    patience.pause_s(0)
    assert patience.ended


def test_patience_has_an_end_where_nothing_is_asked_for() -> None:
    """After some twenty-five attempts."""
    patience, attempts = Patience(), 0
    while not patience.ended:
        patience.pause_s(0)
        attempts += 1
    assert 20 <= attempts <= 30
