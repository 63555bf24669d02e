"""The rules of rules/completing.py: lists that may have been stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create, Read, WaitUntil
from animal_conformance.judge.knowledge.presence import declared_age_s
from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import JSON, asked_by, failed_of, got, verdict_of
from selftests.suspicions.lists import explained, made, own, suspected, whole


def test_a_list_that_no_longer_shows_a_new_animal_is_read_on_new_connections() -> None:
    """A replica may lag until it has settled; a worker process that keeps an old list does so afterwards as well."""
    back = [*made(1), whole(1.5, 1), whole(1.7)]
    (experiment,) = verdict_of("list.complete", back).suspected[0].suspicion.experiments
    assert "lagging" == experiment.explanation
    assert [Read("/pets?limit=100", anew=True)] * 8 == list(experiment.steps[1:])
    apart = [whole(9.0 + each / 10, 1) for each in range(8)]
    in_a_row = [replace(each, sequence=1, step=number) for number, each in enumerate(apart, 1)]
    assert {"lagging"} == suspected([*back, *apart])
    assert set() == suspected([*back, *in_a_row])
    assert "lagging" in explained([*back, *in_a_row], "list.complete")
    assert "lagging" not in suspected([*back, *in_a_row[:7], whole(9.7)])
    # One that was under way when the other was sent shows what was there before.
    assert set() == suspected([*made(1), whole(1.5, 1, took=0.3), whole(1.6), whole(9.0, 1)])


@pytest.mark.parametrize("age", [2, 60])
def test_a_list_that_may_be_stored_is_read_on_new_connections_when_what_is_stored_has_settled(
    age: int,
) -> None:
    """How long it is still fresh may be all that a response says: the one that lacks an animal may have had its time."""

    def stored(at: float, *ids: int, fresh: int = age, **options: Any) -> Exchange:
        return whole(at, *ids, headers=(*JSON, ("Cache-Control", f"max-age={fresh}")), **options)

    back = [*made(1), stored(1.5, 1), stored(1.7, fresh=0)]
    (experiment,) = verdict_of("list.complete", back).suspected[0].suspicion.experiments
    assert WaitUntil(3.01 + age) == experiment.steps[0]

    def read(from_s: float) -> list[Exchange]:
        at = [from_s + each / 10 for each in range(8)]
        return [replace(stored(each, 1), sequence=1, step=step) for step, each in enumerate(at, 1)]

    assert {"lagging"} == suspected([*back, *read(3.0)])
    assert set() == suspected([*back, *read(3.1 + age)])
    assert "lagging" in explained([*back, *read(3.1 + age)], "list.complete")


def test_a_list_that_may_be_stored_for_long_is_not_waited_for() -> None:
    """Earlier ones that may be as old excuse nothing."""
    hour = (*JSON, ("Cache-Control", "max-age=3600"))
    trace = [*made(1), whole(1.5, 1, headers=hour), whole(1.7)]
    assert {"lagging"} == suspected(trace)
    assert {"lagging"} == suspected([*trace, whole(9.0, 1)])
    assert "cached" in explained([*trace, whole(9.0, 1, headers=hour)], "list.complete")
    assert set() == suspected([*trace, whole(9.0, 1, headers=hour)])


@pytest.mark.parametrize(("age", "said"), [(30, {"cached"}), (61, set())])
def test_a_stored_list_is_requested_again_when_it_has_expired(age: int, said: set[str]) -> None:
    """Reading 20: an older one than a minute is an excuse."""
    headers = (*JSON, ("Cache-Control", f"max-age={age}"))
    trace = [*made(1, 3), *(whole(at, headers=headers) for at in (0.5, 5.0, 9.0))]
    assert said == suspected(trace)
    assert not {"list.complete", "list.status.complete"} & failed_of(trace)
    fresh = [*trace, whole(99.0, 1, 3, headers=headers)]
    assert {"cached"} == explained(fresh, "list.complete")


def test_a_list_is_no_older_than_what_it_shows_of_the_run() -> None:
    """However long it may be kept, its newest animal had been created when it was made; what is no newer may be the same one."""
    headers = (*JSON, ("Cache-Control", "max-age=3600"))
    creations = [each for number, at in ((6, 9.0), (7, 10.6), (8, 11.6)) for each in made(number, at=at)]
    longer = [*made(5, at=13.0), whole(13.5, 3, 6, 7, 8, 5, headers=headers)]
    around = [*made(1, 3), *creations, *(got(1, own(1), at=10.2 + at) for at in range(3)), *longer]

    def pages(*shown: tuple[int, ...]) -> list[Exchange]:
        return [whole(10.0 + at, 3, *ids, headers=headers) for at, ids in enumerate(shown)]

    assert {"list.complete"} == failed_of([*around, *pages((6,), (6, 7), (6, 7, 8))])
    assert set() == failed_of([*around, *pages((6,), (6,), (6,))])
    assert set() == failed_of([*around, *pages((), (), ())])


def test_lists_that_may_be_kept_for_long_are_requested_after_creations() -> None:
    """One that shows the new animal is new; where lists show none of the run, none is created."""
    headers = (*JSON, ("Cache-Control", "max-age=3600"))
    around = [*made(1, 3), *made(6, at=9.0), got(1, own(1), at=10.2), *made(5, at=13.0)]
    pages = [whole(10.0, 3, 6, headers=headers), whole(13.5, 3, 6, 5, headers=headers)]
    told = asked_by(verdict_of("list.complete", [*around, *pages]))
    steps = [[type(step).__name__ for step in each.steps] for each in told]
    assert ["WaitUntil", *["Create", "Read", "Read"] * 3] in steps


@pytest.mark.parametrize(("age", "read"), [(20, ["list", "pet", "list"]), (21, ["list", "pet"])])
def test_a_list_that_may_be_kept_is_read_on_both_sides_of_getpet(age: int, read: list[str]) -> None:
    """Three times within a minute; one that may be kept for longer is read after creations."""
    headers = (*JSON, ("Cache-Control", f"max-age={age}"))
    pages = [whole(60.0, 3, headers=headers), whole(68.5, 3, 4, headers=headers)]
    trace = [*made(1, 3), pages[0], *made(4, at=68.0), pages[1], got(1, own(1), at=99.0)]
    for experiment in asked_by(verdict_of("list.complete", trace)):
        targets = {"list": "/pets?limit=100", "pet": "/pets/1"}
        _, *steps = (each for each in experiment.steps if not isinstance(each, Create))
        assert [Read(targets[each]) for each in read] == steps[: len(read)]
        assert (len(read) == 2) is any(isinstance(each, Create) for each in experiment.steps)


@pytest.mark.parametrize(
    ("headers", "age_s"),
    [
        ((), 0),
        ((("Age", "50"),), 50),
        ((("Cache-Control", "max-age=10"),), 10),
        ((("Cache-Control", "max-age=10"), ("Age", "50")), 50),
        ((("Cache-Control", "max-age=10"), ("Age", "7")), 10),
        ((("Cache-Control", "max-age=0, stale-while-revalidate=60"),), 60),
        ((("Cache-Control", "max-age=5, s-maxage=20, stale-while-revalidate=30"),), 50),
        ((("Cache-Control", "max-age=0"), ("Age", "7")), 7),
    ],
)
def test_a_response_is_as_old_as_it_says(headers: Headers, age_s: float) -> None:
    """RFC 9111 and RFC 5861: by how long it may be used, and by its Age."""
    assert age_s == declared_age_s(whole(1.0, headers=headers))
