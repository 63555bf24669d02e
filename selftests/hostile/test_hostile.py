"""Hostile servers, those whose turn it is: the verdict is right, memory and time are bounded, and nothing sent does harm."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from selftests.hostile.cases import CASES, HostileCase
from selftests.loopback.command import ROOT, Ended, smoke
from selftests.loopback.harmless import harm, unreadable
from selftests.loopback.server import RawServer
from selftests.turns import is_turn_now

MORE_MEMORY_MB = 70
# Whoever else uses the processors may take seconds; without a bound it would be a minute and more.
SLACK_S = 20.0
# In how many days each has its turn; ./dev hostile tries all of them.
DAYS = 18


@dataclass(frozen=True)
class Encounter:
    """A run against a hostile server, and what it recorded."""

    case: HostileCase
    ended: Ended
    trace: list[dict[str, Any]]


@pytest.fixture(
    scope="module",
    params=[each for each in CASES if is_turn_now(each.name, DAYS)],
    ids=lambda case: str(case.name),
)
def encounter(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Encounter:
    """The run against a hostile server, which all tests of a case look at, one after another."""
    case: HostileCase = request.param
    with RawServer(case.behaviour) as server:
        ended = smoke(
            server.url, "--timeout", str(case.timeout_s), cwd=tmp_path_factory.mktemp("hostile") / case.name
        )
    lines = ended.files.get("trace.ndjson", b"").splitlines()
    return Encounter(
        case, ended, [record for line in lines if (record := json.loads(line))["kind"] == "exchange"]
    )


@pytest.fixture(scope="module")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A run against an honest server."""
    with RawServer() as server:
        ended = smoke(server.url, cwd=tmp_path_factory.mktemp("normal"))
    assert ended.code == 0, ended.said
    return ended


def test_the_verdict_on_a_hostile_server_is_right_and_never_green(encounter: Encounter) -> None:
    """Only clauses that it breaks have failed; where none could be judged, the run says so."""
    case, ended = encounter.case, encounter.ended
    assert case.code == ended.code, ended.said
    assert [] == ended.report["suite_faults"]
    assert set() == ended.failed_musts - case.failed
    assert bool(case.failed) == bool(ended.failed_musts)
    assert case.says in ended.report["reason"]
    assert not case.untold or case.untold in ended.ids("cant-tell")


def test_a_hostile_server_cannot_fill_the_memory(encounter: Encounter, normal: Ended) -> None:
    """The most that the run held is a few tens of megabytes above a normal one."""
    assert encounter.ended.peak_mb < normal.peak_mb + MORE_MEMORY_MB


def test_no_exchange_takes_much_longer_than_the_timeout(encounter: Encounter) -> None:
    """Whatever the server does."""
    trace = encounter.trace
    assert trace
    assert max(each["answered_s"] - each["sent_s"] for each in trace) < encounter.case.timeout_s + SLACK_S


def test_what_a_hostile_server_sent_is_shown_as_harmless_text(encounter: Encounter) -> None:
    """On the terminal and in every report; and every report can be read."""
    ended = encounter.ended
    assert [] == harm(ended)
    assert [] == unreadable(ended)


def test_the_documentation_has_each_case() -> None:
    """The table of docs/hostile.md is what these tests try."""
    text = Path(ROOT / "docs" / "hostile.md").read_text(encoding="utf-8")
    table = text.partition("\n| a server sends | ")[2].partition("\n\n")[0].splitlines()[2:]
    assert [each.row for each in CASES] == table
