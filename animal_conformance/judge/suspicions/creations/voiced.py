"""A valid create request that is rejected in one voice: for the way it is sent, for its name, or for a quota."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import TAKEN, UNWELCOME, Create, Experiment, Naming
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME, is_plain
from animal_conformance.judge.suspicions.creations import spelled
from animal_conformance.judge.suspicions.creations.filled import may_be_full, name_in
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
    if may_be_full(case, payload):
        return Explained(UNWELCOME)
    if spelled.is_rejected_from_the_suite(case.ledger, payload):
        return Explained(UNWELCOME)
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
        name = name_in(reading.payload)
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
        and _kind_of(name_in(reading.payload)) == kind
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


def _finding(case: Case, *excluded: tuple[str, Exchange]) -> Finding:
    return Finding(
        "A valid create request is rejected for the way it is sent: the same payload is accepted from another client.",
        "201",
        case.describe(),
        related=tuple(dict.fromkeys(each for _, each in excluded)),
        excluded=excluded,
    )
