"""The same correct deployment is certified however full its store is, with what nobody could tell listed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Final

import pytest

from animal_conformance.judge.outcome import CONFORMS, decide, left_out
from animal_conformance.judge.verdicts import judge
from animal_conformance.record.exchange import Terms
from animal_conformance.reference.server import Options, load
from selftests.catalogue.clock import simulated
from selftests.catalogue.deployment import Deployment
from selftests.catalogue.judged import TODAY
from selftests.catalogue.script import Script


@dataclass(frozen=True)
class State:
    """A store at first, how often it was visited before, and the circumstance of each clause that is excused."""

    variant: str
    visits: int
    excused: dict[str, str]


STATES: Final = {
    "empty": State("store.empty", 0, {"animal.id.stable": "others.none"}),
    "as it is": State("store.page", 0, {}),
    "full": State("store.large", 0, {"list.complete": "list.full", "list.status.complete": "list.full"}),
    "visited": State("store.empty", 20, {"list.complete": "list.full", "list.status.complete": "list.full"}),
}


@pytest.mark.parametrize("name", STATES)
def test_a_correct_deployment_is_certified_in_every_state_of_its_store(name: str) -> None:
    """Each earlier visit leaves what it created, the oddest names included."""
    state = STATES[name]
    changes = load(Options(variants=(state.variant,)))
    with closing(Deployment(changes)) as deployment:
        for _ in range(state.visits):
            simulated(Script(deployment).run())
        earlier = len(deployment.exchanges)
        simulated(Script(deployment).run())
        exchanges = deployment.exchanges[earlier:]
    judgement = judge(exchanges, Terms(base_url=deployment.base_url, today=TODAY))
    excused = {each.clause.id: each.excuse.id for each in judgement.verdicts if each.excuse}
    assert (CONFORMS, "") == (decide(judgement, certify=True)[0], left_out(judgement))
    assert state.excused == excused
