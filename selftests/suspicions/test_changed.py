"""An animal that is told in more than one way: values/changed.py and values/fresh.py."""

from __future__ import annotations

import json

import pytest

from animal_conformance.judge.case import Suspicion
from animal_conformance.judge.experiments import Create, Wait, WaitUntil
from animal_conformance.judge.suspicions.values.changed import survey_of
from animal_conformance.judge.suspicions.values.histories import Of
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ANSWER,
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    animals,
    created,
    failed_of,
    got,
    ledger_of,
    listing,
    lost,
    named,
    outcome_of,
    reads_of,
    seen_of,
    steps_asked,
    verdict_of,
)
from selftests.suspicions.told import OLD, A, B, C, own, told


@pytest.mark.parametrize(
    ("turns", "outcome"),
    [
        ("l0a g1b g4b l5b", PASSED),
        ("l0a g1b g4b l2.9b", CANT_TELL),
        ("l0a g1b g2.9b l5b", CANT_TELL),
        ("l0a g1b l4a g5b", CANT_TELL),
        ("l0a g1b l2.5a g4.5b l5b", PASSED),
        ("l0a g1b l2.5a g4.4b l5b", CANT_TELL),
        ("l0a l1b l4b", CANT_TELL),
    ],
)
def test_a_change_is_explained_if_getpet_and_a_list_tell_it_after_settling(turns: str, outcome: str) -> None:
    """Else it is put to the test."""
    assert outcome == outcome_of("animal.id.stable", told(turns))


def test_an_explained_change_is_observed_where_it_was_seen_first() -> None:
    """The same value again is evidence."""
    trace = told("l0a g1b g4b l5b")
    assert {"animal.id.stable: edited": 1} == seen_of("open.explanations", trace)
    assert 2 == verdict_of("animal.id.stable", trace).evidence


def test_a_list_that_has_lost_the_animal_tells_nothing_else() -> None:
    """Of somebody else's animal, that is all there can be."""
    trace = [*told("l0a g1b g4b"), listing([animal(2)], at=5.0)]
    assert CANT_TELL != outcome_of("animal.id.stable", [*trace, listing([animal(2)], at=6.0)])
    gone = [*told("l0a l1b l4b"), lost(1, at=5.0), listing(query="limit=7", at=6.0)]
    assert set() == failed_of(gone) - {"get.found"}


@pytest.mark.parametrize(
    ("turns", "outcome"),
    [
        ("l0a g1b g1.1b g4c g4.1c g7d g7.1d", PASSED),
        ("l0a g1b g1.1b g4c g4.1c g7d", CANT_TELL),
        ("l0a g1b g1.1b g4c g4.1c g7d g7.1d g7.2b", CANT_TELL),
    ],
)
def test_somebody_may_go_on_editing_what_lists_no_longer_show(turns: str, outcome: str) -> None:
    """It never settles, and is told to be the same at each time."""
    assert outcome == outcome_of("animal.id.stable", [*told(turns), listing([animal(2)], at=8.0)])


def test_the_same_page_and_a_few_of_its_animals_decide_for_all() -> None:
    """A hundred that change at once."""
    before, after = animals(50, name="Rex"), animals(50, name="Tom")
    trace = [listing(before, limit=100), listing(after, limit=100, at=2.0)]
    (suspected,) = verdict_of("animal.id.stable", trace).suspected
    (turns,) = suspected.suspicion.experiments
    assert ["/pets?limit=100", "/pets/1", "/pets/2"] == reads_of(turns)[:3]
    assert WaitUntil(4.0) == turns.steps[0]
    again = [listing(after, limit=100, at=4.0), *(got(each, after[each - 1], at=4.5) for each in (1, 2))]
    assert PASSED == outcome_of("animal.id.stable", [*trace, *again])
    assert CANT_TELL == outcome_of("animal.id.stable", [*trace, *again[:-1]])
    other = [got(3, before[2], at=3.0), *(got(3, before[2], at=4.2 + at) for at in (0, 1, 2))]
    pages = [listing(after, limit=100, at=4.1 + at) for at in (1, 2, 3)]
    assert FAILED == outcome_of("animal.id.stable", [*trace, *again, *other, *pages])


@pytest.mark.parametrize(
    ("seen_s", "outcome"),
    [(5.0, PASSED), (4.7, PASSED), (1.5, CANT_TELL)],
    ids=["same", "near", "long-before"],
)
def test_those_that_were_put_to_the_test_decide_for_what_changed_at_about_the_same_time(
    seen_s: float, outcome: str
) -> None:
    """Although another list, which is older, now tells otherwise of them, and one of both was seen to change first."""
    before, after = animals(6, name="Rex"), animals(6, name="Tom")
    first = [listing(before, limit=50, at=0.5), *(got(each["id"], each, at=1.0) for each in before)]
    changed = [got(1, after[0], at=seen_s), listing(after, limit=100, at=5.0)]
    tests = [listing(after, limit=100, at=8.5), *(got(each, after[each - 1], at=9.0) for each in (1, 2))]
    last = listing(after, limit=100, at=9.5)
    assert outcome == outcome_of("animal.id.stable", [*first, *changed, *tests, last])
    assert CANT_TELL == outcome_of("animal.id.stable", [*first, *changed, *tests[:-1], last])
    later = listing([*after[:5], animal(6, name="Kim")], limit=100, at=9.5)
    assert CANT_TELL == outcome_of("animal.id.stable", [*first, *changed, *tests, later])


def test_a_sample_of_others_animals_decides_where_the_store_never_settles() -> None:
    """Whoever edits all the time has edited another one by the time that the first is put to the test."""
    before, after = animals(7, name="Rex"), animals(7, name="Tom")
    edits = [listing(before, limit=100), listing([*after[:6], before[6]], limit=100, at=2.0)]
    tests = [got(each, after[each - 1], at=4.5) for each in range(1, 5)]
    late = listing(after, limit=100, at=6.0)
    assert PASSED == outcome_of("animal.id.stable", [*edits, *tests, late])
    assert CANT_TELL == outcome_of("animal.id.stable", [*edits, *tests[1:], late])


def test_what_says_how_old_it_is_counts_from_then() -> None:
    """A list of half a minute ago is asked for again when that time is over."""
    trace = [*told("l0a g1b"), *told("l9a g10b l11a g12b l13a g14b", listed={"headers": OLD})]
    assert set() == failed_of(trace)
    (suspected, *_) = verdict_of("animal.id.stable", trace).suspected
    (turns,) = suspected.suspicion.experiments
    assert ("cached", WaitUntil(33.0)) == (turns.explanation, turns.steps[0])
    late = told("l40a g41b l42a g43b", listed={"headers": OLD})
    assert {"animal.id.stable"} == failed_of([*trace, *late])
    long = told("l9a g10b", listed={"headers": (("Age", "61"), *ANSWER)})
    assert "animal.id.stable: cached" in seen_of("open.explanations", [*told("g1a"), *long])


def test_names_in_exchange_are_a_finding() -> None:
    """Nobody who edits animals gives three of them the names and categories of others; names alone may be those of places."""
    names = "abcdef"
    before = [animal(at, name=name * 9, categoryId=at) for at, name in enumerate(names, start=1)]
    moved = [animal(at, name=name * 9, categoryId=at + 1) for at, name in enumerate(names[1:] + "z", start=1)]
    assert {"animal.id.stable"} == failed_of([listing(before), listing(moved, at=2.0)])
    renamed = [{**each, "categoryId": at} for at, each in enumerate(moved, start=1)]
    assert set() == failed_of([listing(before), listing(renamed, at=2.0)])
    one = [*moved[:1], *(animal(at, name=f"new {at}") for at in range(2, 7))]
    assert set() == failed_of([listing(before), listing(one, at=2.0)])


def test_the_name_that_the_run_gave_another_animal_is_a_finding() -> None:
    """If the animal was never told right, or is told so again; but in another case it may be chance."""
    first, second = "Acabcdefghij", "Acqrstuvwxyz"
    owner = own(2, second, (0.1, second), at=5.0)
    assert {"create.name.exact"} == failed_of([*own(1, first, (9.0, second)), *owner])
    assert {"create.name.exact"} == failed_of(
        [*own(1, first, (0.1, first), (9.0, second), (9.1, first)), *owner]
    )
    other = "AcABCDEFGHIJ".swapcase()
    assert set() == failed_of([*own(1, first, (9.0, other)), *own(2, other, at=5.0)])


def test_somebody_may_give_an_animal_the_name_of_another_for_good() -> None:
    """Two names were mixed up, or an animal was entered twice: getPet and lists agree from then on."""
    first, second = "Acabcdefghij", "Acqrstuvwxyz"
    trace = [*own(1, first, (0.1, first), (9.0, second)), *own(2, second, (0.1, second), at=5.0)]
    (suspected,) = {each.finding.message: each for each in _suspicions("create.name.exact", trace)}.values()
    assert {"edited"} == {each.explanation for each in suspected.experiments}
    renamed = {**named(second), "id": 1}
    # A list may go on showing what it kept.
    old = listing([{**renamed, "name": first}], limit=100, at=10.0)
    assert CANT_TELL == outcome_of("create.name.exact", [*trace, old, got(1, renamed, at=11.0)])


def _suspicions(clause: str, trace: list[Exchange]) -> list[Suspicion]:
    return [each.suspicion for each in verdict_of(clause, trace).suspected]


def test_an_animal_of_the_run_that_lists_no_longer_show_is_made_again() -> None:
    """What lists say of its status can only be seen on another one."""
    moved = {**named(A), "id": 1, "status": "sold"}
    trace = [*own(1, A, (0.1, A)), got(1, moved, at=5.0), got(1, moved, at=9.0), listing([animal(2)], at=9.5)]
    trace.append(listing([animal(2)], limit=100, at=9.6))
    (suspected,) = verdict_of("create.status.exact", trace).suspected
    assert "moved" in suspected.suspicion.explanations
    steps = {step for each in suspected.suspicion.experiments for step in each.steps}
    assert {Create(json.dumps(named(A))), Wait(4.0)} <= steps
    new = [each for number in (3, 4) for each in own(number, A, (0.1, A), (3.0, A), at=10.0 * number)]
    assert CANT_TELL == outcome_of("create.status.exact", [*trace, *new])
    missed = [each for at in (3, 4) for each in (created(named(A), at, at=10.0 * at), lost(at, at=50.0))]
    twice = [*new[:3], *own(4, A, at=40.0), *own(4, A, at=41.0)]
    for later in (missed, twice):
        assert CANT_TELL == outcome_of("create.status.exact", [*trace, *later])
    shown = [{**named(A), "id": each} for each in (3, 4)]
    # Lists that are cut show none of them.
    for page in (listing(shown, limit=50, at=60.0), listing([animal(2)], limit=100, at=60.0)):
        assert PASSED == outcome_of("create.status.exact", [*trace, *new, page])


@pytest.mark.parametrize(("right_s", "again"), [(4.0, False), (3.9, True)])
def test_a_new_one_that_somebody_changes_long_after_it_was_read_is_not_made_once_more(
    right_s: float, *, again: bool
) -> None:
    """By then it was read, and the list as well."""
    moved = {**named(A), "id": 1, "status": "sold"}
    trace = [*own(1, A, (0.1, A)), got(1, moved, at=5.0), got(1, moved, at=9.0)]
    new = [each for at in (3, 4) for each in own(at, A, (0.1, A), (right_s, A), at=10.0 * at)]
    lists = [listing([animal(2)], limit=100, at=at) for at in (9.6, 60.0)]
    sold = [got(each, {**named(A), "id": each, "status": "sold"}, at=70.0) for each in (3, 4)]
    ledger = ledger_of(*trace, *new, *lists, *sold)
    experiments = survey_of(ledger, "status", Of.RUN).rulings[1].experiments
    assert again == any(isinstance(step, Create) for each in experiments for step in each.steps)


def _sold_one_after_another(count: int, **change: str) -> list[Exchange]:
    """Every three seconds a list shows that one more is sold, and getPet the one before; so many are put to the test.

    Or as ``change`` says, such as another name.
    """
    change = change or {"status": "sold"}
    names = [f"Ac{letter}bcdefghij" for letter in "abcdefghij"]
    made = [each for number, name in enumerate(names, 1) for each in own(number, name, (0.1, name))]
    first = [json.loads(each.response.body) for each in made[1::2] if each.response]
    trace = [*made, listing(first, limit=100, at=2.0)]
    for turn in range(count + 1):
        at = 5.0 + 3 * turn
        shown = [{**each, **change} if each["id"] <= turn + 1 else each for each in first]
        trace.append(listing(shown, limit=100, at=at))
        if turn:
            trace.append(got(turn, shown[turn - 1], at=at + 0.1))
    return trace


@pytest.mark.parametrize(("tested", "outcome"), [(1, CANT_TELL), (2, CANT_TELL), (3, PASSED), (4, PASSED)])
def test_animals_of_the_run_that_go_on_moving_are_put_to_the_test_one_after_another(
    tested: int, outcome: str
) -> None:
    """Once some have moved after others had settled, and more after them, the last one is no question any more."""
    assert outcome == outcome_of("create.status.exact", _sold_one_after_another(tested))


@pytest.mark.parametrize(("tested", "outcome"), [(3, CANT_TELL), (4, PASSED)])
def test_a_sample_of_those_that_go_on_moving_decides_for_what_another_list_shows(
    tested: int, outcome: str
) -> None:
    """Such a store never settles."""
    last = {**named("Acjbcdefghij"), "id": 10}
    sold = listing([{**last, "status": "sold"}], limit=98, at=60.0)
    trace = [*_sold_one_after_another(tested), listing([last], limit=98, at=2.5), sold]
    assert outcome == outcome_of("create.status.exact", trace)
    renamed = listing([{**last, "name": "Tom"}], limit=98, at=60.0)
    trace = [*_sold_one_after_another(tested, name="Tom"), listing([last], limit=98, at=2.5), renamed]
    assert outcome == outcome_of("create.name.exact", trace)


def test_an_animal_that_lists_no_longer_show_is_not_made_again_where_others_like_it_were_compared() -> None:
    """Lists and getPet tell alike of two that have moved as well: those that a full page leaves out are no different."""
    moved = {**named(A), "id": 1, "status": "sold"}
    gone = [*own(1, A, (0.1, A)), got(1, moved, at=5.0), got(1, moved, at=9.0)]
    others = [{**named(each), "id": number, "status": "sold"} for number, each in ((2, B), (3, C))]
    made = [each for number, name in ((2, B), (3, C)) for each in own(number, name, (0.1, name))]
    pages = [listing(others, limit=100, at=at) for at in (5.0, 9.5)]
    told_of = [got(each["id"], each, at=9.6) for each in others]
    assert PASSED == outcome_of("create.status.exact", [*gone, *made, *pages, *told_of])
    assert CANT_TELL == outcome_of("create.status.exact", [*gone, *made, *pages, *told_of[:1]])


@pytest.mark.parametrize(("others", "suspected"), [(100, False), (99, True)])
def test_lists_that_are_full_need_not_show_that_new_animals_are_listed_right(
    others: int, *, suspected: bool
) -> None:
    """GetPet shows it, where a list was wrong of an earlier one."""
    names = [f"Acabcdefghi{each}" for each in "abc"]
    trace = [
        created(named(names[0]), 1, at=0.1),
        listing([animal(1, name=names[0].upper())], limit=100, at=0.2),
    ]
    for animal_id, at in ((2, 4.0), (3, 8.0)):
        new = animal(animal_id, name=names[animal_id - 1])
        trace += [
            created(named(names[animal_id - 1]), animal_id, at=at),
            got(animal_id, new, at=at + 0.1),
            listing(animals(others, 100), limit=100, at=at + 0.2),
            got(animal_id, new, at=at + 3.5),
        ]
    assert suspected is any(isinstance(each, Create) for each in steps_asked("create.name.exact", trace))
