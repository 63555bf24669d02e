"""Whatever the operation: retrievals, keys, methods, clients, the fields of bodies, and the transport."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import ANIMAL_FIELDS, ERROR_FIELDS
from animal_conformance.judge.case import Case, shorten
from animal_conformance.judge.observers.kinds import Observer, open_point, problem
from animal_conformance.judge.rules.errors import error_of
from animal_conformance.record.exchange import Credential, Request, Response
from animal_conformance.record.jsontext import IntegralFloat

# The weight of a coding that is not accepted at all (RFC 9110 section 12.4.2).
NO_WEIGHT: Final = re.compile(r"0(\.0*)?")


def challenge(case: Case) -> str | None:
    """open.auth.challenge: the WWW-Authenticate header of a 401."""
    response = case.exchange.response
    if response is None or case.status != 401:
        return None
    return shorten(response.header("www-authenticate") or "absent", 80)


def lower_case_scheme(case: Case) -> str | None:
    """open.auth.lower-case-scheme: whether the Bearer scheme is accepted in lower case."""
    in_lower_case = case.credential is Credential.LOWER_CASE_SCHEME and case.reading.valid
    return f"{case.status}" if in_lower_case and case.answered else None


def methods(case: Case) -> str | None:
    """open.methods: the response to other methods."""
    request = case.exchange.request
    if case.operation is not Operation.OTHER or not case.status or request.method in {"GET", "POST"}:
        return None
    return f"{request.method}: {case.status}"


def accept(case: Case) -> str | None:
    """open.accept: the response to a request whose Accept header excludes application/json."""
    response = case.exchange.response
    if response is None or "accept" not in case.reading.open_points:
        return None
    if response.media_type == case.contract.media_type and case.status != 406:
        return f"{response.media_type} nevertheless"
    return f"{case.status} as {response.media_type} for {case.exchange.request.header('accept')}"


def voices(case: Case) -> str | None:
    """open.voices: the clients whose requests are declined for the way they are sent, or throttled."""
    voice = case.exchange.request.voice
    if not case.declined and not (voice and case.throttled):
        return None
    return f"{voice or 'the suite itself'}, {case.operation.value}: {case.status}"


def trailing_slash(case: Case) -> str | None:
    """open.trailing-slash: the response to /pets/."""
    return f"{case.status}" if "trailing-slash" in case.reading.open_points and case.status else None


def error_codes(case: Case) -> str | None:
    """open.error.codes: the values of code, by status code."""
    error = error_of(case) if 400 <= case.status < 600 else None
    code = error.get("code") if error else None
    return f"{case.status}: {shorten(code, 60)}" if isinstance(code, str) else None


def rate_limit(case: Case) -> str | None:
    """open.rate-limit: whether requests are rate-limited, and how that is signalled."""
    response = case.exchange.response
    if response is None:
        return None
    if case.throttled:
        return f"{case.status}, Retry-After {'present' if response.header('retry-after') else 'absent'}"
    told = any("ratelimit" in name.lower() for name, _ in response.headers)
    return "announced in headers" if told else None


def extra_fields(case: Case) -> str | None:
    """open.extra-fields: which additional fields bodies contain."""
    if case.operation is Operation.OTHER:
        return None
    animals = [each for _, each in case.animal_objects]
    bodies = animals or ([case.value] if isinstance(case.value, dict) else [])
    extra = sorted(set[str]().union(*bodies).difference(ANIMAL_FIELDS, ERROR_FIELDS))
    return shorten(", ".join(extra), 100) if extra else None


def integral_floats(case: Case) -> str | None:
    """open.integral-floats: whether integers in responses are ever written as 5.0."""
    if any(IntegralFloat in map(type, animal.values()) for _, animal in case.animal_objects):
        return "yes"
    return "no" if case.animal_objects else None


def status_moves(case: Case) -> str | None:
    """open.status.moves: whether the status of an animal changes during the run."""
    if case.operation is not Operation.GET or not case.animal_objects:
        return None
    known = case.ledger.animals.get(case.reading.pet_id) if case.reading.pet_id is not None else None
    sightings = known.sightings if known is not None else ()
    now = repr(case.animal_objects[0][1].get("status"))
    earlier = [each for each in sightings if each.first.sent_s < case.sent_s]
    if any(repr(each.animal.get("status")) != now for each in earlier):
        return "yes"
    return "no" if earlier else None


def _unacceptable_coding(request: Request, response: Response) -> str | None:
    """The first content coding of a body that the client does not accept; a client that names none accepts all.

    RFC 9110 sections 8.4.1 and 12.5.3.
    """
    accepted, coded = request.header("accept-encoding"), response.header("content-encoding")
    if accepted is None or not coded or not response.body:
        return None
    members = [each.replace(" ", "").lower().removeprefix("x-") for each in accepted.split(",")]
    weights = {each.partition(";")[0]: each.partition(";q=")[2] for each in members}
    codings = [each.strip().lower().removeprefix("x-") for each in coded.split(",")]
    refused = [each for each in codings if NO_WEIGHT.fullmatch(weights.get(each, weights.get("*", "0")))]
    return next((each for each in refused if each != "identity"), None)


def transport(case: Case) -> str | None:
    """open.transport: HTTP version, compression, framing and charset of responses."""
    response = case.exchange.response
    asked_to_close = (case.exchange.request.header("connection") or "").lower() == "close"
    if response is not None and (coding := _unacceptable_coding(case.exchange.request, response)):
        return f"{shorten(coding, 20)}, which the client does not accept"
    if response is None or asked_to_close:  # the latter is not a choice of the deployment
        return None
    framing = "Content-Length" if response.header("content-length") else "until close"
    _, _, parameters = (response.header("content-type") or "").partition(";")
    parts = [
        f"HTTP/{response.version}",
        "chunked" if response.header("transfer-encoding") else framing,
        shorten(response.header("content-encoding") or "uncompressed", 20),
        shorten(parameters.strip() or "no charset", 30),
        "connection closed" if (response.header("connection") or "").lower() == "close" else "",
    ]
    return ", ".join(part for part in parts if part)


def network(case: Case) -> str | None:
    """open.network: how often a request got no response, and why."""
    failure = case.exchange.failure
    return f"{failure.kind.value}: {shorten(failure.detail, 80)}" if failure else None


OBSERVERS: Final[Mapping[str, Observer]] = {
    "open.get.malformed": problem(Operation.GET, "petId.not-integer"),
    "open.get.lenient-integer": open_point(
        Operation.GET, "petId.lenient", lambda case: f"{shorten(case.exchange.request.path[6:], 20)}: "
    ),
    "open.auth.lower-case-scheme": lower_case_scheme,
    "open.auth.challenge": challenge,
    "open.methods": methods,
    "open.accept": accept,
    "open.voices": voices,
    "open.trailing-slash": trailing_slash,
    "open.error.codes": error_codes,
    "open.rate-limit": rate_limit,
    "open.extra-fields": extra_fields,
    "open.integral-floats": integral_floats,
    "open.status.moves": status_moves,
    "open.transport": transport,
    "open.network": network,
}
