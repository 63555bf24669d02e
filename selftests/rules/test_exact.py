"""The rules of rules/creation.py: what comes back is what was sent."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from animal_conformance.judge.rules.creation import same_name
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
    refused,
    verdict_of,
)

FAR = 7_000_000_000_000_001

EXACT_NAMES = [
    "Rex",
    "",
    "00123",
    "1e5",
    "null",
    "a\x00b",
    "\x7f",
    "\U0001f98a",
    "e\u0301",
    "\u00e9",
    "a" * 1100,
    "<b>&amp;</b>",
    '"\\/',
    "\u202e",
    "ﬁ",
    " outer ",
]


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
    assert same_name(name, unicodedata.normalize(form, name))
    assert same_name(name, unicodedata.normalize(form, name).strip())
    assert same_name(name, unicodedata.normalize(form, name.strip()))


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


def readings(*animal_ids: int, at: float, **changes: Any) -> list[Exchange]:
    """Creations, and a reading of each at this time, as changed."""
    trace = []
    for each in animal_ids:
        sent = named(f"Babette{each}")
        trace += [created(sent, each, at=1.0), got(each, {**animal(each), **sent, **changes}, at=at)]
    return trace


def test_a_status_that_is_another_in_the_first_reading_is_a_finding_on_two_animals() -> None:
    """Readings 4 and 12: the first reading soon after, on a second animal too."""
    assert FAILED == outcome_of("create.status.exact", readings(1, 2, at=1.1, status="sold"))
    assert FAILED != outcome_of("create.status.exact", readings(1, at=1.1, status="sold"))


def test_a_status_that_is_another_later_is_no_finding() -> None:
    """Reading 12: transitions are not shown."""
    assert set() == failed_of(readings(1, 2, at=9.0, status="sold"))


def test_a_status_that_moved_after_the_first_reading_is_no_finding() -> None:
    """The first reading showed it as it was sent; whatever comes then is a transition."""
    trace = readings(1, 2, at=1.1) + [
        got(each, {**animal(each), **named(f"Babette{each}"), "status": "sold"}, at=1.6) for each in (1, 2)
    ]
    assert PASSED == outcome_of("create.status.exact", trace)


def listed_between(
    *animal_ids: int, status: object, after: str = "available", at: float = 1.08
) -> list[Exchange]:
    """Animals that are created, listed with this status, and got with another right afterwards."""
    sent = {each: named(f"Babette{each}") for each in animal_ids}
    shown = [{**animal(each), **sent[each], "status": status} for each in animal_ids]
    page = [{name: value for name, value in each.items() if value is not ...} for each in shown]
    return [
        *(created(sent[each], each) for each in animal_ids),
        listing(page, at=at),
        *(got(each, {**animal(each), **sent[each], "status": after}, at=at + 0.05) for each in animal_ids),
    ]


@pytest.mark.parametrize("status", ["sold", ...])
def test_a_status_that_only_a_list_shows_otherwise_is_a_finding_on_two_animals(status: object) -> None:
    """Readings 4 and 12: the creation before it and getPet after it agree."""
    assert {"create.status.exact"} == failed_of(listed_between(1, 2, status=status))
    assert set() == failed_of(listed_between(1, status=status))


def test_a_status_that_a_list_shows_otherwise_later_is_no_finding() -> None:
    """Reading 12: it may have moved and come back in between."""
    assert set() == failed_of(listed_between(1, 2, status="sold", at=5.0))


def test_a_status_that_moved_before_it_was_listed_is_no_finding() -> None:
    """Reading 12: getPet shows the new one as well."""
    assert set() == failed_of(listed_between(1, 2, status="sold", after="sold"))
    assert set() == failed_of(listed_between(1, 2, status="sold", after="pending"))


@pytest.mark.parametrize(
    ("clause_id", "changes"),
    [
        ("create.name.exact", {"name": "Rex"}),
        ("create.category-id.exact", {"categoryId": 7}),
    ],
)
def test_a_field_that_is_read_back_changed_is_a_finding_on_two_animals(
    clause_id: str, changes: dict[str, Any]
) -> None:
    """Reading 12: somebody may have changed one; in a list it counts as in getPet."""
    assert {clause_id} == failed_of(readings(1, 2, at=9.0, **changes))
    assert CANT_TELL == outcome_of(clause_id, readings(1, at=9.0, **changes)[1:])
    made = readings(1, 2, at=9.0)[::2]
    shown = [{**animal(each), **named(f"Babette{each}"), **changes} for each in (1, 2)]
    assert {clause_id} == failed_of([*made, listing(shown, at=9.0)])


@pytest.mark.parametrize(
    ("clause_id", "changes"),
    [
        ("create.name.exact", {"name": "Rex"}),
        ("create.category-id.exact", {"categoryId": 7}),
    ],
)
def test_one_animal_that_is_changed_and_then_as_it_was_sent_is_a_finding(
    clause_id: str, changes: dict[str, Any]
) -> None:
    """Whoever had changed it would have had to change it back; a status alone moves back and forth."""
    right = {**payload(), "id": 1}
    wrong = {**right, **changes}
    made = created(animal_id=1)
    assert {clause_id} == failed_of([made, listing([wrong], at=2.0), got(1, right, at=3.0)])
    assert {clause_id} == failed_of([made, got(1, wrong, at=2.0), listing([right], at=3.0)])
    assert set() == failed_of([made, got(1, right, at=2.0), listing([wrong], at=3.0)])
    moved = {**right, "status": "sold"}
    assert set() == failed_of([made, got(1, moved, at=1.05), got(1, right, at=3.0)])


@pytest.mark.parametrize(
    "clause_id", ["create.name.exact", "create.category-id.exact", "create.status.exact"]
)
@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([got(1)], id="somebody else's animal"),
        pytest.param([refused()], id="refused"),
        pytest.param([created({"name": 5, "categoryId": "x", "status": 0})], id="accepted though invalid"),
        pytest.param(
            [created(changes={"name": None, "categoryId": "1", "status": "SOLD"})], id="broken fields"
        ),
    ],
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


@pytest.mark.parametrize(
    "first", [payload(status="lost"), payload(name=...), b'{"name": "Abelarda", "categoryId": 1.0}']
)
def test_every_animal_of_a_list_is_held_against_what_was_sent(first: Any) -> None:
    """Also those behind one of which nothing is known."""
    made = [posted(first, 201, animal(1)), *(created(named(f"Babette{each}"), each) for each in (2, 3))]
    page = listing([animal(1), *(animal(each, name="Rex") for each in (2, 3))], at=2.0)
    assert FAILED == outcome_of("create.name.exact", [*made, page])


def test_the_shortest_value_that_changed_is_shown() -> None:
    """Whatever came back, and whichever was made first."""
    sent = {1: "A" * 30, 2: "B" * 9, 3: "C" * 20}
    made = [created(named(name), each, at=float(each)) for each, name in sent.items()]
    page = listing([animal(each, name="x" * (50 - 9 * each)) for each in sent], at=9.0)
    finding = verdict_of("create.name.exact", [*made, page]).findings[0].finding
    assert f'name: "{sent[2]}"' == finding.expected
    assert finding.observed.endswith(" in listPets")


def test_a_finding_shows_the_creation_and_what_shows_the_field_as_it_was_sent() -> None:
    """In the 201 it stands alone."""
    made, right = created(animal_id=1), {**payload(), "id": 1}
    wrong, back = got(1, {**right, "name": "Rex"}, at=2.0), got(1, right, at=3.0)
    for trace, related in (([made, wrong], (made,)), ([made, wrong, back], (made, back))):
        assert related == verdict_of("create.name.exact", trace).findings[0].finding.related
    at_once = created(changes={"name": "Rex"})
    trace = [at_once, got(1, {**right, "name": "Rex"}, at=2.0), back]
    finding = min(verdict_of("create.name.exact", trace).findings, key=lambda each: len(each.finding.related))
    assert ((), frozenset()) == (finding.finding.related, finding.finding.subjects)


@pytest.mark.parametrize("later", [{"name": 5}, {"name": ...}, {"name": "Tom"}])
def test_a_name_that_is_shown_otherwise_again_is_not_back(later: dict[str, Any]) -> None:
    """It was changed twice, or it is animal.name's."""
    shown = [{**payload(), "id": 1, **each} for each in ({"name": "Rex"}, later)]
    pages = [
        listing([{k: v for k, v in each.items() if v is not ...}], at=2.0 + at)
        for at, each in enumerate(shown)
    ]
    assert CANT_TELL == outcome_of("create.name.exact", [created(animal_id=1), *pages])


@pytest.mark.parametrize(
    ("trace", "opinions"),
    [
        pytest.param(listed_between(1, status="available"), (2, 0), id="listed as it was sent"),
        pytest.param(listed_between(1, status="available")[:2], (1, 0), id="not got afterwards"),
        pytest.param(listed_between(1, status="sold"), (1, 1), id="listed otherwise"),
        pytest.param(
            [
                *listed_between(1, 2, status="sold"),
                *(got(7, animal(7, status=each), at=9.0) for each in ("sold", "pending", "pending")),
                listing([animal(7)], at=0.0),
            ],
            (2, 0),
            id="statuses that move",
        ),
        pytest.param(
            [
                created(changes={"status": "sold"}),
                *(got(7, animal(7, status=each), at=9.0) for each in ("sold", "pending", "pending")),
                listing([animal(7)], at=0.0),
            ],
            (0, 1),
            id="statuses that move, but not before a 201",
        ),
        pytest.param(
            [created(at=0.0, took=0.0), got(1, {**payload(), "id": 1}, at=0.1)], (2, 0), id="read at once"
        ),
        pytest.param(readings(1, at=1.2), (1, 0), id="read later"),
        pytest.param([*readings(1, at=1.05), got(1, at=1.06)], (2, 0), id="read again"),
        pytest.param(
            [*readings(1, at=1.05), got(1, {**named("Babette1"), "id": 1, "status": "sold"}, at=1.06)],
            (2, 0),
            id="read again, and moved",
        ),
        pytest.param(
            [got(1, at=1.0, took=0.0), created(at=1.0, took=0.0)],
            (1, 0),
            id="all at once",
        ),
        pytest.param(
            [*readings(1, at=1.05), exchange("PUT", "/pets/1", 200, animal(1))],
            (2, 0),
            id="another operation",
        ),
        pytest.param([created(), got("abc", animal(1), at=1.05)], (1, 0), id="no int64"),
        pytest.param([created(), created(at=1.02), got(1, at=1.05)], (2, 0), id="an id that was given twice"),
        pytest.param([created(), got(1, [], at=1.05)], (1, 0), id="no animal"),
    ],
)
def test_which_answers_say_what_the_status_was(trace: list[Exchange], opinions: tuple[int, int]) -> None:
    """The 201, the first reading soon after it, and lists between two that agree."""
    assert opinions == opinions_of("create.status.exact", trace)


@pytest.mark.parametrize(
    ("state", "shown", "findings"), [("sold", "sold", 0), ("sold", "pending", 1), (None, "sold", 1)]
)
def test_a_filter_that_is_shown_as_the_status_of_others_is_the_filters(
    state: str | None, shown: str, findings: int
) -> None:
    """One cause, one clause: list.status.filter."""
    trace = listed_between(1, status=shown)
    trace[1] = listing(
        trace[1].response.json.value if trace[1].response else [], state=state, at=trace[1].sent_s
    )
    assert (1, findings) == opinions_of("create.status.exact", trace)


def test_every_white_space_may_be_trimmed() -> None:
    """Reading 4: and control characters up to the space, and the byte order mark; nothing else."""
    outer = [chr(each) for each in range(0x10000) if chr(each).isspace() or each <= 32] + ["\ufeff"]
    assert [] == [each for each in outer if not same_name(f"{each}Rex{each}", "Rex")]
    assert not same_name("!Rex", "Rex")
    assert not same_name("Rex\u200b", "Rex")


def test_a_creation_that_is_read_by_somebody_else_first_is_no_finding() -> None:
    """A list that was sent before the creation was answered may show anything of it."""
    trace = [created(named("Babette"), 1, at=2.0, took=5.0), listing([animal(1, name="half")], at=3.0)]
    assert "create.name.exact" not in failed_of(trace)


def test_a_finding_shows_what_was_sent_and_what_came_back() -> None:
    """For a person: both values, and where."""
    finding = (
        verdict_of("create.name.exact", [created(named("Rex"), changes={"name": "rex"})]).findings[0].finding
    )
    assert ('name: "Rex"', 'name: "rex" in the 201') == (finding.expected, finding.observed)
