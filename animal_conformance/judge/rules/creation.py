"""Add an animal: what is accepted, what is returned, and what must be rejected."""

from __future__ import annotations

import re

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.waiting import KEY_REFUSED
from animal_conformance.judge.case import EVIDENCE, Case, Finding, Opinion, Rule, as_json, shorten
from animal_conformance.judge.knowledge.creating import creations
from animal_conformance.judge.knowledge.plain import is_own, is_plain
from animal_conformance.judge.suspicions import invalid, turned_away
from animal_conformance.judge.suspicions.creations import accepting, spelled, voiced

# 'Other size limits: not shown', and 413 is HTTP's status code for them: a larger body may be too large.
LARGE_TO_SOME_BYTES = 1024
# Open points: a request may be rejected for them, or accepted while they are ignored.
REJECTED_OR_IGNORED = frozenset({"payload.id", "payload.unknown-property"})
# An id written as a text, as JavaScript clients write large ones.
PLAIN_ID = re.compile("[1-9][0-9]{0,17}", re.ASCII)


def _is_creation(case: Case) -> bool:
    return case.operation is Operation.CREATE and case.answered and case.with_key


def _is_too_large(case: Case) -> bool:
    """Whether a request is rejected for its size, whatever else is wrong with it."""
    return case.status == 413 and len(case.exchange.request.body or b"") > LARGE_TO_SOME_BYTES


def answer(case: Case) -> Opinion:
    """create.answer: a valid create request returns 201 or 400; with further fields, it returns 201 if it is accepted."""
    if not _is_creation(case) or case.reading.problems:
        return None
    left_open = case.reading.open_points
    if left_open and not (left_open <= REJECTED_OR_IGNORED and case.status < 300 and case.status != 201):
        return None
    if case.status == 201:
        return EVIDENCE
    if case.status == 400:
        return voiced.rejected(case) or spelled.rejected(case)
    if _is_too_large(case):
        return None
    return Finding(
        "A valid create request returns a status code that createPet does not list.",
        "201, or 400 with an Error",
        case.describe(),
    )


def id_assigned(case: Case) -> Opinion:
    """create.id.assigned: an id sent by the client is never used."""
    wanted = (case.reading.payload or {}).get("id")
    if isinstance(wanted, str) and PLAIN_ID.fullmatch(wanted):
        wanted = int(wanted)
    if not _is_creation(case) or case.reading.problems:
        return None
    # Afterwards a store may count on from an id that it has adopted.
    if not case.contract.is_int64(wanted) or not case.ledger.is_far(int(wanted), before_s=case.sent_s):
        return None
    if case.status == 400:
        return EVIDENCE if case.ledger.creations else None
    if case.status != 201 or not isinstance(case.value, dict):
        return None
    if case.value.get("id") != wanted:
        return EVIDENCE
    return Finding(
        "The service uses an id sent by the client.", "an id assigned by the service, or 400", case.describe()
    )


def _refused(problem: str) -> Rule:
    """The rule that a create request in which this one thing is invalid is rejected."""

    def rule(case: Case) -> Opinion:
        problems = case.reading.problems
        if not _is_creation(case) or problem not in problems or _is_too_large(case):
            return None
        if case.reading.open_points - (REJECTED_OR_IGNORED if case.status < 400 else set()):
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


LONGEST_VALUE = 60
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
    # These are not invalid, but a request may be rejected for them.
    "payload.id": "it has an id",
    "payload.unknown-property": "it has a property that the interface does not have",
}


def _in_words(case: Case) -> str:
    causes = case.reading.problems or case.reading.open_points
    return ", ".join(PROBLEMS[each] + _value_of(case, each) for each in sorted(causes))


def _value_of(case: Case, problem: str) -> str:
    """The wrong value that was sent in a field, in parentheses; empty if the problem is not such a value."""
    name, _, kind = problem.partition(".")
    if kind not in {"type", "beyond", "unknown"}:
        return ""
    return f" ({shorten(as_json(case.exchange.request.json.value[name]), LONGEST_VALUE)})"


def _is_known_but_for_a_property(case: Case) -> bool:
    """Whether a request differs from accepted ones only in a property that may be rejected or ignored.

    If such a request is rejected, it has to get the same status as one that must be rejected. Not where valid requests
    got the status of this response as well, which is covered by create.answer.
    """
    payload = case.reading.payload
    if payload is None or case.reading.problems or case.reading.open_points - REJECTED_OR_IGNORED:
        return False
    if any(each.status == case.status for each in creations(case.ledger, valid=True)):
        return False
    usual = is_plain(payload["name"]) or is_own(payload["name"])
    return usual and payload["categoryId"] in case.ledger.accepted_categories


def refusal_status(case: Case) -> Opinion:
    """create.refusal.status: a rejected create request returns 400."""
    if case.operation is Operation.CREATE and turned_away.is_turned_away(case.exchange):
        if not case.reading.only_problem():
            return None
        waits = case.throttled or case.status not in KEY_REFUSED
        return invalid.put_off(case) if waits else invalid.refused_like_a_key(case)
    if not _is_creation(case) or case.reading.valid or case.status < 400 or _is_too_large(case):
        return None
    if case.reading.open_points and not _is_known_but_for_a_property(case):
        return None
    if case.status == 400:
        return EVIDENCE
    return Finding(
        f"A create request is rejected with {case.status}: {_in_words(case)}.",
        "400 with an Error",
        case.describe(),
    )


RULES = {
    "create.answer": answer,
    "create.status.accepted": accepting.status_accepted,
    "create.status.optional": accepting.status_optional,
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
}
