"""Session guarantees, of which the interface document says nothing, as far as one user's requests show them.

Read your writes, monotonic reads and monotonic writes are those of Terry et al., "Session guarantees for weakly
consistent replicated data" (1994).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import created_id, read_request
from animal_conformance.record.exchange import Credential, Exchange
from animal_conformance.report.curl import curl

GUARANTEES: Final = {
    "read-your-writes": "A user finds what it has created.",
    "monotonic-reads": "A user finds again what it has found.",
    "monotonic-writes": "A user that finds what it created later also finds what it created before.",
}
# A user keeps track of this many of its own animals.
KEPT: Final = 16


@dataclass
class Own:
    """An animal that a user has created, and the exchange in which it found it last."""

    created: Exchange
    found: Exchange | None = None


class Session:
    """One user's requests, one after another.

    :param observed: the counts that all users share.
    """

    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        self._own: dict[int, Own] = {}

    def learn(self, exchange: Exchange) -> None:
        """Learn from the user's next exchange."""
        born = created_id(exchange)
        if born is not None:
            self._own[born] = Own(exchange)
            if len(self._own) > KEPT:
                del self._own[next(iter(self._own))]
            return
        reading = read_request(exchange.request)
        status = exchange.status
        own = None if reading.pet_id is None else self._own.get(reading.pet_id)
        if own is None or reading.operation is not Operation.GET or status not in {200, 404}:
            return
        if exchange.request.credential is not Credential.VALID:
            return
        found = status == 200
        if own.found is None:
            self._observed.see("read-your-writes", found=found, shown=(own.created, exchange))
        else:
            self._observed.see("monotonic-reads", found=found, shown=(own.found, exchange))
        later = self._found_later(own, exchange)
        if later is not None and own.found is None:
            shown = (own.created, later.created, later.found or exchange, exchange)
            self._observed.see("monotonic-writes", found=found, shown=shown)
        if found:
            own.found = exchange

    def _found_later(self, own: Own, exchange: Exchange) -> Own | None:
        """An animal that the user created after another one, and has found."""
        return next(
            (
                each
                for each in self._own.values()
                if each.found is not None
                and each.created.sent_s >= own.created.answered_s
                and each.found.answered_s <= exchange.sent_s
            ),
            None,
        )


class Observed:
    """How often each guarantee was seen to hold and to break, with the smallest counterexample."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._counts: Counter[tuple[str, bool]] = Counter()
        self._examples: dict[str, list[str]] = {}

    def see(self, name: str, *, found: bool, shown: Iterable[Exchange]) -> None:
        """Count one observation, which these exchanges show."""
        self._counts[name, found] += 1
        if not found and name not in self._examples:
            self._examples[name] = [curl(each, self._base_url) for each in shown]

    def take(self) -> list[list[Any]]:
        """What was seen since the last time, as plain values."""
        taken = [
            [name, self._counts[name, True], self._counts[name, False], self._examples.get(name, [])]
            for name in GUARANTEES
        ]
        self._counts.clear()
        return taken

    def add(self, taken: Iterable[list[Any]]) -> None:
        """Count what :meth:`take` of another process says."""
        for name, held, broken, example in taken:
            self._counts[name, True] += held
            self._counts[name, False] += broken
            if example:
                self._examples[name] = min(self._examples.get(name) or example, example, key=len)

    def as_report(self) -> list[dict[str, Any]]:
        """The section of a report."""
        return [
            {
                "id": name,
                "guarantee": sentence,
                "held": self._counts[name, True],
                "broken": self._counts[name, False],
                "counterexample": self._examples.get(name, []),
            }
            for name, sentence in GUARANTEES.items()
        ]
