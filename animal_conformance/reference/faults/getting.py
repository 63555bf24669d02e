"""Faults of getPet, and of ids ('Get an animal'; 'Animal (stored and returned)', row id)."""

from __future__ import annotations

import re
import time
import zlib

from animal_conformance.reference.changes import Steps, breaks, made
from animal_conformance.reference.mechanisms import identifiers as ids
from animal_conformance.reference.mechanisms.answers import as_text, succeeded, with_headers, without_header
from animal_conformance.reference.mechanisms.common import refuse, signed, sometimes
from animal_conformance.reference.mechanisms.connections import mixed_up, racing
from animal_conformance.reference.mechanisms.creations import overwriting
from animal_conformance.reference.mechanisms.identifiers import found, ids_refused, numbered
from animal_conformance.reference.model import INT64_MAX, Animal, Reply

_FOUND, _REQUESTED, _UNKNOWN, _MALFORMED = "get.found", "get.requested", "get.unknown", "get.malformed"
_UNIQUE, _STABLE = "animal.id.unique", "animal.id.stable"

FAULTS = [
    *breaks(_FOUND, 1, found).rows(
        ("get.lost.created", "Animals created since the start are not found.",
         lambda find, number: find(number) if number <= find.service.settings.catalogue else None)),
    *breaks(_FOUND, 2, ids.unfound).rows(
        ("get.lost.sold", "Sold animals are not found.", lambda animal: animal.status == "sold"),
        ("get.lost.seventh", "Animals whose id is a multiple of 7 are not found.",
         lambda animal: animal.id % 7 == 0),
        ("get.lost.large-category", "Animals whose categoryId is outside the 32-bit range are not found.",
         lambda animal: signed(animal.category_id, 32) != animal.category_id)),
    *breaks(_FOUND, 3, ids.latest_found).rows(
        ("get.lost.fiftieth", "Of the animals created by clients, only the latest fifty are found.", 50)),
    *breaks(_FOUND, 4, sometimes).rows(
        ("get.lost.sometimes", "Every sixth requested animal is not found.",
         6, Steps(find=lambda *_: None), lambda _: True)),
    *breaks(_REQUESTED, 1, found).rows(
        ("get.newest", "getPet returns the newest animal for every known id.",
         lambda find, animal_id: find(animal_id) and ids.newest(find.service))),
    *breaks(_REQUESTED, 2, found).rows(
        ("get.one-before", "For even ids, the animal with the preceding id is returned.",
         lambda find, number: (find(number) and find(number - 1 + number % 2)) or find(number)),
        ("get.absolute", "The sign of a negative id is ignored.",
         lambda find, animal_id: find(min(abs(animal_id), INT64_MAX)))),
    *breaks(_REQUESTED, 3, made).rows(
        ("get.previous", "Every third getPet returns the same animal as the one before.", ids.previous),
        ("get.collision", "A cache confuses ids with the same remainder.", ids.colliding)),
    *breaks(_REQUESTED, 4, found).rows(
        ("get.zero-newest", "The id 0 returns the newest animal, as the position before the first.",
         lambda find, animal_id: find(animal_id) if animal_id else ids.newest(find.service))),
    *breaks(_REQUESTED, 4, mixed_up).rows(
        ("get.mixed-up", "Concurrent requests all get the animal requested last.", rb"/pets/", "raw_path")),
    *breaks(_UNKNOWN, 1, ids.unknown).rows(
        ("get.unknown.invented", "An id that identifies no animal returns an invented animal.",
         lambda animal_id: Animal(animal_id, "unnamed", 1, "available")),
        ("get.unknown.400", "An id that identifies no animal returns 400.",
         lambda _: refuse(400, "No animal has this identifier."))),
    *breaks(_UNKNOWN, 2, ids_refused).rows(
        ("get.unknown.negative-400", "A negative id returns 400.", lambda animal_id: animal_id < 0),
        ("get.unknown.zero-400", "The id 0 returns 400.", lambda animal_id: animal_id == 0),
        ("get.unknown.32-bit-400", "An id outside the 32-bit range returns 400.",
         lambda animal_id: signed(animal_id, 32) != animal_id)),
    *breaks(_UNKNOWN, 4, ids_refused).rows(
        ("get.unknown.maximum-400", "The largest int64 as id returns 400.",
         lambda animal_id: animal_id == INT64_MAX)),
    *breaks(_MALFORMED, 2, ids.ids_repaired).rows(
        ("get.malformed.digits",
         "Only the leading digits of a petId such as 1.5 or 12abc are used, as by JavaScript's parseInt.",
         lambda text: re.sub("^(-?[0-9]+)?.*", r"\1", text, flags=re.DOTALL)),
        ("get.malformed.letters", "Words after a petId are ignored.",
         lambda text: re.sub("(?<=[0-9])[a-z]{2,}$", "", text))),
    *breaks(_MALFORMED, 1, ids.malformed_answered).rows(
        ("get.malformed.newest", "A petId that is a word returns the newest animal.",
         lambda service, text: Reply(200, service.represent(ids.newest(service), "getPet"))
         if text.isalpha() else None),
        ("get.malformed.redirected", "A petId that is not an int64 is redirected to the list.",
         lambda *_: with_headers(Reply(302), Location="/v1/pets"))),
    *breaks(_MALFORMED, 2, ids.malformed_answered).rows(
        ("get.malformed.204", "A petId outside the int64 range returns 204.",
         lambda _, text: as_text(Reply(204), "", "") if re.fullmatch("-?[0-9]{19,}", text) else None)),
    *breaks("get.deprecation-header", 1, succeeded).rows(
        ("get.not-deprecated", "getPet has no Deprecation header.",
         "getPet", lambda reply: without_header(reply, "Deprecation"))),
    *breaks("get.sunset-header", 1, succeeded).rows(
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
        ("id.byte", "Ids are counted in a signed byte: after 127 they restart at 1.", ids.in_a_byte),
        ("id.clock",
         "An id is the time of the create request in seconds.", lambda _: lambda _: int(time.time())),
        ("id.name-hash", "An id is a checksum of the name: animals with the same name share it.",
         lambda _: lambda payload: 2**31 + zlib.crc32(payload.name.encode())),
        ("id.by-status", "Each status has its own id counter.", ids.by_status)),
    *breaks(_UNIQUE, 3, made).rows(
        ("id.merged", "A create request identical to an earlier one returns the earlier animal.",
         ids.merging)),
    *breaks(_UNIQUE, 3, ids.inserted).rows(
        ("id.overwritten",
         "A create request with the id of another animal overwrites that animal.", overwriting)),
    *breaks(_UNIQUE, 3, ids.collated).rows(
        ("id.collated.case", "A create request overwrites the animal whose name differs only in case.",
         str.casefold),
        ("id.collated.accents", "A create request overwrites the animal whose name differs only in accents.",
         ids.without_marks)),
    *breaks(_UNIQUE, 4, made).rows(("id.race", "Concurrent create requests get the same id.", racing)),
    *breaks(_STABLE, 3, made).rows(
        ("id.renumbered",
         "Ids are positions: after every tenth create request, older animals have different ids.",
         ids.positional)),
    *breaks(_STABLE, 2, found).rows(
        ("id.neighbour", "getPet returns older animals with the name and category of the preceding animal.",
         ids.neighbours)),
]  # fmt: skip
