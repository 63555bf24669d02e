"""The rule of rules/missing.py: whether an animal that getPet does not find may have been withdrawn."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Read, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    created,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    payload,
    seen_of,
    verdict_of,
)


def made(number: int, at: float, *read_at: float) -> list[Exchange]:
    """An animal of the run that is asked for at these times, and never found."""
    return [
        created(payload(name=f"Babette{number}"), number, at=at),
        *(lost(number, at=each) for each in read_at),
    ]


TWO = [*made(1, 1.0, 1.1, 9.0), *made(2, 2.0, 2.1, 9.0)]


def test_two_animals_made_apart_that_are_never_found_are_a_finding() -> None:
    """Reading 16: read immediately and again when settled, the second made after the first was read."""
    assert {"get.found"} == failed_of(TWO)
    found = verdict_of("get.found", TWO).findings[0].finding
    assert {"withdrawn"} == {each for each, _ in found.excluded}
    assert [9.0, 9.0] == [each.sent_s for _, each in found.excluded]


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(made(1, 1.0, 1.1, 9.0), id="only one"),
        pytest.param([*made(1, 1.0, 9.0), *made(2, 2.0, 9.0)], id="not read immediately"),
        pytest.param([*made(1, 1.0, 1.5, 9.0), *made(2, 1.2, 1.5, 9.0)], id="made together"),
    ],
)
def test_what_may_have_been_withdrawn_is_suspected(trace: list[Exchange]) -> None:
    """Reading 16: two new ones like it would determine it."""
    verdict = verdict_of("get.found", trace)
    assert CANT_TELL == verdict.outcome
    assert ("withdrawn",) == verdict.suspected[0].suspicion.explanations


def test_two_new_ones_that_are_found_explain_one_that_was_not() -> None:
    """Reading 16: it was withdrawn before it was read."""
    like = [
        each
        for number, at in ((2, 10.0), (3, 11.0))
        for each in (created(payload(name="Whiskerton"), number, at=at), got(number, at=at + 0.1))
    ]
    trace = [created(), lost(1, at=9.0), *like]
    assert PASSED == outcome_of("get.found", trace)
    assert {"get.found: withdrawn": 1} == seen_of("open.explanations", trace)


def test_others_that_were_withdrawn_explain_no_animal_that_is_missed_at_once() -> None:
    """Nothing can have withdrawn it so soon."""
    others = many_gone(3)
    late = [created(payload(name="Whiskerton"), 9, at=20.0), lost(9, at=29.0)]
    assert 9 not in suspects([*others, *late])
    assert 9 in suspects([*others, late[0], lost(9, at=20.5), late[1]])


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
    # Lists may lag behind a withdrawal.
    assert CANT_TELL == outcome_of("get.found", [*trace, listing([animal(1)], at=11.0)])


def test_an_animal_of_the_run_that_is_found_again_is_a_finding() -> None:
    """Reading 16: nobody withdraws it and brings it back."""
    trace = [created(), got(1, at=1.1), lost(1, at=9.0), got(1, at=10.0)]
    assert FAILED == outcome_of("get.found", trace)
    assert CANT_TELL == outcome_of("get.found", [created(), got(1, at=1.1), lost(1, at=9.0)])


def test_an_animal_that_stays_missing_in_turns_was_withdrawn() -> None:
    """Reading 16: getPet and a list, after the settling time."""
    asked = [lost(1, at=each) for each in (13.0, 14.0, 15.0)]
    trace = [created(), got(1, at=1.1), lost(1, at=9.0), *asked]
    assert CANT_TELL == outcome_of("get.found", trace[:2] + trace[2:5])
    page = listing([], at=14.5)
    verdict = verdict_of("get.found", [*trace, page])
    assert verdict.evidence == 1
    assert 9.0 not in {each.exchange.sent_s for each in verdict.suspected}


def many_gone(tested: int) -> list[Exchange]:
    """Five animals that are gone at once, some of which are asked for in turns."""
    first = [each for number in range(1, 6) for each in (created(animal_id=number), got(number, at=1.1))]
    missed = [lost(number, at=9.0) for number in range(1, 6)]
    again = [lost(number, at=at) for number in range(1, tested + 1) for at in (13.0, 14.0, 15.0, 16.0)]
    return [*first, *missed, *again, listing([], at=14.5)]


def suspects(trace: list[Exchange]) -> set[int]:
    """The animals that are suspected to be missed."""
    suspected = verdict_of("get.found", trace).suspected
    return {int(each.exchange.request.target.rpartition("/")[2]) for each in suspected}


def test_of_many_that_are_withdrawn_a_few_are_asked_for_in_turns() -> None:
    """The others are denied by both operations all the same."""
    for tested, suspected in ((2, 3), (3, 0)):
        open_at_9 = [
            each
            for each in verdict_of("get.found", many_gone(tested)).suspected
            if each.exchange.sent_s == 9.0
        ]
        assert suspected == len(open_at_9)
    # Where no list was read since, one reading of it is asked for, whichever animal is meant.
    unlisted = many_gone(3)[:-1]
    asked = {
        one for each in verdict_of("get.found", unlisted).suspected for one in each.suspicion.experiments
    }
    assert {(WaitUntil(12), Read("/pets?limit=100&status=available"))} == {each.steps for each in asked}
    # One that the list shows is not among them.
    assert 5 in suspects([*many_gone(3), listing([animal(5)], at=14.6)])


def test_a_finding_shows_how_the_animal_became_known() -> None:
    """Its first creation, or where it was shown first."""
    again = [got(1, at=10.0), listing([animal(1)], at=13.0), lost(1, at=14.0), got(1, at=15.0)]
    pages = [listing([animal(1, status=each)], at=at) for at, each in ((0.0, "sold"), (4.0, "pending"))]
    first = created()
    for source, trace in ((first, [first, created(at=2.0), pages[1]]), (pages[0], pages)):
        verdict = verdict_of("get.found", [*trace, lost(1, at=9.0), *again])
        assert source == verdict.findings[0].finding.related[0]


def test_a_getpet_that_was_removed_is_not_blamed_for_animals_of_the_run() -> None:
    """Reading 14: they were created, and are not found; before the date that is a finding."""
    assert set() == failed_of(TWO, today="2030-12-05")
    assert {"get.found"} == failed_of(TWO, today="2030-12-04")
