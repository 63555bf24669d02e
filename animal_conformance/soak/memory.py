"""What stays of the run's animals when their window is forgotten: some tens of bytes, from which exchanges are rebuilt.

What is rebuilt is true of the run, but not all of it: rules see a part of the trace. That is sound for conclusions from
what was seen, but not for conclusions from the whole; see :func:`animal_conformance.soak.settings.selected_clauses`.
"""

from __future__ import annotations

import json
import struct
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS, created_id, read_request
from animal_conformance.judge.knowledge.plain import OWN_NAME
from animal_conformance.record.exchange import Credential, Exchange, Request, Response
from animal_conformance.record.jsontext import is_integer

STATUSES: Final = ("available", "pending", "sold", None)
HEADERS: Final = (("Accept", "application/json"), ("Content-Type", "application/json"))
ANSWER_HEADERS: Final = (("Content-Type", "application/json"),)
# How many are kept: of rejected names, the latest; of animals that were never found, the first few; and for each of
# these, the readings that did not find it.
REFUSED_KEPT: Final = 2000
LOST_KEPT: Final = 4
MISSES_KEPT: Final = 8
# What a request leaves open about its response: if that is an animal, nothing is open any more.
OPEN_OF_RESPONSES: Final = frozenset({"accept"})
# At most this many of the animals that a list shows differently from their creation are looked up for one window.
LOOKED_UP: Final = 50
PACKED: Final = struct.Struct("<qqHqBB6d")


Kind: TypeAlias = tuple[int, int, str]


class Birth(NamedTuple):
    """A creation, and the first times that getPet was asked for the animal (``read``) and found it; 0 for never."""

    animal_id: int
    sequence: int
    step: int
    category_id: int
    status_sent: int
    status_told: int
    sent_s: float
    answered_s: float
    read_sent_s: float
    read_answered_s: float
    found_sent_s: float
    found_answered_s: float
    name: str

    def packed(self) -> bytes:
        """The creation in as few bytes as possible."""
        return PACKED.pack(*self[:-1]) + self.name.encode("utf-8", "surrogatepass")

    @classmethod
    def of(cls, packed: bytes) -> Birth:
        """The creation that :meth:`packed` has put into these bytes."""
        name = packed[PACKED.size :].decode("utf-8", "surrogatepass")
        return cls._make((*PACKED.unpack_from(packed), name))

    @property
    def payload(self) -> dict[str, Any]:
        """What was sent."""
        payload = {"name": self.name, "categoryId": self.category_id, "status": STATUSES[self.status_sent]}
        return {name: value for name, value in payload.items() if value is not None}

    @property
    def animal(self) -> dict[str, Any]:
        """What was returned."""
        status = STATUSES[self.status_told]
        told = {} if status is None else {"status": status}
        return {"id": self.animal_id, **self.payload, **told}

    @property
    def kind(self) -> Kind:
        """What it has in common with those like it: everything but the unique beginning of its name."""
        own = OWN_NAME.fullmatch(self.name)
        return self.category_id, self.status_sent, own["rest"] if own else self.name

    def shows(self, animal: dict[str, Any]) -> bool:
        """Whether a list shows it as it was created."""
        return all(animal.get(name) == value for name, value in self.animal.items())

    def exchanges(self) -> Iterator[Exchange]:
        """Its creation, and the readings that are remembered."""
        created = Request("POST", "/pets", HEADERS, _json(self.payload))
        yield self._exchange(created, 201, self.animal, self.sent_s, self.answered_s)
        read = Request("GET", f"/pets/{self.animal_id}", HEADERS[:1])
        if self.read_sent_s and self.read_sent_s != self.found_sent_s:
            missing = {"code": "not_found", "message": "", "status": 404}
            yield self._exchange(read, 404, missing, self.read_sent_s, self.read_answered_s)
        if self.found_sent_s:
            yield self._exchange(read, 200, self.animal, self.found_sent_s, self.found_answered_s)

    def _exchange(
        self, request: Request, status: int, body: object, sent_s: float, answered_s: float
    ) -> Exchange:
        response = Response(status, ANSWER_HEADERS, _json(body))
        return Exchange(request, response, None, self.sequence, self.step, "soak", sent_s, answered_s)


class Memory:
    """What is known of the animals of the run, in this process and in others."""

    def __init__(self) -> None:
        self._own: dict[int, bytes] = {}
        self._others: dict[int, bytes] = {}
        # The later creations of ids that were given again: which animal such an id means does not matter any more.
        self._again: dict[int, bytes] = {}
        # The animals of each kind in the order of their creation: neighbours show whether every one of a kind changes.
        self._kinds: dict[Kind, list[tuple[float, int]]] = defaultdict(list)
        self._refused: dict[str, Exchange] = {}
        self._lost: dict[int, list[Exchange]] = {}
        # The first animal that was found after it had been missed, and the first that was missed after it had been found,
        # with the reading that missed it: together they may be why another one was never found.
        self._late: int | None = None
        self._gone: tuple[int, Exchange] | None = None

    def __len__(self) -> int:
        return len(self._own)

    @property
    def ids(self) -> Iterable[int]:
        """The ids of the animals that this process has created."""
        return self._own.keys()

    def learn(self, exchanges: Iterable[Exchange]) -> list[bytes]:
        """Learn from exchanges; return the creations among them, packed."""
        born = []
        for exchange in sorted(exchanges, key=lambda each: each.answered_s):
            if exchange.response is None:
                continue
            if exchange.request.method == "POST":
                birth = _birth_of(exchange)
                if birth is not None:
                    known = self._packed(birth.animal_id)
                    if known is not None:
                        self._again[birth.animal_id] = birth.packed()
                    self._own.setdefault(birth.animal_id, birth.packed())
                    insort(self._kinds[birth.kind], (birth.answered_s, birth.animal_id))
                    born.append(birth.packed())
                else:
                    self._learn_refusal(exchange, exchange.response.status)
            elif exchange.request.credential is Credential.VALID:
                self._learn_reading(exchange, exchange.response.status)
        return born

    def learn_of_others(self, born: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
        """Learn of the creations of other processes; return the pairs of creations that were given the same id."""
        twice = []
        for packed in born:
            animal_id = Birth.of(packed).animal_id
            known = self._packed(animal_id)
            if known is None:
                self._others[animal_id] = packed
            elif Birth.of(known)[:3] != Birth.of(packed)[:3]:
                twice.append((known, packed))
                self._again[animal_id] = packed
        return twice

    def _learn_refusal(self, exchange: Exchange, status: int) -> None:
        name = (read_request(exchange.request).payload or {}).get("name")
        if isinstance(name, str) and status in {400, 401}:
            self._refused[name] = replace(exchange, response=Response(status))
            if len(self._refused) > REFUSED_KEPT:
                del self._refused[next(iter(self._refused))]

    def _learn_reading(self, exchange: Exchange, status: int) -> None:
        animal_id = _asked_for(exchange)
        packed = None if animal_id is None else self._own.get(animal_id)
        if animal_id is None or packed is None or status not in {200, 404}:
            return
        birth = Birth.of(packed)
        if status == 404 and not birth.found_sent_s:
            self._miss(birth, exchange)
        elif status == 404 and self._gone is None:
            self._gone = animal_id, exchange
        elif birth.read_sent_s and not birth.found_sent_s and self._late is None:
            self._late = animal_id
        if not birth.read_sent_s:
            birth = birth._replace(read_sent_s=exchange.sent_s, read_answered_s=exchange.answered_s)
        if status == 200 and not birth.found_sent_s:
            birth = birth._replace(found_sent_s=exchange.sent_s, found_answered_s=exchange.answered_s)
            self._lost.pop(animal_id, None)
        self._own[animal_id] = birth.packed()

    def _miss(self, birth: Birth, exchange: Exchange) -> None:
        """Keep the readings that did not find an animal, for a few animals that were created one after another."""
        missed = self._lost.get(birth.animal_id)
        if missed is not None:
            del missed[MISSES_KEPT - 1 :]
            missed.append(exchange)
        elif len(self._lost) < LOST_KEPT and all(
            each[0].answered_s <= birth.sent_s for each in self._lost.values()
        ):
            self._lost[birth.animal_id] = [exchange]

    def recall(self, exchanges: Iterable[Exchange]) -> list[Exchange]:
        """The exchanges that are needed beside those of a window, to judge it as if nothing had been forgotten."""
        wanted: dict[int, bytes] = {}
        named: dict[str, Exchange] = {}
        missed = False
        for exchange in exchanges:
            if exchange.request.method == "POST":
                given = created_id(exchange)
                self._want(wanted, given, exchange)
                continue
            asked = _asked_for(exchange)
            if asked is not None:
                self._want(wanted, asked, exchange)
                missed |= exchange.status == 404 and asked in self._own
            elif exchange.status == 200 and isinstance(exchange.value, list):
                self._look_through(exchange.value, exchange, wanted, named)
        if missed:
            shown = (self._late, self._gone and self._gone[0])
            wanted |= {each: self._own[each] for each in (*self._lost, *shown) if each is not None}
        beside = dict(islice(self._own.items(), 1)) | self._beside(wanted)
        recalled = [each for packed in (beside | wanted).values() for each in Birth.of(packed).exchanges()]
        recalled += [next(Birth.of(self._again[each]).exchanges()) for each in wanted if each in self._again]
        recalled += named.values()
        if missed:
            recalled += [each for kept in self._lost.values() for each in kept[1:]]
            recalled += [] if self._gone is None else [self._gone[1]]
        return recalled

    def _beside(self, wanted: dict[int, bytes]) -> dict[int, bytes]:
        """The animals of the same kind that were created just before and just after those that are wanted."""
        beside: dict[int, bytes] = {}
        for animal_id in wanted.keys() & self._own.keys():
            birth = Birth.of(self._own[animal_id])
            alike = self._kinds[birth.kind]
            at = bisect_left(alike, (birth.answered_s, animal_id))
            neighbours = (*alike[max(0, at - 1) : at], *alike[at + 1 : at + 2])
            beside |= {each: self._own[each] for _, each in neighbours if each in self._own}
        return beside

    def _packed(self, animal_id: int) -> bytes | None:
        return self._own.get(animal_id) or self._others.get(animal_id)

    def _want(self, wanted: dict[int, bytes], animal_id: int | None, exchange: Exchange) -> None:
        if animal_id in self._own:
            wanted[animal_id] = self._own[animal_id]
        elif animal_id in self._others and Birth.of(self._others[animal_id]).answered_s < exchange.sent_s:
            wanted[animal_id] = self._others[animal_id]

    def _look_through(
        self, shown: list[Any], exchange: Exchange, wanted: dict[int, bytes], named: dict[str, Exchange]
    ) -> None:
        for animal in shown:
            if not isinstance(animal, dict):
                continue
            animal_id, name = animal.get("id"), animal.get("name")
            packed = self._packed(int(animal_id)) if is_integer(animal_id) else None
            if packed is not None and len(wanted) < LOOKED_UP and not Birth.of(packed).shows(animal):
                self._want(wanted, Birth.of(packed).animal_id, exchange)
            if isinstance(name, str) and name in self._refused:
                named[name] = self._refused[name]


def _birth_of(exchange: Exchange) -> Birth | None:
    """What is kept of a creation; ``None`` if this is not a creation, or one that does not fit into some tens of bytes."""
    animal_id, reading = created_id(exchange), read_request(exchange.request)
    payload = reading.payload
    if animal_id is None or payload is None or exchange.response is None:
        return None
    if reading.problems or reading.open_points - OPEN_OF_RESPONSES:
        return None
    told = exchange.response.json.value.get("status")
    if payload.keys() - PAYLOAD_FIELDS or told not in STATUSES or not -(2**63) <= animal_id < 2**63:
        return None
    return Birth(
        animal_id,
        exchange.sequence,
        exchange.step,
        int(payload["categoryId"]),
        STATUSES.index(payload.get("status")),
        STATUSES.index(told),
        exchange.sent_s,
        exchange.answered_s,
        *(0.0, 0.0, 0.0, 0.0),
        payload["name"],
    )


def _asked_for(exchange: Exchange) -> int | None:
    reading = read_request(exchange.request)
    return reading.pet_id if reading.operation is Operation.GET else None


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
