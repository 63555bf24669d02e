"""The status that a list shows, compared with the creation or getPet just before it and getPet just after it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from animal_conformance.judge.ledger import Creation
    from animal_conformance.judge.rules.case import Case
    from animal_conformance.record.exchange import Exchange

# Statuses may change and change back ('transitions: not shown'): only a read just before and one just after
# establish the status in between.
RIGHT_BEFORE_OR_AFTER_S: Final = 0.1


@dataclass(frozen=True)
class Framed:
    """A run's animal in a list, between two responses that agree on its status, which is the one sent."""

    creation: Creation
    animal: dict[str, Any]
    after: Exchange

    @property
    def sent(self) -> object:
        """The status that the animal was created with."""
        return self.creation.payload["status"]

    @property
    def shown(self) -> object:
        """The status that the list shows."""
        return self.animal.get("status")


def framed(case: Case, concerns: Callable[[object, object], bool]) -> Iterator[Framed]:
    """The animals of a list whose status is known from just before and just after it.

    :param concerns: whether an animal matters, given the status it was created with and the one the list shows.
    """
    for creation, animal in case.readback:
        sent = creation.payload.get("status")
        if sent not in case.contract.statuses or creation.reading.problems:
            continue
        if not concerns(sent, animal.get("status")):
            continue
        if "status" in animal and animal["status"] not in case.contract.statuses:
            continue  # covered by animal.status
        after = _agreeing_after(case, creation, int(animal["id"]))
        if after is not None:
            yield Framed(creation, animal, after)


def _agreeing_after(case: Case, creation: Creation, animal_id: int) -> Exchange | None:
    sent, gets = creation.payload["status"], case.ledger.gets[animal_id]
    at = bisect_right(gets, case.exchange.sent_s, key=lambda each: each.answered_s)
    before = gets[at - 1] if at else creation.exchange
    later = (gets[each] for each in range(at, len(gets)))
    after = next((each for each in later if each.sent_s >= case.exchange.answered_s), None)
    if after is None or _shown(after) != sent or (at and _shown(before) != sent):
        return None
    near = (
        case.exchange.sent_s - before.answered_s <= RIGHT_BEFORE_OR_AFTER_S
        and after.sent_s - case.exchange.answered_s <= RIGHT_BEFORE_OR_AFTER_S
    )
    return after if near else None


def _shown(exchange: Exchange) -> object:
    value = exchange.response.json.value if exchange.response is not None else None
    return value.get("status") if isinstance(value, dict) else None
