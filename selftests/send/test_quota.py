"""quota.py: creations that would only be asked to wait again are not sent."""

from __future__ import annotations

from typing import Any

from animal_conformance.record.exchange import Exchange
from animal_conformance.send.quota import ENOUGH, Quota
from selftests.exchanges import WRONG, created, exchange, listing, payload, refused, under

VALID = created().request
INVALID = refused(payload(name=...)).request


def put_off(quota: Quota, times: int, asked_s: float = 40_000.0, **changes: Any) -> Exchange:
    """Ask so many creations to wait; return the last of them."""
    last = refused(payload(**changes), 429)
    for _ in range(times):
        quota.put_off(last, asked_s)
    return last


def test_the_answer_of_a_creation_is_known_once_several_in_a_row_were_asked_to_wait() -> None:
    """Until the time is over; one that is accepted says that there is no quota."""
    quota = Quota()
    last = put_off(quota, ENOUGH - 1)
    assert quota.answer_to(VALID, 1.0) is None
    put_off(quota, 1)
    assert quota.answer_to(VALID, 1.0) == last.response
    assert quota.answer_to(VALID, last.answered_s + 40_000) is None
    assert (1, 40_000) == (quota.unsent, quota.asked_s)
    quota.served(created())
    assert quota.answer_to(VALID, 1.0) is None


def test_a_rejection_of_what_is_valid_says_nothing_of_a_quota() -> None:
    """A name may be looked at before it is."""
    quota = Quota()
    put_off(quota, ENOUGH - 1)
    quota.served(refused(payload()))
    put_off(quota, 1)
    assert quota.answer_to(VALID, 1.0) is not None


def test_invalid_creations_are_sent_until_they_are_asked_to_wait_as_well() -> None:
    """They may be rejected before anybody looks at a quota; and any answer of them says that they are."""
    quota = Quota()
    put_off(quota, ENOUGH)
    assert quota.answer_to(INVALID, 1.0) is None
    put_off(quota, ENOUGH, name=...)
    assert quota.answer_to(INVALID, 1.0) is not None
    quota.served(refused(payload(name=...)))
    assert quota.answer_to(INVALID, 1.0) is None
    assert quota.answer_to(VALID, 1.0) is not None


def test_a_quota_is_one_of_creations_with_the_key() -> None:
    """Whatever else is asked to wait has nothing to do with it."""
    quota = Quota()
    elsewhere = exchange("POST", "/animals", 429)
    for each in (listing(), under(created(), WRONG), elsewhere):
        for _ in range(ENOUGH):
            quota.put_off(each, 40_000.0)
        assert quota.answer_to(each.request, 1.0) is None
    assert quota.answer_to(VALID, 1.0) is None
    put_off(quota, ENOUGH)
    assert quota.answer_to(under(created(), WRONG).request, 1.0) is None
