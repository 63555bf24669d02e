"""The rule of suspicions/lists/frozen.py: lists that never change, and lists that are cut."""

from __future__ import annotations

from functools import partial

from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    animal,
    animals,
    created,
    failed_of,
    listing,
    lost,
    named,
    reads_of,
    verdict_of,
)
from selftests.suspicions.lists import alternating, made, own


def frozen_page(at: float) -> Exchange:
    """The list of sold animals as it always was: one of others."""
    return listing([animal(300, status="sold")], limit=100, state="sold", at=at)


def available(animal_id: int) -> Exchange:
    """The creation of an animal that is available."""
    return created(named(f"Babette{animal_id}", status="available"), animal_id, at=1.2)


def smaller_page(at: float, *ids: int) -> Exchange:
    """One of the same filter that may hold one animal less."""
    return listing([animal(300, status="sold"), *map(own, ids)], limit=99, state="sold", at=at)


OTHERS = [animal(each, status="sold") for each in (300, 303)]
in_turns = partial(alternating, at=(6.0, 7.0, 8.0))


# Another filter stops at the same length, so that both may be cut.
CUT = [listing([animal(301)], limit=100, state="available", at=at) for at in (0.2, 9.0)]
FROZEN = [frozen_page(0.1), CUT[0], *made(1, 3), *map(available, (11, 12)), frozen_page(5.0), CUT[1]]


def test_a_list_that_never_changes_is_held_against_a_smaller_page() -> None:
    """Of the same filter: a cap would hold for both."""
    doubts = verdict_of("list.status.complete", FROZEN).suspected
    (experiment,) = next(each.suspicion.experiments for each in doubts if "sold" in each.suspicion.subject)
    assert "capped" == experiment.explanation
    assert {"/pets?limit=100&status=sold", "/pets?limit=99&status=sold"} == set(reads_of(experiment))
    shown = in_turns(frozen_page, lambda at: smaller_page(at, 1, 3))
    assert {"list.status.complete"} == failed_of([*FROZEN, *shown])
    cut = in_turns(frozen_page, smaller_page)
    assert set() == failed_of([*FROZEN, *cut])
    left = verdict_of("list.status.complete", [*FROZEN, *cut]).suspected
    assert not any("sold" in each.suspicion.subject for each in left)


def small(at: float, *ids: int) -> Exchange:
    """A list that was requested without a limit: two of others, and these."""
    return listing([*OTHERS, *map(own, ids)], at=at)


def of_two(at: float, *ids: int) -> Exchange:
    """A list with a limit of two, the default of a deployment that shows two: these, or the others."""
    return listing([*map(own, ids)] or OTHERS, limit=2, at=at)


def test_a_list_without_a_limit_that_never_changes_is_held_against_one_of_its_length() -> None:
    """Once it was requested three times, and three animals were added; the first of them that the other shows counts."""
    before = [small(0.1), *made(1, 3, 5), small(2.0), small(3.0)]
    (suspected,) = verdict_of("list.complete", before).suspected
    (experiment,) = suspected.suspicion.experiments
    assert {"/pets", "/pets?limit=2"} == set(reads_of(experiment))
    assert () == verdict_of("list.complete", [small(0.1), *made(1, 3), small(2.0), small(3.0)]).suspected
    assert () == verdict_of("list.complete", before[:-1]).suspected
    shown = in_turns(small, lambda at: of_two(at, 3, 5))
    (found,) = verdict_of("list.complete", [*before, *shown]).findings
    assert "animal 3, which was added to it" in found.finding.message
    cut = in_turns(small, of_two)
    assert () == verdict_of("list.complete", [*before, *cut]).suspected
    grown = verdict_of("list.complete", [*before, *shown, small(9.0, 1)]).findings
    assert not any("never changes" in each.finding.message for each in grown)


def test_of_several_that_are_missing_one_that_is_still_there_is_held_against_a_smaller_page() -> None:
    """Another one was withdrawn, so that no page shows it."""
    gone = lost(1, at=5.5)
    shown = in_turns(frozen_page, lambda at: smaller_page(at, 3))
    assert "list.status.complete" in failed_of([*FROZEN, gone, *shown])


def test_a_query_that_is_cut_from_a_limit_on_is_no_stale_one() -> None:
    """A full page of a smaller limit holds the same, and one that is smaller by one is not asked for."""
    full = listing([animal(300, status="sold")], limit=1, state="sold", at=6.5)
    doubts = verdict_of("list.status.complete", [*FROZEN, full]).suspected
    subjects = [each.suspicion.subject for each in doubts]
    assert not any("the list" in each and "sold" in each for each in subjects)


def test_a_selection_that_lacks_animals_of_others_as_well_is_no_stale_page() -> None:
    """An editor may have picked what is shown where nobody says how many."""
    shown = in_turns(small, lambda at: of_two(at, 3, 5))
    trace = [small(0.1), *made(1, 3, 5), small(2.0), small(3.0), *shown]
    assert {"list.complete"} == failed_of(trace)
    others = listing([animal(302, status="sold")], limit=1, at=0.2)
    assert set() == failed_of([*trace, others])
    assert () == verdict_of("list.complete", [*trace[:6], others]).suspected


MANY = animals(100, 300)


def full(at: float, *ids: int, limit: int = 100) -> Exchange:
    """A full list: these animals of the run, and as many of others as fit."""
    return listing([*map(own, ids), *MANY[: limit - len(ids)]], limit=limit, at=at)


def test_a_full_list_that_never_changes_is_held_against_one_that_is_smaller_by_one() -> None:
    """If it was requested three times, three animals were added, and any smaller list shows one of them."""
    before = [full(0.1), *made(1, 3, 5), full(5.0), full(5.5, 3, 1, limit=20), full(6.0)]
    (suspected,) = verdict_of("list.complete", before).suspected
    (experiment,) = suspected.suspicion.experiments
    assert {"/pets?limit=100", "/pets?limit=99"} == set(reads_of(experiment))
    shown = alternating(full, lambda at: full(at, 3, 1, limit=99), at=(7.0, 8.0, 9.0))
    (found,) = verdict_of("list.complete", [*before, *shown]).findings
    assert "A list never changes: animal 3" in found.finding.message
    cut = alternating(full, lambda at: full(at, limit=99), at=(7.0, 8.0, 9.0))
    assert ((), ()) == _told([*before, *cut])


def test_a_full_list_may_hold_what_was_added_behind_its_end() -> None:
    """Unless a smaller one shows it; and a list that has changed once is none that never does."""
    small = full(5.5, 3, 1, limit=20)
    for trace in (
        [full(0.1), *made(1, 3, 5), full(5.0), full(5.5, limit=20), full(6.0)],
        [full(0.1), *made(1, 3), full(5.0), small, full(6.0)],
        [*made(1, 3, 5), full(5.0), small, full(6.0)],
        [full(0.1), *made(1, 3, 5), full(5.0, 5), small, full(6.0)],
        [*(full(at, 5) for at in (4.0, 5.0)), *made(1, 3, 5), small, full(6.0, 5)],
    ):
        assert ((), ()) == _told(trace)


def _told(trace: list[Exchange]) -> tuple[object, object]:
    """The findings and suspicions about lists that never change."""
    verdict = verdict_of("list.complete", trace)
    return (
        tuple(each for each in verdict.findings if "never changes" in each.finding.message),
        tuple(each for each in verdict.suspected if "never changes" in each.suspicion.finding.message),
    )
