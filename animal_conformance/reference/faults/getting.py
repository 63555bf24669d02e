"""Faults of getPet, and of ids ('Get an animal'; 'Animal (stored and returned)', row id)."""

from __future__ import annotations

import re
import time
import zlib

from animal_conformance.reference.changes import Steps, breaks, own
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
from animal_conformance.reference.mechanisms.connections import mixed_up, racing
from animal_conformance.reference.mechanisms.creations import adopting
from animal_conformance.reference.mechanisms.identifiers import numbered
from animal_conformance.reference.model import INT64_MAX, Animal, Reply

_FOUND, _REQUESTED, _UNKNOWN, _MALFORMED = "get.found", "get.requested", "get.unknown", "get.malformed"
_UNIQUE, _STABLE = "animal.id.unique", "animal.id.stable"

FAULTS = [
    *breaks(_FOUND, 1, own).rows(
        ("get.lost.created", "Animals created since the start are not found.",
         Steps(find=lambda find, number: (
             find(number) if number <= find.service.settings.catalogue else None)))),
    *breaks(_FOUND, 2, ids.unfound).rows(
        ("get.lost.sold", "Sold animals are not found.", lambda animal: animal.status == "sold"),
        ("get.lost.large-category", "Animals whose categoryId is outside the 32-bit range are not found.",
         lambda animal: signed(animal.category_id, 32) != animal.category_id)),
    *breaks(_FOUND, 3, ids.latest_found).rows(
        ("get.lost.fiftieth", "Of the animals created by clients, only the latest fifty are found.", 50)),
    *breaks(_FOUND, 3, own).rows(
        ("get.lost.late", "Only ids up to 127 are found, as where Java compares Long objects by ==.",
         Steps(find=lambda find, number: find(number) if number <= 127 else None)),
        ("get.lost.unlisted",
         "A created animal is found once a list has shown it, as where lists fill the cache of getPet.",
         ids.listed_found)),
    *breaks(_FOUND, 4, sometimes).rows(
        ("get.lost.sometimes", "Every sixth requested animal is not found.",
         6, Steps(find=lambda *_: None), always)),
    *breaks(_REQUESTED, 1, own).rows(
        ("get.newest", "getPet returns the newest animal for every known id.",
         Steps(find=lambda find, number: find(number) and ids.newest(find.service)))),
    *breaks(_REQUESTED, 2, own).rows(
        ("get.one-before", "For even ids, the animal with the preceding id is returned.",
         Steps(find=lambda find, number: (
             (find(number) and find(number - 1 + number % 2)) or find(number)))),
        ("get.absolute", "The sign of a negative id is ignored.",
         Steps(find=lambda find, number: find(min(abs(number), INT64_MAX))))),
    *breaks(_REQUESTED, 3, own).rows(
        ("get.collision", "A cache confuses ids with the same remainder.", ids.colliding)),
    *breaks(_REQUESTED, 4, own).rows(
        ("get.zero-newest", "The id 0 returns the newest animal, as the position before the first.",
         Steps(find=lambda find, number: find(number) if number else ids.newest(find.service))),
        ("get.mixed-up", "Concurrent requests that close their connection all get the animal requested last.",
         lambda: mixed_up(rb"/pets/", "raw_path"))),
    *breaks(_UNKNOWN, 1, own).rows(
        ("get.unknown.invented", "An id that identifies no animal returns an invented animal.",
         Steps(find=lambda find, number: find(number) or Animal(number, "unnamed", 1, "available"))),
        ("get.unknown.400", "An id that identifies no animal returns 400.",
         Steps(find=lambda find, number: find(number) or refuse(400)))),
    *breaks(_UNKNOWN, 3, own).rows(
        ("get.unknown.truncated", "Ids are truncated to 32 bits: an animal is found, with the id of the request.",
         Steps(find=lambda find, number: (
             (animal := find(signed(number, 32))) and animal._replace(id=number)))),
        ("get.unknown.unsigned", "Ids lose their sign: an animal is found, with the id of the request.",
         Steps(find=lambda find, number: (
             (animal := find(abs(max(number, 1 - 2**63)))) and animal._replace(id=number))))),
    *breaks(_UNKNOWN, 2, refusing).rows(
        ("get.unknown.negative-400", "A negative id returns 400.", "find", 400, lambda number: number < 0),
        ("get.unknown.zero-400", "The id 0 returns 400.", "find", 400, lambda number: number == 0),
        ("get.unknown.32-bit-400", "An id outside the 32-bit range returns 400.",
         "find", 400, lambda number: signed(number, 32) != number)),
    *breaks(_UNKNOWN, 4, refusing).rows(
        ("get.unknown.maximum-400", "The largest int64 as id returns 400.",
         "find", 400, lambda number: number == INT64_MAX)),
    *breaks(_MALFORMED, 2, own).rows(
        ("get.malformed.digits",
         "Only the leading digits of a petId such as 1.5 or 12abc are used, as by JavaScript's parseInt.",
         Steps(read_pet_id=retried(lambda text: re.sub(r"(?s)^(-?[0-9]+)?.*", r"\1", text))))),
    *breaks(_MALFORMED, 1, ids.malformed_answered).rows(
        ("get.malformed.newest", "A petId that is a word returns the newest animal.",
         lambda service, text: Reply(200, service.represent(ids.newest(service), "getPet"))
         if text.isalpha() else None),
        ("get.malformed.redirected", "A petId that is not an int64 is redirected to the list.",
         lambda *_: with_headers(Reply(302), Location="/v1/pets"))),
    *breaks("get.deprecation-header", 1, answers).rows(
        ("get.not-deprecated", "getPet has no Deprecation header.",
         "getPet", lambda reply: without_header(reply, "Deprecation"))),
    *breaks("get.sunset-header", 1, answers).rows(
        ("get.no-sunset", "getPet has no Sunset header.",
         "getPet", lambda reply: without_header(reply, "Sunset")),
        ("get.other-sunset",
         "The Sunset header of getPet swaps day and month: 12 May 2030.",
         "getPet", lambda reply: with_headers(reply, Sunset="Sun, 12 May 2030 00:00:00 GMT"))),
    # Ids
    *breaks(_UNIQUE, 3, numbered).rows(
        ("id.reused",
         "Every fifth create request reuses the id of the one before, and replaces that animal.", ids.reused),
        ("id.constant", "Every create request returns the same id, as from a counter that is not stored.",
         lambda service: lambda _: service.settings.catalogue + 1),
        ("id.clock",
         "An id is the time of the create request in seconds.", lambda _: lambda _: int(time.time())),
        ("id.name-hash", "An id is a checksum of the name: animals with the same name share it.",
         lambda _: lambda payload: 2**31 + zlib.crc32(payload.name.encode()))),
    *breaks(_UNIQUE, 3, own).rows(
        ("id.merged", "A create request identical to an earlier one returns the earlier animal.",
         ids.merging),
        ("id.upserted", "A create request overwrites the animal of the same name in another category.", ids.upserting),
        ("id.overwritten", "A create request with the id of another animal overwrites that animal.",
         adopting(always, taken=True))),
    *breaks(_UNIQUE, 3, ids.collated).rows(
        ("id.collated.case", "A create request overwrites the animal whose name differs only in case.",
         str.casefold),
        ("id.collated.accents", "A create request overwrites the animal whose name differs only in accents.",
         ids.without_marks)),
    *breaks(_UNIQUE, 4, own).rows(("id.race", "Concurrent create requests get the same id.", racing)),
    *breaks(_STABLE, 3, own).rows(
        ("id.renumbered",
         "Ids are positions: after every tenth create request, older animals have different ids.",
         ids.positional)),
    *breaks(_STABLE, 2, own).rows(
        ("id.neighbour", "getPet returns older animals with the name and category of the preceding animal.",
         Steps(find=ids.neighbours))),
]  # fmt: skip
