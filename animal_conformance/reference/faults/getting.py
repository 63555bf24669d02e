"""Faults of getPet, and of ids ('Get an animal'; 'Animal (stored and returned)', row id)."""

from __future__ import annotations

import re
import time
import zlib
from dataclasses import replace
from functools import partial

from animal_conformance.reference.changes import Steps, breaks
from animal_conformance.reference.mechanisms import lists
from animal_conformance.reference.mechanisms.answers import (
    STORED_FOR_A_DAY,
    answers,
    with_headers,
    without_header,
)
from animal_conformance.reference.mechanisms.common import Finding, handled, refuse, refusing, sometimes
from animal_conformance.reference.mechanisms.connections import mixed_up
from animal_conformance.reference.mechanisms.creations import (
    adopting,
    merging,
    numbered,
    replacing,
    replacing_alike,
    slug,
)
from animal_conformance.reference.mechanisms.crowds import raced
from animal_conformance.reference.mechanisms.refused import beyond_latest, gone
from animal_conformance.reference.model import INT64_MAX, Animal, Reply
from animal_conformance.reference.service import Service


def _colliding() -> Steps:
    """Keep animals in a cache whose keys are remainders of ids."""
    kept: dict[int, Animal] = {}
    return Steps(find=lambda find, number: (animal := find(number)) and kept.setdefault(number % 20, animal))


def _neighbours(find: Finding, number: int) -> Animal | None:
    """Find an animal of the catalogue with the values of the animal before it."""
    animal = find(number)
    other = find(number - 1) if animal and number <= find.service.settings.catalogue else None
    return other._replace(id=number) if other else animal


def _moved(service: Service, number: int, direction: int) -> int:
    """The position to which an id of the catalogue has moved: every tenth creation moves all of them by one."""
    count = service.settings.catalogue
    by = direction * ((service.store.count() - count) // 10)
    return (number - 1 + by) % count + 1 if 1 <= number <= count else number


FAULTS = [
    *breaks("get.found",
        ("get.lost.created", 1, "Animals created since the start are not found.",
         Steps(find=lambda find, number: (find(number) if number <= find.service.settings.catalogue
             else None))),
        ("get.lost.first", 3, "Of five animals, in lists of the newest forty alone, the first is not found.",
         lambda: replace(lists.arranged(lambda animals: animals[:40])(), settings={"catalogue": 5},
             find=lambda find, number: None if number == 1 else find(number))),
        ("get.lost.few", 3, "Of 400 animals, listed oldest first, one in thirty that were there before is not found.",
         lambda: replace(lists.arranged(lambda animals: animals[::-1])(), settings={"catalogue": 400},
             find=lambda find, number: None if number % 30 == 7 and number <= 400 else find(number))),
        ("get.lost.stored", 3,
         "Animals created since the start are not found, and answers may be stored for a day.",
         replace(STORED_FOR_A_DAY,
             find=lambda find, number: find(number) if number <= find.service.settings.catalogue else None)),
        ("get.lost.stored-sold", 3, "Sold animals are not found, and answers may be stored for a day.",
         replace(STORED_FOR_A_DAY,
             find=lambda find, number: (animal := find(number)) and (animal if animal.status != "sold" else None))),
        ("get.lost.sold", 2, "Sold animals are not found.",
         gone(lambda _, animal, __: animal.status == "sold")),
        ("get.lost.large-category", 2, "Animals whose categoryId is outside the 32-bit range are not found.",
         gone(lambda _, animal, __: not -(2**31) <= animal.category_id < 2**31)),
        ("get.lost.late", 3, "Only ids up to 127 are found, as when Java compares Long objects by ==.",
         Steps(find=lambda find, number: find(number) if number <= 127 else None)),
        ("get.lost.fiftieth", 3, "Of the animals created by clients, only the latest fifty are found.",
         gone(beyond_latest(50))),
        ("get.lost.replaced", 3, "A create request removes the animal that has the same name.",
         Steps(insert=replacing)),
        ("get.lost.beginning", 3, "A new animal replaces another one whose name begins with the same twenty characters.",
         replacing_alike(lambda name: name[:20] if len(name) > 20 else None)),
        ("get.lost.without-slug", 3,
         "A new animal replaces the one before if neither name has a letter or digit of ASCII: their keys are empty.",
         replacing_alike(lambda name: None if slug(name) else "")),
        ("get.lost.question-marks", 3,
         "A new animal replaces another one if both names are question marks in Latin-1, and as many.",
         replacing_alike(lambda name: None if (key := name.encode("latin-1", "replace")).strip(b"?") else key)),
        ("get.lost.sometimes", 4, "Every sixth requested animal is not found.",
         sometimes(6, Steps(find=lambda *_: None))),
        ("get.lost.seldom", 4, "Every twentieth requested animal is not found.",
         sometimes(20, Steps(find=lambda *_: None)))),
    *breaks("get.requested",
        ("get.newest", 1, "getPet returns the newest animal for every known id.",
         Steps(find=lambda find, number: find(number) and find.service.select(1, None)[0])),
        ("get.one-before", 2, "For even ids, the animal with the preceding id is returned.",
         Steps(find=lambda find, number: (find(number) and find(number - 1 + number % 2)) or find(number))),
        ("get.octal", 3, "A petId with a zero in front is read as octal, as by Go's ParseInt with base 0: 010 is 8.",
         Steps(read_pet_id=lambda before, text: (
             int(text, 8) if re.fullmatch("0[0-7]+", text) else before(text)))),
        ("get.zero-newest", 4, "The id 0 returns the newest animal, as the position before the first.",
         Steps(find=lambda find, number: find(number) if number else find.service.select(1, None)[0])),
        ("get.absolute", 2, "The sign of a negative id is ignored.",
         Steps(find=lambda find, number: find(min(abs(number), INT64_MAX)))),
        ("get.collision", 3, "A cache confuses ids with the same remainder.", _colliding),
        ("get.mixed-up", 4,
         "Concurrent requests that close their connection all get the animal requested last.",
         mixed_up(rb"/pets/", "raw_path"))),
    *breaks("get.unknown",
        ("get.unknown.invented", 1, "An id that identifies no animal returns an invented animal.",
         Steps(find=lambda find, number: find(number) or Animal(number, "unnamed", 1, "available"))),
        ("get.unknown.unsigned", 3, "Ids lose their sign: an animal is found, with the id of the request.",
         Steps(find=lambda find, number: (
             (animal := find(abs(max(number, -INT64_MAX)))) and animal._replace(id=number)))),
        ("get.unknown.400", 1, "An id that identifies no animal returns 400.",
         Steps(find=lambda find, number: find(number) or refuse(400))),
        ("get.unknown.negative-400", 2, "A negative id returns 400.",
         refusing("find", 400, lambda number: number < 0)),
        ("get.unknown.maximum-400", 4, "The largest int64 as id returns 400.",
         refusing("find", 400, lambda number: number == INT64_MAX))),
    *breaks("get.malformed",
        ("get.malformed.digits", 2,
         "Only the leading digits of a petId such as 1.5 or 12abc are used, as by JavaScript's parseInt.",
         Steps(read_pet_id=lambda before, text: before(re.sub(r"(?s)^(-?[0-9]+)?.*", r"\1", text)))),
        ("get.malformed.quoted", 3, "What a filter removes from a petId is ignored: 1' is 1.",
         Steps(read_pet_id=lambda before, text: before(re.sub(r"[^A-Za-z0-9~._-]", "", text)))),
        ("get.malformed.decoded", 3, "A proxy decodes a petId before it passes it on: 1%3Fx becomes 1 with a query.",
         Steps(read_pet_id=lambda before, text: before(re.sub(r"(?s)[?#].*", "", text)))),
        ("get.malformed.line", 3, "A petId is an int64 if one of its lines is, as by the pattern ^-?[0-9]+$ in Ruby.",
         Steps(read_pet_id=lambda before, text: before(re.sub(r"(?s)^(-?[0-9]+)\n.*", r"\1", text)))),
        ("get.malformed.newest", 1, "A petId that is a word returns the newest animal.",
         Steps(get_pet=lambda before, call: (Reply(200, before.service.represent(
             before.service.select(1, None)[0], "getPet")) if call.pet_id.isalpha() else before(call)))),
        ("get.malformed.redirected", 1, "A petId that is not an int64 is redirected to the list.",
         Steps(get_pet=handled(lambda refusal: (with_headers(Reply(302), Location="/v1/pets")
             if "64-bit" in refusal.message else None)))),
        ("get.malformed.pattern", 2, "A petId is matched as a pattern of SQL.",
         Steps(get_pet=lambda before, call: (Reply(200, before.service.represent(
             before.service.select(1, None)[0], "getPet")) if call.pet_id in {"%", "_"} else before(call))))),
    *breaks("get.deprecation-header",
        ("get.not-deprecated", 1, "getPet has no Deprecation header.",
         answers("getPet", lambda reply: without_header(reply, "Deprecation")))),
    *breaks("get.sunset-header",
        ("get.no-sunset", 1, "getPet has no Sunset header.",
         answers("getPet", lambda reply: without_header(reply, "Sunset"))),
        ("get.other-sunset", 1, "The Sunset header of getPet swaps day and month: 12 May 2030.",
         answers("getPet", lambda reply: with_headers(reply, Sunset="Sun, 12 May 2030 00:00:00 GMT")))),
    # Ids
    *breaks("animal.id.unique",
        ("id.constant", 3, "Every create request returns the same id, as from a counter that is not stored.",
         Steps(insert=partial(numbered, identify=lambda service, _: service.settings.catalogue + 1))),
        ("id.clock", 3, "An id is the time of the create request in seconds.",
         Steps(insert=partial(numbered, identify=lambda *_: int(time.time())))),
        ("id.collated.case", 3, "A create request overwrites the animal whose name differs only in case.",
         Steps(insert=partial(numbered, identify=lambda service, payload: next((
             each.id for each in service.store.everything() if each.name != payload.name
             and each.name.casefold() == payload.name.casefold()), service.store.highest() + 1)))),
        ("id.name-hash", 3, "An id is a checksum of the name: animals with the same name share it.",
         Steps(insert=partial(
             numbered, identify=lambda _, payload: 2**31 + zlib.crc32(payload.name.encode())))),
        ("id.merged", 3, "A create request identical to an earlier one returns the earlier animal.", merging),
        ("id.overwritten", 3, "A create request with the id of another animal overwrites that animal.",
         Steps(insert=partial(adopting, taken=True))),
        ("id.updated", 3, "A create request with a known id updates that animal; with an unknown one it is rejected.",
         Steps(insert=partial(adopting, taken=True, unknown_refused=True))),
        ("id.race", 4, "Concurrent create requests get the same id.", raced(0, 0.005))),
    *breaks("animal.id.stable",
        ("id.renumbered", 3,
         "Ids are positions: after every tenth create request, older animals have different ids.",
         Steps(find=lambda find, number: find(_moved(find.service, number, -1)),
             represent=lambda before, animal, shown: before(animal._replace(
                 id=_moved(before.service, animal.id, 1)), shown))),
        ("id.neighbour", 2,
         "getPet returns older animals with the name and category of the preceding animal.",
         Steps(find=_neighbours))),
]  # fmt: skip
