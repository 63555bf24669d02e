"""The rule of suspicions/lists/left_out.py: what leaves a list, and whether getPet goes on returning it."""

from __future__ import annotations

from animal_conformance.judge.experiments import Create, WaitUntil
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ANSWER,
    animal,
    asked_by,
    chosen_as_shown,
    created,
    failed_of,
    got,
    listing,
    lost,
    named,
    reads_of,
    verdict_of,
)
from selftests.suspicions.lists import explained, filtered, made, made_in_order, own, suspected
from selftests.suspicions.lists import unfiltered as page
from selftests.tables import cases

CLAUSE = "list.complete"
ALL = (9, 7, 5, 3, 1)


def full(at: float, *ids: int) -> Exchange:
    """One that has no room for more: what fills it stands behind."""
    return page(at, *ids, *range(1000, 1100 - len(ids)))


def turns(*pages: Exchange, of: int = 5) -> list[Exchange]:
    """Pages, each followed by getPet for an animal."""
    return [each for shown in pages for each in (shown, got(of, at=shown.sent_s + 0.5))]


def test_an_animal_that_lists_lose_and_getpet_returns_in_turns_is_a_finding() -> None:
    """Reading 16: one operation goes on showing it while the other denies it."""
    left = turns(*(page(at, 9, 7, 3, 1) for at in (5.0, 9.0, 10.0, 11.0)))
    assert {CLAUSE} == failed_of([page(1.0, *ALL), *left])
    assert set() == failed_of([page(1.0, *ALL), *left[:-2]])
    assert set() == failed_of([page(1.0, *ALL), *left, page(12.0, *ALL)])


def test_pages_that_have_changed_since_do_not_count_against_the_turns_that_follow() -> None:
    """Others come and go; the last pages are alike."""
    before = turns(page(5.0, 9, 7, 3, 1), page(9.0, 9, 7, 3, 1))
    after = turns(*(page(at, 9, 3, 1) for at in (10.0, 11.0, 12.0)))
    assert {CLAUSE} == failed_of([page(1.0, *ALL), *before, *after])
    assert set() == failed_of([page(1.0, *ALL), *before, *after[:-2]])


def test_getpet_without_the_key_says_nothing_of_what_a_list_has_lost() -> None:
    """Its 401 is no sign that the animal has been withdrawn."""
    left = turns(*(page(at, 9, 7, 3, 1) for at in (5.0, 9.0, 10.0, 11.0)))
    keyless = lost(5, 401, at=11.8, key=Credential.ABSENT)
    assert {CLAUSE} == failed_of([page(1.0, *ALL), *left, keyless])
    assert {"sampled"} == suspected([page(1.0, *ALL), *left[:-2], keyless])
    assert {"withdrawn"} == suspected([page(1.0, *ALL), left[0], keyless])


@cases(
    ("trace", "asked"),
    {
        "not asked for yet": ([page(5.0, 9, 7, 3, 1)], ["/pets/5"]),
        "still there": ([page(5.0, 9, 7, 3, 1), got(5, at=6.0)], ["/pets?limit=100", "/pets/5"]),
        "withdrawn": ([page(5.0, 9, 7, 3, 1), lost(5, at=6.0)], []),
        "withdrawn before the list was read": ([lost(5, at=4.0), page(5.0, 9, 7, 3, 1)], []),
        "still there before that": ([got(5, at=4.0), page(5.0, 9, 7, 3, 1)], ["/pets/5"]),
        "its status has moved": ([page(5.0, 9, 7, 3, 1), got(5, animal(5, status="sold"), at=6.0)], []),
    },
)
def test_what_a_list_has_lost_is_asked_for(trace: list[Exchange], asked: list[str]) -> None:
    """First whether it is still there at all, then in turns with the list."""
    found = verdict_of(CLAUSE, [page(1.0, *ALL), *trace])
    assert asked == list(dict.fromkeys(reads_of(*asked_by(found))))


def test_what_a_replica_may_not_have_yet_has_left_no_page() -> None:
    """It stands on one page, another replica's has room and lacks it, and then pages are full before its place."""
    for lacking_s, told in ((2.0, False), (5.0, True)):
        lacking = page(lacking_s, 9, 7, 3, 1)
        trace = [
            created(named("animal 5"), 5, at=0.5),
            page(1.0, *ALL),
            lacking,
            got(5, at=8.0),
            full(9.0, 9, 7),
        ]
        assert told == ("capped" in suspected(trace))


def test_of_many_that_a_list_has_lost_three_decide() -> None:
    """Others may have withdrawn all of them."""
    gone = [page(1.0, *range(20, 0, -1)), page(5.0, 20, 1), *(lost(each, at=6.0) for each in (2, 3))]
    assert {"withdrawn"} == suspected(gone)
    assert set() == suspected([*gone, lost(4, at=6.0)])
    assert {"withdrawn"} == explained([*gone, lost(4, at=6.0)], CLAUSE)


def test_a_retention_rule_that_goes_on_is_not_followed_for_ever() -> None:
    """Three that have left the list are gone, and by now it ends before them."""
    trace = [*made_in_order(), filtered(1.0, *range(20, 0, -1)), filtered(5.0, *range(20, 4, -1), 1)]
    for asked, left in ((2, {"withdrawn"}), (3, set())):
        gone = [lost(each, at=6.0) for each in range(2, 2 + asked)]
        later = [filtered(9.0, 20, 19, *range(10, 4, -1)), *chosen_as_shown("available")]
        assert left == suspected([*trace, *gone, *later], "list.status.complete")


@cases(
    ("before", "after", "room"),
    {
        "from the middle": (filtered(1.0, *ALL), filtered(5.0, 9, 7, 3, 1), True),
        "from the end": (filtered(1.0, *ALL), filtered(5.0, 9, 7), False),
        "from the front": (filtered(1.0, *ALL), filtered(5.0, 3, 1), False),
        "in another order": (filtered(1.0, *ALL), filtered(5.0, 7, 9, 3, 1), False),
        "the oldest, from the middle": (filtered(1.0, 9, 1, 7), filtered(5.0, 9, 7), False),
        "the newest, from the middle": (filtered(1.0, 1, 9, 3), filtered(5.0, 1, 3), False),
        "another one for it": (filtered(1.0, *ALL), filtered(5.0, 11, 9, 7, 3, 1), False),
        "a shorter page without a filter": (page(1.0, *ALL), page(5.0, 9, 7), True),
        "a page as long as ever": (page(1.0, *ALL), page(5.0, 11, 12, 13, 9, 7), False),
        "a full page, in the middle": (full(1.0, *ALL), full(5.0, 9, 7, 3, 1), False),
        "a full page of others": (full(1.0, *ALL), full(5.0, 11, 12), False),
    },
)
def test_a_cap_or_a_scan_takes_nothing_from_the_middle(
    before: Exchange, after: Exchange, *, room: bool
) -> None:
    """Nor, without a filter, anything from a page that is shorter than others were."""
    clause_id = "list.status.complete" if "status" in before.request.target else CLAUSE
    trace = [*made_in_order(), before, after] if clause_id != CLAUSE else [before, after]
    assert room is bool(suspected([*trace, *chosen_as_shown("available")], clause_id))
    assert (room and clause_id == CLAUSE) is bool(suspected(trace, clause_id))


def test_where_too_few_were_created_in_order_ids_do_not_tell_what_stands_amid() -> None:
    """Nor do they if nothing was created at all."""
    lists = [filtered(1.0, *ALL), filtered(5.0, 9, 7, 3, 1), *chosen_as_shown("available")]
    for count, open_ones in ((8, {"withdrawn"}), (7, set()), (0, set())):
        assert open_ones == suspected([*made_in_order(count), *lists], "list.status.complete")


def test_what_does_not_belong_in_a_list_says_nothing_of_where_it_ends() -> None:
    """It stands behind a page that has grown at its front, as it did before."""
    strange = animal(2, status="sold")
    lists = [
        listing([*map(animal, ids), strange], limit=100, state="available", at=at)
        for at, ids in ((1.0, ALL), (5.0, (13, 11, 9, 7)))
    ]
    assert set() == suspected(lists, "list.status.complete")


def test_what_getpet_has_stored_says_nothing_of_what_left_a_list_since() -> None:
    """It is asked for again when that time is over."""
    clause_id = "list.status.complete"
    begun = [*made_in_order(), filtered(1.0, *ALL), *chosen_as_shown("available")]
    left = turns(*(filtered(5.0 + 4.0 * at, 9, 7, 3, 1) for at in range(6)))
    assert {clause_id} == failed_of([*begun, *left]) & {clause_id}

    def stored(header: tuple[str, str]) -> list[Exchange]:
        read = [got(5, at=each.sent_s, headers=(header, *ANSWER)) for each in left[1::2]]
        return [*begun, *left[::2], *read]

    old = stored(("Cache-Control", "max-age=30"))
    assert set() == failed_of(old) & {clause_id}
    (asked,) = verdict_of(clause_id, old).suspected
    assert (WaitUntil(37.01),) == asked.suspicion.experiments[0].steps[:1]
    assert () == verdict_of(clause_id, stored(("Age", "61"))).suspected


def test_what_a_filter_has_left_of_a_window_is_no_more_than_the_window_has() -> None:
    """The list without the filter lacks the animal too, shows what the filtered one shows, and never was longer, nor grows."""
    clause_id = "list.status.complete"
    begun = [*made_in_order(), filtered(1.0, *ALL), *chosen_as_shown("available")]
    left = turns(*(filtered(5.0 + 4.0 * at, 9, 7, 3, 1) for at in range(6)))
    beside = {
        "the same": ((9, 7, 3, 1, 11), set[str]()),
        "with the animal": ((9, 7, 5, 3, 1), {clause_id}),
        "without another one": ((9, 7, 3, 11), {clause_id}),
    }
    for ids, failed in beside.values():
        assert failed == failed_of([page(0.0, *ids), *begun, page(4.0, *ids), *left]) & {clause_id}
        assert {clause_id} == failed_of([*begun, page(4.0, *ids), *left]) & {clause_id}
    longer = page(0.0, *range(30, 40))
    assert {clause_id} == failed_of([longer, *begun, page(4.0, 9, 7, 3, 1), *left]) & {clause_id}


def test_pages_that_differ_are_a_choice() -> None:
    """What is missing in each is chance."""
    left = turns(page(5.0, 9, 7, 3, 1), page(9.0, 9, 3, 1), page(10.0, 9, 7, 3), page(11.0, 9, 7, 3, 1))
    assert set() == suspected([page(1.0, *ALL), *left])
    assert {"sampled"} == explained([page(1.0, *ALL), *left], CLAUSE)
    stable = turns(*(page(at, 9, 7, 3, 1) for at in (20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0)))
    assert {CLAUSE} == failed_of([page(1.0, *ALL), *left, *stable])


def test_a_cap_in_bytes_may_end_a_page_before_an_animal_that_is_larger_than_what_is_lost() -> None:
    """And keep what stands behind it from the page."""
    for size, room in ((1, True), (500, False)):
        other = listing([animal(50, name="n" * size)], limit=1, at=0.5)
        assert room is bool(suspected([other, page(1.0, *ALL), page(5.0, 9, 7)]))


def test_a_scan_may_end_at_a_large_animal_whatever_the_order_in_which_lists_show_what_it_found() -> None:
    """What left the middle of a page may stand behind that one in the order of the scan."""
    ids = range(2007, 1999, -1)
    for size, room in ((1, True), (500, False)):
        other = listing([animal(50, name="n" * size)], limit=1, at=0.5)
        left = [
            listing([own(each) for each in ids if each not in gone], limit=100, at=at)
            for at, gone in ((1.0, ()), (5.0, (2003,)))
        ]
        trace = [*made_in_order(), other, *left, got(2003, own(2003), at=6.0), *chosen_as_shown()]
        assert (suspected(trace) == {"sampled"}) is room


def young(at: float, *ids: int) -> Exchange:
    """The largest list: these of the run, and three that were there before."""
    return listing([*map(own, ids), *(animal(each) for each in (30, 20, 10))], limit=100, at=at)


def hidden_by_age(*, crowd: int = 8) -> list[Exchange]:
    """Lists that lose what the run has created some seconds ago, with so many new ones before the last of them."""
    older, newer = range(2000, 2012), range(2100, 2100 + crowd)
    begun = [young(0.0), *(each for at, one in enumerate(older) for each in made(one, at=1 + 0.1 * at))]
    left = [young(3.0, *reversed(older)), young(10.0), got(2000, own(2000), at=10.5)]
    many = [each for at, one in enumerate(newer) for each in made(one, at=20 + 0.1 * at)]
    pages = (young(at, *reversed(newer)) for at in (21.0, 22.0, 23.0))
    return [*begun, *left, *many, *(each for page in pages for each in turns(page, of=2000))]


def test_what_lists_hide_once_it_is_older_stands_amid_what_they_show() -> None:
    """Neither a cap nor a scan passes over what stands between newer animals, like it, and older ones."""
    trace = [
        each if each.request.target != "/pets/2000" else got(2000, own(2000), at=each.sent_s)
        for each in hidden_by_age()
    ]
    assert {CLAUSE} == failed_of(trace)


def test_many_like_an_animal_that_a_list_has_lost_are_added() -> None:
    """A cap in bytes may end lists before one that is large, and before all that stand behind it."""
    large = created(named("Babette" + "x" * 5000, status="sold"), 2050, at=12.0)
    trace = [*hidden_by_age(crowd=1)[:-7], large, young(13.0)]
    asked = [each.steps for each in asked_by(verdict_of(CLAUSE, trace))]
    assert 8 in [sum(isinstance(each, Create) for each in steps) for steps in asked]
