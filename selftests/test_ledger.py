"""ledger.py: what a trace has taught, above all which lists are known to be complete."""

from __future__ import annotations

import pytest

from animal_conformance.interface.contract import Operation
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ABSENT,
    animal,
    animals,
    created,
    got,
    ledger_of,
    listing,
    lost,
    payload,
    posted,
    refused,
    unanswered,
    unauthorised,
    unlisted,
)

LONGER = listing(animals(30, 100, status="pending"), limit=100, state="pending", at=0.0)
SOLD = [animal(1, status="sold"), animal(2, status="sold")]


def filtered(limit: int = 100, at: float = 2.0) -> Exchange:
    """The sold animals."""
    return listing(SOLD[:limit], limit=limit, state="sold", at=at)


FULL = filtered(limit=2, at=1.0)


def complete_pages(*exchanges: Exchange) -> list[float]:
    """When the pages that are known to be complete were sent."""
    return [each.exchange.sent_s for each in ledger_of(*exchanges).completeness.complete]


def test_a_filtered_page_with_room_for_more_is_complete() -> None:
    """Reading 11: longer filtered pages exist, and the filter is applied before the limit."""
    assert [2.0] == complete_pages(LONGER, FULL, filtered())


def test_a_filtered_page_is_complete_where_the_whole_list_is() -> None:
    """There was nothing to cut before the filter; what was asked for later says nothing."""
    whole = [listing(animals(each), limit=100, at=float(each)) for each in (8, 9)]
    assert [2.0, 8.0] == complete_pages(LONGER, filtered(), *whole)
    assert [8.0] == complete_pages(LONGER, *whole, filtered(at=10.0))


def test_an_empty_page_is_complete_from_the_default_limit_on() -> None:
    """Below it, a deployment whose pages are a few short gives empty ones lawfully."""
    whole = [listing(animals(each), limit=100, at=float(each)) for each in (8, 9)]
    nothing = [listing([], at=1.0), listing([], limit=20, state="sold", at=2.0)]
    assert [1.0, 2.0, 8.0] == complete_pages(*nothing, *whole)
    few = [listing([], limit=1, at=1.0), listing([], limit=19, state="sold", at=2.0)]
    assert [8.0] == complete_pages(*few, *whole)


def test_an_empty_filtered_page_is_not_complete_for_a_full_one_before_it() -> None:
    """Where the limit comes before the filter, the first animals may have had the status then."""
    full = listing(SOLD[:1], limit=1, state="sold", at=1.0)
    assert [] == complete_pages(LONGER, full, listing([], limit=50, state="sold", at=2.0))


def test_an_unfiltered_page_with_room_for_more_is_complete() -> None:
    """Where a longer one was seen."""
    assert [0.5] == complete_pages(
        listing(animals(10), limit=100, at=0.5), listing(animals(12), limit=100, at=1.0)
    )


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([FULL, filtered()], id="no longer page was seen"),
        pytest.param([LONGER, filtered()], id="the filter may come after the limit"),
        pytest.param([LONGER, FULL, filtered(limit=50)], id="not the largest limit"),
        pytest.param([listing(animals(100), limit=100)], id="a full page"),
        pytest.param(
            [LONGER, FULL, listing([*SOLD, "x"], limit=100, state="sold")], id="an element without id"
        ),
        pytest.param([LONGER, FULL, unauthorised(filtered())], id="refused"),
        pytest.param(
            [LONGER, FULL, listing(SOLD, query="limit=100&status=sold&x=1")], id="an unknown parameter"
        ),
        pytest.param(
            [LONGER, FULL, filtered(), listing(SOLD[1:], limit=100, state="sold", at=3.0)],
            id="the same query lost an animal",
        ),
        pytest.param(
            [
                LONGER,
                FULL,
                *(listing(animals(30, each), limit=100, at=1.5) for each in (100, 101)),
                filtered(),
            ],
            id="an unfiltered query lost an animal",
        ),
    ],
)
def test_a_page_that_may_be_short_is_not_complete(trace: list[Exchange]) -> None:
    """Reading 11: shorter is lawful."""
    assert [] == complete_pages(*trace)


def test_another_filter_that_loses_animals_does_not_matter() -> None:
    """Reading 12: their statuses moved."""
    pending = [listing(animals(3 - at), limit=100, state="pending", at=1.2 + at / 10) for at in range(2)]
    assert [2.0] == complete_pages(LONGER, FULL, *pending, filtered())


def test_creations_teach_animals() -> None:
    """Ids, payloads, categories and names that were accepted."""
    ledger = ledger_of(created(payload(name="Babette", categoryId=7), 5))
    assert ([5], [7]) == (list(ledger.animals), list(ledger.accepted_categories))
    creation = ledger.animals[5].creation
    assert creation is not None
    assert creation is ledger.creation_of(creation.exchange)
    assert "Babette" in ledger.accepted_names


@pytest.mark.parametrize("answer", [None, [], {}, {"id": "5"}, {"id": 2**63}, {"id": True}])
def test_a_creation_without_an_id_teaches_no_animal(answer: object) -> None:
    """Its name was accepted all the same."""
    ledger = ledger_of(posted(payload(), 201, answer))
    assert {} == ledger.animals
    assert "Whiskerton" in ledger.accepted_names


def test_two_creations_with_one_id_belong_to_neither() -> None:
    """Nothing can be held against what may be the other's."""
    assert ledger_of(created(), created(at=2.0)).animals[1].creation is None


def test_lists_and_gets_teach_animals() -> None:
    """With the time from which they are known."""
    ledger = ledger_of(listing([animal(1)], at=1.0, took=0.5), got(1, at=3.0), lost(2))
    assert [1] == list(ledger.animals)
    assert (1.5, 2) == (ledger.animals[1].known_since_s, len(ledger.animals[1].sightings))


def test_what_is_shown_again_without_a_change_is_one_sighting() -> None:
    """From its first answer to its last: a long run needs no more room for it than a short one."""
    pages = [listing([animal(1, seen=at)], at=float(at)) for at in range(4)]
    [sighting] = ledger_of(*pages).animals[1].listed
    assert (pages[0], pages[3], 4) == (sighting.first, sighting.last, sighting.times)


@pytest.mark.parametrize(
    "changed", [{"status": "sold"}, {"name": "other"}, {"categoryId": True}, {"status": ...}]
)
def test_what_is_shown_with_a_change_is_another_sighting(changed: dict[str, object]) -> None:
    """Also where it is only the type that changed, or goes back to what it was."""
    shown = [animal(1), animal(1, **changed), animal(1)]
    known = ledger_of(*(listing([each], at=float(at)) for at, each in enumerate(shown)))
    assert [0.0, 1.0, 2.0] == [each.first.sent_s for each in known.animals[1].listed]


def test_lists_and_gets_are_sightings_of_their_own() -> None:
    """Since only a status that getPet shows twice has moved."""
    known = ledger_of(got(1, at=1.0), listing([animal(1)], at=0.0), got(1, at=2.0)).animals[1]
    assert ([1], [2]) == ([each.times for each in known.listed], [each.times for each in known.gets])
    first = known.first_sighting
    assert first is not None
    assert 0.0 == first.first.sent_s


def test_what_answers_for_another_id_teaches_nothing() -> None:
    """Nor what answers for one that is far from all."""
    assert [1] == list(ledger_of(listing([animal(1)], at=0.0), got(3, animal(4)), got(10**12)).animals)


def test_animals_are_counted_by_when_they_were_known() -> None:
    """And by the status that was seen first."""
    ledger = ledger_of(listing([animal(1), animal(2, status="sold"), animal(3, status=...)], took=1.0))
    assert (3, 1, 1, 0) == tuple(
        ledger.known_count(status, 9.0) for status in (None, "sold", "available", "pending")
    )
    assert 0 == ledger.known_count(None, 1.5)


@pytest.mark.parametrize(
    ("animal_id", "far", "foreign"),
    [(1, False, False), (1_000_011, True, True), (1_000_010, False, False), (-(10**9), True, True)],
)
def test_an_id_is_far_where_no_known_one_is_near(animal_id: int, far: bool, foreign: bool) -> None:  # noqa: FBT001 - two answers
    """By more than anybody creates during a run."""
    ledger = ledger_of(listing(animals(10)))
    assert (far, foreign) == (ledger.is_far(animal_id), ledger.is_foreign(animal_id))


def test_an_id_among_random_ones_is_not_foreign() -> None:
    """Reading 13: where ids are drawn, any of that sign may be somebody's."""
    ledger = ledger_of(listing([animal(10**12), animal(10**15)]))
    assert (False, True) == (ledger.is_foreign(10**14), ledger.is_foreign(-(10**14)))


def test_an_id_is_far_from_all_but_itself() -> None:
    """Where an adopted id became known."""
    ledger = ledger_of(listing([animal(1)]), created(payload(id=10**12), 10**12))
    assert ledger.is_far(10**12, but=10**12)
    assert not ledger.is_far(10**12)


@pytest.mark.parametrize("status", [400, 401, 409, 422])
def test_refused_names_are_remembered(status: int) -> None:
    """A 401 to the valid key is a refusal like others."""
    ledger = ledger_of(created(payload(name="Babette")), refused(payload(), status, at=2.0))
    assert ["Whiskerton"] == list(ledger.refused_names)


def test_what_a_worker_begins_with_may_have_been_taken() -> None:
    """Names may have to be unique, and an earlier run may have begun with the same one."""
    assert [] == list(ledger_of(refused(payload())).refused_names)
    assert ["Whiskerton"] == list(ledger_of(refused(payload(status="lost"))).refused_names)


def test_unauthorised_names_are_remembered() -> None:
    """Apart from refused ones; short names are nobody's."""
    ledger = ledger_of(unauthorised(refused(payload()), ABSENT), refused(payload(name="Rex")))
    assert (["Whiskerton"], []) == (list(ledger.unauthorised_names), list(ledger.refused_names))


@pytest.mark.parametrize(
    "other",
    [
        created(),
        refused(payload(), 500),
        refused(payload(), 429),
        refused(payload(), 408),
        refused(payload(), 302),
        unanswered(posted(payload())),
    ],
)
def test_a_name_that_may_have_been_stored_was_not_never_made(other: Exchange) -> None:
    """Whatever came of it, an animal of that name proves nothing."""
    first = created(payload(name="Babette"), 2, at=0.0)
    assert not ledger_of(first, refused(payload()), other).never_made("Whiskerton")
    assert ledger_of(first, refused(payload())).never_made("Whiskerton")


def test_successes_are_those_with_the_key() -> None:
    """The positive control of authentication."""
    ledger = ledger_of(listing(), unauthorised(got(1), ABSENT, 200), unlisted(400))
    assert (1, 0) == (len(ledger.successes[Operation.LIST]), len(ledger.successes[Operation.GET]))


@pytest.mark.parametrize(
    ("trace", "today", "removed"),
    [
        ([listing([animal(1)]), lost(1, 410, at=2.0)], "2030-12-05", True),
        ([listing([animal(1)]), lost(1, 404, at=2.0)], "2031-01-01", True),
        ([listing([animal(1)]), lost(1, 410, at=2.0)], "2030-12-04", False),
        ([listing([animal(1)]), lost(1, 400, at=2.0)], "2031-01-01", False),
        ([listing([animal(1)]), lost(2, 404, at=2.0)], "2031-01-01", False),
        ([listing(animals(2)), lost(1, 404, at=2.0), got(2, at=3.0)], "2031-01-01", False),
        ([], "2031-01-01", False),
    ],
)
def test_getpet_is_removed_where_known_animals_are_gone_after_its_date(
    trace: list[Exchange],
    today: str,
    removed: bool,  # noqa: FBT001 - the answer
) -> None:
    """Reading 14."""
    assert removed == ledger_of(*trace, today=today).get_removed
