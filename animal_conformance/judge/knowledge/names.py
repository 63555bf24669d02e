"""The names in create requests: which of them were rejected, so that no animal may ever have them."""

from __future__ import annotations

from collections import defaultdict

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import Reading
from animal_conformance.judge.knowledge.plain import DISTINCTIVE_NAME_LENGTH, heads_in
from animal_conformance.record.exchange import Exchange


class Names:
    """What became of each name: ``refused`` with a 4xx, ``unauthorised`` (a 401 for its key), accepted, or unclear.

    ``put_off`` are the requests with a name that returned 429, unless something else leaves open what became of the
    name; ``seen`` says when an animal with the name was first returned.
    """

    def __init__(self) -> None:
        self.refused: dict[str, list[Exchange]] = defaultdict(list)
        self.unauthorised: dict[str, list[Exchange]] = defaultdict(list)
        self.accepted: set[str] = set()
        self.unclear: set[str] = set()
        # For names that only a 429 has made unclear: the requests that were put off.
        self.put_off: dict[str, list[Exchange]] = {}
        self._awaited: set[str] = set()
        self.seen: dict[str, float] = {}
        self._first_refusals: dict[bool, float | None] = {}

    def learn(self, exchange: Exchange, reading: Reading, *, begun: bool) -> None:
        """Take in one exchange; ``begun`` is whether the run has created an animal before."""
        self._first_refusals.clear()
        if reading.operation is Operation.CREATE:
            for name in _names_in(exchange, reading):
                self._learn(name, exchange, reading, begun=begun)

    def _learn(self, name: str, exchange: Exchange, reading: Reading, *, begun: bool) -> None:
        status = exchange.status
        if status == 429:
            if name not in self.unclear:
                self._awaited.add(name)
            if name in self._awaited:
                self.put_off.setdefault(name, []).append(exchange)
            self.unclear.add(name)
            return
        if name in self._awaited:
            self._awaited.discard(name)
            if 400 <= status < 500 and status != 408:
                self.unclear.discard(name)  # it was sent again, and looked at
        if status in {200, 201}:
            self.accepted.add(name)
        elif not 400 <= status < 500 or status == 408:
            self.unclear.add(name)
            self.put_off.pop(name, None)
        elif reading.valid and status == 400 and not begun:
            # An earlier run may have started with the same name, which would then be rejected as taken.
            self.unclear.add(name)
        elif len(name) >= DISTINCTIVE_NAME_LENGTH:
            unauthorised = status == 401 and exchange.request.credential.invalid
            (self.unauthorised if unauthorised else self.refused)[name].append(exchange)

    def never_made(self, name: str) -> bool:
        """Whether a rejected name can only be in a list because its rejected animal was stored."""
        return name not in self.accepted and name not in self.unclear

    def first_refusal_answered_s(self, *, refused: bool) -> float | None:
        """When the first distinctive create request was rejected with a 4xx (``refused``) or a 401; ``None`` if none was."""
        if refused not in self._first_refusals:
            refusals = self.refused if refused else self.unauthorised
            times = [exchanges[0].answered_s for name, exchanges in refusals.items() if self.never_made(name)]
            self._first_refusals[refused] = min(times, default=None)
        return self._first_refusals[refused]


def _names_in(exchange: Exchange, reading: Reading) -> list[str]:
    """The names in a body: that of an animal, or those of several in an array.

    Also the beginning of any name that the run made up, wherever else it stands: in an object within an object, or in a
    body that is not JSON.
    """
    body = exchange.request.json.value if reading.payload is None else reading.payload
    animals = body if isinstance(body, list) else [body]
    names = [each["name"] for each in animals if isinstance(each, dict) and isinstance(each.get("name"), str)]
    known = {head for name in names for head in heads_in(name)}
    text = (exchange.request.body or b"").decode("utf-8", "replace")
    return [*names, *(head for head in dict.fromkeys(heads_in(text)) if head not in known)]
