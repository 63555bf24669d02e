"""The histories of a field: of the run's animals, of other people's, or of a status as filtered lists tell it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from functools import cached_property
from typing import Final

from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.fields import OMITTED, value_of
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.tellings import History, Telling, asked_of, tellings_of

OPEN_BESIDE: Final = frozenset({"payload.id", "payload.unknown-property", "body.large"})


class Of(Enum):
    """Whose fields, and in which lists: the status in a list that is filtered by it says what the filter does."""

    RUN = "the run"
    OTHERS = "others"
    FILTERED = "any, in filtered lists"


class Histories:
    """The histories of one field."""

    def __init__(self, ledger: Ledger, name: str, whose: Of) -> None:
        self._ledger = ledger
        self._name = name
        self._whose = whose

    def changed(self) -> Iterator[History]:
        """The histories of the animals in which the field changed."""
        for animal in self._ledger.animals.values():
            values = {value_of(each.animal, self._name, self._ledger.contract) for each in animal.sightings}
            if len(values) > 1 or animal.creations:
                history = self.of(animal, values)
                if history is not None and history.changed:
                    yield history

    def of(self, animal: Animal, values: set[Hashable] | None = None) -> History | None:
        """The history of an animal; ``None`` if it is not one of those asked for, or was told only these values."""
        creation = animal.creation
        if animal.creations:
            if creation is None or self._whose is Of.OTHERS:
                return None
            first, from_s = self._as_created(creation), creation.answered_s
            if values is not None and values <= {first}:
                return None
            told = self._tellings(animal, from_s, omitted="status" in creation.payload)
            if first is None and self._is_unstated(creation) and told:
                first = told[0].value
            if first is None:
                return None
        elif self._whose is Of.RUN:
            return None
        else:
            told = self._tellings(animal, float("-inf"), omitted=self._is_stated(animal))
            first = told[0].value if told else None
            from_s = told[0].answered_s if told else 0.0
        settle_s = self._ledger.terms.settle_s
        asked, moves = asked_of(self._ledger, animal), self._name == "status"
        return History(animal, first, from_s, told, settle_s, asked, moves, self._read_s(animal, first))

    def _is_unstated(self, creation: Creation) -> bool:
        """Whether neither the request nor the 201 states an animal's status: then the first response that does counts."""
        said = (*creation.payload, *creation.answer)
        valid = not creation.reading.problems and not creation.reading.open_points - OPEN_BESIDE
        return self._name == "status" and valid and "status" not in said

    def _is_stated(self, animal: Animal) -> bool:
        """Whether somebody else's animal was shown with a status that an animal created without one does not get.

        Then responses must not leave it out: only the status of an animal that was created without one may be left out.
        """
        told = {value_of(each.animal, "status", self._ledger.contract) for each in animal.sightings}
        return not told <= {None, OMITTED, *self._defaults}

    @cached_property
    def _defaults(self) -> frozenset[Hashable]:
        """The statuses told first of the run's animals that were created without one; any status if there are none."""
        unstated = [each for each in self._ledger.creations if each.omits_status]
        contract = self._ledger.contract
        if not unstated:
            return frozenset(contract.statuses)
        shown = [each.answer for each in unstated]
        shown += [
            seen.animal for each in unstated for seen in self._ledger.animals[each.animal_id].sightings[:1]
        ]
        return frozenset(value_of(each, "status", contract) for each in shown)

    def _read_s(self, animal: Animal, value: Hashable) -> float:
        told = tellings_of(self._ledger, animal, self._name, float("-inf"))
        return min((each.sent_s for each in told if each.value == value), default=float("inf"))

    def _as_created(self, creation: Creation) -> Hashable | None:
        """The value that an animal was created with; ``None`` if the 201 shows another, or the request leaves it open."""
        if creation.reading.problems or creation.reading.open_points - OPEN_BESIDE:
            return None
        contract, name = self._ledger.contract, self._name
        shown = value_of(creation.answer, name, contract)
        if name not in creation.payload:
            return None if shown == OMITTED else shown
        sent = value_of(creation.payload, name, contract)
        return sent if shown in {None, sent} else None

    def _tellings(self, animal: Animal, from_s: float, *, omitted: bool) -> list[Telling]:
        told = tellings_of(self._ledger, animal, self._name, from_s)
        if not omitted:
            told = [each for each in told if each.value != OMITTED]
        if self._name != "status":
            return told
        # A status that lists without this filter tell as well is not the filter's doing. Those lists may end before the
        # animals of others, which are older.
        values = {each.value for each in told if each.listed and each.filter != each.value}
        values |= {self._as_created(each) for each in animal.creations}

        def belongs(each: Telling) -> bool:
            if not each.listed or each.filter != each.value:
                return not each.listed or self._whose is not Of.FILTERED
            return (
                each.value not in values
                if self._whose is Of.FILTERED
                else self._whose is Of.OTHERS and each.value in values
            )

        return list(filter(belongs, told))
