"""Faults that look lawful until an experiment: animals that are lost, invented ids, requests refused for what they are."""

from __future__ import annotations

from animal_conformance.reference.changes import breaks, own
from animal_conformance.reference.mechanisms import creations, refused
from animal_conformance.reference.mechanisms.common import always, every
from animal_conformance.reference.model import Call

_EVEN = range(2, 85, 2)
_THIRD = {str(each) for each in range(3, 85, 3)}
_FOUND, _UNKNOWN = "get.found", "get.unknown"


def _limit(call: Call, limit: str) -> bool:
    return call.operation == "listPets" and call.parameters("limit") == [limit] and len(call.query) == 1


FAULTS = [
    *breaks(_FOUND, 3, refused.unfound).rows(
        ("gone.one-replica",
         "A second after its creation, one of two replicas of getPet loses a sold animal for good.",
         lambda _, animal, age_s: animal.status == "sold" and age_s > 1.0, lambda: every(2)),
        ("gone.listed", "Half of the catalogue is listed, and half a second after the start not found.",
         lambda _, animal, age_s: animal.id in _EVEN and age_s > 0.5, lambda: always)),
    *breaks(_UNKNOWN, 2, refused.unlisted).rows(
        ("unlisted.large", "An id of more than 32 bits that identifies no animal returns an invented one.",
         lambda animal_id: animal_id > 2**32),
        ("unlisted.below-zero", "A negative id returns an invented animal.",
         lambda animal_id: -(2**63) < animal_id < -1_000_000)),
    *breaks(_UNKNOWN, 3, own).rows(
        ("unlisted.next", "The id that the next animal gets is found before it is given.",
         refused.found_before_it_is_given)),
    *breaks("http.server-error", 2, refused.turned_away).rows(
        ("away.502-limit", "A proxy returns 502 for limit=50.", 502, lambda call: _limit(call, "50"))),
    *breaks("http.server-error", 3, refused.crashing).rows(
        ("away.502-crash", "A list with limit=0 ends the worker: it and what follows it return 502.", 502, 4,
         lambda call: _limit(call, "0"))),
    *breaks("http.server-error", 2, refused.told_to_wait).rows(
        ("away.503-limit", "A list with limit=0 returns 503 with Retry-After, whenever it is sent.",
         lambda call: _limit(call, "0"), lambda: always)),
    *breaks("http.server-error", 4, refused.now_and_then).rows(
        ("away.504-sometimes", "Every ninetieth request returns 504.", 90, 504)),
    *breaks("list.limit.accepted", 2, refused.turned_away).rows(
        ("away.408-limit", "A list with limit=5 returns 408.", 408, lambda call: _limit(call, "5")),
        ("away.403-limit", "A list with limit=19 returns 403.", 403, lambda call: _limit(call, "19"))),
    *breaks("create.answer", 2, refused.turned_away, besides=("create.refusal.status",)).rows(
        ("away.403-markup", "A firewall returns 403 to a creation with a tag in its body.", 403,
         lambda call: call.operation == "createPet" and b"<" in call.body and b"name" in call.body)),
    *breaks("create.refusal.status", 2, refused.turned_away).rows(
        ("away.403-array", "A firewall returns 403 to a creation whose body is an array.", 403,
         lambda call: call.operation == "createPet" and call.body.startswith(b"["))),
    *breaks(_FOUND, 2, refused.turned_away).rows(
        ("away.403-third", "getPet returns 403 for ids of the catalogue that are multiples of three.", 403,
         lambda call: call.operation == "getPet" and call.pet_id in _THIRD)),
    *breaks("create.status.accepted", 2, refused.quotas).rows(
        ("quota.sold-none", "No animal with the status sold is accepted, as though its name were taken.",
         {"sold": 0}, "This name is taken.")),
    *breaks("create.once", 1, own).rows(
        ("create.twice", "Each create request adds two animals, and returns the first.",
         lambda: creations.added_again(always))),
    *breaks("create.once", 3, own).rows(
        ("create.twice.sometimes", "Every fifth create request is carried out twice.",
         lambda: creations.added_again(every(5)))),
    *breaks("create.status.accepted", 3, refused.refused_in_turns).rows(
        ("create.one-of-three", "One of three nodes, which are asked in turns, rejects every creation.", 3)),
    *breaks("create.status.accepted", 3, own).rows(
        ("create.once-more", "After an invalid creation, the next one is rejected, whatever it is.",
         refused.refused_once_more)),
]  # fmt: skip
