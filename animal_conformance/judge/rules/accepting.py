"""A status, or none, that is rejected in creations: for itself, or for the name, the category or a quota."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.experiments import Create, Experiment, Naming
from animal_conformance.judge.plain import is_plain
from animal_conformance.judge.rules.case import EVIDENCE, Case, Explained, Finding, Opinion, Suspicion

if TYPE_CHECKING:
    from animal_conformance.judge.ledger import Ledger
    from animal_conformance.judge.plain import PlainTrial
    from animal_conformance.record.exchange import Exchange

UNWELCOME: Final = "unwelcome"
TAKEN: Final = "taken"
# The status changed alone, under so many names.
NAMES: Final = 2


def status_accepted(case: Case) -> Opinion:
    """create.status.accepted: each of the three statuses is accepted in a create request."""
    payload = _valid_payload(case)
    if payload is None or "status" not in payload:
        return None
    return _accepted(case, payload, f"with status {payload['status']}")


def status_optional(case: Case) -> Opinion:
    """create.status.optional: a create request without status is accepted."""
    payload = _valid_payload(case)
    if payload is None or "status" in payload:
        return None
    return _accepted(case, payload, "without status")


def _valid_payload(case: Case) -> dict[str, Any] | None:
    """The payload of a create request that is valid by the table, was authorised and answered."""
    if case.operation is not Operation.CREATE or not case.answered or not case.with_key:
        return None
    return case.reading.payload if case.reading.valid else None


def _accepted(case: Case, payload: dict[str, Any], what: str) -> Opinion:
    """A rejection is a finding if two new names were rejected with this status, and then accepted with another one."""
    if case.status == 201:
        return EVIDENCE
    if case.status != 400 or not is_plain(payload["name"]):
        return None
    category_id, status = int(payload["categoryId"]), payload.get("status")
    trials = [each for each in case.ledger.plain_trials if each.category_id == category_id]
    changed = _changed_alone(case.ledger, trials, status)
    if len(changed) >= NAMES:
        if _has_a_quota(trials, status, [rejected for rejected, _ in changed.values()]):
            return Explained(UNWELCOME)
        then = changed.get(payload["name"])
        if then is None or then[0] is not case.exchange:
            return None  # the others say so
        shown = [accepted for _, accepted in list(changed.values())[:NAMES]]
        excluded = [*((TAKEN, each) for each in shown), *((UNWELCOME, each) for each in shown)]
        return _finding(case, what, then[1], *excluded)
    like = next((each for each in trials if each.accepted and each.status != status), None)
    if like is None or _was_tried_before(case, trials, payload["name"]):
        return None  # the category may be closed, and the name taken or refused for itself
    if _names_tried(trials, status) >= NAMES:
        return Explained(UNWELCOME)
    return Suspicion(
        _finding(case, what, like.exchange),
        f"create requests {what}",
        (_status_changed_alone(category_id, status, like.status),),
    )


def _was_tried_before(case: Case, trials: list[PlainTrial], name: str) -> bool:
    return any(each.name == name and each.exchange.sent_s < case.exchange.sent_s for each in trials)


def _changed_alone(
    ledger: Ledger, trials: list[PlainTrial], status: str | None
) -> dict[str, tuple[Exchange, Exchange]]:
    """The names that were rejected with a status and accepted with another one afterwards, with both exchanges."""
    changed: dict[str, tuple[Exchange, Exchange]] = {}
    for one in trials:
        if one.accepted or one.status != status or one.name in ledger.unclear_names:
            continue
        made = [each for each in trials if each.name == one.name and each.accepted]
        # A name, or a name with a status, may have to be unique.
        if made and all(each.exchange.sent_s >= one.exchange.answered_s for each in made):
            changed.setdefault(one.name, (one.exchange, made[0].exchange))
    return changed


def _has_a_quota(trials: list[PlainTrial], status: str | None, rejected: list[Exchange]) -> bool:
    """Whether the status was accepted until it was rejected, or only afterwards: a quota that was reached, or lifted."""
    accepted = [each.exchange for each in trials if each.accepted and each.status == status]
    before = any(each.answered_s <= min(one.sent_s for one in rejected) for each in accepted)
    after = any(each.sent_s >= max(one.answered_s for one in rejected) for each in accepted)
    return bool(accepted) and not (before and after)


def _names_tried(trials: list[PlainTrial], status: str | None) -> int:
    """How many names were tried with the status and then with another one, since it was first rejected."""
    rejected_s = [each.exchange.sent_s for each in trials if not each.accepted and each.status == status]
    since = [each for each in trials if each.exchange.sent_s >= min(rejected_s, default=0.0)]
    first_s: dict[str, float] = {}
    for each in since:
        if each.status == status:
            first_s.setdefault(each.name, each.exchange.answered_s)
    then = {
        each.name
        for each in since
        if each.status != status and each.name in first_s and each.exchange.sent_s >= first_s[each.name]
    }
    return len(then)


def _status_changed_alone(category_id: int, status: str | None, accepted: str | None) -> Experiment:
    def payload(status: str | None) -> str:
        stated = {} if status is None else {"status": status}
        return json.dumps({"name": "", "categoryId": category_id, **stated})

    both = (Create(payload(status), Naming.UNLIKE), Create(payload(accepted), Naming.SAME))
    return Experiment(UNWELCOME, both * NAMES)


def _finding(case: Case, what: str, like: Exchange, *excluded: tuple[str, Exchange]) -> Finding:
    return Finding(
        f"Create requests {what} are rejected under any name, although otherwise identical payloads are accepted.",
        "201",
        case.describe(),
        related=(like,),
        excluded=excluded,
    )
