"""A lane: the operations of the interface, one request after another on its own connection."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from animal_conformance.drive.styles import syllables
from animal_conformance.drive.voices import Voice
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.knowledge.plain import in_han, own_category
from animal_conformance.record.exchange import Exchange, Headers, Request
from animal_conformance.send.sender import CLOSE, JSON_HEADERS, Sender

if TYPE_CHECKING:
    from animal_conformance.drive.store import Store

LETTERS: Final = string.ascii_lowercase
PLACES: Final = 6
NAMES: Final = len(LETTERS) ** 2

ALONE_HEADERS: Final = (*JSON_HEADERS, CLOSE)


class Lane:
    """A view of the deployment in which requests follow one another.

    :param store: what all lanes of the run share: its marker, the category, the status.
    :param number: the number of the item that this lane drives; the names it makes are derived from it.
    :param headers: the default headers of requests. If a driver sets ``voice``, the headers are that client's instead.
    """

    def __init__(self, store: Store, sender: Sender, number: int, headers: Headers | None = None) -> None:
        self.store = store
        self.sender = sender
        self._number = number
        self._headers = headers
        self.voice: Voice | None = None
        self._made_names = 0

    # Requests

    def send(self, method: str, target: str, **options: Any) -> Exchange:
        """Send a request: see :meth:`animal_conformance.send.sender.Sender.send`."""
        if self.voice is not None:
            if "json" in options:
                options["body"] = self.voice.write(options.pop("json"))
            options.setdefault("headers", self.voice.headers_for(options.get("body")))
            options["voice"] = self.voice.name
        elif self._headers is not None:
            options.setdefault("headers", self._headers)
        return self.sender.send(method, target, **options)

    def list_pets(self, limit: object = None, status: object = None, **options: Any) -> Exchange:
        """GET /pets with these parameters, sent as given."""
        return self.get_path("/pets", [("limit", limit), ("status", status)], **options)

    def get_path(self, path: str, parameters: Iterable[tuple[str, object]] = (), **options: Any) -> Exchange:
        """GET a path with query parameters; those that are ``None`` are omitted."""
        query = urlencode(
            [(name, str(value)) for name, value in parameters if value is not None], quote_via=quote
        )
        return self.send("GET", f"{path}?{query}" if query else path, **options)

    def get_pet(self, pet_id: object, **options: Any) -> Exchange:
        """GET /pets/{petId}."""
        return self.send("GET", f"/pets/{quote(str(pet_id), safe='+')}", **options)

    def read(self, target: str, *, anew: bool = False) -> Exchange:
        """GET a target as it is; ``anew`` on a new connection."""
        if anew:
            self.reconnect()
        return self.send("GET", target)

    def read_alone(self, target: str) -> Exchange:
        """GET a target on a connection of its own, which is closed afterwards."""
        self.reconnect()
        return self.send("GET", target, headers=ALONE_HEADERS)

    def reconnect(self) -> None:
        """Send what follows on a new connection, which another worker process may serve."""
        self.sender.close_idle()

    def again(self, request: Request, *, anew: bool = False) -> Exchange:
        """Send an earlier request once more; on a new connection if ``anew``, or if it was on one of its own before."""
        if anew or CLOSE in request.headers:
            self.reconnect()
        return self.sender.send_as(request)

    def create_pet(self, payload: object, **options: Any) -> Exchange:
        """POST /pets with a JSON payload."""
        return self.send("POST", "/pets", json=payload, **options)

    def create_raw(self, body: bytes, **options: Any) -> Exchange:
        """POST /pets with a raw body, with the Content-Type application/json."""
        return self.send("POST", "/pets", body=body, **options)

    def create_and_get(self, payload: dict[str, Any]) -> int | None:
        """Create an animal and read it back; return its id, or ``None`` if it was rejected."""
        animal_id = created_id(self.create_pet(payload))
        if animal_id is not None:
            self.get_pet(animal_id)
        return animal_id

    def watch(self) -> None:
        """List the animals with the observable status, among which newly created or rejected ones would appear."""
        self.list_pets(limit=100, status=self.store.observable_status)

    # Payloads

    def name(self, rest: str = "", front: str = "") -> str:
        """A unique name: ``front``, the run's marker, the item's number in letters, and ``rest``."""
        number, name = self._next_name()
        return f"{front}{self.store.style(f'{self.store.marker}{_letters_of(number, name)}')}{rest}"

    def han_name(self) -> str:
        """A unique name without an ASCII character."""
        return in_han(f"{self.store.marker}{_letters_of(*self._next_name())}")

    def unlike_name(self) -> str:
        """A unique name that is not similar to any other: near duplicates may be rejected."""
        return syllables(self.name(), 6).capitalize()

    def digits(self) -> str:
        """A unique name of twelve digits."""
        value = int(hashlib.sha256(self.name().encode()).hexdigest(), 16) % 10**12
        return f"{value:012d}"

    def category(self) -> int:
        """A unique categoryId, by which an animal without a name is recognised."""
        return own_category(self.name())

    def payload(self, **changes: Any) -> dict[str, Any]:
        """A payload that the deployment accepts, with a new name and these changes (``...`` omits a field)."""
        payload = {"name": ..., "categoryId": self.store.category_id or 0} | changes
        if "name" not in changes:
            payload["name"] = self.name()
        if "status" not in changes:
            payload["status"] = ... if self.store.only_status is ... else self.store.observable_status
        return {name: value for name, value in payload.items() if value is not ...}

    def _next_name(self) -> tuple[int, int]:
        """The number of the item, and how many names it has used."""
        self._made_names += 1
        return self._number, self._made_names - 1


def letters(text: str, count: int) -> str:
    """Letters derived from a text: plain enough for deployments that are strict about names."""
    digest = hashlib.sha256(text.encode()).digest()
    return "".join(LETTERS[byte % 26] for byte in digest[:count])


def _letters_of(number: int, name: int) -> str:
    """A number in four letters, and two more for the index of the name.

    Each position has its own alphabet: a name with the same letter three times in a row might be rejected.
    """
    value, text = number * NAMES + name % NAMES, ""
    for place in range(PLACES):
        value, digit = divmod(value, len(LETTERS))
        text = LETTERS[(digit + 7 * place) % len(LETTERS)] + text
    return text
