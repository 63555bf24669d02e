"""lanes.py: a deployment that asks to wait, or goes away, is waited for by all lanes together."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest

from animal_conformance.record.exchange import Credential
from animal_conformance.send.budget import Budget
from animal_conformance.send.endings import Gone
from selftests.drive.stores import store_at
from selftests.loopback.server import KEY, Answer, Visit, error, response


def test_a_429_in_one_lane_lets_the_others_wait() -> None:
    """While one is asked for patience nobody else asks, and what is sent again counts once."""
    asked = threading.Event()

    def throttle(visit: Visit) -> Answer:
        if not asked.is_set():
            asked.set()
            return response(429, {"code": "slow", "message": "slow", "status": 429}, ("Retry-After", "1"))
        return visit.honest()

    with store_at(4, throttle, Budget(requests=40)) as (store, recorded, server):
        store.side_by_side(range(40), lambda lane, _: lane.list_pets())
        store.gather()
        assert 41 == len(recorded)
        first_s = server.log[0].at_s
        # Those that were in flight when it came, or sent until it was read, and then nobody for as long as was asked for.
        in_time = [each for each in server.log if each.at_s < first_s + 1.0]
        assert len(server.log) / 2 > len(in_time)


def test_what_is_sent_again_counts_for_time_alone() -> None:
    """A limit of requests is one of work: waiting for a deployment takes none of it."""
    refused = iter([True] * 5)

    def throttle(visit: Visit) -> Answer:
        if next(refused, False):
            return error(429)
        return visit.honest()

    with store_at(1, throttle, Budget(requests=3)) as (store, recorded, _):
        store.side_by_side(range(3), lambda lane, _: lane.list_pets())
        store.gather()
        assert 8 == len(recorded)


def test_a_deployment_that_goes_away_ends_all_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence, and without an attempt for each item; a restart would be waited for, for half a minute."""
    monkeypatch.setattr("animal_conformance.send.gone.OUTAGE_PAUSES_S", (0.0, 0.1, 0.1))
    with store_at(8) as (store, _, server):
        store.list_pets()
        server.close()
        with pytest.raises(Gone, match="no longer responds"):
            list(store.side_by_side(range(200), lambda lane, _: lane.list_pets()))


def test_a_deployment_that_is_crowded_is_asked_by_fewer_lanes() -> None:
    """503 with Retry-After to more than two at once: those that it puts off together wait once, and then two are sent."""
    lock = threading.Lock()
    beside: list[None] = []

    def two_at_once(visit: Visit) -> Answer:
        with lock:
            beside.append(None)
            crowded = len(beside) > 2
        time.sleep(0.02)
        with lock:
            beside.pop()
        return response(503, b"", ("Retry-After", "1")) if crowded else visit.honest()

    with store_at(4, two_at_once) as (store, recorded, _):
        store.side_by_side(range(48), lambda lane, _: lane.list_pets())
        store.gather()
        # What is put off twice is asked for beside a plain list, which shows whether others are served.
        asked = [each for each in recorded if each.request.target == "/pets"]
        statuses = [each.response.status for each in asked if each.response]
        assert 48 == statuses.count(200)
        assert store.client.health.crowded
        assert {200} == set(statuses[-12:])


def test_requests_that_are_always_put_off_are_asked_less_and_less_often() -> None:
    """While plain lists are served: four attempts each, two where several were given up, one where that one was."""

    def put_off(visit: Visit) -> Answer:
        return (
            response(503, b"", ("Retry-After", "0")) if "limit=7" in visit.caught.target else visit.honest()
        )

    with store_at(1, put_off) as (store, recorded, _):
        for limit in (71, 72, 73, 74, 71):
            store.sender.send("GET", f"/pets?limit={limit}")
        asked = Counter(each.request.target for each in recorded if "limit=7" in each.request.target)
        assert [5, 4, 4, 2] == [asked[f"/pets?limit={limit}"] for limit in (71, 72, 73, 74)]


def test_wrong_keys_that_are_locked_out_for_minutes_are_not_waited_for() -> None:
    """While the right one is served; no other lane could send anything meanwhile."""

    def lock_out(visit: Visit) -> Answer:
        locked = visit.caught.headers.get("authorization") != f"Bearer {KEY}"
        return response(429, b"", ("Retry-After", "600")) if locked else visit.honest()

    with store_at(1, lock_out, Budget(deadline_s=900)) as (store, recorded, _):
        for _ in range(2):
            store.sender.send("GET", "/pets", credential=Credential.WRONG)
        assert [429, 200, 429] == [each.response.status for each in recorded if each.response]
