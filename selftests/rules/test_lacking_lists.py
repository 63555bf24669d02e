"""The rules of rules/completing.py: which list lacks an animal, what cuts it, and what is asked for then."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from animal_conformance.judge.experiments import Create, Read, Wait, WaitUntil, once
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    ANSWER,
    CANT_TELL,
    FAILED,
    PASSED,
    animals,
    asked_by,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    opinions_of,
    outcome_of,
    reads_of,
    verdict_of,
)
from selftests.suspicions.lists import (
    FOREIGN,
    alternating,
    explained,
    full,
    made,
    own,
    sold,
    suspected,
    whole,
)
from selftests.tables import cases

REMOVED = "2030-12-06"
LONGER = [*made(4, at=8.0), whole(8.5, 3, 4)]
ONCE = [*made(1, 3), whole(5.0, 3), *LONGER]
FILTERED = "list.status.complete"


def in_turns_with_get(*pages: Exchange, found: int = 1) -> list[Exchange]:
    """Each page, and getPet that finds an animal after it."""
    return [each for page in pages for each in (page, got(found, own(found), at=page.sent_s + 0.3))]


HIDDEN = [*made(1, 3), *in_turns_with_get(*(whole(at, 3) for at in (5.0, 6.0, 7.0)))]


def doubted(trace: list[Exchange], clause_id: str = "list.complete", **terms: Any) -> list[Exchange]:
    """The exchanges on which a clause has an open suspicion."""
    return [each.exchange for each in verdict_of(clause_id, trace, **terms).suspected]


def test_lists_of_others_are_no_evidence() -> None:
    """Nothing says that they are complete."""
    assert CANT_TELL == outcome_of(
        "list.complete", [listing(animals(3), limit=100), listing(animals(4), limit=100, at=2.0)]
    )


def test_a_filtered_list_is_evidence_that_what_was_added_is_listed() -> None:
    """One that is empty, or small, is none."""
    grown = [*made(1), sold(5.1, 1), *made(2, at=5.5), sold(9.0, 1, 2)]
    assert PASSED == outcome_of("list.complete", grown)
    for page in (sold(9.0), listing([own(1)], limit=5, state="sold", at=9.0)):
        assert (0, 0) == opinions_of("list.complete", [*made(1), page])


def test_a_full_list_need_not_show_what_was_just_added() -> None:
    """Nor is it requested again."""
    assert set() == suspected([*made(1), full(1.2)])
    assert set() == suspected([*made(1, 3), *in_turns_with_get(full(5.0, 3), full(6.0, 3), full(7.0, 3))])
    newest = [*made(3), *made(1, at=1.5), *in_turns_with_get(whole(5.0, 3), full(6.0, 3), full(7.0, 3))]
    assert "list.complete" not in failed_of(newest)


def test_a_small_filtered_list_that_never_changes_is_a_finding_of_the_filter() -> None:
    """One cause, one clause."""

    def small(at: float, animal_id: int = 300, limit: int | None = None) -> Exchange:
        return listing([own(animal_id)], limit=limit, state="sold", at=at)

    turns = alternating(small, lambda at: small(at, 3, limit=1))
    assert {FILTERED} == failed_of([small(0.1), *made(1, 3, 5), small(2.0), small(3.0), *turns])


def test_what_is_found_in_turns_stays_a_finding_when_it_is_gone_afterwards() -> None:
    """It was there."""
    assert "list.complete" in failed_of([*HIDDEN, *LONGER, lost(1, at=12.0)])


@cases("nobodys", {"not there yet": lost(9, at=1.0), "never there": lost(99, at=4.0)})
def test_only_what_is_missed_after_settling_is_gone(nobodys: Exchange) -> None:
    """GetPet need not show once more what lists leave out, where it has lost nothing."""
    pages = in_turns_with_get(*(whole(at, 3) for at in (5.0, 5.4, 5.8)))
    assert "list.complete" in failed_of([*made(9, at=0.5), nobodys, *made(1, 3), *pages, *LONGER])


def test_where_some_are_gone_the_first_page_is_suspected() -> None:
    """Until getPet shows after settling that what it lacks is still there."""
    pages = in_turns_with_get(*(whole(at, 3) for at in (5.0, 5.4, 5.8)))
    trace = [*made(9, at=0.5), lost(9, at=4.0), *made(1, 3), *pages, *LONGER]
    assert pages[0] in doubted(trace)


def bare(at: float, *ids: int, limit: int | None = None) -> Exchange:
    """A list without parameters, unless a limit is given, of the run's own animals."""
    return listing([*map(own, ids)], limit=limit, at=at)


def test_a_list_without_parameters_has_room_once_it_has_grown() -> None:
    """Until then, nobody says how many it holds."""
    trace = [*made(1, 3), *in_turns_with_get(*(bare(at, 3) for at in (5.0, 6.0, 7.0)))]
    longer = [*made(4, at=7.5), bare(8.5, 3, 4)]
    (found,) = verdict_of("list.complete", [bare(0.1), *trace, *longer]).findings
    assert "1 animal without a limit, animal 1 not among them" == found.finding.observed
    assert set() == failed_of(trace)
    assert () == verdict_of("list.complete", trace).suspected


@cases(
    ("others", "added", "expected"),
    {
        "no room": (18, (), set()),
        "room until then": (17, (4,), set()),
        "room": (17, (), {"capped", "sampled"}),
    },
)
def test_a_list_without_parameters_has_no_room_where_there_are_more_animals_than_its_limit(
    others: int, added: tuple[int, ...], expected: set[str]
) -> None:
    """It may hide some after its limit was applied."""
    whole = listing([*animals(others, first=100), *map(own, (1, 2, 3))], limit=100, at=4.0)
    pages = in_turns_with_get(*(bare(at, 1, 3) for at in (5.0, 6.0, 7.0)), found=2)
    longer = [*made(5, at=7.5), bare(8.5, 1, 3, 5)]
    assert expected == suspected([bare(0.1), *made(1, 2, 3), whole, *made(*added, at=4.2), *pages, *longer])


@cases(("limit", "failed"), {"without": (None, set()), "the largest": (100, {"list.complete"})})
def test_what_a_list_without_parameters_no_longer_shows_may_be_an_editors_choice(
    limit: int | None, failed: set[str]
) -> None:
    """Only the largest list is held to what it has shown."""
    list_pets = partial(bare, limit=limit)
    later = in_turns_with_get(*(list_pets(at, 3) for at in (6.0, 10.0, 11.0, 12.0)))
    trace = [list_pets(0.1), *made(1, 3, 4), list_pets(5.0, 1, 3, 4), *later]
    assert failed == failed_of(trace)
    assert () == verdict_of("list.complete", trace).suspected


# Of many that are missing


def test_all_that_a_list_lacks_are_asked_for_before_lists_are() -> None:
    """In one experiment each, the newest first; where one is there, the list is read."""
    trace = [*made(1, 2, 3), whole(5.0, 3), *LONGER]
    assert ["/pets/2", "/pets/1"] == reads_of(*asked_by(verdict_of("list.complete", trace)))
    there = [*trace, got(1, own(1), at=9.0)]
    assert {"sampled"} == suspected(there)
    # One that is gone, or that the query has shown before, says nothing of the others.
    for other in (lost(1, at=9.0), lost(2, at=9.0), whole(4.0, 1, 3), whole(4.0, 2, 3)):
        assert trace[3] in doubted([*trace, other])


@pytest.mark.parametrize(("length", "first"), [(200, 1), (201, 2)])
def test_what_was_sent_in_200_characters_is_short(length: int, first: int) -> None:
    """The evidence is what is short enough to be shown."""
    sent = {"name": "", "categoryId": 1, "status": "sold"}
    sent["name"] = "w" * (length - len(json.dumps(sent)))
    wordy, other = created(sent, 1), made(2)[0]
    read = [
        got(each, {**own(each), "name": sent["name"] if each == 1 else "Babette2"}, at=at + 0.3)
        for each in (1, 2)
        for at in (5.0, 6.0, 7.0)
    ]
    pages = [whole(at, 3) for at in (5.0, 6.0, 7.0)]
    longer = [*made(*range(4, 20), at=8.0), whole(8.5, 3, *range(4, 20))]
    (found,) = verdict_of("list.complete", [wordy, other, *made(3), *pages, *read, *longer]).findings
    assert {1: wordy, 2: other}[first] is found.finding.related[0]
    assert "had room for more" in found.finding.message


def test_what_has_left_a_list_lawfully_does_not_explain_what_was_never_on_it() -> None:
    """Each animal counts for itself."""
    last = whole(9.0, 3, 4, 5)
    trace = [*made(1, 3, 9), *made(4, 5, at=4.0), whole(8.0, 3, 4, 5, 9), last, lost(9, at=9.5)]
    assert last in doubted(trace)


def test_what_a_list_has_lost_is_asked_for_after_the_last_one() -> None:
    """If it is gone, the list lacks only what was added, and no cap has cut it."""
    lists = [
        listing(FOREIGN[:few], limit=100, at=at) for few, at in ((30, 0.5), (29, 5.0), (29, 7.0), (28, 9.0))
    ]
    large = [created(named(f"Babette{each}" * 20), each) for each in (1, 2)]
    asked = asked_by(verdict_of("list.complete", [*lists, *large]))
    assert [once("withdrawn", f"/pets/{each}", lists[-1].answered_s) for each in (128, 129)] == asked


# What is asked for

THERE = got(1, own(1), at=9.0)


def first_wait(trace: list[Exchange]) -> float:
    """Until when the experiment waits that the third exchange of a trace asks for."""
    told = verdict_of("list.complete", trace).suspected
    (experiment,) = next(each.suspicion.experiments for each in told if each.exchange is trace[2])
    wait = experiment.steps[0]
    assert isinstance(wait, WaitUntil)
    return wait.time_s


@cases(
    ("later", "until_s"),
    {
        "with room": ([THERE], 8.51),
        "full by now": ([THERE, full(10.0, 3, 4)], 1.01),
        "not told": ([replace(lost(1, 429), sent_s=9.0, answered_s=9.01)], 8.51),
        "stored": ([got(1, own(1), at=9.0, headers=(("Cache-Control", "max-age=60"), *ANSWER))], 68.51),
    },
)
def test_a_list_is_read_again_when_what_is_stored_of_it_is_old(later: list[Exchange], until_s: float) -> None:
    """One that is full by now would only be full again, and is asked for at once."""
    assert until_s == pytest.approx(first_wait([*ONCE, *later]))


def test_where_getpet_may_be_stored_for_long_lists_tell_of_new_animals() -> None:
    """Reading 20: it is not waited for."""
    trace = [*ONCE, got(1, own(1), at=9.0, headers=(("Cache-Control", "max-age=61"), *ANSWER))]
    asked = [step for each in asked_by(verdict_of("list.complete", trace)) for step in each.steps]
    assert {Create, Wait, Read} == {type(each) for each in asked}
    assert {"/pets?limit=100"} == {each.target for each in asked if isinstance(each, Read)}


def test_a_list_is_read_in_turns_with_the_one_without_its_filter() -> None:
    """And with the animal, forwards and backwards."""
    asked = reads_of(*asked_by(verdict_of("list.complete", [*ONCE, THERE])))
    assert ["/pets?limit=100", "/pets/1", "/pets/1", "/pets?limit=100"] == asked[:4]
    filtered = [*made(1, 3), sold(5.0, 3), *made(4, at=8.0), sold(8.5, 3, 4), THERE]
    asked = reads_of(*asked_by(verdict_of(FILTERED, filtered)))
    assert ["/pets?limit=100&status=sold", "/pets?limit=100", "/pets/1"] == asked[:3]


def test_pages_that_are_unlike_each_other_three_times_are_a_choice() -> None:
    """The first of them is explained by it."""
    pages = [listing([own(3), *FOREIGN[:at], *FOREIGN[at + 1 :]], limit=100, at=5.0 + at) for at in range(4)]
    trace = [
        *made(1, 3),
        *in_turns_with_get(*pages),
        *made(4, at=9.0),
        whole(9.5, 3, 4),
        got(1, own(1), at=10.0),
    ]
    assert pages[0] not in doubted(trace)
    assert pages[0] in doubted([each for each in trace if each not in pages[2:]])


# Filters

PAGE = sold(5.0, 3)
SOLD = [*made(1, 3), PAGE, *made(4, at=8.0), sold(8.5, 3, 4)]


@cases(
    ("beside", "open_yet"),
    {
        "none": ([], True),
        "before the animal": ([whole(0.5)], True),
        "showing it before": ([whole(4.0, 1, 3)], True),
        "lacking it just before": ([whole(4.0, 1, 3), whole(4.5, 3)], True),
        "lacking it since": ([whole(4.0, 1, 3), whole(6.0, 3)], False),
        "showing it since": ([whole(4.0, 1, 3), whole(6.0, 1, 3)], True),
        "showing it at last": ([whole(4.0, 1, 3), whole(6.0, 3), whole(7.0, 1, 3)], True),
        "showing it again after it had not": ([whole(4.0, 3), whole(6.0, 1, 3)], True),
    },
)
def test_what_the_list_of_all_lacks_by_now_may_be_beyond_a_scan(
    beside: list[Exchange], *, open_yet: bool
) -> None:
    """A filtered list need not come farther than the one without the filter."""
    assert open_yet == (PAGE in doubted([*SOLD, *beside], FILTERED))


def filtered(*beside: Exchange, read: bool = False) -> list[Exchange]:
    """A list of the sold ones that lacks one three times, and what is read after it."""
    pages = [sold(at, 3) for at in (5.0, 6.0, 7.0)]
    lists = in_turns_with_get(*pages) if read else pages
    return [*made(1, 3), *lists, *beside, *made(4, at=8.0), sold(8.5, 3, 4)]


@cases(
    ("trace", "failed"),
    {
        "each time": (filtered(*(whole(at, 1, 3) for at in (5.5, 6.5, 7.5))), True),
        "once": (filtered(whole(5.5, 1, 3), whole(6.5, 3), whole(7.5, 3)), False),
        "once, and getPet": (filtered(whole(5.5, 1, 3), read=True), False),
    },
)
def test_a_filter_is_held_against_lists_that_show_the_animal_themselves(
    trace: list[Exchange], *, failed: bool
) -> None:
    """Where the list of all shows it once, a scan may have come as far then only."""
    assert failed == (FILTERED in failed_of(trace))


def pending(at: float) -> Exchange:
    """A list without a filter that shows another status of an animal."""
    return listing([{**own(1), "status": "pending"}, own(3), *FOREIGN], limit=100, at=at)


@cases(
    ("beside", "outcome"),
    {
        "with that status": ([whole(5.5, 1, 3), whole(6.5, 1, 3), whole(7.5, 1, 3)], FAILED),
        "moved": ([pending(5.5), pending(6.5), pending(7.5)], PASSED),
        "moved at last": ([whole(5.5, 1, 3), whole(6.5, 1, 3), pending(7.5)], PASSED),
        "not shown": ([], CANT_TELL),
    },
)
def test_once_getpet_is_removed_lists_tell_whether_a_status_moved(
    beside: list[Exchange], outcome: str
) -> None:
    """Nothing but lists shows that it has come back."""
    trace = [*filtered(*beside), lost(3, at=4.0)]
    assert outcome == outcome_of(FILTERED, trace, today=REMOVED)


def test_as_long_as_getpet_is_there_it_tells_whether_a_status_moved() -> None:
    """Lists that told another one before are held against it."""
    for later in ([], [THERE]):
        assert PAGE in doubted([*SOLD, pending(4.0), *later], FILTERED)


def test_once_getpet_is_removed_lists_alone_are_held_against_each_other() -> None:
    """Three that are alike are enough; whether it was taken away is for suspicions/lists/taken_away.py to say."""
    pages = [whole(at, 3) for at in (5.0, 6.0, 7.0)]
    trace = [*made(1, 3), lost(3, at=4.0), *pages, *LONGER]
    assert "withdrawn" in suspected(trace, today=REMOVED)
    assert "withdrawn" in explained([*trace, sold(4.5, 1, 3)], "list.complete", today=REMOVED)
    filtered = [sold(at, 1, 3) for at in (5.5, 6.5, 7.5)]
    assert {"list.complete"} == failed_of([*trace, *filtered], today=REMOVED)
    assert {"sampled"} == suspected([*ONCE, lost(3, at=4.0)], today=REMOVED)
