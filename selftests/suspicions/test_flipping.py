"""The rules of rules/flipping.py: lists that show many animals with another status now and then."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.experiments import Read, Wait
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import FAILED, animal, created, failed_of, listing, named, outcome_of, verdict_of

CLAUSE = "create.status.exact"
NAMES = ("Whiskerton", "Fluffington", "Abelardino", "Babettella", "Ceciliana")
MADE = [created(named(name, status="sold"), at, at=at / 10) for at, name in enumerate(NAMES, 1)]
OTHERS = [animal(at) for at in range(50, 60)]


def shown(at: float, status: str = "sold", count: int = 5, **options: Any) -> Exchange:
    """A list with so many of the run's animals, all with one status, and others that have theirs."""
    own = [animal(at, name=name, status=status) for at, name in enumerate(NAMES[:count], 1)]
    return listing([*own, *OTHERS], limit=100, at=at, **options)


def flipped(at: float, status: str = "available", **options: Any) -> list[Exchange]:
    """Three lists that follow each other at once, the second with another status."""
    return [shown(at, **options), shown(at + 0.1, status, **options), shown(at + 0.2, **options)]


BEFORE = [*MADE, shown(1.0)]
THREE = [*BEFORE, *flipped(2.0), *flipped(4.0), *flipped(6.0)]


def test_animals_that_flip_three_times_are_told_wrong_by_some_lists() -> None:
    """Nobody moves so many to and fro at once; the last time is when the first one has settled."""
    assert {CLAUSE} == failed_of(THREE)
    verdict = verdict_of(CLAUSE, THREE)
    finding = verdict.findings[0].finding
    assert "in turns" in finding.message
    assert [("moved", THREE[at]) for at in (7, 10, 13)] == list(finding.excluded)


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([*flipped(2.0), *flipped(6.0)], id="twice"),
        pytest.param([*flipped(2.0), *flipped(3.0), *flipped(4.0)], id="before it has settled"),
        pytest.param(
            [*flipped(2.0, count=4), *flipped(4.0, count=4), *flipped(6.0, count=4)], id="too few animals"
        ),
        pytest.param(
            [
                each
                for at in (2.0, 4.0, 6.0)
                for each in (shown(at), shown(at + 0.9, "pending"), shown(at + 1.8))
            ],
            id="not at once",
        ),
        pytest.param([*flipped(2.0), *flipped(4.0), *flipped(6.0)[:2]], id="and it stays so"),
        pytest.param(
            [shown(2.0 + at / 2, "sold" if at < 4 else "available") for at in range(20)], id="moved for good"
        ),
    ],
)
def test_what_others_may_have_done_is_no_finding(lawful: list[Exchange]) -> None:
    """A status may move at any time after its first reading."""
    assert FAILED != outcome_of(CLAUSE, [*BEFORE, *lawful])


def test_once_is_put_to_the_test() -> None:
    """The list again and again on new connections, before a silence and after it; that ends the question."""
    trace = [*BEFORE, *flipped(2.0)]
    asked = {one for each in verdict_of(CLAUSE, trace).suspected for one in each.suspicion.experiments}
    (experiment,) = (each for each in asked if sum(isinstance(step, Read) for step in each.steps) > 20)
    assert 1 == sum(isinstance(step, Wait) for step in experiment.steps)
    assert {Read("/pets?limit=100", anew=True)} == {
        each for each in experiment.steps if isinstance(each, Read)
    }
    later = [shown(3.0 + at / 10) for at in range(48)]
    for count, again in ((48, False), (40, True)):
        said = verdict_of(CLAUSE, [*trace, *later[:count]]).suspected
        assert again is any(experiment in each.suspicion.experiments for each in said)
