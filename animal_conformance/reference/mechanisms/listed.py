"""Mechanisms of lists that end early or show what was, and of lists that leave something out."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.lists import EVERYTHING
from animal_conformance.reference.model import Animal, Call, Payload, Reply
from animal_conformance.reference.service import Respond, Select, Service


def in_bytes(most: int) -> Steps:
    """End a page before it exceeds so many bytes, but not before its first animal."""

    def install(service: Service) -> None:
        inner = service.select

        def select(limit: int, status: str | None) -> list[Animal]:
            page, left = inner(limit, status), most
            for at, animal in enumerate(page):
                left -= len(service.encode(service.represent(animal, "listPets"))) + 1
                if left < 0 < at:
                    return page[:at]
            return page

        service.select = select

    return Steps(install=install)


def scanned(most: int) -> Steps:
    """Look at so many animals and no more, and take from those what the filter lets through."""
    return Steps(
        select=lambda inner: (
            lambda limit, status: [animal for animal in inner(most, None) if status in {None, animal.status}][
                :limit
            ]
        )
    )


def chosen(inner: Select) -> Select:
    """Leave one in ten animals out of each list, by chance."""
    dice = random.Random(0)  # noqa: S311 - a choice, not a secret

    def select(limit: int, status: str | None) -> list[Animal]:
        return [each for each in inner(EVERYTHING, status) if dice.random() < 0.9][:limit]

    return select


def stored(lasts_s: float, tell: Callable[[float, float], dict[str, str]]) -> Steps:
    """Answer a query with its last response until that is too old; tell makes headers of how long and of its age."""

    def wrap(inner: Respond) -> Respond:
        kept: dict[tuple[tuple[str, str], ...], tuple[float, Reply]] = {}

        def respond(call: Call) -> Reply:
            query, now_s = tuple(call.query), time.monotonic()
            made_s, reply = kept.get(query, (-lasts_s, None))
            if reply is None or now_s - made_s >= lasts_s:
                made_s, reply = now_s, inner(call)
                kept[query] = made_s, reply
            return Reply(reply.status, reply.value, tell(lasts_s, now_s - made_s), reply.body)

        return respond

    return Steps(list_pets=wrap)


def behind(lag_s: float) -> Steps:
    """List from a replica that receives creations after so many seconds."""

    def install(service: Service) -> None:
        created: dict[int, float] = {}
        select_, insert_ = service.select, service.insert

        def insert(payload: Payload, call: Call) -> Animal:
            animal = insert_(payload, call)
            created[animal.id] = time.monotonic()
            return animal

        def select(limit: int, status: str | None) -> list[Animal]:
            since_s = time.monotonic() - lag_s
            animals = inner(EVERYTHING, status)
            return [each for each in animals if created.get(each.id, since_s) <= since_s][:limit]

        inner: Select = select_
        service.insert, service.select = insert, select

    return Steps(install=install)


def frozen_filter(of: str) -> Steps:
    """Keep the index of one status as it was when it was first used."""

    def wrap(inner: Select) -> Select:
        index: list[Animal] = []

        def select(limit: int, status: str | None) -> list[Animal]:
            if status != of:
                return inner(limit, status)
            if not index:
                index.extend(inner(EVERYTHING, status))
            return index[:limit]

        return select

    return Steps(select=wrap)
