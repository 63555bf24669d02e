"""What the service does, last paragraph: all request and response bodies are JSON."""

from __future__ import annotations

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.ledger import BROKEN_OFF
from animal_conformance.judge.rules.case import EVIDENCE, Case, Finding, Opinion, shorten
from animal_conformance.record.exchange import Response

# One failed attempt may be the network's fault; this many in a row on one request, while others around it
# are answered, are the deployment's.
FAILURES_OF_ONE_REQUEST = 6


def answer(case: Case) -> Opinion:
    """http.answer: every request gets a complete, well-formed HTTP response."""
    if case.operation is Operation.OTHER:
        return None
    failure = case.exchange.failure
    if failure is None:
        return EVIDENCE
    if failure.kind not in BROKEN_OFF:
        return None
    alike = case.ledger.broken_off[case.exchange.request]
    if len(alike) < FAILURES_OF_ONE_REQUEST or case.ledger.was_answered(case.exchange.request):
        return None
    first, last = alike[0].sent_s, alike[-1].answered_s
    if not case.ledger.answers_between(first, last):
        return None
    return Finding(
        f"The deployment never responds to this request ({len(alike)} attempts), but responds to others.",
        "a complete HTTP response",
        f"{failure.kind.value}: {shorten(failure.detail)}",
        related=tuple(alike[:1]),
    )


def server_error(case: Case) -> Opinion:
    """http.server-error: no request to the interface returns a 5xx status code."""
    if case.operation is Operation.OTHER or case.status == 0 or case.throttled:
        return None
    if not case.server_error:
        return EVIDENCE
    return Finding(
        "The deployment returns a server error.",
        "a status code below 500",
        case.describe(),
    )


def json_body(case: Case) -> Opinion:
    """http.json.body: the body of a successful response is valid JSON."""
    response = success_of(case)
    if response is None:
        return None
    if response.json.valid:
        # Of a long array, only the beginning was parsed.
        return EVIDENCE if response.elements is None else None
    return Finding(
        f"The body of a successful response is not valid JSON: {response.json.problem}.",
        "a valid JSON body (RFC 8259)",
        case.describe(),
    )


def json_content_type(case: Case) -> Opinion:
    """http.json.content-type: a JSON body has the Content-Type application/json; parameters are allowed."""
    response = case.exchange.response
    if response is None or case.of_another_kind or not response.json.valid:
        return None
    # An error page consisting of, say, `404` is JSON by chance: covered by error.body.
    if success_of(case) is None and not (is_interface_error(case) and isinstance(case.value, dict)):
        return None
    if response.media_type == case.contract.media_type:
        return EVIDENCE
    return Finding(
        "A JSON body does not have the Content-Type application/json.",
        "Content-Type: application/json, with or without parameters",
        f"Content-Type: {response.header('content-type') or 'absent'}, in a {response.status} response",
    )


def success_of(case: Case) -> Response | None:
    """The answer, where it is the success that the contract lists for the operation."""
    wanted = {Operation.LIST: 200, Operation.CREATE: 201, Operation.GET: 200}.get(case.operation)
    return case.exchange.response if case.status == wanted and not case.of_another_kind else None


# Status codes that frameworks and proxies return before any operation is reached, to requests about which the
# interface says nothing: other methods, media types, sizes, rates.
ANSWERS_OF_THE_TRANSPORT = frozenset({405, 406, 408, 411, 413, 414, 415, 417, 421, 426, 429, 431})
POINTS_OF_THE_TRANSPORT = frozenset(
    {"accept", "content-type", "body.large", "target.long", "petId.odd-path", "body.unexpected"}
)


def is_interface_error(case: Case) -> bool:
    """Whether it is an error response from one of the three operations, which must contain an Error."""
    return (
        case.operation is not Operation.OTHER
        and 400 <= case.status < 500
        and case.status not in ANSWERS_OF_THE_TRANSPORT
        and not case.reading.open_points & POINTS_OF_THE_TRANSPORT
    )


RULES = {
    "http.answer": answer,
    "http.server-error": server_error,
    "http.json.body": json_body,
    "http.json.content-type": json_content_type,
}
