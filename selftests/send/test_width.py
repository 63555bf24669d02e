"""width.py: as many lanes as a deployment serves beside each other, found out before anything waits for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from selftests.loopback.command import command
from selftests.loopback.server import Answer, RawServer, Visit, only

LONGEST_WAIT_S = 2.0


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_no_request_waits_where_each_open_connection_keeps_a_worker(workers: int, tmp_path: Path) -> None:
    """One lane for each worker: a further one would wait until another's connection is idle for a minute."""
    with RawServer(workers=workers) as server:
        ended = command("run", server.url, "--profile", "smoke", "--connections", "8", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert workers == ended.report["run"]["connections"]
    longest_s = max(each.answered_s - each.sent_s for each in ended.trace.exchanges)
    assert longest_s < LONGEST_WAIT_S


def slow(visit: Visit) -> Answer:
    """Answer after a fifth of a second."""
    visit.wire.wait(0.2)
    return visit.honest()


def test_lanes_are_opened_where_creations_are_slow_and_readings_quick(tmp_path: Path) -> None:
    """The first creation shows it."""
    with RawServer(only("create", behaviour=slow)) as server:
        ended = command("run", server.url, "--profile", "smoke", cwd=tmp_path)
    assert 0 == ended.code, ended.said
    assert 8 == ended.report["run"]["connections"]
