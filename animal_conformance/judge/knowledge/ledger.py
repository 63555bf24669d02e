"""What is known from a trace so far: a fold over exchanges, nothing else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import inf
from typing import Any, Final, TypeVar

from animal_conformance.interface.contract import Operation, load_contract
from animal_conformance.interface.reading import ANIMAL_FIELDS, Reading, declinable, read_request
from animal_conformance.interface.waiting import KEY_REFUSED, says_when
from animal_conformance.judge.knowledge.animals import Animal, Creation, Sighting
from animal_conformance.judge.knowledge.completeness import Completeness, Page
from animal_conformance.judge.knowledge.names import Names
from animal_conformance.judge.knowledge.outages import is_gateway_error
from animal_conformance.judge.knowledge.plain import PlainTrial, is_plain
from animal_conformance.record.exchange import Credential, Exchange, Request, Response, Terms
from animal_conformance.record.jsontext import is_integer

T = TypeVar("T")

# An id farther than this from every known one cannot exist by chance on a deployment that counts
# (other clients create fewer animals than this during a run), nor on one with random ids.
FAR_FROM_KNOWN_IDS: Final = 1_000_000

# The value of a field that is not there.
MISSING: Final = object()
REFUSALS: Final = range(400, 500)


class Ledger:
    """The fold. Feed it with :meth:`learn`; everything else only reads.

    :param terms: the terms of the run.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.contract = load_contract()
        # Whether the date from which getPet may be removed has come.
        self.removal_is_due = terms.today >= self.contract.removal_date.isoformat()
        self.exchanges: list[Exchange] = []
        self.animals: dict[int, Animal] = {}
        self.creations: list[Creation] = []
        self.pages: list[Page] = []
        self.gets: dict[int, list[Exchange]] = defaultdict(list)
        self.names = Names()
        self.valid_answers: dict[tuple[Operation, Credential], set[int]] = defaultdict(set)
        self.successes: dict[Operation, list[Exchange]] = defaultdict(list)
        self.accepted_categories: dict[int, None] = {}
        self.accepted_alone: set[tuple[str, str]] = set()
        self.lists_plainly = False
        # Creations by the status they were made with; under None, all of them.
        self.made: dict[str | None, list[Creation]] = defaultdict(list)
        self.plain_trials: list[PlainTrial] = []
        self._creation_of: dict[int, Creation] = {}
        self._first_with: dict[str, Creation] = {}
        self.asked: dict[Request, list[Exchange]] = defaultdict(list)
        self.gateway_errors: list[Exchange] = []
        self._accepted: dict[Request, list[Exchange]] = defaultdict(list)
        # What rules have computed from the whole trace, kept until more is learned.
        self._surveys: dict[object, Any] = {}
        self._known_since: dict[str | None, list[float]] = defaultdict(list)
        self._sorted_ids: list[int] = []
        # Whether the exchanges were learned in the order of their responses.
        self.in_order = True
        self._latest = (-inf, 0, 0)
        self._completeness: Completeness | None = None

    @classmethod
    def of(cls, exchanges: Iterable[Exchange], terms: Terms) -> Ledger:
        """The ledger of a whole trace, learned in the order of the responses."""
        ledger = cls(terms)
        for exchange in sorted(exchanges, key=lambda each: (each.answered_s, each.sequence, each.step)):
            ledger.learn(exchange)
        return ledger

    def reading(self, exchange: Exchange) -> Reading:
        """What the contract makes of an exchange's request."""
        return read_request(exchange.request)

    def learn(self, exchange: Exchange) -> None:
        """Take in one exchange."""
        self.exchanges.append(exchange)
        order = (exchange.answered_s, exchange.sequence, exchange.step)
        self.in_order, self._latest = self.in_order and self._latest <= order, order
        self._surveys.clear()
        reading, response = self.reading(exchange), exchange.response
        credential = exchange.request.credential
        self.asked[exchange.request].append(exchange)
        self.names.learn(exchange, reading, begun=bool(self.creations))
        if response is None:
            return
        if is_gateway_error(exchange):
            self.gateway_errors.append(exchange)
        if reading.valid:
            known = reading.pet_id is None or reading.pet_id in self.animals
            # A request that is declined for the way it is sent says nothing about the key.
            left_out = {408, 429, 503} | declinable(exchange.request.headers)
            if known and response.status not in left_out:
                self.valid_answers[reading.operation, credential].add(response.status)
        if response.status in {200, 201}:
            self._accepted[exchange.request].append(exchange)
            self._learn_success(exchange, response, reading)
        elif response.status == 400 and self.creations and reading.valid and not credential.invalid:
            self._learn_plain(exchange, reading, accepted=False)
        if reading.pet_id is not None and exchange.request.credential.counts_as_valid:
            self.gets[reading.pet_id].append(exchange)

    def _learn_success(self, exchange: Exchange, response: Response, reading: Reading) -> None:
        if not exchange.request.credential.invalid:
            self.successes[reading.operation].append(exchange)
            self.lists_plainly |= reading.operation is Operation.LIST and not exchange.request.query
        value = response.json.value
        if reading.operation is Operation.CREATE:
            self._learn_creation(exchange, response, reading)
        elif reading.operation is Operation.LIST and isinstance(value, list):
            self._learn_page(exchange, response, reading, value)
        elif isinstance(value, dict):
            animal_id = value.get("id")
            # A response with another id says nothing about this id, nor about the other.
            if is_integer(animal_id) and animal_id == reading.pet_id and not self.is_far(int(animal_id)):
                known = self._animal(int(animal_id), exchange.answered_s, value.get("status"))
                self._see(exchange, value, known.gets)

    def _learn_creation(self, exchange: Exchange, response: Response, reading: Reading) -> None:
        value, payload = response.json.value, reading.payload or {}
        if not isinstance(value, dict) or not self.contract.is_int64(value.get("id")):
            return
        if response.status != 201:
            return
        creation = Creation(exchange, response, payload, value, reading)
        animal = self._animal(int(value["id"]), exchange.answered_s, value.get("status"))
        animal.creations.append(creation)
        self.creations.append(creation)
        self.made[None].append(creation)
        if isinstance(creation.status, str):
            self.made[creation.status].append(creation)
        self._creation_of[id(exchange)] = creation
        self._first_with.setdefault(repr(payload), creation)
        if reading.valid:
            self.accepted_categories[int(payload["categoryId"])] = None
            self._learn_plain(exchange, reading, accepted=True)

    def _learn_page(self, exchange: Exchange, response: Response, reading: Reading, value: list[Any]) -> None:
        elements: list[tuple[int, object]] = []
        made_s = -inf
        for shown in value:
            if not isinstance(shown, dict) or not self.contract.is_int64(shown.get("id")):
                continue
            animal = self._animal(int(shown["id"]), exchange.answered_s, shown.get("status"))
            elements.append((animal.animal_id, shown.get("status")))
            made_s = max(made_s, animal.creation.sent_s if animal.creation else -inf)
            self._see(exchange, shown, animal.listed)
            if reading.status is not None and reading.valid and "status" not in shown:
                animal.listed_without_status.add(reading.status)
        if reading.valid and not exchange.request.credential.invalid:
            limit = self.contract.limit_default if reading.limit is None else reading.limit
            self.pages.append(Page.of(exchange, response, limit, reading.status, elements, made_s))
            if len(exchange.request.query) == 1:
                self.accepted_alone.add(exchange.request.query[0])

    def _learn_plain(self, exchange: Exchange, reading: Reading, *, accepted: bool) -> None:
        payload = reading.payload
        if payload and is_plain(payload["name"]) and not exchange.request.voice:
            name, category_id, status = payload["name"], int(payload["categoryId"]), payload.get("status")
            self.plain_trials.append(PlainTrial(exchange, name, category_id, status, accepted))

    def _see(self, exchange: Exchange, animal: dict[str, Any], sightings: list[Sighting]) -> None:
        if sightings and _shows_the_same(sightings[-1].animal, animal):
            sightings[-1].last = exchange
            sightings[-1].times += 1
            return
        # The fields that the interface document defines.
        shown = {name: animal[name] for name in ANIMAL_FIELDS if name in animal}
        sightings.append(Sighting(shown, exchange, exchange))
        name = animal.get("name")
        if isinstance(name, str):
            self.names.seen.setdefault(name, exchange.answered_s)

    def _animal(self, animal_id: int, answered_s: float, status: object) -> Animal:
        animal = self.animals.get(animal_id)
        if animal is None:
            animal = self.animals[animal_id] = Animal(animal_id, answered_s)
            insort(self._sorted_ids, animal_id)
            insort(self._known_since[None], answered_s)
            if isinstance(status, str):
                insort(self._known_since[status], answered_s)
        return animal

    # What the fold says, read by rules and drivers.

    def survey(self, key: object, make: Callable[[], T]) -> T:
        """What rules compute from the whole trace, computed once and kept until more is learned."""
        if key not in self._surveys:
            self._surveys[key] = make()
        made: T = self._surveys[key]
        return made

    def creation_of(self, exchange: Exchange) -> Creation | None:
        """The creation made by an exchange of this ledger; ``None`` if it made none."""
        return self._creation_of.get(id(exchange))

    def first_with(self, payload: dict[str, Any]) -> Creation | None:
        """The first creation with exactly this payload."""
        return self._first_with.get(repr(payload))

    def served_between(
        self, after_s: float, before_s: float, operations: Iterable[Operation] = tuple(Operation)
    ) -> Exchange | None:
        """A success that was sent after one time and answered before another; ``None`` if there is none."""
        for operation in operations:
            successes = self.successes[operation]
            at = bisect_left(successes, after_s, key=lambda each: each.answered_s)
            for each in islice(successes, at, None):
                if each.answered_s > before_s:
                    break
                if each.sent_s >= after_s:
                    return each
        return None

    def pages_with(self, animal_id: int) -> Sequence[Page]:
        """The pages that contain an animal, in the order of their answers."""
        return self.survey("pages by animal", self._pages_by_animal).get(animal_id, ())

    def _pages_by_animal(self) -> dict[int, list[Page]]:
        pages: dict[int, list[Page]] = defaultdict(list)
        for page in self.pages:
            for animal_id in dict.fromkeys(page.ids):
                pages[animal_id].append(page)
        return dict(pages)

    def times_apart(
        self, exchanges: Iterable[Exchange], *, alike: bool = False
    ) -> list[tuple[Exchange, Exchange | None]]:
        """Those exchanges before which others were served: each with a success since the one before, but for the first.

        :param alike: whether only a success of the same operation counts.
        """
        apart: list[tuple[Exchange, Exchange | None]] = []
        before_s = -inf
        for each in sorted(exchanges, key=lambda each: each.sent_s):
            operations = (self.reading(each).operation,) if alike else tuple(Operation)
            served = self.served_between(before_s, each.sent_s, operations) if apart else None
            if not apart or served is not None:
                apart.append((each, served))
            before_s = max(before_s, each.answered_s)
        return apart

    def accepted_again(self, exchange: Exchange) -> Exchange | None:
        """The first success of the same request, sent again after an exchange; ``None`` if there is none."""
        accepted = self._accepted[exchange.request]
        at = bisect_left(accepted, exchange.answered_s, key=lambda each: each.answered_s)
        return next((each for each in islice(accepted, at, None) if each.sent_s >= exchange.answered_s), None)

    @property
    def key_comes_and_goes(self) -> bool:
        """Whether any request with the valid key was refused for the key, and accepted afterwards."""
        return self.survey("key comes and goes", lambda: any(map(self._refused_for_a_time, self.exchanges)))

    def _refused_for_a_time(self, exchange: Exchange) -> bool:
        return (
            exchange.status in KEY_REFUSED
            and not says_when(exchange.response)
            and exchange.request.credential is Credential.VALID
            and self.reading(exchange).valid
            and self.accepted_again(exchange) is not None
        )

    def known_count(self, status: str | None, before_s: float) -> int:
        """How many animals (with a status, or any) were known to exist when a request was sent."""
        return bisect_left(self._known_since[status], before_s)

    def is_far(self, animal_id: int, *, before_s: float = inf) -> bool:
        """Whether an id is far from all that were known before a time, so that it cannot identify an animal by chance."""
        ids = self._sorted_ids
        first, last = animal_id - FAR_FROM_KNOWN_IDS, animal_id + FAR_FROM_KNOWN_IDS
        near = ids[bisect_left(ids, first) : bisect_right(ids, last)]
        return not any(self.animals[each].known_since_s < before_s for each in near)

    @property
    def stored(self) -> list[Exchange]:
        """The create requests that may have added an animal, by time: one with no answer, or a 5xx, may have."""
        return self.survey("stored", self._stored)

    def _stored(self) -> list[Exchange]:
        asked = (each for each in self.exchanges if each.request.method == "POST")
        stored = (each for each in asked if each.status not in REFUSALS)
        return sorted(stored, key=lambda each: each.sent_s)

    @property
    def get_pet_is_removed(self) -> bool:
        """Whether getPet was removed after its announced date: 404 or 410 for known animals, and nothing else."""
        return (
            self.get_pet_may_be_removed
            and not self.successes[Operation.GET]
            and self._get_answers <= {404, 410}
        )

    @property
    def get_pet_may_be_removed(self) -> bool:
        """Whether getPet may have been removed after its announced date, even if only on some nodes or during the run."""
        return self.removal_is_due and bool(self._get_answers & {404, 410})

    @property
    def _get_answers(self) -> set[int]:
        return self.survey("getPet's answers", self._answers_of_get)

    def _answers_of_get(self) -> set[int]:
        """The status codes of getPet for known animals, with the valid key."""
        return {
            exchange.status
            for animal_id, exchanges in self.gets.items()
            if animal_id in self.animals
            for exchange in exchanges
            if exchange.status and exchange.request.credential is Credential.VALID
        }

    @property
    def completeness(self) -> Completeness:
        """The lists by their queries, from what has been learned so far."""
        if self._completeness is None or self._completeness.learned != len(self.pages):
            self._completeness = Completeness(self.pages, self._settled_s)
        return self._completeness

    def _settled_s(self, animal_id: int) -> float:
        """The time from which lists may no longer lag behind the run's creation of an animal."""
        animal = self.animals[animal_id]
        return animal.creations[0].answered_s + self.terms.settle_s if animal.creations else -inf


def _shows_the_same(before: dict[str, Any], animal: dict[str, Any]) -> bool:
    for name in ANIMAL_FIELDS:
        value, known = animal.get(name, MISSING), before.get(name, MISSING)
        if value is not known and (value != known or type(value) is not type(known)):
            return False
    return True
