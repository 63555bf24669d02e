"""Faults of getPet ('Get an animal')."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from animal_conformance.reference.changes import Fault, Wrap
from animal_conformance.reference.model import Animal, Call, Refusal, Reply
from animal_conformance.reference.service import Find, ReadPetId, Respond, Service
from animal_conformance.reference.tools import (
    as_text,
    every,
    refuse,
    succeeded,
    with_headers,
    without_headers,
)


def _fault(name: str, clause: str, sentence: str, depth: int = 1, **steps: Any) -> Fault:
    return Fault(name=name, clauses=(clause,), depth=depth, sentence=sentence, **steps)


def _unfound(when: Callable[[Animal], object]) -> Wrap[Find]:
    return lambda inner: (
        lambda animal_id: None if (animal := inner(animal_id)) is None or when(animal) else animal
    )


def _unknown(answer: Callable[[int], Animal]) -> Wrap[Find]:
    """Find something for every id."""
    return lambda inner: lambda animal_id: inner(animal_id) or answer(animal_id)


def _unknown_answered(status: int) -> Wrap[Find]:
    return lambda inner: (
        lambda animal_id: inner(animal_id) or refuse(status, "No animal has this identifier.")
    )


def _refused_ids(when: Callable[[int], object]) -> Wrap[ReadPetId]:
    return lambda inner: (
        lambda text: refuse(400, "This is no identifier.") if when(value := inner(text)) else value
    )


def _malformed(answer: Callable[[str], Reply | None]) -> Wrap[Respond]:
    """Answer petIds that are no int64 in another way."""

    def wrap(inner: Respond) -> Respond:
        def get(call: Call) -> Reply:
            try:
                return inner(call)
            except Refusal as refusal:
                reply = answer(call.pet_id) if "64-bit" in refusal.message else None
                if reply is None:
                    raise
                return reply

        return get

    return wrap


def _reading(repair: Callable[[str], str]) -> Wrap[ReadPetId]:
    """Make an integer of a petId that is none."""

    def wrap(inner: ReadPetId) -> ReadPetId:
        def read(text: str) -> int:
            try:
                return inner(text)
            except Refusal:
                return inner(repair(text))

        return read

    return wrap


def _previous(service: Service) -> None:
    """Every third request is answered with what the request before was."""
    inner, stale = service.find, every(3)
    last: Animal | None = None

    def find(animal_id: int) -> Animal | None:
        nonlocal last
        animal = inner(animal_id)
        if animal is not None:
            animal, last = (last if last and stale() else animal), animal
        return animal

    service.find = find


def _hashed(service: Service) -> None:
    """A cache whose keys are the ids' last two digits."""
    inner = service.find
    cache: dict[int, Animal] = {}

    def find(animal_id: int) -> Animal | None:
        animal = inner(animal_id)
        return animal and cache.setdefault(animal_id % 20, animal)

    service.find = find


def _forgetting(service: Service) -> None:
    """Of the animals that clients created the latest five are found."""
    inner = service.find

    def find(animal_id: int) -> Animal | None:
        old = service.settings.catalogue < animal_id <= service.store.highest() - 5
        return None if old else inner(animal_id)

    service.find = find


def _sometimes_lost(inner: Find) -> Find:
    lost = every(6)
    return lambda animal_id: None if lost() else inner(animal_id)


def _remembering(service: Service) -> None:
    """Of the animals that clients created the latest fifty are found."""
    inner = service.find

    def find(animal_id: int) -> Animal | None:
        old = service.settings.catalogue < animal_id <= service.store.highest() - 50
        return None if old else inner(animal_id)

    service.find = find


def _newest(service: Service) -> None:
    inner = service.find
    service.find = lambda animal_id: inner(animal_id) and service.select(1, None)[0]


def _zero_newest(service: Service) -> None:
    inner = service.find
    service.find = lambda animal_id: inner(animal_id) if animal_id else service.select(1, None)[0]


def _digits(text: str) -> str:
    found = re.match("-?[0-9]+", text)
    return found[0] if found else ""


_FOUND, _REQUESTED, _UNKNOWN_ID, _MALFORMED = "get.found", "get.requested", "get.unknown", "get.malformed"
_DEPRECATION, _SUNSET = "get.deprecation-header", "get.sunset-header"

FAULTS = [
    _fault(
        "get.lost.created",
        _FOUND,
        "Animals that were created since the start are not found.",
        install=lambda service: setattr(
            service, "find", _unfound(lambda animal: animal.id > service.settings.catalogue)(service.find)
        ),
    ),
    _fault(
        "get.lost.sold",
        _FOUND,
        "Animals that are sold are not found.",
        depth=2,
        find=_unfound(lambda animal: animal.status == "sold"),
    ),
    _fault(
        "get.lost.seventh",
        _FOUND,
        "Animals whose id is a multiple of 7 are not found.",
        depth=2,
        find=_unfound(lambda animal: animal.id % 7 == 0),
    ),
    _fault(
        "get.lost.old",
        _FOUND,
        "Of the animals that clients created, the latest five are found.",
        depth=3,
        install=_forgetting,
    ),
    _fault(
        "get.lost.fiftieth",
        _FOUND,
        "Of the animals that clients created, the latest fifty are found.",
        depth=3,
        install=_remembering,
    ),
    _fault(
        "get.lost.sometimes",
        _FOUND,
        "Every sixth animal that is asked for is not found.",
        depth=4,
        find=_sometimes_lost,
    ),
    _fault(
        "get.lost.large-category",
        _FOUND,
        "Animals whose categoryId has more than 32 bits are not found.",
        depth=2,
        find=_unfound(lambda animal: not -(2**31) <= animal.category_id < 2**31),
    ),
    _fault(
        "get.newest",
        _REQUESTED,
        "getPet returns the newest animal, whichever was asked for.",
        install=_newest,
    ),
    _fault(
        "get.one-before",
        _REQUESTED,
        "Instead of every animal with an even id, the one before is returned.",
        depth=2,
        find=lambda inner: (
            lambda animal_id: (inner(animal_id) and inner(animal_id - 1 + animal_id % 2)) or inner(animal_id)
        ),
    ),
    _fault(
        "get.previous",
        _REQUESTED,
        "Every third getPet returns what the one before returned.",
        depth=3,
        install=_previous,
    ),
    _fault(
        "get.collision",
        _REQUESTED,
        "A cache takes ids with the same remainder for the same one.",
        depth=3,
        install=_hashed,
    ),
    _fault(
        "get.zero-newest",
        _REQUESTED,
        "The id 0 is answered with the newest animal, as the place before the first.",
        depth=4,
        install=_zero_newest,
    ),
    _fault(
        "get.absolute",
        _REQUESTED,
        "A negative id counts without its sign.",
        depth=2,
        find=lambda inner: lambda animal_id: inner(min(abs(animal_id), 2**63 - 1)),
    ),
    _fault(
        "get.unknown.invented",
        _UNKNOWN_ID,
        "An id that names no animal is answered with one made up for it.",
        find=_unknown(lambda animal_id: Animal(animal_id, "unnamed", 1, "available")),
    ),
    _fault(
        "get.unknown.400",
        _UNKNOWN_ID,
        "An id that names no animal is answered with 400.",
        find=_unknown_answered(400),
    ),
    _fault(
        "get.unknown.410",
        _UNKNOWN_ID,
        "An id that names no animal is answered with 410.",
        find=_unknown_answered(410),
    ),
    _fault(
        "get.unknown.negative-400",
        _UNKNOWN_ID,
        "A negative id is answered with 400.",
        depth=2,
        read_pet_id=_refused_ids(lambda animal_id: animal_id < 0),
    ),
    _fault(
        "get.unknown.zero-400",
        _UNKNOWN_ID,
        "The id 0 is answered with 400.",
        depth=2,
        read_pet_id=_refused_ids(lambda animal_id: animal_id == 0),
    ),
    _fault(
        "get.unknown.32-bit-400",
        _UNKNOWN_ID,
        "An id beyond 32 bits is answered with 400.",
        depth=2,
        read_pet_id=_refused_ids(lambda animal_id: not -(2**31) <= animal_id < 2**31),
    ),
    _fault(
        "get.unknown.maximum-400",
        _UNKNOWN_ID,
        "The largest int64 for an id is answered with 400.",
        depth=4,
        read_pet_id=_refused_ids(lambda animal_id: animal_id == 2**63 - 1),
    ),
    _fault(
        "get.malformed.digits",
        _MALFORMED,
        "Of a petId such as 1.5 or 12abc the leading digits count, as with JavaScript's parseInt.",
        depth=2,
        read_pet_id=_reading(_digits),
    ),
    _fault(
        "get.malformed.letters",
        _MALFORMED,
        "Words behind a petId are ignored.",
        depth=2,
        read_pet_id=_reading(lambda text: re.sub("(?<=[0-9])[a-z]{2,}$", "", text)),
    ),
    _fault(
        "get.malformed.newest",
        _MALFORMED,
        "A petId that is a word is answered with the newest animal.",
        install=lambda service: setattr(
            service,
            "get_pet",
            _malformed(
                lambda text: (
                    Reply(200, service.represent(service.select(1, None)[0], "getPet"))
                    if text.isalpha()
                    else None
                )
            )(service.get_pet),
        ),
    ),
    _fault(
        "get.malformed.redirected",
        _MALFORMED,
        "A petId that is no int64 is redirected to the list.",
        get_pet=_malformed(lambda _: with_headers(Reply(302, None), Location="/v1/pets")),
    ),
    _fault(
        "get.malformed.204",
        _MALFORMED,
        "A petId beyond int64 is answered with 204.",
        depth=2,
        get_pet=_malformed(
            lambda text: as_text(Reply(204), "", "") if re.fullmatch("-?[0-9]{19,}", text) else None
        ),
    ),
    _fault(
        "get.not-deprecated",
        _DEPRECATION,
        "getPet has no Deprecation header.",
        get_pet=succeeded(lambda reply: without_headers(reply, "Deprecation")),
    ),
    _fault(
        "get.no-sunset",
        _SUNSET,
        "getPet has no Sunset header.",
        get_pet=succeeded(lambda reply: without_headers(reply, "Sunset")),
    ),
    _fault(
        "get.other-sunset",
        _SUNSET,
        "getPet's Sunset header names the fifth month instead of the fifth day: 12 May 2030.",
        get_pet=succeeded(lambda reply: with_headers(reply, Sunset="Sun, 12 May 2030 00:00:00 GMT")),
    ),
]
