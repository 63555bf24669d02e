"""A request as read by the contract: its operation, what is invalid, and what is left open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from animal_conformance.interface.contract import Contract, Operation, load_contract
from animal_conformance.record.exchange import Exchange, Headers, Request
from animal_conformance.record.jsontext import IntegralFloat, is_integer

LARGE_BODY_BYTES: Final = 8192
LONG_TARGET_CHARACTERS: Final = 1500

# What widespread parsers accept anyway (text after the value, NaN, invalid UTF-8, a byte order mark,
# comments), or reject for its depth: whether it counts as malformed is left open.
LENIENTLY_READ: Final = ("Extra data", "is not JSON", "not UTF-8", "byte order mark", "deeply")

# The fields of a create payload, in the order of the document; an animal that is stored has an id beside them.
PAYLOAD_FIELDS: Final[tuple[str, ...]] = ("name", "categoryId", "status")
ANIMAL_FIELDS: Final[tuple[str, ...]] = ("id", *PAYLOAD_FIELDS)
ERROR_FIELDS: Final = ("code", "message", "status")
_IN_LOWER_CASE: Final = frozenset(each.lower() for each in ANIMAL_FIELDS)

_PLAIN_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)
# Notations that lenient parsers read as an integer: signs, leading zeros, white space, 5.0, 1e3, 1_000,
# 0x10, digits of other scripts. Whether they are valid is left open.
_LENIENT_INTEGER = re.compile(r"\s*[+-]?(0[xob])?_?\d[\d_]*(\.0*)?(e\+?\d+)?\s*", re.IGNORECASE)
_MEDIA_TYPE = re.compile(r"\s*application/json\s*(;|$)", re.IGNORECASE)
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_CONTROL_ESCAPE = re.compile(r"%(?:[01][0-9A-Fa-f]|7[Ff])")
# Where routers and proxies cut, split or normalise a path. None of them cuts at the end of a line, as a pattern for one
# line does, or at an escaped ? or #, which is not a delimiter then (RFC 3986 section 2.2).
_REWRITTEN = re.compile(r"[\x00-\x09\x0b-\x20\x7f/\\;]")
_PLAIN_SEGMENT = re.compile(r"[A-Za-z0-9~._-]+", re.ASCII)


@dataclass(frozen=True)
class Reading:
    """A request as read by the contract.

    ``problems`` name what is invalid by the contract (``limit.above``, ``name.missing``, …); ``open_points``
    name what the contract leaves open (``query.unknown``, ``payload.unknown-property``, …). ``limit``,
    ``status``, ``pet_id`` and ``payload`` are set if they are valid.
    """

    operation: Operation
    problems: frozenset[str] = frozenset()
    open_points: frozenset[str] = frozenset()
    limit: int | None = None
    status: str | None = None
    pet_id: int | None = None
    payload: dict[str, Any] | None = None

    @property
    def valid(self) -> bool:
        """Whether the contract determines the response: nothing invalid, nothing left open."""
        return not self.problems and not self.open_points

    def only_problem(self) -> str | None:
        """The only problem, if there is exactly one and nothing is left open."""
        if len(self.problems) == 1 and not self.open_points:
            return next(iter(self.problems))
        return None


# A run reads its requests when it learns from them and again when it judges them, and sends many more than once.
@lru_cache(maxsize=4096)
def read_request(request: Request) -> Reading:
    """Read a request by the contract, from the request alone."""
    contract = load_contract()
    path, method = request.path, request.method.upper()
    open_points = _open_points(request)
    if path == "/pets" and method == "GET":
        return _read_list(request, contract, open_points)
    if path == "/pets" and method == "POST":
        return _read_creation(request, contract, open_points)
    if path.startswith("/pets/") and method == "GET":
        return _read_get(request, contract, open_points)
    return Reading(Operation.OTHER, open_points=open_points | {"operation"})


# Headers that ask for another request than the one that they are on, or come from a proxy that a server may refuse.
REROUTING: Final = (
    "x-original-url", "x-rewrite-url", "x-http-method-override", "x-middleware-subrequest",
    "x-forwarded-host", "x-remote-user", "access-control-request-method",
)  # fmt: skip

# A server may decline a request for the way it is sent, whatever it asks for, if the request has this header:
# 304: RFC 9110 section 15.4.5; 403: the interface does not say which sites and addresses it may be used from; 406: no language
# is promised (RFC 9110 section 15.5.7); 411: RFC 9112 section 6.3, a server MAY reject a body without Content-Length, and
# servers that do not know chunks read none and say 400 or 501 (HTTP/1.0, WSGI); 417: RFC 9110 section 15.5.18.
DECLINED_FOR: Final = {
    "if-none-match": (304,),
    "if-modified-since": (304,),
    "origin": (403,),
    "x-forwarded-for": (403,),
    "x-real-ip": (403,),
    "forwarded": (403,),
    "accept-language": (406,),
    "transfer-encoding": (400, 411, 501),
    "expect": (417,),
}


@lru_cache(maxsize=256)
def declinable(headers: Headers) -> frozenset[int]:
    """The status codes with which a server may decline a request that has these headers."""
    return frozenset(
        status for name, value in headers if "*" not in value for status in DECLINED_FOR.get(name.lower(), ())
    )


def created_id(exchange: Exchange) -> int | None:
    """The id in the response to a create request; ``None`` if there is none."""
    value = exchange.value if exchange.status == 201 else None
    animal_id = value.get("id") if isinstance(value, dict) else None
    return int(animal_id) if is_integer(animal_id) else None


def listed_ids(exchange: Exchange) -> tuple[int, ...]:
    """The ids in a list response, sorted by the names of the animals; empty if it is not a list.

    Not in the order of the list, which may depend on the timing of parallel requests.
    """
    if exchange.status != 200 or not isinstance(exchange.value, list):
        return ()
    animals = [each for each in exchange.value if isinstance(each, dict)]
    by_name = sorted(animals, key=lambda each: str(each.get("name")))
    return tuple(int(each["id"]) for each in by_name if is_integer(each.get("id")))


def _open_points(request: Request) -> frozenset[str]:
    found = set()
    accept = request.header("accept")
    if accept is not None and not re.search(r"(\*|application)/(\*|json)\s*(,|;\s*q=(1|0\.[1-9])|$)", accept):
        found.add("accept")
    if len(request.target) > LONG_TARGET_CHARACTERS:
        found.add("target.long")
    if _is_undecodable(request.target.partition("?")[2]):
        found.add("target.undecodable")
    if any(request.header(name) is not None for name in REROUTING):
        found.add("headers.rerouting")
    label = request.header("content-type") or ""
    if request.method.upper() == "GET" and (request.body or (label and not _MEDIA_TYPE.match(label))):
        # Some frameworks read a body before they know that the operation has none: they reject a multipart
        # body without a boundary for any operation.
        found.add("body.unexpected")
    return frozenset(found)


def _is_undecodable(query: str) -> bool:
    """Whether servers may refuse a query before it reaches any operation: wrong escapes, control characters, no UTF-8."""
    if _WRONG_ESCAPE.search(query) or _CONTROL_ESCAPE.search(query):
        return True
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError:
        return True
    return False


def _read_list(request: Request, contract: Contract, open_points: frozenset[str]) -> Reading:
    problems: set[str] = set()
    left_open = set(open_points)
    limits = [value for name, value in request.query if name == "limit"]
    statuses = [value for name, value in request.query if name == "status"]
    pairs = request.target.partition("?")[2].split("&")
    # Most servers ignore an empty pair, and some read it as a parameter that has no name.
    if any(name not in {"limit", "status"} for name, _ in request.query) or "" in pairs[1:]:
        left_open.add("query.unknown")
    limit = status = None
    if len(limits) > 1:
        left_open.add("limit.repeated")
    elif limits and "\x00" not in limits[0]:
        limit = _read_limit(limits[0], contract, problems, left_open)
    if len(statuses) > 1:
        left_open.add("status.repeated")
    elif statuses:
        status = statuses[0] if statuses[0] in contract.statuses else None
        # Nothing is promised of a status that cannot be read.
        readable = not ({"\ufffd", "\x00"} & {*statuses[0]} or _WRONG_ESCAPE.search(request.target))
        if not statuses[0]:
            left_open.add("status.empty")
        elif status is None and readable and statuses[0].strip().lower() in contract.statuses:
            left_open.add("status.case")
        elif status is None and readable:
            problems.add("status.unknown")
    return Reading(Operation.LIST, frozenset(problems), frozenset(left_open), limit=limit, status=status)


def _read_limit(text: str, contract: Contract, problems: set[str], left_open: set[str]) -> int | None:
    if not text:
        left_open.add("limit.empty")
    elif not _PLAIN_INTEGER.fullmatch(text):
        if _LENIENT_INTEGER.fullmatch(text):
            left_open.add("limit.lenient")
        else:
            problems.add("limit.non-integer")
    elif text.startswith("-") or text == "0":
        problems.add("limit.below")
    elif len(text) > len(str(contract.limit_maximum)) or int(text) > contract.limit_maximum:
        problems.add("limit.above")
    else:
        return int(text)
    return None


def _read_get(request: Request, contract: Contract, open_points: frozenset[str]) -> Reading:
    left_open = set(open_points)
    if request.query:
        left_open.add("query.unknown")
    segment = request.path.removeprefix("/pets/")
    if not segment:
        return Reading(Operation.OTHER, open_points=frozenset(left_open | {"trailing-slash"}))
    text = unquote_to_bytes(segment).decode("utf-8", errors="replace")
    if _PLAIN_INTEGER.fullmatch(text):
        value = int(text) if len(text) <= 20 else None
        if value is not None and contract.is_int64(value):
            if text == "-0":
                left_open.add("petId.lenient")
            return Reading(Operation.GET, open_points=frozenset(left_open), pet_id=value)
        return Reading(Operation.GET, frozenset({"petId.beyond"}), frozenset(left_open))
    if _LENIENT_INTEGER.fullmatch(text):
        left_open.add("petId.lenient")
    elif not _PLAIN_SEGMENT.fullmatch(text) or not text.strip("."):
        # A slash, a dot segment, a control character: servers and proxies rewrite such paths before
        # any operation is reached, and whether they are a petId at all is left open.
        left_open.add("petId.odd-path")
        if _REWRITTEN.search(text) or not text.strip("."):
            left_open.add("petId.rewritten")
    return Reading(Operation.GET, frozenset({"petId.not-integer"}), frozenset(left_open))


def _read_creation(request: Request, contract: Contract, open_points: frozenset[str]) -> Reading:
    left_open = set(open_points)
    if request.query:
        left_open.add("query.unknown")
    content_type = request.header("content-type")
    if content_type is None or content_type.split(";")[0].strip().lower() != contract.media_type:
        left_open.add("content-type")
    body = request.body or b""
    if len(body) > LARGE_BODY_BYTES:
        left_open.add("body.large")
    problems: set[str] = set()
    payload: dict[str, Any] | None = None
    if not body:
        problems.add("body.missing")
    elif not request.json.valid:
        problems.add("body.malformed")
        lenient = any(sign in (request.json.problem or "") for sign in LENIENTLY_READ)
        if lenient or b"//" in body or b"/*" in body:
            left_open.add("body.lenient")
    elif not isinstance(request.json.value, dict):
        problems.add("body.not-object")
    else:
        payload = request.json.value
        if request.json.duplicate_keys:
            left_open.add("payload.duplicate-keys")
        _read_payload(payload, contract, problems, left_open)
    return Reading(Operation.CREATE, frozenset(problems), frozenset(left_open), payload=payload)


def _read_payload(
    payload: dict[str, Any], contract: Contract, problems: set[str], left_open: set[str]
) -> None:
    _read_name(payload, problems, left_open)
    _read_category_id(payload, contract, problems, left_open)
    if "status" in payload:
        status = payload["status"]
        if status is None:
            problems.add("status.null")
        elif not isinstance(status, str):
            problems.add("status.type")
        elif status not in contract.statuses:
            problems.add("status.unknown")
    if "id" in payload:
        left_open.add("payload.id")
    unknown = payload.keys() - set(ANIMAL_FIELDS)
    if unknown:
        left_open.add("payload.unknown-property")
    # Go's encoding/json and other parsers read such a property as the field, even if the field itself is there as well.
    if any(each.lower() in _IN_LOWER_CASE for each in unknown):
        left_open.add("payload.other-case")


def _read_name(payload: dict[str, Any], problems: set[str], left_open: set[str]) -> None:
    if "name" not in payload:
        problems.add("name.missing")
    elif not isinstance(payload["name"], str):
        problems.add("name.type")
    elif any(0xD800 <= ord(character) <= 0xDFFF for character in payload["name"]):
        # A lone surrogate is not a Unicode scalar value, so there is no name to store.
        left_open.add("name.surrogate")


def _read_category_id(
    payload: dict[str, Any], contract: Contract, problems: set[str], left_open: set[str]
) -> None:
    if "categoryId" not in payload:
        problems.add("categoryId.missing")
        return
    category_id = payload["categoryId"]
    if not is_integer(category_id):
        problems.add("categoryId.type")
    elif not contract.is_int64(category_id):
        problems.add("categoryId.beyond")
    elif isinstance(category_id, IntegralFloat):
        left_open.add("categoryId.integral-float")
