"""The requests for deployments that treat clients, connections, spellings or names differently."""

from __future__ import annotations

import asyncio
import json
from itertools import cycle
from typing import Any, Final

from animal_conformance.drive.strategies import FIREWALL_WORDS, FRONT_CORNERS, STATUSES
from animal_conformance.drive.voices import (
    CLAIMS,
    CREATED_AT,
    DISGUISES,
    ESCAPING,
    VOICES,
    cookies_of,
    filter_of,
    kept_of,
    validators_of,
)
from animal_conformance.interface.reading import created_id
from animal_conformance.record.exchange import Credential
from selftests.catalogue import values
from selftests.catalogue.deployment import APART, CLOSING, LABELLED
from selftests.catalogue.script import UNKNOWN_ID, Script
from selftests.catalogue.visitor import LETTERS, OF_THE_RUN

CONNECTIONS: Final = 12
LONG: Final = 8000
# Of requests that are much the same, one in so many is sent; and so many lists are sent at once.
FEW: Final = 9
QUERY: Final = "limit=20"


class Voices(Script):
    """A visit by many clients."""

    async def visit(self) -> None:
        """Send requests as every client, without a key, on many connections, and with many names and categories."""
        await self.statuses()
        await self._names_and_categories()
        await self._every_client()
        await self._without_a_key()
        await self._with_cookies()
        await self._with_validators()
        await self._connections()
        await self._crowd()
        for animal_id in self.found[::FEW]:
            await self.get_pet(animal_id)
        await self.audit(OF_THE_RUN, every=FEW)

    async def _names_and_categories(self) -> None:
        for category in self.listed:
            await self.create(self.payload(categoryId=category))
        for front in FRONT_CORNERS:
            await self.create(self.payload(name=front + self.name()))
        for ending in (*FIREWALL_WORDS, "y" * LONG):
            await self.create(self.payload(name=self.name() + ending))
        for alone in values.ALONE:
            await self.create(self.payload(name=alone))
        await self.create_as(ESCAPING, self.payload(name=self.name("\U0001f98a / \u00e9")))
        both = self.payload()
        await self.create_and_get({**both, "Name": self.name(), "STATUS": "pending"})
        for status in STATUSES:
            await self.list_pets(f"status={status}&limit=5")

    async def _every_client(self) -> None:
        letters = cycle(LETTERS.upper())
        for query in ("limit=5", *(f"status={each}" for each in STATUSES)):
            await self.list_pets(query)
        for voice in VOICES:
            self.deployment.connection += 1
            options: dict[str, Any] = {"headers": voice.headers, "voice": voice.name}
            await self.list_pets(**options)
            await self.list_pets(credential=Credential.ABSENT, **options)
            if (status := filter_of(voice)) is not None:
                await self.list_pets(f"limit=5&status={status}", **options)
            created = await self.create_as(voice, self.payload(name=next(letters) + self.name("\u00e9")))
            await self.get_pet(created_id(created) or UNKNOWN_ID, **options)
            await self.create_as(voice, {"name": self.name()})
        for letter in LETTERS.upper()[len(VOICES) :]:
            await self.create(self.payload(name=letter + self.name()))
        await self.list_pets(OF_THE_RUN)

    async def _with_cookies(self) -> None:
        """Send requests as a client that keeps the cookies of an answer."""
        cookies = cookies_of(await self.list_pets(OF_THE_RUN))
        if not cookies:
            return
        headers = (("Accept", "application/json"), ("Content-Type", "application/json"), ("Cookie", cookies))
        created = await self.create(self.payload(), headers=headers)
        for animal_id in (created_id(created), created_id(await self.create(self.payload()))):
            if animal_id is not None:
                await self.get_pet(animal_id, headers=headers)
        await self.list_pets(OF_THE_RUN, headers=headers)
        await self.list_pets(OF_THE_RUN)

    async def _with_validators(self) -> None:
        """Send requests as a client that asks whether a list has changed."""
        given = validators_of(await self.list_pets(OF_THE_RUN))
        if given:
            await asyncio.sleep(1.1)  # a validator may be made of a date in seconds
            await self.create(self.payload())
            await self.list_pets(OF_THE_RUN, headers=(("Accept", "application/json"), *given.items()))
            await self.list_pets(OF_THE_RUN)

    async def _without_a_key(self) -> None:
        """Send what servers have mistaken for a key, and requests for which they forget to ask for one."""
        known = next(iter((*self.found, *self.made)), UNKNOWN_ID)
        keyless: dict[str, Any] = {"credential": Credential.ABSENT}
        for voice in DISGUISES:
            await self.list_pets(headers=voice.headers, voice=voice.name, **keyless)
            await self.get_pet(known, headers=voice.headers, voice=voice.name, **keyless)
        for voice in CLAIMS:
            labelled = (*voice.headers, ("Content-Type", "application/json"))
            await self.create(self.payload(), headers=labelled, voice=voice.name, **keyless)
        for label in ("text/plain", "application/x-www-form-urlencoded"):
            await self.create(self.payload(), headers=(("Content-Type", label),), **keyless)
        if cookies := cookies_of(await self.list_pets("limit=4")):
            with_cookies = (("Accept", "application/json"), ("Cookie", cookies))
            labelled = (*with_cookies, ("Content-Type", "application/json"))
            await self.create(self.payload(), headers=labelled, **keyless)
            await self.list_pets("limit=4", headers=with_cookies, credential=Credential.WRONG)
        for target in values.WITHOUT_A_KEY:
            await self.send("GET", target.replace("{}", str(known)), **keyless)
        for target in CREATED_AT:
            body = json.dumps(self.payload()).encode()
            animal_id = created_id(await self.send("POST", target, body, **keyless))
            if animal_id is not None:
                await self.get_pet(animal_id)
        for headers in kept_of(await self.list_pets("limit=4")):
            await self.list_pets("limit=4", headers=headers, **keyless)
        for headers in kept_of(await self.get_pet(known)):
            await self.get_pet(known, headers=headers, **keyless)

    async def _crowd(self) -> None:
        """Send many requests at once, each on a connection of its own: reads beside creations."""
        same = self.payload()
        payloads = [*(self.payload() for _ in range(10)), same, same]
        known = [*self.found[:4], *self.made[-4:]]
        keys = Credential.VALID, Credential.ABSENT
        await asyncio.gather(
            *(self.create(each, headers=(*LABELLED, CLOSING)) for each in payloads),
            *(self.list_pets(each, headers=APART) for each in FEW * (QUERY,)),
        )
        await asyncio.gather(*(self.get_pet(each, credential=key) for each in known for key in keys))

    async def _connections(self) -> None:
        known = next(iter((*self.made, *self.found)), UNKNOWN_ID)
        for _ in range(CONNECTIONS):
            self.deployment.connection += 1
            await self.list_pets(credential=Credential.ABSENT)
            await self.list_pets()
            await self.get_pet(known)
