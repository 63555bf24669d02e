"""Voices: the interface promises its answers to every client."""

from __future__ import annotations

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import STATUSES
from animal_conformance.drive.voices import VOICES, Voice
from animal_conformance.record.exchange import Credential

TELLING = 3


@pytest.mark.clauses("list", "create.answer", "get.found", "auth.missing", "http", "error", "open.voices")
def test_core_requests_in_every_voice(store: Store) -> None:
    """Lists with and without a filter and without a key, creates and gets, as each client does it.

    The same in the plain voice comes first: what is refused in each is no matter of the voice.
    """
    thorough, creates = store.profile.thorough, store.category_id is not None
    store.list_pets()

    def speak(lane: Lane, voice: Voice) -> None:
        lane.voice = voice
        lane.list_pets()
        lane.list_pets(credential=Credential.ABSENT)
        if thorough:
            lane.list_pets(limit=5, status=STATUSES[(VOICES.index(voice) + 1) % len(STATUSES)])
        if creates and thorough:
            lane.create_and_get(lane.payload())

    store.side_by_side(
        VOICES if thorough else VOICES[:TELLING], speak, creates=int(creates and thorough), requests=5
    )
