"""excuses.py: what a store and its keys are like is recognised where it is so, and not where it merely could be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.excuses import RECOGNISED, excuse_of
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    JSON,
    animals,
    created,
    error,
    got,
    ledger_of,
    listing,
    named,
    payload,
    posted,
    refused,
    unanswered,
    under,
)

CLAUSES = {each.id: each for each in load_clauses().clauses}
NAMES = ("Whiskertonia", "Whiskertonib", "Whiskertonic")


def holds(circumstance: str, trace: Iterable[Exchange]) -> bool:
    """Whether a circumstance is recognised in a trace."""
    return RECOGNISED[circumstance](ledger_of(*trace))


def refusals(*, at: float = 5.0, **changes: Any) -> list[Exchange]:
    """Valid create requests with plain names that are refused."""
    return [refused(named(name, **changes), at=at + number) for number, name in enumerate(NAMES)]


def test_a_closed_store_shows_nothing_and_accepts_nothing() -> None:
    """Fewer refusals than three, an animal in a list, or another answer, and it is none."""
    closed = [listing(), *refusals()]
    assert holds("store.closed", closed)
    assert not holds("store.closed", closed[:-1])
    assert not holds("store.closed", [*closed, listing(animals(1))])
    assert not holds("store.closed", [*closed, refused(status=403)])
    assert not holds("store.closed", closed[1:])
    assert holds("store.closed", [*closed, unanswered(created()), refused({}, 422)])
    assert excuse_of(CLAUSES["create.answer"], ledger_of(*closed)) is None


def test_a_small_store_accepts_no_more_from_some_point_on() -> None:
    """By plain names and in an accepted category; one creation after them, and it does."""
    small = [created(at=1.0), *refusals()]
    assert holds("store.small", small)
    assert not holds("store.small", small[:-1])
    assert not holds("store.small", [*small, created(named("Fluffington"), 2, at=9.0)])
    assert not holds("store.small", [created(at=1.0), *refusals(categoryId=7)])
    assert not holds("store.small", [*refusals(at=1.0), created(at=9.0)])
    assert not holds("store.small", [*small, posted(payload(), 200, at=9.0)])
    for_a_while = [created(at=1.0), *(refused(payload(), at=2 + each / 10) for each in range(10))]
    assert holds("store.small", [*for_a_while, created(at=9.0)])
    assert not holds("store.small", [*for_a_while[:-1], created(at=9.0)])
    assert not holds("store.small", refusals())
    assert holds("store.small", [*small, refused({}, at=8.0), unanswered(created(), at=9.0)])
    # What got no answer may have been created, and another name may be refused for what it is.
    assert not holds("store.small", [*small[:-1], unanswered(created(), at=9.0)])
    assert not holds("store.small", [*small[:-1], refused(named("two words"), at=9.0)])


def test_a_store_that_rejects_all_since_the_first_invalid_creation_is_no_small_one() -> None:
    """A validator may keep its errors; a quota is reached before, or leaves room for one more afterwards."""
    invalid, later = refused({}, at=2.0), [refused(payload(), at=3 + each) for each in range(3)]
    assert not holds("store.small", [created(at=1.0), invalid, *later])
    assert holds("store.small", [created(at=1.0), invalid, created(named("Fluffington"), 2, at=2.5), *later])
    assert holds("store.small", [created(at=1.0), refused(payload(), at=1.5), invalid, *later])
    # A quota may have a code of its own; an answer that is no Error has none.
    full = [posted(payload(), 400, error(code="full"), at=3.0 + each) for each in range(3)]
    assert holds("store.small", [created(at=1.0), invalid, *full])
    assert not holds("store.small", [created(at=1.0), invalid, *full, refused(payload(), at=8.0)])
    none = [
        posted(each, 400, [], at=at) for each, at in (({}, 2.0), *((payload(), 3.0 + n) for n in range(3)))
    ]
    assert not holds("store.small", [created(at=1.0), *none])
    # The first categories that are tried may not be there.
    unknown = refused(payload(categoryId=7), at=0.5)
    assert not holds("store.small", [unknown, created(at=1.0), invalid, *later])


def put_off(*asked: str, status: int = 429, at: float = 5.0) -> list[Exchange]:
    """Valid create requests that are asked to wait so long each, whatever their names are."""
    return [
        refused(named(f"two words {number}"), status, at=at + number, headers=(*JSON, ("Retry-After", each)))
        for number, each in enumerate(asked)
    ]


def test_a_small_store_asks_to_wait_for_longer_than_any_run_does_from_some_point_on() -> None:
    """A shorter wait is one that a run may have time for; and what never accepted any is no store of that kind."""
    small = [created(at=1.0), *put_off("40000", "39999", "901")]
    assert holds("store.small", small)
    assert holds("store.small", [created(at=1.0), *put_off("40000", "39999", "901", status=403)])
    assert holds("store.small", [*small, refused({}, at=9.0)])
    assert not holds("store.small", small[:-1])
    assert not holds("store.small", small[1:])
    assert not holds("store.small", [*small, created(named("Fluffington"), 2, at=9.0)])
    assert not holds("store.small", [created(at=1.0), *put_off("40000", "40000", "900")])
    assert not holds("store.small", [created(at=1.0), *put_off("40000", "40000", "")])
    assert not holds("store.small", [created(at=1.0), *put_off("40000", "40000", "40000", status=503)])


def test_nobody_elses_animals_are_there() -> None:
    """Where every animal that was seen was created by the run."""
    assert holds("others.none", [listing(), created(animal_id=1), got(1, at=2.0)])
    assert not holds("others.none", [listing(), created(animal_id=1), listing(animals(2), at=2.0)])
    assert not holds("others.none", [listing(animals(2))])
    assert not holds("others.none", [created()])
    assert not holds("others.none", [listing()])


@pytest.mark.parametrize(
    ("circumstance", "form"), [("key.caseless", Credential.RECASED), ("key.single", Credential.SHORTER)]
)
def test_a_form_that_a_key_has_not_was_never_sent_while_all_others_were(
    circumstance: str, form: Credential
) -> None:
    """What else was not sent was left out by the run."""
    sent = [under(listing(), each) for each in Credential if each.invalid and each is not form]
    assert holds(circumstance, sent)
    assert not holds(circumstance, [*sent, under(listing(), form)])
    assert not holds(circumstance, sent[1:])
