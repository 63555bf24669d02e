"""The rule of suspicions/retrievals/missing.py for animals of the run that were never found: made apart, or gone before."""

from __future__ import annotations

from typing import Any

from animal_conformance.judge.experiments import (
    Create,
    Step,
    WaitUntil,
    once,
)
from animal_conformance.record.exchange import SOAK, Exchange
from selftests.exchanges import (
    CANT_TELL,
    PASSED,
    TERMS,
    animal,
    asked_by,
    created,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    payload,
    seen_of,
    unanswered,
    verdict_of,
)
from selftests.suspicions.missing import (
    KEPT,
    OUTDONE,
    TWO,
    kept_beside,
    made,
    many_gone,
    stored_for,
    suspects,
)
from selftests.tables import cases

# One that is there for more than an hour.
STAYS = [created(animal_id=8, at=0.0), got(8, at=0.05), got(8, at=5000.0)]


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


def test_what_was_put_back_is_neither_late_nor_gone() -> None:
    """It explains no animal that was never found."""
    held = [*STAYS, created(animal_id=5, at=0.1), got(5, at=0.2), lost(5, at=3.0), got(5, at=5.0)]
    gone = [created(animal_id=6, at=0.3), got(6, at=0.4), lost(6, at=0.8)]
    assert "get.found" in failed_of([*held, *gone, *TWO])
    late = [created(animal_id=7, at=0.1), lost(7, at=0.2), got(7, at=0.9)]
    assert "get.found" in failed_of([*held, *late, *TWO])


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
    gone += STAYS
    assert "get.found" in failed_of([*gone, *TWO])
    less = [late[0], lost(5, at=0.12), got(5, at=0.15)]
    assert "get.found" in failed_of([*less, *gone, *TWO])
    # One that was never missed was not late, nor one that was asked for before it was made.
    for other in ([got(5, at=0.2), got(5, at=0.9)], [lost(5, at=0.05), got(5, at=0.9)]):
        assert "get.found" in failed_of([late[0], *other, *gone, *TWO])
    # One that was found whenever it was asked for is not gone.
    assert "get.found" in failed_of([*late, *gone[:2], got(6, at=0.8), *TWO])


@cases(
    ("gone", "lives_s", "failed"),
    {
        "many, that live only for seconds": (20, 3.0, False),
        "many, that live long": (20, 500.0, True),
        "one, while another stays as long as it took to ask for the two": (1, 0.3, False),
        "one, while another stays for minutes": (1, 300.0, True),
        "none, however soon the run was over": (0, 0.3, True),
    },
)
def test_where_animals_go_away_two_may_have_gone_before_they_were_asked_for(
    gone: int, lives_s: float, *, failed: bool
) -> None:
    """In a busy store, an animal may be sold while it is asked for the first time."""
    others = [
        each
        for number in range(10, 11 + gone)
        for each in (
            created(animal_id=number, at=3.0),
            got(number, at=3.01),
            got(number, at=3.0 + lives_s),
            *([lost(number, at=3.5 + lives_s)] if number > 10 else []),
        )
    ]
    assert failed == ("get.found" in failed_of([*TWO, *others]))


def test_in_a_busy_store_an_animal_that_is_missed_soon_is_explained_like_the_others() -> None:
    """Without new ones, which would go as well."""
    busy = [*many_gone(3), *made(8, 20.0, 20.6, 29.0), *made(9, 30.0, 30.6, 39.0)]
    assert PASSED == outcome_of("get.found", busy)


def asked_at(*read_at: float) -> list[Exchange]:
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
    assert failed == ("get.found" in failed_of(asked_at(*read_at), **terms))
