"""An animal's name, category and status are returned as they were sent, by getPet and by lists alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from animal_conformance.interface.contract import Operation
from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, Suspicion, side_by_side
from animal_conformance.judge.knowledge.fields import is_normalised, value_of
from animal_conformance.judge.knowledge.tellings import Telling
from animal_conformance.judge.rules.traces import rejected_with
from animal_conformance.judge.suspicions.values.changed import Ruling, survey_of
from animal_conformance.judge.suspicions.values.histories import OPEN_BESIDE, Of
from animal_conformance.judge.suspicions.values.unfinished import unfinished


def id_is_stable(case: Case) -> Opinion:
    """animal.id.stable: an id always identifies the same animal (for those created by the run: create.*.exact)."""
    shown = {animal_id: animal for animal_id, animal in case.identified if _is_seen_again(case, animal_id)}
    if not shown:
        return None
    said = [_told(case, name, Of.OTHERS, shown) for name in PAYLOAD_FIELDS]
    return _weightiest(said) or EVIDENCE


def relabelled(case: Case) -> Opinion:
    """What it means that a filtered list shows its filter as the status, and getPet returns the animals with another."""
    return _told(case, "status", Of.FILTERED, case.by_id)


def _is_seen_again(case: Case, animal_id: int) -> bool:
    known = case.ledger.animals.get(animal_id)
    first = None if known is None or known.creations else known.first_sighting
    return first is not None and first.first is not case.exchange


def _exact(case: Case, name: str) -> Opinion:
    """Name, category and status are returned exactly as sent, in the 201 and whenever the animal is read.

    A status may move after the first reading.
    """
    if case.operation is Operation.CREATE:
        return _exact_at_once(case, name)
    told = _told(case, name, Of.RUN, case.by_id)
    if told is None and name != "status":
        told = unfinished(case, name)
    return told or (EVIDENCE if case.reading.valid and _is_shown(case, name) else None)


def _is_shown(case: Case, name: str) -> bool:
    """Whether a response shows this field of an animal that was created with it, by a request that leaves none open."""
    return any(
        name in creation.payload
        and not creation.reading.problems
        and not creation.reading.open_points - OPEN_BESIDE
        and value_of(animal, name, case.contract) is not None
        for creation, animal in case.readback
    )


def _exact_at_once(case: Case, name: str) -> Opinion:
    """What the 201 says of a field: nobody can have changed the animal before it was returned."""
    creation = case.ledger.creation_of(case.exchange)
    if creation is None or name not in creation.payload or creation.reading.problems:
        return None
    sent = value_of(creation.payload, name, case.contract)
    got = value_of(creation.answer, name, case.contract)
    if got is None or creation.reading.open_points - OPEN_BESIDE:
        return None
    if sent == got and (name != "name" or is_normalised(creation.payload[name], creation.answer[name])):
        return EVIDENCE
    wanted, shown = side_by_side(creation.payload[name], creation.answer.get(name))
    return Finding(
        f"The {name} of an animal is not returned as sent.",
        f"{name}: {wanted}",
        f"{name}: {shown} in the 201",
    )


def _told(case: Case, name: str, of: Of, shown: dict[int, dict[str, Any]]) -> Opinion:
    """The weightiest ruling on the animals of a response, as an opinion, where it tells a new value of one of them."""
    rulings = survey_of(case.ledger, name, of).rulings
    if not rulings:
        return None
    said: list[Opinion] = []
    for ruling in filter(None, map(rulings.get, shown)):
        history = ruling.history
        turns = history.turns_in(case.exchange)
        if history.animal.creation is not None and not history.moves:
            # The value that was sent is never the wrong one.
            turns = [each for each in turns if each.value != history.first]
        said.extend(
            _opinion(case, name, ruling, each)
            for each in turns
            if name != "categoryId" or not _is_of_a_rejected_request(case, ruling, each)
        )
    return _weightiest(said)


def _is_of_a_rejected_request(case: Case, ruling: Ruling, told: Telling) -> bool:
    """Whether a category is that of a rejected request, and lists show it too: covered by create.refusal.untraced."""
    listed = any(each.animal.get("categoryId") == told.raw for each in ruling.history.animal.listed)
    return listed and rejected_with(case.ledger, told.raw) is not None


def _weightiest(said: list[Opinion]) -> Opinion:
    """The shortest finding, else the shortest suspicion with what all of them ask for, else an explanation."""
    findings = [each for each in said if isinstance(each, Finding)]
    if findings:
        return min(findings, key=_length)
    suspicions = [each for each in said if isinstance(each, Suspicion)]
    if suspicions:
        asked = dict.fromkeys(experiment for each in suspicions for experiment in each.experiments)
        return replace(min(suspicions, key=lambda each: _length(each.finding)), experiments=tuple(asked))
    return next((each for each in said if isinstance(each, Explained)), None)


def _length(finding: Finding) -> int:
    """How much text a finding shows."""
    return len(finding.expected) + len(finding.observed)


def _opinion(case: Case, name: str, ruling: Ruling, turn: Telling) -> Opinion:
    if not ruling.why and not ruling.experiments:
        return Explained(ruling.explanation)
    finding = _finding(case, name, ruling, turn)
    if ruling.why:
        return finding
    return Suspicion(finding, f"animal {ruling.history.animal.animal_id}", ruling.experiments)


def _finding(case: Case, name: str, ruling: Ruling, turn: Telling) -> Finding:
    history = ruling.history
    animal_id, creation = history.animal.animal_id, history.animal.creation
    at = history.place_of(turn)
    before = history.tellings[at - 1 if turn.value == history.first else 0] if at else None
    told = [] if before is None else [before.exchange]
    wanted = before.raw if before is not None else None
    message = f"The id of animal {animal_id} previously identified an animal with another {name}."
    if creation is not None:
        message = f"The {name} of an animal is not returned as sent."
        if turn.value != history.first:
            # The same request may have to be sent twice to show it.
            target = turn.exchange.request.target
            right = [each.exchange for each in history.tellings[:at] if each.value == history.first]
            told = [each for each in right if each.request.target == target][-1:]
            wanted = creation.payload.get(name, creation.answer.get(name))
        told = [creation.exchange, *told]
    expected, observed = side_by_side(wanted, turn.raw)
    # A response with null does not count, so None means that the field was left out.
    expected, observed = (
        "left out" if raw is None else shown for raw, shown in ((wanted, expected), (turn.raw, observed))
    )
    return Finding(
        f"{message} {ruling.why}".strip(),
        f"{name}: {expected}{', as before' if creation is None else ''}",
        f"{name}: {observed} in {case.operation.value}",
        related=case.beside(*told, *ruling.excluding),
        excluded=tuple((ruling.explanation, each) for each in ruling.excluding),
    )


RULES = {
    "create.name.exact": lambda case: _exact(case, "name"),
    "create.category-id.exact": lambda case: _exact(case, "categoryId"),
    "create.status.exact": lambda case: _exact(case, "status"),
    "animal.id.stable": id_is_stable,
}
