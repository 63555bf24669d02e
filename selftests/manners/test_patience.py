"""Patience with a deployment that is busy, restarted, or not there for a while; and an end of it.

How long a wait is, by what an answer asks for, is tried in send/test_patience.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from selftests.loopback.command import SMOKE, Running, against, smoke
from selftests.loopback.server import Answer, RawServer, Visit, after, error, only, reset, response, silent


def asks_for_patience(status: int, value: str) -> bytes:
    """An answer that asks for patience."""
    head, _, body = error(status).partition(b"\r\n\r\n")
    return head + f"\r\nRetry-After: {value}\r\n\r\n".encode() + body


def test_a_deployment_that_asks_for_patience_gets_it(tmp_path: Path) -> None:
    """The same request comes again, not before the time; nothing has failed."""

    def busy(visit: Visit) -> Answer:
        asked = {
            10: asks_for_patience(429, "1"),
            20: asks_for_patience(503, "1"),
            30: error(429),
            40: asks_for_patience(403, "1"),
        }
        return asked.get(visit.caught.number) or visit.honest()

    ended, server = against(busy, "--clause", "list", "--clause", "auth", cwd=tmp_path)
    for number, pause_s in ((10, 1.0), (20, 1.0), (30, 0.05), (40, 1.0)):
        first, again = server.log[number : number + 2]
        assert (first.method, first.target, first.body) == (again.method, again.target, again.body)
        assert again.at_s - first.at_s > 0.9 * pause_s
    assert set() == ended.ids("failed") | ended.ids("cant-tell")


def test_a_wait_beyond_the_time_of_the_run_ends_it(tmp_path: Path) -> None:
    """The run says so at once instead of waiting, and sends nothing more but a plain listing, which is not served."""
    ended, server = against(after(30, lambda _: asks_for_patience(429, "100000")), cwd=tmp_path, code=3)
    assert len(server.log) == 32
    assert "longer wait than the run has time for" in ended.report["reason"]
    assert set() == ended.failed_musts


def test_a_deployment_that_throttles_for_good_could_not_be_judged(tmp_path: Path) -> None:
    """After a bounded number of attempts, whatever little it asks for."""
    ended, server = against(
        after(30, lambda _: asks_for_patience(429, "0")), "--max-time", "3", cwd=tmp_path, code=3
    )
    assert len(server.log) <= 50
    assert "429" in ended.report["reason"]
    assert set() == ended.failed_musts


def test_a_quota_of_creations_ends_creations_and_not_the_run(tmp_path: Path) -> None:
    """429 is no violation anywhere, and says nothing of the requests that are served."""
    quota = 10

    def behave(visit: Visit) -> Answer:
        creates = visit.caught.method == "POST" and visit.caught.number > 60
        return asks_for_patience(429, "3600") if creates and visit.shop.created >= quota else visit.honest()

    ended, server = against(behave, cwd=tmp_path)
    assert quota <= server.shop.created
    assert set() == ended.failed_musts
    assert {"list.limit.respected", "get.found", "auth.key.wrong"} <= ended.ids("passed")


def test_creations_that_are_asked_to_wait_for_longer_than_a_run_takes_are_no_longer_sent(
    tmp_path: Path,
) -> None:
    """Nor are invalid ones, once the same was asked of them; all else is sent, and the report says why."""

    def behave(visit: Visit) -> Answer:
        with_key = visit.caught.headers.get("authorization") == f"Bearer {visit.shop.key}"
        if visit.caught.operation == "create" and with_key and visit.shop.created >= 6:
            put_off.append(visit.caught.number)
            return asks_for_patience(429, "40000")
        return visit.honest()

    put_off: list[int] = []
    ended, server = against(behave, cwd=tmp_path, code=3)
    rest = [each for each in server.log if each.number > put_off[-1]]
    assert "asks to wait 40000 s before the next creation" in ended.report["reason"]
    assert set() == ended.failed_musts
    assert 3 <= len(put_off) <= 6
    assert {"list", "get"} <= {each.operation for each in rest}
    [note] = ended.report["run"]["notes"]
    assert note.startswith("The deployment asks to wait 40000 s before the next creation:")


def test_wrong_keys_that_are_locked_out_do_not_end_the_run(tmp_path: Path) -> None:
    """The valid key is served all the time."""

    def behave(visit: Visit) -> Answer:
        wrong = visit.caught.headers.get("authorization") not in {None, f"Bearer {visit.shop.key}"}
        return asks_for_patience(429, "3600") if wrong and visit.caught.number > 30 else visit.honest()

    ended, _ = against(behave, cwd=tmp_path)
    assert "list.limit.respected" in ended.ids("passed")


def test_wrong_keys_that_are_locked_out_for_a_while_that_is_not_said_are_waited_for(tmp_path: Path) -> None:
    """As they are where it is said."""
    wrong: list[float] = []

    def behave(visit: Visit) -> Answer:
        if visit.caught.headers.get("authorization") in {None, f"Bearer {visit.shop.key}"}:
            return visit.honest()
        if wrong and len(wrong) % 5 == 0 and visit.caught.at_s < wrong[-1] + 1.0:
            return error(429)
        wrong.append(visit.caught.at_s)
        return visit.honest()

    ended, _ = against(behave, cwd=tmp_path)
    assert set() == {each for each in ended.ids("cant-tell") if each.startswith("auth")}


def dropping(visit: Visit) -> Answer:
    """Reset every seventh connection that is kept, half of the time behind the request's effect."""
    if visit.caught.number % 7 == 3 and visit.caught.headers.get("connection") != "close":
        if visit.caught.number % 2:
            visit.honest()
        reset(visit.wire)
    return visit.honest()


def test_a_deployment_that_drops_connections_now_and_then_fails_nothing(tmp_path: Path) -> None:
    """It is an observation, and each request comes again."""
    with RawServer(dropping) as server:
        ended = smoke(server.url, "--max-creates", "30", cwd=tmp_path)
        assert server.shop.created <= 30
    assert set() == ended.failed_musts, ended.said
    network = next(each for each in ended.report["observations"] if each["id"] == "open.network")
    assert sum(each["count"] for each in network["observed"]) > 5


def test_a_deployment_that_goes_away_could_not_be_judged(tmp_path: Path) -> None:
    """The run waits for a while, says so in one sentence, and nothing has failed; what was judged counts."""
    gone = after(50, lambda visit: reset(visit.wire))
    ended, server = against(gone, "--max-time", "10", cwd=tmp_path, code=3)
    assert len(server.log) < 70
    assert re.search(
        r"no longer responds \(reset: .*\)\. Unanswered since exchange [\d.]+: (GET|POST) /pets",
        ended.report["reason"],
    )
    assert set() == ended.ids("failed")
    assert ended.ids("passed")
    assert ended.ids("untested")
    assert ended.report["suite_faults"] == []


def test_a_deployment_whose_responses_can_no_longer_be_read_could_not_be_judged(tmp_path: Path) -> None:
    """Each of them may take as long as a time-out allows."""
    endless = response(200, b'{"name": "%s"}' % (b"n" * 2**20))
    ended, server = against(after(50, lambda _: endless), cwd=tmp_path, code=3)
    assert len(server.log) < 80
    assert "can no longer be read (too-large" in ended.report["reason"]
    assert ended.ids("passed")


def test_a_deployment_that_is_restarted_is_waited_for(tmp_path: Path) -> None:
    """Five requests in a row that are reset are no reason to give up."""

    def restarting(visit: Visit) -> Answer:
        if 40 <= visit.caught.number < 45:
            reset(visit.wire)
        return visit.honest()

    with RawServer(restarting) as server:
        ended = smoke(server.url, cwd=tmp_path)
    assert set() == ended.failed_musts, ended.said
    assert {"list.answer", "get.found", "auth.key.wrong"} <= ended.ids("passed")


def test_a_server_that_is_closed_in_mid_run_could_not_be_judged(tmp_path: Path) -> None:
    """Refused connections are reported as what they are."""
    with RawServer() as server:
        running = Running(*SMOKE, server.url, "--max-time", "10", cwd=tmp_path)
        while len(server.log) < 40 and running.poll() is None:
            pass
        server.close()
        ended = running.end()
    assert ended.code == 3, ended.said
    assert re.search(r"no longer responds \((refused|reset)", ended.report["reason"])
    assert set() == ended.failed_musts


def test_one_operation_that_hangs_costs_no_more_than_its_timeouts(tmp_path: Path) -> None:
    """The others are judged; its own clauses cannot be told; the network fails no MUST clause."""
    with RawServer(only("get", behaviour=silent)) as server:
        clauses = ("--clause", "get.found", "--clause", "list.answer")
        ended = smoke(server.url, "--timeout", "0.3", *clauses, cwd=tmp_path)
    assert ended.code == 3, ended.said
    assert set() == ended.failed_musts
    assert "get.found" in ended.ids("cant-tell")
    assert "list.answer" in ended.ids("passed")


@pytest.mark.parametrize("requests", [30, 100])
def test_a_key_that_ends_in_the_middle_of_a_run_is_no_verdict(requests: int, tmp_path: Path) -> None:
    """How long keys live is not shown: what was judged until then counts, and nothing has failed."""
    ended, server = against(after(requests, lambda _: error(401)), cwd=tmp_path, code=3)
    assert len(server.log) <= requests + 60
    assert "rejected the key" in ended.report["reason"]
    assert set() == ended.failed_musts
