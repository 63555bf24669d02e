"""Add an animal: what is accepted, what comes back, and what must be refused."""

from __future__ import annotations

from typing import Any

import pytest

from animal_conformance.driving import Store, created_id
from animal_conformance.strategies import (
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


@pytest.fixture(autouse=True)
def _something_is_accepted(store: Store) -> None:
    if store.category_id is None:
        pytest.skip("No creation was accepted.")


@pytest.mark.clauses("create.status", *READ_BACK)
def test_each_status_and_none(store: Store) -> None:
    """Changes nothing but the status in a payload that was accepted."""
    for status in (*STATUSES, ..., *STATUSES, ...)[: 8 if store.profile.thorough else 4]:
        store.create_and_get(store.payload(status=status))
    if store.profile.thorough:
        audit(store)


@pytest.mark.rounds
@pytest.mark.clauses("create.name.exact", *READ_BACK)
def test_names_over_all_of_unicode(store: Store) -> None:
    """Creates and reads back names with everything that storage is known to lose."""
    thorough = store.profile.thorough
    corners = NAME_CORNERS if thorough else NAME_CORNERS[:3]

    def round_trip(rest: str) -> None:
        store.create_and_get(store.payload(name=store.name(rest)))

    store.for_each(names(), round_trip, store.profile.names, corners)
    for lookalike in LOOKALIKE_NAMES if thorough and store.round_number == 0 else ():
        store.create_and_get(store.payload(name=lookalike.format(store.number())))
    store.watch()


@pytest.mark.rounds
@pytest.mark.clauses("create.category-id.exact", *READ_BACK)
def test_category_ids_over_all_of_int64(store: Store) -> None:
    """Creates and reads back categoryIds at and around the ends of every width of integer."""
    corners = CATEGORY_ID_CORNERS if store.profile.thorough else CATEGORY_ID_CORNERS[:2]

    def round_trip(category_id: int) -> None:
        store.create_and_get(store.payload(categoryId=category_id))

    store.for_each(category_ids(), round_trip, store.profile.category_ids, corners)
    store.watch()


@pytest.mark.clauses("create.id.assigned", "open.create.client-id")
def test_an_id_of_the_clients_own(store: Store) -> None:
    """Sends ids that are far from all known ones."""
    for wanted in (7_000_000_000_000_001, -7_000_000_000_000_002)[: 2 if store.profile.thorough else 1]:
        store.create_pet(store.payload(id=wanted))
        store.get_pet(wanted)


# In each kind the first value is the plainest.
WRONG_VALUES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("name", (...,)),
    ("name", (7, 1.5, True, None, [], {}, ["x"], {"a": 1})),
    ("categoryId", (...,)),
    ("categoryId", ("12", 1.5, True, None, [], {}, "abc", "", [1], False, 0.1)),
    ("categoryId", (2**63, -(2**63) - 1, 2**64 + 5, 10**30, 2**64)),
    ("status", (None,)),
    ("status", (1, True, [], {}, ["sold"], 0)),
    ("status", ("lost", "SOLD", "", " sold", "Available", "sold ", "available,sold", "soldout", "null")),
)
# Where so many of a kind were accepted, the rest would only leave more behind.
ENOUGH_ACCEPTED = 3


class WrongValues:
    """Sends wrong values of one kind until enough of them were accepted."""

    def __init__(self, store: Store, field: str) -> None:
        self._store = store
        self._field = field
        self._accepted = 0

    def send(self, value: object) -> None:
        """A payload with this one thing wrong."""
        if self._accepted < ENOUGH_ACCEPTED:
            exchange = self._store.create_pet(self._store.payload(**{self._field: value}))
            self._accepted += exchange.response is not None and exchange.response.status < 400


@pytest.mark.clauses("create.name", "create.category-id", "create.status", "create.refusal", "error", "http")
def test_one_thing_wrong_at_a_time(store: Store) -> None:
    """Sends payloads that must be refused, and then looks whether they left a trace."""
    for field, values in WRONG_VALUES:
        wrong = WrongValues(store, field)
        for value in values if store.profile.thorough else values[:1]:
            wrong.send(value)
    store.create_pet(store.payload())
    store.watch()
    store.list_pets(limit=100)


@pytest.mark.rounds
@pytest.mark.clauses("create.name", "create.category-id", "create.status", "create.refusal", "error", "http")
def test_wrong_values_of_every_type(store: Store) -> None:
    """Sends generated values that are no name, no categoryId and no status."""
    examples = store.profile.refusals
    for field, strategy in (
        ("name", not_strings()),
        ("categoryId", not_integers()),
        ("status", not_statuses()),
        ("categoryId", beyond_int64()),
    ):
        store.for_each(strategy, WrongValues(store, field).send, examples // 4)
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


@pytest.mark.clauses("create.body", "create.refusal", "error", "http")
def test_bodies_that_are_no_payload(store: Store) -> None:
    """Sends no body, an empty one, malformed JSON, and JSON that is no object."""
    thorough = store.profile.thorough
    store.create_raw(b"")
    if thorough:
        store.create_raw(b"  \n")
    for body in MALFORMED_BODIES if thorough else MALFORMED_BODIES[:1]:
        store.create_raw(body)
    others: tuple[object, ...] = ([], "text", 5, True, [store.payload()], None, 1.5)
    for value in others if thorough else others[:1]:
        store.create_raw(b"null") if value is None else store.create_pet(value)


@pytest.mark.clauses("animal.id.unique", "open.create.identical")
def test_the_same_creation_twice(store: Store) -> None:
    """Sends identical payloads: two animals, or a refusal, but not one animal for both."""
    for _ in range(2 if store.profile.thorough else 1):
        payload = store.payload()
        store.create_pet(payload)
        store.create_and_get(payload)


@pytest.mark.clauses("open.create")
def test_creations_that_the_document_leaves_open(store: Store) -> None:
    """Creates what may be accepted or refused, to see which."""
    if not store.profile.thorough:
        pytest.skip("Left to the standard profile.")
    for name in OUTER_SPACE_NAMES:
        store.create_and_get(store.payload(name=name + store.name() + name))
    store.create_pet(store.payload(name=""))
    store.create_pet(store.payload(colour="brown"))
    store.create_raw(f'{{"name": "{store.name()}", "categoryId": {store.category_id}.0}}'.encode())
    name = store.name()
    store.create_raw(f'{{"name": "{name}", "name": "{name}", "categoryId": {store.category_id}}}'.encode())
    store.create_pet(store.payload(), headers=(("Content-Type", "text/plain"),))


@pytest.mark.clauses("animal.id.unique", *READ_BACK)
def test_an_id_that_is_asked_for_before_it_is_given(store: Store) -> None:
    """Gets ids just above the newest before the next animals get them, as caches of absence remember."""
    newest = created_id(store.create_pet(store.payload()))
    if newest is None:
        pytest.skip("No creation was accepted.")
    for step in (1, 2) if store.profile.thorough else (1,):
        if newest + step < 2**63:
            store.get_pet(newest + step)
            store.create_and_get(store.payload())


@pytest.mark.clauses("create", "list.complete", "list.status.complete", "get.found", "animal.id.stable")
def test_what_was_created_is_there(store: Store) -> None:
    """Looks again at everything that was created."""
    audit(store)
