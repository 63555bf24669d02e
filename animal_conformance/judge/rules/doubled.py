"""Animals of the run that lists show under a second id that no 201 gave: added twice, kept though rejected, or copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from animal_conformance.judge.experiments import COPIED, Create, Experiment, Naming, Read, ReadCreated, Step
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.doubles import Double, Doubles

# If this many animals are there twice, each seen before the next was created, nobody else has copied them.
TIMES: Final = 3
# Where an animal is there twice, so many like it that are there once tell that it was copied. Where several are, it takes
# more: a proxy that repeats the requests to one of three nodes doubles a third of them.
FEW_SINGLES: Final = 3
SINGLES: Final = 12
SEVERAL: Final = 2


def added_once(case: Case) -> Opinion:
    """create.once: a create request adds one animal."""
    doubles = case.ledger.survey("doubles", lambda: Doubles(case.ledger))
    why = "A create request adds two animals: {own}, which the 201 named, and {other}."
    return _counted(case, doubles, why, lambda like: (_create(like),))


def kept_beside_its_namesake(case: Case) -> Opinion:
    """create.refusal.untraced: a creation that is rejected because its name is taken adds no second animal of that name."""
    doubles = case.ledger.survey("rejected doubles", lambda: Doubles(case.ledger, rejected=True))
    why = "A rejected create request has added animal {other}, beside animal {own}, which has its name."
    return _counted(
        case, doubles, why, lambda like: (_create(like), replace(_create(like), naming=Naming.SAME))
    )


def _create(like: Creation) -> Create:
    return Create(like.body, voice=like.exchange.request.voice)


def _counted(
    case: Case, doubles: Doubles, why: str, creations_of: Callable[[Creation], tuple[Create, ...]]
) -> Opinion:
    """What it means that a list shows doubles: a finding after three, each of them seen before the next was created.

    :param why: the finding in a sentence, with places for ``own`` and ``other``, the ids of an animal and its double.
    :param creations_of: the create requests with which the experiment tries to get a double of another animal.
    """
    page = case.ledger.completeness.by_exchange.get(id(case.exchange))
    if page is None:
        return None
    own = [creation for creation, _ in case.readback if str(creation.payload.get("name")) in doubles.given]
    if not own:
        return None
    shown = {each.payload["name"] for each in own}
    here = [
        double
        for animal_id in page.ids
        if (double := doubles.by_id.get(animal_id)) and double.creation.payload["name"] in shown
    ]
    if not here:
        return EVIDENCE
    if len(doubles.chain) >= TIMES:
        return _finding(case, doubles, why, here[0], doubles.chain[:TIMES])
    most = SINGLES if doubles.there_at_once >= SEVERAL else FEW_SINGLES
    open_ones = [
        each
        for each in doubles.tried
        if doubles.single(each.creation) < most and doubles.would_show(each.creation, each.seen)
    ]
    if not open_ones:
        return Explained(COPIED)
    like, seen = open_ones[0].creation, open_ones[0].seen.request.target
    finding, about = _finding(case, doubles, why, here[0], ()), f"animal {here[0].animal_id}"
    there_once = doubles.single(like)
    steps: list[Step] = []
    for number in range(TIMES if there_once < FEW_SINGLES else most - there_once):
        # Not always after as many requests: nodes may take turns.
        steps += [*creations_of(like), *([] if number % 2 else [ReadCreated()]), Read(seen)]
    return Suspicion(finding, about, (Experiment(COPIED, tuple(steps)),))


def _finding(case: Case, doubles: Doubles, why: str, double: Double, chain: Sequence[Double]) -> Finding:
    creation, shown = double.creation, case.by_id[double.animal_id].get("name")
    other = (
        "" if shown == creation.payload["name"] else f", the other with the name {shorten(as_json(shown))}"
    )
    return Finding(
        why.format(own=creation.animal_id, other=double.animal_id),
        f"one animal with the name {creation.payload['name']}",
        f"ids {creation.animal_id} and {double.animal_id} in one list{other}",
        related=case.beside(*doubles.requests_for(double)[:2], *(one.seen for one in chain)),
        excluded=tuple((COPIED, each.seen) for each in chain),
    )


RULES = {"create.once": added_once}
