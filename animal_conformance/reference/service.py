"""How the store handles a request, divided into replaceable steps.

Each step is an attribute that holds a function. The correct deployment is made of the functions of
this module; a fault or a permitted variant replaces a few of them by functions that can call the replaced ones.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeAlias

from animal_conformance.reference.model import (
    INT64_MAX,
    INT64_MIN,
    JSON,
    STATUSES,
    Animal,
    Call,
    Json,
    Payload,
    Refusal,
    Reply,
    Settings,
)
from animal_conformance.reference.store import Store

Background: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
"""Work beside the answering of requests, for as long as the deployment runs."""

DEPRECATION = "@1780272000"
"""RFC 9745: deprecated since 1 June 2026, 00:00 UTC, as Unix seconds."""
SUNSET = "Thu, 05 Dec 2030 00:00:00 GMT"
"""RFC 8594; the date is of 'Versioning', rule 3."""

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,18})")
MAXIMUM, DEFAULT = 100, 20
LONGEST_BODY = 8 * 1024 * 1024


class Service:
    """One deployment: its settings, its store and the steps that answer a request."""

    def __init__(self, settings: Settings, key: str) -> None:
        self.settings = settings
        self.key = key
        self.store: Store
        self.respond = self._respond
        self.operate = self._operate
        self.list_pets = self._list_pets
        self.create_pet = self._create_pet
        self.get_pet = self._get_pet
        self.authenticate = self._authenticate
        self.read_credential = _read_credential
        self.compare_keys = _compare_keys
        self.read_limit = _read_limit
        self.read_filter = _read_filter
        self.read_pet_id = _read_pet_id
        self.decode = _decode
        self.read_payload = self._read_payload
        self.read_status = _read_status
        self.insert = self._insert
        self.find = self._find
        self.select = self._select
        self.represent = _represent
        self.refuse = _refuse
        self.encode = _encode
        self.identify = _identify
        self.background: list[Background] = []
        self.catalogue: list[Payload] = []

    def open(self, catalogue: list[Payload]) -> None:
        """Open the store, and fill an empty one with the catalogue."""
        self.catalogue = catalogue
        self.store = Store(self.settings.database, self.identify)
        if not self.store.count():
            self.store.add(catalogue)

    def reset(self) -> None:
        """Replace all animals by the catalogue, with the ids that its animals had at first."""
        self.store.clear()
        self.store.add(self.catalogue)

    # Answering

    def _respond(self, call: Call) -> Reply:
        # Authentication, rules 1 and 3: a missing or invalid key outranks whatever else is wrong.
        try:
            if self.authenticate(call):
                return self.operate(call)
            return self.refuse(Refusal(401, "unauthorized", "A valid API key is required."), call)
        except Refusal as refusal:
            return self.refuse(refusal, call)

    def _operate(self, call: Call) -> Reply:
        match call.operation:
            case "listPets":
                return self.list_pets(call)
            case "createPet":
                return self.create_pet(call)
            case "getPet":
                return self.get_pet(call)
        if call.allowed:
            raise Refusal(405, "method_not_allowed", f"Allowed here: {', '.join(call.allowed)}.")
        raise Refusal(404, "not_found", "There is nothing at this address.")

    def _list_pets(self, call: Call) -> Reply:
        limit = self.read_limit(call.parameters("limit"))
        status = self.read_filter(call.parameters("status"))
        animals = self.select(limit, status)
        return Reply(200, [self.represent(animal, "listPets") for animal in animals])

    def _create_pet(self, call: Call) -> Reply:
        if len(call.body) > LONGEST_BODY:
            raise Refusal(400, "body_too_large", f"A body has at most {LONGEST_BODY} bytes.")
        payload = self.read_payload(self.decode(call.body))
        return Reply(201, self.represent(self.insert(payload, call), "createPet"))

    def _get_pet(self, call: Call) -> Reply:
        animal = self.find(self.read_pet_id(call.pet_id))
        if animal is None:
            raise Refusal(404, "not_found", "No animal has this identifier.")
        headers = {"Deprecation": DEPRECATION, "Sunset": SUNSET}
        return Reply(200, self.represent(animal, "getPet"), headers)

    # Authentication

    def _authenticate(self, call: Call) -> bool:
        if call.authorization is None:
            return False
        token = self.read_credential(call.authorization)
        return token is not None and self.compare_keys(token, self.key)

    # The create payload

    def _read_payload(self, value: Json) -> Payload:
        if not isinstance(value, dict):
            raise Refusal(400, "invalid_body", "The body must be a JSON object.")
        return Payload(_read_name(value), _read_category(value), self.read_status(value))

    # The store

    def _insert(self, payload: Payload, call: Call) -> Animal:  # noqa: ARG002 - steps may need it
        return self.store.add([payload])[0]

    def _find(self, animal_id: int) -> Animal | None:
        return self.store.find(animal_id)

    def _select(self, limit: int, status: str | None) -> list[Animal]:
        return self.store.newest(limit, status)


def _read_credential(header: str) -> str | None:
    """Return the token of a bearer credential (RFC 6750, 2.1; schemes are case-insensitive)."""
    scheme, _, token = header.partition(" ")
    return token.strip(" ") if scheme.lower() == "bearer" else None


def _compare_keys(given: str, key: str) -> bool:
    return hmac.compare_digest(given.encode("latin-1", "replace"), key.encode())


def _read_limit(values: list[str]) -> int:
    if not values:
        return DEFAULT
    limit = _integer(values[0]) if len(values) == 1 else None
    if limit is None or not 1 <= limit <= MAXIMUM:
        raise Refusal(400, "invalid_limit", "limit must be an integer from 1 to 100.")
    return limit


def _read_filter(values: list[str]) -> str | None:
    if not values:
        return None
    if len(values) > 1 or values[0] not in STATUSES:
        raise Refusal(400, "invalid_status", f"status must be one of {', '.join(STATUSES)}.")
    return values[0]


def _read_pet_id(text: str) -> int:
    value = _integer(text)
    if value is None:
        raise Refusal(404, "not_found", "An animal's identifier is a 64-bit integer.")
    return value


def _integer(text: str) -> int | None:
    """Read an int64 in its plain notation; None for everything else."""
    if not _INTEGER.fullmatch(text):
        return None
    value = int(text)
    return value if INT64_MIN <= value <= INT64_MAX else None


def _decode(body: bytes) -> Json:
    if not body:
        raise Refusal(400, "missing_body", "A JSON body is required.")
    try:
        return json.loads(body.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        # A ValueError means malformed UTF-8, malformed JSON, NaN, or a number with thousands of digits.
        raise Refusal(400, "invalid_json", "The body is not valid JSON.") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _read_name(properties: Mapping[str, Json]) -> str:
    if "name" not in properties:
        raise Refusal(400, "missing_field", "name is required.")
    name = properties["name"]
    if not isinstance(name, str):
        raise Refusal(400, "invalid_field", "name must be a string.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Refusal(400, "invalid_field", "name must be well-formed Unicode.") from None
    return name


def _read_category(properties: Mapping[str, Json]) -> int:
    if "categoryId" not in properties:
        raise Refusal(400, "missing_field", "categoryId is required.")
    category = properties["categoryId"]
    # A bool is an int in Python, but not in JSON.
    if type(category) is not int or not INT64_MIN <= category <= INT64_MAX:
        raise Refusal(400, "invalid_field", "categoryId must be a 64-bit integer.")
    return category


def _read_status(properties: Mapping[str, Json]) -> str | None:
    # The default is not shown ('Gaps in the resource model'); 'available' suits an animal on offer.
    status = properties.get("status", "available")
    if not isinstance(status, str) or status not in STATUSES:
        raise Refusal(400, "invalid_field", f"status must be one of {', '.join(STATUSES)}.")
    return status


def _represent(animal: Animal, operation: str) -> Json:  # noqa: ARG001 - faults tell operations apart
    value = {"id": animal.id, "name": animal.name, "categoryId": animal.category_id}
    return value if animal.status is None else {**value, "status": animal.status}


def _refuse(refusal: Refusal, call: Call) -> Reply:
    """Make the Error body, and the headers that its status calls for."""
    error = {"code": refusal.code, "message": refusal.message, "status": refusal.status}
    reply = Reply(refusal.status, error)
    if refusal.status == 401:
        reply.headers["WWW-Authenticate"] = "Bearer"
    if refusal.status == 405:
        reply.headers["Allow"] = ", ".join(call.allowed)
    return reply


def _encode(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _identify(number: int) -> int:
    return number


def body_of(reply: Reply, encode: Callable[[Json], bytes]) -> bytes:
    """Return the bytes of the body; label them as JSON if they are JSON and have no Content-Type yet."""
    if reply.body is not None:
        return reply.body
    reply.headers.setdefault("Content-Type", JSON)
    return encode(reply.value)
