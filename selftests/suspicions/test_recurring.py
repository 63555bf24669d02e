"""The rule of suspicions/lists/recurring.py: animals that come and go with the worker, replica or cache that answers."""

from __future__ import annotations

import json
from collections.abc import Iterable

from animal_conformance.judge.experiments import Read
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    CANT_TELL,
    FAILED,
    animal,
    asked_by,
    failed_of,
    got,
    listing,
    outcome_of,
    reads_of,
    verdict_of,
)
from selftests.suspicions.lists import full, made, own, suspected, whole
from selftests.tables import cases

KEPT = range(200, 212)
MORE = range(200, 224)
WITHOUT_ID = animal(..., status="sold")
WITH, WITHOUT = (*KEPT, 1), tuple(KEPT)


def page_of(at: float, ids: Iterable[int]) -> Exchange:
    """The largest list of a deployment, which shows these animals."""
    return listing([own(each) for each in ids], limit=100, at=at)


def kept(at: float, *ids: int) -> Exchange:
    """A list of a deployment with a few animals besides these."""
    return page_of(at, (*KEPT, *ids))


def pages(*shown: Iterable[int], beside: int = 0, state: str | None = None) -> list[Exchange]:
    """A trace in which a list shows these animals, one page after another, after animal 1 was added.

    :param beside: how many animals without an id are on each page but the first.
    """
    known = sorted({animal_id for ids in shown for animal_id in ids} - {1, 999})
    bodies = [
        [*map(own, ids), *([WITHOUT_ID] * beside if number else [])] for number, ids in enumerate(shown)
    ]
    return [
        listing([own(each) for each in known[:99]], limit=100, state=state, at=0.5),
        *made(1),
        *(listing(body, limit=100, state=state, at=9.0 + number) for number, body in enumerate(bodies)),
    ]


def test_an_animal_that_a_list_shows_now_and_then_may_belong_to_a_choice() -> None:
    """The same list is asked for again and again, on new connections."""
    trace = [kept(0.5), *made(1), kept(9.0), kept(9.1, 1)]
    (doubt,) = verdict_of("list.complete", trace).suspected
    (experiment,) = doubt.suspicion.experiments
    assert {Read("/pets?limit=100", anew=True)} == set(experiment.steps[1:])


def test_the_same_few_pages_in_turns_are_what_workers_keep() -> None:
    """They differ in one animal, and in nothing else that was there before; also where one worker came first."""
    shown = [() if number % 3 == 0 else (1,) for number in range(20)]
    trace = [kept(0.5), *made(1), *(kept(9.0 + number, *ids) for number, ids in enumerate(shown))]
    assert {"list.complete"} == failed_of(trace)
    later = [kept(9.0), *(kept(9.1 + number / 100, 1) for number in range(19)), *(trace[2:])]
    assert {"list.complete"} == failed_of([*trace[:2], *later])
    (found,) = verdict_of("list.complete", trace).findings
    assert "depends on the worker" in found.finding.message
    creation, *turns = trace[1], trace[2], trace[3], trace[5], trace[6]
    assert (found.exchange, (creation, *turns[1:])) == (turns[0], found.finding.related)
    assert (("sampled", turns[3]),) == found.finding.excluded


@cases(
    ("shown", "outcome"),
    {
        "four turns": ([*[WITHOUT] * 4, *[WITH] * 4, WITHOUT, WITH], FAILED),
        "three turns": ([*[WITHOUT] * 4, *[WITH] * 4, WITHOUT], CANT_TELL),
        "a third page is no turn": (
            [*[MORE] * 4, (*MORE, 1), (*MORE[1:], 1), (*MORE, 1), (*MORE[1:], 1), *[(*MORE, 1)] * 2],
            CANT_TELL,
        ),
        "a third among twenty": ([KEPT[1:], *[WITHOUT, WITH] * 9, WITHOUT], CANT_TELL),
        "twenty without the third before them": ([KEPT[1:], *[WITHOUT, WITH] * 10], FAILED),
        "the page with it is full": ([range(200, 299), (*range(200, 299), 1)] * 8, FAILED),
        "what was added since tells no pages apart": (
            [[*WITHOUT, 999], *[[*WITH, 999], WITHOUT] * 9],
            FAILED,
        ),
        "it is another one that comes and goes": ([MORE, *[(*MORE, 1), (*MORE[1:], 1)] * 8], CANT_TELL),
    },
)
def test_two_pages_have_to_take_turns(shown: list[Iterable[int]], outcome: str) -> None:
    """One is the other without the animal, each of them four times, in four turns of twenty pages in a row."""
    assert outcome == outcome_of("list.complete", pages(*shown))


@cases(
    ("others", "before", "outcome"),
    {
        "of two choices, neither is ever longer": (KEPT, [*KEPT, 300], CANT_TELL),
        "the one without it has been longer": (KEPT, [*KEPT, 300, 301], FAILED),
        "a longer one lacks another animal": (KEPT, [*KEPT[1:], 300, 301, 302], CANT_TELL),
        "ten animals": (KEPT[:9], [*KEPT[:9], 300, 301], FAILED),
        "so few that it may be chance": (KEPT[:8], [*KEPT[:8], 300, 301], CANT_TELL),
    },
)
def test_two_pages_may_each_show_what_the_other_does_not(
    others: Iterable[int], before: Iterable[int], outcome: str
) -> None:
    """As workers do that list what they have created themselves."""
    turns = [page_of(9.0 + number, (*others, 1 if number % 2 else 300)) for number in range(16)]
    assert outcome == outcome_of("list.complete", [page_of(0.5, before), *made(1), *turns])


def test_an_element_without_an_id_may_be_the_animal() -> None:
    """It stands on every page but one, also on those that seem to lack the animal."""
    assert FAILED != outcome_of("list.complete", pages(*[WITHOUT, WITH] * 8, beside=1))


@cases(
    ("more", "beside", "outcome"),
    {
        "as long as the page without it and the animal": (1, (), FAILED),
        "shorter by a byte: that one may have been cut": (2, (), CANT_TELL),
        "as many animals: that one may have been cut": (-200, (999,), CANT_TELL),
    },
)
def test_the_page_with_the_animal_has_to_be_longer_by_it(
    more: int, beside: tuple[int, ...], outcome: str
) -> None:
    """In items and in bytes, of which two stand between two animals."""
    trace = [kept(0.5), *made(1)]
    for number in range(20):
        body = json.dumps([own(each) for each in (*KEPT, *((1,) if number % 2 else beside))]).encode()
        space = b" " * (max(0, -more) if number % 2 else max(0, more))
        trace.append(listing(body + space, limit=100, at=9.0 + number))
    assert outcome == outcome_of("list.complete", trace)


@cases(
    ("others", "times", "said"),
    {
        "so many in less than twenty pages": (9, 3 + 19, {"sampled"}),
        "twenty pages that did not recur": (9, 3 + 20, set()),
        "so few that it may be chance": (8, 2, set()),
    },
)
def test_what_a_list_shows_now_and_then_is_asked_for_where_that_can_tell(
    others: int, times: int, said: set[str]
) -> None:
    """Twenty pages of ten animals, from two seconds after the first that lacks it."""
    few = range(200, 200 + others)
    trace = pages(few, *[(*few, 1)] * (times - 1))
    assert said == suspected(trace)


@cases(
    ("beside", "outcome"),
    {
        "nothing is known of other lists": ([], FAILED),
        "the list of all shows it": ([whole(9.5, 1), got(1, own(1), at=9.6)], FAILED),
        "the list of all lacked it too early": ([whole(1.2)], FAILED),
        "the list of all has no room for it": ([full(9.5)], FAILED),
        "the list of all lacks it as well": ([whole(9.5)], CANT_TELL),
    },
)
def test_a_filter_may_come_and_go_alone(beside: list[Exchange], outcome: str) -> None:
    """What the list of all leaves out as well is a finding of that one."""
    trace = pages(*[WITHOUT, WITH] * 8, state="sold")
    assert outcome == outcome_of("list.status.complete", [*trace, *beside])


def test_pages_that_leave_out_others_as_well_are_a_choice() -> None:
    """And so is one that never is the same."""
    lacking = [{0 if number % 3 else 1, 200 + number % 12} for number in range(20)]
    pages = [
        page_of(9.0 + number, (each for each in WITH if each not in those))
        for number, those in enumerate(lacking)
    ]
    assert FAILED != outcome_of("list.complete", [kept(0.5), *made(1), *pages])


def test_an_animal_that_lists_show_once_it_has_reached_them_does_not_come_and_go() -> None:
    """Nor does one that was taken away."""
    late = [kept(9.0 + number, *(() if number < 10 else (1,))) for number in range(20)]
    gone = [kept(9.0 + number, *((1,) if number < 10 else ())) for number in range(20)]
    assert [set(), set()] == [failed_of([kept(0.5), *made(1), *pages]) for pages in (late, gone)]


@cases(("apart_s", "failed"), {"within 1.9 s": (0.1, set()), "for 3.8 s": (0.2, {"list.complete"})})
def test_an_animal_that_was_withdrawn_comes_and_goes_until_replicas_have_settled(
    apart_s: float, failed: set[str]
) -> None:
    """Those that lag still show it, for two seconds at most."""
    turns = [kept(9.0 + number * apart_s, *((1,) if number % 2 else ())) for number in range(20)]
    gone = [kept(20.0 + number, *()) for number in range(4)]
    assert failed == failed_of([kept(0.5), *made(1), *turns, *gone])


def test_an_animal_at_the_edge_of_a_cut_page_does_not_come_and_go() -> None:
    """Somebody adds an animal and takes it away, and the page holds no more than before."""
    pages = [page_of(9.0 + number, (999 if number % 2 else 1, *KEPT)) for number in range(20)]
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


@cases(
    ("others", "times", "varies", "outcome"),
    {
        "nine others and the animal": (9, 20, False, FAILED),
        "eight others and the animal, all by chance": (8, 20, False, CANT_TELL),
        "so many are hardly ever the same by chance": (24, 20, True, FAILED),
        "one less, and a third page": (23, 20, True, CANT_TELL),
        "each four times, in eight turns": (9, 8, False, FAILED),
        "one of them three times": (9, 7, False, CANT_TELL),
    },
)
def test_pages_recur_if_neither_can_be_the_same_by_chance(
    others: int, times: int, *, varies: bool, outcome: str
) -> None:
    """Two pages with ten animals or more, or those of a few with twenty-five."""

    def page(number: int) -> Exchange:
        ids = range(200, 200 + others - int(varies and number == times - 1))
        return page_of(9.0 + number, (*ids, *([1] if number % 2 else [])))

    before = page_of(0.5, range(200, 200 + others))
    assert outcome == outcome_of("list.complete", [before, *made(1), *map(page, range(times))])


def test_a_worker_with_a_cap_of_its_own_lacks_older_animals_too() -> None:
    """Its page is how the others begin, wherever new animals stand."""
    first = [own(each) for each in (*reversed(KEPT), 1)]
    whole_pages = [[own(each) for each in reversed(added)] + first for added in ((), (301,), (301, 302))]
    cut = [each[:7] for each in whole_pages]
    trace = [kept(0.5), *made(1)]
    for number in range(20):
        shown = (cut if number % 2 else whole_pages)[number // 7]
        trace.append(listing(shown, limit=100, at=9.0 + number))
    assert set() == failed_of(trace)
    # Nor is it read twenty times to tell: what a cap may have cut stays so.
    experiments = asked_by(verdict_of("list.complete", trace[:8]))
    assert experiments
    assert all(len(reads_of(each)) < 20 for each in experiments)


@cases(
    ("shown", "failed"),
    {
        "the newest alone, in another order": ((310, 309, 308), set()),
        "a newer one is missing as well": ((310, 308, *KEPT), {"list.complete"}),
    },
)
def test_a_worker_may_show_a_window_of_the_newest_in_an_order_of_its_own(
    shown: tuple[int, ...], failed: set[str]
) -> None:
    """As while another version is rolled out: it lacks older animals of others, too."""
    newer = made(308, 309, 310, at=2.0)
    trace = [kept(0.5), *made(1), *newer]
    trace += [page_of(9.0 + at, shown if at % 2 else (*KEPT, 1, 308, 309, 310)) for at in range(20)]
    assert failed == failed_of(trace)


@cases(
    ("lacking", "reads", "asked"),
    {
        "the same twice": ({4: (1,), 15: (1,)}, 20, 30),
        "two that differ": ({4: (1,), 15: (1, 301)}, 20, None),
        "once": ({4: (1,)}, 20, None),
        "the same in later ones": ({4: (1,), 45: (1,)}, 50, 50),
        "never again, as pages that change in longer periods": ({4: (1,), 15: (1,)}, 50, None),
    },
)
def test_a_page_that_is_the_same_each_time_and_seldom_is_read_many_times(
    lacking: dict[int, tuple[int, ...]], reads: int, asked: int | None
) -> None:
    """One in fifteen shows in a hundred; it has to come again before so many are sent."""
    first = [kept(0.5, 301), *made(1), kept(9.0, 301)]
    there = [[each for each in (301, 1) if each not in lacking.get(number, ())] for number in range(reads)]
    later = [kept(12.0 + number, *ids) for number, ids in enumerate(there)]
    experiments = asked_by(verdict_of("list.complete", [*first, *later]))
    assert asked == next((len(each.steps) - 1 for each in experiments if len(each.steps) > 20), None)


def test_beginnings_of_one_list_of_several_lengths_are_those_of_a_scan() -> None:
    """It may stop before it is full, each time somewhere else (reading 20); other choices are those of workers."""
    long = tuple(range(200, 230))
    others = ((*long, 1), long, (*long[:-2], long[-1]))
    assert {"list.complete"} == failed_of(pages(*others * 8))
    assert set() == failed_of(pages(*((*long, 1), long, long[:-1]) * 8))
