"""Add an animal: what is accepted, what is returned, and what must be rejected."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.ledger import Creation
from animal_conformance.judge.rules import accepting
from animal_conformance.judge.rules.case import (
    EVIDENCE,
    Case,
    Finding,
    Opinion,
    Rule,
    side_by_side,
)
from animal_conformance.judge.rules.statuses import framed
from animal_conformance.record.exchange import Exchange

# What the trimming functions of common languages remove: white space, control characters up to U+0020
# (Java, PHP), and the byte order mark (JavaScript).
OUTER = "".join(map(chr, range(33))) + (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
# 'Other size limits: not shown', and 413 is HTTP's status code for them: a larger body may be too large.
LARGE_TO_SOME_BYTES = 1024
# A read this soon after the creation returns the status that was stored; later, a client may have changed it.
FIRST_READING_S = 0.1


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


def same_name(sent: str, got: str) -> bool:
    """Whether a name was returned as sent, ignoring outer white space and normalisation, which are open."""
    return sent == got or _normal(sent) == _normal(got)


def _normal(name: str) -> str:
    # Names that are equal in any normalisation form are equal in this one; it turns some characters into white space.
    return unicodedata.normalize("NFKC", name).strip(OUTER)


def _exact(
    case: Case, name: str, readable: Callable[[dict[str, Any]], bool], same: Callable[[Any, Any], bool]
) -> Opinion:
    opinion: Opinion = None
    changed: dict[str, tuple[Creation, Any, Any]] = {}
    for creation, animal in case.readback:
        if name not in creation.payload or creation.reading.problems or not readable(animal):
            continue
        if creation.reading.open_points - {"payload.id", "payload.unknown-property"}:
            continue
        sent, got = creation.payload[name], animal.get(name)
        opinion = EVIDENCE
        if not same(sent, got):
            changed[f"animal {animal['id']}"] = (creation, sent, got)
    if not changed:
        return opinion
    creation, sent, got = min(changed.values(), key=lambda each: len(repr(each[1])))
    wanted, shown = side_by_side(sent, got)
    related: tuple[Exchange, ...] = ()
    subjects = frozenset[str]()
    if creation.exchange is not case.exchange:
        # Another client would have had to change it and change it back; a status may indeed move back and forth.
        back = None if name == "status" else _shown_again(case, creation, name, readable, same)
        related = tuple(filter(None, (creation.exchange, back)))
        subjects = frozenset() if back else frozenset(changed)
    return Finding(
        f"The {name} of an animal is not returned as sent.",
        f"{name}: {wanted}",
        f"{name}: {shown} in {case.operation.value if related else 'the 201'}",
        related=related,
        subjects=subjects,
    )


def _shown_again(
    case: Case,
    creation: Creation,
    name: str,
    readable: Callable[[dict[str, Any]], bool],
    same: Callable[[Any, Any], bool],
) -> Exchange | None:
    """A response, requested after the judged one, that returns an animal's field as sent."""
    later = case.ledger.animals[creation.animal_id].shown_after(case.exchange.answered_s)
    sent = creation.payload[name]
    return next(
        (each.last for each in later if readable(each.animal) and same(sent, each.animal.get(name))), None
    )


def name_exact(case: Case) -> Opinion:
    """create.name.exact: the name is returned exactly as sent."""
    return _exact(case, "name", lambda animal: isinstance(animal.get("name"), str), same_name)


def category_id_exact(case: Case) -> Opinion:
    """create.category-id.exact: the categoryId is returned exactly as sent."""
    return _exact(
        case,
        "categoryId",
        lambda animal: case.contract.is_int64(animal.get("categoryId")),
        lambda sent, got: bool(sent == got),
    )


def status_exact(case: Case) -> Opinion:
    """create.status.exact: the status is returned as sent, in the 201 and in the first read after it."""
    if case.operation is not Operation.CREATE and case.ledger.statuses_move:
        return None  # transitions are not shown: one may have occurred in between
    if case.operation is Operation.LIST:
        return _status_in_list(case)
    if case.operation is Operation.GET and not _is_first_reading(case):
        return None
    return _exact(
        case,
        "status",
        lambda animal: "status" not in animal or animal["status"] in case.contract.statuses,
        lambda sent, got: bool(sent == got),
    )


def _status_in_list(case: Case) -> Opinion:
    """A list shows a status other than the creation or getPet just before it and the getPet just after it, which agree."""
    wanted = case.reading.status

    def is_no_filter(shown: object) -> bool:
        # A filtered list that reports its own filter as the status of other animals is list.status.filter.
        return wanted is None or shown != wanted

    other = {
        f"animal {each.animal['id']}": each
        for each in framed(case, lambda sent, shown: shown != sent and is_no_filter(shown))
    }
    if not other:
        known = framed(case, lambda _, shown: is_no_filter(shown))
        return EVIDENCE if next(known, None) is not None else None
    first = next(iter(other.values()))
    return Finding(
        "A list shows a status that differs from the responses immediately before and after it.",
        f"status: {first.sent}",
        f"status: {first.animal.get('status', 'missing')}",
        related=(first.creation.exchange, first.after),
        subjects=frozenset(other),
    )


def _is_first_reading(case: Case) -> bool:
    # A status may change during the run, so only the first read of an animal soon after its creation counts.
    for creation, _ in case.readback:
        gets = case.ledger.animals[creation.animal_id].gets
        if gets and gets[0].first is case.exchange:
            return case.exchange.sent_s - creation.exchange.answered_s <= FIRST_READING_S
    return False


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


RULES = {
    "create.answer": answer,
    "create.status.accepted": accepting.status_accepted,
    "create.status.optional": accepting.status_optional,
    "create.name.exact": name_exact,
    "create.category-id.exact": category_id_exact,
    "create.status.exact": status_exact,
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
