"""Animals of the run that lists show under a second id, which no 201 has given: added twice, or copied."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from animal_conformance.judge.case import EVIDENCE, Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import Create, Experiment, Read, ReadCreated
from animal_conformance.judge.knowledge.plain import is_own, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from animal_conformance.judge.knowledge.ledger import Creation, Ledger
    from animal_conformance.record.exchange import Exchange

COPIED: Final = "copied"
# So many animals that are there twice, each seen before the next was created, were not copied by somebody.
TIMES: Final = 3


class Double(NamedTuple):
    """An animal with a name that the run has made up, under an id that it was not given, and the list that showed it first."""

    animal_id: int
    creation: Creation
    seen: Exchange


class Doubles:
    """The doubles in a trace."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @cached_property
    def given(self) -> Mapping[str, Sequence[Creation]]:
        """The creations by their names, where each request with the name was accepted: a lost one may have added another.

        The first animal's id is mixed into the names: before it, an earlier run may have used the same ones.
        """
        names, creations = self._ledger.names, self._ledger.creations
        unique_s = creations[0].exchange.answered_s if creations else 0.0
        given: dict[str, list[Creation]] = defaultdict(list)
        for each in creations:
            name = each.payload.get("name")
            if not isinstance(name, str) or not is_own(name) or each.exchange.sent_s < unique_s:
                continue
            if name not in names.unclear and name not in names.refused and name not in names.unauthorised:
                given[name].append(each)
        return given

    @cached_property
    def by_id(self) -> Mapping[int, Double]:
        """The doubles by their ids."""
        doubles: dict[int, Double] = {}
        for animal in self._ledger.animals.values():
            for each in () if animal.creations else animal.listed:
                made = self.given.get(str(each.animal.get("name")))
                if made:
                    doubles.setdefault(animal.animal_id, Double(animal.animal_id, made[0], each.first))
        return doubles

    @cached_property
    def chain(self) -> Sequence[Double]:
        """Those of animals that were created one after another, each when the double before it had been seen."""
        chain: list[Double] = []
        for each in sorted(self.by_id.values(), key=lambda each: each.seen.answered_s):
            if not chain or each.creation.exchange.sent_s >= chain[-1].seen.answered_s:
                chain.append(each)
        return chain

    @cached_property
    def tried(self) -> Sequence[Creation]:
        """The first and the last creation with a double: who copies animals has copied both, whatever they are like."""
        made = sorted((each.creation for each in self.by_id.values()), key=lambda each: each.exchange.sent_s)
        return [made[0], made[-1]]

    def single(self, like: Creation) -> int:
        """How many animals like one that were created since the first double was seen have none, and were listed."""
        since_s = min(each.seen.answered_s for each in self.by_id.values())
        doubled = {each.creation.payload["name"] for each in self.by_id.values()}
        return sum(
            name not in doubled
            and made[0].exchange.sent_s >= since_s
            and _kind(made[0]) == _kind(like)
            and bool(self._ledger.animals[made[0].animal_id].listed)
            for name, made in self.given.items()
        )


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


def _kind(creation: Creation) -> tuple[str, str]:
    """What creations may be added twice for: the client, and everything of the payload but its unique name."""
    return creation.exchange.request.voice, kind_of(creation.payload)


def _finding(case: Case, double: Double, chain: Sequence[Double]) -> Finding:
    creation = double.creation
    return Finding(
        f"A create request adds two animals: {creation.animal_id}, which the 201 named, and {double.animal_id}.",
        f"one animal with the name {creation.payload['name']}",
        f"ids {creation.animal_id} and {double.animal_id} in one list",
        related=tuple(
            dict.fromkeys(
                each
                for each in (creation.exchange, *(one.seen for one in chain))
                if each is not case.exchange
            )
        ),
        excluded=tuple((COPIED, each.seen) for each in chain),
    )


RULES = {"create.once": added_once}
