"""presence.py: when an animal was there, and how old what says so may be."""

from __future__ import annotations

import pytest

from animal_conformance.judge.knowledge.presence import declared_age_s, presences_of
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ANSWER,
    WRONG,
    animal,
    animals,
    created,
    exchange,
    got,
    ledger_of,
    listing,
    lost,
    unanswered,
    under,
)


def test_an_animal_is_there_where_getpet_finds_it_and_where_a_list_contains_it() -> None:
    """Asked with the key; what is neither found nor missed says nothing."""
    told = [
        (got(1, at=2.0), True, False),
        (lost(1, at=3.0), False, False),
        (lost(1, 410, at=4.0), False, False),
        (under(got(1, at=5.0), Credential.UNKNOWN), True, False),
        (listing(animals(3), at=6.0), True, True),
    ]
    others = [
        *(lost(1, 400, at=2.5), unanswered(got(1, at=2.5)), under(got(1, at=2.5), WRONG), got(2, at=2.5)),
        *(exchange("GET", "/pets/1", status, animal(1), at=2.5) for status in (199, 201)),
        listing(animals(3, 2), at=2.5),
    ]
    ledger = ledger_of(created(), *others, *(each for each, _, _ in told))
    assert told == [
        (each.exchange, each.there, each.listed) for each in presences_of(ledger, ledger.animals[1])
    ]


HOUR = (("Cache-Control", "max-age=3600"), *ANSWER)


def test_what_shows_an_animal_is_no_older_than_its_creation_by_the_run() -> None:
    """The first response for it is as old as its Age alone, as nobody has asked for it before."""
    told = [
        (got(1, at=2.0, headers=HOUR), 2.0),
        (got(1, at=3.0, headers=HOUR), 1.0),
        (lost(1, at=4.0, headers=HOUR), -3596.0),
        (listing(animals(3), at=5.0, headers=HOUR), 1.0),
        (got(1, at=6.0), 6.0),
    ]

    def ages_of(*trace: Exchange) -> list[float]:
        ledger = ledger_of(*trace)
        return [each.as_of_s for each in presences_of(ledger, ledger.animals[1])]

    made = created(at=1.0)
    assert [as_of_s for _, as_of_s in told] == ages_of(made, *(each for each, _ in told))
    assert [-3598.0] == ages_of(made, lost(1, at=2.0, headers=HOUR))
    assert [1.0] == ages_of(made, got(1, at=2.0, headers=(("Age", "9"), *HOUR)))
    # Of an animal of others nobody knows who has asked.
    assert -3594.0 == ages_of(listing(animals(3), at=0.5), got(1, at=6.0, headers=HOUR))[-1]


@pytest.mark.parametrize(
    ("headers", "age_s"),
    [
        ({}, 0),
        ({"Cache-Control": "no-store"}, 0),
        ({"Cache-Control": "private, no-store, max-age=3600"}, 0),
        ({"Cache-Control": "no-cache, max-age=3600, stale-if-error=60"}, 0),
        ({"Cache-Control": "no-store, max-age=3600", "Age": "9"}, 9),
        ({"Cache-Control": 'no-cache="Set-Cookie", max-age=5'}, 5),
        ({"Cache-Control": "max-age=5"}, 5),
        ({"Cache-Control": 'max-age="5", s-maxage=7'}, 7),
        ({"Cache-Control": "max-age=5, stale-while-revalidate=30, stale-if-error=90"}, 35),
        ({"Cache-Control": "max-age=0, stale-if-error=86400"}, 0),
        ({"Cache-Control": "max-age=5, stale-if-error=86400", "Age": "0"}, 5),
        ({"Cache-Control": "max-age=5, stale-if-error=86400", "Age": "9"}, 9),
        ({"Date": "Sun, 22 Nov 2026 10:00:00 GMT", "Expires": "Sun, 22 Nov 2026 10:00:15 GMT"}, 15),
        ({"Date": "Sun, 22 Nov 2026 10:00:00 GMT", "Expires": "Sun, 22 Nov 2026 09:00:00 GMT"}, 0),
        ({"Date": "Sun, 22 Nov 2026 10:00:00 GMT", "Expires": "0"}, 0),
        ({"Expires": "Sun, 22 Nov 2026 10:00:15 GMT"}, 0),
        ({"Cache-Control": "max-age=5", "Age": "9"}, 9),
        ({"Age": "1234567890"}, 123456789),
        ({"Age": "old"}, 0),
    ],
)
def test_a_response_is_as_old_as_its_headers_let_it_be(headers: dict[str, str], age_s: float) -> None:
    """RFC 9111 sections 4.2 and 5.1, and RFC 5861; an age of more than 30 years is cut to one of fewer digits."""
    assert age_s == declared_age_s(listing(headers=tuple(headers.items())))
    assert 0 == declared_age_s(unanswered(listing()))


def test_what_may_be_stored_may_stand_on_several_lines() -> None:
    """RFC 9110 section 5.3: as where a proxy adds its own Cache-Control."""
    lines = (("Cache-Control", "private"), ("cache-control", "max-age=7"))
    assert 7 == declared_age_s(listing(headers=lines))
