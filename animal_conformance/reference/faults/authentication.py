"""Faults of authentication, and of the address ('Authentication', 'Versioning')."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import Call, Refusal, Reply
from animal_conformance.reference.service import Authenticate, Respond, Service
from animal_conformance.reference.tools import every, refuse, refused, with_headers, without_headers

_MISSING = ("auth.missing.list", "auth.missing.create", "auth.missing.get")


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 2, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _open(*operations: str) -> Wrap[Authenticate]:
    """Ask no key of the operations."""
    return lambda inner: lambda call: call.operation in operations or inner(call)


def _compared(accepts: Callable[[str, str], object]) -> Any:
    """Accept further tokens; the arguments are the token, never empty, and the key."""
    return lambda inner: lambda given, key: inner(given, key) or bool(given and accepts(given, key))


def _unauthorised(answer: Callable[[Call], Reply | None], when: Callable[[Call], object]) -> Wrap[Respond]:
    """Answer 401s to some requests in another way."""
    return lambda inner: (
        lambda call: (answer(call) or reply) if (reply := inner(call)).status == 401 and when(call) else reply
    )


def _keyless(call: Call) -> bool:
    return call.authorization is None


def _status(status: int, message: str) -> Callable[[Call], Reply]:
    return lambda _: Reply(status, {"code": "refused", "message": message, "status": status})


def _later(service: Service) -> Callable[[Call], bool]:
    """Whether the request came over a connection that has shown the key before."""
    seen: set[object] = set()
    inner = service.authenticate

    def known(call: Call) -> bool:
        if inner(call):
            seen.add(call.connection)
        return call.connection in seen

    return known


def _by_connection(accepts: Callable[[Call], bool]) -> Callable[[Service], None]:
    def install(service: Service) -> None:
        known, inner = _later(service), service.authenticate
        service.authenticate = lambda call: (known(call) and accepts(call)) or inner(call)

    return install


def _with_token(call: Call) -> bool:
    scheme, _, token = (call.authorization or "").partition(" ")
    return scheme == "Bearer" and bool(token.strip())


def _stored(when: Callable[[Call], object]) -> Callable[[Service], None]:
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

    return install


def _rejecting(make: Callable[[], Callable[[Call], object]]) -> Wrap[Authenticate]:
    """Reject the valid key now and then."""

    def wrap(inner: Authenticate) -> Authenticate:
        rejects = make()
        return lambda call: inner(call) and not rejects(call)

    return wrap


def _seldom() -> Callable[[Call], bool]:
    rejects = every(25)
    return lambda _: rejects()


def _locking(inner: Authenticate) -> Authenticate:
    """After a wrong key the next request is rejected."""
    locked = False

    def authenticate(call: Call) -> bool:
        nonlocal locked
        valid = inner(call)
        accepted, locked = valid and not locked, not valid
        return accepted

    return authenticate


def _cached(service: Service) -> None:
    """Successful lists are kept, and answer the next identical request whoever asks."""
    kept: dict[str, Reply] = {}
    inner = service.respond

    def respond(call: Call) -> Reply:
        if call.operation != "listPets":
            return inner(call)
        key = json.dumps(call.query)
        reply = inner(call)
        if reply.status == 200:
            kept[key] = reply
        return kept.get(key, reply) if reply.status == 401 and _keyless(call) else reply

    service.respond = respond


def _strangers_forbidden(service: Service) -> None:
    """Keys that have nothing in common with the valid one are answered with 403."""
    inner, key = service.respond, service.key

    def respond(call: Call) -> Reply:
        reply = inner(call)
        _, _, token = (call.authorization or "").partition("Bearer ")
        related = token[:4].lower() == key[:4].lower() or token in key
        stranger = reply.status == 401 and bool(token) and not related
        return _status(403, "This key is not valid")(call) if stranger else reply

    service.respond = respond


def _recased(given: str, key: str) -> bool:
    return given.lower() == key.lower()


def _recased_in(operation: str) -> Callable[[Service], None]:
    """Compare keys without regard to case, in one operation."""

    def install(service: Service) -> None:
        inner = service.authenticate

        def authenticate(call: Call) -> bool:
            given = service.read_credential(call.authorization or "") if call.operation == operation else None
            return inner(call) or bool(given and _recased(given, service.key))

        service.authenticate = authenticate

    return install


FAULTS = [
    _fault(
        "auth.open.list", "auth.missing.list", "listPets asks for no key.", 1, authenticate=_open("listPets")
    ),
    _fault(
        "auth.open.create",
        "auth.missing.create",
        "createPet asks for no key.",
        1,
        authenticate=_open("createPet"),
    ),
    _fault("auth.open.get", "auth.missing.get", "getPet asks for no key.", 1, authenticate=_open("getPet")),
    _fault(
        "auth.open.reading",
        ("auth.missing.list", "auth.missing.get"),
        "Reading asks for no key.",
        1,
        authenticate=_open("listPets", "getPet"),
    ),
    _fault("auth.open", _MISSING, "Nothing asks for a key.", 1, authenticate=lambda _: lambda _: True),
    _fault(
        "auth.missing.403",
        _MISSING,
        "A missing key is answered with 403.",
        1,
        respond=_unauthorised(_status(403, "Not authenticated"), _keyless),
    ),
    _fault(
        "auth.missing.404",
        "auth.missing.get",
        "getPet without a key is answered with 404, to give nothing away.",
        1,
        respond=_unauthorised(
            _status(404, "Not found"), lambda call: _keyless(call) and call.operation == "getPet"
        ),
    ),
    _fault(
        "auth.missing.login",
        "auth.missing.list",
        "listPets without a key is redirected to a page where one can log in.",
        1,
        respond=_unauthorised(
            lambda _: with_headers(Reply(302, None), Location="/login"),
            lambda call: _keyless(call) and call.operation == "listPets",
        ),
    ),
    _fault(
        "auth.missing.nothing",
        "auth.missing.list",
        "listPets without a key is answered with an empty list.",
        1,
        respond=_unauthorised(
            lambda _: Reply(200, []), lambda call: _keyless(call) and call.operation == "listPets"
        ),
    ),
    _fault(
        "auth.missing.cached",
        "auth.missing.list",
        "listPets without a key is answered where the same was just asked with one.",
        3,
        install=_cached,
    ),
    _fault(
        "auth.missing.connection",
        _MISSING,
        "On a connection that has shown the key, later requests need none.",
        3,
        install=_by_connection(_keyless),
    ),
    _fault(
        "auth.wrong.connection",
        "auth.key.wrong",
        "On a connection that has shown the key, later requests may have any.",
        3,
        install=_by_connection(_with_token),
    ),
    _fault(
        "auth.empty",
        "auth.key.empty",
        "An empty token is accepted.",
        authenticate=lambda inner: (
            lambda call: (call.authorization or "").strip().lower() == "bearer" or inner(call)
        ),
    ),
    _fault(
        "auth.empty.403",
        "auth.key.empty",
        "An empty token is answered with 403.",
        respond=_unauthorised(
            _status(403, "Not authenticated"),
            lambda call: (call.authorization or "").strip().lower() == "bearer",
        ),
    ),
    _fault(
        "auth.any", "auth.key.wrong", "Any token is accepted.", 1, compare_keys=_compared(lambda *_: True)
    ),
    _fault(
        "auth.any.same-length",
        "auth.key.wrong",
        "Any token as long as the key is accepted.",
        compare_keys=_compared(lambda given, key: len(given) == len(key) and not _recased(given, key)),
    ),
    _fault(
        "auth.wrong.403",
        "auth.key.wrong",
        "A wrong key is answered with 403.",
        1,
        install=_strangers_forbidden,
    ),
    _fault(
        "auth.longer",
        "auth.key.longer",
        "A token that begins with the key is accepted.",
        compare_keys=_compared(lambda given, key: given.startswith(key)),
    ),
    _fault(
        "auth.shorter.last",
        "auth.key.shorter",
        "The key is accepted without its last character.",
        4,
        compare_keys=_compared(lambda given, key: given == key[:-1]),
    ),
    _fault(
        "auth.shorter.part",
        "auth.key.shorter",
        "Any part of the key that has at least half of it is accepted.",
        compare_keys=_compared(lambda given, key: given in key and 2 * len(given) >= len(key)),
    ),
    _fault(
        "auth.first-half",
        "auth.key.wrong",
        "The first half is compared of keys that are as long as the right one.",
        compare_keys=_compared(
            lambda given, key: len(given) == len(key) and given.startswith(key[: len(key) // 2])
        ),
    ),
    _fault(
        "auth.case",
        "auth.key.case",
        "Keys are compared without regard to case.",
        compare_keys=_compared(_recased),
    ),
    _fault(
        "auth.open.filtered",
        "auth.missing.list",
        "A list with a status asks for no key: the pages of a shop window are built from it.",
        authenticate=lambda inner: (
            lambda call: (call.operation == "listPets" and bool(call.parameters("status"))) or inner(call)
        ),
    ),
    _fault(
        "auth.case.get",
        "auth.key.case",
        "getPet compares keys without regard to case, as its table of keys does.",
        install=_recased_in("getPet"),
    ),
    _fault(
        "auth.stored",
        "auth.untraced",
        "A creation that is answered with 401 is stored all the same.",
        3,
        install=_stored(lambda _: True),
    ),
    _fault(
        "auth.stored.wrong-key",
        "auth.untraced",
        "A creation with a wrong key is answered with 401 and stored all the same.",
        3,
        install=_stored(lambda call: not _keyless(call)),
    ),
    _fault(
        "auth.stored.missing-key",
        "auth.untraced",
        "A creation without a key is answered with 401 and stored all the same.",
        3,
        install=_stored(_keyless),
    ),
    _fault(
        "auth.stored.digest",
        "auth.untraced",
        "A creation with the key under the scheme Digest is answered with 401 and stored all the same.",
        3,
        install=_stored(lambda call: (call.authorization or "").startswith("Digest")),
    ),
    _fault(
        "auth.rejects.sometimes",
        "auth.key.valid",
        "Every twenty-fifth request with the key is answered with 401.",
        4,
        authenticate=_rejecting(_seldom),
    ),
    _fault(
        "auth.rejects.after-wrong",
        "auth.key.valid",
        "After a wrong key the next request is answered with 401.",
        3,
        authenticate=_locking,
    ),
    _fault(
        "auth.rejects.filter",
        "auth.key.valid",
        "The key may list animals, but a filter is answered with 403.",
        list_pets=lambda inner: (
            lambda call: refuse(403, "This key may not filter.") if call.parameters("status") else inner(call)
        ),
    ),
    _fault(
        "auth.no-challenge",
        "auth.challenge",
        "A 401 has no WWW-Authenticate header.",
        1,
        refuse=refused(lambda reply: without_headers(reply, "WWW-Authenticate"), 401),
    ),
    _fault(
        "auth.basic-challenge",
        "auth.challenge",
        "A 401 asks for the scheme Basic.",
        1,
        refuse=refused(lambda reply: with_headers(reply, WWW_Authenticate='Basic realm="animals"'), 401),
    ),
    _fault(
        "methods.no-allow",
        "methods.allow",
        "A 405 has no Allow header.",
        refuse=refused(lambda reply: without_headers(reply, "Allow"), 405),
    ),
    _fault(
        "version.none",
        "version.path",
        "The base address ends without a version.",
        1,
        settings={"base_path": "/api"},
    ),
    _fault(
        "version.inside",
        "version.path",
        "The base address goes on behind /v1.",
        1,
        settings={"base_path": "/v1/animals"},
    ),
]
