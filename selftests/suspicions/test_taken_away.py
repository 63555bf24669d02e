"""The rule of suspicions/lists/taken_away.py: where getPet is removed, what lists leave out may have been taken away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.judge.experiments import Create, Read
from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import (
    ANSWER,
    asked_by,
    chosen_as_shown,
    created,
    failed_of,
    got,
    lost,
    named,
    own_name,
    verdict_of,
)
from selftests.suspicions.lists import explained, full, made, own, sold, suspected, whole
from selftests.tables import cases

CLAUSE = "list.complete"
REMOVED = "2030-12-06"
GONE = lost(3, at=4.0)
LACKING = [whole(at, 3) for at in (5.0, 6.0, 7.0)]
# A longer page, so that nothing cuts the others.
LONGER = [*made(4, at=8.0), whole(8.1, 3, 4)]
ONE = [*made(1, category=7), *made(3), GONE, *LACKING, *LONGER]


def like(first: Exchange, later: list[Exchange]) -> list[Exchange]:
    """The same, but that all that is created is what was created first."""
    return [
        replace(each, request=replace(each.request, body=first.request.body)) if each.request.body else each
        for each in later
    ]


def without(animal_id: int, at: float, *shown: int) -> list[Exchange]:
    """An animal, lists without it at once and after settling, and one that was created then and is listed."""
    settled = made(animal_id + 1, at=at + 4.0)
    return [
        *made(animal_id, at=at),
        whole(at + 0.1, *shown),
        *settled,
        whole(at + 4.2, *shown, animal_id + 1),
    ]


TWO = [*made(1, 3), whole(1.1, 3), GONE, *LACKING, *without(10, 20.0, 3), *without(20, 30.0, 3, 11)]


def test_two_animals_that_were_never_listed_have_not_been_taken_away() -> None:
    """They were created apart, and lists lacked each from the first."""
    assert {CLAUSE} == failed_of(TWO, today=REMOVED)
    (first, *_) = verdict_of(CLAUSE, TWO, today=REMOVED).findings
    assert "withdrawn" in dict(first.finding.excluded)


def test_the_first_lists_without_them_once_they_have_settled_are_the_proof() -> None:
    """So that the same finding is made, however long a run goes on."""
    (finding, *_) = verdict_of(CLAUSE, [*TWO, whole(50.0, 3, 11, 21)], today=REMOVED).findings
    assert 24.2 == dict(finding.finding.excluded)["withdrawn"].sent_s


@cases(
    "trace",
    {
        "one was listed once": [*TWO, whole(40.0, 1, 3, 11, 21), whole(44.0, 3, 11, 21)],
        "only one was looked for at once": [*made(1, 3), GONE, *LACKING, *without(10, 20.0, 3)],
        "one alone": ONE,
    },
)
def test_fewer_may_have_been_taken_away(trace: list[Exchange]) -> None:
    """Reading 16: nobody but lists could tell."""
    assert set() == failed_of(trace, today=REMOVED)


def test_as_long_as_getpet_is_there_it_is_asked() -> None:
    """It tells whether an animal is gone."""
    assert {"/pets/1"} <= {
        step.target
        for each in asked_by(verdict_of(CLAUSE, ONE))
        for step in each.steps
        if isinstance(step, Read)
    }


def test_two_new_ones_like_it_are_looked_for_in_the_same_list() -> None:
    """At once, and when they have settled."""
    told = asked_by(verdict_of(CLAUSE, ONE, today=REMOVED))
    (experiment,) = (each for each in told if each.explanation == "withdrawn")
    kinds = [type(each).__name__ for each in experiment.steps]
    assert ["Create", "Read", "Wait", "Read"] * 2 == kinds
    reads = {each.target for each in experiment.steps if isinstance(each, Read)}
    assert {"/pets?limit=100"} == reads
    assert all(own_name(1) in each.payload for each in experiment.steps if isinstance(each, Create))


@cases(
    ("later", "open_still"),
    {
        "nothing": ([], True),
        "listed": ([*made(1, at=20.0), whole(20.1, 3, 4, 1)], False),
        "one like it is listed": ([*made(8, at=20.0), whole(20.1, 3, 4, 8)], True),
        "two like it are listed": ([*made(8, 9, at=20.0), whole(20.1, 3, 4, 8, 9)], False),
        "two like it are not": (made(8, 9, at=20.0), True),
    },
)
def test_what_is_suspected_stays_so_until_lists_tell(later: list[Exchange], *, open_still: bool) -> None:
    """They show the animal itself, or others like it."""
    assert open_still == ("withdrawn" in suspected([*ONE, *like(ONE[0], later)], today=REMOVED))


def test_others_like_it_that_were_listed_before_say_nothing_of_what_is_listed_now() -> None:
    """They may have been the last that the store had room for."""
    lists = [whole(each.sent_s, 3, 8, 9) for each in LACKING]
    longer = [*made(4, at=8.0), whole(8.1, 3, 4, 8, 9)]
    trace = [*like(ONE[0], made(8, 9, at=0.2)), *made(1, 3), GONE, *lists, *longer]
    assert "withdrawn" in suspected(trace, today=REMOVED)


def test_new_ones_like_it_are_asked_for_once() -> None:
    """Not anew for each that was made, though a list has not shown them yet: that would fill the store."""
    own = [
        created(named(f"Ac{each * 10}", categoryId=7, status="sold"), at, at=at)
        for each, at in (("a", 1), ("b", 20), ("c", 21))
    ]
    trace = [own[0], *ONE[1:]]
    before, after = (
        asked_by(verdict_of(CLAUSE, some, today=REMOVED)) for some in (trace, [*trace, *own[1:]])
    )
    (experiment,) = (each for each in before if each.explanation == "withdrawn")
    assert experiment in after


def test_what_lists_showed_and_show_no_longer_was_taken_away() -> None:
    """Whatever the store keeps."""
    trace = [*made(1, 3), sold(1.1, 1, 3), GONE, *LACKING, *LONGER]
    assert set() == failed_of(trace, today=REMOVED)
    assert set() == suspected(trace, today=REMOVED)
    assert {"sampled"} == suspected([*trace, sold(7.5, 1, 3)], today=REMOVED)


def several(*listed: int, never: tuple[int, ...] = (), back: tuple[int, ...] = ()) -> list[Exchange]:
    """One that lists have never shown, beside others that they have shown and show no longer, but for those that are back."""
    trace = [
        *made(1, *listed, *never),
        *(whole(at, *listed) for at in (1.1, 2.0, 3.5)),
        GONE,
        *made(3, at=4.0),
    ]
    return [
        *trace,
        *(whole(at, 3, *back) for at in (8.0, 9.0, 10.0)),
        *made(4, at=11.0),
        whole(15.0, 3, 4, *back),
    ]


def test_where_several_were_taken_away_others_may_have_been() -> None:
    """A store that keeps the newest animals only has removed some before anybody looked."""
    trace = several(5, 6, 7)
    assert set() == suspected(trace, today=REMOVED)
    assert {"withdrawn"} <= explained(trace, CLAUSE, today=REMOVED)


def test_they_are_taken_away_when_the_last_list_says_so() -> None:
    """As soon as it does, whatever those before have shown."""
    trace = [*several(5, 6, 7, back=(5, 6, 7)), whole(19.0, 3, 4)]
    assert {"withdrawn"} <= explained(trace, CLAUSE, today=REMOVED)


@cases(
    "trace",
    {
        "two were": several(5, 6),
        "three were not listed either": several(never=(5, 6, 7)),
        "three are listed still": several(5, 6, 7, back=(5, 6, 7)),
    },
)
def test_fewer_do_not_tell_that_the_store_takes_animals_away(trace: list[Exchange]) -> None:
    """What lists go on leaving out would else be excused by the very fault."""
    assert "withdrawn" in suspected(trace, today=REMOVED)


FIRST_OF_TWO = [*made(1, 3), GONE, *LACKING, *without(10, 20.0, 3)]


def second(
    looked_s: float, settled_s: float, *, at: float = 30.0, shown: tuple[int, ...] = (3, 11)
) -> list[Exchange]:
    """Another one, and lists without it so long after its creation."""
    return [*made(20, at=at), whole(at + looked_s, *shown), whole(at + settled_s, *shown)]


@cases(
    ("trace", "failed"),
    {
        "looked for within a second": (second(1.01, 4.0), {CLAUSE}),
        "looked for later": (second(1.02, 4.0), set()),
        "settled": (second(0.1, 2.02), {CLAUSE}),
        "not settled": (second(0.1, 2.0), set()),
        "created before the first was looked for": (second(0.2, 3.0, at=20.05, shown=(3,)), set()),
        "created after the first was looked for once": (
            [*made(20, at=20.2), whole(20.3, 3), *made(21, at=23.9), whole(24.4, 3, 11, 21)],
            {CLAUSE},
        ),
        "listed full": ([*made(20, at=30.0), full(30.1, 3, 11), full(34.0, 3, 11)], set()),
        "shown by another list meanwhile": (
            [*made(20, at=30.0), whole(30.1, 3, 11), sold(30.5, 20), whole(34.0, 3, 11)],
            set(),
        ),
        "created twice, by its id": ([*second(0.1, 4.0), *made(20, at=50.0)], {"animal.id.unique"}),
        "after one that a list had no room for": (
            [*made(15, at=28.0), full(28.1, 3, 11), *second(0.1, 4.0)],
            {CLAUSE},
        ),
    },
)
def test_the_second_has_to_be_missed_soon_and_when_settled(trace: list[Exchange], failed: set[str]) -> None:
    """So that neither its age, nor one that was created later, nor the end of a page can have removed it."""
    assert failed == failed_of([*FIRST_OF_TWO, *trace, *chosen_as_shown()], today=REMOVED)


def crowded(*meanwhile: int) -> list[Exchange]:
    """Two that lists have never shown, these created before the second is looked for; lists show two of the newest at most."""
    return [
        *ONE,
        *made(10, at=20.0),
        whole(20.1, 4),
        *made(11, at=24.0),
        whole(24.2, 11),
        *made(20, at=30.0),
        *(made(each, at=30.01 + each / 1000)[0] for each in meanwhile),
        whole(30.2, *meanwhile),
        whole(34.2, *meanwhile),
    ]


def never_any(*ids: int) -> list[Exchange]:
    """Lists that have shown none of the run's animals, nor these, which are made side by side."""
    first = [whole(0.5), *made(1, 3), GONE, *(whole(at) for at in (5.0, 6.0, 7.0))]
    return [
        *first,
        *made(10, at=20.0),
        whole(20.1),
        whole(24.1),
        *made(*ids, at=30.0),
        whole(30.1),
        whole(34.1),
    ]


@cases(
    ("trace", "failed"),
    {
        "none": (crowded(), {CLAUSE}),
        "as many as lists have shown an animal with": (crowded(21), {CLAUSE}),
        "one more": (crowded(21, 22), set()),
        "none, and lists show nothing of the run": (never_any(20), {CLAUSE}),
        "another at the same time, and lists show nothing of the run": (never_any(20, 21), set()),
    },
)
def test_a_store_may_keep_some_of_the_newest_only(trace: list[Exchange], failed: set[str]) -> None:
    """What was created beside an animal before it was looked for may have taken its place, if it is more than lists had."""
    assert failed == failed_of(trace, today=REMOVED)


# Seven of the run, in the order of their creation, which is not that of their ids.
AGED = (50, 40, 60, 30, 70, 20, 80)


def test_full_lists_that_show_older_and_newer_ones_leave_out_what_is_between() -> None:
    """No end of a page is before it."""
    aged = [each for at, animal_id in enumerate(AGED) for each in made(animal_id, at=8.0 + at / 10)]
    amid = [
        *(*made(200, at=20.0), *made(90, at=20.05), full(20.1, 3, *AGED, 90), full(24.1, 3, *AGED, 90)),
        *(
            *made(210, at=30.0),
            *made(85, at=30.05),
            full(30.1, 3, *AGED, 90, 85),
            full(34.1, 3, *AGED, 90, 85),
        ),
    ]
    trace = [*made(1, 3), GONE, *LACKING, *aged, whole(9.5, 3, *AGED)]
    assert {CLAUSE} == failed_of([*trace, *amid, *chosen_as_shown()], today=REMOVED)
    assert set() == failed_of([*trace, *amid, *chosen_as_shown("sold")], today=REMOVED)
    assert set() == failed_of([*trace, *amid[:4], *chosen_as_shown()], today=REMOVED)


# What getPet and lists answer may be stored for an hour.
HOUR = (("Cache-Control", "max-age=3600"), *ANSWER)


def stored(*trace: Exchange, headers: Headers = HOUR) -> list[Exchange]:
    """The same, as of who knows when."""
    return [
        replace(each, response=replace(each.response, headers=headers))
        if each.response is not None and each.request.method == "GET"
        else each
        for each in trace
    ]


def lacking_among_new(animal_id: int, at: float, *shown: int) -> list[Exchange]:
    """An animal that getPet finds, and lists without it that show one that was created later, at once and when settled."""
    soon, settled = animal_id + 1, animal_id + 2
    return stored(
        *made(animal_id, at=at),
        got(animal_id, own(animal_id), at=at + 0.05),
        *made(soon, at=at + 0.1),
        whole(at + 0.2, *shown, soon),
        *made(settled, at=at + 4.0),
        whole(at + 4.2, *shown, soon, settled),
        got(animal_id, own(animal_id), at=60.0),
    )


FIRST = lacking_among_new(10, 20.0)
SECOND = lacking_among_new(20, 30.0, 11, 12)
LIKE = (30, 31)


def test_where_getpet_may_be_stored_for_long_new_animals_tell_how_old_a_list_is() -> None:
    """Two that lists never show, while they show newer ones, have not been withdrawn."""
    assert {CLAUSE} == failed_of([*FIRST, *SECOND])
    assert set() == failed_of(FIRST)
    (experiment,) = (each for each in asked_by(verdict_of(CLAUSE, FIRST)))
    kinds = [type(each).__name__ for each in experiment.steps]
    assert ["Create", "Create", "Read", "Wait", "Create", "Read"] * 2 == kinds


@cases(
    "trace",
    {
        "the second is listed later": [*FIRST, *SECOND, *stored(whole(40.0, 11, 12, 20, 21, 22))],
        "no newer one is shown": [
            *FIRST,
            *made(20, at=30.0),
            *stored(whole(30.2, 11, 12), whole(34.2, 11, 12)),
        ],
        "others like it are there": [*FIRST, *made(*LIKE, at=50.0), *stored(whole(50.1, 11, 12, *LIKE))],
    },
)
def test_a_list_may_be_as_old_as_the_newest_animal_that_it_shows(trace: list[Exchange]) -> None:
    """Reading 20."""
    assert set() == failed_of(trace)


@cases(
    ("later", "open_still"),
    {
        "nothing": ([], True),
        "one like it": (made(30, at=50.0), True),
        "two like it": (made(*LIKE, at=50.0), False),
    },
)
def test_two_more_tell_nothing_where_no_list_has_shown_them_by_then(
    later: list[Exchange], *, open_still: bool
) -> None:
    """A list that is stored for long may have been stored before they were made."""
    trace = [*FIRST, *like(FIRST[0], later)]
    assert open_still == ("withdrawn" in suspected(trace))


def test_a_list_that_is_stored_for_long_and_shows_none_of_the_run_is_as_old_as_it_says() -> None:
    """No new animal could tell that it is newer."""
    lists = stored(*(whole(at) for at in (4000.0, 8000.0, 12000.0)))
    trace = [*made(1, 3), GONE, *lists, *made(2, at=13000.0), whole(13004.0, 2)]
    assert {"cached"} == explained(trace, CLAUSE, today=REMOVED)
    assert "withdrawn" not in suspected(trace, today=REMOVED)


@pytest.mark.parametrize(("age_s", "created"), [(60, 2), (61, 6)])
def test_what_is_stored_for_a_minute_is_waited_for(age_s: int, created: int) -> None:
    """No animals have to be made beside the two that are looked for, to tell how old a list is."""
    headers = (("Cache-Control", f"max-age={age_s}"), *ANSWER)
    lists = stored(*(whole(at, 3) for at in (105.0, 170.0, 240.0)), headers=headers)
    longer = stored(whole(320.0, 3, 4), headers=headers)
    trace = [*made(1, 3), GONE, *lists, *made(4, at=248.0), *longer]
    asked = asked_by(verdict_of(CLAUSE, trace, today=REMOVED))
    (experiment,) = (each for each in asked if each.explanation == "withdrawn")
    assert created == sum(isinstance(each, Create) for each in experiment.steps)
