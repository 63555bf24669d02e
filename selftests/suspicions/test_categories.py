"""The rules of suspicions/creations/categories.py: a status that one category rejects and another one accepts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Create, Naming
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import FAILED, asked_by, created, named, outcome_of, refused, verdict_of
from selftests.tables import cases

CLAUSE = "create.status.accepted"
OTHER = 9


def rejected(name: str, at: float, category: int = 3) -> Exchange:
    """A sold animal that is rejected."""
    return refused(named(name, status="sold", categoryId=category), at=at)


def accepted(name: str, at: float, category: int = OTHER) -> Exchange:
    """A sold animal that is accepted."""
    return created(named(name, status="sold", categoryId=category), int(at * 100), at=at)


# Two names that are rejected as sold and accepted as pending, after the other category has accepted a sold one.
TWO = [
    accepted("Ottokaras", 1.0),
    *(
        each
        for at, name in ((2.0, "Abelardas"), (3.0, "Abelardbs"))
        for each in (
            rejected(name, at),
            created(named(name, status="pending", categoryId=3), int(at * 10), at=at + 0.1),
        )
    ),
]
TURN = [rejected("Ceciliasa", 4.0), accepted("Ceciliasb", 4.2), rejected("Ceciliasc", 4.4)]
TURNS = [*TURN, accepted("Dorotheaa", 4.6), rejected("Dorotheab", 4.8), accepted("Dorotheac", 5.0)]


def asked_in_turns(trace: list[Exchange]) -> list[Create]:
    """What is asked in both categories in turns."""
    experiments = [
        [step for step in each.steps if isinstance(step, Create)]
        for each in asked_by(verdict_of(CLAUSE, trace))
    ]
    categories = [[json.loads(step.payload)["categoryId"] for step in each] for each in experiments]
    return next(
        (steps for steps, of in zip(experiments, categories, strict=True) if of == [3, OTHER] * 3), []
    )


def test_both_categories_are_asked_in_turns() -> None:
    """Under new names, so that a quota of the status would show in both."""
    steps = asked_in_turns(TWO)
    assert {Naming.UNLIKE} == {each.naming for each in steps}
    assert {"sold"} == {json.loads(each.payload)["status"] for each in steps}


def test_the_category_that_accepted_it_first_is_asked() -> None:
    """Of several."""
    assert asked_in_turns([*TWO, accepted("Friderika", 1.2, 77)])


def test_none_is_asked_for_without_a_status() -> None:
    """Where animals without one are rejected in a category."""
    others = [
        each
        for at, name in ((2.0, "Abelardas"), (3.0, "Abelardbs"), (4.0, "Abelardcs"))
        for each in (
            refused(named(name, status=..., categoryId=3), at=at),
            created(named(name, status="pending", categoryId=3), int(at * 10), at=at + 0.1),
        )
    ]
    first = created(named("Ottokaras", status=..., categoryId=OTHER), 1, at=1.0)
    verdict = verdict_of("create.status.optional", [first, *others])
    payloads = [
        json.loads(step.payload)
        for each in asked_by(verdict)
        for step in each.steps
        if isinstance(step, Create)
    ]
    assert [{"name": "", "categoryId": each} for each in (3, OTHER)] * 3 == payloads


def test_a_status_that_one_category_rejects_in_turns_is_a_finding() -> None:
    """It shows what the other category accepted."""
    verdict = verdict_of(CLAUSE, [*TWO, *TURNS])
    assert FAILED is verdict.outcome
    shown = {each.reference for _, each in verdict.findings[0].finding.excluded}
    assert {each.reference for each in (TURNS[1], TURNS[3], TURNS[5])} <= shown


@pytest.mark.parametrize(
    "fewer",
    [
        TURN[:1],
        TURN[:2],
        TURNS[:5],
        [*TURN[:2], accepted("Dorotheaa", 4.6), accepted("Dorotheac", 5.0)],
        [*TURNS[:4], replace(TURNS[4], answered_s=5.1), TURNS[5]],
    ],
)
def test_fewer_turns_are_not_enough(fewer: list[Exchange]) -> None:
    """A quota may have had a place by chance."""
    assert FAILED != outcome_of(CLAUSE, [*TWO, *fewer])
    assert asked_in_turns([*TWO, *fewer])


@cases(
    "lawful",
    {
        "accepted in the same category before": [accepted("Friderika", 0.5, 3)],
        "accepted in the same category since": [accepted("Friderika", 6.0, 3)],
        "rejected in the other category, too": [rejected("Friderika", 4.3, OTHER)],
    },
)
def test_a_quota_of_the_status_is_no_finding(lawful: list[Exchange]) -> None:
    """Nor are the two asked in turns once more."""
    assert FAILED is not outcome_of(CLAUSE, [*TWO, *TURNS, *lawful])
    assert not asked_in_turns([*TWO, *TURNS, *lawful])


def test_a_rejection_in_the_other_category_before_the_first_in_this_one_says_nothing() -> None:
    """Nor do trials in a category that never accepts the status."""
    others = [rejected("Friderika", 1.5, OTHER), *(rejected(f"Gwendolin{each}", 4.3, 77) for each in "abc")]
    assert FAILED is outcome_of(CLAUSE, [*TWO, *TURNS, *others])
