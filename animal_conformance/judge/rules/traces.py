"""What was rejected leaves no trace: no list shows it."""

from __future__ import annotations

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.plain import OWN_NAME
from animal_conformance.judge.rules.case import EVIDENCE, Case, Finding, Opinion, as_json, shorten


def refusal_untraced(case: Case) -> Opinion:
    """create.refusal.untraced: an animal whose create request was rejected with a 4xx is never listed."""
    return _untraced(case, refused=True)


def auth_untraced(case: Case) -> Opinion:
    """auth.untraced: an animal whose create request returned 401 is never listed."""
    return _untraced(case, refused=False)


def _untraced(case: Case, *, refused: bool) -> Opinion:
    """The rule behind both (``refused``: a 4xx; else a 401).

    A name that the run made up is nobody else's, so one listed animal is enough; any other name proves nothing.
    Evidence: a list that contains an animal whose create request was sent after the rejection was received.
    """
    ledger, sent_s = case.ledger, case.exchange.sent_s
    if case.operation is not Operation.LIST or not ledger.creations:
        return None
    # The first animal's id is mixed into the names: before it, an earlier run may have used the same ones.
    unique_s = ledger.creations[0].exchange.answered_s
    refusals = ledger.names.refused if refused else ledger.names.unauthorised
    for place, animal in case.animal_objects:
        name = animal.get("name")
        if not isinstance(name, str) or name not in refusals or not OWN_NAME.fullmatch(name):
            continue
        refusal = refusals[name][0]
        seen_s = ledger.names.seen.get(name, sent_s)
        if not ledger.names.never_made(name) or seen_s < refusal.sent_s or refusal.sent_s < unique_s:
            continue  # it was accepted at another time, or is an animal that an earlier run has left
        status = refusal.response and refusal.response.status
        return Finding(
            f"An animal whose create request returned {status} is listed, at {place}.",
            "no animal with this name",
            shorten(as_json(animal)),
            related=(refusal,),
        )
    answered = ledger.names.first_refusal_answered_s(refused=refused)
    if answered is None:
        return None
    for animal_id, _ in case.identified:
        creation = ledger.animals[animal_id].creation
        if creation is not None and creation.exchange.sent_s > answered:
            return EVIDENCE
    return None


RULES = {
    "create.refusal.untraced": refusal_untraced,
    "auth.untraced": auth_untraced,
}
