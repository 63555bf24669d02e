"""Add an animal: what must be rejected."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import beyond_int64, not_integers, not_statuses, not_strings

from .auditing import PLENTY

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

pytestmark = pytest.mark.usefixtures("accepted_creation")

# Stands for a name that the run makes up.
NAME = "NAME"
# The first value of each kind is the plainest; what Schemathesis derives from the contract has the other types.
WRONG_VALUES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("name", (...,)),
    ("name", (7, 1.5, [NAME], {"a": NAME})),
    ("categoryId", (...,)),
    ("categoryId", ("12", 12.75, True, "", [1], "12.0", "-12", [])),
    ("categoryId", (2**63, 2**64 + 5, 10**30, 2**64)),
    ("status", (None,)),
    ("status", (1, ["sold"], True)),
    (
        "status",
        (
            # A store may know more than the interface names.
            "reserved",
            "SOLD",
            "",
            " sold",
            "Available",
            "sold ",
            "available,sold",
            "soldout",
        ),
    ),
    # Among them names that every object has in Python and in JavaScript, at the places that get a further field.
    ("status", ("sold\n", "x\nsold", "1", "__class__", 'so"ld', "avail", "null", "constructor")),
    # They may become something else in a C string, by normalisation, in an 8-bit encoding, in hand-made JSON and in a
    # short column.
    ("status", ("sold\x00", "\uff53\uff4f\uff4c\uff44", "gr\u00f6\u00dfe\\d \U0001f98a", "reserved" * 40)),
)
# Once this many of a kind were accepted, more would only leave more animals behind.
ENOUGH_ACCEPTED = 3
AT_A_TIME = 4


def _send_wrong(store: Store, kinds: Iterable[tuple[str, Sequence[Any]]]) -> list[str]:
    """Send payloads with one invalid value: those of each kind, a few at a time, until enough of them were accepted.

    Every other payload omits the status, or has a further field and an invalid status in front: some deployments
    validate less then.

    :return: the names of those that were rejected, except the last few, for which nobody has waited.
    """
    waiting = [(field, list(values)) for field, values in kinds]
    accepted = [0] * len(waiting)
    rejected: list[str] = []

    def send(lane: Lane, wrong: tuple[int, int, str, Any]) -> tuple[object, bool]:
        _, at, field, value = wrong
        payload = lane.payload(**{field: _with_name(value, lane) if field == "name" else value})
        if at % 2 and field != "status":
            payload.pop("status", None)
        elif at % 2:
            payload = {"status": value, **payload, "colour": "brown"}
        # Other workers may be of another version; several lanes have connections of their own.
        if store.lanes.width == 1:
            lane.reconnect()
        exchange = lane.create_pet(payload)
        return payload.get("name"), exchange.response is not None and exchange.response.status < 400

    while any(values for _, values in waiting):
        wrong = [
            (number, at, field, value)
            for number, (field, values) in enumerate(waiting)
            for at, value in enumerate(values[:AT_A_TIME])
            if accepted[number] < ENOUGH_ACCEPTED
        ]
        waiting = [(field, values[AT_A_TIME:]) for field, values in waiting]
        sent = store.side_by_side(wrong, send, creates=1)
        if any(values for _, values in waiting):
            for (number, *_), (name, was_accepted) in zip(wrong, sent, strict=True):
                accepted[number] += was_accepted
                rejected += [name] if isinstance(name, str) and not was_accepted else []
    return rejected


def _with_name(value: Any, lane: Lane) -> Any:
    """A value that is not a text, with a name that the run makes up in it: a deployment that stores it as a text stores that name."""
    if isinstance(value, list):
        return [lane.name() if each == NAME else each for each in value]
    if isinstance(value, dict):
        return {key: lane.name() if each == NAME else each for key, each in value.items()}
    return value


@pytest.mark.clauses("create.name", "create.category-id", "create.status", "create.refusal", "error", "http")
def test_one_thing_wrong_at_a_time(store: Store) -> None:
    """Sends payloads that must be rejected; whether animals were stored shows in later lists."""
    thorough = store.profile.thorough
    names = _send_wrong(
        store, [(field, values if thorough else values[:1]) for field, values in WRONG_VALUES]
    )
    # An animal that is stored without its name is recognised by its category.
    nameless = (..., None, 7) if thorough else ()
    store.side_by_side(
        nameless,
        lambda lane, name: lane.create_pet(lane.payload(name=name, categoryId=lane.category())),
        creates=1,
    )
    # What was wrong is put right: it may be remembered, or the name of the rejected animal taken.
    right = [store.payload(name=name) for name in names[-1:] if thorough and store.may_create(PLENTY)]
    store.side_by_side(right, Lane.create_and_get, creates=1, requests=2)


# In place of NAME, each gets a name that the run makes up: what a parser has read before it gives up may be stored.
MALFORMED_BODIES = (
    b'{"name": "NAME", "categoryId": 1', b"name=NAME&categoryId=1", b'{"name": "NAME", "categoryId": 0x10}',
    b'{name: "NAME", categoryId: 1}', b"{'name': 'NAME', 'categoryId': 1}",
    b'{"name": "NAME", "categoryId": }', b'{"name": "NAME", "categoryId": 1,}',
    b"<animal><name>NAME</name></animal>", b'{"name": "NAME", "categoryId": 01}',
    b'{"name": "NAME", "categoryId": +1}', b'{"name": "NAME" "categoryId": 1}',
    b'{"name": "NAME\n", "categoryId": 1}',
)  # fmt: skip


@pytest.mark.clauses("create.body", "create.category-id", "create.refusal", "error", "http")
def test_bodies_that_are_no_payload(store: Store) -> None:
    """Sends no body, an empty one, malformed JSON, JSON that is not an object, and entirely invalid objects."""
    thorough = store.profile.thorough
    bodies = [b"", *MALFORMED_BODIES[:1], b"[]"]
    if thorough:
        others: tuple[object, ...] = (
            # A payload in a text, in a list and in an object.
            json.dumps(store.payload()),
            [store.payload()],
            {"pet": store.payload()},
            # The name that many libraries map the field to; some accept both.
            {"category_id": store.category_id, **store.payload(categoryId=...)},
            {},
            {"status": "sold"},
            {"name": 7, "categoryId": "x", "status": "lost"},
        )
        bodies += [b"  \n", *MALFORMED_BODIES[1:], *(json.dumps(each).encode() for each in others)]
        bodies += [b'{"name": "NAME\xffutf", "categoryId": %d}' % (store.category_id or 0)]

    def send(lane: Lane, body: bytes) -> None:
        lane.create_raw(body.replace(b"NAME", lane.name().encode()))

    store.side_by_side(bodies, send, creates=1)
    # Parsers may ignore a byte order mark (RFC 8259 section 8.1).
    marks = [b"\xef\xbb\xbf"] if thorough else []
    store.side_by_side(
        marks, lambda lane, mark: lane.create_raw(mark + json.dumps(lane.payload()).encode()), creates=1
    )
    if not thorough:
        _look_for_them(store)


@pytest.mark.rounds
@pytest.mark.clauses("create.name", "create.category-id", "create.status", "create.refusal", "error", "http")
def test_wrong_values_of_every_type(store: Store) -> None:
    """Sends generated values that are not a valid name, categoryId or status."""
    examples = store.profile.refusals
    kinds: tuple[tuple[str, Callable[[], SearchStrategy[Any]]], ...] = (
        ("name", not_strings),
        ("categoryId", not_integers),
        ("status", not_statuses),
        ("categoryId", beyond_int64),
    )
    _send_wrong(store, [(field, store.examples(strategy, examples // 4)) for field, strategy in kinds])
    # In the first round, other drivers create and list right afterwards.
    if store.round_number:
        _look_for_them(store)


def _look_for_them(store: Store) -> None:
    """Create an animal, and request the lists that would contain it and anything that was stored although it was refused."""
    store.side_by_side([store.payload()], Lane.create_pet, creates=1)
    store.list_largest()
