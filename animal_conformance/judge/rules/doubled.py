"""Animals of the run that lists show under a second id, which no 201 has given: added twice, or copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from animal_conformance.judge.case import (
    EVIDENCE,
    Case,
    Explained,
    Finding,
    Opinion,
    Suspicion,
    as_json,
    shorten,
)
from animal_conformance.judge.experiments import Create, Experiment, Read, ReadCreated
from animal_conformance.judge.knowledge.doubles import Double, Doubles

COPIED: Final = "copied"
# So many animals that are there twice, each seen before the next was created, were not copied by somebody.
TIMES: Final = 3


def added_once(case: Case) -> Opinion:
    """create.once: a create request adds one animal."""
    page = case.ledger.completeness.by_exchange.get(id(case.exchange))
    if page is None:
        return None
    doubles = case.ledger.survey("doubles", lambda: Doubles(case.ledger))
    own = [creation for creation, _ in case.readback if str(creation.payload.get("name")) in doubles.given]
    if not own:
        return None
    if not doubles.by_id:
        return EVIDENCE
    shown = {each.payload["name"] for each in own}
    here = [
        double
        for animal_id in page.ids
        if (double := doubles.by_id.get(animal_id)) and double.creation.payload["name"] in shown
    ]
    if not here:
        return EVIDENCE
    if len(doubles.chain) >= TIMES:
        return _finding(case, here[0], doubles.chain[:TIMES])
    open_ones = [each for each in doubles.tried if doubles.single(each) < TIMES]
    if not open_ones:
        return Explained(COPIED)
    like = open_ones[0]
    create = Create(like.body, voice=like.exchange.request.voice)
    one = (create, ReadCreated(), Read(case.exchange.request.target))
    return Suspicion(
        _finding(case, here[0], ()), f"animal {here[0].animal_id}", (Experiment(COPIED, one * TIMES),)
    )


def _finding(case: Case, double: Double, chain: Sequence[Double]) -> Finding:
    creation, shown = double.creation, case.by_id[double.animal_id].get("name")
    other = (
        "" if shown == creation.payload["name"] else f", the other with the name {shorten(as_json(shown))}"
    )
    return Finding(
        f"A create request adds two animals: {creation.animal_id}, which the 201 named, and {double.animal_id}.",
        f"one animal with the name {creation.payload['name']}",
        f"ids {creation.animal_id} and {double.animal_id} in one list{other}",
        related=case.beside(creation.exchange, *(one.seen for one in chain)),
        excluded=tuple((COPIED, each.seen) for each in chain),
    )


RULES = {"create.once": added_once}
