"""What became of a request, as far as sending depends on it: an answer or none, and how to say that in words."""

from __future__ import annotations

from typing import Final

from animal_conformance.interface.waiting import GATEWAY_ERRORS, asks_for_patience
from animal_conformance.record.exchange import Exchange, FailureKind, Response

PASSING: Final = frozenset(
    {FailureKind.REFUSED, FailureKind.RESET, FailureKind.TIMEOUT, FailureKind.MALFORMED}
)
# Nothing listens, or only something in front of the deployment, such as a load balancer.
OUT: Final = frozenset({FailureKind.REFUSED, FailureKind.RESET})
UNANSWERED: Final = frozenset({408, *GATEWAY_ERRORS})
# How much of a request a sentence shows.
SHOWN_BYTES: Final = 120


def may_have_created(response: Response | None) -> bool:
    """Whether a create request may have created an animal, as far as its response shows."""
    return response is None or response.status < 400 or response.status >= 500


def failed(exchange: Exchange) -> bool:
    """Whether a request got no answer, and may get one if it is sent again: nothing, 408, or a proxy's error."""
    if exchange.response is None:
        return exchange.failure_kind in PASSING
    return exchange.response.status in UNANSWERED and not asks_for_patience(exchange.response)


def is_outage(exchange: Exchange) -> bool:
    """Whether this is how a restart looks: a connection that is refused or closed, or a proxy's error."""
    return failed(exchange) if exchange.failure is None else exchange.failure_kind in OUT


def how(exchange: Exchange) -> str:
    """How a request was not answered, in a few words."""
    if exchange.failure is not None:
        return f"{exchange.failure.kind.value}: {exchange.failure.detail}"
    return "no response" if exchange.response is None else f"{exchange.response.status} to every request"


def unanswered(exchange: Exchange) -> str:
    """A sentence that names the request since which nothing was answered."""
    return f"Unanswered since exchange {exchange.reference}: {asked(exchange)}"


def asked(exchange: Exchange) -> str:
    """A request in a few words: its method, its target, and the beginning of its body."""
    request = exchange.request
    body = (request.body or b"")[:SHOWN_BYTES].decode(errors="replace")
    return f"{request.method} {request.target[:SHOWN_BYTES]}{f' with {body}' if body else ''}"
