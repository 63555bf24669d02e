"""knowledge/doubles.py: animals with the names of creations under ids that no 201 has given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from animal_conformance.judge.knowledge.doubles import Doubles
from animal_conformance.record.exchange import Exchange
from selftests.exchanges import (
    WRONG,
    animal,
    created,
    got,
    ledger_of,
    listing,
    named,
    payload,
    refused,
    unanswered,
    unauthorised,
)
from selftests.tables import cases

FIRST = created(named("Annabelle"), 1, at=0.1)
# Two names begin in this one: what begins in it may be either.
OVERLAPPING = "Acabacdefghijklm"


def name_of(number: int) -> str:
    """A name that the run has made up."""
    return f"Acabcdefghi{'abcdefgh'[number]}"


def added(number: int, at: float, animal_id: int | None = None, **sent: Any) -> Exchange:
    """A creation, whose animal has an even id."""
    return created(named(name_of(number), **sent), animal_id or 10 + 2 * number, at=at)


def listed(
    at: float, *numbers: int, doubled: tuple[int, ...] = (), limit: int = 100, **shown: Any
) -> Exchange:
    """A list with the animals of these numbers; of some of them another one, which has an odd id."""
    own = [animal(10 + 2 * each, name=name_of(each), **shown) for each in numbers]
    others = [animal(11 + 2 * each, name=name_of(each), **shown) for each in doubled]
    return listing([*own, *others], limit=limit, at=at)


def twice(number: int, at: float) -> list[Exchange]:
    """A creation, and half a second later a list with its animal and a double."""
    return [added(number, at), listed(at + 0.5, number, doubled=(number,))]


def doubles_of(*trace: Exchange, rejected: bool = False) -> Doubles:
    """The doubles in a trace that begins with the run's first animal."""
    return Doubles(ledger_of(FIRST, *trace), rejected=rejected)


@cases(
    "unsure",
    {
        "no text": [created(payload(name=7), 50, at=0.5)],
        "anybody may have it": [created(named("Whiskerton"), 50, at=0.5)],
        "lost, and then created": [unanswered(added(5, 0.5)), added(5, 0.6)],
        "sent with a wrong key, too": [unauthorised(added(5, 0.5), WRONG), added(5, 0.6)],
        "shown by the animal of another creation": [
            *(added(5, 0.5), added(2, 0.6)),
            listing([animal(20, name=name_of(2))], limit=9, at=0.9),
        ],
    },
)
def test_a_name_that_tells_nothing_says_nothing_of_others(unsure: list[Exchange]) -> None:
    """Its own animals may lawfully be there twice."""
    doubles = doubles_of(*unsure, *twice(0, 1.0))
    assert name_of(0) in doubles.given
    assert name_of(5) not in doubles.given
    assert [11] == list(doubles.by_id)


def test_an_animal_that_shows_no_text_as_its_name_is_that_of_its_own_creation() -> None:
    """animal.name says that it is wrong."""
    wrong = listing([animal(10, name=["Ac"]), animal(500, name=["Ac"])], limit=9, at=1.2)
    assert [11] == list(doubles_of(*twice(0, 1.0), wrong).by_id)


def test_where_nothing_was_created_there_are_no_doubles() -> None:
    """Whatever lists show."""
    assert not Doubles(ledger_of(listed(1.0, 0, doubled=(0,)))).by_id


def test_an_animal_that_no_list_has_shown_is_no_double() -> None:
    """It cannot be seen beside another one."""
    assert not doubles_of(added(0, 1.0), got(11, animal(11, name=name_of(0)), at=1.2)).by_id


def test_a_double_was_seen_in_the_first_list_that_showed_it() -> None:
    """Whatever was listed since."""
    trace = [*twice(0, 1.0), later := listed(3.0, 0, doubled=(0,))]
    (double,) = doubles_of(*trace).by_id.values()
    assert trace[1] == double.seen != later


@pytest.mark.parametrize("other", [{"categoryId": 2}, {"status": "sold"}])
def test_a_double_belongs_to_the_creation_with_its_values(other: dict[str, Any]) -> None:
    """Of two with the same name, whichever was first."""
    for kind in ({}, other):
        shown = [animal(each, name=name_of(0), **kind) for each in (10, 11)]
        pair = [added(0, 1.0), added(0, 1.2, 12, **other)]
        (double,) = doubles_of(*pair, listing(shown, limit=100, at=1.5)).by_id.values()
        assert (12 if kind else 10) == double.creation.animal_id


def test_a_double_whose_name_was_cut_is_recognised_by_how_it_begins() -> None:
    """Also where another name seems to begin within it."""
    cut = animal(11, name=f"{OVERLAPPING[:12]} II")
    trace = [created(named(OVERLAPPING), 10, at=1.0), listing([cut], limit=100, at=1.5)]
    assert [11] == list(doubles_of(*trace).by_id)


def test_copies_of_two_statuses_are_not_all_relisted_with_one() -> None:
    """The one that is alike is a double."""
    trace = [added(0, 1.0), added(1, 1.1, status="sold"), added(2, 1.2, 30, status=...)]
    shown = [animal(11, name=name_of(0), status="pending"), animal(13, name=name_of(1), status="sold")]
    assert [13] == list(doubles_of(*trace, listing(shown, limit=100, at=1.5)).by_id)


def test_in_a_chain_each_was_created_after_the_one_before_it_had_been_seen_twice() -> None:
    """Two that were created between these are copied together."""
    pair = [added(1, 2.0), added(2, 2.2), listed(2.5, 1, 2, doubled=(1, 2))]
    doubles = doubles_of(*twice(0, 1.0), *pair, *twice(3, 3.0))
    assert [11, 13, 17] == [each.animal_id for each in doubles.chain]
    assert [11, 17] == [each.animal_id for each in doubles.tried]


@cases(
    ("ids", "limit", "at", "chained"),
    {
        "the last of a full one": ([8, 9, 10], 3, 1.2, True),
        "the first of a full one": ([10, 8, 9], 3, 1.2, False),
        "within a full one": ([8, 10, 9], 3, 1.2, False),
        "the last of one with room": ([8, 9, 10], 4, 1.2, False),
        "while it was created": ([8, 9, 10], 4, 1.005, True),
    },
)
def test_an_animal_was_alone_in_a_list_that_had_a_place_for_its_double(
    ids: list[int], limit: int, at: float, *, chained: bool
) -> None:
    """Then another client may have copied it, after a while."""
    shown = [animal(each, name=name_of(0) if each == 10 else "another") for each in ids]
    alone = listing(shown, limit=limit, at=at)
    assert chained == bool(doubles_of(*twice(0, 1.0), alone).chain)


def test_where_some_are_single_a_double_has_had_its_name_from_the_first() -> None:
    """One that was listed under another name, and then renamed, is another client's."""
    partner = listing([animal(11, name=f"{name_of(0)} (partner)")], limit=100, at=1.5)
    renamed = [partner, listed(2.0, 0, doubled=(0,))]
    single = [added(7, 2.6), listed(2.7, 7)]
    assert [11] == [each.animal_id for each in doubles_of(added(0, 1.0), *renamed).chain]
    assert not doubles_of(added(0, 1.0), *renamed, *single).chain


@pytest.mark.parametrize("names", [(str.lower, str.lower), (str.lower, str)])
def test_the_name_of_an_animal_is_what_was_sent_and_what_lists_show_of_it(
    names: tuple[Callable[[str], str], ...],
) -> None:
    """A deployment may store names in lower case, or only some of them."""
    pair = [animal(10 + each, name=how(name_of(0))) for each, how in enumerate(names)]
    single = [added(7, 2.6), listed(2.7, 7)]
    assert doubles_of(added(0, 1.0), listing(pair, limit=100, at=1.5), *single).chain


@cases(
    ("others", "count"),
    {
        "one": ([added(5, 3.0), listed(3.5, 5)], 1),
        "not listed": ([added(5, 3.0)], 0),
        "created before the first double was seen": ([added(5, 1.2), listed(3.5, 5)], 0),
        "created as it was seen": ([added(5, 1.5), listed(3.5, 5)], 0),
        "of another kind": ([added(5, 3.0, categoryId=2), listed(3.5, 5, categoryId=2)], 0),
        "again under its name": ([added(5, 1.2), added(5, 3.0, 40), listed(3.5, 5)], 0),
        "again, but not listed": ([added(5, 3.0), added(5, 3.1, 40), listed(3.5, 5)], 1),
        "again, of another kind": ([added(5, 3.0), added(5, 3.1, 40, categoryId=2), listed(3.5, 5)], 1),
        "one that is there twice": (twice(5, 3.0), 0),
        "one that was alone at first": ([added(5, 3.0), listed(3.2, 5), listed(3.5, 5, doubled=(5,))], 1),
    },
)
def test_single_are_animals_like_one_that_were_created_since_the_first_double_was_seen(
    others: list[Exchange], count: int
) -> None:
    """By the first creation with a name."""
    doubles = doubles_of(*twice(0, 1.0), *others)
    assert count == doubles.single(doubles.by_id[11].creation)


def test_an_animal_that_is_there_twice_is_not_single_although_its_name_holds_another() -> None:
    """Names are told apart by how they begin."""
    trace: list[Exchange] = []
    for at, name in enumerate((name_of(0) + OVERLAPPING[12:], OVERLAPPING), 1):
        pair = [animal(10 * at + each, name=name) for each in (0, 1)]
        trace += [created(named(name), 10 * at, at=at), listing(pair, limit=100, at=at + 0.5)]
    doubles = doubles_of(*trace)
    assert [11, 21] == list(doubles.by_id)
    assert 0 == doubles.single(doubles.by_id[11].creation)


def shut(at: float, *numbers: int) -> Exchange:
    """A list of one place, which is taken."""
    return listing(
        [animal(10 + 2 * each, name=name_of(each)) for each in numbers] or [animal(900)], limit=1, at=at
    )


@cases(
    ("others", "would"),
    {
        "it has room": ([added(5, 3.0), listed(3.5, limit=1)], True),
        "it is full": ([added(5, 3.0), shut(3.5)], False),
        "it had room once": ([listed(2.5, limit=1), added(5, 3.0), shut(3.5)], False),
        "it has room again": ([shut(2.5), added(5, 3.0), listed(3.5, limit=1)], True),
        "it shows the newest": ([added(5, 3.0), shut(3.5, 5)], True),
        "it shows one before the newest": ([added(4, 2.5), added(5, 3.0), shut(3.5, 4)], False),
        "it shows the newest before the list": ([added(5, 3.0), shut(3.5, 5), added(6, 4.0)], True),
        "it shows the newest of the status": (
            [added(5, 3.0), added(6, 3.2, status="sold"), shut(3.5, 5)],
            True,
        ),
        "it shows the animal itself, and none came later": ([shut(3.5, 0)], True),
        "nothing is known of such a list": ([added(5, 3.0)], True),
        "another list has room": ([added(5, 3.0), shut(3.5), listed(4.0)], False),
    },
)
def test_a_list_would_show_a_new_animal_where_it_has_room_or_shows_the_newest(
    others: list[Exchange], *, would: bool
) -> None:
    """By the last such list."""
    doubles = doubles_of(*twice(0, 1.0), *others)
    assert would == doubles.would_show(doubles.by_id[11].creation, shut(0.0))


def test_what_may_have_added_a_double_are_the_creation_and_rejections_before_it_was_seen() -> None:
    """Where names count that were rejected."""
    before, after = (refused(named(name_of(0)), at=at) for at in (1.2, 1.7))
    put_off = refused(named(name_of(0)), 429, at=0.9)
    made, page = twice(0, 1.0)
    doubles = doubles_of(put_off, made, before, page, after, rejected=True)
    assert [made, before, put_off] == list(doubles.requests_for(doubles.by_id[11]))
    assert not doubles_of(made, before, page).given
    alone = doubles_of(made, page)
    assert [made] == list(alone.requests_for(alone.by_id[11]))


@cases(
    ("others", "at_once"),
    {
        "its animal was read": ([got(10, animal(10, name=name_of(0)), at=1.2)], True),
        "another one was read": ([got(1, at=1.2)], False),
        "another one was read before": ([got(1, at=0.9)], True),
        "another one was read afterwards": ([got(1, at=1.8)], True),
        "another one was read meanwhile, over the creation": ([got(1, at=0.95, took=0.2)], False),
    },
)
def test_where_some_come_later_a_double_has_to_be_there_before_anything_else_is_asked(
    others: list[Exchange], *, at_once: bool
) -> None:
    """And sooner than those: whoever copies an animal has to see it first."""
    late = [added(5, 5.0), listed(6.0, 5), listed(6.5, 5, doubled=(5,))]
    doubles = doubles_of(*twice(0, 1.0), *others, *late)
    assert at_once == (11 in {each.animal_id for each in doubles.chain})
    sooner = [added(5, 5.0), listed(5.2, 5), listed(6.5, 5, doubled=(5,))]
    assert not doubles_of(*twice(0, 1.0), *others, *sooner).chain


@pytest.mark.parametrize(
    ("category_id", "doubled"), [(1, True), ("12", False)], ids=["its name", "its category"]
)
def test_a_double_of_a_rejected_animal_was_rejected_for_its_name(
    category_id: object, *, doubled: bool
) -> None:
    """What is rejected for another value is put right under the same name, and somebody may copy it."""
    rejected = refused({**named(name_of(0)), "categoryId": category_id}, at=0.9)
    ledger = ledger_of(FIRST, rejected, added(0, 1.0), listed(2.0, 0, doubled=(0,)))
    assert doubled == bool(Doubles(ledger, rejected=True).by_id)
    assert {} == Doubles(ledger).by_id
