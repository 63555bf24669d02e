"""What judging costs: as much more as a run is longer, and not the square of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    TERMS,
    animal,
    animals,
    created,
    got,
    listing,
    lost,
    payload,
    refused,
    unanswered,
    unauthorised,
    unlisted,
)

AFTER_ITS_DATE = replace(TERMS, today="2031-01-01")
TIMES_MORE = 4
LETTERS = "abcdefghijklmno"


def growing(number: int) -> list[Exchange]:
    """A store to which animals are added, that are got and listed; two of them are sold."""
    sold = [animal(each, name=f"Whisker{each}", status="sold") for each in (1, 2)]
    trace = [created(payload(name=f"Whisker{each}", status="sold"), each, at=0.0) for each in (1, 2)]
    trace.append(listing(sold, limit=2, state="sold", at=0.1))
    for at in range(10, 10 + number):
        name = f"Whisker{at}"
        trace += [
            created(payload(name=name), at, at=float(at)),
            got(at, animal(at, name=name), at=at + 0.1),
            listing(sold, limit=100, state="sold", at=at + 0.2),
            listing(animals(100, 1000), limit=100, state="available", at=at + 0.3),
            lost(10**9, at=at + 0.4),
            unauthorised(got(at), at=at + 0.5),
        ]
    return trace


def refusing(number: int) -> list[Exchange]:
    """Creations that are refused for their status, that have no key, or that are answered by nothing."""
    trace = [created(payload(name="Babettely"), at=0.0)]
    for at in range(1, number + 1):
        name = f"Whisker{LETTERS[at % 15]}{LETTERS[at // 15]}"
        trace += [
            refused(payload(name=name, status="sold"), at=float(at)),
            refused(payload(name=f"keyless{name}"), 401, at=at + 0.1),
            unauthorised(refused(payload(name=f"refused{name}")), at=at + 0.2),
            unanswered(listing(limit=7), at=at + 0.3),
            unlisted(400, limit=5, at=at + 0.4),
            listing([animal()], limit=100, at=at + 0.5),
        ]
    return [*trace, created(payload(name="Babettelo"), 2, at=1000.0)]


def removed(number: int) -> list[Exchange]:
    """Animals that are listed and asked for after the date from which getPet may be gone."""
    return [
        each
        for at in range(number)
        for each in (listing(animals(5), at=float(at)), lost(1 + at % 5, 410, at=at + 0.5))
    ]


def flickering(number: int) -> list[Exchange]:
    """An animal whose status never stays the same."""
    statuses = ("available", "pending", "sold")
    gets = [got(1, animal(1, status=statuses[at % 3]), at=float(at)) for at in range(1, number)]
    return [listing([animal(1)], at=0.0), *gets]


def steps_of(trace: Sequence[Exchange]) -> int:
    """How many lines are gone through to judge a trace, once it was read."""
    steps = 0

    def count(_: FrameType, event: str, __: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    judge(trace, AFTER_ITS_DATE)
    before = sys.gettrace()
    sys.settrace(count)
    try:
        judge(trace, AFTER_ITS_DATE)
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize(("run", "few"), [(growing, 20), (refusing, 20), (removed, 20), (flickering, 40)])
def test_a_run_four_times_as_long_costs_no_more_than_four_times_as_much(
    run: Callable[[int], list[Exchange]], few: int
) -> None:
    """Whatever the deployment does; what is the same for any run makes up for what takes a little more to look up."""
    assert steps_of(run(few * TIMES_MORE)) <= TIMES_MORE * steps_of(run(few))
