"""What the service does, last paragraph: all request and response bodies are JSON."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from math import inf

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import GATEWAY_ERRORS, asks_for_patience
from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, Suspicion, shorten
from animal_conformance.judge.experiments import OUTAGE, OVERSIZED, Again, Experiment, Read, Step
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import BROKEN_OFF, TIMES_APART, Outages
from animal_conformance.judge.suspicions import invalid, turned_away
from animal_conformance.judge.suspicions.closed import closed_now_and_then
from animal_conformance.judge.suspicions.creations.unanswered import stored_unanswered
from animal_conformance.judge.suspicions.oversized import oversized
from animal_conformance.judge.suspicions.silent import silent_now_and_then
from animal_conformance.record.exchange import Credential, Exchange, Failure, FailureKind, Request, Response
from animal_conformance.record.jsontext import TOO_DEEP

TOO_MUCH = frozenset({"body.large", "target.long"})
CUT_OFF = "Some responses are cut off, are not HTTP, or belong to no request, while other requests are served in between."
STORED = (
    "Some create requests add an animal and are not answered, while other requests are served in between."
)
NEVER_ANSWERED = BROKEN_OFF | {FailureKind.TIMEOUT}


def answer(case: Case) -> Opinion:
    """http.answer: every request gets a complete, well-formed HTTP response."""
    if case.operation is Operation.OTHER:
        return None
    failure, ledger = case.exchange.failure, case.ledger
    if failure is None:
        return (closed_now_and_then(case) if case.status == 408 else None) or EVIDENCE
    request = case.exchange.request
    if case.reading.open_points & TOO_MUCH:
        return None  # a server may close the connection on what is too large for it
    if failure.kind is FailureKind.TOO_LARGE:
        return oversized(case, failure.detail)
    # A valid request that is not answered in time is covered by the clauses of its operation.
    valid = case.reading.valid and request.credential is Credential.VALID
    kinds = BROKEN_OFF if valid else NEVER_ANSWERED
    alike = ledger.survey(("broken off", request), lambda: _broken_off(ledger, request, kinds))
    opinion = _never_answered(case, failure, alike) if failure.kind in kinds and alike else None
    if isinstance(opinion, Finding):
        return opinion
    cut = ledger.survey("malformed", lambda: ledger.times_apart(_malformed(ledger)))
    stored = ledger.survey("stored unanswered", lambda: ledger.times_apart(stored_unanswered(ledger)))
    for apart, message in ((cut, CUT_OFF), (stored, STORED)):
        if len(apart) >= TIMES_APART and case.exchange is apart[0][0]:
            return _now_and_then(failure, apart, message)
    if isinstance(opinion, Suspicion):
        return opinion
    return closed_now_and_then(case) or silent_now_and_then(case) or opinion


def _never_answered(case: Case, failure: Failure, alike: list[Exchange]) -> Opinion:
    """What it means that every attempt at a request since its last response has failed."""
    request, ledger = case.exchange.request, case.ledger
    asked = f"{request.method} {shorten(request.target, 60)}"
    malformed = f"The response to {asked} cannot be read, although responses to other requests can."
    silent = f"The deployment does not respond to {asked}, but has responded to other requests."
    finding = Finding(
        malformed if failure.kind is FailureKind.MALFORMED else silent,
        "a complete HTTP response",
        f"{failure.kind.value}: {shorten(failure.detail)}",
        related=tuple(alike[:1]),
    )
    apart = ledger.survey(("broken off, apart", request), lambda: ledger.times_apart(alike))
    if failure.kind is not FailureKind.TIMEOUT:
        return _unless_outage(case, finding, apart, TIMES_APART)
    like = turned_away.last_served(case)
    if like is None:
        # The whole operation may take longer than the run waits.
        return _unless_outage(case, finding, [], TIMES_APART)
    if ledger.served_between(alike[0].answered_s, alike[-1].sent_s, (case.operation,)) is None:
        apart = apart[: TIMES_APART - 1]  # the operation may have been slow only for a while
    return _unless_outage(case, finding, apart, TIMES_APART, turned_away.like_of(like, ledger))


def _malformed(ledger: Ledger) -> list[Exchange]:
    """Plain valid requests whose response was cut off or was not HTTP, whatever came of further attempts."""
    return [
        each
        for each in ledger.exchanges
        if each.failure_kind is FailureKind.MALFORMED
        and each.request.credential is Credential.VALID
        and not each.request.voice
        and ledger.reading(each).operation is not Operation.OTHER
        and ledger.reading(each).valid
    ]


def _now_and_then(failure: Failure, apart: list[tuple[Exchange, Exchange | None]], message: str) -> Finding:
    """The finding on responses that now and then fail to come, which is like the one on gateway errors (reading 19)."""
    return Finding(
        message,
        "a complete HTTP response to every request",
        f"{failure.kind.value}: {shorten(failure.detail)}",
        related=tuple(each for each, _ in apart[1:TIMES_APART]),
        excluded=tuple((OUTAGE, served) for _, served in apart[1:TIMES_APART] if served is not None),
    )


def _broken_off(ledger: Ledger, request: Request, kinds: frozenset[FailureKind]) -> list[Exchange]:
    """The attempts at a request that ended in one of these ways, since the last one that got a response."""
    since = list(takewhile(lambda each: each.response is None, reversed(ledger.asked[request])))
    return [each for each in reversed(since) if each.failure_kind in kinds]


def server_error(case: Case) -> Opinion:
    """http.server-error: no request to the interface returns a 5xx status code."""
    if case.operation is Operation.OTHER or case.status == 0 or case.declined:
        return None
    if case.exchange.request.path.endswith("/"):
        return None  # whether it is a path of the interface is left open
    if case.throttled:
        return invalid.unavailable(case) if case.server_error else None
    if not case.server_error:
        return EVIDENCE
    request = case.exchange.request
    finding = Finding(
        f"{request.method} {shorten(request.target, 60)} returns a server error.",
        "a status code below 500",
        case.describe(),
    )
    if case.status not in GATEWAY_ERRORS:
        return finding
    ledger = case.ledger
    if _outages(ledger).meets_every_request(case.exchange):
        return _begins_outages(case, finding)
    errors = ledger.survey("gateway errors", lambda: _gateway_errors(ledger))
    apart = ledger.survey("gateway errors, apart", lambda: ledger.times_apart(errors))
    if len(apart) >= TIMES_APART:
        return _unless_outage(case, finding, apart, TIMES_APART)
    of_request = ledger.survey(
        ("gateway errors, apart", request),
        lambda: ledger.times_apart(each for each in errors if each.request == request),
    )
    return _unless_outage(case, finding, of_request, 2)


def _begins_outages(case: Case, finding: Finding) -> Opinion:
    """What it means that an error is part of an outage: the outage explains it, unless this request causes the outages.

    Restarts do not begin by chance each time that one request is sent: if it makes a worker end, that worker is missing
    for other requests too.
    """
    ledger, request = case.ledger, case.exchange.request
    by_request = ledger.survey("outages begun", _outages(ledger).begun)
    begun = ledger.survey(("outages begun", request), lambda: ledger.times_apart(by_request.get(request, ())))
    # A request that began two outages, and was not served afterwards, is sent again.
    if len(begun) < TIMES_APART - 1 or all(each is not case.exchange for each, _ in begun):
        return Explained(OUTAGE)
    served_s = ledger.survey(("served last", request), lambda: _served_s(ledger, request))
    if served_s >= begun[0][0].answered_s:
        return Explained(OUTAGE)
    finding = replace(
        finding,
        message=f"After {request.method} {shorten(request.target, 60)}, every request returns a server error for a while.",
        related=tuple(each for each, _ in begun[:TIMES_APART] if each is not case.exchange),
    )
    if len(begun) >= TIMES_APART:
        served = (each for _, each in begun[:TIMES_APART])
        return replace(finding, excluded=tuple((OUTAGE, each) for each in served if each is not None))
    if request.credential is not Credential.VALID:
        return Explained(OUTAGE)
    return Suspicion(finding, request.target, (Experiment(OUTAGE, (Read("/pets?limit=1"), Again(request))),))


def _gateway_errors(ledger: Ledger) -> list[Exchange]:
    """The gateway errors that some requests got while others were served."""
    return [
        each
        for each in ledger.gateway_errors
        if ledger.reading(each).operation is not Operation.OTHER
        and not _outages(ledger).meets_every_request(each)
    ]


def _outages(ledger: Ledger) -> Outages:
    return ledger.survey("outages", lambda: Outages(ledger))


def _unless_outage(
    case: Case,
    finding: Finding,
    apart: list[tuple[Exchange, Exchange | None]],
    times: int,
    between: Step = Read("/pets?limit=1"),  # noqa: B008 - it is frozen
) -> Opinion:
    """A finding once it was seen ``times`` times with other requests served in between; until then, a suspicion.

    :param between: the request that the experiment sends in between.
    """
    ledger, request = case.ledger, case.exchange.request
    if len(apart) >= times:
        served = (each for _, each in apart[:times])
        return replace(finding, excluded=tuple((OUTAGE, each) for each in served if each is not None))
    served_s = ledger.survey(("served last", request), lambda: _served_s(ledger, request))
    if _outages(ledger).meets_every_request(case.exchange) or served_s >= case.answered_s:
        return Explained(OUTAGE)
    if request.credential is not Credential.VALID:
        return None
    again = Again(request, until_served=request.method == "POST")
    turns = (step for _ in range(times - len(apart)) for step in (between, again))
    return Suspicion(finding, request.target, (Experiment(OUTAGE, tuple(turns)),))


def _served_s(ledger: Ledger, request: Request) -> float:
    """When a request was last sent that got an answer below 500."""
    answers = (each for each in ledger.asked[request] if 0 < each.status < 500)
    return max((each.sent_s for each in answers), default=-inf)


def json_body(case: Case) -> Opinion:
    """http.json.body: the body of a successful response is valid JSON."""
    response = success_of(case)
    if response is None:
        return None
    if response.json.valid:
        # Of a long array, only the beginning was parsed.
        return EVIDENCE if response.elements is None else None
    if response.json.problem == TOO_DEEP:
        # A parser may limit the depth (RFC 8259 section 9): the text may be valid.
        return Explained(OVERSIZED)
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
    given = [value for name, value in response.headers if name.lower() == "content-type"]
    # If there are several, clients differ in which one they take (RFC 9110 section 5.3).
    if {each.split(";", 1)[0].strip().lower() for each in given} == {case.contract.media_type}:
        return EVIDENCE
    return Finding(
        "A JSON body does not have the Content-Type application/json.",
        "Content-Type: application/json, with or without parameters",
        f"Content-Type: {' and '.join(given) or 'absent'}, in a {response.status} response",
    )


def success_of(case: Case) -> Response | None:
    """The response if it is the success that the contract lists for the operation; else ``None``."""
    wanted = {Operation.LIST: 200, Operation.CREATE: 201, Operation.GET: 200}.get(case.operation)
    return case.exchange.response if case.status == wanted and not case.of_another_kind else None


# Status codes that frameworks and proxies return because of what a request has: one of these headers, a body, or a target
# that is longer than some of their fields.
ANSWERS_TO_HEADERS = {
    406: frozenset({"accept-charset", "accept-encoding", "accept-language"}),
    411: frozenset({"transfer-encoding"}),
    413: frozenset({"transfer-encoding", "content-length"}),
    415: frozenset({"content-type", "content-encoding"}),
    417: frozenset({"expect"}),
}
ANSWERS_TO_BODIES = frozenset({411, 413, 415})
TARGET_LONG_TO_SOME = 255
POINTS_OF_THE_TRANSPORT = frozenset({
    "accept", "headers.rerouting", "content-type", "body.large", "target.long", "target.undecodable",
    "petId.odd-path", "body.unexpected",
})  # fmt: skip


def is_interface_error(case: Case) -> bool:
    """Whether the response is an error of one of the three operations, which must contain an Error."""
    return not _is_of_the_transport(case) and _may_be_interface_error(case)


def is_transport_error(case: Case) -> bool:
    """Whether the response is an error as connections and headers get it, and the request has nothing to cause one."""
    return (
        case.status in invalid.OF_THE_TRANSPORT
        and len(case.exchange.request.target) <= TARGET_LONG_TO_SOME
        and _may_be_interface_error(case)
    )


def _may_be_interface_error(case: Case) -> bool:
    return (
        case.operation is not Operation.OTHER
        and 400 <= case.status < 500
        and not case.declined
        and not case.reading.open_points & POINTS_OF_THE_TRANSPORT
    )


def _is_of_the_transport(case: Case) -> bool:
    """Whether a status code is about how a request is sent, and the request has what servers return it for."""
    request, status = case.exchange.request, case.status
    if status == 414:
        return len(request.target) > TARGET_LONG_TO_SOME
    # A create request without a body has a Content-Length of 0, which some servers reject with these.
    if status in ANSWERS_TO_BODIES and (request.body or request.method == "POST"):
        return True
    names = {name.lower() for name, _ in request.headers}
    # Some come whatever is requested: for idle connections, hosts, protocols, and headers, to which proxies add their own;
    # and for rates, with any status that asks for patience.
    always = status in invalid.OF_THE_TRANSPORT or asks_for_patience(case.exchange.response)
    return always or not names.isdisjoint(ANSWERS_TO_HEADERS.get(status, ()))


RULES = {
    "http.answer": answer,
    "http.server-error": server_error,
    "http.json.body": json_body,
    "http.json.content-type": json_content_type,
}
