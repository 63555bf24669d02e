"""What drivers drive with: requests in the words of the interface, names of the run, and examples from Hypothesis."""

from __future__ import annotations

import hashlib
import random
import secrets
import string
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from hypothesis import HealthCheck, Phase, given, seed, settings

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import created_id
from animal_conformance.record.exchange import Credential
from animal_conformance.send.client import JSON_HEADERS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from animal_conformance.drive.profiles import Profile
    from animal_conformance.judge.ledger import Ledger
    from animal_conformance.record.exchange import Exchange
    from animal_conformance.send.client import Client

UNLIKELY_CATEGORY_IDS = (1, 2, 3, 0, 10, 100)
LETTERS = string.ascii_lowercase


class Store:
    """The deployment under test, as drivers see it.

    :param ledger: what the run has learned until now.
    :param seed_number: decides every example and every name.
    :param category_ids: those that the user named, tried first.
    """

    def __init__(
        self,
        client: Client,
        ledger: Ledger,
        profile: Profile,
        seed_number: int,
        category_ids: tuple[int, ...] = (),
        marker: str = "",
    ) -> None:
        self.client = client
        self.ledger = ledger
        self.profile = profile
        self.seed_number = seed_number
        self._category_ids = category_ids
        self._made_names = 0
        self._given = 0
        self.round_number = 0
        self.times_settled = 0
        self.marker = marker or f"Ac{_letters(f'{seed_number} {client.worker}', 4)}"

    # Requests

    def list_pets(self, limit: object = None, status: object = None, **options: Any) -> Exchange:
        """GET /pets with these parameters; whatever is given is sent."""
        return self.get_path("/pets", [("limit", limit), ("status", status)], **options)

    def get_path(self, path: str, parameters: Iterable[tuple[str, object]] = (), **options: Any) -> Exchange:
        """GET a path with query parameters; those that are ``None`` are left out."""
        query = urlencode(
            [(name, str(value)) for name, value in parameters if value is not None], quote_via=quote
        )
        return self.client.send("GET", f"{path}?{query}" if query else path, **options)

    def get_pet(self, pet_id: object, **options: Any) -> Exchange:
        """GET /pets/{petId}."""
        return self.client.send("GET", f"/pets/{quote(str(pet_id), safe='+')}", **options)

    def create_pet(self, payload: object, **options: Any) -> Exchange:
        """POST /pets with a JSON payload."""
        return self.client.send("POST", "/pets", json=payload, **options)

    def create_raw(self, body: bytes, **options: Any) -> Exchange:
        """POST /pets with a body as it is, labelled as JSON."""
        return self.client.send("POST", "/pets", body=body, **options)

    def create_and_get(self, payload: dict[str, Any]) -> int | None:
        """Create an animal and get it; its id, or ``None`` where it was refused."""
        animal_id = created_id(self.create_pet(payload))
        if animal_id is not None:
            self.get_pet(animal_id)
        return animal_id

    def create_at_once(self, payloads: list[Any]) -> list[Exchange]:
        """Send creations at the same time, each from a thread of its own."""
        return self.at_once([partial(self.create_pet, payload) for payload in payloads])

    def at_once(self, sends: list[Callable[..., Exchange]]) -> list[Exchange]:
        """Call each from a thread of its own, with the number that its request has as ``sequence``.

        No connection is left open, before or after: a server that serves one at a time would wait for its next
        request, and all others for that server.
        """
        numbered = [(self.client.reserve(), send) for send in sends]
        headers = (*JSON_HEADERS, ("Connection", "close"))
        self.client.close_idle()
        with self.client.in_order(), ThreadPoolExecutor(max_workers=max(1, len(numbered))) as threads:
            return list(threads.map(lambda each: each[1](sequence=each[0], headers=headers), numbered))

    # Payloads

    def name(self, rest: str = "") -> str:
        """A name that nothing else has: the run's marker, a number in letters, and ``rest``."""
        self._made_names += 1
        return f"{self.marker}{_number(self._made_names)}{rest}"

    def unlike_name(self) -> str:
        """A name that nothing else has, and that is like no other: near duplicates may be refused."""
        return _letters(self.name(), 12).capitalize()

    def number(self) -> str:
        """A number of twelve digits that nothing else has for a name."""
        digits = int(hashlib.sha256(self.name().encode()).hexdigest(), 16) % 10**12
        return f"{digits:012d}"

    def payload(self, **changes: Any) -> dict[str, Any]:
        """A payload that the deployment accepts, with a fresh name, changed as asked (``...`` leaves a field out)."""
        payload = {"name": self.name(), "categoryId": self.category_id or 0, "status": self.observable_status}
        return {name: value for name, value in {**payload, **changes}.items() if value is not ...}

    @cached_property
    def category_id(self) -> int | None:
        """A categoryId with which a creation was accepted; ``None`` where none was found.

        The first animal's id is mixed into the marker, so that the names of a run differ from those that an
        earlier run left behind, and are the same for the same seed on the same state.
        """
        for number, candidate in enumerate(() if self.client.read_only else self._candidates()):
            animal_id = self._first_animal(candidate)
            if animal_id is None and number == 0:
                # Names may have to be unique, and an earlier run with this seed began with the same one.
                self.marker = f"Ac{_letters(secrets.token_hex(8), 4)}"
                animal_id = self._first_animal(candidate)
            if animal_id is not None:
                self.marker = f"Ac{_letters(f'{self.seed_number} {animal_id} {self.client.worker}', 4)}"
                return candidate
        return None

    def _first_animal(self, category_id: int) -> int | None:
        payload = {"name": self.name(), "categoryId": category_id, "status": "available"}
        return created_id(self.create_pet(payload))

    def _candidates(self) -> Iterable[int]:
        if self._category_ids:
            return self._category_ids
        page = self.list_pets(limit=100)
        seen = [
            each["categoryId"]
            for each in (
                page.response.json.value
                if page.response and isinstance(page.response.json.value, list)
                else []
            )
            if isinstance(each, dict) and self.ledger.contract.is_int64(each.get("categoryId"))
        ]
        by_count = sorted(set(seen), key=lambda each: (-seen.count(each), each))
        return tuple(dict.fromkeys([*by_count[:4], *UNLIKELY_CATEGORY_IDS]))

    @cached_property
    def observable_status(self) -> str:
        """The status of which there are fewest animals, so that a list of them is likely to be complete."""
        counts = {}
        for status in reversed(self.ledger.contract.statuses):
            page = self.list_pets(limit=100, status=status)
            value = page.response.json.value if page.response else None
            counts[status] = len(value) if isinstance(value, list) else 0
        return min(counts, key=lambda each: counts[each])

    def watch(self) -> None:
        """List the animals of the observable status: what was created or refused just now would stand there."""
        self.list_pets(limit=100, status=self.observable_status)

    # Knowledge

    def known_ids(self, count: int) -> list[int]:
        """Ids of animals that are there, some that the run made and some that it found, the same for the same seed."""
        made = self._made_ids()
        found = [each for each, animal in self.ledger.animals.items() if not animal.creations]
        chooser = random.Random(f"{self.seed_number} {count}")  # noqa: S311 - examples, not secrets
        chosen = chooser.sample(found, min(len(found), (count + 1) // 2))
        return chosen + made[-(count - len(chosen)) :] if count > len(chosen) else chosen

    def oldest_ids(self, count: int) -> list[int]:
        """Ids of the animals that the run made first."""
        return self._made_ids()[:count]

    def _made_ids(self) -> list[int]:
        return [int(each.answer["id"]) for each in self.ledger.creations if each.reading.valid]

    def creates_left(self) -> int:
        """How many animals the run may still create."""
        return max(0, self.client.budget.creates - self.client.budget.created.count())

    def accepts(self, operation: Operation) -> bool:
        """Whether an operation has succeeded before."""
        return bool(self.ledger.successes[operation])

    # Examples

    def for_each(
        self,
        strategy: SearchStrategy[Any],
        drive: Callable[[Any], object],
        examples: int,
        corners: Iterable[Any] = (),
    ) -> None:
        """Drive with the corners (in the first round) and then with fresh examples of a strategy.

        :param examples: how many beyond the corners; 0 for none.
        """
        for corner in corners if self.round_number == 0 else ():
            drive(corner)
        if examples <= 0:
            return
        self._given += 1

        @seed(f"{self.seed_number} {self.client.driver} {self._given}")
        @settings(generating(examples))
        @given(strategy)
        def each_example(example: Any) -> None:
            drive(example)

        each_example()

    def invalid_credentials(self) -> list[tuple[Credential, int]]:
        """Every kind of invalid credential with the number of each of its headers; the first of each unless thorough."""
        return [
            (credential, form)
            for credential, headers in self.client.authorizations.items()
            if credential.invalid
            for form in list(headers)[: None if self.profile.thorough else 1]
        ]


def generating(examples: int, steps: int = 50) -> settings:
    """Settings under which Hypothesis generates and nothing else: drivers never fail, so nothing shrinks."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )


def _letters(text: str, count: int) -> str:
    """Letters that a text decides: plain enough for any deployment that is strict about names."""
    digest = hashlib.sha256(text.encode()).digest()
    return "".join(LETTERS[byte % 26] for byte in digest[:count])


def _number(value: int) -> str:
    """A number in four letters, each place with an alphabet of its own: a letter three times in a row is no plain name."""
    letters = ""
    for place in range(4):
        value, digit = divmod(value, 26)
        letters = LETTERS[(digit + 7 * place) % 26] + letters
    return letters
