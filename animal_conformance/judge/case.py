"""The input of a rule, and its possible results."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import Any, Final, TypeAlias

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import Reading, declinable
from animal_conformance.interface.waiting import KEY_REFUSED, asks_for_patience
from animal_conformance.judge.experiments import Experiment
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.conditions import denies_creation, denies_language
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Timed
from animal_conformance.record.jsontext import Ambiguous


class Evidence(Enum):
    """The exchange could have violated the clause, and did not."""

    SEEN = "seen"


EVIDENCE = Evidence.SEEN
# Where two values differ, this many characters of each are shown.
LONGEST_SHOWN: Final = 100


@dataclass(frozen=True)
class Finding:
    """The deployment breaks the clause.

    ``message`` says what is wrong in one sentence, ``expected`` what would have conformed,
    ``observed`` what was received. ``related`` are the exchanges it depends on besides the judged one.
    ``excluded`` are the lawful explanations (ids of spec/explanations.yaml) that the trace excludes, each with the
    exchange that excludes it.
    """

    message: str
    expected: str
    observed: str
    related: tuple[Exchange, ...] = ()
    excluded: tuple[tuple[str, Exchange], ...] = ()


@dataclass(frozen=True)
class Suspicion:
    """A finding unless a lawful explanation holds, with the experiments that would exclude or confirm each explanation.

    ``subject`` names what the suspicion is about, such as ``animal 7``.
    """

    finding: Finding
    subject: str
    experiments: tuple[Experiment, ...]

    @property
    def explanations(self) -> tuple[str, ...]:
        """The ids of the explanations that the trace does not exclude."""
        return tuple(dict.fromkeys(each.explanation for each in self.experiments))


@dataclass(frozen=True)
class Explained:
    """What looked like a fault has a lawful explanation, which an experiment confirmed."""

    explanation: str


Opinion: TypeAlias = Finding | Suspicion | Explained | Evidence | None


class Case(Timed):
    """An exchange, its request as the contract reads it, and the ledger of the whole trace.

    ``status`` is that of the response, 0 if there is none; ``credential`` the kind of Authorization header;
    ``server_error`` whether the response is a 5xx, which is covered by http.server-error alone.
    """

    def __init__(self, exchange: Exchange, reading: Reading, ledger: Ledger) -> None:
        self.exchange = exchange
        self.reading = reading
        self.ledger = ledger
        self.contract = ledger.contract
        self.operation = reading.operation
        self.credential = exchange.request.credential
        self.status = exchange.status
        self.server_error = self.status >= 500

    @cached_property
    def throttled(self) -> bool:
        """Whether the response only asks the client to wait: 429, or 403 or 503 with Retry-After."""
        return asks_for_patience(self.exchange.response)

    @cached_property
    def answered(self) -> bool:
        """Whether there is a response to judge: no network failure, no throttling, no 5xx, not declined, and no 408.

        Proxies close idle connections with a 408, whatever is being sent on them.
        """
        return (
            self.status not in {0, 408} and not self.throttled and not self.server_error and not self.declined
        )

    @cached_property
    def declined(self) -> bool:
        """Whether a request is lawfully declined for the way it is sent.

        A 304 does not decline a request whose key is invalid, as no cache may overlook that, nor one for an animal that
        has certainly changed; nor does a 406, for a language that another client was served in. A 400 with an object does
        not decline a request that is invalid: the document lists just that answer for it.
        """
        if self.status not in declinable(self.exchange.request.headers):
            return False
        if self.status == 304 and self.reading.valid:
            return not (
                self.credential.invalid or denies_creation(self.ledger, self.exchange, self.reading.pet_id)
            )
        return not (
            (self.credential.invalid and self.status == 304)
            or (self.status == 406 and denies_language(self.ledger, self.exchange))
            or (self.status == 400 and self.reading.problems and isinstance(self.value, dict))
        )

    @cached_property
    def may_be_removed(self) -> bool:
        """Whether getPet may have been removed, as announced: 410, or 404 with an Error, from its date on."""
        return (
            self.operation is Operation.GET
            and self.ledger.removal_is_due
            and (self.status == 410 or (self.status == 404 and isinstance(self.value, dict)))
        )

    @cached_property
    def of_another_kind(self) -> bool:
        """Whether the request asks for something beyond the interface: another type, unknown parameters, rerouting."""
        return bool(self.reading.open_points & {"accept", "query.unknown", "headers.rerouting"})

    @cached_property
    def with_key(self) -> bool:
        """Whether the request had the valid key, and was not refused for it.

        An invalid list or getPet request may be rejected with any 4xx. So a 401 or 403 is not a refusal of the key if
        other requests of the operation succeeded.
        """
        if not self.credential.counts_as_valid:
            return False
        invalid = self.operation is not Operation.CREATE and bool(self.reading.problems)
        return self.status not in KEY_REFUSED or (invalid and bool(self.ledger.successes[self.operation]))

    @cached_property
    def value(self) -> Any:
        """The parsed body of the response; ``None`` if there is none or it is not JSON."""
        return self.exchange.value

    @cached_property
    def list_length(self) -> int | None:
        """The number of elements in the body of the response; ``None`` if the body is not an array."""
        response = self.exchange.response
        if response is None or not isinstance(self.value, list):
            return None
        return len(self.value) if response.elements is None else response.elements

    @cached_property
    def animals(self) -> list[tuple[str, Any]]:
        """The animals of a successful response, of any JSON type, each with its place in the body.

        Empty if the response is not the success that the contract lists for the operation, or the body does
        not have the shape that contains animals.
        """
        response = self.exchange.response
        if self.credential.invalid or self.of_another_kind or not response or not response.json.valid:
            return []
        if self.operation is Operation.LIST and self.status == 200 and not self.reading.problems:
            return (
                [(f"[{at}]", each) for at, each in enumerate(self.value)]
                if isinstance(self.value, list)
                else []
            )
        if (self.operation is Operation.CREATE and self.status == 201) or (
            self.status == 200 and self.reading.pet_id is not None
        ):
            return [("body", self.value)]
        return []

    @cached_property
    def animal_objects(self) -> list[tuple[str, dict[str, Any]]]:
        """Those of :attr:`animals` that are objects."""
        return [(place, each) for place, each in self.animals if isinstance(each, dict)]

    @cached_property
    def identified(self) -> list[tuple[int, dict[str, Any]]]:
        """Those of :attr:`animal_objects` whose id is an int64, each with that id."""
        is_int64 = self.contract.is_int64
        return [(animal["id"], animal) for _, animal in self.animal_objects if is_int64(animal.get("id"))]

    @cached_property
    def by_id(self) -> dict[int, dict[str, Any]]:
        """The last animal of the response with each id."""
        return dict(self.identified)

    @cached_property
    def readback(self) -> list[tuple[Creation, dict[str, Any]]]:
        """The run's creations that the response contains, each with the animal as returned."""
        if self.operation is Operation.CREATE:
            creation = self.ledger.creation_of(self.exchange)
            return [(creation, creation.answer)] if creation is not None else []
        shown = []
        for animal_id, animal in self.identified:
            if self.operation is Operation.GET and animal_id != self.reading.pet_id:
                continue  # covered by get.requested
            known = self.ledger.animals.get(animal_id)
            creation = None if known is None else known.creation
            if creation is not None and creation.answered_s <= self.sent_s:
                shown.append((creation, animal))
        return shown

    def describe(self) -> str:
        """What was received, in short: the status code and the beginning of the body."""
        response = self.exchange.response
        if response is None:
            return (
                f"no response ({self.exchange.failure.kind.value})"
                if self.exchange.failure
                else "no response"
            )
        return f"{response.status} with {shorten(response.body.decode('utf-8', errors='replace'))}"


Rule: TypeAlias = Callable[[Case], Opinion]


def as_json(value: object) -> str:
    """A parsed value as JSON text again."""
    return json.dumps(value, ensure_ascii=False, default=str)


def there_twice(value: dict[str, Any], name: str) -> str | None:
    """What is wrong with a field that an object has twice, with different values; ``None`` if it does not.

    Clients differ in which value they read (RFC 8259 section 4), so the field has no certain value.
    """
    if not isinstance(value, Ambiguous) or name not in value.earlier:
        return None
    both = (shorten(as_json(each), 60) for each in (value.earlier[name], value[name]))
    return f"{name} is there twice, with different values, {' and '.join(both)}"


def side_by_side(sent: object, got: object) -> tuple[str, str]:
    """Two values as JSON, with invisible characters escaped; long ones are cut to where they begin to differ."""
    texts = [_visible(as_json(each)) for each in (sent, got)]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
    if max(map(len, texts)) <= LONGEST_SHOWN or same < LONGEST_SHOWN // 2:
        return shorten(texts[0], LONGEST_SHOWN), shorten(texts[1], LONGEST_SHOWN)
    start = same - LONGEST_SHOWN // 4
    return f"…{shorten(texts[0][start:], LONGEST_SHOWN)}", f"…{shorten(texts[1][start:], LONGEST_SHOWN)}"


def _visible(text: str) -> str:
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text
    )


def plural(count: int, noun: str) -> str:
    """A number and its noun, such as `1 clause` or `1,200 requests`."""
    return f"{count:,} {noun if count == 1 else noun + 's'}"


def shorten(text: object, length: int = 160) -> str:
    """A text cut to a length, with an ellipsis where it was cut."""
    shown = text if isinstance(text, str) else repr(text)
    if not shown:
        return "an empty body"
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"
