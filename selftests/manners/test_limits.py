"""What is announced is kept: held against the server's own count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from animal_conformance.record.trace import read_trace
from selftests.loopback.command import Ended, Running, run
from selftests.loopback.server import Answer, RawServer, Visit

WORKERS = pytest.mark.parametrize("workers", ["1", "2"])


def announced(ended: Ended) -> str:
    """The announcement of a run."""
    found = re.search(r"About to judge .*", ended.said)
    assert found, ended.said
    return found[0]


def test_a_plan_says_what_a_run_would_do_and_sends_nothing(tmp_path: Path) -> None:
    """Not even a connection is made; the clauses that would be judged are listed."""
    with RawServer() as server:
        ended = run(
            server.url,
            tmp_path / "reports",
            "--plan",
            "--max-creates",
            "7",
            "--rate",
            "5",
            "--clause",
            "auth",
        )
        assert server.connections == 0
    assert ended.code == 0, ended.said
    for part in ("at most 150 requests", "at most 7 animals", "at most 5 a second", "auth.key.wrong"):
        assert part in ended.said
    assert "list.limit.maximum" not in ended.said


@WORKERS
def test_no_more_requests_are_sent_and_animals_created_than_announced(workers: str, tmp_path: Path) -> None:
    """Over all workers together; those that were created are in the report, and their names have the marker."""
    with RawServer() as server:
        ended = run(server.url, tmp_path / "reports", "--workers", workers, "--max-creates", "5")
        names = [each["name"] for each in server.shop.animals if each["id"] > 1000]
        assert 0 < server.shop.created <= 5
        assert len(server.log) <= (150 if workers == "1" else 1200)
    assert "at most 5 animals" in announced(ended)
    assert f"at most {150 if workers == '1' else 1200} requests" in announced(ended)
    assert sorted(ended.report["leftovers"]) == [1000 + at for at in range(1, 1 + server.shop.created)]
    assert ended.report["run"]["requests"] == len(server.log)
    assert all(each.startswith("Ac") for each in names)


@WORKERS
def test_no_animal_is_created_where_none_may_be(workers: str, tmp_path: Path) -> None:
    """Not by an invalid creation, and not with an invalid key on a server that does not look at it."""

    def careless(visit: Visit) -> Answer:
        visit.caught.headers["authorization"] = f"Bearer {visit.shop.key}"
        return visit.honest()

    with RawServer(careless) as server:
        ended = run(server.url, tmp_path / "reports", "--workers", workers, "--max-creates", "0")
        assert server.shop.created == 0
        assert [] == [each for each in server.log if each.operation == "create"]
    assert ended.report["leftovers"] == []


@WORKERS
def test_no_second_has_more_requests_than_the_rate(workers: str, tmp_path: Path) -> None:
    """Counted by the server in every window of a second; one more for the clocks of two processes."""
    rate = 25
    with RawServer() as server:
        ended = run(
            server.url,
            tmp_path / "reports",
            "--workers",
            workers,
            "--rate",
            f"{rate}/s",
            "--clause",
            "list",
        )
        times = [each.at_s for each in server.log]
    assert ended.code == 0, ended.said
    assert f"at most {rate} a second" in announced(ended)
    assert len(times) > rate
    # A request that was late on its way may come in together with the next one.
    late = 2 * int(workers)
    assert max(sum(first <= each < first + 1 for each in times) for first in times) <= rate + late
    assert len(times) - 1 <= rate * (times[-1] - times[0]) + late


@WORKERS
def test_a_run_ends_when_its_time_is_over(workers: str, tmp_path: Path) -> None:
    """No request is begun later, and one that is on its way is cut short, whatever its timeout."""
    most_s, never_s = 3.0, 60.0

    def sluggish(visit: Visit) -> Answer:
        visit.wire.wait(never_s if visit.caught.number == 20 else 0.05)
        return visit.honest()

    with RawServer(sluggish) as server:
        ended = run(
            server.url,
            tmp_path / "reports",
            "--workers",
            workers,
            "--max-time",
            str(most_s),
            "--timeout",
            str(never_s),
        )
    sent_s = [each.sent_s for each in read_trace(tmp_path / "reports" / "trace.ndjson").exchanges]
    assert max(sent_s) < most_s + 1  # a process may be held up between its look at the clock and its request
    assert ended.code == 3, ended.said
    assert f"at most {most_s:g} s" in announced(ended)
    assert ended.report["run"]["seconds"] < never_s / 2
    assert set() == ended.failed_musts


@WORKERS
def test_a_read_only_run_sends_reads_of_the_two_reading_operations_and_nothing_else(
    workers: str, tmp_path: Path
) -> None:
    """By the server's own log; what then cannot be judged is inapplicable with the reason."""
    with RawServer() as server:
        ended = run(server.url, tmp_path / "reports", "--workers", workers, "--read-only")
        sent = {(each.method, each.operation) for each in server.log}
    assert sent == {("GET", "list"), ("GET", "get")}
    assert ended.code == 0, ended.said
    assert "no animal created" in announced(ended)
    inapplicable = {
        each["id"]: each["why"] for each in ended.report["clauses"] if each["outcome"] == "inapplicable"
    }
    assert {"create.answer", "create.name.exact", "auth.missing.create", "animal.id.unique"} <= set(
        inapplicable
    )
    assert all("read-only" in why for why in inapplicable.values())
    assert set() == ended.ids("cant-tell")
    assert {"list.answer", "get.found", "auth.key.wrong"} <= ended.ids("passed")


def test_a_run_against_the_embedded_deployment_announces_nothing(tmp_path: Path) -> None:
    """Where nobody else is concerned, there is nothing to announce."""
    options = ("--profile", "smoke", "--clause", "list.limit", "--report-dir", str(tmp_path / "reports"))
    ended = Running(("run", *options), tmp_path / "reports").end()
    assert ended.code == 0, ended.said
    assert "About to judge" not in ended.said
