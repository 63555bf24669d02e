"""What is known of the order of a page, and of what a page in that order cannot leave out."""

from __future__ import annotations

import json

import pytest

from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.order import (
    are_oldest,
    gaps_of,
    is_amid,
    is_chosen_as_shown,
    is_no_choice,
    is_passed_over,
    leaves_out,
    may_be_in_front,
    out_of_front,
)
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    animal,
    animals,
    chosen_as_shown,
    created,
    got,
    ledger_of,
    listing,
    lost,
    named,
    own_name,
    posted,
)

OTHERS = animals(4, 100)
# What new animals have pushed out from the end of a list.
PUSHED = animals(26, 500)
SOLD = tuple(range(200, 208))
# With four others, four of the run's stand first in this order once in 1,680 times, and five once in 15,120 times.
ENOUGH = (5, 4, 3, 2, 1)


def mixed_name(animal_id: int) -> str:
    """The name of an animal of the run: early or late in the alphabet, by the parity of its id."""
    return own_name(animal_id + animal_id % 2 * 26**9)


def creation(animal_id: int, at: float, status: str = "sold", category: int = 1) -> Exchange:
    """Its name is early or late among those of the run, by the parity of its id."""
    payload = named(mixed_name(animal_id), categoryId=category, status=status)
    return created(payload, animal_id, at=at)


def made(*ids: int) -> list[Exchange]:
    """Creations of animals, one in each second, the second that its id says."""
    return [creation(each, float(each)) for each in ids]


def page(*ids: int, others: tuple[int, ...] = (100, 101, 102, 103)) -> Exchange:
    """The largest list: animals of the run and of others, whom an earlier list has shown."""
    own = [animal(each, name=mixed_name(each), status="sold") for each in ids]
    return listing([*own, *map(animal, others)], limit=100, at=50.0)


def shown(*ids: int, status: str = "sold") -> list[dict[str, object]]:
    """Animals with a status, under names that are in no order."""
    return [animal(each, name=mixed_name(each), status=status) for each in ids]


def test_what_was_created_at_the_same_time_is_neither_older_nor_newer() -> None:
    """Whatever was answered first; others' animals are older than what was created once they were known."""
    own = [creation(7, 1.0), creation(3, 5.0), creation(9, 5.0), creation(5, 8.0)]
    ledger = ledger_of(listing([animal(100)], limit=1, at=0.0), *own)
    assert is_amid(ledger, {7, 5}, 3)
    assert not is_amid(ledger, {9, 5}, 3)
    assert not is_amid(ledger, {7, 9}, 3)
    assert is_amid(ledger, {100, 5}, 3)
    assert not is_amid(ledger, {7, 3}, 100)


@pytest.mark.parametrize(
    ("ids", "animal_id", "amid"),
    [
        pytest.param((1, 2, 3), 2, True, id="between two"),
        pytest.param((1, 2, 3), 3, False, id="the newest"),
        pytest.param((1, 2, 3), 1, False, id="the oldest"),
        pytest.param((1, 7, 3, 5), 5, False, id="the last one made, with an id between others"),
        pytest.param((1, 7, 3, 5), 7, True, id="made between others, with the largest id"),
    ],
)
def test_ids_tell_the_age_where_they_are_given_in_order(
    ids: tuple[int, ...], animal_id: int, *, amid: bool
) -> None:
    """Else what is known of the run's own does."""
    ledger = ledger_of(*(creation(each, float(at)) for at, each in enumerate(ids, start=1)))
    assert amid == is_amid(ledger, set(ids) - {animal_id}, animal_id)


def taught(*trace: Exchange) -> tuple[Ledger, Page]:
    """What a trace teaches of a deployment that chooses in the order that it shows, and the page that is its last exchange."""
    ordered = (each for state in (None, "sold") for each in chosen_as_shown(state))
    ledger = ledger_of(*trace, *ordered)
    return ledger, ledger.completeness.by_exchange[id(trace[-1])]


def test_a_larger_page_that_begins_with_a_smaller_one_by_no_chance_is_chosen_as_it_is_shown() -> None:
    """Of others' animals, which are there already, and of the filter that both have."""
    first, *both = chosen_as_shown("sold")
    assert is_chosen_as_shown(ledger_of(first, *both), "sold")
    assert is_chosen_as_shown(ledger_of(first, *reversed(both)), "sold")
    assert not is_chosen_as_shown(ledger_of(first, *both), None)
    assert not is_chosen_as_shown(ledger_of(first, both[0]), "sold")
    # One that is missing, one of 190 choices of two among 20, and animals that may be new.
    shown = animals(20, 9_000_001, status="sold")
    for smaller in ([*shown[:3], *shown[4:9]], shown[:2], shown[12:]):
        assert not is_chosen_as_shown(
            ledger_of(first, *both[:1], listing(smaller, limit=8, state="sold", at=950.0)), "sold"
        )
    assert not is_chosen_as_shown(ledger_of(*both), "sold")
    # Neither is a page of another choice in between, nor one that is hardly longer.
    between = [listing(shown[-most:], limit=most, state="sold", at=901.5) for most in (8, 9)]
    assert is_chosen_as_shown(ledger_of(first, both[0], *between, both[1]), "sold")


def test_what_was_added_between_a_page_and_a_larger_one_is_no_matter_of_their_order() -> None:
    """Neither at the front nor at the end."""
    shown = animals(20, 9_000_001)
    first, smaller = listing(shown, limit=99, at=1.0), listing(shown[:8], limit=8, at=2.0)
    for larger in ([animal(1), *shown], [*shown, animal(1)]):
        added = [creation(1, 3.0), listing(larger, limit=98, at=4.0)]
        assert is_chosen_as_shown(ledger_of(first, smaller, *added), None)


def in_front(*trace: Exchange) -> set[int]:
    """The ids of what stands before all that the last page of a trace shows."""
    ledger, seen = taught(*trace)
    missing = [each for each in ledger.made[None] if each.animal_id not in seen.id_set]
    return {each.animal_id for each in out_of_front(ledger, seen, missing)}


def left_out(shown: Exchange, creations: list[Exchange]) -> set[int]:
    """The same of a page whose others an earlier list has shown."""
    return in_front(listing([*OTHERS, *PUSHED], limit=100, at=0.0), *creations, shown)


def test_a_page_that_shows_the_newest_first_has_no_reason_to_leave_out_a_newer_one() -> None:
    """Where chance hardly puts so many in that order."""
    assert {8, 9} == left_out(page(*ENOUGH), made(1, 2, 3, 4, 5, 8, 9))
    assert set() == left_out(page(4, 3, 2, 1), made(1, 2, 3, 4, 8, 9))
    assert set() == left_out(page(), made(8, 9))


def test_where_lists_may_be_chosen_in_another_order_nothing_stands_in_front() -> None:
    """They show the newest first, and may hold the oldest."""
    seen = page(*ENOUGH)
    ledger = ledger_of(listing(OTHERS, limit=100, at=0.0), *made(1, 2, 3, 4, 5, 8, 9), seen)
    missing = [ledger.animals[each].creations[0] for each in (8, 9)]
    assert [] == out_of_front(ledger, ledger.completeness.by_exchange[id(seen)], missing)


@pytest.mark.parametrize("ids", [(1, 2, 4, 3, 5), (5, 4, 3, 1, 2), (4, 5, 3, 2, 1)])
def test_in_another_order_a_new_animal_may_stand_behind_the_end(ids: tuple[int, ...]) -> None:
    """Whatever it is: a cap or a scan may keep it out."""
    assert set() == left_out(page(*ids), made(1, 2, 3, 4, 5, 8, 9))


def test_what_is_older_than_one_on_the_page_may_stand_behind_the_end() -> None:
    """Only newer ones stand before it."""
    assert {8} == left_out(page(6, 5, 4, 3, 1), made(1, 2, 3, 4, 5, 6, 8))


def test_others_that_were_there_before_stand_behind_all_of_the_run() -> None:
    """Where one stands between them, something else decides the order."""
    between = [animal(5, name="Z5", status="sold"), animal(100), *(animal(each) for each in (4, 3, 2, 1))]
    shown = listing([*between, *OTHERS[1:]], limit=100, at=50.0)
    assert set() == left_out(shown, made(1, 2, 3, 4, 5, 8))


def test_others_that_came_during_the_run_may_stand_anywhere() -> None:
    """Nothing says when they were created."""
    shown = page(*ENOUGH, others=(100, 101, 102, 103, 200))
    assert {8} == left_out(shown, made(1, 2, 3, 4, 5, 8))


@pytest.mark.parametrize("unlike", [{"status": "pending"}, {"category": 2}])
def test_an_animal_of_another_kind_may_stand_behind_the_end(unlike: dict[str, object]) -> None:
    """A list may be sorted by categories or statuses first."""
    assert set() == left_out(page(*ENOUGH), [*made(1, 2, 3, 4, 5), creation(8, 8.0, **unlike)])  # type: ignore[arg-type]


def test_what_was_created_side_by_side_may_stand_in_either_order() -> None:
    """It tells nothing of the order."""
    together = [creation(each, 1.0) for each in (1, 2, 3, 4, 5)]
    assert set() == left_out(page(*ENOUGH), [*together, *made(8)])
    one_after_another = [creation(6, 0.5), *made(2, 3, 4, 5), creation(7, 5.0)]
    assert {8} == left_out(page(5, 7, 4, 3, 2, 6), [*one_after_another, *made(8)])


def test_an_id_or_a_name_may_put_a_new_animal_behind_the_end() -> None:
    """Where a page is sorted by these as well."""
    falling = [creation(each, float(10 - each)) for each in (5, 6, 7, 8, 9)]
    shown = page(5, 6, 7, 8, 9)
    assert {3} == left_out(shown, [*falling, creation(3, 9.0)])
    assert set() == left_out(shown, [*falling, creation(400, 9.0)])


def test_a_page_by_ids_that_shows_older_and_newer_ones_has_no_reason_to_leave_out_what_belongs_between() -> (
    None
):
    """Unless it leaves out animals of others, too: it may be a selection that is shown in this order."""
    some = (200, 201, 203, 204)
    others = range(100, 110)
    begun = [listing([animal(each) for each in others], limit=100, at=0.0)]
    trace = [*begun, *made(200, 201, 202, 203, 204)]

    def lacks(*ids: int, status: str = "sold") -> set[int]:
        own = {each: animal(each, name=mixed_name(each), status=status) for each in some}
        return in_front(*trace, listing([own.get(each, animal(each)) for each in ids], limit=100, at=500.0))

    assert {202} == lacks(*others, *some)
    assert set() == lacks(100, *others[2:], *some)
    assert set() == lacks(*others, *some[:2])
    # It may be sorted by status first, and end before what is sold.
    assert set() == lacks(*others, *some, status="available")


def test_what_was_made_of_a_body_that_cannot_be_read_has_the_name_that_was_returned() -> None:
    """Such as one behind a byte order mark, which some parsers accept."""
    sent = json.dumps(named(mixed_name(201), categoryId=1, status="sold")).encode()
    marked = posted(b"\xef\xbb\xbf" + sent, 201, shown(201)[0], at=201.0)
    others = [animal(each) for each in range(100, 110)]
    page = listing([*others, *shown(200, 202)], limit=12, at=500.0)
    ledger, seen = taught(listing(others, limit=100, at=0.0), *made(200), marked, *made(202), page)
    creation = ledger.creation_of(marked)
    assert creation is not None
    assert leaves_out(ledger, seen, creation)


def test_ids_that_a_page_passes_over_are_asked_for() -> None:
    """Until then they may be animals that a selection leaves out; where one is found, it is a selection."""
    others = (*range(100, 105), *range(106, 112))
    begun = [listing([animal(each) for each in others], limit=100, at=0.0), *made(200, 201, 202)]
    own = [animal(each, name=mixed_name(each), status="sold") for each in (200, 202)]
    shown = listing([*map(animal, others), *own], limit=100, at=500.0)

    def known(*further: Exchange) -> tuple[list[int], set[int]]:
        return gaps_of(*taught(*begun, *further, shown)), in_front(*begun, *further, shown)

    assert ([105], set()) == known()
    assert ([], {201}) == known(lost(105, at=300.0))
    assert ([105], set()) == known(got(105, at=300.0))


def unfiltered(*animals_: dict[str, object]) -> Exchange:
    """The largest list without a filter."""
    return listing([*animals_], limit=100, at=49.0)


def filtered(*ids: int) -> Exchange:
    """The largest list of the sold animals."""
    return listing(shown(*ids), limit=100, state="sold", at=50.0)


def test_a_filtered_page_in_the_order_of_the_one_without_the_filter_has_no_reason_to_leave_out_its_front() -> (
    None
):
    """Where chance hardly gives so many the same order."""
    first = [*made(1, 2), unfiltered(*shown(2, *SOLD, 1))]
    assert {2} == left_out(filtered(*SOLD), first)
    assert set() == left_out(filtered(*SOLD[1:]), first)
    assert set() == left_out(filtered(*reversed(SOLD)), first)
    assert set() == left_out(filtered(201, 200, *SOLD[2:]), first)


def test_an_animal_that_was_read_after_the_page_without_the_filter_may_stand_elsewhere_by_then() -> None:
    """Lists may show first what was read the least often."""
    first = [*made(1, 2), unfiltered(*shown(2, *SOLD, 1))]

    def found(animal_id: int, at: float) -> Exchange:
        return got(animal_id, *shown(animal_id), at=at)

    assert {2} == left_out(filtered(*SOLD), [found(2, 48.0), *first])
    assert set() == left_out(filtered(*SOLD), [*first, found(2, 49.5)])
    assert {2} == left_out(filtered(*SOLD), [*first, found(1, 49.5)])
    assert {2} == left_out(filtered(*SOLD), [*first, found(2, 51.0)])


def test_an_animal_that_the_page_without_the_filter_does_not_show_with_the_status_is_not_in_front() -> None:
    """Its status has moved, or no list shows it."""
    moved = unfiltered(*shown(2, status="pending"), *shown(*SOLD))
    assert set() == left_out(filtered(*SOLD), [*made(1, 2), moved])
    assert set() == left_out(filtered(*SOLD), made(1, 2))


# What was there before the run, and what the run has created, one in each second from the 201st on.
THERE = tuple(range(109, 99, -1))
ADDED = made(*range(201, 210))


def newest_first(*ids: int) -> Exchange:
    """The largest list without a filter, a while after the last creation: these animals, in this order."""
    return listing([*shown(*ids)], limit=100, at=500.0)


def whether_passed_over(animal_id: int, *trace: Exchange) -> bool:
    """Whether the last list of a trace passes over an animal, after lists that have shown what was there."""
    ledger, page = taught(listing([animal(each) for each in THERE], limit=100, at=0.0), *trace)
    creation = ledger.animals[animal_id].creation
    assert creation is not None
    return is_passed_over(ledger, page, creation)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        pytest.param((209, 208, 207, 206, 204, 203, *THERE), True, id="the newest first"),
        pytest.param((*THERE[::-1], 203, 204, 206, 207, 208, 209), True, id="the oldest first"),
        pytest.param((209, 208, 207, 206, *THERE), True, id="with older ones missing"),
        pytest.param((209, 208, 207, 206, 205, 204, *THERE), False, id="that is shown"),
        pytest.param((204, 203, 202, 201, *THERE), False, id="without newer ones"),
        pytest.param((209, 208, 207, 206), False, id="without older ones"),
        pytest.param((209, 207, 206, 204, 203, *THERE), False, id="with a newer one missing"),
        pytest.param((207, 209, 208, 206, 204, 203, *THERE), False, id="in no order"),
        pytest.param((*THERE, 209, 208, 207, 206, 204, 203), False, id="the oldest in front of the newest first"),
    ],
)  # fmt: skip
def test_an_animal_between_older_and_newer_ones_in_the_order_of_their_age_is_passed_over(
    ids: tuple[int, ...], *, expected: bool
) -> None:
    """Where the page shows all that were added since the oldest of the newer ones, as no selection would."""
    assert expected == whether_passed_over(205, *ADDED, newest_first(*ids))


def test_a_newer_animal_that_was_not_there_yet_may_be_missing() -> None:
    """And one of another kind tells nothing, as lists may show kinds apart."""
    passing = newest_first(209, 208, 207, 206, 204, 203, *THERE)
    assert whether_passed_over(205, *ADDED, creation(210, 600.0), passing)
    assert not whether_passed_over(205, *ADDED, creation(210, 400.0), passing)
    others = [creation(each, float(each), category=2) for each in range(206, 210)]
    assert not whether_passed_over(205, *ADDED[:5], *others, passing)
    assert whether_passed_over(205, *ADDED[:6], *others[1:], passing)


def test_an_animal_behind_the_end_of_a_page_in_the_order_of_ids_is_not_passed_over() -> None:
    """Here newer animals have smaller ids."""
    made_ = [creation(each, 400.0 - each) for each in range(199, 190, -1)]
    passing = newest_first(*range(191, 200), *range(300, 310))
    there = listing([animal(each) for each in range(300, 310)], limit=100, at=0.1)
    for animal_id, expected in ((250, True), (400, False)):
        assert expected == whether_passed_over(animal_id, there, *made_, creation(animal_id, 204.5), passing)


def test_where_lists_are_not_known_to_choose_in_their_order_nothing_is_passed_over() -> None:
    """No smaller page has begun like a larger one."""
    passing = newest_first(209, 208, 207, 206, 204, 203, *THERE)
    ledger = ledger_of(listing([animal(each) for each in THERE], limit=100, at=0.0), *ADDED, passing)
    missing = ledger.animals[205].creation
    assert missing is not None
    assert not is_passed_over(ledger, ledger.completeness.by_exchange[id(passing)], missing)


def test_animals_are_the_oldest_by_their_ids_where_these_tell_the_age() -> None:
    """Whether they rise or fall."""
    rising = ledger_of(*ADDED)
    assert are_oldest(rising, {201, 202}, {203, 209})
    assert not are_oldest(rising, {203}, {202, 209})
    assert not are_oldest(rising, {203}, {203})
    falling = ledger_of(*(creation(300 - each, float(each)) for each in range(9)))
    assert are_oldest(falling, {300, 299}, {298, 292})
    assert not are_oldest(falling, {298}, {299, 292})
    random = ledger_of(*(creation(each, float(at)) for at, each in enumerate((1, 9, 2, 8, 3, 7, 4, 6, 5))))
    assert not are_oldest(random, {1}, {9})
    few = ledger_of(*ADDED[:7])
    assert not are_oldest(few, {201}, {207})


def test_an_animal_may_be_in_front_where_the_newest_are_first() -> None:
    """If it is newer than the oldest animal of the page, and does not belong behind its end."""

    def in_front(animal_id: int, *ids: int) -> bool:
        ledger, page = taught(
            listing([animal(each) for each in THERE], limit=100, at=0.0), *ADDED, newest_first(*ids)
        )
        creation = ledger.animals[animal_id].creation
        assert creation is not None
        return may_be_in_front(ledger, page, [creation]) == [creation]

    assert in_front(209, 208, 207, 206, 205, 204, *THERE)
    assert in_front(206, 209, 208, 207, 205, 204, *THERE)
    assert not in_front(209, *THERE, 204, 205, 206, 207, 208)
    assert not in_front(201, 209, 208, 207, 206, 205, 204, 203, 202)


@pytest.mark.parametrize(
    ("further", "gaps"),
    [
        pytest.param([], [105], id="unknown"),
        pytest.param([lost(105, at=300.0)], [], id="not found"),
        pytest.param([got(105, animal(105, status="pending"), at=300.0)], [], id="of another status"),
        pytest.param([got(105, animal(105, status="sold"), at=300.0)], [105], id="of the status"),
        pytest.param([lost(105, at=300.0), got(105, animal(105, status="sold"), at=301.0)], [105], id="found last"),
        pytest.param([got(105, animal(105, status="sold"), at=300.0), lost(105, at=301.0)], [], id="lost last"),
        pytest.param([listing([animal(105, status="sold")], limit=1, at=300.0)], [], id="listed"),
        pytest.param([creation(105, 300.0)], [], id="of the run"),
        pytest.param([got(105, [], at=300.0)], [105], id="no animal"),
    ],
)  # fmt: skip
def test_an_id_is_accounted_for_if_it_is_known_why_a_filtered_page_passes_over_it(
    further: list[Exchange], gaps: list[int]
) -> None:
    """The last answer counts, and lists show all that they show elsewhere."""
    others = [animal(each, status="sold") for each in (*range(100, 105), *range(106, 112))]
    begun = listing(others, limit=100, state="sold", at=0.0)
    page = listing(others, limit=100, state="sold", at=500.0)
    assert gaps == gaps_of(*taught(begun, *further, page))


def test_a_page_in_the_order_of_ids_that_lacks_none_between_is_no_choice() -> None:
    """One that lacks an id is one, and one in another order may be."""

    def no_choice(*ids: int) -> bool:
        first = listing([animal(each) for each in THERE], limit=100, at=0.0)
        return is_no_choice(*taught(first, newest_first(*ids)))

    assert no_choice(*THERE)
    assert not no_choice(*THERE[:4], *THERE[5:])
    assert not no_choice(*THERE[5:], *THERE[:5])
