"""The rule of suspicions/retrievals/missing.py: whether an animal that getPet does not find may have been withdrawn."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.experiments import Create, Read, ReadCreated, Step, Wait, WaitUntil, once
from animal_conformance.record.exchange import SOAK, Exchange, Headers
from selftests.exchanges import (
    ANSWER,
    CANT_TELL,
    FAILED,
    PASSED,
    TERMS,
    animal,
    animals,
    asked_by,
    created,
    failed_of,
    got,
    listing,
    lost,
    opinions_of,
    outcome_of,
    payload,
    seen_of,
    unanswered,
    verdict_of,
)
from selftests.tables import cases


def made(number: int, at: float, *read_at: float) -> list[Exchange]:
    """An animal of the run that is asked for at these times, and never found."""
    return [
        created(payload(name=f"Babette{number}"), number, at=at),
        *(lost(number, at=each) for each in read_at),
    ]


def pending(before_s: float, after_s: float, status: str = "pending") -> list[Exchange]:
    """A filtered list that shows others, and then nothing."""
    others = animals(3, 100, status=status)
    return [listing(others, state=status, at=before_s), listing([], state=status, at=after_s)]


# An animal of others that has moved twice.
PENDING = [
    listing([animal(1, status=each)], at=at)
    for at, each in ((0.0, "sold"), (2.0, "available"), (4.0, "pending"))
]
TWO = [*made(1, 1.0, 1.1, 9.0), *made(2, 2.0, 2.1, 9.0)]


OUTDONE = [*TWO, created(animal_id=3, at=1.05), created(animal_id=4, at=2.05)]


def kept_beside(other: dict[str, Any]) -> list[Exchange]:
    """An animal that getPet finds after two others were made."""
    return [
        created(animal_id=7, at=0.1),
        *(created(other, number, at=number / 40) for number in (8, 9)),
        got(7, at=0.4),
    ]


# A store that has kept one of the run's animals while two were made.
KEPT = kept_beside(payload())


def stored_for(age_s: int) -> Headers:
    """The headers of an answer that may be stored for so long."""
    return (("Cache-Control", f"max-age={age_s}"), *ANSWER)


def test_two_animals_made_apart_that_are_never_found_are_a_finding() -> None:
    """Reading 16: read immediately and again when settled, the second made after the first was read."""
    assert {"get.found"} == failed_of(TWO)
    (found,) = verdict_of("get.found", [*TWO, lost(2, at=10.0)]).findings
    assert (TWO[2], (TWO[0], TWO[5])) == (found.exchange, found.finding.related)
    assert (("withdrawn", TWO[2]), ("withdrawn", TWO[5])) == found.finding.excluded


def test_where_others_were_found_and_then_not_these_are_asked_for_before_new_ones_are_made() -> None:
    """One that was never found may be gone as they are; one that was missed at once is not."""

    def first_steps(*trace: Exchange) -> list[str]:
        (doubt,) = verdict_of("get.found", [*trace, *vanished]).suspected[-1:]
        return [type(each.steps[0]).__name__ for each in doubt.suspicion.experiments]

    vanished = [
        each
        for number in (5, 6, 7)
        for each in (
            created(animal_id=number, at=2.0),
            got(number, at=2.2),
            lost(number, at=6.0 - number / 10),
        )
    ]
    late = [*made(1, 1.0), lost(1, at=6.0)]
    assert ["WaitUntil"] * 3 == first_steps(*late)
    assert ["Create"] == first_steps(*made(1, 1.0, 1.1, 6.0))
    vanished = vanished[:-1]
    assert ["Create"] == first_steps(*late)


LATE = [*made(1, 1.0), lost(1, at=6.0)]


def found_and_lost(*numbers: int, foreign: bool = False, **options: Any) -> list[Exchange]:
    """Animals that were found, and then are missed twice."""
    return [
        each
        for number in numbers
        for each in (
            listing([animal(number)], at=2.0) if foreign else created(animal_id=number, at=2.0),
            got(number, at=2.5, **options),
            lost(number, at=5.0),
            lost(number, at=5.5),
        )
    ]


@cases(
    ("others", "asked"),
    {
        "since lists may lag no longer behind the first time": (
            found_and_lost(5, 6, 7),
            [WaitUntil(7.01)] * 3,
        ),
        "those that were missed, of all": (
            [created(animal_id=4, at=2.0), got(4, at=2.2), *found_and_lost(5, 6, 7)],
            [WaitUntil(7.01)] * 3,
        ),
        "unless they were asked for since": ([*found_and_lost(5, 6, 7), lost(7, at=8.0)], []),
        "but for those of others, who may remove them": (found_and_lost(5, 6, 7, foreign=True), []),
        "once what is stored for a minute is over": (
            [*found_and_lost(6, 7), *found_and_lost(5), lost(5, at=5.25, headers=stored_for(60))],
            [WaitUntil(7.01), WaitUntil(7.01), WaitUntil(65.01)],
        ),
        "but for what is stored for longer": (
            [*found_and_lost(6, 7), *found_and_lost(5), lost(5, at=5.25, headers=stored_for(61))],
            [],
        ),
    },
)
def test_what_was_found_and_then_was_not_is_asked_for_when_it_has_settled(
    others: list[Exchange], asked: list[Step]
) -> None:
    """Three of the run's animals, before two new ones are made like one that was never found."""
    mine = [
        each.steps[0]
        for said in verdict_of("get.found", [*LATE, *others]).suspected
        if said.exchange.request.target == "/pets/1"
        for each in said.suspicion.experiments
    ]
    assert asked == [each for each in mine if isinstance(each, WaitUntil)]
    assert (not asked) is any(isinstance(each, Create) for each in mine)


@cases(
    "trace",
    {
        "three of them": [*TWO, *made(3, 3.0, 3.1, 9.0)],
        "beside one that was not asked for at once": [*made(3, 0.5, 9.0), *TWO],
        "the second was made after the first one was read once, in a store that keeps some": [
            *KEPT,
            *made(1, 1.0, 1.1, 1.9, 9.0),
            *made(2, 1.5, 1.6, 9.0),
        ],
        "not the one before them": [created(animal_id=5, at=0.5), got(5, at=0.6), *TWO],
        "the second was made after the first one was read once": [
            *made(1, 1.0, 1.1, 1.9, 9.0),
            *made(2, 1.5, 1.6, 9.0),
        ],
        "read at once, and a second later": [
            *(each for number in (1, 2) for each in (created(animal_id=number, at=number, took=0.0),)),
            *(lost(1, at=1.0), lost(2, at=3.0), lost(1, at=9.0), lost(2, at=9.0)),
        ],
        "beside others, of which one has outlived more": [
            *made(1, 1.0, 1.1, 9.0),
            *(created(animal_id=number, at=1.05, took=0.01) for number in (7, 8)),
            *made(2, 2.0, 2.1, 9.0),
            created(animal_id=9, at=2.05, took=0.01),
            got(7, at=2.5),
            *(created(animal_id=number, at=3.0) for number in (10, 11)),
            got(7, at=4.0),
        ],
    },
)
def test_animals_that_were_never_found_are_a_finding_if_two_were_made_apart(trace: list[Exchange]) -> None:
    """Whatever others there are."""
    assert {"get.found"} == failed_of(trace)


@cases(
    "trace",
    {
        "only one": made(1, 1.0, 1.1, 9.0),
        "not read immediately": [*made(1, 1.0, 9.0), *made(2, 2.0, 9.0)],
        "not read immediately, long apart": [*made(1, 1.0, 9.0), *made(2, 12.0, 20.0)],
        "read before they were made": [*made(1, 1.0, 0.6, 9.0), *made(2, 2.0, 1.6, 9.0)],
        "one not read when settled": [*made(1, 1.0, 1.1, 9.0), *made(2, 2.0, 2.1)],
        "two made with the same id": [
            *made(1, 1.0, 1.1, 9.0),
            *made(2, 2.0, 2.1, 9.0),
            created(animal_id=2, at=2.5),
        ],
        "made together": [*made(1, 1.0, 1.5, 9.0), *made(2, 1.2, 1.5, 9.0)],
        "made together, in a store that keeps some": [
            *KEPT,
            *made(1, 1.0, 1.5, 9.0),
            *made(2, 1.2, 1.6, 9.0),
        ],
        "others were made before they were read, in a store that keeps some of another category": [
            *kept_beside(payload(categoryId=2)),
            *OUTDONE,
        ],
        "others were made before they were read, in a store whose lists show some": [
            *KEPT[:-1],
            listing([animal(7)], at=0.4),
            *OUTDONE,
        ],
        "another one was made before they were read": [
            *TWO,
            created(animal_id=3, at=1.05),
            created(animal_id=4, at=2.05),
        ],
        "another one may have been made before they were read": [
            *made(1, 1.0, 1.3, 9.0),
            *made(2, 2.0, 2.3, 9.0),
            *(unanswered(created(animal_id=3), at=each) for each in (1.15, 2.15)),
        ],
        "another one was made at the same time": [
            *TWO,
            *(created(animal_id=each, at=each - 2.1, took=0.15) for each in (3, 4)),
        ],
    },
)
def test_what_may_have_been_withdrawn_is_suspected(trace: list[Exchange]) -> None:
    """Reading 16: two new ones like it would determine it."""
    verdict = verdict_of("get.found", trace)
    assert CANT_TELL == verdict.outcome
    assert ("withdrawn",) == verdict.suspected[0].suspicion.explanations


def kinds_asked(trace: list[Exchange]) -> set[type[Step]]:
    """What the experiments begin with that would show whether animals were withdrawn."""
    asked = asked_by(verdict_of("get.found", trace))
    return {type(each.steps[0]) for each in asked if each.explanation == "withdrawn"}


def test_one_that_was_never_asked_for_when_settled_is_asked_for_once() -> None:
    """It is the second that was made apart from another one."""
    unsettled = [*made(1, 1.0, 1.1, 9.0), *made(2, 2.0, 2.1)]
    asked = once("withdrawn", "/pets/2", unsettled[3].answered_s + TERMS.settle_s)
    assert asked in asked_by(verdict_of("get.found", unsettled))
    # More than one may be asked for: the first of them.
    assert asked in asked_by(verdict_of("get.found", [*unsettled, *made(3, 3.0, 3.1)]))
    # Not what was made before another one was looked for: it may be gone as that one is.
    before = [*made(3, 0.5, 0.6), *unsettled[:3]]
    assert {Create} == kinds_asked(before)
    # None where nothing was never found.
    alone = [*made(1, 1.0, 9.0), *made(2, 2.0, 2.1)]
    assert {Create} == kinds_asked(alone)
    assert asked not in asked_by(verdict_of("get.found", [*unsettled[:2], *unsettled[3:]]))


def test_two_new_ones_that_are_found_explain_one_that_was_not() -> None:
    """Reading 16: it was withdrawn before it was read."""
    like = [
        each
        for number, at in ((2, 10.0), (3, 11.0))
        for each in (created(payload(name="Whiskerton"), number, at=at), got(number, at=at + 0.1))
    ]
    trace = [created(), lost(1, at=9.0), *like]
    assert [{1}, {1}] == [suspects(each) for each in (trace[:4], [*trace[:3], trace[4]])]
    assert PASSED == outcome_of("get.found", trace)
    assert {"get.found: withdrawn": 1} == seen_of("open.explanations", trace)


@cases(
    ("soon", "suspected"),
    {
        "before it was made": (lost(9, at=19.5), False),
        "at once": (lost(9, at=20.0), True),
        "after a second": (lost(9, at=21.0), True),
        "after more than a second": (lost(9, at=21.1), False),
        "not missed, but in vain": (lost(9, 503, at=20.5), False),
    },
)
def test_others_that_were_withdrawn_explain_no_animal_that_is_missed_at_once(
    soon: Exchange, *, suspected: bool
) -> None:
    """Nothing can have withdrawn it so soon."""
    trace = [*many_gone(3), created(animal_id=9, at=20.0, took=0.0), lost(9, at=29.0), soon]
    assert suspected is (9 in suspects(trace))


def test_only_animals_of_the_run_that_were_found_before_explain_one_that_never_was() -> None:
    """Those of others may be removed, and those that are never found may be a fault."""
    missed = [created(animal_id=9, at=20.0), lost(9, at=29.0)]
    assert 9 in suspects([*many_gone(3, own=False), *missed])
    never = [each for number in (1, 2, 3) for each in made(number, 1.0, *(9.0, 13.0, 14.0, 15.0, 16.0))]
    assert 9 in suspects([*never, *missed])


def gone(animal_id: int, *at: float) -> list[Exchange]:
    """An animal that was listed, and then is missed at these times."""
    return [listing([animal(animal_id)], at=0.0), *(lost(animal_id, at=each) for each in at)]


def test_an_animal_that_comes_and_goes_is_a_finding() -> None:
    """Reading 16: there, missing, and there again after the judged response, by whichever operation."""
    trace = gone(1, 9.0, 14.0)
    assert CANT_TELL == outcome_of("get.found", [*trace, listing([animal(1)], at=13.0)])
    shown = [*trace, listing([animal(1)], at=13.0), got(1, at=15.0)]
    assert FAILED == outcome_of("get.found", shown)
    assert FAILED == outcome_of("get.found", [*shown[:-1], listing([animal(1)], at=15.0)])
    assert (2, 2) == opinions_of("get.found", [*shown, lost(1, at=16.0), got(1, at=17.0)])
    (found,) = verdict_of("get.found", shown).findings
    assert (("withdrawn", shown[-1]),) == found.finding.excluded
    # Lists may lag behind a withdrawal.
    assert CANT_TELL == outcome_of("get.found", [*trace, listing([animal(1)], at=11.0), got(1, at=15.0)])


def test_an_animal_of_the_run_that_is_found_again_is_a_finding() -> None:
    """Reading 16: nobody withdraws it and brings it back."""
    trace = [created(), got(1, at=1.1), lost(1, at=9.0), got(1, at=10.0)]
    assert FAILED == outcome_of("get.found", trace)
    (found,) = verdict_of("get.found", [*trace, lost(1, at=11.0)]).findings
    assert (("withdrawn", trace[3]),) == found.finding.excluded
    for other in ([], [got(1, at=8.5)], [listing([animal(1)], at=13.0), lost(1, at=14.0)]):
        assert CANT_TELL == outcome_of("get.found", [*trace[:3], *other])


def test_what_only_lists_have_shown_was_there_before_it_was_missed() -> None:
    """From when on lists can no longer lag; until then, two new ones like it are made."""
    trace = [created(), lost(1, at=9.0)]
    for shown_s, kinds in ((9.5, {Create, Read, ReadCreated, Wait}), (13.0, {WaitUntil, Read})):
        (suspected,) = verdict_of("get.found", [*trace, listing([animal(1)], at=shown_s)]).suspected
        assert kinds == set(map(type, suspected.suspicion.experiments[0].steps))


def often(number: int, times: int, took: float = 0.01) -> list[Exchange]:
    """An animal of others that is found so many times after it was missed."""
    return [got(number, at=10.0 + each / 10, took=took) for each in range(times)]


TURNS = [lost(1, at=each) for each in (13.0, 14.0, 15.0)]


@cases(
    ("later", "settled"),
    {
        "found two dozen times": (often(1, 24), True),
        "found at once": (often(1, 24, took=0.0), True),
        "found less often": (often(1, 23), False),
        "found less often, and listed once": ([*often(1, 23), listing([animal(1)], at=12.5)], False),
        "found three times, and another one often": ([lost(2, at=9.0), *often(2, 24), *often(1, 3)], True),
        "found twice, and another one often": ([lost(2, at=9.0), *often(2, 24), *often(1, 2)], False),
        "listed once": ([got(1, at=10.0), got(1, at=11.0), listing([animal(1)], at=12.0)], False),
        "found before": ([got(1, at=5.0), got(1, at=10.0), got(1, at=11.0)], False),
        "the list that had it": ([*TURNS, listing([animal(2)], at=14.5)], True),
        "that list too early": ([*TURNS, listing([animal(2)], at=10.5)], False),
        "another list": ([*TURNS, listing([], limit=5, at=14.5)], False),
        "another list that was longer": (
            [listing(animals(3, 100), limit=9, at=0.1), *TURNS, listing([], limit=9, at=14.5)],
            True,
        ),
        "a longer one of its status": ([*TURNS, *pending(0.1, 14.5)], True),
        "a longer one of a status that it had": ([*TURNS, *pending(0.1, 14.5, "available")], False),
        "missed twice when settled": ([lost(1, at=10.0), *TURNS[:2], listing([animal(2)], at=14.5)], False),
    },
)
def test_an_animal_of_others_has_settled_once_it_is_back_or_denied(
    later: list[Exchange], *, settled: bool
) -> None:
    """Found again and again without being missed, or missed three times when settled, and by a list that would show it."""
    trace = [*PENDING, listing([animal(2)], limit=7, at=0.2), lost(1, at=9.0), *later]
    verdict = verdict_of("get.found", trace)
    assert FAILED != verdict.outcome
    assert settled is (9.0 not in {each.exchange.sent_s for each in verdict.suspected})


def test_an_animal_that_stays_missing_in_turns_was_withdrawn() -> None:
    """Reading 16: getPet and a list, after the settling time."""
    asked = [lost(1, at=each) for each in (13.0, 14.0, 15.0)]
    trace = [created(), got(1, at=1.1), lost(1, at=9.0), *asked]
    assert CANT_TELL == outcome_of("get.found", trace[:2] + trace[2:5])
    page = listing([], at=14.5)
    verdict = verdict_of("get.found", [*trace, page])
    assert verdict.evidence == 1
    assert 9.0 not in {each.exchange.sent_s for each in verdict.suspected}


def many_gone(tested: int, *, own: bool = True) -> list[Exchange]:
    """Five animals of the run, or of others, that are gone at once, some of which are asked for in turns."""
    first = [created(animal_id=each) for each in range(1, 6)] if own else [listing(animals(5))]
    first += [got(number, at=1.1) for number in range(1, 6)]
    missed = [lost(number, at=9.0) for number in range(1, 6)]
    again = [lost(number, at=at) for number in range(1, tested + 1) for at in (13.0, 14.0, 15.0, 16.0)]
    return [*first, *missed, *again, listing([], at=14.5)]


def experiments(trace: list[Exchange]) -> set[tuple[Step, ...]]:
    """The steps of the experiments that suspicions of a missing animal ask for."""
    suspected = verdict_of("get.found", trace).suspected
    return {one.steps for each in suspected for one in each.suspicion.experiments}


def targets(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """What is read, each once, in the order of the first turn."""
    return tuple(dict.fromkeys(each.target for each in steps if isinstance(each, Read)))


def suspects(trace: list[Exchange]) -> set[int]:
    """The animals that are suspected to be missed."""
    suspected = verdict_of("get.found", trace).suspected
    return {int(each.exchange.request.target.rpartition("/")[2]) for each in suspected}


def test_of_many_that_are_withdrawn_a_few_are_asked_for_in_turns() -> None:
    """The others are denied by both operations all the same."""
    found = [
        created(animal_id=7),
        *(each for at in (9.0, 13.0, 14.0, 15.0) for each in (lost(99, at=at), got(7, at=at))),
    ]
    for own, tested, suspected in ((True, 2, 3), (True, 3, 0), (False, 2, 3), (False, 3, 0)):
        open_at_9 = [
            each
            for each in verdict_of("get.found", [*many_gone(tested, own=own), *found]).suspected
            if each.exchange.sent_s == 9.0
        ]
        assert suspected == len(open_at_9)
    # Where no list was read since, one reading of it is asked for, whichever animal is meant.
    for own, target in ((True, "/pets?limit=100&status=available"), (False, "/pets")):
        assert {(WaitUntil(12), Read(target))} == experiments(many_gone(3, own=own)[:-1])
    # One that the list shows is not among them, nor is one that was found again.
    assert 5 in suspects([*many_gone(3), listing([animal(5)], at=14.6)])
    again = [*many_gone(3, own=False), got(5, at=10.0)]
    assert {("/pets/5",)} == {targets(each) for each in experiments(again)}


def test_an_animal_that_is_back_is_asked_for_again_and_again() -> None:
    """What is missed once in so many is missed once more; the other animals that are back are asked for in turns."""
    back = [each for number in (1, 2) for each in (lost(number, at=9.0), got(number, at=10.0))]
    known = [listing([animal(1), animal(2)], at=0.0)]
    first, second = sorted(experiments([*known, *back]), key=len, reverse=True)
    assert (Read("/pets/1"),) * 24 == first[1:]
    assert ("/pets/2", "/pets") == targets(second)
    flips = [lost(1, at=11.0), got(1, at=12.0)]
    assert {"get.found"} == failed_of([*known, *back, *flips])


def test_what_was_missed_while_replicas_may_lag_is_not_back() -> None:
    """Of those that were missed later, the first is asked for again and again."""
    known = [listing([animal(1), animal(2)], at=0.0)]
    lagging = [lost(1, at=1.0), got(1, at=1.5), got(1, at=8.0)]
    asked = experiments([*known, *lagging, lost(2, at=9.0), got(2, at=10.0)])
    assert {(Read("/pets/2"),) * 24} == {each[1:] for each in asked if len(each) > 24}


def test_another_that_is_back_is_asked_for_in_turns_although_many_are_gone() -> None:
    """A list alone does not tell whether getPet finds it."""
    back = [got(each, at=10.0) for each in (4, 5)]
    asked = experiments([*many_gone(3, own=False), *back])
    assert {("/pets/4",), ("/pets/5", "/pets")} == {targets(each) for each in asked}


@pytest.mark.parametrize(("age_s", "waited"), [(60, True), (61, False)])
def test_an_animal_that_is_gone_is_waited_for_as_long_as_answers_may_be_stored(
    age_s: int, *, waited: bool
) -> None:
    """A minute; a longer time explains it."""
    shown = got(1, at=100.0, headers=stored_for(age_s))
    trace = [listing([animal(1)], at=0.0), shown, lost(1, at=109.0)]
    first = {each[0] for each in experiments(trace)}
    assert first == ({WaitUntil(169.01)} if waited else set())
    assert waited is ("get.found: cached" not in seen_of("open.explanations", trace))


@cases(
    ("known", "target"),
    {
        "the list that showed it": ([listing([animal(1)], at=0.0)], "/pets"),
        "the last of two": (
            [listing([animal(1)], limit=each, at=each / 10) for each in (5, 9)],
            "/pets?limit=9",
        ),
        "no list has shown it": ([listing([animal(2)], at=0.0), got(1, at=0.1)], "/pets?limit=100"),
        "one that was made without a status": (
            [created(payload(status=...), changes={"status": None}), got(1, at=1.1)],
            "/pets?limit=100",
        ),
        "two that were made with the same id": ([created(), created(at=1.5)], "/pets?limit=100"),
    },
)
def test_an_animal_that_is_gone_is_asked_for_in_turns_with_a_list(known: list[Exchange], target: str) -> None:
    """From when on lists may lag no longer behind the first time that it was missed."""
    asked = experiments([*known, lost(1, at=9.0), lost(1, at=10.0)])
    assert {("/pets/1", target)} == {targets(each) for each in asked}
    assert {WaitUntil(11.01)} == {each[0] for each in asked}


def test_a_finding_shows_how_the_animal_became_known() -> None:
    """Its first creation, or where it was shown first."""
    again = [got(1, at=10.0), listing([animal(1)], at=13.0), lost(1, at=14.0), got(1, at=15.0)]
    first = created()
    for source, trace in ((first, [first, created(at=2.0), PENDING[1]]), (PENDING[0], PENDING)):
        verdict = verdict_of("get.found", [*trace, lost(1, at=9.0), *again])
        assert (source, again[-1]) == verdict.findings[0].finding.related


def test_a_getpet_that_was_removed_is_not_blamed_for_animals_of_the_run() -> None:
    """Reading 14: they were created, and are not found; before the date that is a finding."""
    assert set() == failed_of(TWO, today="2030-12-05")
    assert {"get.found"} == failed_of(TWO, today="2030-12-04")


def test_where_animals_come_late_and_go_early_two_that_were_never_found_may_be_gone() -> None:
    """Each may have been withdrawn before a replica had it; one of the two alone explains nothing.

    Nor does it explain one that was asked for later than others were late.
    """
    late = [created(animal_id=5, at=0.1), lost(5, at=0.2), got(5, at=0.9)]
    gone = [created(animal_id=6, at=0.3), got(6, at=0.4), lost(6, at=0.8)]
    assert "get.found" not in failed_of([*late, *gone, *TWO])
    assert "get.found" in failed_of([*late, *TWO])
    assert "get.found" in failed_of([*gone, *TWO])
    less = [late[0], lost(5, at=0.12), got(5, at=0.15)]
    assert "get.found" in failed_of([*less, *gone, *TWO])
    # One that was never missed was not late, nor one that was asked for before it was made.
    for other in ([got(5, at=0.2), got(5, at=0.9)], [lost(5, at=0.05), got(5, at=0.9)]):
        assert "get.found" in failed_of([late[0], *other, *gone, *TWO])
    # One that was found whenever it was asked for is not gone.
    assert "get.found" in failed_of([*late, *gone[:2], got(6, at=0.8), *TWO])


def watched(*read_at: float) -> list[Exchange]:
    """Two animals that are asked for so long after each was made, and never found; others are made meanwhile."""
    return [
        each
        for number, at in ((1, 100.0), (2, 200.0))
        for each in (
            created(payload(name=f"Babette{number}"), number, at=at),
            created(animal_id=number + 10, at=at + 0.5),
            *(lost(number, at=at + late_s, took=0.0) for late_s in read_at),
        )
    ]


@cases(
    ("read_at", "failed"),
    {
        "every five seconds": ((1.0, 6.0, 11.0), True),
        "every five seconds, and once much later": ((1.0, 6.0, 11.0, 90.0), True),
        "every five seconds, and long before it was made": ((-20.0, 1.0, 6.0, 11.0), True),
        "not for six seconds": ((1.0, 7.0, 11.0), False),
        "not before it had settled": ((1.0, 11.0), False),
    },
)
def test_under_load_what_is_never_found_was_asked_for_all_the_time(
    read_at: tuple[float, ...], *, failed: bool
) -> None:
    """Replicas lag for long there, here for ten seconds at most, and it may be gone before one finds it."""
    terms = {"profile": SOAK, "settle_s": 10.0}
    assert failed == ("get.found" in failed_of(watched(*read_at), **terms))
