"""Add an animal: what is accepted, what is returned, and what must be rejected."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from hypothesis.strategies import SearchStrategy

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import (
    CATEGORY_ID_CORNERS,
    LOOKALIKE_NAMES,
    NAME_CORNERS,
    OUTER_SPACE_NAMES,
    STATUSES,
    beyond_int64,
    category_ids,
    names,
    not_integers,
    not_statuses,
    not_strings,
)
from animal_conformance.interface.reading import created_id

from .auditing import audit

READ_BACK = (
    "create.answer",
    "create.status.exact",
    "get.found",
    "get.requested",
    "animal",
    "http",
    "list.complete",
    "list.status.complete",
)


BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _something_is_accepted(store: Store) -> None:
    if store.category_id is None:
        pytest.skip("No creation was accepted.")


@pytest.mark.clauses("create.status", *READ_BACK)
def test_each_status_and_none(store: Store) -> None:
    """Changes only the status of an accepted payload; a rejected payload may be rejected for its name."""

    def create_with(lane: Lane, status: object) -> None:
        names = (lane.name, lane.unlike_name, lane.unlike_name)
        for name in names:
            if lane.create_and_get(lane.payload(status=status, name=name())) is not None:
                return

    statuses = (*STATUSES, ..., *STATUSES, ...)[: 8 if store.profile.thorough else 4]
    store.side_by_side(statuses, create_with, creates=3)
    if store.profile.thorough:
        audit(store)


@pytest.mark.rounds
@pytest.mark.clauses("create.name.exact", *READ_BACK)
def test_names_over_all_of_unicode(store: Store) -> None:
    """Creates and reads back names with everything that storage is known to alter."""
    thorough = store.profile.thorough
    corners = NAME_CORNERS if thorough else NAME_CORNERS[:3]

    store.for_each(
        names(),
        lambda lane, rest: lane.create_and_get(lane.payload(name=lane.name(rest))),
        store.profile.names,
        corners,
        creates=1,
    )
    if thorough and store.round_number == 0:
        lookalikes = list(zip(LOOKALIKE_NAMES, cycle(STATUSES), strict=False))
        store.side_by_side(lookalikes, _create_lookalike, creates=1)
        _create_escaped(store, store.payload(name=store.name("\U0001f98a / \u00e9")))
    store.watch()


def _create_lookalike(lane: Lane, lookalike: tuple[str, str]) -> None:
    """Create an animal whose name looks like a value of another type."""
    name, status = lookalike
    digits = lane.digits()
    moment = BEGINNING + timedelta(seconds=int(digits) % 10**9)
    lane.create_and_get(lane.payload(name=name.format(digits, moment=moment), status=status))


def _create_escaped(lane: Lane, payload: dict[str, Any]) -> None:
    """Create from a body that escapes what JSON need not escape: non-ASCII characters and slashes."""
    body = json.dumps(payload, ensure_ascii=True).replace("/", r"\/")
    animal_id = created_id(lane.create_raw(body.encode()))
    if animal_id is not None:
        lane.get_pet(animal_id)


@pytest.mark.rounds
@pytest.mark.clauses("create.category-id.exact", *READ_BACK)
def test_category_ids_over_all_of_int64(store: Store) -> None:
    """Creates and reads back categoryIds at and around the bounds of every integer width."""
    corners = CATEGORY_ID_CORNERS if store.profile.thorough else CATEGORY_ID_CORNERS[:2]

    store.for_each(
        category_ids(),
        lambda lane, category_id: lane.create_and_get(lane.payload(categoryId=category_id)),
        store.profile.category_ids,
        corners,
        creates=1,
    )
    store.watch()


# Far from all known ids; the last one fits into 32 bits.
WANTED_IDS = (7_000_000_000_000_001, -7_000_000_000_000_002, 1_500_000_003)


@pytest.mark.clauses("create.id.assigned", "animal.id.unique", "open.create.client-id")
def test_an_id_of_the_clients_own(store: Store) -> None:
    """Sends ids far from all known ids, and one that an animal of the run has."""
    thorough = store.profile.thorough

    def ask_for(lane: Lane, wanted: int) -> int | None:
        given = created_id(lane.create_pet(lane.payload(id=wanted)))
        lane.get_pet(wanted)
        return given

    taken = store.side_by_side(WANTED_IDS if thorough else WANTED_IDS[:1], ask_for, creates=1)[-1]
    # An id far from all others would look adopted if the service assigns it again by itself, such as a timestamp.
    if thorough and taken is not None and not store.ledger.is_far(taken, but=taken):
        store.create_pet(store.payload(id=taken))
        store.get_pet(taken)


# The first value of each kind is the plainest.
WRONG_VALUES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    # Each twice: a rejected animal that is listed counts only once it was seen for two animals.
    ("name", (..., ...)),
    ("name", (7, 1.5, True, None, [], {}, ["x"], {"a": 1})),
    ("categoryId", (..., ...)),
    ("categoryId", ("12", 1.5, True, None, [], {}, "abc", "", [1], False, 0.1, " 12")),
    ("categoryId", (2**63, -(2**63) - 1, 2**64 + 5, 10**30, 2**64)),
    ("status", (None,)),
    ("status", (1, True, [], {}, ["sold"], 0)),
    (
        "status",
        (
            "lost",
            "SOLD",
            "",
            " sold",
            "Available",
            "sold ",
            "available,sold",
            "soldout",
            "null",
            "constructor",
        ),
    ),
    ("status", ("sold\n", "x\nsold", "1", "Pending", 'so"ld')),
)
# Once this many of a kind were accepted, more would only leave more animals behind.
ENOUGH_ACCEPTED = 3
AT_A_TIME = 4


def _send_wrong(store: Store, kinds: Iterable[tuple[str, Sequence[Any]]]) -> None:
    """Send payloads with one invalid value: those of each kind, a few at a time, until enough of them were accepted."""
    waiting = [(field, list(values)) for field, values in kinds]
    accepted = [0] * len(waiting)

    def send(lane: Lane, wrong: tuple[int, str, Any]) -> None:
        number, field, value = wrong
        exchange = lane.create_pet(lane.payload(**{field: value}))
        accepted[number] += exchange.response is not None and exchange.response.status < 400

    while any(values for _, values in waiting):
        wrong = [
            (number, field, value)
            for number, (field, values) in enumerate(waiting)
            for value in values[:AT_A_TIME]
            if accepted[number] < ENOUGH_ACCEPTED
        ]
        waiting = [(field, values[AT_A_TIME:]) for field, values in waiting]
        store.side_by_side(wrong, send, creates=1)


@pytest.mark.clauses("create.name", "create.category-id", "create.status", "create.refusal", "error", "http")
def test_one_thing_wrong_at_a_time(store: Store) -> None:
    """Sends payloads that must be rejected, and then checks whether animals were stored."""
    thorough = store.profile.thorough
    _send_wrong(store, [(field, values if thorough else values[:1]) for field, values in WRONG_VALUES])
    store.create_pet(store.payload())
    store.watch()
    store.list_pets(limit=100)


@pytest.mark.rounds
@pytest.mark.clauses("create.name", "create.category-id", "create.status", "create.refusal", "error", "http")
def test_wrong_values_of_every_type(store: Store) -> None:
    """Sends generated values that are not a valid name, categoryId or status."""
    examples = store.profile.refusals
    kinds: tuple[tuple[str, SearchStrategy[Any]], ...] = (
        ("name", not_strings()),
        ("categoryId", not_integers()),
        ("status", not_statuses()),
        ("categoryId", beyond_int64()),
    )
    _send_wrong(store, [(field, store.examples(strategy, examples // 4)) for field, strategy in kinds])
    if examples:
        store.create_pet(store.payload())
        store.watch()


MALFORMED_BODIES = (
    b'{"name": "Acunfinished", "categoryId": 1',
    b"name=Acform&categoryId=1",
    b"not json at all",
    b'{name: "Acunquoted", categoryId: 1}',
    b"{'name': 'Acquotes', 'categoryId': 1}",
    b'{"name": "Acnothing", "categoryId": }',
    b'{"name": "Accomma", "categoryId": 1,}',
    b"<animal><name>Acmarkup</name></animal>",
)


# Integers to a parser of doubles: too large for int64, too large for a double, and not an integer.
ODD_NUMERALS = ("1e19", "1e400", "NaN")


@pytest.mark.clauses("create.body", "create.category-id", "create.refusal", "error", "http")
def test_bodies_that_are_no_payload(store: Store) -> None:
    """Sends no body, an empty one, malformed JSON, JSON that is not an object, and entirely invalid objects."""
    thorough = store.profile.thorough
    bodies = [b"", *MALFORMED_BODIES[:1], b"[]"]
    if thorough:
        others: tuple[object, ...] = (
            "text",
            5,
            True,
            [store.payload()],
            None,
            1.5,
            {},
            {"name": 7, "categoryId": "x"},
        )
        bodies += [b"  \n", *MALFORMED_BODIES[1:], *(json.dumps(each).encode() for each in others)]
        bodies += [
            f'{{"name": "{store.name()}", "categoryId": {numeral}}}'.encode() for numeral in ODD_NUMERALS
        ]
    store.side_by_side(bodies, Lane.create_raw, creates=1)


@pytest.mark.clauses("animal.id.unique", "get.found", "create.name.exact", "open.create.identical")
def test_the_same_creation_twice(store: Store) -> None:
    """Sends identical and almost identical payloads: each gets its own animal, or is rejected."""
    thorough = store.profile.thorough

    def create_twice(lane: Lane, at: int) -> None:
        payload = lane.payload()
        first = created_id(lane.create_pet(payload))
        lane.create_and_get(payload)
        for similar in _similar(payload)[at::2] if thorough else ():
            lane.create_and_get(similar)
        if thorough and first is not None:
            lane.get_pet(first)

    store.side_by_side(range(2 if thorough else 1), create_twice, creates=4)


def _similar(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """Payloads that must not be merged into one animal: the name in another case, with an accent, another status."""
    name, status = payload["name"], "pending" if payload["status"] == "sold" else "sold"
    return [
        {**payload, "name": name.swapcase()},
        {**payload, "name": f"{name}\u0301"},
        {**payload, "status": status},
        {**payload, "name": name.swapcase(), "status": status},
    ]


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
        integral_float,
        duplicate_keys,
        lambda lane: lane.create_pet(lane.payload(), headers=(("Content-Type", "text/plain"),)),
    )
    store.side_by_side(creations, lambda lane, create: create(lane), creates=1)


@pytest.mark.clauses("animal.id.unique", *READ_BACK)
def test_an_id_that_is_asked_for_before_it_is_given(store: Store) -> None:
    """Gets ids just above the newest before they are assigned, to detect negative caching.

    In order: what is asked for is what the next creation may get.
    """
    newest = created_id(store.create_pet(store.payload()))
    if newest is None:
        pytest.skip("No creation was accepted.")
    for step in (1, 2) if store.profile.thorough else (1,):
        if newest + step < 2**63:
            store.get_pet(newest + step)
            store.create_and_get(store.payload())


@pytest.mark.clauses("create", "list.complete", "list.status.complete", "get.found", "animal.id.stable")
def test_what_was_created_is_there(store: Store) -> None:
    """Reads back everything that was created."""
    audit(store)
