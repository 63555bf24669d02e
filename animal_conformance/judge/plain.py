"""Payloads that differ from each other in little: plain names, and what is said besides the name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from animal_conformance.judge.ledger import Creation

# A name shorter than this might be somebody else's; a longer one that the run made up is not.
DISTINCTIVE_NAME_LENGTH: Final = 8
PLAIN_NAME_LENGTH: Final = 24


@dataclass
class PlainlyMade:
    """The valid creations with plain names: by category the first one, and when the last one was sent; their statuses."""

    first: dict[int, Creation] = field(default_factory=dict)
    last_sent_s: dict[int, float] = field(default_factory=lambda: defaultdict(lambda: -inf))
    statuses: set[str | None] = field(default_factory=set)

    def learn(self, creation: Creation) -> None:
        """Take in one valid creation."""
        if not is_plain(creation.payload["name"]):
            return
        category = creation.payload["categoryId"]
        self.first.setdefault(category, creation)
        self.last_sent_s[category] = max(self.last_sent_s[category], creation.exchange.sent_s)
        self.statuses.add(creation.payload.get("status"))


def is_plain(name: str) -> bool:
    """Whether a name has nothing that it could be refused for, and is so long that no other animal has it."""
    return name.isascii() and name.isalpha() and DISTINCTIVE_NAME_LENGTH <= len(name) <= PLAIN_NAME_LENGTH


def others_of(payload: dict[str, Any]) -> frozenset[tuple[str, Any]]:
    """What a payload says besides the name."""
    return frozenset((name, value) for name, value in payload.items() if name != "name")
