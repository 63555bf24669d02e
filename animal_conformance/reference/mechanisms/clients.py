"""Mechanisms that tell clients, connections and spellings of a path apart."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate

from animal_conformance.reference.changes import Recipe, Steps, anew
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import Answering, Finding, When, noting, refuse, where
from animal_conformance.reference.mechanisms.credentials import keyless
from animal_conformance.reference.mechanisms.lists import hidden
from animal_conformance.reference.model import Animal, Call, Json, Reply

_HOUR_S = 3600
SESSION = "session=6f1d"


def says(call: Call, name: str, part: str = "") -> bool:
    """Whether a request has a header that contains this part."""
    return name in call.headers and part in call.headers[name]


def turned_away(status: int, when: When) -> Steps:
    """Refuse requests with a valid key for the way in which they are sent."""
    return Steps(operate=lambda before, call: refuse(status) if when(call) else before(call))


def spelled(before: Answering, call: Call, *, path: str, method: str = "GET") -> Reply:
    """Serve a path that is spelled differently, with or without a petId, and without asking for a key."""
    found = re.fullmatch(path, call.path)
    if call.method != method or found is None:
        return before(call)
    call.pet_id = found[1] or ""
    call.operation = "createPet" if method == "POST" else "getPet" if call.pet_id else "listPets"
    return before.service.operate(call)


@anew
def by_worker(count: int, when: When, recipe: Recipe) -> Steps:
    """Take the altered steps in the last of so many processes that accept connections in turn."""
    workers: dict[object, int] = {}

    def is_there(call: Call) -> bool:
        return workers.setdefault(call.connection, len(workers)) % count == count - 1 and bool(when(call))

    return where(is_there, recipe())


@anew
def in_turns(count: int, steps: Steps) -> Steps:
    """Take the altered steps in the last of so many servers that are given requests in turn."""
    numbers = itertools.count()

    def respond(before: Answering, call: Call) -> Reply:
        call.notes["turn"] = next(numbers) % count
        return before(call)

    return replace(where(lambda *given: given[-1].notes["turn"] == count - 1, steps), respond=respond)


def snapshots() -> Steps:
    """List what there was at the first list request on the same connection, until an animal is created on it."""
    kept: dict[object, list[Animal]] = {}

    def list_pets(before: Answering, call: Call) -> Reply:
        service = before.service
        limit = service.read_limit(call.parameters("limit"))
        status = service.read_filter(call.parameters("status"))
        known = kept.setdefault(call.connection, service.store.everything())
        shown = [service.represent(each, "listPets") for each in known if status in {None, each.status}]
        return Reply(200, shown[:limit])

    return Steps(list_pets=list_pets, insert=noting(lambda _, call: kept.pop(call.connection, None)))


@anew
def filters_carried_over() -> Steps:
    """Filter a list without a filter as the list before it on the same connection was."""
    kept: dict[object, str] = {}

    def list_pets(before: Answering, call: Call) -> Reply:
        asked = call.parameters("status")
        carried = kept.pop(call.connection, None)
        if not asked and carried is not None:
            return before(replace(call, query=[*call.query, ("status", carried)]))
        reply = before(call)
        if asked and reply.succeeded:
            kept[call.connection] = asked[0]
        return reply

    return Steps(list_pets=list_pets)


@anew
def apart(name: str, part: str) -> Steps:
    """Keep what clients with this part in a header create in a store of their own, which nobody else is served from."""
    created: set[int] = set()
    of_them = False

    def operate(before: Answering, call: Call) -> Reply:
        nonlocal of_them
        of_them = says(call, name, part)
        return before(call)

    def is_elsewhere(animal: Animal, _: str | None = None) -> bool:
        return animal.id in created and not of_them

    def find(before: Finding, animal_id: int) -> Animal | None:
        animal = before(animal_id)
        return None if animal is None or is_elsewhere(animal) else animal

    def note(animal: Animal, _: Call) -> None:
        if of_them:
            created.add(animal.id)

    return Steps(operate=operate, find=find, select=hidden(is_elsewhere), insert=noting(note))


def with_session(before: Answering, call: Call) -> Reply:
    """Set a session cookie in each answer to a request with a credential."""
    reply = before(call)
    return reply if keyless(call) else with_headers(reply, Set_Cookie=f"{SESSION}; HttpOnly")


def tagged(before: Answering, call: Call, *, of: Callable[[Json], Json] = lambda value: value) -> Reply:
    """Give each 200 an ETag, made of its value or a part of it, and answer 304 to a request that has this ETag in If-None-Match."""
    reply = before(call)
    if reply.status != 200:
        return reply
    tag = f'"{hashlib.sha256(json.dumps(of(reply.value)).encode()).hexdigest()[:16]}"'
    if says(call, "if-none-match", tag):
        return Reply(304, None, {"Content-Type": "", "ETag": tag}, b"")
    return with_headers(reply, ETag=tag)


def dated() -> Steps:
    """Date lists by the last creation, in whole seconds, and answer 304 to a client that has a list of that date."""
    changed_s = [time.time() - _HOUR_S]

    def list_pets(before: Answering, call: Call) -> Reply:
        reply, date = before(call), formatdate(changed_s[-1], usegmt=True)
        if call.headers.get("if-modified-since") == date:
            return Reply(304, None, {"Content-Type": "", "Last-Modified": date}, b"")
        return with_headers(reply, Last_Modified=date)

    return Steps(list_pets=list_pets, insert=noting(lambda *_: changed_s.append(time.time())))
