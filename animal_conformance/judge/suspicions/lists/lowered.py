"""Lists that became permanently shorter: a cap that was lowered, or a list that leaves animals out."""

from __future__ import annotations

import json

from animal_conformance.judge.experiments import CAPPED, Create, Experiment, Read, Wait, once, two_like
from animal_conformance.judge.knowledge.absence import size_of
from animal_conformance.judge.knowledge.caps import unasked
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger


def growing(ledger: Ledger, page: Page, by_bytes: int = 0) -> tuple[Experiment, ...]:
    """Experiments on whether a query has room for more: add two animals, and ask for those that it no longer shows.

    :param by_bytes: by how much the query has to be longer than any page until now; where the two are not enough, a third
        one is added, like them but for a name of another animal that is so large.
    :returns: none if the run has created nothing that belongs in it.
    """
    made = [each for each in ledger.made[page.status] if each.reading.valid]
    like = next((each for each in made if "status" in each.payload), next(iter(made), None))
    if like is None:
        return ()
    target = page.exchange.request.target
    asked = (once(CAPPED, f"/pets/{each}", page.answered_s) for each in unasked(ledger, page))
    two = two_like(CAPPED, like.body, ledger.terms.settle_s, query=target)
    valid = (each for each in ledger.creations if each.reading.valid and size_of(each) >= by_bytes)
    large = min(valid, key=size_of, default=None)
    if large is None or by_bytes <= 2 * size_of(like):
        return (two, *asked)
    body = json.dumps({**like.payload, "name": large.payload["name"]})
    steps = (*two.steps, Create(body), Wait(ledger.terms.settle_s), Read(target))
    return (Experiment(CAPPED, steps), *asked)
