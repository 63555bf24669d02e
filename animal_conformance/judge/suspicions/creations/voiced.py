"""A valid create request that is rejected in one voice: for the way it is sent, for its name, or for a quota."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import TAKEN, UNWELCOME, Create, Experiment, Naming
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_plain
from animal_conformance.record.exchange import Exchange

# How many names have to show that only the voice was changed.
NAMES: Final = 3
# This many rejections in the plain voice are not a coincidence.
ENOUGH: Final = 2


def rejected(case: Case) -> Opinion:
    """What a 400 to a valid create request in a voice means: a finding if the plain voice is accepted with the same."""
    request, payload = case.exchange.request, case.reading.payload
    kind = None if payload is None else _kind_of(payload["name"])
    if not request.voice or payload is None or kind is None:
        return None
    if case.ledger.terms.crowded and not _plain_is_accepted(case):
        return Explained(UNWELCOME)
    refused = case.ledger.survey("plainly refused", lambda: _plainly_refused(case.ledger))
    if _place_of(payload) in refused:
        return Explained(UNWELCOME)  # such as a quota of this status, which every client meets
    if kind and case.ledger.survey(("plainly", kind), lambda: _is_refused_to_all(case.ledger, kind)):
        return Explained(UNWELCOME)  # such as a character, which no client may use
    trials = case.ledger.survey(
        ("voiced", request.voice, kind), lambda: _trials_of(case.ledger, request.voice, kind)
    )
    if trials.accepted_s >= case.sent_s or len(trials.refused) > NAMES > len(trials.changed):
        return Explained(UNWELCOME)
    if len(trials.changed) < NAMES:
        # The fields are in the order of the document, since the order may be what decides.
        plain = json.dumps({name: payload[name] for name in PAYLOAD_FIELDS if name in payload})
        naming = Naming.LIKE if kind else Naming.UNLIKE
        # Twice in that voice, then in the plain one, and once in between in the plain one alone: so a deployment that
        # rejects every second or third request, or some by chance, is told apart.
        voiced = (Create(plain, naming, request.voice), Create(plain, Naming.RETRY, request.voice))
        both = (*voiced, Create(plain, Naming.RETRY))
        steps = (*both, *both, Create(plain, naming), *both)
        return Suspicion(
            _finding(case), f"create requests of {request.voice}", (Experiment(UNWELCOME, steps),)
        )
    shown = list(islice(trials.changed.values(), NAMES))
    excluded = [(explanation, each) for explanation in (TAKEN, UNWELCOME) for each in shown]
    return _finding(case, *excluded)


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
        first.setdefault(_name(ledger.reading(each).payload), each)
    return {
        _place_of(payload)
        for each in _plain(ledger)
        if each.status == 400
        if (payload := ledger.reading(each).payload)
        and first[_name(payload)] is each
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
            plain += [each] if is_plain(_name(reading.payload)) else []
    return sorted(plain, key=lambda each: each.sent_s)


@dataclass(frozen=True)
class _Trials:
    """The creations in a voice: the names refused, and when the last accepted one was sent.

    ``changed`` are the names refused since then that were accepted in the plain voice.
    """

    refused: Mapping[str, Exchange]
    changed: Mapping[str, Exchange]
    accepted_s: float


def _trials_of(ledger: Ledger, voice: str, kind: str) -> _Trials:
    refused: dict[str, Exchange] = {}
    changed: dict[str, Exchange] = {}
    accepted_s = -1.0
    for exchange in ledger.exchanges:
        reading, response = ledger.reading(exchange), exchange.response
        if reading.operation is not Operation.CREATE or not reading.valid or response is None:
            continue
        name = _name(reading.payload)
        if _kind_of(name) != kind:
            continue
        if exchange.request.voice == voice and response.status == 201:
            accepted_s = max(accepted_s, exchange.sent_s)
        elif exchange.request.voice == voice and response.status == 400:
            refused.setdefault(name, exchange)
        elif exchange.request.voice or response.status != 201 or name not in refused:
            continue
        elif ledger.reading(refused[name]).payload == reading.payload:
            changed.setdefault(name, exchange)
    # If the voice was accepted later, earlier requests were not rejected for it.
    since = {name: each for name, each in changed.items() if refused[name].sent_s > accepted_s}
    return _Trials(refused, since, accepted_s)


def _is_refused_to_all(ledger: Ledger, kind: str) -> bool:
    """Whether the plain voice was refused names of the same kind, and never accepted with one."""
    answers = [
        each.status
        for each in ledger.exchanges
        if not each.request.voice
        and (reading := ledger.reading(each)).operation is Operation.CREATE
        and reading.valid
        and _kind_of(_name(reading.payload)) == kind
    ]
    return answers.count(400) >= ENOUGH and 201 not in answers


def _kind_of(name: str) -> str | None:
    """What makes a name of the run special: the text in front and behind; empty for a plain name.

    ``None`` for a name that may be taken.
    """
    own = OWN_NAME.fullmatch(name)
    if is_plain(name):
        return ""
    return None if own is None else f"{own['front']} {own['rest']}"


def _name(payload: dict[str, Any] | None) -> str:
    return str((payload or {}).get("name"))


def _finding(case: Case, *excluded: tuple[str, Exchange]) -> Finding:
    return Finding(
        "A valid create request is rejected for the way it is sent: the same payload is accepted from another client.",
        "201",
        case.describe(),
        related=tuple(dict.fromkeys(each for _, each in excluded)),
        excluded=excluded,
    )
