"""What is shown, or where a client is led, without a key; see rules/authentication.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    PASSED,
    animal,
    animals,
    exchange,
    failed_of,
    got,
    listing,
    outcome_of,
    unauthorised,
    under,
    verdict_of,
)
from selftests.rules.test_authentication import OPEN, REQUESTS

SHUT = [unauthorised(each) for each in REQUESTS]
NEW = listing([animal(9, name="Abelarda")], at=0.3)


# Each operation succeeds with the key: the positive control.


def told(method: str, target: str, shown: object, status: int = 200, key: Credential = ABSENT) -> Exchange:
    """An odd request without a key that is answered with something."""
    return exchange(method, target, status, shown, key=key, at=3.0)


@pytest.mark.parametrize(
    ("clause_id", "odd"),
    [
        ("auth.missing.list", told("GET", "/pets/", animals(3))),
        ("auth.missing.list", told("GET", "/pets?limit=0", [7, {"id": "1"}, animal(3)])),
        ("auth.missing.get", told("GET", "/pets/1/", animal(1))),
        ("auth.missing.get", told("GET", "/pets/01", animal(1))),
        ("auth.missing.create", told("POST", "/pets", animal(9, name="Abelarda"), 201)),
        ("auth.missing.create", told("POST", "/pets/", animal(9, name="Abelarda"), 201)),
        ("auth.missing.create", told("POST", "//pets", animal(9, name="Abelarda"), 201)),
        ("auth.missing.create", told("POST", "/pets?debug=1", animal(9, name="Abelarda"), 201)),
    ],
)
def test_animals_that_are_shown_without_a_key_are_a_finding_however_they_are_asked_for(
    clause_id: str, odd: Exchange
) -> None:
    """An odd address, parameter or body lets nobody in; where a plain request does, that says it all."""
    [found] = verdict_of(clause_id, [*OPEN, NEW, *SHUT, odd]).findings
    assert (odd, 1) == (found.exchange, len(found.finding.related))
    plain = under(REQUESTS[["list", "create", "get"].index(clause_id.rpartition(".")[2])], ABSENT)
    assert odd not in [each.exchange for each in verdict_of(clause_id, [*OPEN, NEW, plain, odd]).findings]


@pytest.mark.parametrize(
    ("clause_id", "odd"),
    [
        pytest.param("auth.missing.list", told("GET", "/pets/", animals(3), 203), id="another status"),
        pytest.param("auth.missing.list", told("POST", "/pets/", animals(3)), id="another method"),
        pytest.param("auth.missing.list", told("GET", "/pets/1/", animal(1)), id="another operation"),
        pytest.param("auth.missing.list", told("GET", "/pets/", {"pets": animals(3)}), id="no list"),
        pytest.param("auth.missing.list", told("GET", "/pets/", [animal(1, name="A")]), id="another name"),
        pytest.param("auth.missing.list", told("GET", "/pets/", [animal(99)]), id="an unknown id"),
        pytest.param("auth.missing.list", told("GET", "/pets/", [1, {}]), id="no animals"),
        pytest.param("auth.missing.get", told("GET", "/pets/", animals(3)), id="a list"),
        pytest.param("auth.missing.create", told("POST", "/pets", animal(1), 200), id="nothing created"),
        pytest.param("auth.missing.create", told("POST", "/pets/", animal(99), 201), id="never shown"),
        pytest.param("auth.missing.create", told("POST", "/pets/", animal(9), 201), id="another animal"),
        pytest.param("auth.missing.create", told("POST", "/pets/", None, 308), id="a redirection"),
        pytest.param("auth.missing.create", told("POST", "//pets", None, 404), id="no such address"),
        pytest.param("auth.missing.create", told("PUT", "/pets/", animal(1), 201), id="not created by POST"),
    ],
)
def test_what_shows_no_animal_of_the_store_without_a_key_is_no_finding(clause_id: str, odd: Exchange) -> None:
    """It may be anything: a page, an example, another collection."""
    assert PASSED == outcome_of(clause_id, [*OPEN, NEW, *SHUT, odd])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_client_that_would_like_html_is_not_led_elsewhere_without_a_key(status: int) -> None:
    """It may get its 401 as HTML, or 406; with a key it is a matter of negotiation."""
    html = (("Accept", "text/html"),)
    listed = listing(limit=3)
    asked = replace(listed, request=replace(listed.request, headers=html))
    assert {"auth.missing.list"} == failed_of([*OPEN, unauthorised(asked, ABSENT, status)])
    assert set() == failed_of([*OPEN, unauthorised(asked, ABSENT, 406)])
    assert set() == failed_of([*OPEN, unauthorised(asked, Credential.VALID, status)])


def test_what_is_created_without_a_key_is_shown_by_what_the_key_is_given() -> None:
    """Who sends both again sees it again."""
    odd = told("POST", "/pets/", animal(12, name="Abelarda"), 201)
    then = got(12, animal(12, name="Abelarda"), at=4.0)
    [found] = verdict_of("auth.missing.create", [*OPEN, *SHUT, odd, then]).findings
    assert (odd, (then,)) == (found.exchange, found.finding.related)
