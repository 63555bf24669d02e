"""absence.py: what lists lack, and what is known of it."""

from __future__ import annotations

from dataclasses import replace

from animal_conformance.judge.knowledge.absence import (
    added_by,
    is_behind_large,
    is_filtered_last,
    is_gone,
    room_of,
    shown_in,
    size_of,
    stops,
    surrounds,
    turns_of,
)
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    WRONG,
    animal,
    animals,
    chosen_as_shown,
    created,
    exchange,
    got,
    ledger_of,
    listing,
    lost,
    named,
    own_name,
    payload,
    posted,
    unanswered,
    under,
)
from selftests.knowledge.pages import FOREIGN, available, made, page_of, whole
from selftests.tables import cases


def test_what_was_added_is_what_lists_may_lag_behind_no_longer() -> None:
    """By valid requests alone, and under an id that no other creation got."""
    early, late, page = made(1, 1.0), made(2, 4.0), whole(9.0)
    others = [posted({"name": 7}, 201, animal(3), at=1.0), made(4, 1.0), made(4, 1.5)]
    ledger = ledger_of(early, late, page, *others)
    assert [early] == [each.exchange for each in added_by(ledger, page_of(ledger, page), 5.0)]
    assert [early, late] == [each.exchange for each in added_by(ledger, page_of(ledger, page), 7.0)]


@cases(
    ("told", "gone"),
    {
        "nobody asked": ([], False),
        "not found": ([lost(1, at=6.0)], True),
        "gone": ([lost(1, 410, at=6.0)], True),
        "refused": ([lost(1, 400, at=6.0)], False),
        "no response": ([unanswered(got(1, at=6.0))], False),
        "not found before it was created": ([lost(1, at=0.5)], False),
        "found again": ([lost(1, at=6.0), got(1, at=7.0)], False),
        "created twice, and not found": ([made(1, 1.5), lost(1, at=6.0)], True),
        "it has moved": ([got(1, animal(1, status="sold"), at=6.0)], False),
    },
)
def test_an_animal_is_gone_where_it_was_not_found_and_never_seen_again(
    told: list[Exchange], *, gone: bool
) -> None:
    """Unless getPet was removed, and finds nothing."""
    page = whole(5.0)
    ledger = ledger_of(made(1, 1.0), page, *told)
    assert gone == is_gone(ledger, page_of(ledger, page), ledger.creations[0].animal_id)
    ledger = ledger_of(made(1, 1.0), page, lost(1, at=6.0), today="2031-01-01")
    assert not is_gone(ledger, page_of(ledger, page), ledger.creations[0].animal_id)


def telling(status: str, at: float) -> Exchange:
    """GetPet, with this status."""
    return got(1, animal(1, status=status), at=at)


@cases(
    ("told", "gone"),
    {
        "the same": ([telling("sold", 6.0)], False),
        "another": ([telling("pending", 6.0)], True),
        "another before the list, and nothing since": ([telling("pending", 2.0)], True),
        "back": ([telling("sold", 2.0), telling("pending", 3.0), telling("sold", 4.0)], False),
        "another one in an earlier list": ([listing([animal(1)], limit=1, at=2.0)], False),
        "another one in a later list": ([listing([animal(1)], limit=1, at=6.0)], True),
    },
)
def test_an_animal_is_gone_from_a_filtered_list_where_its_status_has_moved(
    told: list[Exchange], *, gone: bool
) -> None:
    """By what was told after the list, and by what getPet told last."""
    page = listing(animals(2, 100, status="sold"), limit=100, state="sold", at=5.0)
    ledger = ledger_of(created(payload(status="sold"), at=1.0), page, *told)
    assert gone == is_gone(ledger, page_of(ledger, page), ledger.creations[0].animal_id)


def test_what_shows_an_animal_is_a_list_or_getpet_that_contains_it() -> None:
    """Asked with the key, and with the status that is looked for."""
    shown = [got(1, at=2.0), listing([animal(1)], limit=1, at=3.0)]
    sold = [telling("sold", 4.0), listing([animal(1, status="sold")], limit=2, at=5.0)]
    others = [
        *(lost(1), unanswered(got(1)), under(got(1), WRONG), exchange("GET", "/pets/1", 201, animal(1))),
        *(got(1, animal(2)), got(1, [1]), got(2), listing([animal(2)], limit=3)),
    ]
    ledger = ledger_of(made(1, 1.0), *sold, *shown, *others)
    [creation] = ledger.creations
    assert [*shown, *sold] == shown_in(ledger, creation, None)
    assert sold == shown_in(ledger, creation, "sold")


@cases(
    ("last", "stopped"),
    {
        "it is as it was": (whole(9.0, 1), True),
        "one took another's place": (listing([*FOREIGN[1:], *animals(2)], limit=100, at=9.0), True),
        "it has grown": (whole(9.0, 1, 2), False),
        "it has grown more": (whole(9.0, 1, 2, 8), False),
        "it took up another": (whole(9.0, 1, 8), True),
        "it has grown, and lost one": (listing([*FOREIGN[1:], *animals(3)], limit=100, at=9.0), False),
        "lists may lag behind": (whole(3.0, 1), False),
    },
)
def test_a_query_stops_where_it_did_not_take_up_what_was_added(last: Exchange, *, stopped: bool) -> None:
    """Or where that took another one's place; where it did grow, it does not stop."""
    ledger = ledger_of(made(9, -5.0), whole(1.0, 1), made(2, 2.0), last)
    assert stopped == stops(ledger, page_of(ledger, last))
    ledger = ledger_of(made(9, -5.0), whole(1.0, 1), last)
    assert not stops(ledger, page_of(ledger, last))


@cases(
    ("trace", "last"),
    {
        "all of a list that does not grow": ([whole(9.0), available(10.0)], True),
        "some of it": ([whole(9.0), available(10.0, few=2)], True),
        "without the filter": ([whole(9.0), whole(10.0)], False),
        "more than that list shows": ([whole(9.0), available(10.0, 7)], False),
        "before that list": ([whole(9.0), available(8.0)], False),
        "before any list": ([whole(9.0), available(0.1)], False),
        "where that list had no room for more": (
            [listing(FOREIGN, limit=5, at=9.0), available(10.0, limit=5)],
            False,
        ),
        "where that list was longer": ([whole(0.7, 7), whole(9.0), available(10.0)], False),
        "where that list shows the animal": (
            [
                listing([*FOREIGN[1:], animal(2)], limit=100, at=9.0),
                listing(FOREIGN[1:], limit=100, state="available", at=10.0),
            ],
            False,
        ),
        "while lists may lag behind": ([whole(3.0), available(3.5)], False),
    },
)
def test_a_filter_is_applied_to_what_a_list_holds_that_does_not_grow(
    trace: list[Exchange], *, last: bool
) -> None:
    """So it is of the last one before the page, whatever those before that one had room for."""
    unnamed = [*FOREIGN[:4], animal(...)]
    begun = [listing(unnamed, limit=limit, at=at) for limit in (5, 100) for at in (0.5, 1.0)]
    ledger = ledger_of(*begun, made(2, 2.0), *trace)
    assert last == is_filtered_last(ledger, page_of(ledger, trace[-1]), 2)


def test_a_page_surrounds_an_animal_between_an_older_and_a_newer_one() -> None:
    """What is cut off is at an end."""
    trace = [whole(0.5), made(1, 1.0), made(2, 2.0), made(3, 3.0)]
    both, older, newer = whole(9.0, 3), whole(9.1, 1), listing([animal(3)], limit=9, at=9.2)
    ledger = ledger_of(*trace, both, older, newer)
    creation = ledger.creations[1]
    assert [True, False, False] == [
        surrounds(ledger, page_of(ledger, each), creation) for each in (both, older, newer)
    ]


def test_another_page_has_to_have_room_for_the_largest_that_may_have_been_cut_off() -> None:
    """Unless the page shows older and newer ones that are like it."""
    small, large = made(1, 1.0), created(named(own_name(2) + "x" * 60), 2, at=1.5)
    page = whole(9.0)
    around = [whole(0.5), made(4, 0.8), small, large, made(3, 3.0), last := whole(9.1, 4, 3)]
    ledger = ledger_of(page, *around, *chosen_as_shown())
    missing = [ledger.animals[each].creations[0] for each in (1, 2)]
    sizes = [size_of(each) for each in missing]
    assert [len(each.response.body) + 1 for each in missing] == sizes
    assert max(sizes) == room_of(page_of(ledger, page), missing, ledger)
    assert max(sizes) == room_of(page_of(ledger, last), missing, ledger)
    assert min(sizes) == room_of(page_of(ledger, last), missing[:1], ledger)


def test_what_a_page_surrounds_may_have_been_cut_off_where_its_order_is_not_that_of_the_choice() -> None:
    """Either it shows no order of age, or lists are chosen in another order: the largest that it does not show counts."""
    small, large = made(1, 1.0), created(named(own_name(2) + "x" * 60), 2, at=1.5)
    pages = whole(9.0, 6, 3), whole(9.2, 4, 3, 5, 6), whole(9.3, 6, 2, 3), whole(9.4, 5, 4, 3, 6)
    around = [
        whole(0.5),
        made(6, 0.8),
        small,
        large,
        *(made(each, float(each)) for each in (3, 4, 5)),
        *pages,
    ]
    for ordered, larger in (chosen_as_shown(), (False, True, False, False)), ([], (True, True, False, True)):
        ledger = ledger_of(*around, *ordered)
        missing = [ledger.animals[1].creations[0]]
        of_large = size_of(ledger.animals[2].creations[0])
        rooms = [room_of(page_of(ledger, each), missing, ledger) for each in pages]
        assert list(larger) == [each == of_large for each in rooms]


def test_an_animal_of_which_everything_is_open_may_have_been_the_first_that_did_not_fit() -> None:
    """One of many kilobytes is none that a list has to show; where it stands, a cap in bytes ends the page."""
    small, large = made(1, 1.0), created(named("B" * 20_000), 2, at=8.9)
    ledger = ledger_of(whole(0.5), small, large, page := whole(9.0), created(named("C" * 30_000), 3, at=9.5))
    of_small, of_large = (ledger.animals[each].creations[0] for each in (1, 2))
    assert size_of(of_large) == room_of(page_of(ledger, page), [of_small], ledger)


def test_a_list_may_end_before_an_animal_that_is_larger_than_any_page() -> None:
    """Where the newest are first; until a smaller one is added, and where any list shows anything."""
    trace = [made(1, 1.0), whole(2.0, 1), created(named("B" * 20_000), 2, at=3.0)]
    empty, later = whole(4.0), whole(6.0)
    ledger = ledger_of(*trace, empty, made(4, 5.0), later)
    assert [True, False] == [is_behind_large(ledger, page_of(ledger, each)) for each in (empty, later)]
    nothing = listing([], at=4.0)
    ledger = ledger_of(trace[0], trace[2], nothing)
    assert not is_behind_large(ledger, page_of(ledger, nothing))


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


def test_a_page_that_was_requested_before_the_animal_was_shown_is_no_turn() -> None:
    """And of more turns than it takes, the first are taken."""
    pages = [whole(1.0), whole(2.0), whole(2.2), whole(3.0), whole(4.0)]
    seen = [got(1, at=at) for at in (1.5, 2.5, 3.5, 4.5)]
    ledger = ledger_of(*pages, *seen)
    turns = turns_of(ledger, ledger.completeness.pages, seen)
    assert ([*pages[:2], pages[3]], seen[:3]) == ([each.exchange for each in turns.absences], [*turns.shown])


def test_a_page_is_compared_with_the_one_before_it() -> None:
    """Where it lost what that had added, it is unlike; not where nothing was shown after it."""
    pages = [whole(1.0), whole(2.0, 7), whole(3.0)]
    ledger = ledger_of(*pages)
    alike = turns_of(ledger, ledger.completeness.pages, [got(1, at=at) for at in (1.5, 2.5, 3.5)])
    assert (1, False) == (alike.unlike, alike.complete)
    ledger = ledger_of(*pages[1:], whole(4.0))
    unseen = turns_of(ledger, ledger.completeness.pages, [])
    assert (0, 0) == (len(unseen.absences), unseen.unlike)
    ledger = ledger_of(whole(1.0, 7), whole(2.0, 7), whole(3.0))
    once = turns_of(ledger, ledger.completeness.pages, [got(1, at=1.5)])
    assert (1, 0) == (len(once.absences), once.unlike)


@cases(
    ("last", "limit", "unlike"),
    {
        "the oldest made room": ([7, 8, 9], 3, 0),
        "there was room": ([7, 8, 9], 4, 1),
        "in no order of age": ([8, 7, 9], 3, 1),
        "a newer one is gone": ([6, 7, 9], 3, 1),
    },
)
def test_a_full_page_is_alike_where_the_oldest_made_room_for_what_was_added(
    last: list[int], limit: int, unlike: int
) -> None:
    """As where only the newest are kept."""
    before, after = (
        listing([animal(each) for each in ids], limit=limit, at=at)
        for ids, at in (([6, 7, 8], 8.5), (last, 11.0))
    )
    ledger = ledger_of(*(made(each, float(each)) for each in range(1, 9)), before, made(9, 9.0), after)
    assert unlike == turns_of(ledger, ledger.completeness.pages, [], needed=False).unlike


def aged(of: Exchange, age_s: int) -> Exchange:
    """The same response, stored so many seconds ago."""
    assert of.response is not None
    return replace(of, response=replace(of.response, headers=(*of.response.headers, ("Age", str(age_s)))))


@cases(
    ("pages", "shown", "complete"),
    {
        "an animal shown from a store since the first page": (
            [whole(1.0), whole(2.0), whole(3.0)],
            [got(1, at=1.5), got(1, at=2.5), aged(got(1, at=3.5), 2)],
            True,
        ),
        "an animal shown from a store since before that": (
            [whole(1.0), whole(2.0), whole(3.0)],
            [got(1, at=1.5), got(1, at=2.5), aged(got(1, at=3.5), 3)],
            False,
        ),
        "a page stored with the one before it": (
            [whole(1.0), whole(2.0), aged(whole(3.0), 1)],
            [got(1, at=1.5), got(1, at=2.5), got(1, at=3.5)],
            True,
        ),
        "a page stored before that": (
            [whole(1.0), whole(3.0), aged(whole(4.0), 2)],
            [got(1, at=1.5), got(1, at=3.5), got(1, at=4.5)],
            False,
        ),
    },
)
def test_a_stored_response_is_no_turn_where_it_may_be_older_than_the_turns(
    pages: list[Exchange], shown: list[Exchange], *, complete: bool
) -> None:
    """A page may be the one before it, and an animal may have been there before the first one."""
    ledger = ledger_of(*pages, *shown)
    assert complete == turns_of(ledger, ledger.completeness.pages, shown).complete


def test_turns_that_need_no_response_are_of_pages_alone() -> None:
    """As where getPet was removed; one that was unlike spoils them."""
    pages = [whole(1.0), whole(2.0), whole(3.0)]
    ledger = ledger_of(*pages)
    turns = turns_of(ledger, ledger.completeness.pages, [], needed=False)
    assert turns.complete
    assert tuple(pages) == turns.shown
    ledger = ledger_of(whole(0.5, 7), *pages)
    spoilt = turns_of(ledger, ledger.completeness.pages, [], needed=False)
    assert (3, False) == (len(spoilt.absences), spoilt.complete)
