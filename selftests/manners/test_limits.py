"""What is announced is kept: held against the server's own count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from selftests.loopback.command import Ended, against, judge_again, smoke
from selftests.loopback.server import Answer, RawServer, Visit, Wire, reset


def announced(ended: Ended) -> str:
    """The announcement of a run."""
    found = re.search(r"About to judge .*", ended.complaints)
    assert found, ended.said
    return found[0]


def test_a_plan_says_what_a_run_would_do_and_how_long_it_would_take(tmp_path: Path) -> None:
    """By two listings without a key; the clauses that would be judged are listed, and nothing is written."""

    def late(visit: Visit) -> Answer:
        visit.wire.wait(0.05)
        return visit.honest()

    with RawServer(late) as server:
        limits = ("--max-creates", "7", "--clause", "auth", "--connections", "8")
        ended = smoke(server.url, "--plan", *limits, cwd=tmp_path)
        assert [None, None] == [each.headers.get("authorization") for each in server.log]
    assert ended.code == 0, ended.said
    for part in ("at most 250 requests", "at most 7 animals", "auth.key.wrong", "s on 8 connections"):
        assert part in ended.said
    assert "list.limit.maximum" not in ended.said
    assert {} == ended.files


def test_no_more_requests_are_sent_and_animals_created_than_announced(tmp_path: Path) -> None:
    """Those that were created are in the report, and their names have the marker."""
    with RawServer() as server:
        ended = smoke(server.url, "--max-creates", "5", cwd=tmp_path)
        names = [each["name"] for each in server.shop.animals if each["id"] > 1000]
        assert 0 < server.shop.created <= 5
        assert len(server.log) <= 150
    assert "at most 5 animals" in announced(ended)
    assert "at most 250 requests" in announced(ended)
    assert sorted(ended.report["leftovers"]) == [1000 + at for at in range(1, 1 + server.shop.created)]
    assert ended.report["run"]["requests"] == len(server.log)
    assert all(each.startswith("Ac") for each in names)


def test_creations_that_are_lost_on_kept_connections_do_not_use_up_the_limit(tmp_path: Path) -> None:
    """A server may close a connection at any time; each loss counts, so from then on none is kept for them."""
    used: list[Wire] = []

    def closing(visit: Visit) -> Answer:
        kept = any(each is visit.wire for each in used)
        used.append(visit.wire)
        if visit.caught.method == "POST" and kept:
            reset(visit.wire)
        return visit.honest()

    ended, server = against(closing, "--max-creates", "12", cwd=tmp_path)
    assert ended.ids("passed") >= {"create.answer", "create.name.type", "auth.missing.create"}
    assert server.shop.created > 6


def test_no_animal_is_created_where_none_may_be(tmp_path: Path) -> None:
    """Not by an invalid creation, and not with an invalid key on a server that does not look at it."""

    def careless(visit: Visit) -> Answer:
        visit.caught.headers["authorization"] = f"Bearer {visit.shop.key}"
        return visit.honest()

    with RawServer(careless) as server:
        ended = smoke(server.url, "--max-creates", "0", cwd=tmp_path)
        assert [] == [each for each in server.log if each.operation == "create"]
    assert ended.report["leftovers"] == []
    assert "cant-tell" == ended.outcomes()["create.answer"]


@pytest.mark.timed
def test_no_second_has_more_requests_than_the_rate(tmp_path: Path) -> None:
    """Counted by the server in every window of a second; a request that was late may come in with the next one."""
    rate, late = 25, 2
    ended, server = against(None, "--rate", f"{rate}/s", "--clause", "list", cwd=tmp_path)
    times = [each.at_s for each in server.log]
    assert f"at most {rate} a second" in announced(ended)
    assert len(times) > rate
    assert max(sum(first <= each < first + 1 for each in times) for first in times) <= rate + late
    assert len(times) - 1 <= rate * (times[-1] - times[0]) + late


def test_a_run_ends_when_its_time_is_over(tmp_path: Path) -> None:
    """A request that is on its way is cut short, whatever its timeout, and none is sent behind it.

    It shows nothing of the deployment: what its user left no time for leaves the run partial.
    """

    def sluggish(visit: Visit) -> Answer:
        visit.wire.wait(60 if visit.caught.number == 20 else 0)
        return visit.honest()

    with RawServer(sluggish) as server:
        ended = smoke(server.url, "--max-time", "2", "--timeout", "60", cwd=tmp_path)
    assert (ended.code, ended.report["scope"]) == (0, "partial"), ended.said
    assert "at most 2 s" in announced(ended)
    assert "a run with a larger --max-time would judge the rest" in ended.said
    assert 20 == len(ended.trace.exchanges)
    assert all(each.failure is None for each in ended.trace.exchanges)
    assert set() == ended.failed_musts
    again = judge_again(tmp_path / "reports" / "trace.ndjson", tmp_path)
    assert "a run with a larger --max-time would judge the rest" in again.said
    assert ended.ids("passed") == again.ids("passed")


def test_a_read_only_run_sends_reads_of_the_two_reading_operations_and_nothing_else(tmp_path: Path) -> None:
    """By the server's own log; what then cannot be judged is inapplicable with the reason."""
    ended, server = against(None, "--read-only", cwd=tmp_path)
    sent = {(each.method, each.operation) for each in server.log}
    assert sent == {("GET", "list"), ("GET", "get")}
    assert "no animals created" in announced(ended)
    why = {each["id"]: each["why"] for each in ended.report["clauses"] if each["outcome"] == "inapplicable"}
    assert {"create.answer", "create.name.exact", "auth.missing.create", "animal.id.unique"} <= set(why)
    assert all("read-only" in each for each in why.values())
    assert set() == ended.ids("cant-tell")
    assert {"list.answer", "get.found", "auth.key.wrong"} <= ended.ids("passed")


def test_a_run_against_the_embedded_deployment_announces_nothing(tmp_path: Path) -> None:
    """Where nobody else is concerned, there is nothing to announce."""
    ended = smoke("--clause", "list.limit", cwd=tmp_path)
    assert ended.code == 0, ended.said
    assert "About to judge" not in ended.said
