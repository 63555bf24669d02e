"""The rules of rules/completing.py: what lists leave out, and what lawfully explains it."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.judge.experiments import Read, WaitUntil
from animal_conformance.judge.presence import declared_age_s
from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Exchange, Headers
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    JSON,
    PASSED,
    TERMS,
    animal,
    animals,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    outcome_of,
    verdict_of,
)

BOTH = ("list.complete", "list.status.complete")
FOREIGN = animals(30, 100)


def own(animal_id: int) -> dict[str, Any]:
    """An animal of the run as answers show it."""
    return animal(animal_id, name=f"Babette{animal_id}", status="sold")


def made(*ids: int, at: float = 1.0) -> list[Exchange]:
    """The creations of animals that are sold."""
    return [created(named(f"Babette{each}", status="sold"), each, at=at) for each in ids]


def whole(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list without a filter: others, and these."""
    return listing([*FOREIGN, *map(own, ids)], limit=100, at=at, **options)


def smaller(at: float, *ids: int) -> Exchange:
    """A list that may hold one animal less than the largest."""
    return listing([*FOREIGN, *map(own, ids)], limit=99, at=at)


def sold(at: float, *ids: int, **options: Any) -> Exchange:
    """The largest list of the sold animals: these."""
    return listing([*map(own, ids)], limit=100, state="sold", at=at, **options)


def full(at: float, *ids: int) -> Exchange:
    """A list without a filter that has no room for more than others and these."""
    return listing([*(own(each) for each in ids), *animals(100 - len(ids), 100)], limit=100, at=at)


def in_turns(animal_id: int, at: float, *pages: Exchange) -> list[Exchange]:
    """GetPet that finds an animal after each of these pages."""
    return [
        *pages,
        *(got(animal_id, own(animal_id), at=each.sent_s + 0.5) for each in pages),
        got(3, own(3), at=at),
    ]


# Of everything, 1 is missing; the list has been longer by 3 at the end.
HIDDEN = [*made(1, 3), *in_turns(1, 9.0, whole(5.0, 3), whole(6.0, 3), whole(7.0, 3))]
LONGER = [*made(4, at=8.0), whole(8.5, 3, 4)]


def explained(trace: list[Exchange], clause_id: str) -> set[str]:
    """The explanations that were confirmed for a clause."""
    seen = next(each for each in judge(trace, TERMS).observations if each.question.id == "open.explanations")
    return {text.removeprefix(f"{clause_id}: ") for text, *_ in seen.answers if text.startswith(clause_id)}


def suspected(trace: list[Exchange], clause_id: str = "list.complete") -> set[str]:
    """The explanations that are still open for a clause."""
    open_ones = verdict_of(clause_id, trace).suspected
    return {explanation for each in open_ones for explanation in each.suspicion.explanations}


def test_animals_that_stand_in_lists_are_evidence() -> None:
    """Of lists that end early, where the same query has been longer; of the filter, where the list of all shows them."""
    trace = [*made(1), whole(5.0, 1), sold(5.1, 1), *made(2, at=5.5), whole(6.0, 1, 2), sold(6.1, 1, 2)]
    assert [PASSED, PASSED] == [outcome_of(each, trace) for each in BOTH]
    assert [CANT_TELL, CANT_TELL] == [outcome_of(each, trace[:3]) for each in BOTH]
    assert CANT_TELL == outcome_of(BOTH[1], [*trace[:1], *trace[2:4], *trace[5:]])


def test_one_animal_that_lists_leave_out_in_turns_is_a_finding() -> None:
    """It names what excluded the explanations."""
    assert {"list.complete"} == failed_of([*HIDDEN, *LONGER])
    finding = verdict_of("list.complete", [*HIDDEN, *LONGER]).findings[0].finding
    assert ("capped", "sampled", "withdrawn") == tuple(each for each, _ in finding.excluded)
    assert LONGER[1] is finding.excluded[0][1]
    assert "leaves out animals that were added: 1." in finding.message


def test_it_is_a_suspicion_until_it_was_asked_in_turns() -> None:
    """The experiment asks for the same list and the animal."""
    unread = [*made(1, 3), whole(5.0, 3), *LONGER]
    (first,) = verdict_of("list.complete", unread).suspected[0].suspicion.experiments
    assert (Read("/pets/1"),) == first.steps
    trace = [*unread, got(1, own(1), at=9.0)]
    assert {"sampled"} == suspected(trace)
    (experiment,) = verdict_of("list.complete", trace).suspected[0].suspicion.experiments
    assert {"/pets?limit=100", "/pets/1"} == {
        step.target for step in experiment.steps if hasattr(step, "target")
    }


def test_a_list_that_was_never_longer_may_be_cut() -> None:
    """Something is added to it; if it does not grow, it is cut, and if it grows, it was not."""
    assert "capped" in suspected(HIDDEN)
    same = [*HIDDEN, *made(4, at=9.5), whole(12.0, 3), smaller(12.1, 3)]
    assert FAILED != outcome_of("list.complete", same)
    assert {"capped"} == explained(same, "list.complete")
    assert FAILED == outcome_of("list.complete", [*HIDDEN, *made(4, at=9.5), whole(12.0, 3, 4)])


def test_a_list_that_never_shows_what_was_added_is_a_finding() -> None:
    """Where it shows all that was there when it was first requested, and nothing but the run's own is missing."""
    stale = [whole(0.5), *made(1, 3), *in_turns(1, 9.0, whole(5.0), whole(6.0), whole(7.0))]
    assert {"list.complete"} == failed_of(stale)
    older = [*stale, listing([animal(400)], limit=1, at=4.0), smaller(9.5)]
    assert set() == failed_of(older)
    assert {"capped"} == explained(older, "list.complete")


def test_a_list_that_shows_an_animal_now_and_then_is_a_choice() -> None:
    """That query is excused for that animal."""
    trace = [*made(1, 3), whole(4.0, 1, 3), *HIDDEN[2:], *LONGER]
    assert set() == failed_of(trace)
    assert {"sampled"} == explained(trace, "list.complete")


def test_another_query_that_loses_animals_excuses_nothing() -> None:
    """Nor does this one, for another animal, before or after."""
    others = [listing(animals(3 - at, 100), limit=50, at=4.0 + at) for at in range(2)]
    assert {"list.complete"} == failed_of([*HIDDEN, *LONGER, *others])
    lost_once = [*made(9, at=1.5), whole(4.0, 3, 9)]
    assert {"list.complete"} == failed_of([*HIDDEN, *LONGER, *lost_once])


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([lost(1, at=12.0)], id="gone"),
        pytest.param([], id="not asked for"),
    ],
)
def test_an_animal_that_may_be_gone_is_no_finding(later: list[Exchange]) -> None:
    """What is not found is covered by get.found."""
    pages = [whole(5.0, 3), whole(6.0, 3), whole(7.0, 3)]
    trace = [*made(1, 3), *pages, *LONGER, *later]
    assert "list.complete" not in failed_of(trace)
    assert bool(suspected(trace)) == (not later)


def test_lists_may_lag_until_the_time_to_settle_is_over() -> None:
    """What is missing from the last list that was too early is asked for again."""
    trace = [*made(1, 3, at=4.5), *HIDDEN[2:4], *LONGER]
    assert FAILED != outcome_of("list.complete", [*trace, whole(9.9, 1, 3, 4)])
    early = [*made(1), whole(1.2), *made(3, at=1.3), whole(1.5, 3)]
    assert {"lagging"} == suspected(early)
    assert set() == suspected([*early, whole(9.0, 1, 3)])


@pytest.mark.parametrize(("age", "said"), [(30, {"cached"}), (61, set())])
def test_a_stored_list_is_requested_again_when_it_has_expired(age: int, said: set[str]) -> None:
    """Reading 20: an older one than a minute is an excuse."""
    headers = (*JSON, ("Cache-Control", f"max-age={age}"))
    trace = [*made(1, 3), *(whole(at, headers=headers) for at in (0.5, 5.0, 9.0))]
    assert said == suspected(trace)
    assert set() == failed_of(trace) & set(BOTH)
    fresh = [*trace, whole(99.0, 1, 3, headers=headers)]
    assert {"cached"} == explained(fresh, "list.complete")


@pytest.mark.parametrize(
    ("headers", "age_s"),
    [
        ((), 0),
        ((("Age", "50"),), 50),
        ((("Cache-Control", "max-age=10"),), 10),
        ((("Cache-Control", "max-age=10"), ("Age", "50")), 50),
        ((("Cache-Control", "max-age=10"), ("Age", "7")), 10),
        ((("Cache-Control", "max-age=0, stale-while-revalidate=60"),), 60),
        ((("Cache-Control", "max-age=5, s-maxage=20, stale-while-revalidate=30"),), 50),
        ((("Cache-Control", "max-age=0"), ("Age", "7")), 7),
    ],
)
def test_a_response_is_as_old_as_it_says(headers: Headers, age_s: float) -> None:
    """RFC 9111 and RFC 5861: by how long it may be used, and by its Age."""
    assert age_s == declared_age_s(whole(1.0, headers=headers))


# Filters

FILTER = [
    *made(1, 3),
    *(each for at in (5.0, 6.0, 7.0) for each in (sold(at, 3), whole(at + 0.5, 1, 3))),
    *made(4, at=8.0),
    sold(8.5, 3, 4),
]


def test_an_animal_that_only_the_filter_leaves_out_is_a_finding_of_the_filter() -> None:
    """The list of all shows it in turns, so that a scan has met it."""
    assert {"list.status.complete"} == failed_of(FILTER)
    once = [*FILTER[:4], *FILTER[8:], got(1, own(1), at=8.6)]
    assert {"sampled"} == suspected(once, "list.status.complete")


def test_an_animal_that_every_list_leaves_out_is_no_finding_of_the_filter() -> None:
    """One cause, one clause."""
    trace = [*HIDDEN, *LONGER, *(sold(at, 3) for at in (5.1, 6.1, 7.1)), sold(8.6, 3, 4)]
    assert {"list.complete"} == failed_of(trace)


def test_where_the_list_of_all_is_full_it_has_to_show_older_and_newer_ones() -> None:
    """And the filtered list has to show what the other does not, or a scan may have ended before it."""
    creations = [*made(3), *made(1, at=1.5), *made(4, at=2.0)]
    pages = [each for at in (5.0, 6.0, 7.0) for each in (sold(at, 3, 4, 600), full(at + 0.2, 3, 4))]
    trace = in_turns(1, 9.0, *pages)
    later = [*made(5, at=8.0), listing([own(600)], limit=1, at=0.5), sold(8.8, 3, 4, 5, 600)]
    assert {"list.complete"} == failed_of([*creations, *trace, *later])
    scanned = [each for each in (*trace, *later) if each.request.target != "/pets?limit=100"]
    beyond = [full(at + 0.2) for at in (5.0, 6.0, 7.0)]
    assert set() == failed_of([*creations, *scanned, *beyond])


def test_an_animal_whose_status_moved_is_no_finding_of_the_filter() -> None:
    """It stands in another list now."""
    moved = got(1, {**own(1), "status": "pending"}, at=9.5)
    trace = [*FILTER[:3], *FILTER[8:], moved]
    assert set() == failed_of(trace)
    assert set() == suspected(trace, "list.status.complete")
    # Lists without a filter that go on showing its old one are covered by create.status.exact.
    assert "list.status.complete" not in failed_of([*FILTER, moved])


def test_a_filter_with_a_cap_of_its_own_is_no_finding() -> None:
    """It does not grow with what is added to it."""
    less = listing([own(3)], limit=99, state="sold", at=11.1)
    trace = [*FILTER[:8], *made(4, at=8.0), sold(11.0, 3), less]
    assert set() == failed_of(trace)
    assert {"capped"} == explained(trace, "list.status.complete")


# Empty lists

EMPTY = [each for at in (5.0, 6.0, 7.0) for each in (sold(at), whole(at + 0.5, 1))]


def test_a_filtered_list_that_is_always_empty_is_a_finding_whatever_its_cap() -> None:
    """Reading 20: in turns, the page of the same limit goes on showing animals with that status."""
    assert {"list.status.complete"} == failed_of([*made(1), *EMPTY])
    assert {"capped"} == suspected([*made(1), *EMPTY[:4]], "list.status.complete")


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param([*EMPTY[:4], sold(7.0, 1), EMPTY[5]], id="not always"),
        pytest.param(
            [each for at in (5.0, 6.0, 7.0) for each in (sold(at), whole(at + 0.5))], id="beyond the scan"
        ),
        pytest.param(
            [each for at in (5.0, 6.0, 7.0) for each in (sold(at), listing([own(1)], limit=99, at=at + 0.5))],
            id="another limit",
        ),
    ],
)
def test_an_empty_filtered_list_may_be_right(trace: list[Exchange]) -> None:
    """Where the list of all shows no animal with that status, it may have been scanned without meeting one."""
    assert "list.status.complete" not in failed_of([*made(1), *trace])


def test_a_list_without_a_filter_that_is_always_empty_is_a_finding() -> None:
    """Other lists show animals; below the default limit, pages may be a few short."""
    nothing = [each for at in (5.0, 6.0, 7.0) for each in (listing([], at=at), whole(at + 0.5, 1))]
    assert {"list.complete"} == failed_of([*made(1), *nothing])
    below = [each for at in (5.0, 6.0, 7.0) for each in (listing([], limit=19, at=at), whole(at + 0.5, 1))]
    assert set() == failed_of([*made(1), *below])


# Other people's animals, and those that have moved


def filtered(at: float, *ids: int) -> Exchange:
    """The largest list of the available animals."""
    return listing([animal(each) for each in ids], limit=100, state="available", at=at)


def unfiltered(at: float, *ids: int, headers: Headers = JSON) -> Exchange:
    """The largest list without a filter, all of them available."""
    return listing([animal(each) for each in ids], limit=100, at=at, headers=headers)


ALL, SHOWN = (9, 7, 5, 3), (9, 7, 3)
OVERLOOKED = [
    filtered(0.5, 7, 3),
    *(each for at in (1.0, 5.0, 6.0, 7.0) for each in (unfiltered(at, *ALL), filtered(at + 0.5, *SHOWN))),
    unfiltered(8.0, *ALL),
    got(5, animal(5), at=8.5),
]


def test_an_animal_of_others_that_the_filter_leaves_out_in_turns_is_a_finding() -> None:
    """It stands between two that the filter lets through, so neither a cap nor a scan has left it out."""
    assert {"list.status.complete"} == failed_of(OVERLOOKED)
    found = verdict_of("list.status.complete", OVERLOOKED).findings[0].finding
    assert {"moved", "sampled", "capped"} == {each for each, _ in found.excluded}
    assert "shows with that status: 5." in found.message


def test_what_getpet_told_before_is_no_proof_that_it_still_has_that_status() -> None:
    """The list without the filter may be stored."""
    before = [*OVERLOOKED[:-1], got(5, animal(5), at=0.7)]
    assert set() == failed_of(before)
    assert {"moved"} == suspected(before, "list.status.complete")


def test_an_animal_of_others_that_the_filter_left_out_once_is_asked_for_in_turns() -> None:
    """When lists may lag no longer."""
    verdict = verdict_of("list.status.complete", OVERLOOKED[:3])
    assert CANT_TELL == verdict.outcome
    (experiment,) = verdict.suspected[0].suspicion.experiments
    assert ("moved", WaitUntil(3.51)) == (experiment.explanation, experiment.steps[0])


def test_a_filter_may_know_sooner_than_all_others_that_an_animal_has_moved() -> None:
    """The list without the filter and getPet may be of a replica that lags behind, or be stored."""
    soon = [each for at in (10.0, 10.3, 10.6) for each in (filtered(at, *SHOWN), unfiltered(at + 0.1, *ALL))]
    lagging = [filtered(0.5, 7, 3), unfiltered(1.0, *ALL), *soon, got(5, animal(5), at=10.8)]
    assert set() == failed_of(lagging)
    assert {"moved"} == suspected(lagging, "list.status.complete")
    at_last = listing([animal(5, status="sold"), animal(3)], limit=100, at=20.0)
    assert set() == suspected([*lagging, at_last], "list.status.complete")
    old = (*JSON, ("Cache-Control", "max-age=30"))
    stored = [
        each
        for at in (10.0, 14.0, 15.0, 16.0)
        for each in (filtered(at, *SHOWN), unfiltered(at + 0.1, *ALL, headers=old))
    ]
    trace = [filtered(0.5, 7, 3), unfiltered(1.0, *ALL), *stored, got(5, animal(5), at=17.0)]
    assert set() == failed_of(trace)
    (doubt, *_) = verdict_of("list.status.complete", trace).suspected
    assert ("cached", WaitUntil(42.01)) == (
        doubt.suspicion.experiments[0].explanation,
        doubt.suspicion.experiments[0].steps[0],
    )


def test_an_animal_that_has_moved_hides_no_other_that_is_left_out() -> None:
    """Each of them is judged."""
    ids = (9, 7, 6, 5, 3)
    told = [
        filtered(0.5, 7, 3),
        *(each for at in (1.0, 5.0, 6.0, 7.0) for each in (unfiltered(at, *ids), filtered(at + 0.5, *SHOWN))),
        unfiltered(8.0, *ids),
        got(6, animal(6, status="sold"), at=8.2),
        got(5, animal(5), at=8.5),
    ]
    found = verdict_of("list.status.complete", told).findings[0].finding
    assert "shows with that status: 5." in found.message


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        pytest.param((9, 7, 3, 5), SHOWN, id="behind all that the filter shows"),
        pytest.param((5, 9, 7, 3), SHOWN, id="before all that the filter shows"),
        pytest.param(ALL, (3, 7, 9), id="in another order"),
        pytest.param(ALL, (7, 3), id="a filter that has never shown more"),
    ],
)
def test_what_a_filter_may_not_have_come_to_is_not_left_out(
    plain: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    """It was cut, or looked at so many animals and no more."""
    trace = [
        each for at in (1.0, 5.0, 6.0, 7.0) for each in (unfiltered(at, *plain), filtered(at + 0.5, *shown))
    ]
    trace.append(got(5, animal(5), at=9.0))
    assert set() == failed_of([filtered(0.5, 7, 3), *trace])
    assert set() == suspected([filtered(0.5, 7, 3), *trace], "list.status.complete")


def test_what_a_filter_shows_behind_the_end_of_the_list_of_all_stands_behind_it() -> None:
    """The list of all was full."""
    cut = [
        each
        for at in (1.0, 5.0, 6.0, 7.0)
        for each in (unfiltered(at, 9, 7, 5), filtered(at + 0.5, *SHOWN), unfiltered(at + 0.6, 9, 7, 5))
    ]
    assert {"list.status.complete"} == failed_of([filtered(0.5, 7, 3), *cut, got(5, animal(5), at=9.0)])


def test_an_animal_of_others_that_has_moved_belongs_in_no_such_list() -> None:
    """The list of all or getPet tells another status, or the filter shows it later."""
    moved = [animal(9), animal(7), animal(5, status="sold"), animal(3)]
    trace = [*OVERLOOKED[:3], listing(moved, limit=100, at=1.6)]
    assert set() == failed_of(trace) | suspected(trace, "list.status.complete")
    told = [*OVERLOOKED[:-1], got(5, moved[2], at=8.5)]
    assert "list.status.complete" not in failed_of(told) | suspected(told, "list.status.complete")
    late = [*OVERLOOKED[:3], filtered(1.7, *ALL)]
    assert set() == failed_of(late) | suspected(late, "list.status.complete")
    assert {"sampled"} == explained(late, "list.status.complete")


KEPT = range(200, 212)


def kept(at: float, *ids: int) -> Exchange:
    """A list of a deployment with a few animals besides these."""
    return listing([own(each) for each in (*KEPT, *ids)], limit=100, at=at)


def test_an_animal_that_a_list_shows_now_and_then_may_belong_to_a_choice() -> None:
    """The same list is asked for again and again, on new connections."""
    trace = [kept(0.5), *made(1), kept(9.0), kept(9.1, 1)]
    (doubt,) = verdict_of("list.complete", trace).suspected
    (experiment,) = doubt.suspicion.experiments
    assert {Read("/pets?limit=100", anew=True)} == set(experiment.steps)


def test_the_same_few_pages_in_turns_are_what_workers_keep() -> None:
    """They differ in one animal, and in nothing else that was there before; also where one worker came first."""
    shown = [() if number % 3 == 0 else (1,) for number in range(20)]
    trace = [kept(0.5), *made(1), *(kept(9.0 + number, *ids) for number, ids in enumerate(shown))]
    assert {"list.complete"} == failed_of(trace)
    later = [kept(9.0), *(kept(9.1 + number / 100, 1) for number in range(19)), *(trace[2:])]
    assert {"list.complete"} == failed_of([*trace[:2], *later])
    assert "depends on the worker" in verdict_of("list.complete", trace).findings[0].finding.message


def test_pages_that_leave_out_others_as_well_are_a_choice() -> None:
    """And so is one that never is the same."""
    pages = [
        listing(
            [
                own(each)
                for each in (*KEPT, 1)
                if each not in {1 if number % 3 == 0 else None, 200 + number % 12}
            ],
            limit=100,
            at=9.0 + number,
        )
        for number in range(20)
    ]
    assert FAILED != outcome_of("list.complete", [kept(0.5), *made(1), *pages])


def test_an_animal_that_lists_show_once_it_has_reached_them_does_not_come_and_go() -> None:
    """Nor does one that was taken away."""
    late = [kept(9.0 + number, *(() if number < 10 else (1,))) for number in range(20)]
    gone = [kept(9.0 + number, *((1,) if number < 10 else ())) for number in range(20)]
    assert [set(), set()] == [failed_of([kept(0.5), *made(1), *pages]) for pages in (late, gone)]


def frozen_page(at: float) -> Exchange:
    """The list of sold animals as it always was: one of others."""
    return listing([animal(300, status="sold")], limit=100, state="sold", at=at)


def available(animal_id: int) -> Exchange:
    """The creation of an animal that is available."""
    return created(named(f"Babette{animal_id}", status="available"), animal_id, at=1.2)


def smaller_page(at: float, *ids: int) -> Exchange:
    """One of the same filter that may hold one animal less."""
    return listing([animal(300, status="sold"), *map(own, ids)], limit=99, state="sold", at=at)


# Another filter stops at the same length, so that both may be cut.
CUT = [listing([animal(301)], limit=100, state="available", at=at) for at in (0.2, 9.0)]
FROZEN = [frozen_page(0.1), CUT[0], *made(1, 3), *map(available, (11, 12)), frozen_page(5.0), CUT[1]]


def test_a_list_that_never_changes_is_held_against_a_smaller_page() -> None:
    """Of the same filter: a cap would hold for both."""
    doubts = verdict_of("list.status.complete", FROZEN).suspected
    (experiment,) = next(each.suspicion.experiments for each in doubts if "sold" in each.suspicion.subject)
    assert "capped" == experiment.explanation
    assert {"/pets?limit=100&status=sold", "/pets?limit=99&status=sold"} == {
        step.target for step in experiment.steps if isinstance(step, Read)
    }
    shown = [each for at in (6.0, 7.0, 8.0) for each in (frozen_page(at), smaller_page(at + 0.5, 1, 3))]
    assert {"list.status.complete"} == failed_of([*FROZEN, *shown])
    cut = [each for at in (6.0, 7.0, 8.0) for each in (frozen_page(at), smaller_page(at + 0.5))]
    assert set() == failed_of([*FROZEN, *cut])
    left = verdict_of("list.status.complete", [*FROZEN, *cut]).suspected
    assert not any("sold" in each.suspicion.subject for each in left)


def test_an_animal_at_the_edge_of_a_cut_page_does_not_come_and_go() -> None:
    """Somebody adds an animal and takes it away, and the page holds no more than before."""
    pages = [
        listing(
            [own(each) for each in (*((999,) if number % 2 else (1,)), *KEPT)], limit=100, at=9.0 + number
        )
        for number in range(20)
    ]
    assert set() == failed_of([kept(0.5), *made(1), *pages])


def test_an_animal_that_moves_to_and_fro_does_not_come_and_go() -> None:
    """The filter lists it while it has that status, and getPet and the list of all say so."""
    beside = [animal(each, status="sold") for each in KEPT]
    trace = [*made(1), listing(beside, limit=100, state="sold", at=0.5)]
    for number in range(20):
        status = "pending" if number % 2 else "sold"
        moving = animal(1, name="Babette1", status=status)
        trace += [
            listing(
                [*([moving] if status == "sold" else []), *beside], limit=100, state="sold", at=9.0 + number
            ),
            got(1, moving, at=9.2 + number),
        ]
    assert "list.status.complete" not in failed_of(trace)


def test_of_several_that_are_missing_one_that_is_still_there_is_held_against_a_smaller_page() -> None:
    """Another one was withdrawn, so that no page shows it."""
    gone = lost(1, at=5.5)
    shown = [each for at in (6.0, 7.0, 8.0) for each in (frozen_page(at), smaller_page(at + 0.5, 3))]
    assert "list.status.complete" in failed_of([*FROZEN, gone, *shown])


def test_a_query_that_is_cut_from_a_limit_on_is_no_stale_one() -> None:
    """A full page of a smaller limit holds the same, and one that is smaller by one is not asked for."""
    full = listing([animal(300, status="sold")], limit=1, state="sold", at=6.5)
    doubts = verdict_of("list.status.complete", [*FROZEN, full]).suspected
    assert not any(
        "the list" in each.suspicion.subject and "sold" in each.suspicion.subject for each in doubts
    )
