"""get.malformed: a petId that is no int64; see rules/retrieval.py."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from selftests.exchanges import (
    CANT_TELL,
    PASSED,
    animal,
    exchange,
    failed_of,
    got,
    lost,
    outcome_of,
    unlisted,
)
from selftests.rules.test_retrieval import HTML, KNOWN

MALFORMED = ("abc", "1.5", "9223372036854775808", "-9223372036854775809", "1a", "null", "1" * 26, "NaN", "-")


@pytest.mark.parametrize("odd", ["1'", "\u00b2", "1\u20ac", "1?x", "1#x"])
def test_an_odd_path_names_no_animal(odd: str) -> None:
    """It may be refused before any operation is reached, with whatever body."""
    assert {"get.malformed"} == failed_of([*KNOWN, got(quote(odd), animal(1))])
    assert set() == failed_of([*KNOWN, lost(quote(odd), 404), lost(quote(odd), 400)])
    assert set() == failed_of([*KNOWN, exchange("GET", f"/pets/{quote(odd)}", 403, "<h1>No</h1>")])


@pytest.mark.parametrize("rewritten", ["1\x00", "1;x", "1/.", " 1"])
def test_a_path_that_is_rewritten_before_any_operation_is_reached_may_name_one(rewritten: str) -> None:
    """Proxies and routers cut, split and normalise."""
    assert set() == failed_of([*KNOWN, got(quote(rewritten, safe=""), animal(1))])


@pytest.mark.parametrize("pet_id", MALFORMED)
def test_an_id_that_is_no_int64_is_refused_with_any_4xx(pet_id: str) -> None:
    """Reading 9: which one is open; never 200."""
    for status in (400, 404, 422, 499):
        assert PASSED == outcome_of("get.malformed", [*KNOWN, lost(pet_id, status)])
        assert CANT_TELL == outcome_of("get.malformed", [KNOWN[0], lost(pet_id, status)])
        assert set() == failed_of([*KNOWN, lost(pet_id, status)])
    assert {"get.malformed"} == failed_of([*KNOWN, got(pet_id, animal(1))])
    for status in (302, 399):
        assert {"get.malformed"} == failed_of([*KNOWN, lost(pet_id, status)])


def test_an_invalid_listing_says_nothing_of_getpet() -> None:
    """Each operation has its own clauses."""
    assert CANT_TELL == outcome_of("get.malformed", [*KNOWN, unlisted(400, limit=0)])


@pytest.mark.parametrize("pet_id", ["%2B1", "01", "1.0", "1e0", "0x1", "1_0", "%201", "-0"])
def test_an_id_in_an_unusual_notation_is_open(pet_id: str) -> None:
    """Reading 9: lenient parsers read some of these as an integer; what refuses them is an Error."""
    assert set() == failed_of([*KNOWN, got(pet_id, animal(1)), lost(pet_id), lost(pet_id, 400)])
    assert {"http.json.content-type"} == failed_of([*KNOWN, lost(pet_id, headers=HTML)])


@pytest.mark.parametrize("pet_id", ["1%2F2", "..", "%00", "a%20b", "1?x=1"])
def test_an_id_that_servers_take_apart_is_open(pet_id: str) -> None:
    """Reading 9: it may reach no operation, and be answered with a page of the server's own."""
    answers = [got(pet_id, animal(1)), *(lost(pet_id, each, headers=HTML) for each in (400, 404))]
    assert set() == failed_of([*KNOWN, *answers])
