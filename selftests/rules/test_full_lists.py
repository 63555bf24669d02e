"""What full lists leave out; see rules/completing.py and knowledge/order.py."""

from __future__ import annotations

from selftests.exchanges import chosen_as_shown, failed_of, got, listing, verdict_of
from selftests.suspicions.lists import FOREIGN, full, in_turns, made, made_in_order, own, sold, whole


def test_where_the_list_of_all_is_full_it_has_to_show_older_and_newer_ones() -> None:
    """And the filtered list has to show what the other does not, or a scan may have ended before it."""
    creations = [*made(3), *made(1, at=1.5), *made(4, at=2.0)]
    pages = [each for at in (5.0, 6.0, 7.0) for each in (sold(at, 3, 4, 600), full(at + 0.2, 3, 4))]
    trace = in_turns(1, 9.0, *pages)
    later = [*made(5, at=8.0), listing([own(600)], limit=1, at=0.5), sold(8.8, 3, 4, 5, 600)]
    later += chosen_as_shown()
    assert {"list.complete"} == failed_of([*creations, *trace, *later])
    (found,) = verdict_of("list.complete", [*creations, *trace, *later]).findings
    assert (
        "A list that is full, but extends past the place of the missing animals in its order,"
        in found.finding.message
    )
    scanned = [each for each in (*trace, *later) if each.request.target != "/pets?limit=100"]
    beyond = [full(at + 0.2) for at in (5.0, 6.0, 7.0)]
    assert set() == failed_of([*creations, *scanned, *beyond])


def test_a_list_that_has_become_full_still_shows_what_it_lacks_in_the_order_of_age() -> None:
    """Not in another order: there, it may be the one that another animal has taken the place of."""
    later = [*range(5, 103 - len(FOREIGN))]
    creations = [*made(3), *made(1, at=1.5), *made(4, at=2.0)]
    trace = [*creations, whole(6.0, 3, 4), got(1, own(1), at=6.5), *chosen_as_shown()]
    for each in later:
        trace += made(each, at=7.0 + each / 200)
    reads = [got(1, own(1), at=each) for each in (8.6, 9.6)]
    ordered = [whole(each, 3, 4, *later) for each in (8.0, 9.0)]
    assert 100 == len(ordered[0].response.json.value)  # type: ignore[union-attr] # every listing has one
    assert {"list.complete"} == failed_of([*trace, *ordered, *reads])
    assert set() == failed_of([*trace, *(whole(each, *later, 3, 4) for each in (8.0, 9.0)), *reads])


def test_a_full_list_loses_its_oldest_animals_alone() -> None:
    """Where ids tell the age; if it loses others, it may be a choice."""
    begun = [*chosen_as_shown(), *made_in_order(), *made(3001), *made(3002, at=1.5), *made(3004, at=2.0)]
    early, later = [*range(2000, 2008), 3001, 3004], [*range(3005, 3095)]
    lists = [listing([*map(own, (1, 2, 3, *early))], limit=100, at=6.0)]
    trace = [*begun, *lists, got(3002, own(3002), at=6.5)]
    for each in later:
        trace += made(each, at=7.0 + (each - 3000) / 100)
    reads = [got(3002, own(3002), at=each) for each in (9.6, 10.6)]
    window = [*early, *later]
    pages = [listing([*map(own, window)], limit=100, at=each) for each in (9.0, 10.0)]
    assert {"list.complete"} == failed_of([*trace, *pages, *reads])
    chosen = [1, 3, *early[:4], *early[6:], *later]
    others = [listing([*map(own, chosen)], limit=100, at=each) for each in (9.0, 10.0)]
    assert set() == failed_of([*trace, *others, *reads])
