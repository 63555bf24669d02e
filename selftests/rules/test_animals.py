"""The rules of rules/animals.py: the fields of an animal, and its id over time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    animals,
    created,
    exchange,
    failed_of,
    got,
    judged,
    listing,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    reads_of,
    unanswered,
    unauthorised,
    under,
    verdict_of,
)
from selftests.tables import cases

FIELDS = ("animal.object", "animal.id", "animal.name", "animal.category-id", "animal.status")


@pytest.mark.parametrize("value", [1, "Rex", None, [], True, 1.5])
def test_what_is_no_object_is_a_finding_of_animal_object_alone(value: object) -> None:
    """An element that is no object has no fields to break as well."""
    assert {"animal.object"} == failed_of([listing([animal(1), value])])


@pytest.mark.parametrize(
    ("changes", "clause_id"),
    [
        ({"id": ...}, "animal.id"),
        ({"id": None}, "animal.id"),
        ({"id": "1"}, "animal.id"),
        ({"id": True}, "animal.id"),
        ({"id": 1.5}, "animal.id"),
        ({"id": 2**63}, "animal.id"),
        ({"id": -(2**63) - 1}, "animal.id"),
        ({"name": ...}, "animal.name"),
        ({"name": None}, "animal.name"),
        ({"name": 5}, "animal.name"),
        ({"name": ["Rex"]}, "animal.name"),
        ({"categoryId": ...}, "animal.category-id"),
        ({"categoryId": None}, "animal.category-id"),
        ({"categoryId": "1"}, "animal.category-id"),
        ({"categoryId": False}, "animal.category-id"),
        ({"categoryId": 1e300}, "animal.category-id"),
        ({"categoryId": 2**64}, "animal.category-id"),
        ({"status": None}, "animal.status"),
        ({"status": ""}, "animal.status"),
        ({"status": "SOLD"}, "animal.status"),
        ({"status": "lost"}, "animal.status"),
        ({"status": 0}, "animal.status"),
        ({"status": ["sold"]}, "animal.status"),
        ({"status": {"value": "sold"}}, "animal.status"),
    ],
)
def test_a_field_against_its_table_is_a_finding_of_its_clause_alone(
    changes: dict[str, Any], clause_id: str
) -> None:
    """Among animals that are right, in a list."""
    assert {clause_id} == failed_of([listing([animal(1), animal(2, **changes), animal(3)])])


@pytest.mark.parametrize(
    ("name", "other", "clause_id"),
    [
        ("id", "1", "animal.id"),
        ("name", '"Tom"', "animal.name"),
        ("categoryId", "7", "animal.category-id"),
        ("status", '"sold"', "animal.status"),
        ("status", "null", "animal.status"),
    ],
)
def test_a_field_that_is_there_twice_is_a_finding_where_its_values_differ(
    name: str, other: str, clause_id: str
) -> None:
    """RFC 8259 section 4: clients differ in which one they read, so it has none. The same one twice is one."""
    second = json.dumps(animal(2))
    for given, failed in ((other, {clause_id}), (json.dumps(animal(2)[name]), set[str]())):
        twice = second.replace("{", f'{{"{name}": {given}, ', 1)
        body = f"[{json.dumps(animal(1))}, {twice}]".encode()
        assert failed == failed_of([listing(body)])
    twice = second.replace("{", f'{{"{name}": {other}, ', 1)
    (first,) = verdict_of(clause_id, [listing(f"[{twice}]".encode())]).findings
    assert f"{name} is there twice, with different values" in first.finding.message
    further = second.replace("{", '{"tags": 1, "tags": 2, "more": {"id": 1, "id": 2}, ', 1)
    assert set() == failed_of([listing(f"[{further}]".encode())])


@pytest.mark.parametrize("clause_id", FIELDS)
@cases(
    "shown",
    {
        "list": listing([animal(1)]),
        "getPet": got(1),
        "creation": created(),
        "no status": listing([animal(1, status=...)]),
        "ends of int64": listing([animal(2**63 - 1, categoryId=-(2**63))]),
        "integral floats": listing(b'[{"id":5.0,"name":"","categoryId":1e2}]'),
        "extra field": listing([animal(1, extra={"id": "x"})]),
    },
)
def test_an_animal_that_keeps_its_table_is_evidence(clause_id: str, shown: Any) -> None:
    """Wherever it is shown: 5.0 is an integer of JSON Schema, and a status may be left out (reading 5)."""
    assert PASSED == outcome_of(clause_id, [shown])


@pytest.mark.parametrize("clause_id", FIELDS)
@cases(
    "shown",
    {
        "empty list": listing([]),
        "no list": listing({"items": []}),
        "refused": unauthorised(listing([animal(1)]), WRONG),
        "let in with a wrong key": under(listing([{}, 5]), WRONG),
        "let in without a key": under(listing([{}, 5]), ABSENT),
        "an unknown parameter": listing([{}, 5], query="colour=brown"),
        "another type": listing([{}, 5], sent_headers=(("Accept", "text/html"),)),
        "an invalid limit": listing([{}, 5], limit=0),
        "another status of a list": exchange("GET", "/pets", 206, [{}, 5]),
        "another status of a creation": posted(payload(), 200, {}),
        "an accepted creation": posted(payload(), 202, 5),
        "another status of getPet": exchange("GET", "/pets/1", 203, {}),
        "that of a creation": exchange("GET", "/pets/1", 201, {}),
        "that of a creation elsewhere": exchange("PUT", "/pets", 201, {}),
        "no int64": exchange("GET", "/pets/abc", 200, {}),
        "another operation": exchange("PUT", "/pets/1", 200, {}),
        "no answer": unanswered(listing()),
        "no JSON": listing(b"[{"),
    },
)
def test_an_answer_without_animals_is_no_evidence(clause_id: str, shown: Any) -> None:
    """An empty list proves nothing about the fields of animals; nor does what is not the success of its table."""
    assert CANT_TELL == outcome_of(clause_id, [shown])


@pytest.mark.parametrize("sent", [payload(), payload(name=...), payload(colour="brown")])
def test_an_animal_in_any_201_is_judged(sent: dict[str, Any]) -> None:
    """Also where the creation should have been refused, or is open."""
    assert "animal.name" in failed_of([posted(sent, 201, animal(1, name=5))])


@pytest.mark.parametrize("key", [Credential.UNKNOWN, Credential.LOWER_CASE_SCHEME])
def test_an_animal_under_a_key_that_is_not_invalid_is_judged(key: Credential) -> None:
    """Recorded traffic does not tell, and a scheme in lower case is open."""
    assert {"animal.name"} == failed_of([under(listing([animal(1, name=5)]), key)])


@pytest.mark.parametrize(
    ("name", "clause_id"),
    [
        ("id", "animal.id"),
        ("name", "animal.name"),
        ("categoryId", "animal.category-id"),
        ("status", "animal.status"),
    ],
)
def test_a_finding_names_the_field(name: str, clause_id: str) -> None:
    """And what it is, or that it is missing."""
    for value, seen in [([], "[]")] + [(..., "missing")] * (name != "status"):
        finding = verdict_of(clause_id, [listing([animal(1, **{name: value})])]).findings[0].finding
        assert f"{name} is {seen} at [0]" in finding.message
        assert finding.expected.startswith(f"{name}: ")


def test_a_finding_says_where_an_animal_that_is_none_stands() -> None:
    """By its place in the list."""
    finding = verdict_of("animal.object", [listing([animal(1), 5])]).findings[0].finding
    assert ("[1] is an integer, not an animal.", "5") == (finding.message, finding.observed)


def test_a_creation_behind_an_animal_is_evidence_of_unique_ids() -> None:
    """It could have been given the id of the other; where nothing is known yet, no id can be taken."""
    assert PASSED == outcome_of("animal.id.unique", [listing([animal(1)]), created(animal_id=2, at=2.0)])
    assert CANT_TELL == outcome_of("animal.id.unique", [created()])


@cases(
    "other",
    {
        "another status": posted(payload(), 200, animal(7), at=2.0),
        "another operation": exchange("GET", "/pets/7", 201, animal(7), at=2.0),
        "a wrong key": under(created(animal_id=7, at=2.0), WRONG),
        "no object": posted(payload(), 201, [], at=2.0),
        "no id": posted(payload(), 201, {}, at=2.0),
        "no integer": created(animal_id="7", at=2.0),
        "created before it was listed": created(animal_id=7, at=0.0),
        "listed in the same moment": created(animal_id=7, at=1.01),
    },
)
def test_what_gives_no_id_anew_says_nothing_of_unique_ids(other: Exchange) -> None:
    """It could not have been given the id of another."""
    assert (0, 0) == opinions_of("animal.id.unique", [listing([animal(7)], at=1.0), other])


@cases(
    ("first", "findings"),
    {
        "the same payload": (created(animal_id=7), 1),
        "another payload": (created(payload(name="Abelard"), 7), 1),
        "at the same time": (created(payload(name="Abelard"), 7, at=2.0), 2),
        "listed, whoever created it": (listing([animal(7)]), 1),
    },
)
def test_a_creation_with_the_id_of_another_animal_is_a_finding(first: Exchange, findings: int) -> None:
    """Reading 10: ids are unique among all animals ever seen; the later one is blamed."""
    assert (0, findings) == opinions_of("animal.id.unique", [first, created(animal_id=7, at=2.0)])


OWN = "BAcbcdefghijkle"


def test_a_creation_whose_answer_was_lost_may_return_the_animal_that_it_has_made() -> None:
    """A gateway may keep the answer for the same request."""
    body = payload(name=OWN)
    again, seen = created(body, 7, at=3.0), listing([animal(7, name=OWN)], at=2.0)
    earlier = [posted(body, status, {}, at=1.5) for status in (502, 503)]
    for each in (*earlier, unanswered(again, at=1.5)):
        assert FAILED != outcome_of("animal.id.unique", [each, seen, again])


@cases(
    ("before", "shown", "after"),
    {
        "sent once": ([], OWN, OWN),
        "rejected before": ([posted(payload(name=OWN), 400, {}, at=1.5)], OWN, OWN),
        "tried after it was listed": ([posted(payload(name=OWN), 503, {}, at=2.5)], OWN, OWN),
        "another request before": ([posted(payload(name=OWN, categoryId=2), 503, {}, at=1.5)], OWN, OWN),
        "another animal": ([posted(payload(name=OWN), 503, {}, at=1.5)], "Rex", OWN),
        "a name that others have": ([posted(payload(name="Rex"), 503, {}, at=1.5)], "Rex", "Rex"),
    },
)
def test_any_other_animal_that_had_the_id_is_another_one(
    before: list[Exchange], shown: str, after: str
) -> None:
    """Only the same request, without an answer before, can have made it."""
    trace = [*before, listing([animal(7, name=shown)], at=2.0), created(payload(name=after), 7, at=3.0)]
    assert FAILED == outcome_of("animal.id.unique", trace)


def test_what_get_makes_up_is_no_animal_that_had_the_id_before() -> None:
    """An answer to any id is get.unknown's."""
    exchanges = [listing([animal(1)]), got(7, at=2.0), created(animal_id=7, at=3.0)]
    assert PASSED == outcome_of("animal.id.unique", exchanges)


@pytest.mark.parametrize("scheme", [[1, 2, 3], [3, 2, 1], [-5, 0, 2**62], [7, 10**15, -(2**63)]])
def test_any_scheme_of_ids_is_right(scheme: list[int]) -> None:
    """Reading 13: counted, random, falling, negative."""
    made = [
        created(payload(name=f"Babette{at}"), animal_id, at=float(at)) for at, animal_id in enumerate(scheme)
    ]
    assert set() == failed_of(made)


def changed(animal_id: int, at: float, **changes: Any) -> list[Any]:
    """An animal of somebody else's that is listed, and then shown by getPet as changed."""
    return [listing([animal(animal_id)], at=at), got(animal_id, animal(animal_id, **changes), at=at + 1)]


CHANGES = pytest.mark.parametrize("changes", [{"name": "Other"}, {"categoryId": 2}, {"status": "sold"}])


@CHANGES
def test_animals_that_change_are_put_to_the_test_and_may_have_changed_for_good(
    changes: dict[str, Any],
) -> None:
    """Reading 17: others edit a hundred at once; getPet and lists are asked in turns, and agree since."""
    trace = changed(1, 1.0, **changes) + changed(2, 3.0, **changes)
    verdict = verdict_of("animal.id.stable", trace)
    assert (CANT_TELL, 2) == (verdict.outcome, len(verdict.suspected))
    later = [animal(each, **changes) for each in (1, 2)]
    trace += [listing(later, at=9.0), *(got(each["id"], each, at=9.5) for each in later)]
    assert PASSED == outcome_of("animal.id.stable", trace)


@CHANGES
def test_an_animal_that_getpet_and_lists_go_on_showing_differently_is_a_finding(
    changes: dict[str, Any],
) -> None:
    """Reading 17: in turns, after settling; one animal is enough."""
    trace = changed(1, 1.0, **changes)
    for turn in range(2):
        trace += [listing([animal(1)], at=9.0 + turn), got(1, animal(1, **changes), at=9.5 + turn)]
    assert {"animal.id.stable"} == failed_of(trace)
    assert set() == failed_of(trace[:-1])


@pytest.mark.parametrize(
    "changes", [{"status": ...}, {"extra": 1}, {"name": ...}, {"categoryId": "x"}, {"name": 5}]
)
def test_an_animal_that_stays_the_same_is_evidence(changes: dict[str, Any]) -> None:
    """A status may be left out; a field that is broken, at first or later, is the business of its own clause."""
    exchanges = changed(1, 1.0, **changes) + changed(2, 3.0, **changes)
    assert (2, 0) == opinions_of("animal.id.stable", exchanges)
    mended = [listing([animal(3, **changes)], at=5.0), got(3, at=6.0)]
    assert (1, 0) == opinions_of("animal.id.stable", mended)


def test_every_animal_of_a_list_is_held_against_what_it_was() -> None:
    """Also those behind one that the run made."""
    first, later = ([animal(2, name=name), animal(3, name=name)] for name in ("Rex", "Tom"))
    trace = [created(), listing(first, at=2.0), listing([animal(1), *later], at=3.0)]
    (suspected,) = verdict_of("animal.id.stable", trace).suspected
    assert {"/pets/2", "/pets/3"} < set(reads_of(*suspected.suspicion.experiments))


@cases(
    "exchanges",
    {
        "seen once": [listing([animal(1)])],
        "twice in one list": [listing([animal(1), animal(1, name="Other")])],
        "created by the run": [created(), got(1, animal(1, name="x"), at=2.0), got(1, at=3.0)],
        "made up": [got(10**12), got(10**12, animal(10**12, name="x"), at=2.0)],
        "no id": [listing([animal([])]), listing([animal([], name="x")], at=2.0)],
    },
)
def test_what_another_clause_says_is_no_evidence_of_stability(exchanges: list[Any]) -> None:
    """list.once, create.name.exact and get.unknown each speak for themselves."""
    assert (0, 0) == opinions_of("animal.id.stable", exchanges)


def test_others_who_create_meanwhile_break_nothing() -> None:
    """Reading 12: every list may show more animals than the one before, in any order."""
    pages = [listing(list(reversed(animals(5 + at))), at=float(at)) for at in range(10)]
    assert set() == failed_of(pages)


def test_an_integral_float_is_the_same_id() -> None:
    """5 and 5.0 name one animal."""
    exchanges = [
        listing(b'[{"id": 5.0, "name": "Rex", "categoryId": 1.0}]'),
        got(5, animal(5, name="Rex"), at=2.0),
    ]
    judgement = judged(exchanges)
    assert [5] == list(judgement.ledger.animals)
    assert PASSED == outcome_of("get.requested", exchanges)


@pytest.mark.parametrize("shown", [True, False])
def test_an_id_that_was_given_twice_says_whether_the_first_animal_was_ever_shown(*, shown: bool) -> None:
    """One that was not stored may have freed its id."""
    first, second = created(named("Rex the First"), 7), created(named("Rex the Second"), 7, at=3.0)
    trace = [first, *([got(7, animal(7, name="Rex the First"), at=2.0)] if shown else []), second]
    (found,) = verdict_of("animal.id.unique", trace).findings
    assert shown == ("may not have been stored" not in found.finding.message)
