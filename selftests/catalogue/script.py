"""The requests that are sent to every deployment of the catalogue: always the same, with some that show each fault.

Requests depend on earlier answers only as far as they must: on the categories and ids that exist.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from animal_conformance.drive.strategies import CATEGORY_ID_CORNERS, STATUSES
from animal_conformance.drive.voices import ESCAPING
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.experiments import TURNS
from animal_conformance.judge.knowledge.plain import in_han, own_category
from animal_conformance.judge.suspicions.lists.assigning import ORDER
from animal_conformance.record.exchange import Credential
from selftests.catalogue import values
from selftests.catalogue.deployment import APART, Deployment
from selftests.catalogue.visitor import (
    FILTERED,
    LIMIT_MAXIMUM,
    OF_THE_RUN,
    WHOLE,
    Visitor,
    animals_of,
    status_of,
)

SETTLED_S: Final = 2.1
MOST_MISSING: Final = 4
MOST_LEFT: Final = 2
ENOUGH: Final = 104
UNKNOWN_ID: Final = 8_000_000_000_000_003


class Script(Visitor):
    """One visit to a deployment."""

    def __init__(self, deployment: Deployment) -> None:
        super().__init__(deployment)
        self._audited = 0
        self._shown: set[object] = set()

    async def run(self) -> None:
        """Send everything."""
        others = [asyncio.create_task(work()) for work in self.deployment.service.background]
        await self.look_around()
        await self.visit()
        for each in others:
            each.cancel()

    async def visit(self) -> None:
        """Send what depends on knowing which animals there are."""
        await self.statuses()
        await self.audit(*FILTERED)
        await self._without_names()
        await self._without_status()
        await self.audit(OF_THE_RUN)
        await self._lists()
        await self._names_and_categories()
        await self.audit(OF_THE_RUN)
        await self._wrong_payloads()
        await self._alike()
        await self._readings()
        await self._credentials()
        await self._together()
        # Some of them are enough, since many are much the same.
        await self.audit(*FILTERED[1:], every=3)
        await self._many()
        await self._in_another_script()

    async def look_around(self) -> None:
        """List what is there."""
        page = await self.list_pets(WHOLE)
        animals = animals_of(page)
        categories = Counter(each["categoryId"] for each in animals if type(each.get("categoryId")) is int)
        self.category = max(categories, key=lambda each: (categories[each], -each), default=1)
        self.listed = sorted(categories)
        self.found = [each["id"] for each in animals if type(each.get("id")) is int]
        for query in FILTERED:
            await self.list_pets(query)

    async def statuses(self) -> None:
        """Create animals with each status, and without one."""
        for status in (*STATUSES, ..., *STATUSES, ...):
            if not await self.create_and_get(self.payload(status=status)):
                for _ in range(2):
                    await self.create_and_get(self.payload(status=status))

    async def audit(self, *queries: str, every: int = 1) -> None:
        """List and get what was created, once it has settled: all new animals or every so many; what lists lack, in turns."""
        await asyncio.sleep(SETTLED_S)
        # Before any list: getPet may know only animals that a list has shown.
        for animal_id in self.made[-1:]:
            await self.get_pet(animal_id)
        pages = [(query, animals_of(await self.list_pets(query))) for query in (WHOLE, *queries)]
        made = {each: await self.get_pet(each) for each in self.made[self._audited :: every]}
        self._audited = len(self.made)
        unlisted = [
            (query, animal_id)
            for query, animals in pages
            for animal_id, got in made.items()
            if len(animals) < LIMIT_MAXIMUM and animal_id not in {each.get("id") for each in animals}
            if query == WHOLE or query.endswith(f"={status_of(got)}")
        ]
        unlisted += _overlooked(pages)
        # What was listed earlier may have left a list that has become full since.
        whole = {each.get("id") for each in pages[0][1]}
        left = [(WHOLE, each) for each in self.made if each in self._shown and each not in whole]
        unlisted = left[-MOST_LEFT:] + unlisted
        self._shown |= whole
        asked = dict.fromkeys(query for query, _ in unlisted)
        missing = dict.fromkeys(animal_id for _, animal_id in unlisted)
        for _ in range(TURNS if asked else 0):
            for query in (WHOLE, *asked):
                await self.list_pets(query)
            for animal_id in list(missing)[:MOST_MISSING]:
                await self.get_pet(animal_id)

    async def _without_names(self) -> None:
        for _ in range(2):
            await self.create_and_get(self.payload(name=""))

    async def _without_status(self) -> None:
        """List right after creating an animal without one, and once it has settled, twice, beside others: a list may be stored."""
        for payload in (self.payload(status=...), self.payload(status=...), None):
            if payload is not None:
                await self.create(payload)
            await self.create(self.payload())
            await self.list_pets(WHOLE)
            await asyncio.sleep(SETTLED_S)

    async def _lists(self) -> None:
        for query in ("", *(f"status={each}" for each in STATUSES)):
            await self.list_pets(query)
        for limit in values.LIMITS:
            await self.list_pets(f"limit={limit}")
        for status in STATUSES:
            for limit in values.FILTERED_LIMITS:
                await self.list_pets(f"limit={limit}&status={status}")
        for invalid in values.WRONG_LIMITS:
            await self.list_pets(f"limit={invalid}")
        for status in values.WRONG_STATUSES:
            await self.list_pets(f"status={status}")
        for query in values.OTHER_QUERIES:
            await self.list_pets(query)
        await self.create_and_get(self.payload())
        for query in ("limit=7", WHOLE, "limit=7&status=sold", OF_THE_RUN):
            await self.list_pets(query)
        for method, target in (
            ("HEAD", "/pets"),
            ("OPTIONS", "/pets"),
            ("PROPFIND", "/pets"),
            ("GET", "/pets/"),
        ):
            await self.send(method, target)
        await self.list_pets(headers=(("Accept", "text/html"),))

    async def _names_and_categories(self) -> None:
        for ending in values.ENDINGS:
            await self.create(self.payload(name=self.name(ending)))
        for lookalike in values.LOOKALIKES:
            await self.create(self.payload(name=lookalike.replace("{}", self.number())))
        for outer in values.OUTER_SPACE:
            await self.create(self.payload(name=outer.replace("{}", self.name())))
        await self.create_as(ESCAPING, self.payload(name=self.name("\U0001f98a / \u00e9")))
        for category in CATEGORY_ID_CORNERS:
            await self.create(self.payload(categoryId=category))

    async def _wrong_payloads(self) -> None:
        for field, wrong in values.WRONG:
            for value in wrong:
                await self.create(self.payload(**{field: value}))
        for name in (..., 7):
            await self.create(self.payload(name=name, categoryId=own_category(self.name())))
        for body in values.BODIES:
            await self.create_raw(body.replace(b"{}", self.name().encode()))
        await self.create({})
        await self.create_raw(json.dumps(self.payload()).encode(), headers=(("Content-Type", "text/plain"),))
        await self.create_and_get(self.payload())
        await self.watch()

    async def _alike(self) -> None:
        """Create animals that are much the same, or with ids that the client chose; get ids before they are assigned."""
        for wanted in values.WANTED_IDS:
            exchange = await self.create(self.payload(id=wanted, _id=wanted))
            await self.get_pet(wanted)
        taken = created_id(exchange) or created_id(await self.create(self.payload()))
        if taken is not None:
            await self.create(self.payload(id=taken))
            await self.get_pet(taken)
        for _ in range(2):
            payload = self.payload()
            name = payload["name"]
            first = created_id(await self.create(payload))
            await self.create_and_get(payload)
            for changes in (
                {"name": name.swapcase()},
                {"name": f"{name}\u0301"},
                {"status": "pending"},
                {"categoryId": own_category(self.name())},
                {"name": name.swapcase(), "status": "pending"},
            ):
                await self.create_and_get({**payload, **changes})
            await self.get_pet(first or 0)
        newest = created_id(await self.create(self.payload()))
        for step in (1, 2):
            if newest is not None and newest + step < 2**63:
                await self.get_pet(newest + step)
                await self.create_and_get(self.payload())

    async def _readings(self) -> None:
        known = [*self.found[:6], *self.found[-2:], *self.made[:2], *self.made[-4:]]
        for animal_id in (*known, *reversed(known)):
            await self.get_pet(animal_id)
        for status in STATUSES:
            for animal in animals_of(await self.list_pets(f"limit=5&status={status}")):
                await self.get_pet(animal.get("id"))
        for place in ORDER if known else ():
            await self.list_pets(FILTERED[place])
            await self.get_pet(known[0])
        some = [*self.found[:1], *self.made[-1:]]
        colliding = [each for known in some for each in (known + 2**32, -known - 2**40, -known)]
        for animal_id in (*values.UNKNOWN_IDS, *colliding):
            if animal_id not in known:
                await self.get_pet(animal_id)
        followed = [f"{each}{rest}" for each in some for rest in ("abc", ".5", "'", "\nabc", "%3Fx", "%23x")]
        octal = [f"0{each:o}" for each in some if each > 7]
        for pet_id in (*values.MALFORMED_IDS, *(each + 2**64 for each in some), *followed, *octal):
            await self.get_pet(pet_id)

    # Authentication

    async def _credentials(self) -> None:
        known = next(iter((*self.found, *self.made)), UNKNOWN_ID)
        for credential, form in self._invalid():
            options: dict[str, Any] = {"credential": credential, "form": form}
            await self.list_pets("limit=3", **options)
            await self.get_pet(known, **options)
            # What one animal shows may be another client's doing, and there is only one way to send no key.
            for _ in range(2 if credential is Credential.ABSENT else 1):
                await self.create(self.payload(), **options)
        await self.create(self.payload(status=...), credential=Credential.ABSENT)
        for credential in (Credential.ABSENT, Credential.WRONG):
            await self.list_pets(credential=credential)
        for credential in (Credential.LOWER_CASE_SCHEME, Credential.NOT_ASCII):
            for form in self.deployment.authorizations[credential]:
                await self.list_pets("limit=3", credential=credential, form=form)
        await self.create_and_get(self.payload())
        await self.watch()
        for credential in (Credential.ABSENT, Credential.WRONG, Credential.SHORTER, Credential.OTHER_SCHEME):
            if self.deployment.authorizations[credential]:
                await self._wrong_in_two_ways(credential)

    def _invalid(self) -> Iterable[tuple[Credential, int]]:
        for credential, forms in self.deployment.authorizations.items():
            for form in forms if credential.invalid else ():
                yield credential, form

    async def _wrong_in_two_ways(self, credential: Credential) -> None:
        most = None if credential is Credential.ABSENT else 1
        for query in ("limit=0", "status=lost", "limit=abc", "limit=101", "status=sold")[:most]:
            await self.list_pets(query, credential=credential)
        for changes in ({"name": ...}, {"status": "lost"}, {"name": 7}, {"categoryId": ...})[:most]:
            await self.create(self.payload(**changes), credential=credential)
        for body in (b'{"name": ', b"", b"[]")[:most]:
            await self.create_raw(body, credential=credential)
        for pet_id in ("abc", UNKNOWN_ID, 2**63)[:most]:
            await self.get_pet(pet_id, credential=credential)

    # Many requests at once, and many animals

    async def _together(self) -> None:
        for body in values.STATUS_IN_FRONT:
            await self.create_raw(body.replace(b"{}", self.name().encode()))
        both = Credential.VALID, Credential.ABSENT
        known = [*self.found[:4], *self.made[-4:]]
        for _ in range(2):
            await asyncio.gather(
                *(self.get_pet(each, credential=key, headers=APART) for each in known for key in both)
            )
            await asyncio.gather(
                *(
                    self.list_pets(f"limit=100&status={each}", headers=APART)
                    for each in (*STATUSES, *STATUSES)
                )
            )
            await asyncio.gather(
                *(self.list_pets("limit=3", credential=each) for _ in range(3) for each in both)
            )
            await asyncio.gather(*(self.create(self.payload(status="pending")) for _ in range(8)))

    async def _many(self) -> None:
        """Create more animals of one status than a list may hold."""
        there = len(animals_of(await self.list_pets(OF_THE_RUN)))
        for _ in range(ENOUGH - there):
            await self.create(self.payload())
        for query in ("", *(f"status={each}" for each in STATUSES)):
            await self.list_pets(query)
        large = (101, 102, 1000, 2**31 - 1, 2**40, 2**63 - 1, 2**70)
        for limit in ("21", "50", "100", *large, "0", "-1", "abc", "500abc", "all", ""):
            await self.list_pets(f"limit={limit}")
            await self.list_pets(f"limit={limit}&status=sold")

    async def _in_another_script(self) -> None:
        """Create two animals with nothing in common but the script of their names, and get the first."""
        names = in_han(self.name()), in_han(self.name())
        first, _ = [created_id(await self.create(self.payload(name=each))) for each in names]
        await self.get_pet(first or 0)


def _overlooked(pages: list[tuple[str, list[dict[str, Any]]]]) -> list[tuple[str, Any]]:
    """The filtered lists, each with an animal that it lacks although the first page, without a filter, shows it with that status."""
    (_, everything), *filtered = pages
    return [
        (query, each.get("id"))
        for query, animals in filtered
        for each in everything
        if len(animals) < LIMIT_MAXIMUM and query.endswith(f"={each.get('status')}") and each not in animals
    ]
