"""The values that pass through the reference deployment: animals, requests and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

STATUSES = ("available", "pending", "sold")
"""Availability status (interface document, 'Availability status')."""

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1

JSON = "application/json"

Json: TypeAlias = Any
"""A value as the json module reads and writes it."""


class Animal(NamedTuple):
    """An animal as it is stored ('Animal (stored and returned)')."""

    id: int
    name: str
    category_id: int
    status: str | None


class Payload(NamedTuple):
    """An animal as a client asks for it ('Animal (create payload)'), checked."""

    name: str
    category_id: int
    status: str | None


@dataclass(slots=True)
class Call:
    """One request, read completely.

    ``operation`` is listPets, createPet or getPet, or empty if the interface has no such method and path; ``allowed``
    names the methods that the path has. ``notes`` is where faults and variants keep what they need.
    """

    method: str
    path: str
    operation: str
    allowed: tuple[str, ...]
    pet_id: str
    query: list[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes
    connection: object
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def authorization(self) -> str | None:
        """The Authorization header, or None if there is none."""
        return self.headers.get("authorization")

    def parameters(self, name: str) -> list[str]:
        """Every value of a query parameter, in the order in which they were given."""
        return [value for key, value in self.query if key == name]


@dataclass(slots=True)
class Reply:
    """One answer: ``value`` is what its body says as JSON, unless ``body`` holds the bytes to be sent."""

    status: int
    value: Json = None
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the status is a 2xx."""
        return 200 <= self.status < 300


class Refusal(Exception):  # noqa: N818 - an answer of the interface, not an error of the program
    """Ends the handling of a request with an error response ('Errors')."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a deployment; without an ``api_key``, a new one is made."""

    base_path: str = "/v1"
    api_key: str | None = None
    catalogue: int = 84
    database: str = ":memory:"
