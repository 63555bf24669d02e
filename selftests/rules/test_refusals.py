"""The rules of rules/creation.py: what must be refused, and leaves no trace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.judge.knowledge.plain import own_category
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    created,
    error,
    failed_of,
    got,
    listing,
    named,
    opinions_of,
    outcome_of,
    payload,
    posted,
    refused,
    unanswered,
    unauthorised,
    under,
    verdict_of,
)
from selftests.tables import cases

FAR = 7_000_000_000_000_001


@pytest.mark.parametrize("further", [{"colour": "brown"}, {"id": FAR}])
def test_a_further_field_excuses_no_invalid_one(further: dict[str, Any]) -> None:
    """It may be what the request was rejected for; accepted, it was with the invalid one."""
    invalid = payload(status="lost", **further)
    assert FAILED == outcome_of("create.status.enumeration", [created(invalid)])
    assert CANT_TELL == outcome_of("create.status.enumeration", [created(), refused(invalid, at=2.0)])


@pytest.mark.parametrize(("digits", "outcome"), [(2000, PASSED), (900, FAILED)])
def test_an_invalid_body_that_is_too_large_as_well_may_be_refused_for_its_size(
    digits: int, outcome: str
) -> None:
    """Limits on bodies are 'not shown', and are looked at before a body is read; of a small one, 413 is a finding."""
    beyond = payload(categoryId=10**digits)
    trace = [created(), refused(payload(name=...), at=2.0), refused(beyond, 413, at=3.0)]
    assert outcome == outcome_of("create.refusal.status", trace)


def test_what_is_refused_for_its_size_tells_nothing_of_what_is_wrong_with_it() -> None:
    """Nobody has read it."""
    trace = [created(), refused(payload(categoryId=10**2000), 413, at=2.0)]
    assert (0, 0) == opinions_of("create.category-id.int64", trace)
    assert (0, 0) == opinions_of("create.refusal.status", trace)


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
@pytest.mark.parametrize("status", [200, 201, 202, 302, 399])
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
@pytest.mark.parametrize("status", [401, 403, 500, 429])
def test_a_key_that_ended_or_a_server_that_failed_is_no_evidence(
    clause_id: str, sent: Any, status: int
) -> None:
    """Only what was let in and answered shows what is refused."""
    assert CANT_TELL == outcome_of(clause_id, [created(), refused(sent, status, at=2.0)])


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


@cases(
    ("other", "opinions"),
    {
        "no object": (posted(payload(id=FAR), 201, []), (0, 0)),
        "another status": (posted(payload(id=FAR), 409, animal(FAR)), (0, 0)),
        "no key": (posted(payload(id=FAR), 401, animal(FAR)), (0, 0)),
        "a wrong key": (under(created(payload(id=FAR), FAR), WRONG), (0, 0)),
        "invalid otherwise": (refused(payload(id=FAR, name=5)), (0, 0)),
        "no id": (refused(payload()), (0, 0)),
        "no body": (posted(b"", 400, animal(1)), (0, 0)),
        "no object sent": (posted(b"[]", 400, animal(1)), (0, 0)),
        "no int64": (created(payload(id="x"), 8), (0, 0)),
        "beyond int64": (created(payload(id=2**64), 8), (0, 0)),
        "near: it was the next id": (created(payload(id=2), 2), (0, 0)),
        "refused": (refused(payload(id=FAR)), (1, 0)),
        "ignored": (created(payload(id=FAR), 8), (1, 0)),
        "open otherwise": (created(payload(id=FAR, colour="x"), 8), (1, 0)),
        "no id given": (posted(payload(id=FAR), 201, {}), (1, 0)),
        "adopted": (created(payload(id=FAR), FAR), (0, 1)),
        "adopted, and negative": (created(payload(id=-FAR), -FAR), (0, 1)),
        "adopted from a text": (created(payload(id=str(FAR)), FAR), (0, 1)),
    },
)
def test_what_becomes_of_an_id_of_the_clients_own_is_judged(
    other: Exchange, opinions: tuple[int, int]
) -> None:
    """Reading 6: ids that could be adopted are ignored, or refused where others are not; a store may count on from one."""
    for later in ([], [created(animal_id=each, at=5.0) for each in (FAR + 1, 1 - FAR)]):
        assert opinions == opinions_of("create.id.assigned", [created(at=0.0), other, *later])
    assert (0, 0) == opinions_of("create.id.assigned", [refused(payload(id=FAR))])


@pytest.mark.parametrize("status", [201, 302, 399])
def test_two_wrong_things_that_are_accepted_at_once_are_one_finding(status: int) -> None:
    """Of the first of them: that it was not refused has one cause."""
    both = posted(payload(name=..., status="lost"), status, animal(5), at=2.0)
    wrong = {clause_id for clause_id in WRONG_VALUES if opinions_of(clause_id, [created(), both])[1]}
    assert {"create.name.required"} == wrong


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (payload(categoryId="12"), 'its categoryId is not an integer ("12").'),
        (payload(categoryId=2**63), "its categoryId is outside the int64 range (9223372036854775808)."),
        (payload(status="lost"), 'its status is not one of the three values ("lost").'),
        (payload(name=...), "its name is missing."),
    ],
)
def test_a_finding_says_what_was_sent(sent: Any, said: str) -> None:
    """So that nobody has to look for it in the command."""
    trace = [created(), posted(sent, 201, animal(2), at=2.0), posted(sent, 422, at=3.0)]
    failed = [each for each in failed_of(trace) if each.startswith("create.")]
    messages = {verdict_of(each, trace).findings[0].finding.message for each in failed}
    assert {f"A create request is {how}: {said}" for how in ("not rejected", "rejected with 422")} <= messages


@pytest.mark.parametrize(
    ("status", "opinions"),
    [(399, (0, 0)), (400, (1, 0)), (401, (0, 0)), (404, (0, 1)), (499, (0, 1)), (500, (0, 0))],
)
def test_a_refusal_has_the_status_of_its_table(status: int, opinions: tuple[int, int]) -> None:
    """What is no refusal, or one of the key, says nothing of it; nor does what is valid, or open."""
    assert opinions == opinions_of("create.refusal.status", [refused({}, status)])
    for lawful in (refused(payload(), status), refused({"colour": "brown"}, status)):
        assert (0, 0) == opinions_of("create.refusal.status", [lawful])


# What was refused leaves no trace.


def secrets(status: int = 400, **options: Any) -> list[Exchange]:
    """Two creations that were refused with this status."""
    names = ("Acabcdefghij", "Acabcdefghik")
    return [FIRST, *(refused(named(name, status="lost"), status, **options) for name in names)]


SHOWN = [animal(8, name="Acabcdefghij"), animal(9, name="Acabcdefghik")]
# The id of the first animal is mixed into the names that the run makes up.
FIRST = created(named("Annabelle"), 2, at=0.1)
LATER = [created(named("Babette"), 1, at=2.0)]


def test_refused_animals_that_are_listed_are_a_finding() -> None:
    """Readings 7 and 22: nobody else uses names that the run made up, once its first animal is mixed in."""
    assert {"create.refusal.untraced"} == failed_of([*secrets(), *LATER, listing(SHOWN, at=3.0)])
    assert FAILED == outcome_of("create.refusal.untraced", [*secrets(), listing(SHOWN[:1], at=3.0)])
    earlier = [*secrets()[1:], *LATER, listing(SHOWN, at=3.0)]
    assert FAILED != outcome_of("create.refusal.untraced", earlier)


def test_animals_of_an_array_that_was_refused_leave_no_trace_either() -> None:
    """Each of them is one that was sent; one that is part of an array that was accepted is there by right."""
    batch = [named("Acabcdefghij"), "Rex", {"categoryId": 1}]
    for status, outcome in ((400, FAILED), (201, CANT_TELL)):
        trace = [FIRST, posted(batch, status, error(400), at=1.0), listing(SHOWN[:1], at=3.0)]
        assert outcome == outcome_of("create.refusal.untraced", trace)


LONG = "Acabcdefghij" + "x" * 300
BEGUN = named("Acabcdefghijzzz")
ANSWERED = created(BEGUN, 9, at=1.5)


@cases(
    ("others", "shown", "outcome"),
    {
        "cut": ([], LONG[:255], FAILED),
        "its beginning": ([], "Acabcdefghij", FAILED),
        "another end": ([], "Acabcdefghijyyy", FAILED),
        "lower case": ([], LONG.lower(), FAILED),
        "upper case": ([], LONG.upper(), FAILED),
        "two words": ([], "Acabcd Efghij", FAILED),
        "more around it": ([], f"Draft of {LONG} (1)", FAILED),
        "letters in front": ([], f"Almanac{LONG}", FAILED),
        "less than its beginning": ([], LONG[:11], CANT_TELL),
        "another was accepted": ([ANSWERED], LONG[:255], CANT_TELL),
        "another was accepted, lower case": ([ANSWERED], "acabcdefghijzzz", CANT_TELL),
        "another was added to it": ([created(named("Acabcdefghik"), 9, at=1.5)], "Acabcdefghij and Acabcdefghik", CANT_TELL),
        "what was accepted was renamed": ([created(named("Acabcdefghik"), 8, at=1.5)], "acabcdefghij", PASSED),
        "another was not answered": ([unanswered(posted(BEGUN, at=1.5))], "Acabcdefghij", CANT_TELL),
        "another was accepted within an object": ([posted({"pet": BEGUN}, 201, error(400), at=1.5)], "Acabcdefghij", CANT_TELL),
        "seen before": ([listing([animal(8, name=LONG.lower())], at=0.5)], LONG.lower(), CANT_TELL),
    })  # fmt: skip
def test_a_rejected_name_that_is_stored_otherwise_is_a_finding(
    others: list[Exchange], shown: str, outcome: str
) -> None:
    """Nobody else knows how it begins: no other request had a name that begins as it does."""
    rejected = refused(named(LONG), at=1.0)
    trace = [FIRST, rejected, *others, listing([animal(8, name=shown)], at=3.0)]
    assert outcome == outcome_of("create.refusal.untraced", trace)


@cases(
    "body",
    {
        "within an object": b'{"pet": {"name": "Acabcdefghij", "categoryId": 1}}',
        "without an end": b'{"name": "Acabcdefghij", "categoryId": 1',
        "in a name that is an array": b'{"name": ["Acabcdefghij"], "categoryId": 1}',
        "a form": b"name=Acabcdefghij&categoryId=1",
    },
)
@pytest.mark.parametrize("shown", ["Acabcdefghij", '["Acabcdefghij"]'])
def test_what_was_read_of_a_body_that_is_no_payload_leaves_no_trace(body: bytes, shown: str) -> None:
    """Wherever the name stood in it."""
    rejected = refused({}, at=1.0)
    rejected = replace(rejected, request=replace(rejected.request, body=body))
    trace = [FIRST, rejected, listing([animal(8, name=shown)], at=3.0)]
    assert {"create.refusal.untraced"} == failed_of(trace)
    assert not failed_of([FIRST, rejected, *LATER, listing([animal(1, name="Babette")], at=3.0)])


@pytest.mark.parametrize(
    ("answered", "is_finding"),
    [((400,), True), ((401, 422), True), ((400, 201), False), ((429,), False), ((500,), False), ((), False)],
)
def test_what_was_refused_for_its_name_is_known_by_its_category(
    answered: tuple[int, ...], *, is_finding: bool
) -> None:
    """The run made it up: nobody else has it."""
    nameless = payload(name=..., categoryId=own_category("x"))
    sent = [refused(nameless, status, at=0.1 + at) for at, status in enumerate(answered)]
    shown = listing([animal(9, name="", categoryId=own_category("x"))], at=5.0)
    assert is_finding == (FAILED == outcome_of("create.refusal.untraced", [*sent, shown]))
    others = listing([animal(9, name="", categoryId=1)], at=5.0)
    assert FAILED != outcome_of("create.refusal.untraced", [*sent, others])


def test_a_name_that_anybody_might_use_proves_nothing() -> None:
    """Reading 22: an earlier run, a fixture or somebody else may have used it."""
    names = ("Hidebehind", "constructor")
    refusals = [refused(named(name, status="lost"), at=1.0) for name in names]
    shown = listing([animal(at, name=name) for at, name in enumerate(names, 8)], at=3.0)
    assert CANT_TELL == outcome_of("create.refusal.untraced", [FIRST, *refusals, shown])


@cases(
    "trace",
    {
        "seen before": [*secrets(), listing(SHOWN, at=0.5)],
        "lost in a server error": [*secrets(500), listing(SHOWN, at=3.0)],
        "throttled": [*secrets(429), listing(SHOWN, at=3.0)],
        "timed out": [*secrets(408), listing(SHOWN, at=3.0)],
        "sent again without an answer": [
            *secrets(),
            *(unanswered(each, at=2.0) for each in secrets()[1:]),
            listing(SHOWN, at=3.0),
        ],
        "accepted afterwards": [
            *secrets(),
            *(created(named(each["name"]), each["id"], at=2.0) for each in SHOWN),
            listing(SHOWN, at=3.0),
        ],
        "common names": [
            refused(named("Rex", status="lost")),
            refused(named("Tom", status="lost")),
            listing([animal(8, name="Rex"), animal(9, name="Tom")], at=3.0),
        ],
    },
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
    trace = [FIRST, *(unauthorised(each, WRONG) for each in secrets()[1:]), *LATER, listing(SHOWN, at=3.0)]
    assert {"auth.untraced"} == failed_of(trace) & {"auth.untraced", "create.refusal.untraced"}


def test_every_animal_of_a_list_may_be_one_that_was_refused() -> None:
    """Also behind one whose name is none, was accepted, or was somebody's before."""
    before = [animal(1, name=[]), animal(2, name="Babetted"), animal(3, name="Acabcdefghil")]
    seen = [refused(named("Acabcdefghil", status="lost"), at=1.0), listing(before[2:], at=0.0)]
    made = created(named("Babetted"), 2, at=0.5)
    page = listing([*before, animal([], name="x"), *SHOWN], at=3.0)
    verdict = verdict_of("create.refusal.untraced", [*secrets(), *seen, made, page])
    assert (FAILED, 1) == (verdict.outcome, verdict.finding_count)
    assert verdict.findings[0].finding.observed.startswith('{"id": 8, "name": "Acabcdefghij"')


def test_a_finding_shows_the_first_refusal_of_the_name() -> None:
    """And how it was answered."""
    first, again = secrets()[1], refused(named("Acabcdefghij", status="lost"), 422, at=1.5)
    trace = [FIRST, first, again, listing(SHOWN[:1], at=3.0)]
    finding = verdict_of("create.refusal.untraced", trace).findings[0].finding
    assert (first,) == finding.related
    assert "returned 400 is listed, at [0]" in finding.message


@pytest.mark.parametrize(("seen_at", "findings"), [(0.5, 0), (1.0, 1), (1.5, 1)])
def test_a_name_that_was_seen_before_it_was_refused_is_somebodys(seen_at: float, findings: int) -> None:
    """Not one that was seen when it was sent."""
    trace = [listing(SHOWN[:1], at=seen_at, took=0.0), *secrets()[:2], listing(SHOWN[:1], at=3.0)]
    assert findings == min(1, opinions_of("create.refusal.untraced", trace)[1])


@pytest.mark.parametrize(("made_at", "evidence"), [(0.0, 0), (1.01, 0), (1.02, 1)])
def test_what_was_made_before_the_refusal_was_answered_shows_nothing(made_at: float, evidence: int) -> None:
    """A list of it may be older than the refusal."""
    trace = [*secrets(), created(named("Babette"), 1, at=made_at), listing([animal([]), animal(1)], at=3.0)]
    assert (evidence, 0) == opinions_of("create.refusal.untraced", trace)
    assert (0, 0) == opinions_of("create.refusal.untraced", [*trace[:-1], got(1, at=3.0)])


def test_the_category_of_a_rejected_request_that_another_animal_gets_is_filed_once() -> None:
    """Whoever rejects a name that is taken has not to store the other values; nobody else knows that category."""
    rex, other = created(named("Rex"), 9, at=0.5), named("Rex", categoryId=own_category("x"))
    trace = [rex, got(9, {**named("Rex"), "status": "available", "id": 9}, at=0.8), refused(other, at=1.0)]
    overwritten = animal(9, name="Rex", categoryId=own_category("x"))
    trace += [got(9, overwritten, at=4.0), listing([overwritten], at=5.0)]
    assert {"create.refusal.untraced"} == failed_of(trace)
    # What no list shows is still told by the clause on the category.
    assert FAILED != outcome_of("create.refusal.untraced", trace[:-1])
    assert CANT_TELL == outcome_of("create.category-id.exact", trace[:-1])
    accepted = created(other, 10, at=2.0)
    assert "create.refusal.untraced" not in failed_of([*trace, accepted])
