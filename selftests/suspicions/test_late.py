"""The rule of suspicions/retrievals/late.py: what getPet misses while replicas may lag."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from animal_conformance.judge.experiments import Create, Read, ReadCreated, Wait, WaitUntil
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import (
    ANSWER,
    TERMS,
    WRONG,
    animal,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    steps_asked,
    unauthorised,
)
from selftests.suspicions.lists import suspected
from selftests.tables import cases

missed = partial(suspected, clause_id="get.found")


def test_an_animal_is_not_missed_before_the_time_to_settle() -> None:
    """Reading 11: replicas may lag; an animal is known from when its creation was answered."""
    for at, why in ((3.0, "lagging"), (3.1, "withdrawn")):
        assert {why} == missed([created(took=0.05), lost(1, at=at)])
    assert {"withdrawn"} == missed([created(), lost(1, at=2.5)], settle_s=1.0)


def test_an_animal_that_was_missed_too_early_is_asked_for_again() -> None:
    """Unless a request with the key told of it since."""
    early = [created(), lost(1, at=1.5)]
    assert [WaitUntil(3.01), Read("/pets/1")] == steps_asked("get.found", early)
    assert set() == missed([*early, got(1, at=1.9)])
    assert {"withdrawn"} == missed([*early, lost(1, at=3.1)])
    for other in (unauthorised(got(1), WRONG, at=3.1), listing([animal(1)], at=3.1), lost(99, at=1.6)):
        assert {"lagging"} == missed([*early, other])


# Two that the first request finds when they have settled: others that only the second one finds are late.
AT_FIRST = [
    each
    for number in (8, 9)
    for each in (created(animal_id=number, at=30.0), got(number, at=35.0), got(number, at=35.5))
]


def test_those_that_a_list_had_shown_first_do_not_speak_for_one_that_none_has_shown() -> None:
    """GetPet may know only what a list has shown."""
    early = [*AT_FIRST, created(at=1.0), lost(1, at=1.5)]
    numbers = (2, 3, 4)
    others = [
        each
        for number in numbers
        for each in (created(animal_id=number, at=1.0), lost(number, at=1.6), got(number, at=1.9))
    ]
    listed = listing([animal(each) for each in numbers], at=1.7)
    assert set() == missed([*early, *others])
    assert {"lagging"} == missed([*early, *others, listed])
    for at in (1.9, 1.95):
        assert set() == missed([*early, *others, replace(listed, sent_s=at, answered_s=at + 0.01)])
    late = listing([animal(each) for each in (1, *numbers)], at=2.0)
    assert set() == missed([*early, *others, listed, late])


def test_a_404_that_was_stored_before_the_animal_was_known_says_nothing_of_it() -> None:
    """Caches keep a 404 as well; it is asked for again when that time is over."""
    stored = (("Age", "2"), ("Cache-Control", "max-age=10"), *ANSWER)
    trace = [created(), lost(1, at=8.0, headers=stored)]
    assert ({"lagging"}, [WaitUntil(13.01), Read("/pets/1")]) == (
        missed(trace),
        steps_asked("get.found", trace),
    )
    assert {"withdrawn"} == missed([*trace, lost(1, at=13.1, headers=stored)])
    minute = [created(), lost(1, at=8.0, headers=(("Cache-Control", "max-age=60"), *ANSWER))]
    assert [WaitUntil(63.01), Read("/pets/1")] == steps_asked("get.found", minute)


HOUR = (("Cache-Control", "max-age=3600"), *ANSWER)
AGED = (("Age", "300"), *HOUR)
# The run's own names, unlike each other only in how they begin.
OWN = [named(f"Acabcdefghi{each}") for each in "abcdefgh"]
LATE_S, SOON_S = 5.0, 0.5


def first_asked(animal_id: int, after_s: float, *, there: bool = False, **options: Any) -> list[Exchange]:
    """An animal like the first, and what getPet says of it when it is asked for the first time."""
    at = 10.0 * animal_id
    answer = (
        got(animal_id, at=at + after_s, headers=HOUR)
        if there
        else lost(animal_id, at=at + after_s, headers=HOUR)
    )
    return [created(OWN[animal_id], animal_id, at=at), replace(answer, **options)]


LOST = [created(OWN[1]), lost(1, at=1.5, headers=HOUR), lost(1, at=8.0, headers=HOUR)]
NEVER = [*LOST, *first_asked(2, SOON_S), *first_asked(3, LATE_S), *first_asked(4, LATE_S)]


def test_a_404_that_may_be_stored_for_an_hour_is_put_to_the_test_with_what_nobody_has_asked_for() -> None:
    """It is not stored: animals are created, and each asked for once, soon or when it has settled."""
    asked = steps_asked("get.found", LOST)
    once = [Create, ReadCreated], [Create, Wait, ReadCreated]
    assert [*once[0], *once[1], *once[1]] * 2 == [type(each) for each in asked]
    assert {SOON_S, TERMS.settle_s + 0.1} == {each.seconds for each in asked if isinstance(each, Wait)}
    assert {"get.found"} == failed_of(NEVER)


@cases(
    "trace",
    {
        "one alone was late": [*LOST, *first_asked(2, SOON_S), *first_asked(3, LATE_S)],
        "one alone was soon": [*LOST, *first_asked(3, LATE_S), *first_asked(4, LATE_S)],
    },
)
def test_what_may_be_late_or_withdrawn_is_no_finding(trace: list[Exchange]) -> None:
    """Two that are asked for soon may be late; two that are asked for later may have been withdrawn."""
    assert set() == failed_of(trace)


@cases(
    "other",
    {
        "found soon": first_asked(5, SOON_S, there=True),
        "found late": first_asked(5, LATE_S, there=True),
        "stored although nobody has asked": [created(OWN[5], 5, at=50.0), lost(5, at=51.0, headers=AGED)],
        "others are taken away": [*first_asked(5, SOON_S, there=True), lost(5, at=60.0, headers=HOUR)],
        "unlike it and taken away": [
            created(named("Rex"), 9, at=60.0),
            got(9, at=60.1),
            lost(9, at=70.0, headers=HOUR),
        ],
    },
)
def test_one_like_it_that_is_found_or_any_that_is_taken_away_explains_it(other: list[Exchange]) -> None:
    """Then it may be stored, or have been taken away."""
    assert set() == failed_of([*NEVER, *other])
    assert "cached" not in missed([*NEVER, *other])


@cases(
    "other",
    {
        "of others": [listing([animal(9)], at=0.5), got(9, at=20.0)],
        "asked for in vain": [created(OWN[5], 9, at=60.0), lost(9, 429, at=70.0)],
        "unlike it": [created(named("Acabcdefghic <b>"), 9, at=60.0), got(9, at=70.0)],
    },
)
def test_other_animals_say_nothing_of_whether_new_ones_are_found(other: list[Exchange]) -> None:
    """What others made may have been asked for before, and what is not answered is neither there nor gone."""
    assert "get.found" in failed_of([*NEVER, *other])


def test_new_animals_are_like_the_one_that_is_missed() -> None:
    """What was accepted although it is invalid may be refused, and is not sent again."""
    other = created(named("Rex", status="sold"), 2, at=2.0)
    for sent in (OWN[0], named("Acabcdefghia", status="pending")):
        (first, *_) = steps_asked("get.found", [created(sent), lost(1, at=1.5, headers=HOUR), other])
        assert isinstance(first, Create)
        assert sent == json.loads(first.payload)
    assert "cached" not in missed([created({"name": ""}), lost(1, at=1.5, headers=HOUR), other])


def test_in_a_soak_an_animal_that_was_missed_too_early_gives_rise_to_no_suspicion() -> None:
    """Its users ask again by themselves, which is judged with another window."""
    assert set() == missed([created(), lost(1, at=1.5)], profile=SOAK)


def test_of_many_that_were_missed_too_early_the_newest_three_are_asked_for_together() -> None:
    """They share the wait of one experiment, which is that of the last of them."""
    numbers = (1, 2, 3, 4)
    early = [created(animal_id=each, at=1.0 + each / 10) for each in numbers]
    early += [lost(each, at=1.5) for each in numbers]
    asked = steps_asked("get.found", early)
    assert [WaitUntil(3.41), Read("/pets/2"), Read("/pets/3"), Read("/pets/4")] == asked
    # Those that no list has shown, of their own.
    listed = listing([animal(each) for each in (2, 3, 4)], at=1.2)
    assert Read("/pets/1") in steps_asked("get.found", [*early, listed])


def test_three_that_were_created_later_and_found_late_speak_for_one_that_was_missed_too_early() -> None:
    """Replicas lag: those that were created before it say nothing of a fault that began with it."""
    early = [*AT_FIRST, created(at=1.0), lost(1, at=1.5)]
    for made_s, explained in ((1.0, True), (0.5, False)):
        others = [
            [created(animal_id=each, at=made_s), lost(each, at=1.6), got(each, at=1.9)] for each in (2, 3, 4)
        ]
        assert {"lagging"} == missed([*early, *chain(*others[:2])])
        assert explained is (not missed([*early, *chain(*others)]))


def test_those_that_getpet_missed_before_they_were_there_do_not_speak_for_others() -> None:
    """Nor do those that it has never missed."""
    early = [created(), lost(1, at=1.5)]
    before = [[lost(each, at=0.5), created(animal_id=each, at=1.1), got(each, at=1.2)] for each in (2, 3, 4)]
    never = [[created(animal_id=each, at=1.1), got(each, at=1.2)] for each in (5, 6, 7)]
    assert {"lagging"} == missed([*early, *chain(*before, *never)])
