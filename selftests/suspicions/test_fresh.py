"""The rules of suspicions/values/fresh.py: whether new animals are wrong at first, or change by themselves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create
from animal_conformance.judge.suspicions.values.changed import survey_of
from animal_conformance.judge.suspicions.values.histories import Of
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ANSWER,
    CANT_TELL,
    FAILED,
    PASSED,
    asked_by,
    created,
    got,
    ledger_of,
    listing,
    named,
    outcome_of,
    verdict_of,
)
from selftests.suspicions.told import A, B, C, own, status_of
from selftests.tables import cases


@cases(
    ("second", "outcome"),
    {
        "it changes too": ([(0.1, B), (3.0, "x")], FAILED),
        "it stays": ([(0.1, B), (3.0, B)], CANT_TELL),
        "it changes while it is young": ([(0.1, B), (6.0, "x")], FAILED),
        "it changes late": ([(0.1, B), (6.1, "x")], CANT_TELL),
        "it is read late": ([(2.0, B), (3.0, "x")], CANT_TELL),
        "it changes once more": ([(0.1, B), (3.0, "x"), (20.0, "w")], FAILED),
        "not read again": ([(0.1, B)], CANT_TELL),
        "not read": ([], CANT_TELL),
    },
)
def test_a_change_of_each_animal_and_the_next_ones_like_it_is_a_finding(
    second: list[tuple[float, str]], outcome: str
) -> None:
    """Not at one time, which an import may be, but each at its own; nor of two, which editors may come upon."""
    first = own(1, A, (0.1, A), (3.0, "y"))
    third = own(3, C, (0.1, C), (3.0, "z"), at=20.0)
    assert outcome == outcome_of("create.name.exact", [*first, *own(2, B, *second, at=10.0), *third])
    assert CANT_TELL == outcome_of("create.name.exact", [*first, *own(2, B, *second, at=10.0)])
    at_once = [*first, *own(2, B, *second, at=1.0), *own(3, C, (0.1, C), (3.0, "z"), at=1.0)]
    assert CANT_TELL == outcome_of("create.name.exact", at_once)


EACH = [
    *own(1, A, (0.1, A), (3.0, "y")),
    *own(2, B, (0.1, B), (3.0, "x"), at=4.5),
    *own(3, C, (0.1, C), (3.0, "z"), (4.0, "v"), at=20.0),
]
D = "Acdbcdefghij"


@cases(
    ("older", "outcome"),
    {
        "it is right when younger ones are not": ([(0.1, "A"), (9.0, "A"), (12.0, "x")], CANT_TELL),
        "that reading may lag": ([(0.1, "A"), (8.0, "A"), (12.0, "x")], FAILED),
    },
)
def test_what_changes_in_each_animal_changes_in_the_older_one_first(
    older: list[tuple[float, str]], outcome: str
) -> None:
    """Editors who go on changing any of them come upon all in the end, in no order."""
    young = ((A, 1.0), (B, 5.0), (C, 20.0))
    trace = [
        each
        for number, (name, made_s) in enumerate(young, 1)
        for each in own(number, name, (0.1, name), (3.0, "y"), at=made_s)
    ]
    other = own(4, D, *((at, D if name == "A" else name) for at, name in older), at=1.5)
    assert outcome == outcome_of("create.name.exact", [*trace, *other])
    assert FAILED == outcome_of("create.name.exact", trace)
    # Those that getPet has returned may have changed for that.
    listed = listing([{**named(D), "id": 4}], at=10.5)
    assert FAILED == outcome_of("create.name.exact", [*trace, *own(4, D, (12.0, "x"), at=1.5), listed])
    # One that is younger may be right for longer than others were, if nothing has happened to it yet.
    late = own(4, D, (0.1, D), (5.5, D), (7.0, "x"), at=20.5)
    assert FAILED == outcome_of("create.name.exact", [*trace, *late])


def test_animals_that_were_made_in_turns_change_one_after_another_too() -> None:
    """Each of two experiments has made its next one before the animal of the other was seen to change."""
    names = [f"Ac{each * 10}" for each in "bcdef"]
    made = zip(names, (0.0, 0.5, 3.2, 3.7, 6.4), strict=True)
    turns = [own(at, name, (0.1, name), (3.0, "x"), at=made_s) for at, (name, made_s) in enumerate(made, 1)]
    assert FAILED == outcome_of("create.name.exact", [each for turn in turns for each in turn])
    assert CANT_TELL == outcome_of("create.name.exact", [each for turn in turns[:4] for each in turn])


def test_animals_that_only_a_list_beside_their_creation_showed_right_are_told_apart_by_when_they_were_made() -> (
    None
):
    """What was sent before the 201 is a reading, and no telling."""
    trace = []
    for number, (name, made_s) in enumerate(((A, 1.0), (B, 1.05), (C, 8.0)), 1):
        beside = listing([{**named(name), "id": number}], at=made_s - 0.01, took=0.02)
        trace += [beside, *own(number, name, (0.1, "x"), (3.0, "x"), at=made_s)]
    assert CANT_TELL == outcome_of("create.name.exact", trace)


def test_a_change_of_each_animal_is_shown_by_the_last_of_them() -> None:
    """Where it changed first; the second was made right after the first had changed."""
    found = verdict_of("create.name.exact", EACH).findings
    assert {(("edited", EACH[8]),)} == {each.finding.excluded for each in found}


@cases(
    ("fourth", "outcome"),
    {
        "read soon and after settling": (own(4, D, (1.0, D), (2.0, D), at=30.0), CANT_TELL),
        "not read soon": (own(4, D, (1.1, D), (3.0, D), at=30.0), FAILED),
        "not read after settling": (own(4, D, (0.1, D), (1.9, D), at=30.0), FAILED),
        "two with the same id": ([*own(4, D, at=30.0), *own(4, D, at=31.0)], FAILED),
    },
)
def test_one_like_them_that_stays_as_it_was_speaks_against_it(fourth: list[Exchange], outcome: str) -> None:
    """If it was read as long as the others."""
    assert outcome == outcome_of("create.name.exact", [*EACH, *fourth])


@pytest.mark.parametrize(("right_s", "outcome"), [(2.0, CANT_TELL), (4.0, CANT_TELL), (4.02, FAILED)])
def test_two_that_changed_at_one_time_are_no_finding_where_one_reading_lags(
    right_s: float, outcome: str
) -> None:
    """The second is still right after settling, or else it was made after the first was seen changed."""
    first = own(1, A, (0.1, A), (1.0, "y"))
    second = own(2, B, (0.1, B), (right_s - 1.0, B), (4.0, "x"))
    third = own(3, C, (0.1, C), (3.0, "z"), at=20.0)
    assert outcome == outcome_of("create.name.exact", [*first, *second, *third])


def test_animals_like_it_that_stay_explain_one_that_changed() -> None:
    """One that was read after another creation, or two."""
    shown = {**named(A), "id": 1, "name": "y"}
    changed = [*own(1, A, (0.1, A), (3.0, "y")), got(1, shown, at=6.0), listing([shown], at=6.5)]
    (suspected,) = verdict_of("create.name.exact", changed).suspected
    (like,) = suspected.suspicion.experiments
    assert 3 == sum(isinstance(each, Create) for each in like.steps)
    stayed = own(2, B, (0.1, B), (3.0, B), at=10.0)
    assert CANT_TELL == outcome_of("create.name.exact", [*changed, *stayed])
    assert CANT_TELL == outcome_of("create.name.exact", [*changed, *stayed, *own(3, "Rex", at=14.0)])
    twice = own(2, B, (0.1, B), (0.2, B), (3.0, B), at=10.0)
    for one in (stayed, twice):
        assert PASSED == outcome_of("create.name.exact", [*changed, *one, *own(3, "Rex", at=11.0)])
    third = own(3, C, (0.1, C), (3.0, C), at=20.0)
    assert PASSED == outcome_of("create.name.exact", [*changed, *stayed, *third])
    unlike = [*own(2, B + "!", (0.1, B + "!"), (3.0, B + "!"), at=10.0), *own(3, "Rex", at=11.0)]
    assert CANT_TELL == outcome_of("create.name.exact", [*changed, *unlike])
    before = [*own(2, B, (0.1, B), (3.0, B), at=0.1), *own(3, C, (0.1, C), (3.0, C), at=0.2)]
    assert CANT_TELL == outcome_of("create.name.exact", [*changed, *before])


def bodies(trace: list[Exchange], animal_id: int, **terms: Any) -> list[str]:
    """The payloads of the animals that are to be created for what is told of one."""
    ruling = survey_of(ledger_of(*trace, **terms), "name", Of.RUN).rulings[animal_id]
    return [step.payload for each in ruling.experiments for step in each.steps if isinstance(step, Create)]


def body_of(creation: Exchange) -> str:
    """What was sent."""
    return (creation.request.body or b"").decode()


def test_new_ones_are_made_like_the_one_that_was_youngest_when_it_changed() -> None:
    """First, and of those that were read right."""
    older = own(1, A, (0.1, A), (3.0, "y"))
    younger = own(2, B + "!", (0.1, B + "!"), (2.5, "x"), (9.0, "w"), at=10.0)
    wrong = own(3, C + "?", (0.1, "v"), at=20.0)
    for animal_id in (1, 2):
        assert [body_of(younger[0])] * 3 == bodies([*older, *younger, *wrong], animal_id)


def test_an_animal_that_was_wrong_when_it_was_first_read_is_made_twice() -> None:
    """However late that was."""
    late = own(1, A, (5.0, "x"))
    assert [body_of(late[0])] * 2 == bodies(late, 1)


@cases(
    ("animal_id", "like"),
    {
        "one of the most": (4, 4),
        "another of the most": (5, 4),
        "one with the shortest name": (6, 6),
        "one of a third kind": (7, 4),
        "one that was read late": (1, 4),
    },
)
def test_new_ones_are_made_of_two_kinds_of_those_that_were_wrong_at_first(animal_id: int, like: int) -> None:
    """Read soon rather than late, and many rather than few; what these do, the others do."""
    names = [
        f"Ac{each}bcdefghij{rest}"
        for each, rest in zip("abcdefg", ("~", "~", "~", "!!", "!!", "?", "zz"), strict=True)
    ]
    trace = [
        each
        for number, name in enumerate(names, 1)
        for each in own(number, name, (5.0 if number < 4 else 0.1, "wrong"))
    ]
    assert [body_of(trace[2 * like - 2])] * 2 == bodies(trace, animal_id)


def test_a_new_one_that_is_wrong_at_first_as_well_does_not_speak_for_another() -> None:
    """It may be right afterwards."""
    wrong = own(1, A, (0.1, "x"))
    trace = [*wrong, *like(2, (0.1, B)), *like(3, (0.1, "y"), (0.2, B))]
    assert [body_of(wrong[0])] * 2 == bodies(trace, 1, profile="soak")
    assert [] == bodies([*wrong, *like(2, (0.1, B)), *like(3, (0.1, B))], 1, profile="soak")


def test_two_that_are_wrong_at_first_are_found_by_who_was_read_first() -> None:
    """Not by who was made first."""
    trace = [*own(1, A, (0.9, "x")), *own(2, B, (0.1, "y"), at=1.2), *own(3, C, (0.1, "z"), at=1.5)]
    assert FAILED == outcome_of("create.name.exact", trace)


def test_a_status_that_is_wrong_at_first_and_right_afterwards_has_not_moved() -> None:
    """It moves once it was read."""
    trace = [
        each
        for number in (1, 2)
        for each in status_of(number, 5.0 * number, ("listed", 0.1, "sold"), ("got", 0.3, "available"))
    ]
    assert FAILED == outcome_of("create.status.exact", trace)


def test_where_statuses_move_later_some_move_before_they_are_first_read() -> None:
    """Somebody sells one now and then, whatever it is like: those that were read right since show that it is no rule."""
    trace = [
        each
        for number, told in enumerate(("sold", "available", "sold"), 1)
        for each in status_of(number, 5.0 * number, ("got", 0.1, told))
    ]
    moved = status_of(2, 10.0, ("got", 9.0, "sold"))[1:]
    assert FAILED == outcome_of("create.status.exact", trace)
    assert FAILED != outcome_of("create.status.exact", [*trace, *moved])


def test_statuses_that_others_move_from_excuse_no_animal_with_another_status() -> None:
    """Somebody makes pending animals available: those that were created as available were not pending."""
    wrong = [each for number in (1, 2) for each in status_of(number, 5.0 * number, ("got", 0.05, "sold"))]
    sent = named(B, status="pending")
    moved = [
        created(sent, 7, at=1.0),
        *(got(7, {**sent, "id": 7, "status": told}, at=at) for told, at in (("pending", 1.1), ("sold", 9.0))),
    ]
    assert FAILED == outcome_of("create.status.exact", [*moved, *wrong])


@cases("read_s", {"before it": 0.05, "beside the creation": -0.02})
def test_a_status_may_move_once_a_list_of_it_has_shown_it(read_s: float) -> None:
    """A list filtered by it is a reading, and so is one that was sent before the creation was answered."""
    trace = []
    for number in (1, 2):
        creation, *told = status_of(number, 5.0 * number, ("got", 0.1, "sold"), ("listed", 0.3, "sold"))
        sent = json.loads(creation.request.body or b"")
        shown = listing([{**sent, "id": number}], state="available", at=5.0 * number + read_s)
        trace += [creation, shown, *told]
    assert FAILED != outcome_of("create.status.exact", trace)
    assert FAILED == outcome_of(
        "create.status.exact", [each for each in trace if each.request.target != "/pets?status=available"]
    )


def test_of_a_list_and_getpet_that_are_both_wrong_at_first_getpet_is_shown() -> None:
    """Whichever was first."""
    one, two = (
        status_of(number, 5.0 * number, ("listed", 0.05, "sold"), ("got", 0.08, "sold")) for number in (1, 2)
    )
    found = verdict_of("create.status.exact", [*one, *two]).findings[0].finding
    assert (("moved", one[2]), ("moved", two[2])) == found.excluded


def like(animal_id: int, *names: tuple[float, str]) -> list[Exchange]:
    """A new one like the one that was wrong at first."""
    return own(animal_id, B, *names, at=10.0 + animal_id)


@cases(
    ("second", "outcome"),
    {
        "right": (like(3, (0.1, B)), PASSED),
        "read late": (like(3, (1.1, B)), CANT_TELL),
        "not read": (like(3), CANT_TELL),
        "made with an id that another has": ([*like(3, (0.1, B)), *like(3)], CANT_TELL),
        "right in a list": ([*like(3), listing([{**named(B), "id": 3}], limit=50, at=13.1)], CANT_TELL),
    },
)
def test_new_ones_tell_of_a_wrong_first_reading_if_both_are_read_right_soon(
    second: list[Exchange], outcome: str
) -> None:
    """By the operation that told the wrong value."""
    shown = {**named(A), "id": 1, "name": "x"}
    wrong = [*own(1, A, (0.1, "x")), got(1, shown, at=20.0), listing([shown], at=21.0)]
    trace = [*wrong, *like(2, (0.1, B)), *second]
    assert outcome == outcome_of("create.name.exact", trace, profile="soak")


RIGHT = ("got", 0.1, "available")


@cases(
    ("told", "outcome"),
    {
        "getPet tells it before": ((RIGHT, ("got", 3.0, "sold"), ("listed", 3.1, "sold")), PASSED),
        "getPet tells it right afterwards": ((RIGHT, ("listed", 3.1, "sold"), ("got", 3.2, "sold")), PASSED),
        "getPet tells it long afterwards": (
            (RIGHT, ("listed", 3.1, "sold"), ("got", 4.2, "sold")),
            CANT_TELL,
        ),
        "getPet tells another one before": (
            (RIGHT, ("got", 3.0, "pending"), ("listed", 3.1, "sold")),
            CANT_TELL,
        ),
        "getPet was asked late": (
            (("got", 1.1, "available"), ("got", 3.0, "sold"), ("listed", 3.1, "sold")),
            CANT_TELL,
        ),
        "the list shows it soon": ((RIGHT, ("got", 0.5, "sold"), ("listed", 0.6, "sold")), CANT_TELL),
    },
)
def test_a_list_that_lags_may_show_a_status_only_when_it_has_moved(
    told: tuple[tuple[str, float, str], ...], outcome: str
) -> None:
    """So it was not wrong where getPet told the status that was sent, and then the one that the list shows."""
    wrong = status_of(1, 1.0, ("listed", 0.9, "sold"), ("got", 4.0, "sold"))
    new = [each for number in (2, 3) for each in status_of(number, 5.0 * number, *told)]
    moved = [{**named(A, status="sold"), "id": each} for each in (1, 2, 3)]
    settled = [*(got(each["id"], each, at=30.0) for each in moved), listing(moved, at=31.0)]
    assert outcome == outcome_of("create.status.exact", [*wrong, *new, *settled])


HOUR = (("Cache-Control", "max-age=3600"), *ANSWER)


def stored(*trace: Exchange) -> list[Exchange]:
    """The same, with answers that may be stored for an hour."""
    return [
        replace(each, response=replace(each.response, headers=HOUR)) if each.response else each
        for each in trace
    ]


def test_what_shows_a_new_animal_is_no_older_than_it_however_long_it_may_be_stored() -> None:
    """So first readings are told of it, and changes of each one; what changed once may be a stored response."""
    first, second = own(1, A, (0.1, "y")), own(2, B, (0.1, "x"), at=10.0)
    assert FAILED == outcome_of("create.name.exact", stored(*first, *second))
    assert any(
        isinstance(step, Create)
        for each in asked_by(verdict_of("create.name.exact", stored(*first)))
        for step in each.steps
    )
    assert FAILED == outcome_of("create.name.exact", stored(*EACH))
    assert PASSED == outcome_of(
        "create.name.exact", stored(*own(1, A, (0.1, A), (9.0, "x")), *own(2, B, (0.1, B), (9.0, B)))
    )


@cases(
    ("others", "outcome"),
    {
        "nothing else changed": ([], FAILED),
        "one that had been read right changed later": (own(9, D, (0.1, D), (40.0, "q"), at=-40.0), CANT_TELL),
    },
)
def test_two_wrong_first_readings_are_edits_where_animals_are_edited_later_too(
    others: list[Exchange], outcome: str
) -> None:
    """Whoever edits the animals of the run may be as quick as its first readings, but not each time."""
    names = ("Acebcdefghij", "Acfbcdefghij", "Acgbcdefghij", "Achbcdefghij")
    wrong = [own(at, name, (0.1, f"x{at}"), at=5.0 * at) for at, name in enumerate(names, 1)]
    assert outcome == outcome_of("create.name.exact", [*others, *wrong[0], *wrong[1]])
    four = [each for one in wrong for each in one]
    assert FAILED == outcome_of("create.name.exact", [*others, *four])
    right = own(5, "Acibcdefghij", (0.1, "Acibcdefghij"), at=12.0)
    assert outcome == outcome_of("create.name.exact", [*others, *four, *right])
