"""The rule of suspicions/lists/taken_away.py: where getPet is removed, what lists leave out may have been taken away."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.judge.experiments import Create, Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import ANSWER, asked_by, failed_of, got, lost, verdict_of
from selftests.suspicions.lists import explained, full, made, own, sold, suspected, whole
from selftests.tables import cases

CLAUSE = "list.complete"
REMOVED = "2030-12-06"
GONE = lost(3, at=4.0)
LACKING = [whole(at, 3) for at in (5.0, 6.0, 7.0)]
# A longer page, so that nothing cuts the others.
LONGER = [*made(4, at=8.0), whole(8.1, 3, 4)]
ONE = [*made(1, 3), GONE, *LACKING, *LONGER]


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
    assert all("Babette1" in each.payload for each in experiment.steps if isinstance(each, Create))


@cases(
    ("later", "open_still"),
    {
        "nothing": ([], True),
        "listed": ([*made(1, at=20.0), whole(20.1, 3, 4, 1)], False),
        "two like it are listed": ([*made(8, 9, at=20.0), whole(20.1, 3, 4, 8, 9)], False),
    },
)
def test_what_is_suspected_stays_so_until_lists_tell(later: list[Exchange], *, open_still: bool) -> None:
    """They show the animal itself, or others like it."""
    alike = [
        replace(each, request=replace(each.request, body=ONE[0].request.body)) if each.request.body else each
        for each in later
    ]
    assert open_still == ("withdrawn" in suspected([*ONE, *alike], today=REMOVED))


def test_what_lists_showed_and_show_no_longer_was_taken_away() -> None:
    """Whatever the store keeps."""
    trace = [*made(1, 3), sold(1.1, 1, 3), GONE, *LACKING, *LONGER]
    assert set() == failed_of(trace, today=REMOVED)
    assert set() == suspected(trace, today=REMOVED)
    assert {"sampled"} == suspected([*trace, sold(7.5, 1, 3)], today=REMOVED)


def test_where_several_were_taken_away_others_may_have_been() -> None:
    """A store that keeps the newest animals only has removed some before anybody looked."""
    trace = [*made(1, 2, 5, 6, 7), whole(1.1, 5, 6, 7), GONE, *made(3, at=4.0)]
    trace += [*(whole(at, 3) for at in (8.0, 9.0, 10.0)), *made(4, at=11.0), whole(15.0, 3, 4)]
    assert set() == suspected(trace, today=REMOVED)
    assert {"withdrawn"} == explained(trace, CLAUSE, today=REMOVED)


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
        "listed full": ([*made(20, at=30.0), full(30.1, 3, 11), full(34.0, 3, 11)], set()),
    },
)
def test_the_second_has_to_be_missed_soon_and_when_settled(trace: list[Exchange], failed: set[str]) -> None:
    """So that neither its age, nor one that was created later, nor the end of a page can have removed it."""
    assert failed == failed_of([*FIRST_OF_TWO, *trace], today=REMOVED)


# What getPet and lists answer may be stored for an hour.
HOUR = (("Cache-Control", "max-age=3600"), *ANSWER)


def stored(*trace: Exchange) -> list[Exchange]:
    """The same, as of who knows when."""
    return [
        replace(each, response=replace(each.response, headers=HOUR))
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
