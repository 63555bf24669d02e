"""The rules of rules/creation.py: what is accepted, what comes back, and what must be refused."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from animal_conformance.judge.rules.creation import same_name
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    JSON,
    PASSED,
    WRONG,
    animal,
    created,
    failed_of,
    got,
    listing,
    lost,
    outcome_of,
    payload,
    posted,
    refused,
    unanswered,
    unauthorised,
    verdict_of,
)

STATUSES = ("available", "pending", "sold")


def named(name: str, **changes: Any) -> dict[str, Any]:
    """A valid payload with this name."""
    return payload(name=name, **changes)


def test_a_valid_creation_that_is_answered_with_201_is_evidence() -> None:
    """The table lists it."""
    assert PASSED == outcome_of("create.answer", [created()])


@pytest.mark.parametrize(
    "sent",
    [
        payload(categoryId=2**53 + 1),
        payload(name=""),
        payload(name="x" * 1100),
        payload(name="a\x00b"),
        payload(name=" x "),
    ],
)
def test_a_valid_creation_that_is_refused_with_400_is_no_finding(sent: dict[str, Any]) -> None:
    """Reading 3: closed categories and rules for names are left open."""
    assert CANT_TELL == outcome_of("create.answer", [refused(sent)])
    assert set() == failed_of([created(animal_id=1), refused(sent, at=2.0)])


@pytest.mark.parametrize("status", [200, 202, 204, 301, 404, 409, 413, 415, 422])
def test_a_valid_creation_with_any_other_answer_is_a_finding(status: int) -> None:
    """Reading 3: 201, or 400 with an Error; nothing else."""
    assert FAILED == outcome_of("create.answer", [refused(payload(), status)])


@pytest.mark.parametrize(
    "sent",
    [
        payload(colour="brown"),
        payload(id=5),
        b'{"name": "Rex", "categoryId": 5.0}',
        b'{"name": "Rex", "name": "Rex", "categoryId": 5}',
        rb'{"name": "\ud800", "categoryId": 5}',
        payload(name="x" * 9000),
    ],
)
def test_a_creation_that_the_document_leaves_open_may_be_refused_anyhow(sent: Any) -> None:
    """Readings 6 and 15: unknown properties, 5.0, duplicate keys, lone surrogates, large bodies."""
    for status in (400, 413, 422):
        assert set() == failed_of([created(), refused(sent, status, at=2.0)]) - {"create.answer"}
        assert CANT_TELL == outcome_of("create.answer", [refused(sent, status)])


def test_a_creation_under_another_label_is_open() -> None:
    """Reading 15: request content types are open."""
    plain = (("Content-Type", "text/plain"),)
    for answer in (refused(status=415, sent_headers=plain), created(sent_headers=plain)):
        assert set() == failed_of([answer])


# Statuses in creations.


def refusals(status: object, number: int = 3, at: float = 2.0) -> list[Exchange]:
    """Refusals of plain payloads that have this status, or none."""
    return [refused(named(f"Abelard{'abc'[each]}", status=status), at=at) for each in range(number)]


def around(*statuses: Any) -> list[Exchange]:
    """Accepted creations with these statuses, before and after."""
    return [
        created(named(f"Babette{'abcdef'[at]}", status=status), at + 1, at=1.0 if at % 2 == 0 else 3.0)
        for at, status in enumerate(statuses)
    ]


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_that_is_refused_while_others_are_accepted_is_a_finding(status: str) -> None:
    """Reading 3: only the status differs from an accepted payload."""
    others = [each for each in STATUSES if each != status]
    assert FAILED == outcome_of("create.status.accepted", [*around(*others), *refusals(status)])


def test_a_creation_without_status_that_is_refused_is_a_finding() -> None:
    """Status is optional."""
    assert FAILED == outcome_of("create.status.optional", [*around(*STATUSES), *refusals(...)])


@pytest.mark.parametrize(
    "lawful",
    [
        pytest.param([created(named("Babette")), *refusals("sold")], id="nothing accepted afterwards"),
        pytest.param([*around("sold", "sold"), *refusals("sold")], id="the same status accepted"),
        pytest.param(
            [
                *around("pending"),
                *refusals("sold"),
                created(named("Babetted", categoryId=7, status="sold"), 7),
            ],
            id="the same status accepted in another category",
        ),
        pytest.param([*around("pending", "available"), *refusals("sold", 2)], id="two names only"),
        pytest.param(
            [*around("pending", "available"), refused(named("Abelard", categoryId=9, status="sold"), at=2.0)],
            id="another category",
        ),
        pytest.param(
            [*around("pending", "available"), refused(named("<b>Abelard</b>", status="sold"), at=2.0)],
            id="a name of another kind",
        ),
        pytest.param(
            [*around("pending", "available"), refused(named("Rex", status="sold"), at=2.0)],
            id="a common name",
        ),
        pytest.param(
            [*around("pending", "available"), refused(named("Babettea", status="sold"), at=2.0)],
            id="a name that is taken",
        ),
        pytest.param(
            [
                *around("pending", "available"),
                unanswered(posted(named("Abelarda", status="sold")), at=0.5),
                *refusals("sold"),
            ],
            id="a name that may be taken",
        ),
    ],
)
def test_a_refusal_that_has_another_explanation_is_no_finding(lawful: list[Exchange]) -> None:
    """Reading 3: quotas, closed categories and rules for names refuse with 400 as well."""
    assert FAILED != outcome_of("create.status.accepted", lawful)


def test_a_name_that_was_lost_in_a_server_error_may_be_taken() -> None:
    """The creation may have been stored all the same."""
    sent = named("Abelardo", status="sold")
    trace = [posted(sent, 500, at=0.5), *around("pending", "available"), refused(sent, at=2.0)]
    assert FAILED != outcome_of("create.status.accepted", trace)


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_that_is_accepted_is_evidence(status: str) -> None:
    """A creation without status is the other clause's."""
    assert PASSED == outcome_of("create.status.accepted", [created(payload(status=status))])
    assert CANT_TELL == outcome_of("create.status.optional", [created(payload(status=status))])


def test_a_creation_without_status_that_is_accepted_is_evidence() -> None:
    """Whatever its status is then."""
    assert PASSED == outcome_of("create.status.optional", [created(payload(status=...))])
    assert CANT_TELL == outcome_of("create.status.accepted", [created(payload(status=...))])


@pytest.mark.parametrize("status", [*STATUSES, ...])
def test_a_status_that_was_not_sent_may_be_any_or_none(status: Any) -> None:
    """Reading 5: one of the three, or the field left out."""
    assert set() == failed_of([created(payload(status=...), changes={"status": status})])


def test_a_status_of_null_for_one_that_was_not_sent_is_a_finding() -> None:
    """Reading 5: never null."""
    answer = created(payload(status=...), changes={"status": None})
    assert {"animal.status"} == failed_of([answer])


# What comes back.

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


def test_a_size_limit_is_none_of_a_small_body() -> None:
    """'Other size limits: not shown', and 413 speaks of them: of a large body it is no finding."""
    assert set() == failed_of([refused(payload(name="x" * 1100), 413)])
    assert {"create.answer"} == failed_of([refused(payload(name="x" * 900), 413)])
    assert {"create.answer"} == failed_of([refused(payload(name="x" * 1100), 422)])


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


FAR = 7_000_000_000_000_001


@pytest.mark.parametrize("wanted", [FAR, -FAR])
def test_an_id_of_the_clients_own_that_is_adopted_is_a_finding(wanted: int) -> None:
    """Reading 6: assigned by the service, not by the client."""
    assert FAILED == outcome_of(
        "create.id.assigned", [listing([animal(1)]), created(payload(id=wanted), wanted)]
    )


def test_an_id_of_the_clients_own_that_is_ignored_or_refused_is_evidence() -> None:
    """Reading 6: which of both is open."""
    assert PASSED == outcome_of("create.id.assigned", [created(payload(id=FAR), 1)])
    assert PASSED == outcome_of("create.id.assigned", [created(), refused(payload(id=FAR), at=2.0)])


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(
            [created(animal_id=7), created(payload(id=8), 8, at=2.0)], id="near: it was the next id"
        ),
        pytest.param([refused(payload(id=FAR))], id="nothing is accepted"),
        pytest.param([created(payload(id="x"), 1)], id="no int64"),
        pytest.param([created(payload(id=2**64), 1)], id="beyond int64"),
    ],
)
def test_an_id_that_shows_nothing_is_no_evidence(trace: list[Exchange]) -> None:
    """Chance, another reason, or nothing to adopt."""
    assert CANT_TELL == outcome_of("create.id.assigned", trace)


NOT_STRINGS: tuple[Any, ...] = (5, 1.5, True, None, [], {"a": 1})
NOT_INTEGERS: tuple[Any, ...] = ("1", 1.5, True, None, [], {})
NOT_TEXTS: tuple[Any, ...] = (1, 1.5, False, [], {})
WRONG_VALUES: dict[str, tuple[Any, ...]] = {
    "create.name.required": (payload(name=...),),
    "create.name.type": tuple(payload(name=each) for each in NOT_STRINGS),
    "create.category-id.required": (payload(categoryId=...),),
    "create.category-id.type": tuple(payload(categoryId=each) for each in NOT_INTEGERS),
    "create.category-id.int64": tuple(payload(categoryId=each) for each in (2**63, -(2**63) - 1, 10**30)),
    "create.status.type": tuple(payload(status=each) for each in NOT_TEXTS),
    "create.status.null": (payload(status=None),),
    "create.status.enumeration": tuple(payload(status=each) for each in ("lost", "SOLD", "", " sold")),
    "create.body.required": (b"",),
    "create.body.json": (b"{", b"name=Rex", b"  ", b"{'name': 'x'}", b'{"a": 1,}'),
    "create.body.object": (b"[]", b'"x"', b"5", b"true", b"null", b"[{}]"),
}
WRONG_THINGS = [(clause_id, sent) for clause_id, values in WRONG_VALUES.items() for sent in values]


@pytest.mark.parametrize(("clause_id", "sent"), WRONG_THINGS)
@pytest.mark.parametrize("status", [200, 201, 202, 302])
def test_one_wrong_thing_that_is_not_refused_is_a_finding(clause_id: str, sent: Any, status: int) -> None:
    """Row 400: missing required fields or invalid values."""
    shown = animal(5)
    assert FAILED == outcome_of(clause_id, [created(), posted(sent, status, shown, at=2.0)])


@pytest.mark.parametrize(("clause_id", "sent"), WRONG_THINGS)
def test_one_wrong_thing_that_is_refused_is_evidence(clause_id: str, sent: Any) -> None:
    """With any 4xx: which is create.refusal.status; where nothing is accepted it proves nothing."""
    assert PASSED == outcome_of(clause_id, [created(), refused(sent, at=2.0)])
    assert PASSED == outcome_of(clause_id, [created(), refused(sent, 422, at=2.0)])
    assert CANT_TELL == outcome_of(clause_id, [refused(sent)])
    assert {"create.refusal.status"} == failed_of([created(), refused(sent, 422, at=2.0)])
    assert PASSED == outcome_of("create.refusal.status", [refused(sent)])


@pytest.mark.parametrize(("clause_id", "sent"), WRONG_THINGS)
@pytest.mark.parametrize("answer", [(401, True), (403, True), (500, False), (429, False)])
def test_a_key_that_ended_or_a_server_that_failed_is_no_evidence(
    clause_id: str, sent: Any, answer: tuple[int, bool]
) -> None:
    """Only what was let in and answered shows what is refused."""
    assert CANT_TELL == outcome_of(clause_id, [created(), refused(sent, answer[0], at=2.0)])


def test_two_wrong_things_at_once_prove_neither_clause() -> None:
    """For the right reason: one fault a request. That it is answered with 400 counts."""
    both = refused(payload(name=..., status="lost"), at=2.0)
    for clause_id in ("create.name.required", "create.status.enumeration"):
        assert CANT_TELL == outcome_of(clause_id, [created(), both])
    assert PASSED == outcome_of("create.refusal.status", [created(), both])


@pytest.mark.parametrize(
    "sent",
    [
        b'{"name": "Rex", "categoryId": 1} trailing',
        b'{"name": "Rex", "categoryId": NaN}',
        b'{"name": "\xff", "categoryId": 1}',
        b'\xef\xbb\xbf{"name": "Rex", "categoryId": 1}',
        b'{"name": "Rex", "categoryId": 1, "x": ' + b"[" * 3000 + b"]" * 3000 + b"}",
    ],
)
def test_what_widespread_parsers_read_all_the_same_is_open(sent: bytes) -> None:
    """Neither accepting nor refusing it is a finding."""
    for answer in (posted(sent, 201, animal(5), at=2.0), refused(sent, 422, at=2.0)):
        assert set() == failed_of([created(), answer])


# What was refused leaves no trace.


def secrets(status: int = 400, **options: Any) -> list[Exchange]:
    """Two creations that were refused with this status."""
    return [refused(named(name, status="lost"), status, **options) for name in ("Hidebehind", "Hideaway")]


SHOWN = [animal(8, name="Hidebehind"), animal(9, name="Hideaway")]
LATER = [created(named("Babette"), 1, at=2.0)]


def test_refused_animals_that_are_listed_are_a_finding() -> None:
    """Reading 7: an animal sent in a request that was answered with 400 never turns up."""
    assert {"create.refusal.untraced"} == failed_of([*secrets(), *LATER, listing(SHOWN, at=3.0)])


def test_one_refused_name_that_is_listed_is_not_enough() -> None:
    """Reading 12: on a shared deployment somebody else may have created an animal of that name."""
    assert CANT_TELL == outcome_of("create.refusal.untraced", [*secrets(), listing(SHOWN[:1], at=3.0)])


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([*secrets(), listing(SHOWN, at=0.5)], id="seen before"),
        pytest.param([*secrets(500), listing(SHOWN, at=3.0)], id="lost in a server error"),
        pytest.param([*secrets(429), listing(SHOWN, at=3.0)], id="throttled"),
        pytest.param([*secrets(408), listing(SHOWN, at=3.0)], id="timed out"),
        pytest.param(
            [*secrets(), *(unanswered(each, at=2.0) for each in secrets()), listing(SHOWN, at=3.0)],
            id="sent again without an answer",
        ),
        pytest.param(
            [
                *secrets(),
                *(created(named(each["name"]), each["id"], at=2.0) for each in SHOWN),
                listing(SHOWN, at=3.0),
            ],
            id="accepted afterwards",
        ),
        pytest.param(
            [
                refused(named("Rex", status="lost")),
                refused(named("Tom", status="lost")),
                listing([animal(8, name="Rex"), animal(9, name="Tom")], at=3.0),
            ],
            id="common names",
        ),
    ],
)
def test_an_animal_that_is_listed_for_another_reason_is_no_finding(trace: list[Exchange]) -> None:
    """Somebody else's, or the run's own after all."""
    assert set() == failed_of(trace) - {"http.server-error", "create.refusal.status", "create.name.exact"}


def test_a_list_without_what_was_refused_is_evidence_where_it_shows_something_newer() -> None:
    """Only such a list would show the other as well."""
    shown = listing([animal(1, name="Babette")], at=3.0)
    assert PASSED == outcome_of("create.refusal.untraced", [*secrets(), *LATER, shown])
    assert CANT_TELL == outcome_of("create.refusal.untraced", [*secrets(), *LATER])
    assert CANT_TELL == outcome_of("create.refusal.untraced", [*LATER, shown])
    assert CANT_TELL == outcome_of("create.refusal.untraced", [*secrets(), listing([animal(4)], at=3.0)])


def test_what_was_answered_with_401_is_no_matter_of_refusals() -> None:
    """Reading 7: it is auth.untraced."""
    trace = [unauthorised(each, WRONG) for each in secrets()] + [*LATER, listing(SHOWN, at=3.0)]
    assert {"auth.untraced"} == failed_of(trace) & {"auth.untraced", "create.refusal.untraced"}


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


def test_lawful_creations_break_nothing() -> None:
    """Readings 3, 5, 6 and 13 at once: extra fields, refused extra properties, refused names, moved statuses."""
    trace = [
        created(named("Babette", status=...), 10, changes={"status": "pending", "owner": None}),
        refused(payload(colour="brown"), at=1.1),
        refused(named(""), at=1.2),
        refused(payload(categoryId=2**62), at=1.3),
        created(named("Abelard"), 7, at=2.0, headers=(*JSON, ("Location", "/v1/pets/7"))),
        got(7, {**animal(7), "name": "Abelard", "status": "sold"}, at=9.0, headers=JSON),
        lost(11, at=9.5),
    ]
    assert {"get.deprecation-header", "get.sunset-header"} == failed_of(trace)
