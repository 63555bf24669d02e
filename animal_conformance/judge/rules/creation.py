"""Add an animal: what is accepted, what is returned, and what must be rejected."""

from __future__ import annotations

from itertools import islice
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.plain import others_of
from animal_conformance.judge.rules.case import (
    EVIDENCE,
    Case,
    Finding,
    Opinion,
    Rule,
    as_json,
    shorten,
)
from animal_conformance.record.exchange import Exchange

# Some words may be blocked, and some names too similar to others: this many are not rejected by chance.
REFUSED_NAMES = 3
# 'Other size limits: not shown', and 413 is HTTP's status code for them: a larger body may be too large.
LARGE_TO_SOME_BYTES = 1024


def _is_creation(case: Case) -> bool:
    return case.operation is Operation.CREATE and case.answered and case.with_key


def answer(case: Case) -> Opinion:
    """create.answer: a valid create request returns 201, or is rejected with 400."""
    if not _is_creation(case) or not case.reading.valid:
        return None
    if case.status == 201:
        return EVIDENCE
    too_large = case.status == 413 and len(case.exchange.request.body or b"") > LARGE_TO_SOME_BYTES
    if case.status == 400 or too_large:
        return None
    return Finding(
        "A valid create request returns a status code that createPet does not list.",
        "201, or 400 with an Error",
        case.describe(),
    )


def _valid_payload(case: Case) -> dict[str, Any] | None:
    """The payload of a create request that is valid by the table, was authorised and answered."""
    return case.reading.payload if _is_creation(case) and case.reading.valid else None


def _accepted_like_others(case: Case, payload: dict[str, Any], what: str) -> Opinion:
    """A payload with a plain name and a category accepted before, so that it differs only in its status."""
    if case.status == 201:
        return EVIDENCE
    if case.status != 400:
        return None
    made = case.ledger.plainly_made
    category = payload["categoryId"]
    # If nothing is accepted any longer, the store may be full: its capacity is left open.
    full = made.last_sent_s[category] <= case.exchange.answered_s
    # If the same status is accepted at other times, it is not why this create request was rejected.
    alike = payload.get("status") in made.statuses
    if full or alike or not _is_one_of_many_refused(case, payload):
        return None
    return Finding(
        f"Create requests {what} are rejected under any name, although otherwise identical payloads are accepted.",
        "201",
        case.describe(),
        related=(made.first[category].exchange,),
    )


def _is_one_of_many_refused(case: Case, payload: dict[str, Any]) -> bool:
    """Whether plain, unused names were rejected in create requests otherwise identical to this one."""
    never_made = case.ledger.never_made
    names = case.ledger.refused_alike[others_of(payload)]
    if payload["name"] not in names or not never_made(payload["name"]):
        return False
    return len(tuple(islice(filter(never_made, names), REFUSED_NAMES))) == REFUSED_NAMES


def status_accepted(case: Case) -> Opinion:
    """create.status.accepted: each of the three statuses is accepted in a create request."""
    payload = _valid_payload(case)
    if payload is None or "status" not in payload:
        return None
    return _accepted_like_others(case, payload, f"with status {payload['status']}")


def status_optional(case: Case) -> Opinion:
    """create.status.optional: a create request without status is accepted."""
    payload = _valid_payload(case)
    if payload is None or "status" in payload:
        return None
    return _accepted_like_others(case, payload, "without status")


def id_assigned(case: Case) -> Opinion:
    """create.id.assigned: an id sent by the client is never used."""
    wanted = (case.reading.payload or {}).get("id")
    if not _is_creation(case) or case.reading.problems:
        return None
    if not case.contract.is_int64(wanted) or not case.ledger.is_far(int(wanted), but=int(wanted)):
        return None
    if case.status == 400:
        return EVIDENCE if case.ledger.creations else None
    if case.status != 201 or not isinstance(case.value, dict):
        return None
    if case.value.get("id") != wanted:
        return EVIDENCE
    return Finding(
        "The service uses an id sent by the client.",
        "an id assigned by the service, or 400",
        case.describe(),
    )


def _refused(problem: str) -> Rule:
    """A rule for create requests in which this one thing is invalid: they are rejected."""

    def rule(case: Case) -> Opinion:
        problems = case.reading.problems
        if not _is_creation(case) or problem not in problems or case.reading.open_points:
            return None
        if len(problems) > 1 and (case.status >= 400 or problem != min(problems)):
            return None  # why it was rejected is unknown; if it was accepted, that is one cause
        if case.status >= 400:
            # A service that accepts nothing rejects for some other reason.
            return EVIDENCE if case.ledger.creations else None
        return Finding(
            f"A create request is not rejected: {_in_words(case)}.", "400 with an Error", case.describe()
        )

    return rule


PROBLEMS = {
    "name.missing": "its name is missing",
    "name.type": "its name is not a string",
    "categoryId.missing": "its categoryId is missing",
    "categoryId.type": "its categoryId is not an integer",
    "categoryId.beyond": "its categoryId is outside the int64 range",
    "status.type": "its status is neither a string nor null",
    "status.null": "its status is null",
    "status.unknown": "its status is not one of the three values",
    "body.missing": "it has no body",
    "body.malformed": "its body is not valid JSON",
    "body.not-object": "its body is not an object",
}


def _in_words(case: Case) -> str:
    return ", ".join(PROBLEMS[each] for each in sorted(case.reading.problems))


def refusal_status(case: Case) -> Opinion:
    """create.refusal.status: a rejected create request returns 400."""
    if not _is_creation(case) or not case.reading.problems or case.reading.open_points:
        return None
    if case.status < 400:
        return None
    if case.status == 400:
        return EVIDENCE
    return Finding(
        f"A create request is rejected with {case.status}: {_in_words(case)}.",
        "400 with an Error",
        case.describe(),
    )


def refusal_untraced(case: Case) -> Opinion:
    """create.refusal.untraced: an animal whose create request was rejected with a 4xx is never listed."""
    return untraced(case, refused=True)


def untraced(case: Case, *, refused: bool) -> Opinion:
    """The rule behind both clauses that a rejected animal is never listed (``refused``: a 4xx; else a 401).

    Evidence: a list that contains an animal whose create request was sent after the rejection was received.
    """
    if case.operation is not Operation.LIST:
        return None
    ledger, sent_s = case.ledger, case.exchange.sent_s
    refusals = ledger.refused_names if refused else ledger.unauthorised_names
    shown: dict[str, tuple[str, dict[str, Any], Exchange]] = {}
    for place, animal in case.animal_objects:
        name = animal.get("name")
        if not isinstance(name, str) or name not in refusals or not ledger.never_made(name):
            continue
        refusal = refusals[name][0]
        if ledger.seen_names.get(name, sent_s) < refusal.sent_s:
            continue  # another animal already had this name
        shown[f"name {shorten(name, 40)}"] = (place, animal, refusal)
    if shown:
        place, animal, refusal = next(iter(shown.values()))
        status = refusal.response and refusal.response.status
        return Finding(
            f"An animal whose create request returned {status} is listed, at {place}.",
            "no animal with this name",
            shorten(as_json(animal)),
            related=(refusal,),
            subjects=frozenset(shown),
        )
    answered = ledger.first_refusal_answered_s(refused=refused)
    if answered is None:
        return None
    for animal_id, _ in case.identified:
        creation = ledger.animals[animal_id].creation
        if creation is not None and creation.exchange.sent_s > answered:
            return EVIDENCE
    return None


RULES = {
    "create.answer": answer,
    "create.status.accepted": status_accepted,
    "create.status.optional": status_optional,
    "create.id.assigned": id_assigned,
    "create.name.required": _refused("name.missing"),
    "create.name.type": _refused("name.type"),
    "create.category-id.required": _refused("categoryId.missing"),
    "create.category-id.type": _refused("categoryId.type"),
    "create.category-id.int64": _refused("categoryId.beyond"),
    "create.status.type": _refused("status.type"),
    "create.status.null": _refused("status.null"),
    "create.status.enumeration": _refused("status.unknown"),
    "create.body.required": _refused("body.missing"),
    "create.body.json": _refused("body.malformed"),
    "create.body.object": _refused("body.not-object"),
    "create.refusal.status": refusal_status,
    "create.refusal.untraced": refusal_untraced,
}
