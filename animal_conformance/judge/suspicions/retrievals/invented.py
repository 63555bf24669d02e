"""An animal for an id that nothing else has shown: unlisted, which is lawful, or invented."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count, islice
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import UNLISTED, Experiment, Read
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME
from animal_conformance.record.exchange import Credential, Exchange

# This many ids are drawn at random. They have so many bits that two of them do not exist by chance.
DRAWN: Final = 4
SEVERAL: Final = 2
FEWEST_BITS: Final = 40


def invented(case: Case, pet_id: int) -> Opinion:
    """What a 200 means for an id that nothing has shown before.

    It is a finding if the run was given this id for a new animal afterwards; if the animal is one that the run created
    under another id, as happens where ids are truncated; or if ids that are drawn at random are answered with 200 as
    well. An id at an end of int64 may be that of a fixture.
    """
    answered_id = case.value.get("id") if isinstance(case.value, dict) else None
    if case.contract.is_int64(answered_id) and answered_id != pet_id:
        return None  # covered by get.requested
    given = _given_afterwards(case, pet_id)
    if given is not None:
        return _finding(case, pet_id, (UNLISTED, given))
    ledger = case.ledger
    shown = ledger.animals.get(pet_id)
    if not ledger.animals or (shown is not None and (shown.listed or shown.creations)):
        return None
    same, far = _created_elsewhere(case), shown is None and ledger.is_far(pet_id)
    # An id near the others may be that of a copy, made by other people; hardly one that differs only in its sign.
    if same is not None and (far or same.animal_id == -pet_id):
        return _finding(case, pet_id, (UNLISTED, same.exchange))
    if not far:
        return None
    ids = tuple(islice(_drawn_like(pet_id, ledger), DRAWN))
    asked = [answer for each in ids if (answer := _answer_for(each, ledger)) is not None]
    found = [each for each in asked if each.status == 200]
    if len(found) >= SEVERAL:
        return _finding(case, pet_id, *((UNLISTED, each) for each in found))
    if len(asked) == DRAWN:
        return Explained(UNLISTED)
    experiment = Experiment(UNLISTED, tuple(Read(f"/pets/{each}") for each in ids))
    return Suspicion(_finding(case, pet_id), f"id {pet_id}", (experiment,))


def _given_afterwards(case: Case, pet_id: int) -> Exchange | None:
    """The create request, sent after the judged response, that returned the id; nothing had shown it before."""
    animal = case.ledger.animals.get(pet_id)
    if animal is None or animal.creation is None:
        return None
    made = animal.creation.exchange
    shown_s = min((each.first.answered_s for each in animal.listed), default=made.answered_s)
    return made if case.answered_s <= made.sent_s and made.sent_s <= shown_s else None


def _created_elsewhere(case: Case) -> Creation | None:
    """The creation of the run, with another id, that alone can have made an animal with this name and category.

    A creation that got no answer, or a 5xx, may have made another one.
    """
    value, ledger = case.value if isinstance(case.value, dict) else {}, case.ledger
    name = value.get("name")
    if not isinstance(name, str) or not OWN_NAME.fullmatch(name) or name in ledger.names.unclear:
        return None
    made = (each for each in ledger.creations if each.payload.get("name") == name)
    first = next(made, None)
    same = first is not None and first.answer.get("categoryId") == value.get("categoryId")
    return first if same else None


def _drawn_like(pet_id: int, ledger: Ledger) -> Iterator[int]:
    """Ids drawn at random, but the same each time: with the same sign and as many bits, and far from all known ids."""
    bits = max(pet_id.bit_length() - (pet_id == -(2**63)), FEWEST_BITS)
    for number in count():
        text = f"{ledger.terms.base_url} {pet_id < 0} {bits} {number}"
        drawn = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) % 2 ** (bits - 1) + 2 ** (bits - 1)
        if ledger.is_far(drawn if pet_id >= 0 else -drawn):
            yield drawn if pet_id >= 0 else -drawn


def _answer_for(pet_id: int, ledger: Ledger) -> Exchange | None:
    """The last response to getPet for an id with the valid key that is not a server error; ``None`` if there is none."""
    return next(
        (
            each
            for each in reversed(ledger.gets.get(pet_id, ()))
            if each.request.credential is Credential.VALID
            and 0 < each.status < 500
            and ledger.reading(each).operation is Operation.GET
        ),
        None,
    )


def _finding(case: Case, pet_id: int, *excluded: tuple[str, Exchange]) -> Finding:
    return Finding(
        f"getPet returns 200 for id {pet_id}, which identifies no animal.",
        "404 with an Error",
        case.describe(),
        related=tuple(each for _, each in excluded if each is not case.exchange),
        excluded=excluded,
    )
