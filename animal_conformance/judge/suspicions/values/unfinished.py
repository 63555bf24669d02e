"""What lists show of an animal while its creation is under way: it may be stored first and filled in afterwards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from animal_conformance.judge.case import Case, Finding, side_by_side
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.fields import value_of
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange

# A single animal may have been edited, and edited back, before its creation was answered.
ANIMALS: Final = 2


class Unfinished(NamedTuple):
    """An animal of the run as a list showed it before its creation was answered."""

    creation: Creation
    listed: Exchange
    shown: dict[str, Any]


def unfinished(case: Case, name: str) -> Finding | None:
    """A finding if lists show two animals with another value than their request and their 201 have.

    A list that is answered before the 201 may lack the animal. If it shows the animal, it has to show it as it was
    sent: nobody knows its id yet, so nobody has changed it.

    :param name: the field, one that does not move by itself.
    """
    ledger = case.ledger
    seen = ledger.survey(("unfinished", name), lambda: list(_unfinished(ledger, name)))
    here = next((each for each in seen if each.listed is case.exchange), None)
    others = [each for each in seen if here and each.creation.animal_id != here.creation.animal_id]
    if here is None or len(others) < ANIMALS - 1:
        return None
    wanted, shown = side_by_side(here.creation.payload[name], here.shown.get(name))
    return Finding(
        f"The {name} of an animal is not returned as sent: lists that are requested at the same time as a creation "
        "show its animal before it is complete.",
        f"{name}: {wanted}, or a list without the animal",
        f"{name}: {shown} in listPets, before the 201",
        related=case.beside(here.creation.exchange, others[0].creation.exchange, others[0].listed),
    )


def _unfinished(ledger: Ledger, name: str) -> Iterator[Unfinished]:
    for creation in ledger.creations:
        sent = value_of(creation.payload, name, ledger.contract)
        if creation.reading.problems or sent != value_of(creation.answer, name, ledger.contract):
            continue
        start = bisect_left(ledger.pages, creation.sent_s, key=lambda each: each.answered_s)
        end = bisect_left(ledger.pages, creation.answered_s, key=lambda each: each.answered_s)
        pages = [each for each in ledger.pages[start:end] if each.ids.count(creation.animal_id) == 1]
        if not pages or not _is_right_afterwards(ledger, creation, name):
            continue  # more likely an id that was given twice
        for page in pages:
            shown = page.animals[creation.animal_id]
            if value_of(shown, name, ledger.contract) not in {None, sent}:
                yield Unfinished(creation, page.exchange, shown)


def _is_right_afterwards(ledger: Ledger, creation: Creation, name: str) -> bool:
    """Whether an animal was always read as it was sent after its creation, and no other creation was given its id."""
    animal, contract = ledger.animals[creation.animal_id], ledger.contract
    sent = value_of(creation.payload, name, contract)
    told = [
        value_of(each.animal, name, contract)
        for each in animal.sightings
        if each.last.sent_s >= creation.answered_s
    ]
    return len(animal.creations) == 1 and bool(told) and set(told) <= {sent}
