"""The rules of suspicions/turned_away.py for 429: a valid request that is put off for good."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.judge.experiments import Again, Experiment
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animals,
    answered,
    asked_by,
    created,
    failed_of,
    listing,
    outcome_of,
    payload,
    posted,
    spoken,
    verdict_of,
)
from selftests.tables import cases


def put_off(
    count: int,
    every_s: float,
    *,
    status: int = -429,
    from_s: float = 1.0,
    took_s: float = 0.01,
    served_at: float | None = None,
) -> list[Exchange]:
    """A list that is answered with 429 so often, between others that are served, and at last served or not."""
    sold = listing(state="sold")
    trace = []
    for number in range(count):
        at = from_s + number * every_s
        away = answered(sold, abs(status), at=at, wait="1" if status < 0 else None)
        trace += [replace(away, answered_s=at + took_s), listing(animals(3), at=at + every_s / 2)]
    return trace if served_at is None else [*trace, listing(state="sold", at=served_at)]


def asked_to_wait(*waits: tuple[float, str | None]) -> list[Exchange]:
    """A list that is answered with 429, at each of these times with this Retry-After."""
    return [answered(listing(state="sold"), 429, at=at, wait=wait) for at, wait in waits]


@cases(
    ("trace", "first"),
    {
        "after its waits": (put_off(6, 7.0), 0),
        "at the end of each wait": (put_off(25, 1.5, took_s=0.5), 0),
        "told how long from the second one on": (
            [*put_off(1, 5.0, status=429), *put_off(6, 7.0, from_s=6.0)],
            2,
        ),
    },
)
def test_a_request_that_is_throttled_for_good_while_its_like_is_served_is_a_finding(
    trace: list[Exchange], first: int
) -> None:
    """Five times in half a minute and more, each after the wait that it asked for."""
    verdict = verdict_of("list.status.accepted", trace)
    assert {"list.status.accepted"} == failed_of(trace)
    assert [trace[first]] == [each.exchange for each in verdict.findings]
    assert 1 == verdict.finding_count
    ((explanation, served),) = verdict.findings[0].finding.excluded
    assert ("throttled", True) == (explanation, served in trace)


@cases(
    "trace",
    {
        "few": put_off(5, 10.0),
        "brief": put_off(12, 2.0),
        "sent too soon": put_off(60, 0.6),
        "served": put_off(6, 7.0, served_at=60.0),
    },
)
def test_what_a_limit_on_requests_may_do_is_none(trace: list[Exchange]) -> None:
    """It lets a request through after the wait that it asks for, if it names any."""
    assert FAILED != outcome_of("list.status.accepted", trace)


@cases(
    "trace",
    {
        "often": put_off(6, 7.0, status=429),
        "five times": put_off(5, 10.0, status=429),
        "for half a minute": put_off(5, 7.625, status=429, took_s=0.5),
        "for longer than a run": [*asked_to_wait((1.0, "7200")), listing(state="pending", at=3.0)],
        "for hours, again": [*asked_to_wait((1.0, "7200"), (4.0, "7200")), listing(state="pending", at=3.0)],
    },
)
def test_a_request_that_is_throttled_for_good_and_not_told_how_long_could_not_be_judged(
    trace: list[Exchange],
) -> None:
    """A limit may be one for each day: neither passed nor failed, unless it is served when it is sent again."""
    verdict = verdict_of("list.status.accepted", trace)
    assert CANT_TELL == verdict.outcome
    assert [Experiment("throttled", (Again(trace[0].request),))] == asked_by(verdict)
    assert [trace[0]] == [each.exchange for each in verdict.suspected]
    assert PASSED == outcome_of("list.status.accepted", [*trace, listing(state="sold", at=60.0)])


NOW_AND_THEN = [(1.0 + 8 * each, None) for each in range(6)]


@cases(
    "trace",
    {
        "four times": put_off(4, 20.0, status=429),
        "four times, and another fault": [
            *put_off(4, 20.0, status=429),
            answered(listing(state="sold"), 500, at=70.0),
        ],
        "briefly, late in a run": put_off(12, 2.0, status=429, from_s=300.0),
        "for as long as a run waits": [*asked_to_wait((1.0, "90")), listing(state="pending", at=3.0)],
        "in digits that HTTP does not have": [
            *asked_to_wait((1.0, "\u0667\u0662\u0660\u0660")),
            listing(state="pending", at=3.0),
        ],
        "while nothing is served": asked_to_wait((1.0, "7200")),
        "since its like was served": [listing(state="pending", at=0.5), *asked_to_wait((1.0, "7200"))],
        "for half a minute since then": [*asked_to_wait(*NOW_AND_THEN), listing(animals(3), at=10.5)],
    },
)
def test_what_may_be_a_limit_on_all_requests_is_not_sent_again(trace: list[Exchange]) -> None:
    """Seldom or briefly put off, for a time that a run can wait, or not known to be the only one."""
    assert not verdict_of("list.status.accepted", trace).suspected


def test_a_limit_for_one_client_alone_is_no_matter_of_a_request() -> None:
    """The suite itself is served; which client is not is observed."""
    trace = put_off(6, 7.0, status=429)
    assert not verdict_of("list.status.accepted", [*map(spoken, trace[::2]), *trace[1::2]]).suspected


def test_creations_that_are_throttled_for_good_are_no_matter_of_a_request() -> None:
    """There may be a quota on what is stored."""
    away = [posted(payload(), 429, b"", at=1.0 + 7 * number) for number in range(6)]
    assert not verdict_of("create.answer", [*away, created(payload(name="Fluffington"), at=50.0)]).suspected
