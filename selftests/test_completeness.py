"""completeness.py and absence.py: where the lists of a query end, and what they lack."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.absence import lacks_only_own, stops, turns_of
from animal_conformance.judge.completeness import Page
from animal_conformance.judge.ledger import Ledger
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import animal, animals, created, got, ledger_of, listing, named

FOREIGN = animals(5, 100)


def whole(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list: others, and these."""
    return listing([*FOREIGN, *map(animal, ids)], limit=100, at=at, **options)


def made(animal_id: int, at: float) -> Exchange:
    """The creation of an animal."""
    return created(named(f"Babette{animal_id}"), animal_id, at=at)


def page_of(ledger: Ledger, exchange: Exchange) -> Page:
    """The page of an exchange."""
    return ledger.completeness.by_exchange[id(exchange)]


def test_a_page_is_uncut_where_this_very_query_has_given_a_longer_one() -> None:
    """Reading 20: a cap belongs to one query, so that another query's length says nothing."""
    short, longer, other = whole(1.0), whole(2.0, 1), listing(animals(50), limit=99, at=3.0)
    ledger = ledger_of(short, longer, other)
    assert [short] == [each.exchange for each in ledger.completeness.uncut.values()]


def test_a_page_may_have_to_be_longer_in_bytes() -> None:
    """Reading 20: a cap may be in bytes, and keeps out what is too large for what was left."""
    short, longer = whole(1.0), whole(2.0, 1)
    lists = ledger_of(short, longer).completeness
    page, after = lists.pages
    assert after is lists.longer(page, after.size - page.size)
    assert lists.longer(page, after.size - page.size + 1) is None
    assert lists.longer(after) is None


def test_a_query_that_loses_an_animal_and_shows_it_again_varies() -> None:
    """Its pages are a choice, and prove nothing; those of another query do."""
    flickering = [whole(1.0, 1), whole(2.0), whole(3.0, 1, 2)]
    steady = [listing(FOREIGN[: at + 1], limit=99, at=5.0 + at) for at in range(2)]
    lists = ledger_of(*flickering, *steady).completeness
    assert steady == [each.exchange for each in lists.pages if lists.shows_all(each)]


def test_a_query_does_not_vary_by_what_was_created_lately() -> None:
    """One of several replicas may lag behind, until it has settled."""
    new = [made(1, at=1.0), whole(1.5, 1), whole(2.0), whole(2.5, 1, 2)]
    assert new[1:] == [each.exchange for each in uncut(*new)]
    assert uncut(*new[:2], whole(4.0), whole(5.0, 1, 2)) == []


def uncut(*trace: Exchange) -> list[Page]:
    """The pages that show whatever there is."""
    lists = ledger_of(*trace).completeness
    return [each for each in lists.pages if lists.shows_all(each)]


def test_a_filtered_query_does_not_vary_by_an_animal_whose_status_moves() -> None:
    """It leaves the list and comes back."""
    moving = [
        listing([*FOREIGN, *added], limit=100, state="sold", at=at)
        for at, added in enumerate(([animal(1)], [], [animal(1), animal(2)]), 1)
    ]
    told = listing([animal(1, status="pending")], limit=1, at=2.5)
    for trace, shown in ((moving, []), ([*moving, told], moving)):
        lists = ledger_of(*trace).completeness
        assert shown[:2] == [each.exchange for each in lists.pages if lists.shows_all(each)][:2]


def test_a_page_that_has_grown_would_show_what_was_added() -> None:
    """Reading 20: the first page of a query may be cut, and so may one that lost what it had shown."""
    grown = [whole(1.0), whole(2.0, 1), listing(animals(7, 500), limit=99, at=3.0)]
    window = [listing(animals(8, first), limit=98, at=3.0 + first) for first in (1, 2)]
    lists = ledger_of(*grown, *window).completeness
    assert grown[:2] == [each.exchange for each in lists.pages if lists.shows_all(each)]


@pytest.mark.parametrize(
    ("page", "early"),
    [
        (listing(animals(3), limit=4), True),
        (listing(animals(4), limit=4), False),
        (listing([animal(1), "x"], limit=4), False),
    ],
)
def test_a_page_ends_early_where_it_has_room_and_every_id_is_known(page: Exchange, *, early: bool) -> None:
    """What has no id may be the animal that is looked for."""
    assert early == page_of(ledger_of(page), page).ends_early


def test_a_query_stops_where_it_did_not_take_up_what_was_added() -> None:
    """Or where that took another one's place; where it did grow, it does not stop."""
    first, last = whole(1.0, 1), whole(9.0, 1)
    ledger = ledger_of(first, made(2, 2.0), last)
    assert stops(ledger, page_of(ledger, last))
    window = listing([*FOREIGN[1:], animal(1), animal(2)], limit=100, at=9.0)
    ledger = ledger_of(first, made(2, 2.0), window)
    assert stops(ledger, page_of(ledger, window))
    grown = whole(9.0, 1, 2)
    ledger = ledger_of(first, made(2, 2.0), grown)
    assert not stops(ledger, page_of(ledger, grown))
    assert not stops(ledger, page_of(ledger, first))


def lacking(*others: Exchange) -> bool:
    """Whether a query that shows others alone lacks only what the run has added."""
    last = whole(9.0)
    ledger = ledger_of(whole(0.5), made(1, 1.0), made(2, 2.0), last, *others)
    return lacks_only_own(ledger, page_of(ledger, last))


def test_a_query_that_never_changes_lacks_only_own() -> None:
    """Reading 20: the run's own animals are all that it lacks of what is known to be there."""
    assert lacking()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(listing([animal(300)], limit=1, at=3.0), id="an older animal that it lacks too"),
        pytest.param(whole(3.0, 400), id="it has changed"),
    ],
)
def test_what_else_is_missing_speaks_for_a_cap(other: Exchange) -> None:
    """Then the run's own may be beyond it."""
    assert not lacking(other)


def test_another_query_that_stops_at_the_same_length_speaks_for_a_cap() -> None:
    """It has to stop there, though, rather than pass by."""
    sold = [animal(each, status="sold") for each in range(500, 505)]
    own = [created(named(f"Charlotte{each}", status="sold"), each, at=each / 10) for each in (20, 30)]
    stopping = [listing(sold, limit=100, state="sold", at=at) for at in (0.1, 9.5)]
    known = [whole(0.5), *own, whole(9.0)]
    ledger = ledger_of(*known, *stopping)
    # The sold ones are known only after the first page, and so are not what it lacks by being cut.
    assert not lacks_only_own(ledger, page_of(ledger, known[-1]))


def test_turns_are_of_pages_that_are_alike() -> None:
    """Each is followed by a response that shows the animal; what was added since is no difference."""
    pages = [whole(1.0), whole(2.0), whole(3.0, 7)]
    seen = [got(1, at=at) for at in (1.5, 2.5, 3.5)]
    ledger = ledger_of(*pages, *seen)
    turns = turns_of(ledger, ledger.completeness.pages, seen)
    assert turns.complete
    assert tuple(seen) == turns.shown
    assert not turns_of(ledger, ledger.completeness.pages, seen[:2]).complete
    assert not turns_of(ledger, ledger.completeness.pages, seen[2:]).complete


def test_turns_begin_anew_where_a_page_is_unlike() -> None:
    """A page that lost an animal, or shows one that was known before, is another choice."""
    pages = [whole(1.0, 7), whole(2.0), whole(3.0, 7), whole(4.0, 7)]
    seen = [got(1, at=at + 0.5) for at in (1, 2, 3, 4)]
    ledger = ledger_of(*pages, *seen)
    turns = turns_of(ledger, ledger.completeness.pages, seen)
    assert (2, 2, False) == (turns.unlike, len(turns.absences), turns.complete)
