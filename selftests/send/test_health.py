"""What is known of a deployment's state: how long an attempt may take, and when waiting is in vain."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from animal_conformance.record.exchange import FailureKind
from animal_conformance.send.client import Client
from animal_conformance.send.endings import Gone, InVain
from animal_conformance.send.health import Health
from animal_conformance.send.transport import TransportSettings
from selftests.exchanges import ANSWER, created, exchange, got, unanswered
from selftests.loopback.server import KEY, RawServer, only, silent


def hung(health: Health, times: int, seconds: float) -> Health:
    """So many requests have waited so long, and each was given up."""
    for at in range(times):
        timed_out = unanswered(got(1), FailureKind.TIMEOUT, at=100.0 * at)
        health.learn(replace(timed_out, answered_s=timed_out.sent_s + seconds))
        health.given_up += 1
    return health


def test_an_attempt_has_all_of_its_time_until_a_request_is_given_up() -> None:
    """Then it has many times that of the slowest response, and two seconds at least; one that recovers gives it back."""
    health = Health()
    health.learn(got(1, at=1.0, took=0.01))
    assert inf == health.at_most_s
    assert 2.0 == hung(health, 1, 30.0).at_most_s
    health.learn(got(1, at=50.0, took=0.5))
    assert health.at_most_s == pytest.approx(5.0)
    health.given_up = 0
    assert inf == health.at_most_s


@pytest.mark.parametrize(
    ("times", "seconds", "in_vain"), [(11, 30.0, False), (12, 4.5, False), (12, 5.1, True), (100, 0.3, False)]
)
def test_waiting_is_in_vain_after_many_requests_and_a_minute(
    times: int, seconds: float, *, in_vain: bool
) -> None:
    """Many that time out soon cost little, and few may be chance."""
    assert in_vain == hung(Health(), times, seconds).in_vain


def test_the_run_ends_with_the_request_that_was_waited_for_last() -> None:
    """Which may be one of an operation that never answers, while others do."""
    with RawServer(only("get", behaviour=silent)) as server:
        client = Client(server.url, KEY, lambda _: None, settings=TransportSettings(timeout_s=0.2))
        hung(client.health, 12, 6.0)
        sender = client.sender()
        with pytest.raises(InVain, match=r"13 were given up .* The last one was exchange \d+: GET /pets/77$"):
            sender.send("GET", "/pets/77")


def test_an_attempt_has_less_time_once_another_was_waited_for_in_vain() -> None:
    """Until one that is sent again gets its answer."""
    health = Health()
    health.learn(got(1, at=1.0, took=0.01))
    health.stuck = True
    assert 2.0 == health.at_most_s
    health.answered_again(got(1, at=2.0), got(1, at=3.0))
    assert inf == health.at_most_s


def test_an_attempt_has_less_time_once_several_were_waited_for_in_vain_and_answered_when_sent_again() -> None:
    """One in twelve of them would take an hour of a run."""
    health = Health()
    for _ in range(3):
        assert inf == health.at_most_s
        health.answered_again(unanswered(got(1), FailureKind.TIMEOUT), got(1, at=40.0))
    assert 2.0 == health.at_most_s


@pytest.mark.parametrize(
    ("after_s", "needed"), [(0.2, True), (3.0, False)], ids=["at once", "after an outage"]
)
def test_creations_need_new_connections_where_kept_ones_are_closed(after_s: float, *, needed: bool) -> None:
    """That is so where one that is sent again is answered at once; what meets every request for a while passes."""
    health = Health()
    for at in range(3):
        assert not health.needs_new_connections
        first = unanswered(created(at=10.0 * at))
        health.answered_again(first, created(at=10.0 * at + after_s))
    assert needed == health.needs_new_connections


def test_experiments_may_go_on_where_waiting_was_in_vain() -> None:
    """For a few requests; not where the deployment is gone."""
    health = hung(Health(), 12, 6.0)
    health.ended = InVain("Too many.")
    health.release()
    assert health.ended is None
    assert not health.in_vain
    health.ended = Gone("Nothing is listening.")
    health.release()
    assert health.ended is not None


@pytest.mark.parametrize("status", [429, 503])
def test_so_many_lanes_fewer_are_used_as_often_as_requests_beside_others_are_put_off(status: int) -> None:
    """Once for all that were sent before the first of them was answered; what is put off alone is a matter of time."""
    health, wait = Health(), (*ANSWER, ("Retry-After", "1"))

    def put_off(at: float, *, beside: bool) -> None:
        health.learn(exchange("GET", "/pets", status, headers=wait, at=at, took=0.1), beside=beside)

    put_off(1.0, beside=False)
    assert 0 == health.crowded
    for at in (2.0, 2.05, 2.09):
        put_off(at, beside=True)
    assert 1 == health.crowded
    put_off(4.0, beside=True)
    assert 2 == health.crowded


def test_a_limit_on_the_rate_takes_no_lane_away() -> None:
    """It lets many through before it asks to wait again."""
    health = Health()
    for number in range(17):
        health.learn(got(1, at=1.0 + number / 100), beside=True)
    health.learn(exchange("GET", "/pets", 429, at=2.0), beside=True)
    assert 0 == health.crowded
    for number in range(16):
        health.learn(got(1, at=3.0 + number / 100), beside=True)
    health.learn(exchange("GET", "/pets", 429, at=4.0), beside=True)
    assert 1 == health.crowded
