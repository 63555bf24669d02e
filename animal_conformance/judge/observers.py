"""What the document leaves open: observers report what a deployment does there, and never judge."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any, TypeAlias

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, shorten
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.plain import DISTINCTIVE_NAME_LENGTH
from animal_conformance.judge.knowledge.tellings import FORMS
from animal_conformance.judge.rules.errors import error_of
from animal_conformance.record.exchange import Credential
from animal_conformance.record.jsontext import IntegralFloat

Observer: TypeAlias = Callable[[Case], str | None]
# What stands before the answer.
Label: TypeAlias = Callable[[Case], str]

LISTS_JUST_BEFORE = 10
LONG_NAME_LENGTH = 200
IN_NAMES_OF_PAGINATION_HEADERS = ("link", "total", "page", "cursor", "range", "next", "count")


def _answer(case: Case) -> str:
    if case.operation is Operation.LIST and isinstance(case.value, list):
        return f"{case.status} with a list"
    code = case.value.get("code") if isinstance(case.value, dict) and case.status >= 400 else None
    return f"{case.status} {shorten(code, 40)}" if isinstance(code, str) else f"{case.status}"


def _with_key(case: Case) -> bool:
    return case.answered and case.credential is Credential.VALID


def _observer(operation: Operation, concerns: Callable[[Case], bool], label: Label) -> Observer:
    """An observer of how some requests of an operation are answered."""

    def observe(case: Case) -> str | None:
        if case.operation is not operation or not _with_key(case) or not concerns(case):
            return None
        return f"{label(case)}{_answer(case)}"

    return observe


def _problem(operation: Operation, name: str, label: Label = lambda _: "") -> Observer:
    """An observer of requests in which this is the only invalid thing."""
    return _observer(operation, lambda case: case.reading.only_problem() == name, label)


def _open_point(operation: Operation, name: str, label: Label = lambda _: "") -> Observer:
    """An observer of requests in which this is the only open point."""
    alone = frozenset({name})
    return _observer(
        operation,
        lambda case: case.reading.open_points == alone and case.reading.problems <= {"petId.not-integer"},
        label,
    )


def _query_value(name: str) -> Label:
    return lambda case: f"{name}={shorten(dict(case.exchange.request.query).get(name, ''), 20)}: "


def _payload(case: Case) -> dict[str, Any]:
    """The payload of a valid create request with the key that got a response; empty if it is none."""
    if case.operation is not Operation.CREATE or not _with_key(case) or not case.reading.valid:
        return {}
    return case.reading.payload or {}


def _name(holds: Callable[[str], bool], label: Label = lambda _: "") -> Observer:
    """An observer of valid create requests whose name has a given property."""
    return _observer(Operation.CREATE, lambda case: holds(_payload(case).get("name", "plain")), label)


def _sent_and_got(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    """A payload and the animal that was created with it; both empty if none was."""
    payload = _payload(case)
    return (payload, case.value) if case.status == 201 and isinstance(case.value, dict) else ({}, {})


def name_space(case: Case) -> str | None:
    """open.create.name-space: whether leading and trailing white space in a name is kept or trimmed."""
    payload, shown = _sent_and_got(case)
    sent, got = payload.get("name", ""), shown.get("name")
    if sent.strip() == sent:
        return None
    return "kept" if got == sent else "trimmed" if got == sent.strip() else None


def name_normalisation(case: Case) -> str | None:
    """open.create.name-normalisation: whether names are converted to a Unicode normalisation form."""
    payload, shown = _sent_and_got(case)
    sent, got = payload.get("name", ""), shown.get("name")
    forms = {form: unicodedata.normalize(form, sent) for form in FORMS}
    if all(each == sent for each in forms.values()):
        return None
    if got == sent:
        return "kept as sent"
    return next((f"converted to {form}" for form, converted in forms.items() if converted == got), None)


def status_default(case: Case) -> str | None:
    """open.create.status-default: the status of an animal that was created without one."""
    sent, got = _sent_and_got(case)
    if not sent or "status" in sent:
        return None
    return shorten(str(got["status"]), 20) if "status" in got else "omitted"


def identical(case: Case) -> str | None:
    """open.create.identical: the response to a second, identical create request."""
    payload = _payload(case)
    first = case.ledger.first_with(payload)
    if first is None or len(payload.get("name", "")) < DISTINCTIVE_NAME_LENGTH:
        return None
    return _answer(case) if first.answered_s <= case.sent_s else None


def location(case: Case) -> str | None:
    """open.create.location: whether a 201 carries a Location header."""
    response = case.exchange.response
    if response is None or response.status != 201 or case.operation is not Operation.CREATE:
        return None
    return "yes" if response.header("location") else "no"


def list_order(case: Case) -> str | None:
    """open.list.order: the order in which animals are listed."""
    page = [each.get("id") for _, each in case.animal_objects] if case.operation is Operation.LIST else []
    ids = [each for each in page if isinstance(each, int)]
    if len(ids) < 5 or not case.reading.valid:
        return None
    if ids == sorted(ids):
        return "ascending by id"
    return "descending by id" if ids == sorted(ids, reverse=True) else "not ordered by id"


def pagination(case: Case) -> str | None:
    """open.list.pagination: which response headers suggest pagination."""
    response = case.exchange.response
    if response is None or response.status != 200 or case.operation is not Operation.LIST:
        return None
    names = {name.lower() for name, _ in response.headers} - {"accept-ranges"}
    hints = sorted(name for name in names if any(hint in name for hint in IN_NAMES_OF_PAGINATION_HEADERS))
    return shorten(", ".join(hints), 100) if hints else "none"


def page_length(case: Case) -> str | None:
    """open.list.page: whether pages at the maximum limit contain as many of the known animals as they could."""
    page = case.ledger.completeness.by_exchange.get(id(case.exchange))
    if case.status != 200 or page is None:
        return None
    if page.status is not None or case.reading.limit != case.contract.limit_maximum:
        return None
    # Those that were seen later as well: others may have been withdrawn.
    gone = bisect_left(case.ledger.survey("last seen", lambda: _last_seen_s(case)), case.sent_s)
    there = case.ledger.known_count(None, case.sent_s) - gone
    return "full" if page.length >= min(page.limit, there) else "shorter than it could be"


def _last_seen_s(case: Case) -> list[float]:
    """When each animal was returned for the last time, in the order of these times."""
    animals = case.ledger.animals.values()
    return sorted(max((each.last.answered_s for each in one.sightings), default=0.0) for one in animals)


def monotone(case: Case) -> str | None:
    """open.list.monotone: whether a list with a smaller limit is longer than one with a larger limit before it."""
    limit = case.reading.limit
    if limit is None or not case.reading.valid or not isinstance(case.value, list):
        return None
    # Compared with the lists just before, without a creation since: a growing store returns longer lists, at any limit.
    pages = case.ledger.pages
    before = bisect_right(pages, case.sent_s, key=lambda page: page.answered_s)
    alike = [
        page
        for page in pages[max(0, before - LISTS_JUST_BEFORE) : before]
        if page.limit > limit and page.status == case.reading.status
    ]
    shorter = [page for page in alike if page.length < len(case.value) <= limit]
    if not alike or any(_grew(case, page) for page in shorter):
        return None
    return "longer" if shorter else "not longer"


def _grew(case: Case, page: Page) -> bool:
    """Whether the run created an animal between a list and this one."""
    return any(
        each.sent_s < case.answered_s and each.answered_s > page.sent_s for each in case.ledger.creations
    )


def list_lag(case: Case) -> str | None:
    """open.list.lag: how long after its creation an animal was still missing from a list, but listed later."""
    page = case.ledger.completeness.uncut.get(id(case.exchange))
    if page is None:
        return None
    made, sent_s = case.ledger.made[page.status], page.sent_s
    lags = [
        sent_s - creation.answered_s
        for creation in made[: bisect_left(made, sent_s, key=lambda each: each.answered_s)]
        if creation.animal_id not in page.id_set
        and (page.status is None or creation.payload.get("status") == page.status)
        and any(
            each.last.sent_s > sent_s and page.status in (None, each.animal.get("status"))
            for each in case.ledger.animals[creation.animal_id].sightings
        )
    ]
    return f"up to {max(lags):.1f} s" if lags else "none observed"


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
    """open.voices: the clients whose requests are declined for how they are put, or throttled."""
    voice = case.exchange.request.voice
    if not case.declined and not (voice and case.throttled):
        return None
    return f"{voice or 'the suite itself'}, {case.operation.value}: {case.status}"


def trailing_slash(case: Case) -> str | None:
    """open.trailing-slash: the response to /pets/."""
    return f"{case.status}" if "trailing-slash" in case.reading.open_points and case.status else None


def content_type(case: Case) -> str | None:
    """open.create.content-type: the response to a create request whose Content-Type is not application/json."""
    if "content-type" not in case.reading.open_points or not _with_key(case):
        return None
    return f"{case.exchange.request.header('content-type') or 'absent'}: {case.status}"


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


def ids(case: Case) -> str | None:
    """open.ids: how ids are assigned."""
    if case.operation is not Operation.CREATE or case.status != 201 or not isinstance(case.value, dict):
        return None
    creations = case.ledger.creations
    before = bisect_right(creations, case.sent_s, key=lambda each: each.answered_s)
    animal_id = case.value.get("id")
    if not before or not case.contract.is_int64(animal_id):
        return None
    step = int(animal_id) - creations[before - 1].animal_id
    if abs(step) > 1_000_000:
        return "far apart"
    return "consecutive" if step == 1 else "ascending" if step > 0 else "descending"


_FIELDS = {"id", "name", "categoryId", "status", "code", "message"}


def extra_fields(case: Case) -> str | None:
    """open.extra-fields: which additional fields bodies contain."""
    if case.operation is Operation.OTHER:
        return None
    animals = [each for _, each in case.animal_objects]
    bodies = animals or ([case.value] if isinstance(case.value, dict) else [])
    extra = sorted(set[str]().union(*bodies) - _FIELDS)
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


def transport(case: Case) -> str | None:
    """open.transport: HTTP version, compression, framing and charset of responses."""
    response = case.exchange.response
    asked_to_close = (case.exchange.request.header("connection") or "").lower() == "close"
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


OBSERVERS: dict[str, Observer] = {
    "open.limit.below": _problem(Operation.LIST, "limit.below", _query_value("limit")),
    "open.limit.above": _problem(Operation.LIST, "limit.above"),
    "open.limit.non-integer": _problem(Operation.LIST, "limit.non-integer"),
    "open.limit.lenient-integer": _open_point(Operation.LIST, "limit.lenient", _query_value("limit")),
    "open.limit.empty": _open_point(Operation.LIST, "limit.empty"),
    "open.limit.repeated": _open_point(Operation.LIST, "limit.repeated"),
    "open.status.unknown": _problem(Operation.LIST, "status.unknown"),
    "open.status.case": _open_point(Operation.LIST, "status.case", _query_value("status")),
    "open.status.empty": _open_point(Operation.LIST, "status.empty"),
    "open.status.repeated": _open_point(Operation.LIST, "status.repeated"),
    "open.query.unknown": _open_point(Operation.LIST, "query.unknown"),
    "open.list.order": list_order,
    "open.list.page": page_length,
    "open.list.monotone": monotone,
    "open.list.pagination": pagination,
    "open.list.lag": list_lag,
    "open.create.status-default": status_default,
    "open.create.unknown-property": _open_point(Operation.CREATE, "payload.unknown-property"),
    "open.create.client-id": _open_point(Operation.CREATE, "payload.id"),
    "open.create.name-empty": _name(lambda name: not name),
    "open.create.name-long": _name(
        lambda name: len(name) >= LONG_NAME_LENGTH, lambda case: f"{len(_payload(case)['name'])} characters: "
    ),
    "open.create.name-control": _name(lambda name: min(name, default=" ") < " "),
    "open.create.name-space": name_space,
    "open.create.name-normalisation": name_normalisation,
    "open.create.category-unknown": _observer(
        Operation.CREATE,
        lambda case: bool(_payload(case)) and abs(_payload(case)["categoryId"]) >= 2**31,
        lambda _: "arbitrary categoryId: ",
    ),
    "open.create.integral-float": _open_point(Operation.CREATE, "categoryId.integral-float"),
    "open.create.duplicate-keys": _open_point(Operation.CREATE, "payload.duplicate-keys"),
    "open.create.content-type": content_type,
    "open.create.identical": identical,
    "open.create.location": location,
    "open.get.malformed": _problem(Operation.GET, "petId.not-integer"),
    "open.get.lenient-integer": _open_point(
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
    "open.ids": ids,
    "open.extra-fields": extra_fields,
    "open.integral-floats": integral_floats,
    "open.status.moves": status_moves,
    "open.transport": transport,
    "open.network": network,
}
