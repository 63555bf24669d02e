"""The experiments that suspicions ask for, performed on a deployment in this process."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from animal_conformance.drive.experiments import asked_for
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.experiments import Create, Experiment, Read, ReadCreated, Wait
from animal_conformance.judge.hearing import hear
from animal_conformance.judge.plain import OWN_NAME
from animal_conformance.record.exchange import Terms
from selftests.catalogue.visitor import Visitor

MOST: Final = 3
ROUNDS: Final = 8


async def put_to_the_test(visitor: Visitor, terms: Terms) -> None:
    """Perform what is asked for, until nothing new is; each round twice as much as the one before at most."""
    done: set[object] = set()
    clauses = load_clauses().selected(terms.selected)
    for number in range(ROUNDS):
        new = asked_for(hear(visitor.deployment.exchanges, terms, clauses), done, MOST * 2**number)
        if not new:
            return
        done.update(new)
        await asyncio.gather(*(_perform(visitor, each) for each in new))


async def _perform(visitor: Visitor, experiment: Experiment) -> None:
    created = None
    for step in experiment.steps:
        if isinstance(step, Read):
            await visitor.send("GET", step.target)
        elif isinstance(step, Create):
            payload = json.loads(step.payload)
            own = OWN_NAME.fullmatch(payload.get("name") or "")
            named = {**payload, "name": visitor.name(own["rest"])} if own else payload
            created = created_id(await visitor.create(named))
        elif isinstance(step, ReadCreated):
            if created is not None:
                await visitor.get_pet(created)
        elif isinstance(step, Wait):
            await asyncio.sleep(step.seconds)
        else:
            await asyncio.sleep(max(0.0, step.time_s - asyncio.get_running_loop().time()))
