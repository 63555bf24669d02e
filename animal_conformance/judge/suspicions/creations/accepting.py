"""A status, or none, that is rejected in creations: for itself, or for the name, the category or a quota."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import inf
from typing import Any, Final

from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import TAKEN, UNWELCOME, Create, Experiment, Naming
from animal_conformance.judge.knowledge.creating import put_off_for_status
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import PlainTrial, is_plain
from animal_conformance.judge.suspicions.creations.categories import TURNS, accepted_in_turns, both_in_turns
from animal_conformance.judge.suspicions.creations.intermittent import rejected_now_and_then
from animal_conformance.record.exchange import Exchange

# How many names have to show that only the status was changed; and how many where the status is omitted, and the
# deployment gives one by default.
NAMES: Final = 2
MORE_NAMES: Final = 3


def status_accepted(case: Case) -> Opinion:
    """create.status.accepted: each of the three statuses is accepted in a create request."""
    payload = _valid_payload(case)
    if payload is None or "status" not in payload:
        return None
    opinion = _accepted(case, payload, f"with status {payload['status']}")
    if opinion is EVIDENCE and (put_off_for_status(case.ledger) or not _are_all_accepted(case)):
        return None  # another status may be the one that is not accepted
    return opinion


def _are_all_accepted(case: Case) -> bool:
    """Whether an animal was created with each status."""
    accepted = case.ledger.survey(
        "accepted statuses", lambda: {str(each.payload.get("status")) for each in case.ledger.creations}
    )
    return accepted >= set(case.contract.statuses)


def status_optional(case: Case) -> Opinion:
    """create.status.optional: a create request without status is accepted."""
    payload = _valid_payload(case)
    if payload is None or "status" in payload:
        return None
    return _accepted(case, payload, "without status")


def _valid_payload(case: Case) -> dict[str, Any] | None:
    """The payload of a create request that is valid by the table, was authorised and answered; else ``None``."""
    if not case.answered or not case.with_key:
        return None
    if case.exchange.request.voice:
        return None  # covered by create.answer
    return case.reading.payload if case.reading.valid else None


def _accepted(case: Case, payload: dict[str, Any], what: str) -> Opinion:
    """A rejection is a finding if two new names were rejected with this status, and then accepted with another one.

    If the status was accepted before, it may be rejected now because a quota is reached. This does not excuse a category
    that always rejects the status while another one, in turns with it, accepts it; nor requests without a status if three
    names are rejected without one and accepted with the status that is given by default, while no request with a status
    is rejected.
    """
    if case.status == 201:
        return EVIDENCE
    if case.status != 400 or not is_plain(payload["name"]):
        return None
    category_id, status = int(payload["categoryId"]), payload.get("status")
    now_and_then = rejected_now_and_then(case, category_id, status, what)
    if now_and_then is not None:
        return now_and_then
    trials = case.ledger.survey(
        ("status", category_id, status), lambda: _trials_of(case.ledger, category_id, status)
    )
    if trials.is_accepted and _may_be_taken(case.ledger, payload["name"]):
        return None  # others were accepted with the same status
    given = _given_by_default(case.ledger) if status is None else None
    names = NAMES if given is None else MORE_NAMES
    if len(trials.changed_alone) >= names:
        return _changed_alone(case, trials.changed_alone, what, given)
    like = trials.like
    if like is None or trials.first_s.get(payload["name"], inf) < case.sent_s:
        return None  # the category may be closed, and the name taken or refused for itself
    if trials.names_tried >= names:
        return Explained(UNWELCOME)
    return Suspicion(
        _finding(case, what, like.exchange),
        f"create requests {what}",
        (_status_changed_alone(category_id, status, given or like.status, names),),
    )


def _changed_alone(
    case: Case, changed: Mapping[str, tuple[Exchange, Exchange]], what: str, given: str | None
) -> Opinion:
    """What enough names mean that were rejected with the status and accepted with another one."""
    payload = case.reading.payload or {}
    status, category_id = payload.get("status"), int(payload["categoryId"])
    turns: Sequence[Exchange] = ()
    before = any(each.accepted and each.status == status for each in case.ledger.plain_trials)
    quotas = before and (given is None or not _excludes_quotas(case.ledger, changed.values(), given))
    if quotas:
        # A quota may be reached, and have places again when an animal is sold.
        in_turns = accepted_in_turns(case.ledger, category_id, status)
        if in_turns is None:
            return Explained(UNWELCOME)
        turns = in_turns
    then = changed.get(payload["name"])
    if then is None or then[0] is not case.exchange:
        return None  # the others say so
    shown = [accepted for _, accepted in islice(changed.values(), NAMES if given is None else MORE_NAMES)]
    excluded = [*((TAKEN, each) for each in shown), *((UNWELCOME, each) for each in (*shown, *turns))]
    finding = _finding(case, what, then[1], *excluded)
    if quotas and len(turns) < TURNS:
        experiment = both_in_turns(case.ledger, category_id, status)
        return Suspicion(finding, f"create requests {what}", (experiment,))
    return finding


def _given_by_default(ledger: Ledger) -> str | None:
    """The status with which animals created without one were returned; ``None`` if there is none, or several."""
    told = {repr(each.answer.get("status")): each.answer for each in ledger.creations if each.omits_status}
    given = [each.get("status") for each in told.values()]
    return given[0] if len(given) == 1 and isinstance(given[0], str) else None


def _excludes_quotas(ledger: Ledger, changed: Collection[tuple[Exchange, Exchange]], given: str) -> bool:
    """Whether names were accepted with the status given by default, and no stated status was rejected meanwhile."""
    from_s = min(rejected.sent_s for rejected, _ in changed)
    until_s = max(accepted.answered_s for _, accepted in changed)
    return all(
        (ledger.reading(accepted).payload or {}).get("status") == given for _, accepted in changed
    ) and not any(
        not each.accepted and each.status is not None and from_s <= each.sent_s <= until_s
        for each in ledger.plain_trials
    )


def _may_be_taken(ledger: Ledger, name: str) -> bool:
    """Whether an earlier run may have taken a name, or an animal of the run has it, in another case."""
    folded = ledger.survey(
        "accepted in any case", lambda: {each.casefold() for each in ledger.names.accepted}
    )
    return name in ledger.names.unclear or (name not in ledger.names.accepted and name.casefold() in folded)


class Trials:
    """The plain creations in one category, seen by whether they had the status (or none) that was rejected.

    :param unclear: the names of which nobody knows whether they were taken.
    :param first_rejected_s: when the status was first rejected, which may have been before anything was created.
    """

    def __init__(
        self, trials: list[PlainTrial], status: str | None, unclear: Collection[str], first_rejected_s: float
    ) -> None:
        self._trials = trials
        self._first_rejected_s = first_rejected_s
        self._status = status
        self._unclear = unclear

    @cached_property
    def first_s(self) -> dict[str, float]:
        """When each name was first sent."""
        first_s: dict[str, float] = {}
        for each in self._trials:
            first_s[each.name] = min(each.sent_s, first_s.get(each.name, inf))
        return first_s

    @cached_property
    def is_accepted(self) -> bool:
        """Whether the status was accepted with any name."""
        return any(each.accepted and each.status == self._status for each in self._trials)

    @cached_property
    def like(self) -> PlainTrial | None:
        """The first one that was accepted with another status."""
        return next((each for each in self._trials if each.accepted and each.status != self._status), None)

    @cached_property
    def changed_alone(self) -> dict[str, tuple[Exchange, Exchange]]:
        """The names that were rejected with the status and accepted with another one afterwards, with both exchanges."""
        made: dict[str, list[Exchange]] = defaultdict(list)
        for each in self._trials:
            if each.accepted:
                made[each.name].append(each.exchange)
        changed: dict[str, tuple[Exchange, Exchange]] = {}
        for one in self._trials:
            if one.accepted or one.status != self._status or one.name in self._unclear or one.name in changed:
                continue
            # A name, or a name with a status, may have to be unique.
            if one.name in made and all(each.sent_s >= one.answered_s for each in made[one.name]):
                changed[one.name] = (one.exchange, made[one.name][0])
        return changed

    @cached_property
    def names_tried(self) -> int:
        """How many names were tried with the status and then with another one, since it was first rejected."""
        since = [each for each in self._trials if each.sent_s >= self._first_rejected_s]
        first_s: dict[str, float] = {}
        for each in since:
            if each.status == self._status:
                first_s.setdefault(each.name, each.answered_s)
        then = {
            each.name
            for each in since
            if each.status != self._status and each.name in first_s and each.sent_s >= first_s[each.name]
        }
        return len(then)


def _trials_of(ledger: Ledger, category_id: int, status: str | None) -> Trials:
    by_category = ledger.survey("plain trials", lambda: _by_category(ledger))
    rejected = (
        each.sent_s
        for each in ledger.exchanges
        if each.status == 400
        and (reading := ledger.reading(each)).valid
        and reading.payload is not None
        and (reading.payload["categoryId"], reading.payload.get("status")) == (category_id, status)
    )
    return Trials(by_category[category_id], status, ledger.names.unclear, min(rejected, default=inf))


def _by_category(ledger: Ledger) -> dict[int, list[PlainTrial]]:
    trials: dict[int, list[PlainTrial]] = defaultdict(list)
    for each in ledger.plain_trials:
        trials[each.category_id].append(each)
    return trials


def _status_changed_alone(
    category_id: int, status: str | None, accepted: str | None, names: int
) -> Experiment:
    def payload(status: str | None) -> str:
        stated = {} if status is None else {"status": status}
        return json.dumps({"name": "", "categoryId": category_id, **stated})

    both = (Create(payload(status), Naming.UNLIKE), Create(payload(accepted), Naming.SAME))
    # One more comes between them, to tell apart a deployment that rejects every second or third request.
    apart = (Create(payload(accepted), Naming.UNLIKE),) if names > NAMES else ()
    return Experiment(UNWELCOME, (*both * NAMES, *apart, *both * (names - NAMES)))


def _finding(case: Case, what: str, like: Exchange, *excluded: tuple[str, Exchange]) -> Finding:
    return Finding(
        f"Create requests {what} are rejected under any name, although otherwise identical payloads are accepted.",
        "201",
        case.describe(),
        related=(like,),
        excluded=excluded,
    )
