"""The experiments that suspicions ask for, performed on a deployment in this process."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any, Final

from animal_conformance.drive.experiments import asked_for
from animal_conformance.drive.voices import BY_NAME
from animal_conformance.interface.clauses import load_clauses
from animal_conformance.interface.reading import created_id
from animal_conformance.judge.experiments import (
    Again,
    Create,
    Experiment,
    Naming,
    Read,
    ReadAlone,
    ReadCreated,
    ReadEarlier,
    Wait,
    WaitUntil,
)
from animal_conformance.judge.hearing import Hearing, hear
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.plain import OWN_NAME, in_han, is_in_han
from animal_conformance.record.exchange import Terms
from selftests.catalogue.visitor import Visitor

MOST: Final = 3
ROUNDS: Final = 8


async def put_to_the_test(visitor: Visitor, terms: Terms) -> Hearing:
    """Perform the experiments that are asked for until there are no new ones, and return what the rules say then.

    Each round performs at most twice as many as the one before.
    """
    done: set[Experiment] = set()
    clauses, ledger = load_clauses().selected(terms.selected), Ledger(terms)
    for number in count():
        # They are in the order of their responses.
        for exchange in visitor.deployment.exchanges[len(ledger.exchanges) :]:
            ledger.learn(exchange)
        hearing = hear(ledger, clauses)
        new = asked_for(hearing, done, MOST * 2**number)
        if not new or number == ROUNDS:
            break
        done.update(new)
        apart = [each for each in new if any(isinstance(step, ReadEarlier) for step in each.steps)]
        await asyncio.gather(*(_as_an_item(visitor, each) for each in new if each not in apart))
        for each in apart:
            await _as_an_item(visitor, each)
    return hearing


async def _as_an_item(visitor: Visitor, experiment: Experiment) -> None:
    with visitor.deployment.item():
        await _perform(visitor, experiment)


async def _perform(visitor: Visitor, experiment: Experiment) -> None:
    created, name, served = None, None, False
    earlier: list[int | None] = []
    made_s: list[float] = []
    for step in experiment.steps:
        if isinstance(step, Read | ReadAlone):
            visitor.deployment.connection += isinstance(step, ReadAlone) or step.anew
            await visitor.send("GET", step.target)
        elif isinstance(step, Again):
            if step.until_served and served:
                continue
            request = step.request
            visitor.deployment.connection += step.anew
            answer = await visitor.send(
                request.method,
                request.target,
                request.body,
                credential=request.credential,
                form=request.form,
                headers=request.headers,
                voice=request.voice,
            )
            served = 0 < answer.status < 500
        elif isinstance(step, Create):
            if step.naming is Naming.RETRY and created is not None:
                continue
            visitor.deployment.connection += step.anew
            payload = _named(visitor, step, name)
            name = payload.get("name")
            created = created_id(await visitor.create_as(BY_NAME.get(step.voice), payload))
            earlier.append(created)
            made_s.append(asyncio.get_running_loop().time())
        elif isinstance(step, ReadCreated | ReadEarlier):
            animal_id = created if isinstance(step, ReadCreated) else earlier[-1 - step.before]
            if animal_id is not None:
                await visitor.get_pet(animal_id)
        elif isinstance(step, Wait):
            await asyncio.sleep(step.seconds)
        else:
            until_s = step.time_s if isinstance(step, WaitUntil) else made_s[-1 - step.before] + step.seconds
            await asyncio.sleep(max(0.0, until_s - asyncio.get_running_loop().time()))


def _named(visitor: Visitor, step: Create, before: object) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(step.payload)
    if step.naming in {Naming.SAME, Naming.RETRY}:
        return {**payload, "name": before}
    name = payload.get("name")
    own = OWN_NAME.fullmatch(name) if isinstance(name, str) else None
    if step.naming in {Naming.UNLIKE, Naming.USUAL}:
        return {**payload, "name": visitor.name()}
    if is_in_han(name):
        return {**payload, "name": in_han(visitor.name())}
    return {**payload, "name": own["front"] + visitor.name(own["rest"])} if own else payload
