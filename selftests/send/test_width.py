"""width.py: as many lanes as a deployment serves beside each other, found out before anything waits for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from animal_conformance.send.width import typical_s
from selftests.exchanges import exchange
from selftests.loopback.command import command
from selftests.loopback.server import Answer, RawServer, Visit, only

# It waits for 1.5 s at most, and on a loaded machine a moment longer; for a minute without a lane for each worker.
LONGEST_WAIT_S = 5.0


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_no_request_waits_where_each_open_connection_keeps_a_worker(workers: int, tmp_path: Path) -> None:
    """One lane for each worker: a further one would wait until another's connection is idle for a minute."""
    with RawServer(workers=workers) as server:
        ended = command("run", server.url, "--profile", "smoke", "--connections", "8", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert workers == ended.report["run"]["connections"]
    longest_s = max(each.answered_s - each.sent_s for each in ended.trace.exchanges)
    assert longest_s < LONGEST_WAIT_S


def test_a_standard_run_opens_no_third_connection_where_two_workers_keep_one_each(tmp_path: Path) -> None:
    """While one connection stays open to see what it keeps, another one creates, and reads what it has created."""
    with RawServer(workers=2) as server:
        ended = command("run", server.url, "--connections", "8", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert max(each.answered_s - each.sent_s for each in ended.trace.exchanges) < LONGEST_WAIT_S


@pytest.mark.parametrize("says_when", [True, False])
@pytest.mark.parametrize("room", [1, 3])
def test_connections_beyond_a_cap_are_not_kept_open_for_others_to_be_turned_away(
    room: int, *, says_when: bool, tmp_path: Path
) -> None:
    """503 to a further one: the run has no more lanes than have room, and makes room for bursts."""
    with RawServer(room=room, says_when=says_when) as server:
        ended = command("run", server.url, "--profile", "smoke", "--connections", "8", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert room == ended.report["run"]["connections"]


def test_a_server_that_takes_a_moment_to_close_connections_has_room_for_the_next_one(tmp_path: Path) -> None:
    """Where there is room for one connection only, the next one is opened when the server has closed the last one."""
    with RawServer(room=1, says_when=False, closes_after_s=0.05) as server:
        ended = command("run", server.url, "--profile", "smoke", "--connections", "8", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    # But for the further connections that were tried at the beginning.
    assert {""} == {each.driver for each in ended.trace.exchanges if each.status == 503}


@pytest.mark.parametrize(
    ("shown", "seconds"),
    [
        pytest.param([(401, 0.002), (200, 0.02)], 0.002, id="a first list that is none too quick"),
        pytest.param(
            [(401, 0.002), (200, 0.5), (200, 0.4)], 0.4, id="slow lists behind a quick check of keys"
        ),
        pytest.param([(401, 0.084), (200, 0.166)], 0.084, id="a list on a new connection"),
        pytest.param([(401, 0.3)], 0.3, id="no list"),
    ],
)
def test_a_response_takes_as_long_as_the_quickest_unless_lists_are_slow(
    shown: list[tuple[int, float]], seconds: float
) -> None:
    """Keys may be checked by something in front of the deployment."""
    trace = [exchange("GET", "/pets", status, took=took) for status, took in shown]
    assert typical_s(trace) == pytest.approx(seconds)


def slow(visit: Visit) -> Answer:
    """Answer after a fifth of a second."""
    visit.wire.wait(0.2)
    return visit.honest()


@pytest.mark.parametrize("operation", ["create", "list"])
def test_lanes_are_opened_where_one_operation_is_slow_and_others_are_quick(
    operation: str, tmp_path: Path
) -> None:
    """The preflight shows it of lists, and the first creation of creations."""
    with RawServer(only(operation, behaviour=slow)) as server:
        ended = command("run", server.url, "--profile", "smoke", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert 8 == ended.report["run"]["connections"]
