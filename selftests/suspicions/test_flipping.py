"""The rules of suspicions/lists/flipping.py: lists that show many animals with another status now and then."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.experiments import Read, Wait
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    FAILED,
    animal,
    created,
    failed_of,
    got,
    listing,
    named,
    outcome_of,
    verdict_of,
)
from selftests.tables import cases

CLAUSE = "create.status.exact"
NAMES = ("Whiskerton", "Fluffington", "Abelardino", "Babettella", "Ceciliana")
MADE = [created(named(name, status="sold"), at, at=at / 10) for at, name in enumerate(NAMES, 1)]
OTHERS = [animal(at) for at in range(50, 60)]


def shown(at: float, status: str = "sold", count: int = 5, **options: Any) -> Exchange:
    """A list with so many of the run's animals, all with one status, and others that have theirs."""
    own = [animal(at, name=name, status=status) for at, name in enumerate(NAMES[:count], 1)]
    return listing([*own, *OTHERS], limit=100, at=at, **options)


def told_by_get(at: float, status: str = "sold") -> Exchange:
    """What getPet tells of the first of them."""
    return got(1, animal(1, name=NAMES[0], status=status), at=at)


def flipped(
    at: float, status: str = "available", told: tuple[str, ...] = ("sold", "sold"), **options: Any
) -> list[Exchange]:
    """Three lists that follow each other at once, the second with another status, and what getPet tells beside that."""
    return [
        shown(at, **options),
        *(told_by_get(at + 0.05, each) for each in told[:1]),
        shown(at + 0.1, status, **options),
        *(told_by_get(at + 0.15, each) for each in told[1:]),
        shown(at + 0.2, **options),
    ]


BEFORE = [*MADE, shown(1.0)]
SIX = [*BEFORE, *(each for at in range(1, 7) for each in flipped(2.0 * at))]


def test_animals_that_flip_six_times_are_told_wrong_by_some_lists() -> None:
    """And getPet denies that so many were moved to and fro; the last time is when the first one has settled."""
    assert {CLAUSE} == failed_of(SIX)
    verdict = verdict_of(CLAUSE, SIX)
    finding = verdict.findings[0].finding
    assert "in turns" in finding.message
    flips = [(at, at - 1, at + 1) for at in range(8, 38, 5)]
    assert [("moved", SIX[at]) for each in flips for at in each] == list(finding.excluded)


@cases(
    "lawful",
    {
        "five times": SIX[len(BEFORE) : -5],
        "before it has settled": [each for at in range(6) for each in flipped(2.0 + at / 3)],
        "too few animals": [each for at in range(1, 7) for each in flipped(2.0 * at, count=4)],
        "not at once": [
            each
            for at in range(2, 14, 2)
            for each in (
                shown(at),
                told_by_get(at + 0.8),
                shown(at + 0.9, "pending"),
                told_by_get(at + 1.0),
                shown(at + 1.8),
            )
        ],
        "and it stays so": [*SIX[len(BEFORE) : -5], *flipped(12.0)[:4]],
        "getPet was not asked": [each for at in range(1, 7) for each in flipped(2.0 * at, told=())],
        "getPet tells of it as well, once, afterwards": [
            *SIX[len(BEFORE) :],
            *flipped(14.0, told=("sold", "available")),
        ],
        "getPet tells of it as well, once, before": [
            *flipped(1.7, told=("available", "sold")),
            *SIX[len(BEFORE) :],
        ],
        "getPet alone tells of it as well": [*SIX[len(BEFORE) :], told_by_get(7.0, "available")],
        "asked before alone": [each for at in range(1, 7) for each in flipped(2.0 * at, told=("sold",))],
        "moved for good": [shown(2.0 + at / 2, "sold" if at < 4 else "available") for at in range(20)],
    },
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
    reads = [each for each in experiment.steps if isinstance(each, Read)]
    page = Read("/pets?limit=100", anew=True)
    assert (34, 34 * 5 // 2 + 6) == (reads.count(page), len(reads) - reads.count(page))
    assert {"/pets/3", f"/pets/{OTHERS[2]['id']}"} == {each.target for each in reads if each != page}
    assert all(page not in {reads[at - 1], reads[at + 1]} for at, each in enumerate(reads) if each == page)
    later = [shown(3.0 + at / 10) for at in range(48)]
    for count, again in ((34, False), (28, True)):
        said = verdict_of(CLAUSE, [*trace, *later[:count]]).suspected
        assert again is any(experiment in each.suspicion.experiments for each in said)
