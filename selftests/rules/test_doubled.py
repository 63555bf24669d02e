"""The rules of rules/doubled.py: animals that are added twice, or copied."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create, Naming, Read, ReadCreated
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    animals,
    created,
    failed_of,
    got,
    listing,
    named,
    outcome_of,
    posted,
    refused,
    seen_of,
    unanswered,
    unauthorised,
    verdict_of,
)

CLAUSE = "create.once"
FIRST = created(named("Annabelle"), 1, at=0.1)


def name_of(number: int) -> str:
    """A name that the run has made up."""
    return f"Acabcdefghi{chr(ord('a') + number)}"


def added(number: int, at: float) -> Exchange:
    """A creation, whose animal has an even id."""
    return created(named(name_of(number)), 10 + 2 * number, at=at)


def listed(at: float, *numbers: int, doubled: tuple[int, ...] = ()) -> Exchange:
    """A list with the animals of these numbers; of some of them another one, which has an odd id."""
    own = [animal(10 + 2 * each, name=name_of(each)) for each in numbers]
    return listing([*own, *(animal(11 + 2 * each, name=name_of(each)) for each in doubled)], limit=100, at=at)


SINGLE = [added(7, 2.6), listed(2.7, 7)]


def one_after_another(count: int) -> list[Exchange]:
    """Animals that are there twice, each listed before the next one is created."""
    return [FIRST] + [
        each
        for number in range(count)
        for each in (added(number, 1.0 + number), listed(1.5 + number, number, doubled=(number,)))
    ]


def test_animals_that_are_there_twice_one_after_another_are_added_twice() -> None:
    """The document: animal added. Nobody copies each one as soon as it is created."""
    trace = one_after_another(3)
    assert {CLAUSE} == failed_of(trace)
    verdict = verdict_of(CLAUSE, trace)
    assert tuple(each.reference for each in trace[2::2]) == verdict.found_in
    finding = verdict.findings[0].finding
    assert [("copied", each) for each in trace[2::2]] == list(finding.excluded)
    assert "10, which the 201 named, and 11" in finding.message


def test_an_animal_is_no_double_where_the_201_named_the_animal_of_another_creation() -> None:
    """The first of two has been given the id of the second, and is listed under its own, once."""
    trace = [FIRST]
    for pair in range(3):
        ids, names = (10 + 2 * pair, 11 + 2 * pair), (name_of(2 * pair), name_of(2 * pair + 1))
        trace += [
            created(named(names[0]), ids[1], at=1.0 + pair),
            created(named(names[1]), 90 + pair, at=1.0 + pair),
        ]
        own = [animal(each, name=name) for each, name in zip(ids, names, strict=True)]
        trace.append(listing(own, limit=100, at=1.5 + pair))
    assert CLAUSE not in failed_of(trace)


@pytest.mark.parametrize(
    "name", ["Acabcdefghij", "acabcdefghijkl", "ACABCDEFGHIJKL", "Acabcd Efghijkl", "Acabcdefghij07"]
)
def test_names_in_every_style_that_has_the_marker_are_evidence(name: str) -> None:
    """Where a deployment accepts no other."""
    made = created(named(name), 7, at=1.0)
    assert PASSED == outcome_of(CLAUSE, [FIRST, made, listing([animal(7, name=name)], at=2.0)])


def test_fewer_are_put_to_the_test() -> None:
    """Three new ones, each listed before the next; and nine more, as only some may be there twice."""
    trace = one_after_another(2)
    one, page = Create((trace[1].request.body or b"").decode()), Read("/pets?limit=100")
    two = (one, ReadCreated(), page, one, page)
    pairs = ((added(number, 5.0 + number), listed(5.5 + number, number)) for number in range(5, 17))
    later = [each for pair in pairs for each in pair]
    assert (*two, *two[:3]) == verdict_of(CLAUSE, trace).suspected[0].suspicion.experiments[0].steps
    nine = verdict_of(CLAUSE, [*trace, *later[:6]]).suspected[0].suspicion.experiments[0].steps
    assert (*two * 4, *two[:3]) == nine
    assert PASSED == outcome_of(CLAUSE, [*trace, *later])
    assert 2 == seen_of("open.explanations", [*trace, *later])[f"{CLAUSE}: copied"]
    assert verdict_of(CLAUSE, [*trace, *later[:-1]]).suspected


def full(at: float, *beside: int) -> Exchange:
    """A list in which there is no room for more."""
    return listing([*animals(100 - len(beside), first=1000), *map(animal, beside)], limit=100, at=at)


def test_a_list_that_is_full_by_now_puts_nothing_to_the_test() -> None:
    """It shows neither an animal nor its double; where new ones come first, it does."""
    trace = [*one_after_another(2), *SINGLE]
    assert verdict_of(CLAUSE, [*trace, added(5, 10.0), listed(10.5, 5)]).suspected
    shut = verdict_of(CLAUSE, [*trace, added(5, 10.0), full(10.5)])
    assert (PASSED, []) == (shut.outcome, list(shut.suspected))
    assert verdict_of(CLAUSE, [*trace, added(5, 10.0), full(10.5, 20)]).suspected


def odd(at: float, *numbers: int) -> Exchange:
    """A list with a parameter that nobody knows, in which each of these animals is there twice."""
    shown = [animal(10 + 2 * each + double, name=name_of(each)) for each in numbers for double in (0, 1)]
    return listing(shown, query="limit=20&colour=brown", at=at)


def test_a_double_that_only_an_odd_list_has_shown_is_put_to_the_test() -> None:
    """Nothing says whether there is room for more in such a list."""
    trace = [FIRST, added(0, 1.0), odd(1.2, 0), added(1, 1.3), listed(1.5, 1, doubled=(1,))]
    (experiment,) = verdict_of(CLAUSE, trace).suspected[0].suspicion.experiments
    assert Read(trace[2].request.target) in experiment.steps


def test_a_double_was_seen_when_a_list_of_known_parameters_showed_it() -> None:
    """An experiment asks for such a list again."""
    trace = [FIRST, added(0, 1.0), odd(1.5, 0), listed(1.7, 0, doubled=(0,))]
    (experiment,) = verdict_of(CLAUSE, trace).suspected[0].suspicion.experiments
    assert {Read("/pets?limit=100")} == {each for each in experiment.steps if isinstance(each, Read)}


@pytest.mark.parametrize(
    ("rest", "outcome"),
    [pytest.param("\U0001f98a", PASSED, id="alike"), pytest.param("", CANT_TELL, id="plain")],
)
def test_only_animals_like_the_one_that_is_there_twice_speak_for_a_copy(rest: str, outcome: str) -> None:
    """A creation may be added twice for its name, its category or the client; it is tried again as it was."""
    fox = created(named(name_of(0) + "\U0001f98a"), 10, at=1.0)
    twice = [animal(each, name=name_of(0) + "\U0001f98a") for each in (10, 11)]
    trace = [FIRST, fox, listing(twice, limit=100, at=1.5)]
    body = (fox.request.body or b"").decode()
    (experiment,) = verdict_of(CLAUSE, trace).suspected[0].suspicion.experiments
    assert Create(body) == experiment.steps[0]
    for number in (5, 6, 7):
        made = created(named(name_of(number) + rest), 10 + 2 * number, at=5.0 + number)
        shown = animal(10 + 2 * number, name=name_of(number) + rest)
        trace += [made, listing([shown], limit=100, at=5.5 + number)]
    assert outcome == outcome_of(CLAUSE, trace)


def test_copies_that_are_made_at_once_are_no_finding() -> None:
    """An import, or a merge of two stores."""
    numbers = (0, 1, 2, 3)
    trace = [FIRST, *(added(each, 1.0 + each) for each in numbers), listed(6.0, *numbers, doubled=numbers)]
    verdict = verdict_of(CLAUSE, trace)
    assert (CANT_TELL, True) == (verdict.outcome, bool(verdict.suspected))


@pytest.mark.parametrize(
    "unsure",
    [
        pytest.param([unanswered(added(0, 0.5))], id="without an answer"),
        pytest.param([refused(named(name_of(0)), at=0.5)], id="rejected at first"),
        pytest.param([created(named(name_of(0)), 11, at=0.5)], id="asked for twice"),
    ],
)
def test_what_was_asked_for_more_than_once_may_be_there_more_than_once(unsure: list[Exchange]) -> None:
    """Each request may have added one."""
    trace = [FIRST, *unsure, *one_after_another(1)[1:]]
    verdict = verdict_of(CLAUSE, trace)
    assert (0, ()) == (verdict.finding_count, verdict.suspected)


def asked_for_again(count: int) -> list[Exchange]:
    """Animals whose names are rejected the second time, each there twice before the next one is created."""
    return [FIRST] + [
        each
        for number in range(count)
        for each in (
            added(number, 1.0 + number),
            refused(named(name_of(number)), at=1.2 + number),
            listed(1.5 + number, number, doubled=(number,)),
        )
    ]


def test_an_animal_that_is_rejected_for_its_name_is_not_there_beside_its_namesake() -> None:
    """The document: 400, no animal added. Nobody copies each one as soon as its name was asked for again."""
    trace = asked_for_again(3)
    assert {"create.refusal.untraced"} == failed_of(trace)
    finding = verdict_of("create.refusal.untraced", trace).findings[0].finding
    assert "has added animal 11, beside animal 10, which has its name" in finding.message
    # To reproduce it, the rejected request has to be sent as well.
    assert tuple(trace[1:3]) == finding.related[:2]
    assert [("copied", each) for each in trace[3::3]] == list(finding.excluded)


def test_a_creation_that_is_put_off_is_not_there_beside_the_one_that_was_sent_again() -> None:
    """A 429 says that nothing was done."""
    trace = [
        each
        for number in range(3)
        for each in (
            refused(named(name_of(number)), 429, at=0.8 + number),
            added(number, 1.0 + number),
            listed(1.5 + number, number, doubled=(number,)),
        )
    ]
    assert {"create.refusal.untraced"} == failed_of([FIRST, *trace])
    lost = [unanswered(each) if each.status == 429 else each for each in trace]
    assert "create.refusal.untraced" not in failed_of([FIRST, *lost])


def test_fewer_namesakes_are_put_to_the_test() -> None:
    """Three new ones, each asked for twice, and listed before the next."""
    trace = asked_for_again(2)
    (experiment,) = verdict_of("create.refusal.untraced", trace).suspected[0].suspicion.experiments
    body = (trace[1].request.body or b"").decode()
    one, page = (Create(body), Create(body, naming=Naming.SAME)), Read("/pets?limit=100")
    assert (*one, ReadCreated(), page, *one, page, *one, ReadCreated(), page) == experiment.steps
    single = [
        each
        for number in range(5, 17)
        for each in (
            added(number, 5.0 + number),
            refused(named(name_of(number)), at=5.2 + number),
            listed(5.5 + number, number),
        )
    ]
    assert not verdict_of("create.refusal.untraced", [*trace, *single]).suspected
    assert 2 == seen_of("open.explanations", [*trace, *single])["create.refusal.untraced: copied"]


def test_names_that_anybody_may_have_tell_nothing() -> None:
    """Nor those from before the first animal: an earlier run may have begun with the same."""
    common = [FIRST, created(named("Whiskerton"), 2, at=1.0)]
    both = [animal(each, name="Whiskerton") for each in (2, 3)]
    assert CANT_TELL == outcome_of(CLAUSE, [*common, listing(both, limit=100, at=2.0)])
    assert not verdict_of(CLAUSE, [*common, listing(both, limit=100, at=2.0)]).suspected
    earlier = [added(0, 0.0), *one_after_another(1)[2:]]
    assert not verdict_of(CLAUSE, earlier).suspected


def test_an_animal_that_is_there_once_is_evidence() -> None:
    """In any list."""
    assert PASSED == outcome_of(CLAUSE, [FIRST, added(0, 1.0), listed(2.0, 0)])
    assert CANT_TELL == outcome_of(CLAUSE, [FIRST, added(0, 1.0), listed(2.0, 1)])
    assert FAILED != outcome_of(CLAUSE, [FIRST, added(0, 1.0), listed(2.0, doubled=(0,))])


def doubled_as(count: int, how: Callable[[dict[str, Any]], dict[str, Any]], **sent: Any) -> list[Exchange]:
    """Animals that are listed with one that was made of it, one after another."""
    trace = [FIRST]
    for number in range(count):
        made = {**named(name_of(number)), **sent}
        made = {key: value for key, value in made.items() if value is not ...}
        shown = {"status": "available", **made, "id": 10 + 2 * number}
        page = [shown, how({**shown, "id": 11 + 2 * number})]
        at = 1.0 + number
        trace += [posted(made, 201, shown, at=at), listing(page, limit=100, at=at + 0.5)]
    return trace


@pytest.mark.parametrize(
    "alter",
    [str.lower, str.upper, "{} (copy)".format, "Copy of {}".format, lambda name: f"{name[:6]} {name[6:]}"],
    ids=["lower case", "upper case", "an end", "something in front", "two words"],
)
def test_a_double_is_recognised_by_how_its_name_begins(alter: Callable[[str], str]) -> None:
    """Nobody else knows it."""
    trace = doubled_as(3, lambda shown: {**shown, "name": alter(shown["name"])})
    assert {CLAUSE} == failed_of(trace)
    observed = verdict_of(CLAUSE, trace).findings[0].finding.observed
    assert f'ids 10 and 11 in one list, the other with the name "{alter(name_of(0))}"' == observed
    assert verdict_of(CLAUSE, trace[:-2]).suspected


def test_copies_under_another_name_are_another_clients_where_some_animals_have_none() -> None:
    """A partner that offers some of the animals as its own."""
    copies = doubled_as(3, lambda shown: {**shown, "name": f"{shown['name']} (partner)"})
    assert CANT_TELL == outcome_of(CLAUSE, [*copies, *SINGLE])
    assert FAILED == outcome_of(CLAUSE, [*one_after_another(3), *SINGLE])


def alone_at_first(number: int, at: float, copied_at: float) -> list[Exchange]:
    """An animal that one list shows, and a later one with a double."""
    return [added(number, at), listed(at + 0.2, number), listed(copied_at, number, doubled=(number,))]


def test_copies_that_come_later_are_another_clients() -> None:
    """A marketplace that offers each new animal as well, a moment later."""
    late = [each for number in range(3) for each in alone_at_first(number, 1.0 + number, 1.5 + number)]
    assert CANT_TELL == outcome_of(CLAUSE, [FIRST, *late])
    fourth = alone_at_first(3, 4.0, 4.5)
    assert PASSED == outcome_of(CLAUSE, [FIRST, *late, *fourth])
    assert 4 == seen_of("open.explanations", [FIRST, *late, *fourth])[f"{CLAUSE}: copied"]
    single = [added(4, 4.0), listed(4.5, 4)]
    assert PASSED == outcome_of(CLAUSE, [FIRST, *late, *single])


def test_doubles_that_are_there_sooner_than_a_copy_was_are_no_copies() -> None:
    """One animal was copied by hand; the others are there twice at once."""
    copied = alone_at_first(7, 0.2, 0.9)
    at_once = [
        each
        for number in range(3)
        for each in (added(number, 1.0 + number), listed(1.05 + number, number, doubled=(number,)))
    ]
    assert FAILED == outcome_of(CLAUSE, [FIRST, *copied, *at_once])
    assert CANT_TELL == outcome_of(CLAUSE, [FIRST, *copied, *one_after_another(3)[1:]])
    beside = [listing(limit=1, at=1.02 + number) for number in range(3)]
    assert CANT_TELL == outcome_of(CLAUSE, [FIRST, *copied, *at_once, *beside])
    read = [got(10 + 2 * number, at=1.02 + number) for number in range(3)]
    assert FAILED == outcome_of(CLAUSE, [FIRST, *copied, *at_once, *read])


@pytest.mark.parametrize(
    "unsure",
    [unanswered(added(0, 0.5)), refused(named(name_of(0) + "x"), at=0.5), unauthorised(added(0, 0.5), WRONG)],
    ids=["without an answer", "rejected", "without a key"],
)
def test_a_name_that_begins_as_another_that_was_sent_may_be_the_others(unsure: Exchange) -> None:
    """It is for other clauses to say that it is there."""
    payload = {**named(name_of(0) + "x")}
    unsure = replace(unsure, request=replace(unsure.request, body=json.dumps(payload).encode()))
    trace = doubled_as(1, lambda shown: {**shown, "name": shown["name"].lower()})
    assert verdict_of(CLAUSE, trace).suspected
    assert not verdict_of(CLAUSE, [FIRST, unsure, *trace[1:]]).suspected


@pytest.mark.parametrize("other", [{"categoryId": 900}, {"status": "pending"}])
def test_an_animal_with_other_values_is_no_copy_of_the_request(other: dict[str, Any]) -> None:
    """Another client has added it: an agent, who offers each animal in a category of his own, or first as pending."""
    trace = doubled_as(4, lambda shown: shown | other)
    verdict = verdict_of(CLAUSE, trace)
    assert (PASSED, ()) == (verdict.outcome, verdict.suspected)


def test_a_request_without_a_status_may_have_added_an_animal_with_any() -> None:
    """One with the status that is given by default, and another as a draft."""
    trace = doubled_as(3, lambda shown: shown | {"status": "pending"}, status=...)
    assert FAILED == outcome_of(CLAUSE, trace)


def test_a_status_that_is_no_text_is_no_obstacle() -> None:
    """animal.status says that it is wrong."""
    trace = doubled_as(3, lambda shown: shown | {"status": {"name": "sold"}}, status=...)
    assert CANT_TELL != outcome_of("animal.status", [*trace, listing(limit=1, at=9.0)])
    assert (PASSED, ()) == (verdict_of(CLAUSE, trace).outcome, verdict_of(CLAUSE, trace).suspected)


def test_a_double_is_what_was_alike_when_it_was_first_listed() -> None:
    """An agent makes pending animals available once they were looked at."""
    trace = doubled_as(3, lambda shown: shown | {"status": "pending"})
    later = [animal(number, name=name_of(number // 2 - 5)) for number in range(10, 16)]
    assert PASSED == outcome_of(CLAUSE, [*trace, listing(later, limit=100, at=9.0)])


@pytest.mark.parametrize(
    ("all_are", "unstated", "outcome"),
    [
        ("pending", ["available"], PASSED),
        ("pending", ["pending"], FAILED),
        ("pending", [], FAILED),
        (None, ["available"], FAILED),
    ],
    ids=["an agent's", "the deployment's own", "who knows", "as sent"],
)
def test_who_gives_all_the_same_status_has_added_those_that_are_alike_too(
    all_are: str | None, unstated: list[str], outcome: str
) -> None:
    """Unless it is the status that the deployment gives by itself: the second time, it may have forgotten what was sent."""
    trace = doubled_as(3, lambda shown: shown, status="pending")
    made = {**named(name_of(5)), "status": "available"}
    shown = {**made, "id": 30}
    other = {**shown, "id": 31, "status": all_are or "available"}
    trace += [posted(made, 201, shown, at=6.0), listing([shown, other], limit=100, at=6.5)]
    for status in unstated:
        payload = {key: value for key, value in named(name_of(6)).items() if key != "status"}
        trace.append(posted(payload, 201, {**payload, "id": 40, "status": status}, at=7.0))
    assert outcome == outcome_of(CLAUSE, trace)
