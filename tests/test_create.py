"""Add an animal: what is accepted, and what is returned."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from typing import Any

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import (
    CATEGORY_ID_CORNERS,
    OUTER_SPACE_NAMES,
    STATUSES,
    category_ids,
    names,
)
from animal_conformance.drive.voices import ESCAPING
from animal_conformance.interface.reading import created_id, listed_ids
from animal_conformance.record.exchange import Exchange

from .auditing import PLENTY, audit, has_grown, put_to_the_test, settle
from .corners import Corner, corners_of, create_corner

WORDS = " unsold, pending, available"
# This many requests at once reach most workers of a deployment.
WORKERS = 6
# A list that is this many animals short of a full page has room for what others create meanwhile.
MARGIN = 10
# This many bursts have enough pages to tell a list that a worker keeps from a selection.
SETTLED_BURSTS = 5
# How often an animal that one connection leaves out and another one shows is read in turns.
SETTLED_TURNS = 4

pytestmark = pytest.mark.usefixtures("accepted_creation")

READ_BACK = (
    "create.answer", "create.status.exact", "get.found", "get.requested", "animal", "http",
    "list.complete", "list.status.complete",
)  # fmt: skip


@pytest.mark.clauses(
    "animal.id.unique", "get.found", "create.name.exact", "list.complete", "open.create.identical"
)
def test_the_same_creation_while_lists_have_room(store: Store) -> None:
    """Sends identical payloads, and one with the name in another case: lists, too, may merge animals, after applying their limit."""
    if not (store.profile.thorough and store.may_create(PLENTY)):
        pytest.skip("Comes later where few creations are left.")

    def similar(_: Lane, payload: dict[str, Any]) -> list[dict[str, Any]]:
        return [payload, {**payload, "name": payload["name"].swapcase()}]

    _create_again(store, store.payload(), similar, 3)


def _create_again(
    store: Store,
    payload: dict[str, Any],
    similar: Callable[[Lane, dict[str, Any]], list[dict[str, Any]]],
    creates: int,
) -> None:
    """Create an animal and then similar ones in one lane, and get the first: it may have been merged with those after it.

    The others are read back with everything else.
    """

    def create(lane: Lane, payload: dict[str, Any]) -> None:
        first = created_id(lane.create_pet(payload))
        for each in similar(lane, payload):
            lane.create_pet(each)
        if first is not None:
            lane.get_pet(first)

    store.side_by_side([payload], create, creates=creates, requests=creates + 1)


@pytest.mark.clauses("create.status", *READ_BACK)
def test_each_status_and_none(store: Store) -> None:
    """Changes only the status of an accepted payload; a rejected payload may be rejected for its name.

    While the list without parameters has room, that is read after each creation: only some of them may drop what a
    service keeps of it. Then it reads them all back, and gets a few animals that the run has found.
    """
    sent: list[object] = [*STATUSES, ...]
    created: list[int | None] = []
    late: set[int] = set()
    listed = listed_ids(store.list_pets()) if store.profile.thorough else ()
    while sent and 0 < len(listed) < store.contract.limit_default:
        created += store.side_by_side([sent.pop()], _create_with, creates=1, requests=4)
        listed = listed_ids(store.list_pets())
        lacking = {each for each in created if each is not None}.difference(listed)
        if lacking and not late and has_grown(store, len(listed)):
            _list_in_turns(store, max(lacking))
        late |= lacking
    created += store.side_by_side(sent, _create_with, creates=1, requests=4)
    if None in created:
        # Now, before a quota is reached, which would explain the rejection.
        put_to_the_test(store, ("create.status.accepted", "create.status.optional"))
    if store.profile.thorough:
        # While lists still show them: what is created from now on may push them out.
        found = [each for each in store.found_ids() if not store.ledger.gets.get(each)]
        chosen = [*found[:1], *found[-1:], *store.sample(found, store.profile.lookups)]
        store.side_by_side(dict.fromkeys(chosen[: store.profile.lookups // 2]), Lane.get_pet)
        audit(store)


def _create_with(lane: Lane, status: object) -> int | None:
    """The id of an animal that was created with a status, or none, under one of three names."""
    names = (lane.name, lane.unlike_name, lane.unlike_name)
    created = (lane.create_and_get(lane.payload(status=status, name=name())) for name in names)
    return next((each for each in created if each is not None), None)


def _list_in_turns(store: Store, animal_id: int) -> None:
    """Once replicas have settled, list without parameters and get an animal, several times, before another creation."""
    settle(store)
    for _ in range(SETTLED_TURNS):
        store.list_pets()
        store.get_pet(animal_id)


@pytest.mark.clauses("list.complete", "list.status.complete")
def test_a_creation_between_lists_of_many_workers(store: Store) -> None:
    """Lists on several connections at once, creates an animal, and lists in the same way again: each worker may keep its own lists.

    Before those last lists, it creates another animal at the same time as a few lists: no answer to them has been kept
    since the first creation, and a list that is read before an animal is stored may be kept after that.

    Half of the connections list all animals, while that list has room; the others list the status that has the fewest. One
    further connection stays open, and lists before and after the first creation: a session may keep what it read. Its last
    list comes after one of another status, whose filter it may keep as well.
    """
    if not store.profile.bursts:
        pytest.skip("Left to the standard profile.")
    # A creation may drop a kept list only for the status that it sends.
    unstated = _unstated(store)
    status, sent = (store.observable_status,) * 2 if unstated is None else (unstated, ...)
    other = next(each for each in STATUSES if each != status)
    wanted = None if len(store.ledger.animals) < 100 else status

    both: list[Callable[[Lane], Exchange]] = [
        partial(Lane.list_pets, limit=100, status=each) for each in (status, wanted)
    ]

    def workers_leave_out(made: set[int], *beside: Callable[[Lane], Exchange]) -> bool:
        answers = store.at_once([*both * (WORKERS // 2), *beside], lambda lane, read: read(lane))
        pages = map(listed_ids, answers[:WORKERS])
        return any(not made.issubset(page) and len(page) < 100 for page in pages)

    def leaves_out(reader: Lane, animal_id: int) -> bool:
        page = listed_ids(reader.list_pets(limit=100, status=wanted))
        return animal_id not in page and len(page) < 100

    reader = store.reader() if store.may_create(PLENTY) else None
    workers_leave_out(
        set(), *([] if reader is None else [lambda _: reader.list_pets(limit=100, status=wanted)])
    )
    # On one connection: with the reader's, that makes two, and a deployment of two workers may not serve a third.
    creating = [*store.side_by_side([store.payload(status=sent)], Lane.create_pet, creates=1)]
    if reader is not None:
        reader.list_pets(limit=100, status=other)
    animal_id = created_id(creating[0])
    # Before anything that closes the reader's connection.
    if reader is not None and animal_id is not None and leaves_out(reader, animal_id):
        settle(store)
        for _ in range(SETTLED_TURNS):
            reader.list_pets(limit=100, status=other)
            leaves_out(reader, animal_id)
            store.get_pet(animal_id)
    if store.may_create(PLENTY):
        # Each turn lists twice, the second time a little later: a creation may take longer than a list.
        turns = [lambda lane, reads=each: [read(lane) for read in reads][-1] for each in (both, both[::-1])]
        creation: Callable[[Lane], Exchange] = partial(
            Lane.create_pet, payload=store.payload(status=sent, name=store.name())
        )
        creating += store.at_once([turns[0], creation, turns[1]], lambda lane, send: send(lane))[1:2]
    made = {each for each in map(created_id, creating) if each is not None}
    if not made:
        return
    if not workers_leave_out(made, partial(Lane.get_pet, pet_id=max(made))):
        return
    settle(store)
    # What was only late is there by now.
    if workers_leave_out(made):
        for _ in range(SETTLED_BURSTS):
            workers_leave_out(made)
            store.side_by_side(sorted(made), Lane.get_pet)
        # And what was withdrawn is not listed anywhere any more.
        store.client.wait(store.ledger.terms.settle_s)
        workers_leave_out(made)


def _unstated(store: Store) -> str | None:
    """The status of animals that are created without one, where its list has room for more."""
    ledger = store.ledger
    made = (ledger.animals[each.animal_id] for each in ledger.creations if each.omits_status)
    shown = [each.animal.get("status") for animal in made for each in animal.sightings[:1]]
    for status in STATUSES:
        if shown and shown.count(status) == len(shown):
            has_room = ledger.known_count(status, store.client.now_s()) < 100 - MARGIN
            return status if has_room else None
    return None


@pytest.mark.clauses("create.status", *READ_BACK)
def test_each_status_and_none_in_another_form(store: Store) -> None:
    """Sends the fields in reverse order, every status in the name and, without a status, a large category."""
    if not (store.profile.thorough and store.may_create(PLENTY)):
        pytest.skip("Left to the standard profile, or few creations are left.")

    def create_with(lane: Lane, status: object) -> None:
        # A creation without a status may be stored by a statement of its own.
        changes = {"categoryId": CATEGORY_ID_CORNERS[0]} if status is ... else {}
        payload = lane.payload(status=status, name=lane.name(WORDS), **changes)
        if lane.create_and_get(dict(reversed(payload.items()))) is None:
            _create_with(lane, status)

    store.side_by_side((*STATUSES, ...), create_with, creates=1, requests=4)


@pytest.mark.clauses("animal.id.unique", *READ_BACK)
def test_an_id_that_is_asked_for_before_it_is_given(store: Store) -> None:
    """Gets ids just above the newest before they are assigned, to detect negative caching.

    In order, since the next creation may get the id that is asked for. The first id is asked for on several connections,
    before and after it is assigned: each worker may remember what it has not found.
    """
    newest = store.newest_id()
    if newest is None:
        pytest.skip("No creation was accepted.")
    wanted = [newest + step for step in (1, 2)[: 1 + store.profile.thorough] if newest + step < 2**63]
    workers = WORKERS if store.profile.bursts else 1

    def get_anew(lane: Lane, animal_id: int) -> None:
        # Several lanes have connections of their own.
        if store.lanes.width == 1 and workers > 1:
            lane.reconnect()
        lane.get_pet(animal_id)

    store.side_by_side([*wanted[:1] * workers, *wanted[1:]], get_anew)
    given = store.side_by_side(
        wanted, lambda lane, _: lane.create_and_get(lane.payload()), creates=1, requests=2
    )
    if workers > 1:
        store.side_by_side([each for each in wanted[:1] * workers if each in given], get_anew)


# Far from all known ids; the last within 32 bits.
WANTED_IDS = (7_000_000_000_000_001, -7_000_000_000_000_002, 1_500_000_003)
WANTED_TEXT = "1400000007"


@pytest.mark.clauses("create.id.assigned", "animal.id.unique", "open.create.client-id")
def test_an_id_of_the_clients_own(store: Store) -> None:
    """Sends ids far from all known ids, and one that an animal of the run has."""
    thorough = store.profile.thorough

    def ask_for(lane: Lane, wanted: int) -> None:
        # Some stores, and some parsers, have other names for the field.
        fields = ("_id", "Id", "petId") if thorough and wanted == WANTED_IDS[0] else ()
        payload = {"id": wanted, **lane.payload()} if wanted < 0 else lane.payload(id=wanted)
        given = created_id(lane.create_pet({**payload, **dict.fromkeys(fields, wanted)}))
        lane.get_pet(wanted)
        if not thorough or wanted != WANTED_IDS[-1]:
            return
        # Where an unknown id is rejected, a known one may be taken for that of the animal to update.
        known = [given] if given is not None else store.oldest_ids(1)
        for each in known:
            lane.create_pet(lane.payload(id=each))
            lane.get_pet(each)

    store.side_by_side(WANTED_IDS if thorough else WANTED_IDS[:1], ask_for, creates=2, requests=4)
    # A text that reads as an id, and the null of clients that write out all fields of an animal.
    others = (WANTED_TEXT, None) if thorough else ()
    store.side_by_side(others, lambda lane, each: lane.create_pet(lane.payload(id=each)), creates=1)


@pytest.mark.clauses("animal.id.unique", "get.found", "create.name.exact", "open.create.identical")
def test_creations_that_are_alike(store: Store) -> None:
    """Sends identical payloads, unless that came before, and almost identical ones: each gets its own animal, or is rejected.

    The latter have an accent in the name, another status, or another category. By that category, a rejected payload is
    recognised in an animal that has the same name. Two further names have nothing in common but their script.
    """
    thorough = store.profile.thorough
    came_before = thorough and store.may_create(PLENTY)

    def similar(lane: Lane, payload: dict[str, Any]) -> list[dict[str, Any]]:
        status = "pending" if payload.get("status") == "sold" else "sold"
        almost = [
            {**payload, "name": f"{payload['name']}\u0301"},
            {**payload, "status": status},
            {**payload, "categoryId": lane.category()},
        ]
        return [*([] if came_before else [payload]), *(almost if thorough else [])]

    # An index may hold the beginning of a name alone.
    first = store.payload(name=store.name(" golden retriever"))
    _create_again(store, first, similar, 1 + (not came_before) + 3 * thorough)
    if thorough:
        # To keys that are made of the letters and digits of ASCII, all these names are the same.
        _create_again(
            store,
            store.payload(name=store.han_name()),
            lambda lane, payload: [{**payload, "name": lane.han_name()}],
            2,
        )


@pytest.mark.rounds
@pytest.mark.clauses("create.name.exact", "create.category-id.exact", *READ_BACK)
def test_names_over_all_of_unicode_and_category_ids_over_all_of_int64(store: Store) -> None:
    """Creates and reads back names with everything that storage is known to lose, and the ends of every width of integer.

    Two are created, and then read: otherwise two servers that take turns would always be given the same part, such as
    every creation.
    """
    first, profile = store.round_number == 0, store.profile
    corners = corners_of(store) if first else []
    generated = zip_longest(
        store.examples(names, profile.names), store.examples(category_ids, profile.category_ids)
    )
    corners += [Corner(() if rest is None else (rest,), category_id) for rest, category_id in generated]
    most = max((len(each.apart()) for each in corners), default=1)
    pairs = [corners[at : at + 2] for at in range(0, len(corners), 2)]

    def create(lane: Lane, pair: list[Corner]) -> None:
        created = [create_corner(lane, each) for each in pair]
        for each in created:
            if each is not None:
                lane.get_pet(each)

    store.side_by_side(pairs, create, creates=2 * most, requests=4 * most + 2)
    if first and profile.thorough:
        store.side_by_side(["\U0001f98a / \u00e9"], _create_escaped, creates=1, requests=2)
    if profile.thorough and not first:
        store.watch()


def _create_escaped(lane: Lane, rest: str) -> None:
    """Create from a body that escapes what JSON need not escape: non-ASCII characters, with digits in both cases, and slashes.

    Where it is rejected, the experiments send the same value without escapes.
    """
    lane.voice = ESCAPING
    lane.create_and_get(lane.payload(name=lane.name(rest)))


# As deep as the data of some clients, and far from the depth that parsers refuse.
NESTED = "[" * 40 + "]" * 40


@pytest.mark.clauses("open.create")
def test_creations_that_the_document_leaves_open(store: Store) -> None:
    """Creates what may be accepted or refused, to see which."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    category_id = store.category_id

    def with_space(lane: Lane, space: str) -> None:
        lane.create_and_get(lane.payload(name=space + lane.name() + space))

    def integral_float(lane: Lane) -> None:
        lane.create_raw(f'{{"name": "{lane.name()}", "categoryId": {category_id}.0}}'.encode())

    def duplicate_keys(lane: Lane) -> None:
        name = lane.name()
        lane.create_raw(f'{{"name": "{name}", "name": "{name}", "categoryId": {category_id}}}'.encode())

    creations: tuple[Callable[[Lane], object], ...] = (
        *(partial(with_space, space=space) for space in OUTER_SPACE_NAMES),
        lambda lane: lane.create_pet(lane.payload(name="")),
        lambda lane: lane.create_pet(lane.payload(colour="brown")),
        lambda lane: lane.create_pet({**lane.payload(), "$colour": {}, "a.b": None, "": json.loads(NESTED)}),
        lambda lane: lane.create_and_get({**lane.payload(), "Name": lane.name(), "STATUS": "pending"}),
        integral_float,
        duplicate_keys,
        lambda lane: lane.create_pet(lane.payload(), headers=(("Content-Type", "text/plain"),)),
    )
    store.side_by_side(creations, lambda lane, create: create(lane), creates=1, requests=2)


@pytest.mark.clauses("create", "list.complete", "list.status.complete", "get.found", "animal.id.stable")
def test_what_was_created_is_there(store: Store) -> None:
    """Reads back everything that was created."""
    audit(store)
    # A list without any parameter may be made by other means, and one with a status alone may be kept. No seed decides
    # which animals they show: what has to be read was read before.
    wanted = (None, *STATUSES) if store.profile.thorough else ()
    store.side_by_side(wanted, lambda lane, status: lane.list_pets(status=status))
