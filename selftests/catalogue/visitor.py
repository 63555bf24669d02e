"""A client that visits a deployment of the catalogue: short calls for requests, names, and what it has seen and created."""

from __future__ import annotations

import json
from typing import Any, Final

from animal_conformance.drive.strategies import STATUSES
from animal_conformance.drive.voices import Voice
from animal_conformance.interface.reading import created_id
from animal_conformance.record.exchange import Exchange
from selftests.catalogue.deployment import Deployment

LIMIT_MAXIMUM: Final = 100
WHOLE: Final = f"limit={LIMIT_MAXIMUM}"
FILTERED: Final = tuple(f"{WHOLE}&status={each}" for each in STATUSES)
OF_THE_RUN: Final = FILTERED[-1]
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class Visitor:
    """Sends requests to one deployment.

    ``found`` are the ids of the first list, ``listed`` its categoryIds, ``made`` the ids of all created animals;
    ``category`` is a categoryId that is accepted if any is.
    """

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.send = deployment.send
        self.category = 1
        self.listed: list[int] = []
        self.found: list[int] = []
        self.made: list[int] = []
        # So no earlier visit has used the same names.
        self._names = len(deployment.exchanges)

    # Requests

    async def list_pets(self, query: str = "", **options: Any) -> Exchange:
        """GET /pets with a query as it is."""
        return await self.send("GET", f"/pets?{query}" if query else "/pets", **options)

    async def get_pet(self, pet_id: object, **options: Any) -> Exchange:
        """GET /pets/{petId} with an id as it is."""
        return await self.send("GET", f"/pets/{pet_id}", **options)

    async def create(self, payload: object, **options: Any) -> Exchange:
        """POST /pets with a JSON payload."""
        return await self.create_raw(json.dumps(payload, ensure_ascii=False).encode(), **options)

    async def create_as(self, voice: Voice | None, payload: object) -> Exchange:
        """POST /pets as a certain client sends it, or as the suite does."""
        if voice is None:
            return await self.create(payload)
        body = voice.write(payload)
        return await self.create_raw(body, headers=voice.headers_for(body), voice=voice.name)

    async def create_raw(self, body: bytes, **options: Any) -> Exchange:
        """POST /pets with a body as it is."""
        exchange = await self.send("POST", "/pets", body, **options)
        animal_id = created_id(exchange)
        if animal_id is not None:
            self.made.append(animal_id)
        return exchange

    async def create_and_get(self, payload: object) -> bool:
        """Create an animal and get it; return whether it was accepted."""
        animal_id = created_id(await self.create(payload))
        if animal_id is not None:
            await self.get_pet(animal_id)
        return animal_id is not None

    async def watch(self) -> None:
        """Send lists that would show what was just created or refused."""
        await self.list_pets(WHOLE)
        await self.list_pets(OF_THE_RUN)

    # Payloads

    def name(self, ending: str = "") -> str:
        """A unique name that resembles no other."""
        self._names += 1
        return "Ac" + "".join(_letter(self._names, place) for place in range(10)) + ending

    def number(self) -> str:
        """Digits that no other name consists of."""
        self._names += 1
        return f"{48_271 * self._names:012d}"

    def payload(self, **changes: Any) -> dict[str, Any]:
        """A payload that is accepted, changed as asked (``...`` leaves a field out)."""
        payload = {"name": self.name(), "categoryId": self.category, "status": "sold", **changes}
        return {name: value for name, value in payload.items() if value is not ...}


def animals_of(exchange: Exchange) -> list[dict[str, Any]]:
    """The animals of a list, as far as the answer is one."""
    value = exchange.response.json.value if exchange.response is not None else None
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def status_of(exchange: Exchange) -> object:
    """The status of the animal in an answer, as far as there is one."""
    value = exchange.response.json.value if exchange.response is not None else None
    return value.get("status") if isinstance(value, dict) else None


def _letter(number: int, place: int) -> str:
    low, high = number * (7 + 4 * place), number // 26 * (place + 3) + number // 676 * (place * place + 1)
    return LETTERS[(low + high + 5 * place) % 26]
