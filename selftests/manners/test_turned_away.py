"""A deployment that is away for a while, one that turns a single request away for good, and one that is choosy."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from selftests.loopback.command import against, smoke
from selftests.loopback.server import Answer, RawServer, Visit, after, error, reset, silent
from selftests.manners.test_patience import asks_for_patience

LIMIT = "/pets?limit=21"


@pytest.mark.parametrize("status", [502, 503, 504])
def test_an_outage_is_waited_out(status: int, tmp_path: Path) -> None:
    """It meets every request for a while and then none: nothing has failed, and the report tells it."""
    until_s = 0.0

    def restarting(visit: Visit) -> Answer:
        nonlocal until_s
        if visit.caught.number == 40:
            until_s = time.monotonic() + 1.2
        return error(status) if time.monotonic() < until_s else visit.honest()

    ended, _ = against(restarting, cwd=tmp_path)
    assert set() == ended.failed_musts
    told = next(each for each in ended.report["observations"] if each["id"] == "open.explanations")
    assert ["http.server-error: outage"] == [each["answer"] for each in told["observed"]]


def test_an_outage_of_closed_connections_is_waited_out(tmp_path: Path) -> None:
    """As behind a balancer of connections, which accepts them and finds nobody to pass them on to."""
    until_s = 0.0

    def restarting(visit: Visit) -> Answer:
        nonlocal until_s
        if visit.caught.number == 40:
            until_s = time.monotonic() + 3.0
        if time.monotonic() < until_s:
            reset(visit.wire)
        return visit.honest()

    ended, _ = against(restarting, cwd=tmp_path)
    assert set() == ended.failed_musts


@pytest.mark.parametrize(
    "turn_away",
    [
        pytest.param(lambda _: asks_for_patience(503, "0"), id="503 that asks to wait"),
        pytest.param(lambda _: error(403), id="403"),
        pytest.param(lambda _: error(408), id="408"),
        pytest.param(silent, id="nothing"),
    ],
)
def test_a_request_that_is_turned_away_for_good_is_a_finding_of_its_operation(
    turn_away: Callable[[Visit], Answer], tmp_path: Path
) -> None:
    """While its like is served; the run goes on."""

    def behave(visit: Visit) -> Answer:
        return turn_away(visit) if visit.caught.target.endswith(LIMIT) else visit.honest()

    ended, server = against(behave, "--timeout", "0.3", cwd=tmp_path, code=1)
    assert sum(each.target.endswith(LIMIT) for each in server.log) <= 20
    assert {"list.limit.accepted"} == ended.failed_musts


def test_an_invalid_creation_that_is_told_to_wait_for_good_is_not_waited_for_as_a_quota_is(
    tmp_path: Path,
) -> None:
    """It would add nothing to what that counts, and its like is created."""

    def behave(visit: Visit) -> Answer:
        caught = visit.caught
        with_key = caught.headers.get("authorization") == f"Bearer {visit.shop.key}"
        bare = caught.method == "POST" and with_key and b"name" not in caught.body
        return asks_for_patience(403, "1") if bare else visit.honest()

    ended, _ = against(behave, "--max-time", "60", cwd=tmp_path, code=1)
    assert {"create.refusal.status"} == ended.failed_musts


@pytest.mark.parametrize("asked", ["1" + 40 * "0", "999999999"])
def test_a_wait_that_has_no_end_ends_the_run(asked: str, tmp_path: Path) -> None:
    """And the reason says how much time was left."""
    ended, _ = against(
        after(30, lambda _: asks_for_patience(429, asked)), "--max-time", "50", cwd=tmp_path, code=3
    )
    assert "s are left" in ended.report["reason"]


@pytest.mark.parametrize("wanted", ["no status", "two words", "few letters"])
def test_a_first_creation_that_is_refused_is_tried_in_other_ways(wanted: str, tmp_path: Path) -> None:
    """So that no chapter is skipped."""

    def behave(visit: Visit) -> Answer:
        try:
            payload = json.loads(visit.caught.body)
        except ValueError:
            return visit.honest()
        name = payload.get("name") if isinstance(payload, dict) else None
        if visit.caught.method != "POST" or not isinstance(name, str):
            return visit.honest()
        refuses = {
            "no status": "status" in payload,
            "two words": " " not in name,
            "few letters": len(name) > 8,
        }
        return error(400) if refuses[wanted] else visit.honest()

    with RawServer(behave) as server:
        ended = smoke(server.url, "--clause", "create", "--clause", "get.found", cwd=tmp_path)
        assert server.shop.created
    assert "create.answer" in ended.ids("passed"), ended.said
    assert "create.name.required" in ended.ids("passed")
