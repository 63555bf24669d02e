"""Whether a quota may be the reason for rejecting a creation: then every client meets it, whatever it sends."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.case import Case
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import is_plain
from animal_conformance.record.exchange import Exchange


def may_be_full(case: Case, payload: Mapping[str, Any]) -> bool:
    """Whether a quota may be the reason for a rejection, such as one of this status, which every client meets."""
    if case.ledger.terms.crowded and not _plain_is_accepted(case):
        return True
    return _place_of(payload) in case.ledger.survey("plainly refused", lambda: _plainly_refused(case.ledger))


def _plain_is_accepted(case: Case) -> bool:
    """Whether the next creation in the plain voice is accepted, so that no quota has been reached."""
    plain = case.ledger.survey("plain creations", lambda: _plain(case.ledger))
    at = bisect_left(plain, case.answered_s, key=lambda each: each.sent_s)
    return any(each.status == 201 for each in plain[at : at + 1])


def _plainly_refused(ledger: Ledger) -> set[tuple[str, str]]:
    """The statuses and categories of valid plain creations that were refused, although their names were not taken.

    Nobody had sent the names before. Payloads in another order than the document's may have been refused for that.
    """
    first: dict[str, Exchange] = {}
    for each in sorted(ledger.exchanges, key=lambda each: each.sent_s):
        first.setdefault(name_in(ledger.reading(each).payload), each)
    return {
        _place_of(payload)
        for each in _plain(ledger)
        if each.status == 400
        if (payload := ledger.reading(each).payload)
        and first[name_in(payload)] is each
        and list(payload) == [name for name in PAYLOAD_FIELDS if name in payload]
    }


def _place_of(payload: Mapping[str, Any]) -> tuple[str, str]:
    """What a quota may be for: the status and the category."""
    return repr(payload.get("status")), repr(payload.get("categoryId"))


def _plain(ledger: Ledger) -> list[Exchange]:
    """The answered valid creations in the plain voice, under plain names, in their order."""
    plain = []
    for each in ledger.exchanges:
        reading = ledger.reading(each)
        if (
            reading.operation is Operation.CREATE
            and reading.valid
            and each.response
            and not each.request.voice
        ):
            plain += [each] if is_plain(name_in(reading.payload)) else []
    return sorted(plain, key=lambda each: each.sent_s)


def name_in(payload: dict[str, Any] | None) -> str:
    """The name in a payload, as a text."""
    return str((payload or {}).get("name"))
