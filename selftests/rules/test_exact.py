"""The rules of rules/creation.py: what comes back is what was sent."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create
from animal_conformance.judge.knowledge.fields import normal_name
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    animal,
    created,
    exchange,
    failed_of,
    got,
    listing,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    reads_of,
    refused,
    verdict_of,
)
from selftests.suspicions.lists import alternating
from selftests.tables import cases

FAR = 7_000_000_000_000_001

EXACT_NAMES = [
    "Rex", "", "00123", "1e5", "null", "a\x00b", "\x7f", "\U0001f98a", "e\u0301", "\u00e9", "a" * 1100,
    "<b>&amp;</b>", '"\\/', "\u202e", "ﬁ", " outer ",
]  # fmt: skip


@pytest.mark.parametrize("name", EXACT_NAMES)
def test_a_name_that_comes_back_as_it_was_sent_is_evidence(name: str) -> None:
    """Reading 4: every Unicode scalar value."""
    shown = animal(1, name=name)
    trace = [created(named(name)), got(1, shown, at=2.0), listing([shown], at=3.0)]
    assert set() == failed_of(trace)
    for each in trace:
        assert PASSED == outcome_of("create.name.exact", [trace[0], each] if each is not trace[0] else [each])


@pytest.mark.parametrize(
    ("sent", "got_back"),
    [
        (" Rex ", "Rex"),
        ("\tRex\n", "Rex"),
        ("\u00a0Rex\u3000", "Rex"),
        ("\ufeffRex", "Rex"),
        ("\x00Rex\x1f", "Rex"),
        ("   ", ""),
        ("e\u0301", "\u00e9"),
        ("\u00e9", "e\u0301"),
        ("\u212b", "\u00c5"),
        ("ﬁn", "fin"),
        ("\u1e9b\u0323", "\u1e69"),
        ("\u00a8abc", "\u0308abc"),
        (" e\u0301 ", "\u00e9"),
    ],
)
def test_a_name_that_is_trimmed_or_normalised_is_no_finding(sent: str, got_back: str) -> None:
    """Reading 4: both are open."""
    assert set() == failed_of([created(named(sent), changes={"name": got_back})])


@pytest.mark.parametrize(("sent", "got_back"), [("one ...", "one …"), ("fi", "ﬁ"), ("2", "²")])
def test_a_name_with_characters_that_no_normal_form_of_it_has_is_a_finding(sent: str, got_back: str) -> None:
    """They are equal to what was sent in a normal form, and no normalisation makes them of it."""
    assert {"create.name.exact"} == failed_of([created(named(sent), changes={"name": got_back})])
    assert set() == failed_of([created(named(got_back), changes={"name": sent})])


@pytest.mark.parametrize(
    ("sent", "got_back"),
    [
        ("Rex", "rex"),
        ("Rex", "Re"),
        ("Rex", ""),
        ("Rex", "Rexx"),
        ("a\x00b", "ab"),
        ("a\x00b", "a"),
        ("in  ner", "in ner"),
        ("\U0001f98a", "?"),
        ("\U0001f98a", "\ufffd"),
        ("\U0001f98a", ""),
        ("\u00e9", "e"),
        ("\u00e9", "Ã©"),
        ("ß", "ss"),
        ("İ", "i\u0307"),
        ("<b>", "&lt;b&gt;"),
        ('"', '\\"'),
        ("a\\b", "a\\\\b"),
        ("%20", " "),
        ("a+b", "a b"),
        ("00123", "123"),
        ("1e5", "100000"),
        ("a\u200db", "ab"),
        ("a\r\nb", "a\nb"),
        ("x" * 256, "x" * 255),
        ("a\u00a0\ufb01", "a \ufb01"),
        ("[a]", " [a]"),
    ],
)
def test_a_name_that_is_changed_is_a_finding(sent: str, got_back: str) -> None:
    """Reading 4: a lost, cut, escaped or re-cased character."""
    assert {"create.name.exact"} == failed_of([created(named(sent), changes={"name": got_back})])


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize(
    "name", [*EXACT_NAMES, "\u00a8abc\u00b4", "\u2003x\u2003", "\u1e9b\u0323\u212b\ufb01"]
)
def test_every_form_of_a_name_is_the_same_name(form: Any, name: str) -> None:
    """Reading 4: normalised and trimmed, in either order."""
    normalised = unicodedata.normalize(form, name)
    for got_back in (normalised, normalised.strip(), unicodedata.normalize(form, name.strip())):
        assert normal_name(name) == normal_name(got_back)


@pytest.mark.parametrize("category_id", [0, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)])
def test_a_category_id_that_comes_back_is_evidence(category_id: int) -> None:
    """Reading 4: every int64."""
    assert PASSED == outcome_of("create.category-id.exact", [created(payload(categoryId=category_id))])


@pytest.mark.parametrize(
    ("sent", "got_back"),
    [(2**53 + 1, 2**53), (2**63 - 1, -1), (2**32 + 1, 1), (2**31, -(2**31)), (-(2**63), 0), (5, 6)],
)
def test_a_category_id_that_is_changed_is_a_finding(sent: int, got_back: int) -> None:
    """Reading 4: cut to another width, or to a double."""
    answer = created(payload(categoryId=sent), changes={"categoryId": got_back})
    assert {"create.category-id.exact"} == failed_of([answer])


def test_a_category_id_that_comes_back_as_an_integral_float_is_the_same() -> None:
    """Reading 13: 5.0 is 5."""
    answer = posted(
        payload(categoryId=5), 201, b'{"id":1,"name":"Whiskerton","categoryId":5.0,"status":"available"}'
    )
    assert set() == failed_of([answer])


@pytest.mark.parametrize("got_back", ["pending", "sold", ...])
def test_a_status_that_does_not_come_back_in_the_201_is_a_finding(got_back: Any) -> None:
    """Reading 4: nobody can have moved it before it was answered."""
    assert {"create.status.exact"} == failed_of([created(changes={"status": got_back})])


def readings(*animal_ids: int, after: float = 0.05, apart: float = 5.0, **changes: Any) -> list[Exchange]:
    """Creations one after another, and a reading of each so long afterwards, as changed."""
    trace = []
    for number, each in enumerate(animal_ids):
        sent, at = named(f"Babette{each}"), 1.0 + apart * number
        shown = animal(each, **{**sent, **changes})
        trace += [created(sent, each, at=at, took=0.0), got(each, shown, at=at + after)]
    return trace


WRONG = [
    ("create.name.exact", {"name": "Rex"}),
    ("create.category-id.exact", {"categoryId": 7}),
    ("create.status.exact", {"status": "sold"}),
]


@pytest.mark.parametrize(("clause_id", "changes"), WRONG)
def test_first_readings_that_are_wrong_are_a_finding_on_two_animals_made_apart(
    clause_id: str, changes: dict[str, Any]
) -> None:
    """Reading 17: nobody edits one new animal and then the next, each before it can be read."""
    trace = readings(1, 2, **changes)
    finding = verdict_of(clause_id, trace).findings[0].finding
    assert {clause_id} == failed_of(trace)
    assert (trace[1], trace[3]) == tuple(each for _, each in finding.excluded)
    assert {"moved" if "status" in changes else "edited"} == {each for each, _ in finding.excluded}


@pytest.mark.parametrize(("clause_id", "changes"), WRONG)
@cases(
    "how",
    {
        "made together": {"apart": 0.0},
        "made before the first was read": {"apart": 0.02},
        "read later": {"after": 1.01},
    },
)
def test_first_readings_that_are_wrong_for_one_change_are_no_finding(
    clause_id: str, changes: dict[str, Any], how: dict[str, float]
) -> None:
    """Somebody may have edited both at once, or after a while; a status may move in less than that."""
    assert CANT_TELL == outcome_of(clause_id, readings(1, 2, **how, **changes))
    within_a_second = outcome_of(clause_id, readings(1, 2, after=1.0, **changes))
    assert (CANT_TELL if "status" in changes else FAILED) == within_a_second


def test_a_status_that_is_read_within_a_few_requests_is_read_at_once() -> None:
    """However long they take."""
    slow = [replace(each, answered_s=each.sent_s + 0.2) for each in readings(1, 2, after=0.7, status="sold")]
    assert {"create.status.exact"} == failed_of(slow)
    late = [replace(each, answered_s=each.sent_s + 0.05) for each in slow]
    assert CANT_TELL == outcome_of("create.status.exact", late)


@pytest.mark.parametrize(("clause_id", "changes"), WRONG)
def test_one_first_reading_that_is_wrong_is_put_to_the_test(clause_id: str, changes: dict[str, Any]) -> None:
    """On two new animals with the same payload, and in turns."""
    trace = readings(1, **changes)
    (suspected,) = verdict_of(clause_id, trace).suspected
    like, turns = suspected.suspicion.experiments
    body = (trace[0].request.body or b"").decode()
    assert 2 == like.steps.count(Create(body))
    assert "/pets/1" in reads_of(turns)


@pytest.mark.parametrize(("clause_id", "changes"), WRONG)
def test_new_animals_that_are_read_right_explain_one_that_was_not(
    clause_id: str, changes: dict[str, Any]
) -> None:
    """If getPet and lists agree on it then; such as differ in more than the name are not like it."""
    shown = {**animal(1), **named("Babette1"), **changes}
    agreed = [got(1, shown, at=20.0), listing([shown], at=21.0)]
    assert PASSED == outcome_of(clause_id, [*readings(1, 7, 8, **changes)[:2], *alike(7, 8), *agreed])
    assert CANT_TELL == outcome_of(clause_id, [*readings(1, **changes), *alike(7), *agreed])
    assert CANT_TELL == outcome_of(clause_id, [*readings(1, **changes), *alike(7, 8, categoryId=3), *agreed])
    assert CANT_TELL == outcome_of(clause_id, [*readings(1, **changes), *alike(7, 8)])


def alike(*animal_ids: int, **changes: Any) -> list[Exchange]:
    """New animals under the name of the first one, read right."""
    sent = {**named("Babette1"), **changes}
    trace = []
    for each in animal_ids:
        at = 10.0 + each / 10
        trace += [created(sent, each, at=at), got(each, {**sent, "id": each}, at=at + 0.02)]
    return trace


def test_a_list_that_is_wrong_soon_after_getpet_was_right_is_put_to_the_test() -> None:
    """An editor may have been as quick; where the two go on telling different names, nobody has edited."""
    trace = readings(1, 2)
    pages = [listing([animal(each, name="Rex")], at=1.2 + 5 * (each - 1)) for each in (1, 2)]
    assert CANT_TELL == outcome_of("create.name.exact", [*trace, *pages])
    turns = alternating(
        lambda at: listing([animal(1, name="Rex")], at=at),
        lambda at: replace(trace[1], sent_s=at, answered_s=at + 0.1),
        at=(10.0, 11.0, 12.0),
    )
    assert {"create.name.exact"} == failed_of([*trace, *pages, *turns])


def test_an_omitted_status_is_the_one_that_the_201_shows() -> None:
    """It holds the animal as it was stored; one that it leaves out is open."""
    for shown, outcome in (("pending", FAILED), (..., PASSED)):
        trace = []
        for each in (1, 2):
            sent = named(f"Babette{each}", status=...)
            changes = {"status": shown}
            trace += [
                created(sent, each, at=5.0 * each, changes=changes),
                got(each, {**sent, "id": each, "status": "sold"}, at=5.0 * each + 0.1),
            ]
        assert outcome == outcome_of("create.status.exact", [*trace, created(animal_id=9, at=30.0)])
        left_out = got(1, animal(1, status=...), at=40.0)
        assert outcome == outcome_of("create.status.exact", [*trace, left_out, created(animal_id=9, at=30.0)])


def test_a_status_that_is_left_out_of_a_reading_was_not_returned_as_sent() -> None:
    """It was sent."""
    assert {"create.status.exact"} == failed_of(readings(1, 2, status=...))


@pytest.mark.parametrize(
    "clause_id", ["create.name.exact", "create.category-id.exact", "create.status.exact"]
)
@cases(
    "trace",
    {
        "somebody else's animal": [got(1)],
        "refused": [refused()],
        "accepted though invalid": [created({"name": 5, "categoryId": "x", "status": 0})],
        "broken fields": [created(changes={"name": None, "categoryId": "1", "status": "SOLD"})],
    },
)
def test_what_another_clause_says_is_no_evidence_of_exactness(clause_id: str, trace: list[Exchange]) -> None:
    """animal.*, create.*.type and the like speak for themselves."""
    assert CANT_TELL == outcome_of(clause_id, trace)


def test_a_field_is_held_against_what_was_sent_beside_what_is_open() -> None:
    """Unknown properties and an id may be ignored; what else is open, or invalid, may be read otherwise."""
    changed: dict[str, Any] = {"changes": {"name": "Rex"}}
    assert (0, 1) == opinions_of("create.name.exact", [created(payload(id=FAR, colour="x"), **changed)])
    assert (0, 0) == opinions_of("create.name.exact", [created(payload(status="lost"), **changed)])
    twice = b'{"name": "Whiskerton", "name": "Whiskerton", "categoryId": 1}'
    assert (0, 0) == opinions_of("create.name.exact", [posted(twice, 201, animal(1, name="Rex"))])


def test_a_finding_in_the_201_stands_alone() -> None:
    """Nobody else could have changed it."""
    at_once = created(changes={"name": "Rex"})
    trace = [at_once, got(1, {**payload(), "id": 1, "name": "Rex"}, at=2.0)]
    (found,) = verdict_of("create.name.exact", trace).findings
    assert (at_once, (), ()) == (found.exchange, found.finding.related, found.finding.excluded)


@cases(
    ("trace", "evidence"),
    {
        "read as it was sent": (readings(1), 2),
        "listed": ([*readings(1), listing([{**animal(1), **named("Babette1")}], at=9.0)], 3),
        "another operation": ([*readings(1), exchange("PUT", "/pets/1", 200, animal(1))], 2),
        "no int64": ([created(), got("abc", animal(1), at=1.05)], 1),
        "an id that was given twice": ([created(), created(at=1.02), got(1, at=1.05)], 2),
        "no animal": ([created(), got(1, [], at=1.05)], 1),
        "read before it was answered": ([got(1, at=1.0, took=0.0), created(at=1.0, took=0.5)], 1),
        "read": ([created(), got(1, {**payload(), "id": 1}, at=1.05)], 2),
        "open": ([created(), listing([{**payload(), "id": 1}], query="limit=5&colour=red", at=1.05)], 1),
    },
)
def test_which_answers_say_what_the_status_was(trace: list[Exchange], evidence: int) -> None:
    """The 201, getPet and valid lists."""
    assert (evidence, 0) == opinions_of("create.status.exact", trace)


def test_every_white_space_may_be_trimmed() -> None:
    """Reading 4: and control characters up to the space, and the byte order mark; nothing else."""
    outer = [chr(each) for each in range(0x10000) if chr(each).isspace() or each <= 32] + ["\ufeff"]
    assert {"Rex"} == {normal_name(f"{each}Rex{each}") for each in outer}
    assert "Rex" not in {normal_name("!Rex"), normal_name("Rex\u200b")}


def test_a_creation_that_is_read_by_somebody_else_first_is_no_finding() -> None:
    """A list that was sent before the creation was answered may show anything of it."""
    trace = [created(named("Babette"), 1, at=2.0, took=5.0), listing([animal(1, name="half")], at=3.0)]
    assert PASSED == outcome_of("create.name.exact", trace)


def test_a_finding_shows_what_was_sent_and_what_came_back() -> None:
    """For a person: both values, and where."""
    (found,) = verdict_of("create.name.exact", [created(named("Rex"), changes={"name": "rex"})]).findings
    assert ('name: "Rex"', 'name: "rex" in the 201') == (found.finding.expected, found.finding.observed)


def test_a_status_that_a_list_shows_otherwise_after_getpet_showed_it_as_sent_has_moved() -> None:
    """However soon that was, and however often: a status may move once it was read."""
    trace = []
    for each in (1, 2):
        sent, at = named(f"Babette{each}", status="available"), 5.0 * each
        moved = {**sent, "id": each, "status": "pending"}
        trace += [created(sent, each, at=at), got(each, {**sent, "id": each}, at=at + 0.1)]
        trace += [listing([moved], limit=100, at=at + 0.3)]
    assert "create.status.exact" not in failed_of(trace)


@cases(
    ("got_back", "outcome"),
    {
        "whole": ("Ac" + "\U0001f98a" * 3000, PASSED),
        "cut": ("Ac" + "\U0001f98a" * 900, FAILED),
        "replaced": ("Ac" + "?" * 3000, FAILED),
    },
)
def test_a_name_that_is_too_large_may_be_refused_and_not_cut(got_back: str, outcome: str) -> None:
    """Readings 3 and 4: 201 with the exact values, or a rejection."""
    sent = payload(name="Ac" + "\U0001f98a" * 3000)
    assert outcome == outcome_of("create.name.exact", [created(sent, changes={"name": got_back})])
