"""The rules of suspicions/values/aged.py: what changes in each new animal at one age beyond the settling time."""

from __future__ import annotations

from collections.abc import Sequence

from animal_conformance.judge.experiments import (
    Create,
    Experiment,
    Read,
    ReadCreated,
    ReadEarlier,
    WaitUntilAged,
)
from animal_conformance.judge.suspicions.values.aged import experiment_at_age
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import CANT_TELL, FAILED, asked_by, got, named, outcome_of, verdict_of
from selftests.suspicions.told import own
from selftests.tables import cases

NAMES = [f"Ac{each}bcdefghij" for each in "abcdefgh"]


def one(number: int, at: float, right_s: float | None, wrong_s: float | None) -> list[Exchange]:
    """A new animal that is right at first and at an age, and wrong at another one."""
    name = NAMES[number]
    shown = [(0.1, name), *([(right_s, name)] if right_s else ()), *([(wrong_s, "x")] if wrong_s else ())]
    return own(number + 1, name, *shown, at=at)


def row(
    *ages: tuple[float | None, float | None], first_s: float = 50.0, apart_s: float = 1.5
) -> list[Exchange]:
    """Animals that were made one after another."""
    return [
        each
        for number, (right_s, wrong_s) in enumerate(ages, 1)
        for each in one(number, first_s + (number - 1) * apart_s, right_s, wrong_s)
    ]


AT_12_S = [(11.4, 12.6)] * 4
EARLIER = one(0, 1.0, 11.9, 12.1)


def outcome(trace: Sequence[Exchange]) -> str:
    """What is known of names."""
    return outcome_of("create.name.exact", trace)


@cases(
    ("ages", "expected"),
    {
        "all of them": (AT_12_S, FAILED),
        "three of them": (AT_12_S[:3], CANT_TELL),
        "one of them earlier": ([(None, 11.0), *AT_12_S[1:]], CANT_TELL),
        "one of them earlier, beside four": ([*AT_12_S[:2], (None, 11.0), *AT_12_S[2:]], CANT_TELL),
        "one of them maybe earlier, beside four": ([*AT_12_S[:2], (None, 13.0), *AT_12_S[2:]], FAILED),
        "the first one later than the second": ([(13.1, 13.5), *AT_12_S[1:]], CANT_TELL),
        "the last one later": ([*AT_12_S[1:], (13.1, 13.5)], FAILED),
        "one of them much later, beside four": ([*AT_12_S[:2], (13.0, 25.0), *AT_12_S[2:]], CANT_TELL),
        "one of them never": ([*AT_12_S[:2], (13.0, None), *AT_12_S[2:]], CANT_TELL),
        "one of them not read again": ([*AT_12_S[:2], (None, None), *AT_12_S[2:]], FAILED),
        "one of them never, before four": ([(13.0, None), *AT_12_S], FAILED),
        "one of them much earlier, after four": ([*AT_12_S, (None, 3.0)], FAILED),
        "at ages that differ too much": ([*AT_12_S[:3], (15.0, 20.0)], CANT_TELL),
        "at ages that are not well known": ([*AT_12_S[:3], (8.0, 12.6)], CANT_TELL),
    },
)
def test_a_change_of_a_row_of_new_animals_at_the_age_at_which_one_before_changed_is_a_finding(
    ages: list[tuple[float | None, float | None]], expected: str
) -> None:
    """Of each in the row; those before it and after it may have been edited."""
    assert expected == outcome([*EARLIER, *row(*ages)])


def test_a_row_of_new_animals_needs_one_before_that_told_the_age() -> None:
    """Otherwise any age at which somebody happens to edit four would do."""
    assert CANT_TELL == outcome(row(*AT_12_S))
    assert CANT_TELL == outcome([*one(0, 1.0, 20.0, 25.0), *row(*AT_12_S)])
    assert CANT_TELL == outcome([*one(0, 1.0, 13.0, None), *row(*AT_12_S)])
    assert FAILED == outcome([*one(0, 1.0, None, 12.1), *row(*AT_12_S)])


@cases(
    ("ages", "apart_s", "expected"),
    {
        "the next one may have changed with it": ((11.4, 12.6), 1.1, CANT_TELL),
        "the next one was still right": ((11.4, 12.6), 1.3, FAILED),
        "the last one may have been told late": ((11.9, 12.1), 0.7, CANT_TELL),
        "the last one was right after settling": ((11.9, 12.1), 0.8, FAILED),
        "the next one was made afterwards": ((11.4, 12.6), 20.0, FAILED),
    },
)
def test_animals_that_may_have_changed_at_one_time_are_no_finding(
    ages: tuple[float, float], apart_s: float, expected: str
) -> None:
    """Somebody edits many at once, and a replica that lags shows some of them late."""
    assert expected == outcome([*EARLIER, *row(*[ages] * 4, apart_s=apart_s)])


def test_animals_of_another_kind_tell_nothing() -> None:
    """What one thing does to names with emoji, another may do to those with accents."""
    other = own(1, "Acabcdefghij!", (0.1, "Acabcdefghij!"), (11.9, "Acabcdefghij!"), (12.1, "x"))
    assert CANT_TELL == outcome([*other, *row(*AT_12_S)])


def asked(trace: Sequence[Exchange]) -> list[Experiment]:
    """The experiments that make new animals."""
    return [
        each
        for each in asked_by(verdict_of("create.name.exact", trace))
        if any(isinstance(step, Create) for step in each.steps)
    ]


def ages_of(experiment: Experiment) -> list[float]:
    """The ages at which an experiment waits for animals, without repetition."""
    waits = (each.seconds for each in experiment.steps if isinstance(each, WaitUntilAged))
    return sorted(set(waits))


def test_an_animal_that_changed_after_settling_is_made_again_until_its_age() -> None:
    """A row of them is read shortly before that age and shortly after it."""
    (experiment,) = asked(EARLIER)
    assert 4 == sum(isinstance(each, Create) for each in experiment.steps)
    assert [11.3, 12.72] == ages_of(experiment)[1:]


@cases(
    ("right_s", "wrong_s", "made", "ages"),
    {
        "settled": (1.5, 1.9, 3, []),
        "not read in between": (None, 12.0, 3, []),
        "read when it was settling": (1.9, 12.0, 3, []),
        "read when it had settled": (2.0, 12.0, 4, [1.9, 3.05, 3.78, 4.89, 7.86, 12.61]),
        "longer than anybody waits": (59.0, 61.0, 3, []),
    },
)
def test_up_to_which_age_new_animals_are_read(
    right_s: float | None, wrong_s: float, made: int, ages: list[float]
) -> None:
    """What may have changed before settling is looked for there first."""
    (experiment,) = asked(one(0, 1.0, right_s, wrong_s))
    assert made == sum(isinstance(each, Create) for each in experiment.steps)
    waits = ages_of(experiment)
    # One of them is the time between two creations.
    assert ages == waits


def test_those_that_stay_until_settling_lead_to_a_later_age() -> None:
    """They narrow it down."""
    three = row((3.1, None), (3.1, None), (3.1, None))
    (experiment,) = asked([*one(0, 1.0, None, 12.0), *three])
    assert 4 == sum(isinstance(each, Create) for each in experiment.steps)
    assert 2.95 in ages_of(experiment)


def test_those_that_stay_until_the_age_end_it() -> None:
    """The one was edited."""
    assert [] == asked([*EARLIER, *row((12.6, None), (12.6, None))])
    assert [] == asked([*EARLIER, *row((12.6, 30.0), (12.6, 31.0))])
    assert asked([*EARLIER, *row((11.0, None), (11.0, None))])


def test_a_young_one_that_was_edited_does_not_hide_the_age_of_another_kind() -> None:
    """Another one is tried, if it is well known at which age it changed, and if it changed alone."""
    edited = own(8, NAMES[7] + "!", (0.1, NAMES[7] + "!"), (1.0, "x"), at=30.0)
    others = [
        each
        for number in (5, 6)
        for each in own(
            number + 1, NAMES[number] + "!", *((at, NAMES[number] + "!") for at in (0.1, 5.0)), at=40.0
        )
    ]
    (experiment,) = asked([*edited, *others, *EARLIER])
    assert [11.3, 12.72] == ages_of(experiment)[1:]
    assert [] == asked([*edited, *others, *one(0, 1.0, 5.0, 12.1)])
    # An older one changed with it.
    older = own(9, "Acibcdefghij?", (49.0, "Acibcdefghij?"), (53.0, "y"), at=-40.0)
    assert [] == asked([*edited, *others, *EARLIER, *older])


def test_new_ones_are_read_at_ages_that_are_no_further_apart_than_needed() -> None:
    """Each reading names an animal by how many were made since; none is made while it would change with another one."""
    body = '{"name": "Rex"}'
    made = (Create(body), ReadCreated())
    narrow = experiment_at_age("edited", body, 10.0, 10.5, 3.0)
    apart_s = 3.05
    assert (*made, *(WaitUntilAged(apart_s), *made) * 3) == narrow.steps[:11]
    ends = [
        each
        for before in (3, 2, 1, 0)
        for age in (9.5, 11.02)
        for each in (WaitUntilAged(age, before), ReadEarlier(before))
    ]
    assert ends == list(narrow.steps[11:])
    assert not any(isinstance(each, Read) for each in narrow.steps)
    early = experiment_at_age("edited", body, 3.05, 3.1, 3.0)
    assert (WaitUntilAged(1.5), WaitUntilAged(2.9, 1)) == tuple(
        each for each in early.steps if isinstance(each, WaitUntilAged)
    )[:2]


def test_no_more_than_a_few_rows_are_made() -> None:
    """So many that were read at that age have shown nothing that decides."""
    name = NAMES[0]
    trace = [
        *EARLIER,
        *(
            each
            for number in range(20, 32)
            for each in own(number, name, (0.1, name), (11.4, name), at=20.0 + number)
        ),
    ]
    assert [] == asked(trace)
    assert asked(trace[:-3])


def test_of_animals_that_changed_at_all_ages_none_is_tried_for_its_age() -> None:
    """Somebody edits them; there always is one that was the oldest."""
    young = own(8, NAMES[7] + "!", (0.1, NAMES[7] + "!"), (1.0, "x"), at=30.0)
    stayed = [
        each
        for number in (8, 9)
        for each in own(number + 1, f"Ac{number}", *((at, f"Ac{number}") for at in (0.1, 5.0)), at=40.0)
    ]
    like = [
        each
        for number in (5, 6)
        for each in own(
            number + 1, NAMES[number] + "!", *((at, NAMES[number] + "!") for at in (0.1, 5.0)), at=40.0
        )
    ]
    at_all_ages = [
        each
        for number, age_s in enumerate((5.0, 9.0, 12.0))
        for each in own(
            number + 20,
            NAMES[number] + "?" * number,
            *((at, NAMES[number] + "?" * number) for at in (0.1, age_s)),
            (age_s + 0.2, "x"),
            at=1.0,
        )
    ]
    assert [] == asked([*young, *like, *stayed, *at_all_ages])
    assert asked([*young, *like, *stayed, *at_all_ages[:4]])


@cases(
    ("back_s", "creations"),
    {"at once": (14.0, 4), "after settling": (14.2, 3)},
)
def test_what_goes_back_is_not_tried_for_its_age(back_s: float, creations: int) -> None:
    """What is stored otherwise stays so; a replica may lag."""
    name = NAMES[0]
    (experiment,) = asked(own(1, name, (0.1, name), (11.9, name), (12.1, "x"), (back_s, name), (20.0, "x")))
    assert creations == sum(isinstance(each, Create) for each in experiment.steps)


def test_animals_that_go_back_are_no_row() -> None:
    """Somebody tries names out."""
    times = [(number, 50.0 + number * 1.5) for number in range(1, 5)]
    back = [
        got(number + 1, {**named(NAMES[number]), "id": number + 1}, at=made_s + 30.0)
        for number, made_s in times
    ]
    assert FAILED == outcome([*EARLIER, *row(*AT_12_S)])
    assert CANT_TELL == outcome([*EARLIER, *row(*AT_12_S), back[2]])
