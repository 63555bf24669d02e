"""Faults of createPet with an invalid body ('Add an animal', row 400; 'Errors', row 400)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import (
    INT64_MAX,
    INT64_MIN,
    STATUSES,
    Call,
    Json,
    Payload,
    Refusal,
    Reply,
)
from animal_conformance.reference.service import Decode, Respond, Service
from animal_conformance.reference.tools import coerced, defaulted, number


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 2, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


def _coerced(
    name: str, clause: str, sentence: str, when: Callable[[Json], bool], convert: Callable[[Json], Json]
) -> Fault:
    """A fault that converts values of one property where it should refuse them."""
    field = {"name": "name", "category": "categoryId", "status": "status"}[name.split(".", maxsplit=1)[0]]
    return _fault(name, clause, sentence, read_payload=coerced(field, when, convert))


def _kind(*kinds: type) -> Callable[[Json], bool]:
    return lambda value: type(value) in kinds


def _lenient(repair: Callable[[str], Json]) -> Wrap[Decode]:
    """Reads a body by other means where it is no JSON."""

    def wrap(inner: Decode) -> Decode:
        def decode(body: bytes) -> Json:
            try:
                return inner(body)
            except Refusal:
                try:
                    return repair(body.decode())
                except (ValueError, SyntaxError, RecursionError, MemoryError):
                    pass
                raise

        return decode

    return wrap


def _bare_words(text: str) -> Json:
    """Read what YAML, or JavaScript, would call an object: names of properties without quotes."""
    return json.loads(re.sub(r"([{,]\s*)([A-Za-z]\w*)\s*:", r'\1"\2":', text))


def _completed(text: str) -> Json:
    """Add what a cut text lacks at its end."""
    for end in ('"}', "}", '":null}', "null}", ":null}"):
        try:
            return json.loads(text + end)
        except ValueError:
            continue
    raise ValueError(text)


def _leading(text: str) -> Json:
    return json.JSONDecoder().raw_decode(text.lstrip())[0]


def _replacing(inner: Decode) -> Decode:
    return lambda body: inner(body.decode(errors="replace").encode())


def _answered(status: int, *codes: str) -> Wrap[Respond]:
    """Answer refusals, those with the codes or all of them, with another status."""

    def wrap(inner: Respond) -> Respond:
        def create(call: Call) -> Reply:
            try:
                return inner(call)
            except Refusal as refusal:
                if refusal.status == 400 and (not codes or refusal.code in codes):
                    raise Refusal(status, refusal.code, refusal.message) from None
                raise

        return create

    return wrap


def _stored(when: Callable[[dict[str, Json]], object]) -> Callable[[Service], None]:
    """Store what is refused, as far as it can be: the checks come after it."""

    def install(service: Service) -> None:
        inner = service.create_pet

        def create(call: Call) -> Reply:
            try:
                return inner(call)
            except Refusal:
                _keep(service, call, when)
                raise

        service.create_pet = create

    return install


def _keep(service: Service, call: Call, when: Callable[[dict[str, Json]], object]) -> None:
    try:
        value = service.decode(call.body)
        if not isinstance(value, dict) or not when(value):
            return
        name = value["name"]
        name.encode()
    except (Refusal, KeyError, AttributeError, UnicodeEncodeError):
        return
    category, status = value.get("categoryId"), value.get("status")
    if not number(category) or not INT64_MIN <= category <= INT64_MAX:
        category = 1
    if not isinstance(status, str) or status not in STATUSES:
        status = "available"
    service.insert(Payload(name, int(category), status), call)


def _clamped(value: int) -> int:
    return min(max(value, INT64_MIN), INT64_MAX)


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _beyond(value: Json) -> bool:
    return type(value) is int and not INT64_MIN <= value <= INT64_MAX


def _unknown_word(value: Json) -> bool:
    return isinstance(value, str) and value not in STATUSES


_ANYTHING = b'{"name": "unnamed", "categoryId": 1}'
_STATUS_CODE = "create.refusal.status"
_NAME_TYPE, _CATEGORY_TYPE, _STATUS_TYPE = "create.name.type", "create.category-id.type", "create.status.type"
_ENUMERATION, _INT64, _NULL = "create.status.enumeration", "create.category-id.int64", "create.status.null"
_JSON, _OBJECT, _UNTRACED = "create.body.json", "create.body.object", "create.refusal.untraced"

_FIELDS = [
    _fault(
        "name.default",
        "create.name.required",
        "A missing name becomes 'unnamed'.",
        read_payload=defaulted(name="unnamed"),
    ),
    _fault(
        "name.empty-default",
        "create.name.required",
        "A missing name becomes an empty one.",
        read_payload=defaulted(name=""),
    ),
    _coerced("name.number", _NAME_TYPE, "A number for a name becomes its digits.", number, str),
    _coerced("name.boolean", _NAME_TYPE, "A boolean for a name becomes its word.", _kind(bool), str),
    _coerced("name.null", _NAME_TYPE, "null for a name becomes 'null'.", _kind(type(None)), lambda _: "null"),
    _coerced(
        "name.array",
        _NAME_TYPE,
        "An array for a name is joined.",
        _kind(list),
        lambda v: ",".join(map(str, v)),
    ),
    _coerced(
        "name.object",
        _NAME_TYPE,
        "An object for a name becomes '[object Object]'.",
        _kind(dict),
        lambda _: "[object Object]",
    ),
    _fault(
        "category.default",
        "create.category-id.required",
        "A missing categoryId becomes 0, as a Go struct has it.",
        read_payload=defaulted(categoryId=0),
    ),
    _coerced(
        "category.digits",
        _CATEGORY_TYPE,
        "A string of digits for a categoryId becomes its number.",
        lambda value: isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", value) is not None,
        int,
    ),
    _coerced(
        "category.words",
        _CATEGORY_TYPE,
        "A string that is no number becomes the categoryId 0, as in older PHP.",
        lambda value: isinstance(value, str) and not re.match(r"\s*[-+]?[0-9]", value),
        lambda _: 0,
    ),
    _coerced(
        "category.boolean", _CATEGORY_TYPE, "true and false become the categoryIds 1 and 0.", _kind(bool), int
    ),
    _coerced(
        "category.fraction",
        _CATEGORY_TYPE,
        "A categoryId loses its fraction.",
        lambda value: type(value) is float and abs(value) < 2**53 and value != int(value),
        int,
    ),
    _coerced(
        "category.null", _CATEGORY_TYPE, "null for a categoryId becomes 0.", _kind(type(None)), lambda _: 0
    ),
    _coerced(
        "category.array",
        _CATEGORY_TYPE,
        "An array for a categoryId becomes the number of its items.",
        _kind(list),
        len,
    ),
    _coerced(
        "category.object", _CATEGORY_TYPE, "An object for a categoryId becomes 1.", _kind(dict), lambda _: 1
    ),
    _coerced(
        "category.beyond-clamped",
        _INT64,
        "A categoryId beyond int64 becomes the nearest one.",
        _beyond,
        _clamped,
    ),
    _coerced(
        "category.beyond-wrapped",
        _INT64,
        "A categoryId beyond int64 keeps its lowest 64 bits.",
        _beyond,
        _wrapped,
    ),
    _coerced(
        "category.just-beyond",
        _INT64,
        "2**63 is accepted for a categoryId: its bound is one too large.",
        lambda value: type(value) is int and value == 2**63,
        _clamped,
    ),
    _coerced(
        "category.just-below",
        _INT64,
        "-2**63-1 is accepted for a categoryId: its bound is one too small.",
        lambda value: type(value) is int and value == -(2**63) - 1,
        _clamped,
    ),
    _coerced(
        "status.number",
        _STATUS_TYPE,
        "A number for a status becomes the enumeration's member.",
        number,
        lambda value: STATUSES[int(value) % 3] if abs(value) < 2**53 else STATUSES[0],
    ),
    _coerced(
        "status.boolean",
        _STATUS_TYPE,
        "A boolean for a status is ignored.",
        _kind(bool),
        lambda _: "available",
    ),
    _coerced(
        "status.array",
        _STATUS_TYPE,
        "An array for a status counts as its first item, or as available.",
        _kind(list),
        lambda value: value[0] if value and value[0] in STATUSES else "available",
    ),
    _coerced(
        "status.object",
        _STATUS_TYPE,
        "An object for a status is ignored.",
        _kind(dict),
        lambda _: "available",
    ),
    _coerced(
        "status.null", _NULL, "null for a status counts as none.", _kind(type(None)), lambda _: "available"
    ),
    _coerced(
        "status.any-word",
        _ENUMERATION,
        "A word outside the three for a status is ignored.",
        _unknown_word,
        lambda _: "available",
    ),
    _coerced(
        "status.any-case",
        _ENUMERATION,
        "A status is accepted in any case.",
        lambda value: _unknown_word(value) and value.lower() in STATUSES,
        str.lower,
    ),
    _coerced(
        "status.trimmed",
        _ENUMERATION,
        "A status is accepted with space around it.",
        lambda value: _unknown_word(value) and value.strip() in STATUSES,
        str.strip,
    ),
    _coerced(
        "status.empty",
        _ENUMERATION,
        "An empty status counts as none.",
        lambda value: value == "",
        lambda _: "available",
    ),
]

_BODIES = [
    _fault(
        "body.optional",
        "create.body.required",
        "A creation without a body adds an unnamed animal.",
        decode=lambda inner: lambda body: inner(body or _ANYTHING),
    ),
    _fault(
        "body.text-behind",
        _JSON,
        "What follows the JSON text is ignored.",
        decode=_lenient(_leading),
    ),
    _fault(
        "body.trailing-comma",
        _JSON,
        "A comma behind the last property is accepted.",
        decode=_lenient(lambda text: json.loads(re.sub(r",\s*([}\]])", r"\1", text))),
    ),
    _fault(
        "body.python",
        _JSON,
        "A Python dictionary is accepted, apostrophes and all.",
        decode=_lenient(ast.literal_eval),
    ),
    _fault(
        "body.bare-words",
        _JSON,
        "Names of properties are accepted without quotation marks.",
        decode=_lenient(_bare_words),
    ),
    _fault(
        "body.cut",
        _JSON,
        "A body whose end is missing is completed.",
        decode=_lenient(_completed),
    ),
    _fault(
        "body.comments",
        _JSON,
        "Comments are accepted.",
        decode=_lenient(lambda text: json.loads(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL))),
    ),
    _fault(
        "body.not-a-number",
        _JSON,
        "NaN and Infinity are accepted for values.",
        decode=_lenient(json.loads),
    ),
    _fault(
        "body.utf-8",
        _JSON,
        "Malformed UTF-8 is replaced.",
        decode=_replacing,
    ),
    _fault(
        "body.anything",
        _JSON,
        "A body that is no JSON adds an unnamed animal.",
        decode=_lenient(lambda text: json.loads(_ANYTHING) if text else json.loads(text)),
    ),
    _fault(
        "body.array-first",
        _OBJECT,
        "Of an array the first item is added, or an unnamed animal where there is none.",
        read_payload=lambda inner: (
            lambda value: inner(
                next((item for item in value if isinstance(item, dict)), json.loads(_ANYTHING))
                if isinstance(value, list)
                else value
            )
        ),
    ),
    _fault(
        "body.string",
        _OBJECT,
        "A string adds an animal of that name.",
        read_payload=lambda inner: (
            lambda value: inner({"name": value, "categoryId": 1} if isinstance(value, str) else value)
        ),
    ),
    _fault(
        "body.null",
        _OBJECT,
        "null adds an unnamed animal.",
        read_payload=lambda inner: lambda value: inner(json.loads(_ANYTHING) if value is None else value),
    ),
    _fault(
        "body.scalar",
        _OBJECT,
        "A number or a boolean adds an unnamed animal.",
        read_payload=lambda inner: (
            lambda value: inner(json.loads(_ANYTHING) if isinstance(value, int | float) else value)
        ),
    ),
]

_REFUSALS = [
    _fault(
        "refusal.422",
        _STATUS_CODE,
        "Refused creations are answered with 422.",
        depth=1,
        create_pet=_answered(422),
    ),
    _fault(
        "refusal.422.values",
        _STATUS_CODE,
        "Invalid values are answered with 422, missing fields with 400.",
        create_pet=_answered(422, "invalid_field"),
    ),
    _fault(
        "refusal.422.missing",
        _STATUS_CODE,
        "Missing fields are answered with 422, invalid values with 400.",
        create_pet=_answered(422, "missing_field"),
    ),
    _fault(
        "refusal.404",
        _STATUS_CODE,
        "Refused creations are answered with 404.",
        depth=1,
        create_pet=_answered(404),
    ),
    _fault(
        "refusal.415.malformed",
        _STATUS_CODE,
        "A body that is no JSON is answered with 415.",
        create_pet=_answered(415, "invalid_json"),
    ),
    _fault(
        "refusal.411.missing",
        _STATUS_CODE,
        "A creation without a body is answered with 411.",
        create_pet=_answered(411, "missing_body"),
    ),
    _fault(
        "refusal.422.array",
        _STATUS_CODE,
        "A body that is no object is answered with 422.",
        create_pet=_answered(422, "invalid_body"),
    ),
    _fault(
        "refusal.stored",
        _UNTRACED,
        "What is refused is stored all the same.",
        depth=3,
        install=_stored(lambda _: True),
    ),
    _fault(
        "refusal.stored.status",
        _UNTRACED,
        "An animal that is refused for its status is stored all the same.",
        depth=3,
        install=_stored(lambda value: value.get("status", "sold") not in STATUSES),
    ),
    _fault(
        "refusal.stored.category",
        _UNTRACED,
        "An animal that is refused for its missing categoryId is stored all the same.",
        depth=3,
        install=_stored(lambda value: "categoryId" not in value),
    ),
]

FAULTS = [*_FIELDS, *_BODIES, *_REFUSALS]
