"""Faults of how createPet refuses ('Add an animal', row 400; 'Errors', row 400)."""

from __future__ import annotations

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
from animal_conformance.reference.service import Respond, Service
from animal_conformance.reference.tools import number


def _fault(name: str, clauses: str | tuple[str, ...], sentence: str, depth: int = 2, **steps: Any) -> Fault:
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Fault(name=name, clauses=clauses, depth=depth, sentence=sentence, **steps)


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


_STATUS_CODE = "create.refusal.status"
_UNTRACED = "create.refusal.untraced"


FAULTS = [
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
