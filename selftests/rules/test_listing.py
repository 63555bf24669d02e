"""The rules of rules/listing.py: limits, the status filter, and what a list holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from animal_conformance.record.exchange import Credential
from selftests.exchanges import (
    ABSENT,
    CANT_TELL,
    FAILED,
    PASSED,
    WRONG,
    animal,
    animals,
    created,
    error,
    exchange,
    failed_of,
    listing,
    opinions_of,
    outcome_of,
    payload,
    posted,
    unanswered,
    under,
    unlisted,
    verdict_of,
)

ACCEPTED = [
    pytest.param("list.answer", {}, id="plain"),
    pytest.param("list.limit.accepted", {"limit": 37}, id="limit"),
    pytest.param("list.status.accepted", {"state": "sold"}, id="status"),
    pytest.param("list.combined", {"limit": 37, "state": "sold"}, id="both"),
]
# A plain listing and either parameter alone: what makes a refusal of both the fault of both.
ALONE = [listing(), listing(limit=37), listing(state="sold")]


@pytest.mark.parametrize("status", [204, 301, 400, 404, 405, 422])
@pytest.mark.parametrize(("clause_id", "parameters"), ACCEPTED)
def test_a_valid_listing_that_is_not_answered_with_200_is_a_finding(
    clause_id: str, parameters: dict[str, Any], status: int
) -> None:
    """Reading 2: a valid request gets a status of its table; the fault lies with its own parameters."""
    assert clause_id in failed_of([*ALONE, unlisted(status, **parameters)])
    others = {each.values[0] for each in ACCEPTED} - {clause_id}
    assert not others & failed_of([*ALONE, unlisted(status, **parameters)])


@pytest.mark.parametrize(("clause_id", "parameters"), ACCEPTED[1:])
def test_a_parameter_is_not_blamed_where_no_listing_succeeds(
    clause_id: str, parameters: dict[str, Any]
) -> None:
    """One cause, one clause: list.answer."""
    assert {"list.answer"} == failed_of([unlisted(400), unlisted(400, **parameters)])
    assert CANT_TELL == outcome_of(clause_id, [unlisted(400), unlisted(400, **parameters)])


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_has_ended_is_no_fault_of_lists(status: int) -> None:
    """The lifetime of keys is not shown."""
    assert set() == failed_of([listing(), unlisted(status, at=2.0), unlisted(status, limit=5, at=3.0)]) - {
        "auth.key.valid"
    }


@pytest.mark.parametrize("answer", [{"items": []}, "text", 5, None, True])
def test_a_listing_that_is_no_array_is_a_finding(answer: object) -> None:
    """The table says: JSON array of animals."""
    assert {"list.array"} == failed_of([exchange("GET", "/pets?limit=5", answer=answer)])


def test_an_array_is_evidence_and_what_is_not_json_is_neither() -> None:
    """An empty array is one; text is http.json.body's."""
    assert PASSED == outcome_of("list.array", [listing([])])
    assert CANT_TELL == outcome_of("list.array", [listing(b"oops")])


def test_an_id_that_stands_twice_is_a_finding() -> None:
    """Reading 10: an id is unique, within a list too."""
    assert {"list.once"} == failed_of([listing([animal(1), animal(2), animal(1)])])
    assert FAILED == outcome_of("list.once", [listing(b'[{"id": 5}, {"id": 5.0}]')])


@pytest.mark.parametrize("shown", [[], [animal(1)], [1, 1], [{"name": "x"}] * 2])
def test_a_list_of_fewer_than_two_ids_is_no_evidence_of_once(shown: list[Any]) -> None:
    """Nothing could have stood twice."""
    assert CANT_TELL == outcome_of("list.once", [listing(shown)])


AT_MOST = [
    pytest.param("list.limit.default", {}, 20, id="default"),
    pytest.param("list.limit.default", {"state": "available"}, 20, id="default of a filter"),
    pytest.param("list.limit.respected", {"limit": 1}, 1, id="minimum"),
    pytest.param("list.limit.respected", {"limit": 20}, 20, id="20"),
    pytest.param("list.limit.respected", {"limit": 21}, 21, id="21"),
    pytest.param("list.limit.respected", {"limit": 99}, 99, id="99"),
    pytest.param("list.limit.respected", {"limit": 100}, 100, id="maximum"),
    pytest.param("list.limit.respected", {"limit": 5, "state": "available"}, 5, id="filter"),
]


@pytest.mark.parametrize(("clause_id", "parameters", "most"), AT_MOST)
def test_a_list_that_is_longer_than_its_limit_is_a_finding_of_one_clause(
    clause_id: str, parameters: dict[str, Any], most: int
) -> None:
    """By one animal already, and by elements that are no animals as well."""
    assert {clause_id} == failed_of([listing(animals(most + 1), **parameters)])
    assert FAILED == outcome_of(clause_id, [listing([1] * (most + 1), **parameters)])


@pytest.mark.parametrize(("clause_id", "parameters", "most"), AT_MOST)
def test_a_list_within_its_limit_is_evidence_where_more_were_there(
    clause_id: str, parameters: dict[str, Any], most: int
) -> None:
    """Reading 11: shorter is lawful, an empty one too; but only a store with more animals could show a fault."""
    known = [created(payload(name=f"Babette{each}"), each, at=0.0) for each in range(1, most + 2)]
    for length in (0, 1, most):
        page = listing(animals(length, name="Babette"), **parameters)
        assert PASSED == outcome_of(clause_id, [*known, page])
        assert CANT_TELL == outcome_of(clause_id, [*known[:-1], page])
        assert CANT_TELL == outcome_of(clause_id, [listing(animals(length), **parameters)])


def test_animals_of_other_statuses_do_not_make_a_filtered_list_evidence() -> None:
    """Of the wanted status there were not more than fit."""
    known = [listing(animals(9, status="sold"), limit=10, at=0.0)]
    assert CANT_TELL == outcome_of(
        "list.limit.respected", [*known, listing(animals(3, 20), limit=5, state="available")]
    )


INVALID_LIMITS = ("101", "0", "-1", "1000", "abc", "1.5", "9223372036854775808", "", "+500", "500.0")
INVALID_QUERIES = (
    *(f"limit={each}" for each in INVALID_LIMITS),
    *("limit=5&limit=200", "limit=200&limit=5", "status=lost", "status=SOLD", "status="),
)
# More animals than a list may ever show.
MANY = [listing(animals(100, at), limit=100, at=0.0) for at in (1, 101)]


@pytest.mark.parametrize("query", INVALID_QUERIES)
def test_more_than_100_animals_for_parameters_that_are_not_valid_are_a_finding(query: str) -> None:
    """Reading 1: whatever answers an invalid limit or status, a 200 never holds more than 100 animals."""
    assert FAILED == outcome_of("list.limit.maximum", [listing(animals(101), query=query)])
    assert FAILED != outcome_of("list.limit.maximum", [listing(animals(100), query=query)])


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_limit_above_100_is_evidence_where_more_were_there(status: int) -> None:
    """Reading 1: refused or clamped is open; but with 100 animals in store nothing could have shown."""
    clamped = [listing(animals(100), limit=101), listing(animals(20), limit=1000)]
    for answer in (unlisted(status, limit=101), *clamped):
        assert PASSED == outcome_of("list.limit.maximum", [*MANY, answer])
        assert CANT_TELL == outcome_of("list.limit.maximum", [MANY[0], answer])


REFUSALS = [
    pytest.param("list.limit.below-refused", {"limit": 0}, id="0"),
    pytest.param("list.limit.below-refused", {"limit": "-5"}, id="-5"),
    pytest.param("list.limit.above-refused", {"limit": 101}, id="101"),
    pytest.param("list.limit.above-refused", {"limit": "1" * 40}, id="40 digits"),
    pytest.param("list.limit.non-integer-refused", {"limit": "abc"}, id="abc"),
    pytest.param("list.limit.non-integer-refused", {"limit": "1.5"}, id="1.5"),
    pytest.param("list.status.unknown-refused", {"state": "lost"}, id="lost"),
]


@pytest.mark.parametrize(("clause_id", "parameters"), REFUSALS)
def test_an_invalid_parameter_that_is_not_refused_is_a_finding_of_a_should(
    clause_id: str, parameters: dict[str, Any]
) -> None:
    """Reading 1: the exact response is not shown; a 4xx is good practice."""
    assert {clause_id} == failed_of([listing(), listing([animal(1)], **parameters)])


@pytest.mark.parametrize("status", [400, 404, 409, 416, 422])
@pytest.mark.parametrize(("clause_id", "parameters"), REFUSALS)
def test_an_invalid_parameter_that_is_refused_is_evidence(
    clause_id: str, parameters: dict[str, Any], status: int
) -> None:
    """Reading 1: which 4xx is open; where no listing succeeds it proves nothing."""
    assert PASSED == outcome_of(clause_id, [listing(), unlisted(status, **parameters)])
    assert CANT_TELL == outcome_of(clause_id, [unlisted(400), unlisted(status, **parameters)])


@pytest.mark.parametrize(
    "query", ["limit=", "limit=%2B5", "limit=05", "limit=5.0", "limit=%205", "limit=1e1"]
)
@pytest.mark.parametrize("more", ["", "&status=Sold", "&status=", "&colour=brown"])
def test_what_the_document_leaves_open_breaks_nothing(query: str, more: str) -> None:
    """Readings 1 and 15: unusual notations, empty and repeated values may be refused, ignored or read."""
    whole = f"{query}{more}"
    lawful = [
        listing(animals(50), query=whole),
        exchange("GET", f"/pets?{whole}", 400, {"code": "", "message": "", "status": 400}),
    ]
    assert set() == failed_of([listing(animals(20), at=0.0), *lawful])


def test_a_finding_says_what_was_expected_and_what_arrived() -> None:
    """For a person: the rule, the bound, the number."""
    finding = verdict_of("list.limit.respected", [listing(animals(6), limit=5)]).findings[0].finding
    assert ("at most 5 animals", "6 animals") == (finding.expected, finding.observed)


def test_an_id_that_stands_twice_is_named_with_its_places() -> None:
    """Of one that stands once, nothing is said."""
    shown = [animal(each) for each in (4, 3, 5, 3)]
    finding = verdict_of("list.once", [listing(shown)]).findings[0].finding
    assert "The id 3 occurs 2 times in one list." == finding.message
    assert "id 3 in places [2, 4] of 4" == finding.observed


def test_of_a_list_that_is_too_long_to_be_kept_it_is_said_how_many_were_counted() -> None:
    """Reading 21: there may be more."""
    whole = listing(animals(6), limit=5)
    assert whole.response is not None
    counted = replace(whole, response=replace(whole.response, elements=5000))
    finding = verdict_of("list.limit.respected", [counted]).findings[0].finding
    assert "at least 5,000 animals" == finding.observed


@pytest.mark.parametrize(
    ("clause_id", "shown"), [("list.once", [animal(1), animal(1)]), ("list.status.filter", [animal(1)])]
)
def test_what_an_invalid_request_is_answered_with_is_no_matter_of_the_list(
    clause_id: str, shown: list[Any]
) -> None:
    """Reading 1: what comes with a limit of 0 is open."""
    assert (0, 0) == opinions_of(clause_id, [listing(shown, limit=0, state="sold")])


LISTS = [
    *(
        "list.answer",
        "list.array",
        "list.once",
        "list.limit.default",
        "list.limit.accepted",
        "list.limit.respected",
    ),
    *("list.limit.maximum", "list.status.accepted", "list.status.filter", "list.combined"),
    *("list.limit.below-refused", "list.limit.above-refused", "list.limit.non-integer-refused"),
    "list.status.unknown-refused",
]
PARAMETERS: tuple[dict[str, Any], ...] = (
    {},
    {"limit": 5},
    {"state": "sold"},
    {"limit": 5, "state": "sold"},
    {"limit": 101},
    {"state": "lost"},
)
LEAKING = [*animals(101), animal(1)]


@pytest.mark.parametrize("clause_id", LISTS)
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_what_is_no_answer_to_a_list_with_the_key_says_nothing_of_lists(
    clause_id: str, parameters: dict[str, Any]
) -> None:
    """Another key, another status, a failure, another operation, or something that is open beside it."""
    whole = listing(LEAKING, **parameters)
    target = whole.request.target + ("&" if parameters else "?")
    # What is invalid may be rejected with any 4xx.
    open_ones = () if parameters in PARAMETERS[4:] else (401, 403)
    others = [
        *(under(whole, key) for key in (ABSENT, WRONG, Credential.LOWER_CASE_SCHEME)),
        *(unlisted(status, **parameters) for status in (*open_ones, 408, 429, 500)),
        exchange("GET", f"{target}colour=brown", 200, LEAKING),
        exchange("PUT", whole.request.target, 200, LEAKING),
        posted({"status": "lost", "name": "Whiskerton", "categoryId": 1}, 400, error()),
        unanswered(whole),
    ]
    control = opinions_of(clause_id, MANY)
    assert control == opinions_of(clause_id, [*MANY, *others])


@pytest.mark.parametrize("status", [401, 403])
def test_an_invalid_list_request_may_be_rejected_as_if_for_its_key(status: int) -> None:
    """Reading 1: any 4xx, where the key lets valid ones in."""
    refused = [unlisted(status, **each) for each in ({"limit": 0}, {"limit": 101}, {"state": "lost"})]
    for clause_id in ("list.limit.maximum", "list.limit.below-refused", "list.status.unknown-refused"):
        assert PASSED == outcome_of(clause_id, [*MANY, *refused])
        assert CANT_TELL == outcome_of(clause_id, refused)
    assert "error.body" in failed_of([*MANY, exchange("GET", "/pets?limit=0", status, b"no")])


@pytest.mark.parametrize(("clause_id", "parameters"), ACCEPTED)
def test_each_combination_of_the_two_parameters_has_a_clause_of_its_own(
    clause_id: str, parameters: dict[str, Any]
) -> None:
    """An array is evidence of it, whatever else was asked for, and nothing else is."""
    assert PASSED == outcome_of(clause_id, [listing(**parameters)])
    assert (1, 0) == opinions_of(clause_id, [listing(**each) for each in PARAMETERS[:4]])
    assert (0, 0) == opinions_of(clause_id, [listing({})])


def test_a_parameter_is_blamed_where_a_plain_listing_succeeds() -> None:
    """Not one with a parameter."""
    refusal = unlisted(400, limit=37)
    assert (1, 0) == opinions_of("list.limit.accepted", [listing(limit=5), refusal])
    assert (0, 1) == opinions_of("list.limit.accepted", [listing(), refusal])


@pytest.mark.parametrize("alone", [{"limit": 37}, {"state": "sold"}])
def test_both_are_blamed_where_each_is_accepted_alone(alone: dict[str, Any]) -> None:
    """And not where the other was never asked for, or is refused by itself, which is its own clause's."""
    both = unlisted(400, limit=37, state="sold")
    assert (0, 0) == opinions_of("list.combined", [listing(), listing(**alone), both])
    assert (0, 1) == opinions_of("list.combined", [*ALONE, both])
    refusals = [unlisted(400, limit=37), both]
    assert {"list.limit.accepted"} == failed_of([listing(), listing(state="sold"), *refusals])


@pytest.mark.parametrize("status", [399, 400, 499])
def test_a_4xx_is_a_refusal(status: int) -> None:
    """From 400 on."""
    found = (int(status >= 400), int(status < 400))
    assert found == opinions_of("list.limit.below-refused", [listing(), unlisted(status, limit=0)])
    evidence = (int(status >= 400), 0)
    assert evidence == opinions_of("list.limit.maximum", [*MANY, unlisted(status, limit=101)])


@pytest.mark.parametrize("limit", [0, "05", 100])
@pytest.mark.parametrize("length", [5, 100])
def test_a_list_within_the_maximum_for_another_limit_is_no_evidence_of_it(limit: object, length: int) -> None:
    """Only a limit above the maximum asks for more; nor does its refusal show anything about 100."""
    answers = [listing(animals(length), limit=limit), unlisted(400, limit=limit)]
    assert (0, 0) == opinions_of("list.limit.maximum", [*MANY, *answers])


def test_two_ids_are_evidence_that_each_stands_once() -> None:
    """Two could be the same; their names may be."""
    assert (1, 0) == opinions_of("list.once", [listing(animals(2, name="Rex"))])
