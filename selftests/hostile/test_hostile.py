"""Hostile servers, those whose turn it is: the verdict is right, memory and time are bounded, and nothing sent does harm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from selftests.hostile.cases import CASES, HostileCase
from selftests.hostile.conftest import Encounter
from selftests.loopback.command import ROOT, Ended
from selftests.loopback.harmless import harm, unreadable
from selftests.turns import is_turn_now

Encounters = Callable[[HostileCase], Encounter]

MORE_MEMORY_MB = 70
# Whoever else uses the processors may take seconds; without a bound it would be a minute and more.
SLACK_S = 20.0
# In how many days each has its turn; ./dev hostile tries all of them.
DAYS = 9

each_case = pytest.mark.parametrize(
    "case", [each for each in CASES if is_turn_now(each.name, DAYS)], ids=lambda case: case.name
)


@each_case
def test_the_verdict_on_a_hostile_server_is_right_and_never_green(
    case: HostileCase, encounters: Encounters
) -> None:
    """Only clauses that it breaks have failed; where none could be judged, the run says so."""
    ended = encounters(case).ended
    assert case.code == ended.code, ended.said
    assert [] == ended.report["suite_faults"]
    assert set() == ended.failed_musts - case.failed
    assert bool(case.failed) == bool(ended.failed_musts)
    assert case.says in ended.report["reason"]
    assert not case.untold or case.untold in ended.ids("cant-tell")


@each_case
def test_a_hostile_server_cannot_fill_the_memory(
    case: HostileCase, encounters: Encounters, normal: Ended
) -> None:
    """The most that the run held is a few tens of megabytes above a normal one."""
    assert encounters(case).ended.peak_mb < normal.peak_mb + MORE_MEMORY_MB


@each_case
def test_no_exchange_takes_much_longer_than_the_timeout(case: HostileCase, encounters: Encounters) -> None:
    """Whatever the server does."""
    trace = encounters(case).trace
    assert trace
    assert max(each["answered_s"] - each["sent_s"] for each in trace) < case.timeout_s + SLACK_S


@each_case
def test_what_a_hostile_server_sent_is_shown_as_harmless_text(
    case: HostileCase, encounters: Encounters
) -> None:
    """On the terminal and in every report; and every report can be read."""
    ended = encounters(case).ended
    assert [] == harm(ended)
    assert [] == unreadable(ended)


def test_the_documentation_has_each_case() -> None:
    """The table of docs/hostile.md is what these tests try."""
    text = Path(ROOT / "docs" / "hostile.md").read_text(encoding="utf-8")
    table = text.partition("\n| a server sends | ")[2].partition("\n\n")[0].splitlines()[2:]
    assert [each.row for each in CASES] == table
