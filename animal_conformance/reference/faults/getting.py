"""Faults of getPet, and of ids ('Get an animal'; 'Animal (stored and returned)', row id)."""

from __future__ import annotations

import re
import zlib

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import identifiers as ids
from animal_conformance.reference.mechanisms.answers import answers, with_headers, without_header
from animal_conformance.reference.mechanisms.common import (
    always,
    refuse,
    refusing,
    retried,
    signed,
    sometimes,
)
from animal_conformance.reference.mechanisms.connections import mixed_up
from animal_conformance.reference.mechanisms.creations import adopting, merging, overwriting
from animal_conformance.reference.mechanisms.crowds import raced
from animal_conformance.reference.mechanisms.refused import beyond_latest, gone
from animal_conformance.reference.model import INT64_MAX, Animal

_FOUND, _REQUESTED, _UNKNOWN, _MALFORMED = "get.found", "get.requested", "get.unknown", "get.malformed"

_UNIQUE, _STABLE = "animal.id.unique", "animal.id.stable"

FAULTS = [
    *breaks(_FOUND, 1,
        ("get.lost.created", "Animals created since the start are not found.",
         Steps(find=lambda find, number: (
             find(number) if number <= find.service.settings.catalogue else None)))),
    *breaks(_FOUND, 2,
        ("get.lost.sold", "Sold animals are not found.",
         gone(lambda _, animal, __: animal.status == "sold"))),
    *breaks(_FOUND, 3,
        ("get.lost.fiftieth", "Of the animals created by clients, only the latest fifty are found.",
         gone(beyond_latest(50)))),
    *breaks(_FOUND, 4,
        ("get.lost.sometimes", "Every sixth requested animal is not found.",
         sometimes(6, Steps(find=lambda *_: None), always))),
    *breaks(_REQUESTED, 1,
        ("get.newest", "getPet returns the newest animal for every known id.",
         Steps(find=lambda find, number: find(number) and ids.newest(find.service)))),
    *breaks(_REQUESTED, 2,
        ("get.absolute", "The sign of a negative id is ignored.",
         Steps(find=lambda find, number: find(min(abs(number), INT64_MAX))))),
    *breaks(_REQUESTED, 3,
        ("get.collision", "A cache confuses ids with the same remainder.", ids.colliding)),
    *breaks(_REQUESTED, 4,
        ("get.mixed-up", "Concurrent requests that close their connection all get the animal requested last.",
         mixed_up(rb"/pets/", "raw_path"))),
    *breaks(_UNKNOWN, 1,
        ("get.unknown.invented", "An id that identifies no animal returns an invented animal.",
         Steps(find=lambda find, number: find(number) or Animal(number, "unnamed", 1, "available"))),
        ("get.unknown.400", "An id that identifies no animal returns 400.",
         Steps(find=lambda find, number: find(number) or refuse(400)))),
    *breaks(_UNKNOWN, 3,
        ("get.unknown.truncated",
         "Ids are truncated to 32 bits: an animal is found, with the id of the request.",
         Steps(find=lambda find, number: (
             (animal := find(signed(number, 32))) and animal._replace(id=number))))),
    *breaks(_UNKNOWN, 2,
        ("get.unknown.negative-400", "A negative id returns 400.",
         refusing("find", 400, lambda number: number < 0))),
    *breaks(_UNKNOWN, 4,
        ("get.unknown.maximum-400", "The largest int64 as id returns 400.",
         refusing("find", 400, lambda number: number == INT64_MAX))),
    *breaks(_MALFORMED, 2,
        ("get.malformed.digits",
         "Only the leading digits of a petId such as 1.5 or 12abc are used, as by JavaScript's parseInt.",
         Steps(read_pet_id=retried(lambda text: re.sub(r"(?s)^(-?[0-9]+)?.*", r"\1", text))))),
    *breaks("get.deprecation-header", 1,
        ("get.not-deprecated", "getPet has no Deprecation header.",
         answers("getPet", lambda reply: without_header(reply, "Deprecation")))),
    *breaks("get.sunset-header", 1,
        ("get.no-sunset", "getPet has no Sunset header.",
         answers("getPet", lambda reply: without_header(reply, "Sunset"))),
        ("get.other-sunset", "The Sunset header of getPet swaps day and month: 12 May 2030.",
         answers("getPet", lambda reply: with_headers(reply, Sunset="Sun, 12 May 2030 00:00:00 GMT")))),
    # Ids
    *breaks(_UNIQUE, 3,
        ("id.reused", "Every fifth create request reuses the id of the one before, and replaces that animal.",
         ids.reused),
        ("id.constant", "Every create request returns the same id, as from a counter that is not stored.",
         ids.numbered(lambda service, _: service.settings.catalogue + 1)),
        ("id.name-hash", "An id is a checksum of the name: animals with the same name share it.",
         ids.numbered(lambda _, payload: 2**31 + zlib.crc32(payload.name.encode()))),
        ("id.merged", "A create request identical to an earlier one returns the earlier animal.", merging),
        ("id.upserted", "A create request overwrites the animal of the same name in another category.",
         overwriting(lambda animal, payload: (
             animal.name == payload.name and animal.category_id != payload.category_id))),
        ("id.overwritten", "A create request with the id of another animal overwrites that animal.",
         adopting(taken=True)),
        ("id.collated.case", "A create request overwrites the animal whose name differs only in case.",
         overwriting(lambda animal, payload: (
             animal.name != payload.name and animal.name.casefold() == payload.name.casefold())))),
    *breaks(_UNIQUE, 4,
        ("id.race", "Concurrent create requests get the same id.", raced(0, 0.005))),
    *breaks(_STABLE, 2,
        ("id.neighbour", "getPet returns older animals with the name and category of the preceding animal.",
         Steps(find=ids.neighbours))),
]  # fmt: skip
