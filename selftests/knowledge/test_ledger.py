"""ledger.py: what a trace has taught."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Credential, Exchange
from selftests.exchanges import (
    ABSENT,
    TERMS,
    WRONG,
    animal,
    animals,
    answered,
    created,
    exchange,
    got,
    ledger_of,
    listing,
    lost,
    payload,
    posted,
    refused,
    spoken,
    unanswered,
    unauthorised,
    under,
    unlisted,
)


def test_creations_teach_animals() -> None:
    """Ids, payloads, categories and names that were accepted."""
    ledger = ledger_of(created(payload(name="Babette", categoryId=7), 5))
    assert ([5], [7]) == (list(ledger.animals), list(ledger.accepted_categories))
    creation = ledger.animals[5].creation
    assert creation is not None
    assert creation is ledger.creation_of(creation.exchange)
    assert "Babette" in ledger.names.accepted


@pytest.mark.parametrize("sent", [b"\xef\xbb\xbf{}", b"{", b"\xff", b"[]", b"", b"7 7"])
def test_what_was_accepted_and_is_no_payload_is_asked_for_again_by_what_was_returned(sent: bytes) -> None:
    """Experiments create animals like it; a payload is sent again as it was."""
    answer = {"id": 5, "name": "Babette", "categoryId": 1.5, "tag": "x"}
    [creation] = ledger_of(posted(sent, 201, answer)).creations
    assert {"name": "Babette", "categoryId": 1.5} == json.loads(creation.body)
    [creation] = ledger_of(posted(b'{"name":"Babette", "categoryId": 7}\n', 201, answer)).creations
    assert '{"name":"Babette", "categoryId": 7}\n' == creation.body


@pytest.mark.parametrize("answer", [None, [], {}, {"id": "5"}, {"id": 2**63}, {"id": True}])
def test_a_creation_without_an_id_teaches_no_animal(answer: object) -> None:
    """Its name was accepted all the same."""
    ledger = ledger_of(posted(payload(), 201, answer))
    assert {} == ledger.animals
    assert "Whiskerton" in ledger.names.accepted


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
    "changed", [{"status": "sold"}, {"name": "other"}, {"categoryId": True}, {"status": ...}, {"id": 1.0}]
)
def test_what_is_shown_with_a_change_is_another_sighting(changed: dict[str, object]) -> None:
    """Also where it is only the type that changed, or goes back to what it was."""
    shown = [animal(1), animal(1, **changed), animal(1)]
    known = ledger_of(*(listing([each], at=float(at)) for at, each in enumerate([*shown, shown[0]])))
    assert [1, 1, 2] == [each.times for each in known.animals[1].listed]
    assert [0.0, 1.0, 2.0] == [each.first.sent_s for each in known.animals[1].listed]


def test_lists_and_gets_are_sightings_of_their_own() -> None:
    """Since only a status that getPet shows twice has moved."""
    known = ledger_of(got(1, at=1.0), listing([animal(1)], at=0.0), got(1, at=2.0)).animals[1]
    assert ([1], [2]) == ([each.times for each in known.listed], [each.times for each in known.gets])
    assert known.listed[0] is known.first_sighting
    other = ledger_of(listing([animal(1)], at=0.0), got(2, at=1.0), listing([animal(2)], at=2.0)).animals[2]
    assert other.gets[0] is other.first_sighting


@pytest.mark.parametrize(
    "answer",
    [
        got(3, animal(4)),
        got(10**12),
        got(3, {**animal(3), "id": True}),
        got(3, animal("3")),
        got(1, [animal(3)]),
        got("abc", animal(None)),
        exchange("GET", "/pets/3", 404, animal(3)),
        exchange("PUT", "/pets/3", 200, animal(3)),
        listing({"3": animal(3)}),
        listing([animal("3"), {**animal(3), "id": True}, animal(2**63), 3]),
        posted(payload(), 200, animal(3)),
        posted(payload(), 202, animal(3)),
    ],
)
def test_what_shows_no_animal_by_its_id_teaches_none(answer: Exchange) -> None:
    """Another id, one that is far from all, one that is no int64, another status, another shape."""
    assert [1] == list(ledger_of(listing([animal(1)], at=0.0), answer).animals)


def test_an_animal_that_getpet_alone_shows_near_others_is_known() -> None:
    """Others create animals meanwhile; 5.0 is 5."""
    trace = [listing([animal(1)], at=0.0), got(3), got(5, animal(5.0, status="sold"), at=2.0)]
    ledger = ledger_of(*trace, created(animal_id=7, at=3.0))
    assert [1, 3, 5, 7] == list(ledger.animals)
    assert (1, 3) == tuple(ledger.known_count(each, 9.0) for each in ("sold", "available"))


def test_true_is_no_id() -> None:
    """Not even that of the first animal; what is no text is no name, and what is no object no animal."""
    trace = [listing([animal(1)]), got(1, {**animal(1), "id": True}), got(1, [1]), got("abc", {"id": None})]
    trace += [listing([[], animal(2, name=[])]), posted({"name": []}, 201, {}), refused({"name": []})]
    ledger = ledger_of(*trace, unanswered(posted({"name": []})), unanswered(listing()))
    assert ([1, 2], []) == (list(ledger.animals), ledger.animals[1].gets)
    assert (set(), set()) == (ledger.names.accepted, ledger.names.unclear)


def test_answers_are_learned_in_the_order_in_which_they_came() -> None:
    """Of those that came together, by number and step."""
    first, second, third = (listing(at=1.0) for _ in range(3))
    early, late = replace(second, sequence=9), replace(third, sequence=9, step=2)
    slow, last = listing(at=0.0, took=9.0), listing(at=2.0)
    ledger = ledger_of(slow, last, late, early, replace(first, sequence=1))
    assert ["1", "9", "9.2", last.reference, slow.reference] == [each.reference for each in ledger.exchanges]


def test_how_valid_requests_were_answered_is_known_by_credential() -> None:
    """What authentication compares with: neither throttling, nor unknown animals, nor invalid requests."""
    page = listing(at=2.0)
    trace = [
        *(listing([animal(1)], at=0.0), unauthorised(page), under(page, WRONG)),
        *(unlisted(429), unlisted(503), unlisted(500), unlisted(400, limit=0), listing(query="x=1")),
        *(lost(1, 403), lost(7, 404), exchange("GET", "/orders", 404)),
    ]
    answers = {key: value for key, value in ledger_of(*trace).valid_answers.items() if value}
    assert answers == {
        (Operation.LIST, Credential.VALID): {200, 500},
        (Operation.LIST, ABSENT): {401},
        (Operation.LIST, WRONG): {200},
        (Operation.GET, Credential.VALID): {403},
    }


def test_gets_are_remembered_by_the_id_that_was_asked_for() -> None:
    """Whatever was answered; not those without an answer."""
    found, gone, other = got(1), lost(1, at=2.0), lost("abc", at=3.0)
    assert {1: [found, gone]} == dict(ledger_of(found, gone, other, unanswered(got(1))).gets)


def test_what_is_apart_has_another_request_served_in_between() -> None:
    """One that was sent after the one before was answered, and answered before the next was sent."""
    tried = [unanswered(listing(limit=7), at=at) for at in (1.0, 2.0, 3.0, 4.0)]
    for between, apart in (
        ([], [1.0]),
        ([listing(at=2.5)], [1.0, 3.0]),
        ([listing(at=1.005)], [1.0]),
        ([listing(at=2.5, took=1.0)], [1.0]),
        ([unlisted(400, limit=0, at=2.5)], [1.0]),
        ([created(at=1.5), got(1, at=3.5)], [1.0, 2.0, 4.0]),
    ):
        ledger = ledger_of(*tried, *between)
        assert apart == [each.sent_s for each, _ in ledger.times_apart(tried)]
        assert 4 == len(ledger.asked[tried[0].request])


def test_parameters_that_were_accepted_alone_are_remembered() -> None:
    """What makes a refusal of both the fault of both."""
    trace = [
        *(listing(), listing(limit=5), listing(state="sold"), listing(limit=6, state="pending")),
        *(listing(limit=0), unlisted(400, limit=7), under(listing(limit=8), WRONG), listing({}, limit=9)),
    ]
    assert {("limit", "5"), ("status", "sold")} == ledger_of(*trace).accepted_alone


def test_pages_are_lists_that_the_key_was_given() -> None:
    """With what was asked for: the default limit where none was."""
    shown = listing([animal(1), 5, animal("x"), animal(3)], state="sold")
    others = [listing(limit=0), under(listing(), ABSENT), listing({}), listing(query="x=1"), unlisted(404)]
    [first, second] = ledger_of(shown, listing(limit=7, at=2.0), *others).pages
    assert (20, "sold", 4, (1, 3)) == (first.limit, first.status, first.length, first.ids)
    assert (7, None, 0) == (second.limit, second.status, second.length)


def test_filters_that_showed_an_animal_without_a_status_are_remembered() -> None:
    """Reading 5: it is one status that was left out."""
    bare, clothed = animal(1, status=...), animal(2, status="sold")
    trace = [listing([bare, clothed], state=each) for each in ("sold", "pending")]
    trace += [listing([bare]), listing([bare], query="status=available&x=1")]
    known = ledger_of(*trace).animals
    assert ({"sold", "pending"}, set()) == (known[1].listed_without_status, known[2].listed_without_status)


def test_the_first_creation_with_a_payload_is_known() -> None:
    """The same values in the same order; refused ones are none."""
    trace = [refused(at=0.0), created(animal_id=1), created(animal_id=2, at=2.0)]
    assert trace[1] is getattr(ledger_of(*trace).first_with(payload()), "exchange", None)
    assert None is ledger_of(*trace).first_with(payload(name="Other one"))


def test_a_category_is_accepted_by_a_valid_creation_alone() -> None:
    """What is open or invalid may have been read otherwise."""
    odd = [created(payload(categoryId=each, colour="x"), each) for each in (1, 2)]
    wrong = [
        created(payload(categoryId=3, name=5), 3),
        refused(payload(categoryId=5)),
        posted(b"{", 201, animal(4)),
    ]
    assert [7] == list(ledger_of(*odd, *wrong, created(payload(categoryId=7), 9)).accepted_categories)


def test_the_time_at_which_a_name_was_shown_first_is_known() -> None:
    """By lists and by getPet; a name that is none is nobody's."""
    trace = [listing([animal(1), animal(2, name=5)], at=1.0, took=0.5), got(1, at=3.0)]
    trace.append(listing([animal(1, status="sold")], at=4.0))
    assert {"animal 1": 1.5} == ledger_of(*trace).names.seen


def test_animals_are_counted_by_when_they_were_known() -> None:
    """And by the status that was seen first."""
    ledger = ledger_of(listing([animal(1), animal(2, status="sold"), animal(3, status=...)], took=1.0))
    assert 3 == ledger.known_count(None, 2.5)
    assert (3, 1, 1, 0) == tuple(
        ledger.known_count(status, 9.0) for status in (None, "sold", "available", "pending")
    )
    assert (0, 0) == (ledger.known_count(None, 1.5), ledger.known_count(None, 2.0))


@pytest.mark.parametrize(
    ("animal_id", "far"),
    [
        (1, False),
        (0, False),
        (11, False),
        (1_000_011, True),
        (1_000_010, False),
        (-999_999, False),
        (-1_000_000, True),
        (-(10**9), True),
    ],
)
def test_an_id_is_far_where_no_known_one_is_near(animal_id: int, *, far: bool) -> None:
    """By more than anybody creates during a run."""
    assert far == ledger_of(listing(animals(10))).is_far(animal_id)


def test_an_id_near_the_only_known_one_is_not_far() -> None:
    """On either side; on an empty store every id is."""
    ledger = ledger_of(listing([animal(10)]))
    assert [False, False, True] == [ledger.is_far(each) for each in (9, 11, 10**9)]
    assert ledger_of().is_far(9)


def test_what_becomes_known_later_is_known_to_be_near() -> None:
    """A ledger is read while it learns."""
    ledger = ledger_of(listing([animal(1)]))
    assert ledger.is_far(10**9)
    ledger.learn(listing([animal(10**9)], at=2.0))
    assert not ledger.is_far(10**9 + 1)


def test_what_becomes_known_later_is_not_near_before() -> None:
    """Where a store has adopted an id, and counts on from it."""
    ledger = ledger_of(listing([animal(1)], at=1.0), *(created(animal_id=10**9 + at, at=at) for at in (3, 4)))
    assert ledger.is_far(10**9, before_s=3.0)
    assert not ledger.is_far(10**9, before_s=9.0)
    assert not ledger.is_far(2, before_s=3.0)


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
        ([listing([animal(1)]), unauthorised(lost(1), WRONG, 404)], "2031-01-01", False),
        ([listing([animal(1)]), unauthorised(lost(1), WRONG), lost(1, at=2.0)], "2031-01-01", True),
        ([listing([animal(1)]), lost(1, 410, at=2.0), lost(1, 403, at=3.0)], "2031-01-01", False),
        ([listing([animal(1)]), lost(1, 410, at=2.0), lost(1, 404, at=3.0)], "2031-01-01", True),
        ([listing(animals(2)), lost(1, 404, at=2.0), got(2, at=3.0)], "2031-01-01", False),
        ([], "2031-01-01", False),
    ],
)
def test_getpet_is_removed_where_known_animals_are_gone_after_its_date(
    trace: list[Exchange], today: str, *, removed: bool
) -> None:
    """Reading 14."""
    assert removed == ledger_of(*trace, today=today).get_pet_is_removed


@pytest.mark.parametrize(
    ("refusal", "comes_and_goes"),
    [
        pytest.param(unlisted(401, at=1.0), True, id="refused for a time"),
        pytest.param(answered(listing(), 403, wait="1"), False, id="asked to wait"),
        pytest.param(unauthorised(listing(), WRONG), False, id="another key"),
        pytest.param(unlisted(401, limit=0, at=1.0), False, id="an invalid request"),
    ],
)
def test_a_key_comes_and_goes_where_the_very_request_was_refused_for_it_and_then_accepted(
    refusal: Exchange, *, comes_and_goes: bool
) -> None:
    """What asks to wait, another key and what may be refused anyway say nothing of it."""
    later = replace(listing(at=9.0), request=refusal.request)
    assert comes_and_goes is ledger_of(refusal, later).key_comes_and_goes


def test_exchanges_that_were_learned_out_of_order_once_are_out_of_order() -> None:
    """Whatever comes after them; then they are put in order before they are judged."""
    ledger = Ledger(TERMS)
    for each, in_order in ((1.0, True), (3.0, True), (2.0, False), (4.0, False)):
        ledger.learn(listing(at=each))
        assert in_order is ledger.in_order


def test_an_animal_that_is_told_anew_and_again_was_told_last_as_it_is_now() -> None:
    """Not as it was before."""
    first, *later = [got(1, animal(1, name=name), at=at) for name, at in (("a", 1.0), ("b", 2.0), ("b", 3.0))]
    before, now = ledger_of(listing([animal(1)], at=0.5), first, *later).animals[1].gets
    assert (first, first) == (before.first, before.last)
    assert tuple(later) == (now.first, now.last)


def test_lists_alone_show_that_a_list_without_parameters_is_answered() -> None:
    """A getPet has none either."""
    assert not ledger_of(created(), got(1)).lists_plainly
    assert not ledger_of(listing(limit=5)).lists_plainly
    assert ledger_of(listing()).lists_plainly


@pytest.mark.parametrize(
    ("other", "tried"),
    [
        pytest.param(refused(at=2.0), True, id="refused with 400"),
        pytest.param(refused(at=0.5), False, id="refused before anything was accepted"),
        pytest.param(refused(status=503, at=2.0), False, id="refused for another reason"),
        pytest.param(unauthorised(refused(at=2.0), WRONG, status=400), False, id="with another key"),
        pytest.param(spoken(refused(at=2.0)), False, id="by another client"),
    ],
)
def test_a_plain_name_was_refused_where_a_400_says_so_to_the_plain_client(
    other: Exchange, *, tried: bool
) -> None:
    """It may say so for the key or for the client else, and to everything until a category is found."""
    trials = ledger_of(created(at=1.0), other).plain_trials
    assert [True, *[False] * tried] == [each.accepted for each in trials]


def test_lists_may_lag_behind_the_first_creation_with_an_id() -> None:
    """What it was given to later is a fault of its own, and makes no animal new."""
    lists = [
        listing(shown, limit=100, at=at)
        for shown, at in ((animals(2), 4.0), (animals(1, 2), 5.0), (animals(3), 6.0))
    ]
    ledger = ledger_of(created(animal_id=1), *lists, created(animal_id=1, at=4.9))
    assert not any(map(ledger.completeness.shows_all, ledger.completeness.pages))


def test_getpet_is_not_removed_where_it_finds_an_animal_that_nothing_else_has_shown() -> None:
    """Though it finds none of those that are known."""
    trace = [created(), lost(1, at=5.0)]
    for found, removed in (([], True), ([got(10**12, at=6.0)], False)):
        assert removed is ledger_of(*trace, *found, today="2030-12-06").get_pet_is_removed
