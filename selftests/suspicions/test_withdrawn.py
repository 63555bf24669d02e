"""The rule of suspicions/retrievals/missing.py for animals that were there: withdrawn, or missed at times."""

from __future__ import annotations

import pytest

from animal_conformance.judge.experiments import Create, Read, ReadCreated, Step, Wait, WaitUntil
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    animal,
    animals,
    created,
    got,
    listing,
    lost,
    opinions_of,
    outcome_of,
    payload,
    seen_of,
    verdict_of,
)
from selftests.suspicions.missing import many_gone, stored_for, suspects
from selftests.tables import cases


def pending(before_s: float, after_s: float, status: str = "pending") -> list[Exchange]:
    """A filtered list that shows others, and then nothing."""
    others = animals(3, 100, status=status)
    return [listing(others, state=status, at=before_s), listing([], state=status, at=after_s)]


# An animal of others that has moved twice.
PENDING = [
    listing([animal(1, status=each)], at=at)
    for at, each in ((0.0, "sold"), (2.0, "available"), (4.0, "pending"))
]


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
    assert found.finding.message.endswith("although it was listed earlier.")
    # What is found while it is missed was not there again.
    assert CANT_TELL == outcome_of("get.found", [*gone(1, 9.0, 13.0), got(1, at=8.5), got(1, at=14.0)])
    # Lists may lag behind a withdrawal.
    assert CANT_TELL == outcome_of("get.found", [*trace, listing([animal(1)], at=11.0), got(1, at=15.0)])


def test_an_animal_of_the_run_that_is_found_again_may_have_been_put_back() -> None:
    """Reading 16: it comes and goes only if it is missed and found once more."""
    trace = [created(), got(1, at=1.1), lost(1, at=9.0), got(1, at=10.0)]
    assert CANT_TELL == outcome_of("get.found", trace)
    (found,) = verdict_of("get.found", [*trace, lost(1, at=11.0), got(1, at=12.0)]).findings
    assert (("withdrawn", got(1, at=12.0).sent_s),) == tuple(
        (name, each.sent_s) for name, each in found.finding.excluded
    )


def test_what_only_lists_have_shown_was_there_before_it_was_missed() -> None:
    """From when on lists can no longer lag; until then, two new ones like it are made."""
    trace = [created(), lost(1, at=9.0)]
    for shown_s, kinds in ((9.5, {Create, Read, ReadCreated, Wait}), (13.0, {WaitUntil, Read, Wait})):
        (suspected,) = verdict_of("get.found", [*trace, listing([animal(1)], at=shown_s)]).suspected
        assert kinds == set(map(type, suspected.suspicion.experiments[0].steps))


TURNS = [lost(1, at=each) for each in (13.0, 14.0, 15.0)]


@cases(
    ("later", "settled"),
    {
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
def test_an_animal_of_others_has_settled_once_it_is_denied(later: list[Exchange], *, settled: bool) -> None:
    """Missed three times when settled, and by a list that would show it."""
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


def experiments(trace: list[Exchange]) -> set[tuple[Step, ...]]:
    """The steps of the experiments that suspicions of a missing animal ask for."""
    suspected = verdict_of("get.found", trace).suspected
    return {one.steps for each in suspected for one in each.suspicion.experiments}


def targets(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """What is read, each once, in the order of the first turn."""
    return tuple(dict.fromkeys(each.target for each in steps if isinstance(each, Read)))


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
    assert {("/pets", "/pets/5")} == {targets(each) for each in experiments(again)}


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
    ("made_s", "found_s", "asked"),
    {
        "when lists had known it for long": (1.0, 1.1, False),
        "when lists may have lagged behind its creation": (13.0, 13.1, True),
        "before it was last found": (1.0, 15.0, True),
    },
)
def test_of_many_that_are_withdrawn_one_is_gone_that_a_list_no_longer_showed(
    made_s: float, found_s: float, *, asked: bool
) -> None:
    """It was requested before getPet missed the animal; the last list that did not show it is of 14.5 s."""
    late = [created(animal_id=9, at=made_s), got(9, at=found_s), lost(9, at=20.0)]
    assert asked is (9 in suspects([*many_gone(3), *late]))


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
