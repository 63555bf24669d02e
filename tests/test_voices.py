"""Voices: the interface promises its answers to every client."""

from __future__ import annotations

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import STATUSES
from animal_conformance.drive.voices import VOICES, Voice
from animal_conformance.record.exchange import Credential

TELLING = 3
# It and the few after it name no animal.
NOBODY = 6_148_914_691_236_517_205


@pytest.mark.clauses(
    "list", "create.answer", "create.name.exact", "create.refusal", "get.found", "get.unknown", "auth.missing",
    "http", "error", "open.voices",
)  # fmt: skip
def test_core_requests_in_every_voice(store: Store) -> None:
    """Lists with and without a key as each client does it; standard runs also create, get and have something rejected.

    A creation that is rejected is repeated in the plain voice by the experiment that it asks for.
    """
    thorough, creates = store.profile.thorough, store.category_id is not None
    store.list_pets()

    def speak(lane: Lane, voice: Voice) -> None:
        lane.voice, number = voice, VOICES.index(voice)
        lane.list_pets()
        lane.list_pets(credential=Credential.ABSENT)
        if not thorough:
            return
        if number % len(STATUSES) == 0:
            lane.list_pets(limit=5, status=STATUSES[number // len(STATUSES) % len(STATUSES)])
        if creates and number % 2:
            lane.create_pet({"name": lane.name()})
        else:
            lane.get_pet(NOBODY + number)
        # Outside ASCII, a wrong charset and a character in two chunks show.
        if creates and lane.create_and_get(lane.payload(name=lane.name("\u00e9"))) is None:
            lane.create_and_get(lane.payload())

    store.side_by_side(
        VOICES if thorough else VOICES[:TELLING], speak, creates=2 * int(creates and thorough), requests=8
    )
