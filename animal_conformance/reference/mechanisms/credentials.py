"""Mechanisms of authentication: which credentials are accepted, when, and how others are answered."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections import deque
from collections.abc import Callable

from animal_conformance.reference.changes import Before, Steps, anew
from animal_conformance.reference.mechanisms.answers import with_headers
from animal_conformance.reference.mechanisms.common import Answering, When, refuse
from animal_conformance.reference.model import STATUSES, Call, Refusal, Reply
from animal_conformance.reference.service import Service


def keyless(call: Call) -> bool:
    """Whether there is no credential."""
    return call.authorization is None


def basic(call: Call) -> bool:
    """Whether the credential is of the scheme Basic."""
    return (call.authorization or "").lower().startswith("basic")


@anew
def locked_out(most: int, for_s: int) -> Steps:
    """After every so many wrong keys, answer wrong keys with 429 for some seconds."""
    wrong = itertools.count(1)
    until_s = 0.0

    def authenticate(before: Before[[Call], bool], call: Call) -> bool:
        nonlocal until_s
        if before(call) or keyless(call):
            return before(call)
        if time.monotonic() < until_s:
            refuse(429, "Too many wrong keys.")
        if next(wrong) % most == 0:
            until_s = time.monotonic() + for_s
        return False

    def refused(before: Before[[Refusal, Call], Reply], refusal: Refusal, call: Call) -> Reply:
        reply = before(refusal, call)
        return with_headers(reply, Retry_After=str(for_s)) if refusal.status == 429 else reply

    return Steps(authenticate=authenticate, refuse=refused)


def accepted(when: When) -> Steps:
    """Accept further requests, whatever credential they have."""
    return Steps(authenticate=lambda before, call: bool(when(call)) or before(call))


def compared(accepts: Callable[[str, str], object]) -> Steps:
    """Accept further tokens; the arguments are the token, never empty, and the key."""
    return Steps(
        compare_keys=lambda before, given, key: before(given, key) or bool(given and accepts(given, key))
    )


def recased_to_get(before: Before[[Call], bool], call: Call) -> bool:
    """Whether a credential is accepted, or on getPet differs from the right one only in case."""
    recased = (call.authorization or "").lower() == f"Bearer {before.service.key}".lower()
    return before(call) or (call.operation == "getPet" and recased)


def credentials(read: Callable[[list[str]], str | None]) -> Steps:
    """Read the token from further forms of the header, which ``read`` gets as words, if there are any."""
    return Steps(
        read_credential=lambda before, header: before(header) or (read(header.split()) if header else None)
    )


def unauthorised(when: When, answer: Callable[[], Reply]) -> Steps:
    """Answer 401s to some requests in another way."""
    return Steps(
        respond=lambda before, call: (
            answer() if (reply := before(call)).status == 401 and when(call) else reply
        )
    )


def by_connection() -> Steps:
    """Accept requests without a key on a connection that has shown the key before."""
    seen: set[object] = set()

    def authenticate(before: Before[[Call], bool], call: Call) -> bool:
        if before(call):
            seen.add(call.connection)
            return True
        return call.connection in seen and keyless(call)

    return Steps(authenticate=authenticate)


def cached() -> Steps:
    """Keep successful lists, and answer the same requests from them if they come without a key."""
    kept: dict[str, Reply] = {}

    def respond(before: Answering, call: Call) -> Reply:
        reply, query = before(call), str(call.query)
        if call.operation == "listPets" and reply.status == 200:
            kept[query] = reply
        return kept.get(query, reply) if call.operation == "listPets" and keyless(call) else reply

    return Steps(respond=respond)


def remembered() -> Steps:
    """Accept any token for lists of a status that have been requested with the key."""
    known: set[str] = set()

    def authenticate(before: Before[[Call], bool], call: Call) -> bool:
        filters = dict(call.query)
        about = (
            call.operation == "listPets" and filters.keys() == {"status"} and filters["status"] in STATUSES
        )
        valid = before(call)
        if about and valid:
            known.add(filters["status"])
        return valid or (about and filters["status"] in known and not keyless(call))

    return Steps(authenticate=authenticate)


def locking() -> Steps:
    """Reject the next request after a wrong key."""
    valid: deque[bool] = deque(maxlen=2)

    def authenticate(before: Before[[Call], bool], call: Call) -> bool:
        valid.append(before(call))
        return all(valid)

    return Steps(authenticate=authenticate)


def kept_although_unauthorised(before: Answering, call: Call, *, name: Callable[[str], str] = str) -> Reply:
    """Store the animals of create requests that are answered with 401, with their names altered."""
    reply, service = before(call), before.service
    if reply.status == 401 and call.operation == "createPet":
        with contextlib.suppress(Refusal):
            payload = service.read_payload(service.decode(call.body))
            service.insert(payload._replace(name=name(payload.name)), call)
    return reply


def check_first(
    before: Before[[Call], bool], call: Call, *, of: str, check: Callable[[Service, Call], object]
) -> bool:
    """Check requests of an operation, and perhaps refuse them, before the key is checked."""
    if call.operation == of:
        check(before.service, call)
    return before(call)
