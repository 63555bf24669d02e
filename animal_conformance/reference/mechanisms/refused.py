"""Mechanisms of twins: animals that go, ids that nobody gave, requests that are turned away, and quotas."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.common import every, refuse
from animal_conformance.reference.mechanisms.lists import hidden
from animal_conformance.reference.model import Animal, Call, Payload, Reply
from animal_conformance.reference.service import Insert, Respond, Service

Gone = Callable[[Service, Animal, float], object]
"""Whether an animal is gone, so many seconds after its creation (since the start, for those of the catalogue)."""


def withdrawn(gone: Gone) -> Steps:
    """Take animals away."""
    return _away(gone, lambda: True, lists=True)


def _away(gone: Gone, gets: Callable[[], bool], *, lists: bool) -> Steps:

    def install(service: Service) -> None:
        made: dict[int, float] = {}
        started: list[float] = []
        insert_, find_ = service.insert, service.find

        def insert(payload: Payload, call: Call) -> Animal:
            animal = insert_(payload, call)
            made[animal.id] = time.monotonic()
            return animal

        def is_gone(animal: Animal, _: str | None = None) -> object:
            now_s = time.monotonic()
            if not started:
                started.append(now_s)
            return gone(service, animal, now_s - made.get(animal.id, started[0]))

        def find(animal_id: int) -> Animal | None:
            animal = find_(animal_id)
            return None if animal is not None and is_gone(animal) and gets() else animal

        service.insert, service.find = insert, find
        if lists:
            service.select = hidden(is_gone)(service.select)

    return Steps(install=install)


def unfound(gone: Gone, gets: Callable[[], bool]) -> Steps:
    """Take animals away from getPet alone, at some times."""
    return _away(gone, gets, lists=False)


def beyond_latest(count: int) -> Gone:
    """Of the animals that clients created, all but so many of the latest."""
    return lambda service, animal, _: (
        service.settings.catalogue < animal.id <= service.store.highest() - count
    )


def unlisted(animals: Callable[[int], object]) -> Steps:
    """Find animals under some ids that no list shows."""
    return Steps(
        find=lambda inner: (
            lambda animal_id: (
                inner(animal_id)
                or (Animal(animal_id, f"Fixture {animal_id}", 1, "sold") if animals(animal_id) else None)
            )
        )
    )


def found_before_it_is_given(service: Service) -> None:
    """Find an animal under the id that the next one will get."""
    inner = service.find

    def find(animal_id: int) -> Animal | None:
        following = animal_id == service.store.highest() + 1
        return Animal(animal_id, "reserved", 1, "pending") if following else inner(animal_id)

    service.find = find


def turned_away(status: int, when: Callable[[Call], object]) -> Steps:
    """Answer some requests with this status, before anything else is looked at."""

    def wrap(inner: Respond) -> Respond:
        return lambda call: (
            error(status, "Not now.", "turned_away") if call.operation and when(call) else inner(call)
        )

    return Steps(operate=wrap)


def outage(status: int, after: int, seconds: float) -> Steps:
    """Answer every request with this status for a while, once so many were answered."""

    def wrap(inner: Respond) -> Respond:
        count, until_s = 0, 0.0

        def respond(call: Call) -> Reply:
            nonlocal count, until_s
            count += 1
            if count == after:
                until_s = time.monotonic() + seconds
            return error(status, "Bad gateway.", "gateway") if time.monotonic() < until_s else inner(call)

        return respond

    return Steps(respond=wrap)


def now_and_then(number: int, status: int) -> Steps:
    """Answer every so many requests with this status."""
    turn = every(number)
    return turned_away(status, lambda _: turn())


def quotas(most: Mapping[str | None, int], message: str) -> Steps:
    """Accept so many creations of each status, and under ``None`` of any."""

    def install(service: Service) -> None:
        inner: Insert = service.insert
        counts: dict[str | None, int] = {}

        def insert(payload: Payload, call: Call) -> Animal:
            for kind in (payload.status, None):
                if kind in most and counts.get(kind, 0) >= most[kind]:
                    refuse(400, message)
            for kind in (payload.status, None):
                counts[kind] = counts.get(kind, 0) + 1
            return inner(payload, call)

        service.insert = insert

    return Steps(install=install)


def removed(status: int, when: Callable[[], bool]) -> Steps:
    """Answer getPet as an operation that was removed, at some times."""
    return Steps(
        get_pet=lambda inner: (
            lambda call: (
                refuse(status, "This operation was removed; use GET /pets.") if when() else inner(call)
            )
        )
    )


def after(number: int) -> Callable[[], bool]:
    """A question that is answered yes once it was asked so many times."""
    asked = 0

    def ask() -> bool:
        nonlocal asked
        asked += 1
        return asked > number

    return ask
