"""Create requests that were not answered, but added an animal all the same."""

from __future__ import annotations

from animal_conformance.interface.contract import Operation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.outages import BROKEN_OFF
from animal_conformance.judge.knowledge.plain import OWN_NAME
from animal_conformance.record.exchange import Credential, Exchange


def stored_unanswered(ledger: Ledger) -> list[Exchange]:
    """The create requests without a response whose animal is there, under an id that no response has given.

    A connection that is closed between two requests is nobody's fault: what was sent on it was not read, and adds
    nothing. The name has to be the run's own, so that only this request, or the same one sent again, can have added it.
    """
    unclaimed = {
        each.animal.get("name")
        for animal in ledger.animals.values()
        if not animal.creations
        for each in animal.listed
    }
    lost: dict[object, Exchange] = {}
    for each in sorted(ledger.exchanges, key=lambda each: each.sent_s):
        if each.failure_kind not in BROKEN_OFF:
            continue
        reading = ledger.reading(each)
        payload = reading.payload
        if reading.operation is not Operation.CREATE or not reading.valid or payload is None:
            continue
        name = payload["name"]
        if each.request.credential is Credential.VALID and name in unclaimed and OWN_NAME.fullmatch(name):
            lost.setdefault(name, each)
    return list(lost.values())
