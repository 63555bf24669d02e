"""excuses.py: each circumstance is recognised where it is there, and not where it merely could be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from animal_conformance.interface.clauses import load_clauses
from animal_conformance.judge.excuses import RECOGNISED, excuse_of
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import JSON, animals, created, got, ledger_of, listing, named, refused, under

STATUSES = ("available", "pending", "sold")
CLAUSES = {each.id: each for each in load_clauses().clauses}
NAMES = ("Whiskertonia", "Whiskertonib", "Whiskertonic")


def holds(circumstance: str, trace: Iterable[Exchange]) -> bool:
    """Whether a circumstance is recognised in a trace."""
    return RECOGNISED[circumstance](ledger_of(*trace))


def lists(count: int, *, limit: int = 100, at: float = 1.0, last: int | None = None) -> list[Exchange]:
    """A list without a filter and with each, of that many animals; the one of sold animals may have another number."""
    pages = [listing(animals(count), limit=limit, at=at)]
    for number, status in enumerate(STATUSES):
        length = last if last is not None and status == "sold" else count
        shown = animals(length, 1000 * (number + 1), status=status)
        pages.append(listing(shown, limit=limit, state=status, at=at + 0.1 * (number + 1)))
    return pages


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
    assert excuse_of(CLAUSES["create.answer"], ledger_of(*closed)) is None


def test_a_small_store_accepts_no_more_from_some_point_on() -> None:
    """By plain names and in an accepted category; one creation after them, and it does."""
    small = [created(at=1.0), *refusals()]
    assert holds("store.small", small)
    assert not holds("store.small", small[:-1])
    assert not holds("store.small", [*small, created(named("Fluffington"), 2, at=9.0)])
    assert not holds("store.small", [created(at=1.0), *refusals(categoryId=7)])
    assert not holds("store.small", [*refusals(at=1.0), created(at=9.0)])


def test_nobody_elses_animals_are_there() -> None:
    """Where every animal that was seen was created by the run."""
    assert holds("others.none", [listing(), created(animal_id=1), got(1, at=2.0)])
    assert not holds("others.none", [listing(), created(animal_id=1), listing(animals(2), at=2.0)])
    assert not holds("others.none", [listing(animals(2))])


def test_full_lists_excuse_what_may_be_behind_them() -> None:
    """Of every filter, and at the largest limit."""
    assert holds("list.full", lists(100))
    assert not holds("list.full", lists(100, last=99))
    assert not holds("list.full", lists(50, limit=50))
    assert not holds("list.full", lists(100)[:-1])


def test_capped_lists_excuse_what_may_be_behind_them() -> None:
    """Where there are more animals than the longest list shows."""
    later = lists(10, at=20.0)
    more = [listing(animals(10, 5000 + 10 * at), limit=10, at=2.0 + at) for at in range(3)]
    more += [
        listing(animals(10, 8000 + 100 * at, status=status), limit=10, state=status, at=8.0 + at)
        for at, status in enumerate(STATUSES * 2)
    ]
    assert holds("list.capped", [*more, *later])
    assert not holds("list.capped", later)
    assert not holds("list.capped", [*more, *lists(10, at=20.0, last=7)])


def test_lists_that_are_never_full_excuse_what_they_leave_out() -> None:
    """Without a filter and with one; a single full one, and they are no such lists."""
    short = [
        listing(animals(limit - 1), limit=limit, state=state, at=float(limit))
        for limit in (3, 5, 7, 20)
        for state in (None, "available")
    ]
    known = [listing(animals(1, 1), limit=1, at=0.1), *[got(each, at=0.2) for each in range(1, 40)]]
    assert holds("list.short", [*known, *short])
    assert not holds("list.short", [*known, *short, listing(animals(4), limit=4, at=50.0)])
    assert not holds("list.short", short)


def chosen(first: int, at: float) -> Exchange:
    """A list of twenty animals."""
    return listing(animals(20, first), limit=100, at=at)


def test_sampled_lists_show_what_they_dropped_again() -> None:
    """Many animals at a time; animals that go for good are no sample, nor is one that comes and goes."""
    firsts: Sequence[int] = (1, 30, 1, 30, 1)
    assert holds("list.sampled", [chosen(first, 1.0 + at) for at, first in enumerate(firsts)])
    assert not holds("list.sampled", [chosen(20 * at, 1.0 + at) for at in range(5)])
    one = [listing(animals(20 - at % 2), limit=100, at=1.0 + at) for at in range(9)]
    assert not holds("list.sampled", one)


@pytest.mark.parametrize(
    ("age", "made_at", "recognised"), [(61, 1.0, True), (60, 1.0, False), (61, -90.0, False)]
)
def test_stored_lists_say_that_they_are_older_than_a_run_waits_for(
    age: int, made_at: float, *, recognised: bool
) -> None:
    """And than anything that the run has created."""
    headers = (*JSON, ("Cache-Control", f"max-age={age}"))
    states = (None, *STATUSES)
    pages = [listing(limit=100, state=state, at=5.0, headers=headers) for state in states]
    assert recognised == holds("list.stored", [created(at=made_at), *pages])


@pytest.mark.parametrize(("first", "recognised"), [(1, True), (500, False)])
def test_filters_that_are_applied_last_show_what_is_in_the_plain_page(
    first: int, *, recognised: bool
) -> None:
    """Where there is more with that status, and the page without a filter was full."""
    known = listing(animals(100, first), limit=100, at=1.0)
    pages = [
        page
        for at, limit in enumerate((10, 20, 50))
        for page in (
            listing(animals(limit, 1), limit=limit, at=2.0 + at),
            listing(animals(limit // 2, first), limit=limit, state="available", at=2.1 + at),
        )
    ]
    everything = listing(animals(100, 1), limit=100, at=0.5)
    assert recognised == holds("list.filtered-last", [everything, known, *pages])


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
