"""attempts.py: what was tried without telling anything."""

from __future__ import annotations

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.attempts import counted, lists_answered, set_aside, throttled_at_last
from animal_conformance.judge.knowledge.creating import creations
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    answered,
    created,
    exchange,
    ledger_of,
    listing,
    posted,
    refused,
    unanswered,
    unauthorised,
    under,
    unlisted,
)

CLAUSES = {each.id: each for each in load_clauses().clauses}


def throttled(of: Exchange) -> Exchange:
    """The same request, answered with the wish to wait."""
    return answered(of, 429)


def test_create_requests_are_those_with_the_key_valid_or_not() -> None:
    """Neither those without it, nor a creation at another address, nor a list."""
    valid, invalid = created(), refused({})
    keyless = [unauthorised(created()), under(created(), Credential.UNKNOWN)]
    ledger = ledger_of(valid, invalid, *keyless, listing(), exchange("POST", "/x"))
    assert [valid, invalid] == creations(ledger, valid=False)
    assert [valid] == creations(ledger, valid=True)


def test_what_may_have_been_created_counts() -> None:
    """Whatever was not refused, were it that nothing was answered."""
    made = [created(), unanswered(created()), posted({}, 399), refused(status=500)]
    assert [1] * 4 == [len(ledger_of(each).stored) for each in made]
    refusals = [refused(status=400), refused(status=499), listing()]
    assert [0] * 3 == [len(ledger_of(each).stored) for each in refusals]


def test_a_list_request_was_answered_whatever_the_answer() -> None:
    """But not where it got none."""
    assert lists_answered(ledger_of(unlisted(500)))
    assert not lists_answered(ledger_of(unanswered(listing()), created()))


def test_the_last_create_requests_were_asked_to_wait() -> None:
    """As many as came after the last that was not, valid or not; a rejection may come before anybody looks at a quota."""
    waits = [throttled(posted({}, at=3.0)), throttled(created(at=4.0))]
    earlier = [throttled(created(at=1.0)), created(at=2.0)]
    assert waits[::-1] == throttled_at_last(ledger_of(*earlier, *waits))
    rejected = [refused({}, at=at) for at in (2.5, 3.5, 4.5)]
    assert waits[::-1] == throttled_at_last(ledger_of(*earlier, *waits, *rejected))
    assert [] == throttled_at_last(ledger_of(*earlier, *waits, refused(at=4.5)))


def test_what_was_set_aside_is_counted_apart_from_what_got_no_response_and_from_the_rest() -> None:
    """Of the requests that a clause is about; proxies answer 408 to a connection, whatever is sent."""
    waits = [throttled(listing()), unlisted(408)]
    others = [unlisted(407), unlisted(409), listing()]
    ledger = ledger_of(*waits, unanswered(listing()), *others, throttled(created()))
    assert (waits, 1, 3) == set_aside(CLAUSES["list.answer"], ledger)
    assert "408 1x, 429 1x" == counted([*waits, unanswered(listing())])
