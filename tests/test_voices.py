"""Voices: the interface promises its answers to every client."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import CATEGORY_ID_CORNERS
from animal_conformance.drive.voices import VOICES, Voice, filter_of
from animal_conformance.record.exchange import Credential
from animal_conformance.send.transport import PHONE

TELLING = 3
BROWSER = "a browser's fetch"
LARGE = CATEGORY_ID_CORNERS[0]
# Behind the names of creations that are rejected.
QUOTED = ("", ' \u4e2d"\u00e9', "n" * 250)
# This id and the few after it name no animal.
NOBODY = 6_148_914_691_236_517_205


@pytest.mark.clauses(
    "list", "create.answer", "create.name.exact", "create.refusal", "get.found", "get.unknown", "auth.missing",
    "http", "error", "open.voices",
)  # fmt: skip
def test_core_requests_in_every_voice(store: Store) -> None:
    """Lists with and without a key as each client does it; standard runs also create, and get or have something rejected.

    A creation that is rejected is repeated in the plain voice by the experiment that it asks for.
    """
    thorough, creates = store.profile.thorough, store.category_id is not None

    def speak(lane: Lane, part: tuple[Voice, Callable[[Lane, Voice], None]]) -> None:
        lane.voice, say = part
        say(lane, lane.voice)

    def lists(lane: Lane, voice: Voice) -> None:
        # Large bodies may be compressed differently, and by other means for browsers.
        lane.list_pets(limit=100 if voice.name == BROWSER else None)
        lane.list_pets(credential=Credential.ABSENT)
        if thorough and creates and voice.name == BROWSER:
            # What protects from requests of other origins looks at those that change something.
            lane.create_pet(lane.payload(name=lane.name("\u00e9")), credential=Credential.ABSENT)

    def filters(lane: Lane, voice: Voice) -> None:
        lane.list_pets(limit=5, status=filter_of(voice))

    def adds(lane: Lane, voice: Voice) -> None:
        number = VOICES.index(voice)
        spoken: dict[str, object] = {"status": filter_of(voice)} if voice.name == PHONE else {}
        if voice.name == BROWSER and LARGE in store.ledger.accepted_categories:
            spoken = {"categoryId": LARGE}
        # Messages of validation are translated, and may quote what was sent; one language has those of other errors.
        # Who would rather have a page gets both, as either may be one.
        rejected = creates and ((number % 2 == 1) is not _is_translated(voice) or _prefers_html(voice))
        if rejected:
            lane.create_pet({"name": lane.name(QUOTED[number % len(QUOTED)])})
        if not rejected or _prefers_html(voice):
            lane.get_pet(NOBODY + number)
        # A character outside ASCII shows a wrong charset, and a character that is split between two chunks.
        if creates and lane.create_and_get(lane.payload(name=lane.name("\u00e9"), **spoken)) is None:
            lane.create_and_get(lane.payload(**spoken))

    # The longer ones first.
    parts = [(voice, say) for say in (adds, lists) for voice in VOICES]
    parts += [(voice, filters) for voice in VOICES if filter_of(voice) is not None]
    if not thorough:
        parts = [(voice, lists) for voice in VOICES[:TELLING]]
    store.side_by_side(parts, speak, creates=2 * int(creates and thorough), requests=6)


def _prefers_html(voice: Voice) -> bool:
    """Whether a client would rather have a page than JSON."""
    return any(name.lower() == "accept" and value.startswith("text/html") for name, value in voice.headers)


def _is_translated(voice: Voice) -> bool:
    """Whether a client asks for another language than English."""
    return any(name.lower() == "accept-language" and value[:2] != "en" for name, value in voice.headers)
