"""What is known of single animals: how each was created, and how lists and getPet returned it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from animal_conformance.interface.reading import PAYLOAD_FIELDS, Reading
from animal_conformance.record.exchange import Exchange, Response, Timed


@dataclass(frozen=True)
class Creation(Timed):
    """A create request that returned 201 and an integer id."""

    exchange: Exchange
    response: Response
    payload: dict[str, Any]
    answer: dict[str, Any]
    reading: Reading

    @property
    def animal_id(self) -> int:
        """The id that was given."""
        return int(self.answer["id"])

    @property
    def body(self) -> str:
        """A body that asks for such an animal: the one that was sent, or the fields returned if that was not JSON."""
        sent = self.exchange.request.body
        if self.reading.payload is not None and sent is not None:
            return sent.decode()
        return json.dumps(
            {each: self.answer[each] for each in PAYLOAD_FIELDS if each in self.answer}, default=float
        )

    @property
    def status(self) -> object:
        """The status that the animal was created with: the one sent, else the one returned."""
        return self.payload.get("status", self.answer.get("status"))

    @property
    def omits_status(self) -> bool:
        """Whether it was requested without a status; what a body that is no payload states, nobody knows."""
        return bool(self.payload) and "status" not in self.payload


@dataclass(slots=True)
class Sighting:
    """An animal as returned by one operation, from its ``first`` response to its ``last``, ``times`` times unchanged.

    ``animal`` has the fields that the interface document defines, as returned.
    """

    animal: dict[str, Any]
    first: Exchange
    last: Exchange
    times: int = 1


@dataclass
class Animal:
    """All that is known of one id: its creations, and how lists (``listed``) and getPet (``gets``) returned it.

    ``listed_without_status`` are the filters of the lists that contained it without a status.
    """

    animal_id: int
    known_since_s: float
    creations: list[Creation] = field(default_factory=list)
    listed: list[Sighting] = field(default_factory=list)
    gets: list[Sighting] = field(default_factory=list)
    listed_without_status: set[str] = field(default_factory=set)

    @property
    def sightings(self) -> list[Sighting]:
        """How lists and getPet returned the animal."""
        return [*self.listed, *self.gets]

    @property
    def first_sighting(self) -> Sighting | None:
        """How it was first returned; ``None`` if it never was."""
        if not self.listed or not self.gets:
            return next(iter(self.listed or self.gets), None)
        listed, got = self.listed[0], self.gets[0]
        return listed if listed.first.answered_s <= got.first.answered_s else got

    @property
    def creation(self) -> Creation | None:
        """The creation that returned the id, if the run created the animal and no other creation got the same id."""
        return self.creations[0] if len(self.creations) == 1 else None
