"""Mechanisms of authentication: which credentials are accepted, when, and how others are answered."""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
from collections.abc import Callable

from animal_conformance.reference.changes import Steps
from animal_conformance.reference.mechanisms.answers import error
from animal_conformance.reference.mechanisms.common import every, refuse
from animal_conformance.reference.model import Call, Refusal, Reply
from animal_conformance.reference.service import Authenticate, Service


def keyless(call: Call) -> bool:
    """Whether there is no credential."""
    return call.authorization is None


def tokenless(call: Call) -> bool:
    """Whether there is a bearer credential without a token."""
    return (call.authorization or "").strip().lower() == "bearer"


def with_token(call: Call) -> bool:
    """Whether there is a bearer credential with a token."""
    scheme, _, token = (call.authorization or "").partition(" ")
    return scheme == "Bearer" and bool(token.strip())


def accepted(when: Callable[[Call], object]) -> Steps:
    """Accept further requests, whatever credential they have."""
    return Steps(authenticate=lambda inner: lambda call: bool(when(call)) or inner(call))


def opened(*operations: str) -> Steps:
    """Ask no key of the operations."""
    return accepted(lambda call: call.operation in operations)


def compared(accepts: Callable[[str, str], object]) -> Steps:
    """Accept further tokens; the arguments are the token, never empty, and the key."""
    return Steps(
        compare_keys=lambda inner: lambda given, key: inner(given, key) or bool(given and accepts(given, key))
    )


def recased(given: str, key: str) -> bool:
    """Whether a token is the key but for case."""
    return given.lower() == key.lower()


def recased_in(operation: str) -> Steps:
    """Compare keys without regard to case, in one operation."""

    def install(service: Service) -> None:
        inner = service.authenticate

        def authenticate(call: Call) -> bool:
            given = service.read_credential(call.authorization or "") if call.operation == operation else None
            return inner(call) or bool(given and recased(given, service.key))

        service.authenticate = authenticate

    return Steps(install=install)


def credentials(read: Callable[[list[str]], str | None]) -> Steps:
    """Take the token of further headers, given by their words."""
    return Steps(read_credential=lambda inner: lambda header: inner(header) or read(header.split()))


def basic(words: list[str]) -> str | None:
    """What follows the scheme Basic."""
    return words[1] if len(words) == 2 and words[0].lower() == "basic" else None


def basic_user(words: list[str]) -> str | None:
    """The name of the user in what the scheme Basic encodes."""
    try:
        return base64.b64decode(basic(words) or "", validate=True).decode().partition(":")[0]
    except (binascii.Error, UnicodeDecodeError):
        return None


def unauthorised(when: Callable[[Call], object], answer: Callable[[], Reply]) -> Steps:
    """Answer 401s to some requests in another way."""
    return Steps(
        respond=lambda inner: (
            lambda call: answer() if (reply := inner(call)).status == 401 and when(call) else reply
        )
    )


def strangers_forbidden(service: Service) -> None:
    """Answer keys that have nothing in common with the valid one with 403."""
    inner, key = service.respond, service.key

    def respond(call: Call) -> Reply:
        reply = inner(call)
        _, _, token = (call.authorization or "").partition("Bearer ")
        related = token[:4].lower() == key[:4].lower() or token in key
        stranger = reply.status == 401 and bool(token) and not related
        return error(403, "This key is not valid") if stranger else reply

    service.respond = respond


def by_connection(accepts: Callable[[Call], bool]) -> Steps:
    """Accept requests over a connection that has shown the key before."""

    def install(service: Service) -> None:
        seen: set[object] = set()
        inner = service.authenticate

        def authenticate(call: Call) -> bool:
            if inner(call):
                seen.add(call.connection)
                return True
            return call.connection in seen and accepts(call)

        service.authenticate = authenticate

    return Steps(install=install)


def cached(service: Service) -> None:
    """Keep successful lists, and answer the next identical request without a key."""
    kept: dict[str, Reply] = {}
    inner = service.respond

    def respond(call: Call) -> Reply:
        reply = inner(call)
        if call.operation != "listPets":
            return reply
        key = json.dumps(call.query)
        if reply.status == 200:
            kept[key] = reply
        return kept.get(key, reply) if reply.status == 401 and keyless(call) else reply

    service.respond = respond


def kept_although_unauthorised(when: Callable[[Call], object]) -> Steps:
    """Store what is answered with 401."""

    def install(service: Service) -> None:
        inner = service.respond

        def respond(call: Call) -> Reply:
            reply = inner(call)
            if reply.status == 401 and call.operation == "createPet" and when(call):
                with contextlib.suppress(Refusal):
                    service.insert(service.read_payload(service.decode(call.body)), call)
            return reply

        service.respond = respond

    return Steps(install=install)


def sometimes_rejecting(number: int) -> Steps:
    """Reject the valid key every so many times."""

    def wrap(inner: Authenticate) -> Authenticate:
        rejects = every(number)
        return lambda call: inner(call) and not rejects()

    return Steps(authenticate=wrap)


def locking(inner: Authenticate) -> Authenticate:
    """Reject the next request after a wrong key."""
    locked = False

    def authenticate(call: Call) -> bool:
        nonlocal locked
        valid = inner(call)
        accepted, locked = valid and not locked, not valid
        return accepted

    return authenticate


# What comes before the key


def checked_first(operation: str, check: Callable[[Service, Call], object]) -> Steps:
    """Check requests of an operation, which may refuse them, before the key is asked for."""

    def install(service: Service) -> None:
        inner = service.authenticate

        def authenticate(call: Call) -> bool:
            if call.operation == operation:
                check(service, call)
            return inner(call)

        service.authenticate = authenticate

    return Steps(install=install)


def refused_first(wrong: Callable[[Call], object]) -> Steps:
    """Refuse what cannot be read before the key is asked for."""
    return Steps(
        authenticate=lambda inner: (
            lambda call: refuse(400, "This cannot be understood.") if wrong(call) else inner(call)
        )
    )
