"""The rules of rules/retrieval.py: what getPet finds, and what it announces."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    INAPPLICABLE,
    JSON,
    PASSED,
    WRONG,
    animal,
    animals,
    asked_by,
    created,
    exchange,
    failed_of,
    got,
    listing,
    lost,
    named,
    opinions_of,
    outcome_of,
    posted,
    reads_of,
    seen_of,
    unanswered,
    unauthorised,
    under,
    verdict_of,
)
from selftests.tables import cases

FAR = (2**63 - 1, -(2**63), 2**53 + 1, -(10**9))
HTML = (("Content-Type", "text/html"),)
KNOWN = [listing(animals(3), at=0.0), got(1, at=0.5)]
GET = (
    "get.found",
    "get.requested",
    "get.unknown",
    "get.malformed",
    "get.deprecation-header",
    "get.sunset-header",
)


@pytest.mark.parametrize("source", [created(), listing([animal(1)])])
def test_a_known_animal_that_is_found_is_evidence(source: Exchange) -> None:
    """Whether the run created it or a list showed it."""
    assert PASSED == outcome_of("get.found", [source, got(1, at=2.0)])
    assert PASSED == outcome_of("get.requested", [source, got(1, at=2.0)])


@pytest.mark.parametrize("status", [401, 403])
def test_an_id_that_is_no_int64_may_be_rejected_as_if_for_its_key(status: int) -> None:
    """Reading 9: any 4xx, where the key lets valid ones in."""
    assert PASSED == outcome_of("get.malformed", [*KNOWN, lost("abc", status)])
    assert CANT_TELL == outcome_of("get.malformed", [lost("abc", status)])


@pytest.mark.parametrize("status", [204, 301, 400, 405, 410, 422])
def test_a_known_animal_that_is_answered_otherwise_is_a_finding(status: int) -> None:
    """Reading 2: of its table only 404 could ever be lawful, while replicas lag."""
    assert FAILED == outcome_of("get.found", [listing([animal(1)]), lost(1, status, at=2.0)])


def test_an_animal_that_was_not_known_yet_is_not_looked_for() -> None:
    """It was asked for before it was created, and was lawfully not there."""
    trace = [
        *KNOWN,
        *(lost(each, at=1.0) for each in (5, 6)),
        *(created(animal_id=each, at=9.0) for each in (5, 6)),
    ]
    assert set() == failed_of(trace)
    assert set() == failed_of([*KNOWN, lost(5, at=1.0, took=9.0), created(animal_id=5, at=2.0)])


@pytest.mark.parametrize("clause_id", ["get.found", "get.requested"])
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(got(99), id="an animal that is not known"),
        pytest.param(unauthorised(got(1), WRONG, at=2.0), id="a wrong key"),
        pytest.param(lost(1, 500, at=2.0), id="a server error"),
        pytest.param(lost(1, 429, at=2.0), id="throttled"),
        pytest.param(lost(1, 403, at=9.0), id="a scope that the key does not have"),
        pytest.param(exchange("GET", "/pets/1", 404, {"id": 3}, at=2.0), id="another id in an error"),
    ],
)
def test_what_another_clause_says_is_no_evidence_of_retrieval(clause_id: str, other: Exchange) -> None:
    """Each has a clause or a question of its own."""
    assert CANT_TELL == outcome_of(clause_id, [listing([animal(1)], at=0.0), other])


@cases("asked", {"one that is there": 2, "one that counts backwards": 0, "one that names none": FAR[0]})
def test_another_animal_than_was_asked_for_is_a_finding_of_requested(asked: int) -> None:
    """At once: nobody's doing makes an id answer for another, which says by its id what it is."""
    assert {"get.requested"} == failed_of([*KNOWN, got(asked, animal(3), at=2.0)])


@pytest.mark.parametrize("answer", [{}, animal("1"), animal(...), [animal(1)], "text"])
def test_an_answer_without_an_id_is_no_finding_of_requested(answer: Any) -> None:
    """One cause, one clause: animal.id, animal.object."""
    assert CANT_TELL == outcome_of("get.requested", [listing([animal(1)]), got(1, answer, at=2.0)])


@pytest.mark.parametrize("pet_id", FAR)
def test_a_404_for_an_id_that_names_no_animal_is_evidence(pet_id: int) -> None:
    """Reading 9: negative numbers are int64; it proves nothing near others, nor where nothing is found."""
    assert PASSED == outcome_of("get.unknown", [*KNOWN, lost(pet_id)])
    assert CANT_TELL == outcome_of("get.unknown", [KNOWN[0], lost(pet_id)])
    assert CANT_TELL == outcome_of("get.unknown", [*KNOWN, lost(4)])


@pytest.mark.parametrize("pet_id", [0, -1, 4, *FAR])
@pytest.mark.parametrize("status", [204, 400, 410, 422])
def test_another_answer_than_404_for_an_id_that_names_no_animal_is_a_finding(
    pet_id: int, status: int
) -> None:
    """Reading 9: 404, for zero and negative numbers as well."""
    assert {"get.unknown"} == failed_of([*KNOWN, lost(pet_id, status)])


def test_an_id_that_was_given_afterwards_named_no_animal_before() -> None:
    """It does from the moment in which the answer that shows it arrives."""
    for at, findings in ((1.0, 0), (8.0, 1)):
        trace = [*KNOWN, lost(5, 422, at=1.0), created(animal_id=5, at=at)]
        assert (0, findings) == opinions_of("get.unknown", trace)


def test_where_nothing_is_ever_found_no_id_is_said_to_be_unknown() -> None:
    """One cause, one clause: get.found. And on an empty store any id may be somebody's."""
    assert (0, 0) == opinions_of("get.unknown", [KNOWN[0], lost(FAR[0], 422)])
    assert (0, 0) == opinions_of("get.unknown", [got(FAR[0]), got(FAR[1])])


def asked_for(trace: list[Exchange]) -> list[str]:
    """The ids that would tell whether the ones found in a trace are invented."""
    return [each.rpartition("/")[2] for each in reads_of(*asked_by(verdict_of("get.unknown", trace)))]


@pytest.mark.parametrize("pet_id", [*FAR, -1_500_000, 2**33])
def test_an_animal_for_an_id_that_is_far_from_all_is_put_to_the_test(pet_id: int) -> None:
    """Reading 22: a fixture may be there, and ids that are drawn at random tell."""
    trace = [*KNOWN, got(pet_id)]
    drawn = asked_for(trace)
    assert 4 == len(set(drawn))
    assert {pet_id < 0} == {int(each) < 0 for each in drawn}
    found = [got(int(each), at=2.0) for each in drawn]
    missed = [lost(each, at=2.0) for each in drawn]
    assert FAILED == outcome_of("get.unknown", [*trace, *found[:2], *missed[2:]])
    assert FAILED == outcome_of("get.unknown", [*trace, *found[:2]])
    assert CANT_TELL == outcome_of("get.unknown", [*trace, *missed[:3]])
    assert {"get.unknown: unlisted": 1} == seen_of("open.explanations", [*trace, *missed])
    assert PASSED == outcome_of("get.unknown", [*trace, *missed])
    # Those that are found are put to the same test.
    assert set(drawn) == set(asked_for([*trace, found[0]]))


def test_an_animal_that_was_found_before_the_run_created_it_is_a_finding() -> None:
    """Reading 22: the id was given to nobody yet."""
    assert FAILED == outcome_of("get.unknown", [*KNOWN, got(4, at=1.0), created(animal_id=4, at=2.0)])
    listed = [*KNOWN, listing(animals(4), at=0.9), got(4, at=1.0), created(animal_id=4, at=2.0)]
    assert (0, 0) == opinions_of("get.unknown", listed)
    assert (0, 0) == opinions_of("get.unknown", [*KNOWN, got(4, at=2.1), created(animal_id=4, at=2.0)])


def test_an_animal_of_the_run_under_an_id_that_it_was_never_given_is_a_finding() -> None:
    """As where an id is truncated to 32 bits, and the animal is shown with the id that was asked for."""
    sent = named("Acbcdefghijk", categoryId=7)
    made = created(sent, 4, at=1.0)
    copy = got(4 + 2**32, {"id": 4 + 2**32, **sent}, at=2.0)
    assert {"get.unknown"} == failed_of([*KNOWN, made, copy])
    (found,) = verdict_of("get.unknown", [*KNOWN, made, copy]).findings
    assert (("unlisted", made),) == found.finding.excluded
    near = got(5, {"id": 5, **sent}, at=2.0)
    other = got(4 + 2**32, {"id": 4 + 2**32, **sent, "categoryId": 8}, at=2.0)
    strange = got(4 + 2**32, {"id": 4 + 2**32, **sent, "name": "Babette"}, at=2.0)
    lost_answer = unanswered(posted(sent, at=0.5))
    for trace in ([made, near], [made, other], [made, strange], [lost_answer, made, copy]):
        assert set() == failed_of([*KNOWN, *trace])


def test_an_animal_of_the_run_under_its_id_without_a_sign_is_a_finding() -> None:
    """An id near the known ones may be that of a copy, but hardly this one; unless a list shows it."""
    sent = named("Acbcdefghijk", categoryId=7)
    made, copy = created(sent, 4, at=1.0), got(-4, {"id": -4, **sent}, at=2.0)
    assert {"get.unknown"} == failed_of([*KNOWN, made, copy])
    shown = listing([animal(-4, **sent)], at=3.0)
    other = got(-4, {"id": -4, **sent, "name": "Babette"}, at=2.0)
    for trace in ([made, copy, shown], [made, other]):
        assert "get.unknown" not in failed_of([*KNOWN, *trace])


def test_an_animal_that_no_list_has_shown_is_no_finding() -> None:
    """Reading 12: others create animals, and lists are cut."""
    assert set() == failed_of([*KNOWN, *(got(each) for each in (4, 5, 900_000))])
    assert (0, 0) == opinions_of("get.unknown", [*KNOWN, got(4)])


RANDOM_IDS = (5_841_203_377_101_452, 91_204_588_112_067, 7_723_001_944_870_113_205)


def test_an_animal_of_a_deployment_with_random_ids_is_no_finding() -> None:
    """Reading 13: where ids are drawn at random, one that no list has shown is far from all others."""
    listed = listing([animal(each) for each in RANDOM_IDS], at=0.0)
    trace = [
        listed,
        got(RANDOM_IDS[0]),
        *(got(each) for each in (4_111_222_333_444_555, 6_111_222_333_444_555_666)),
    ]
    assert set() == failed_of([*trace, *(lost(each, at=2.0) for each in asked_for(trace))])


def test_a_percent_encoded_digit_is_a_digit() -> None:
    """RFC 3986: both spell the same address."""
    assert PASSED == outcome_of("get.requested", [*KNOWN, got("%32", animal(2))])


def headed(*headers: tuple[str, str]) -> list[Exchange]:
    """A known animal, found, with these headers beside."""
    return [KNOWN[0], got(1, headers=(*JSON, *headers), at=2.0)]


@pytest.mark.parametrize(
    ("outcome", "value"),
    [
        *((PASSED, each) for each in ("@1735689600", "true", "Sun, 11 Nov 2024 23:59:59 GMT")),
        *((FAILED, each) for each in ("", " ", "false", "False ", "?0", "0")),
    ],
)
def test_a_deprecation_header_is_evidence_unless_it_denies_it(outcome: str, value: str) -> None:
    """RFC 9745, and the drafts before it; the operation is deprecated."""
    assert outcome == outcome_of("get.deprecation-header", headed(("deprecation", value)))
    assert FAILED == outcome_of("get.deprecation-header", headed())


@pytest.mark.parametrize(
    "value",
    [
        "Thu, 05 Dec 2030 00:00:00 GMT",
        "Thu, 05 Dec 2030 23:59:59 GMT",
        "Wed, 04 Dec 2030 23:59:59 GMT",
        "Thursday, 05-Dec-30 00:00:00 GMT",
        "Thu Dec  5 00:00:00 2030",
        "Thu, 05 Dec 2030 00:00:00 +0900",
    ],
)
def test_a_sunset_header_with_the_announced_date_is_evidence(value: str) -> None:
    """In each form of an HTTP date; the day depends on a time zone that the document does not name."""
    assert PASSED == outcome_of("get.sunset-header", headed(("Sunset", value)))


@pytest.mark.parametrize(
    "value",
    [
        "",
        "soon",
        "2030-12-05",
        "Thu, 05 Dec 2031 00:00:00 GMT",
        "Tue, 03 Dec 2030 00:00:00 GMT",
        "Sat, 07 Dec 2030 00:00:00 GMT",
        "Thu, 99 Dec 2030 00:00:00 GMT",
        "Thu, 05 Dec 2030 00:00:00 +99999999999999999999",
        "@1922659200",
    ],
)
def test_a_sunset_header_with_another_date_is_a_finding(value: str) -> None:
    """RFC 8594: an HTTP date; and the document names the day."""
    assert FAILED == outcome_of("get.sunset-header", headed(("Sunset", value)))
    missing = verdict_of("get.sunset-header", headed()).findings[0].finding
    assert ("Sunset: Thu, 05 Dec 2030 00:00:00 GMT", "no Sunset header") == (
        missing.expected,
        missing.observed,
    )


@pytest.mark.parametrize("clause_id", ["get.deprecation-header", "get.sunset-header"])
@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lost(1, at=2.0, headers=JSON), id="not found"),
        pytest.param(got(FAR[0], at=2.0, headers=JSON), id="an animal that is not known"),
        pytest.param(under(got(1, at=2.0, headers=JSON), WRONG), id="a wrong key"),
        pytest.param(unanswered(got(1, at=2.0)), id="no answer"),
    ],
)
def test_what_finds_no_known_animal_announces_nothing(clause_id: str, other: Exchange) -> None:
    """Only a getPet answered with 200 is evidence."""
    assert CANT_TELL == outcome_of(clause_id, [listing([animal(1)]), other])


# From the announced date on.


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("clause_id", [*GET, "auth.missing.get"])
def test_a_getpet_that_was_removed_makes_its_clauses_inapplicable(clause_id: str, status: int) -> None:
    """Reading 14: from 5 December 2030 on, 404 or 410 with Error."""
    trace = [listing(animals(3), at=0.0), *(lost(each, status, at=9.0) for each in (1, 2, 3, "abc", 2**60))]
    trace.append(unauthorised(lost(1, status, at=9.5), status=status))
    verdict = verdict_of(clause_id, trace, today="2030-12-05")
    assert INAPPLICABLE == verdict.outcome
    assert "5 December 2030" in verdict.why
    assert set() == failed_of(trace, today="2031-01-01")
    bare = lost(2, status, at=9.0, headers=HTML)
    assert {"http.json.content-type"} == failed_of([*trace, bare], today="2031-01-01")


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("back", [False, True])
def test_a_getpet_that_goes_in_the_middle_of_a_run_is_no_finding_from_its_date_on(
    status: int, *, back: bool
) -> None:
    """Reading 14: on all nodes, or on some of them."""
    trace = [*KNOWN, *(lost(each, status, at=9.0) for each in (1, 2)), listing(animals(3), at=13.0)]
    trace += [lost(1, status, at=14.0), *([got(1, at=15.0)] if back else []), listing(animals(3), at=19.0)]
    assert PASSED == outcome_of("get.found", trace, today="2030-12-05")
    assert {"get.found"} == failed_of(trace, today="2030-12-04")


def test_a_getpet_that_goes_in_the_middle_of_a_run_leaves_clauses_inapplicable() -> None:
    """What has no evidence until then cannot have any."""
    trace = [*KNOWN, lost(1, 410, at=9.0)]
    assert INAPPLICABLE == outcome_of("get.malformed", trace, today="2030-12-05")
    assert CANT_TELL == outcome_of("get.malformed", trace, today="2030-12-04")
    keyless = unauthorised(lost(1, 410, at=9.5), status=410)
    assert (0, 0) == opinions_of("auth.missing.get", [*trace, keyless], today="2030-12-05")
    assert (0, 1) == opinions_of("auth.missing.get", [*trace, keyless], today="2030-12-04")


def test_a_getpet_that_stays_after_its_date_is_judged_as_before() -> None:
    """Reading 14: nobody has to remove it."""
    assert PASSED == outcome_of("get.found", KNOWN, today="2031-01-01")
    assert FAILED == outcome_of("get.found", [*KNOWN, lost(2, 422, at=9.0)], today="2031-01-01")
    bare = lost(2, at=9.0, headers=JSON)
    assert (1, 0) == opinions_of("get.found", [*KNOWN, bare], today="2031-01-01")


@pytest.mark.parametrize("digits", ["010", "0010", "00000000000000000000010"])
def test_an_id_with_zeros_in_front_is_no_number_in_octal(digits: str) -> None:
    """Reading 9: whether it is accepted is open, but it is that number in decimal."""
    assert {"get.requested"} == failed_of([*KNOWN, got(digits, animal(8))])
    assert set() == failed_of([*KNOWN, got(digits, animal(10)), lost(digits, 400), lost(digits)])


@pytest.mark.parametrize("notation", ["0x10", "+8", "8.0", "0o10"])
def test_another_notation_of_an_id_is_open(notation: str) -> None:
    """Reading 9: parsers in use read some of these as an integer."""
    assert set() == failed_of([*KNOWN, got(notation, animal(8))])
