"""conditions.py: what a 304 and a 406 deny."""

from __future__ import annotations

import pytest

from animal_conformance.judge.knowledge.conditions import denies_creation, denies_language
from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import animal, created, exchange, failed_of, ledger_of, listing

LONG_AGO = ("If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
MADE = created(animal_id=1, at=1.0)
SHOWN = listing([animal(1)], at=2.0)


def unchanged(target: str = "/pets", sent: Headers = (LONG_AGO,), at: float = 3.0) -> Exchange:
    """A request whose client is told that nothing has changed since its date."""
    return exchange("GET", target, 304, b"", at=at, sent_headers=sent)


def test_what_the_run_has_created_has_changed_since_long_ago() -> None:
    """A list that has shown it, and the animal itself: neither is what any client has kept."""
    assert denies_creation(ledger_of(MADE, SHOWN), unchanged(), None)
    assert denies_creation(ledger_of(MADE), unchanged("/pets/1"), 1)
    assert {"list.answer"} <= failed_of([MADE, SHOWN, unchanged()])
    assert {"get.found"} <= failed_of([MADE, unchanged("/pets/1")])


@pytest.mark.parametrize(
    "sent",
    [
        (("If-Modified-Since", "Sun, 22 Nov 2026 10:00:00 GMT"),),
        (("If-Modified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"),),
        (("If-Modified-Since", "long ago"),),
        (LONG_AGO, ("If-None-Match", '"a"')),
        (),
    ],
)
def test_a_later_date_or_a_tag_may_be_of_the_list_as_it_is(sent: Headers) -> None:
    """A client may have got it before the trace begins."""
    assert not denies_creation(ledger_of(MADE, SHOWN), unchanged(sent=sent), None)
    assert not denies_creation(ledger_of(MADE), unchanged("/pets/1", sent), 1)


def test_a_list_that_has_not_shown_what_was_created_may_be_as_it_was() -> None:
    """So may an animal of others, and what was created since."""
    elsewhere = listing([animal(1)], limit=100, at=2.0)
    later = listing([animal(1)], at=4.0)
    foreign = listing([animal(7)], at=2.0)
    assert not denies_creation(ledger_of(MADE, elsewhere, later, foreign), unchanged(), None)
    assert not denies_creation(ledger_of(foreign), unchanged("/pets/7"), 7)
    assert not denies_creation(ledger_of(foreign), unchanged("/pets/8"), 8)
    assert not denies_creation(ledger_of(created(animal_id=1, at=5.0)), unchanged("/pets/1"), 1)
    assert set() == failed_of([MADE, elsewhere, unchanged()])


def in_languages(accepted: str, status: int = 200, at: float = 1.0) -> Exchange:
    """A list for a client that accepts these languages."""
    return listing([], status=status, sent_headers=(("Accept-Language", accepted),), at=at)


@pytest.mark.parametrize(
    ("served", "accepted", "denied"),
    [
        ("en-US,en;q=0.9", "de, en-us;q=0.5,en;q=0.3", True),
        ("en-US,en;q=0.9", "en-US,en;q=0.9", True),
        ("en-US,en;q=0.9", "de,en;q=0.3", False),
        ("tr,", "de, tr", True),
        ("tr", "de", False),
        ("", "de", False),
    ],
)
def test_a_language_that_another_client_was_served_in_is_available(
    served: str, accepted: str, *, denied: bool
) -> None:
    """If it accepts no other one: a 406 is no matter of language then."""
    refused = in_languages(accepted, 406, at=2.0)
    assert denied == denies_language(ledger_of(in_languages(served), refused), refused)
    assert denied == ("list.answer" in failed_of([in_languages(served), refused]))
    rejected = in_languages(served, 400)
    assert not denies_language(ledger_of(rejected, refused), refused)
    made = created(animal_id=1, at=1.0, sent_headers=(("Accept-Language", served),))
    assert denied == denies_language(ledger_of(made, refused), refused)
