"""Lists that became permanently shorter: a cap that was lowered, or a list that leaves animals out."""

from __future__ import annotations

from math import ceil
from typing import Final

from animal_conformance.judge.experiments import CAPPED, Create, Experiment, Read, Wait, once, two_like
from animal_conformance.judge.knowledge.absence import size_of
from animal_conformance.judge.knowledge.caps import unasked
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# No more than so many are added beside the two: more would be a burden to the deployment.
MANY: Final = 8


def growing(ledger: Ledger, page: Page, by_bytes: int = 0) -> tuple[Experiment, ...]:
    """Experiments on whether a query has room for more: add two animals, and ask for those that it no longer shows.

    :param by_bytes: by how much the query has to be longer than any page until now; further animals are added for that.
    :returns: none if the run has created nothing that belongs in it.
    """
    made = [each for each in ledger.made[page.status] if each.reading.valid]
    like = next((each for each in made if "status" in each.payload), next(iter(made), None))
    if like is None:
        return ()
    target = page.exchange.request.target
    asked = (once(CAPPED, f"/pets/{each}", page.answered_s) for each in unasked(ledger, page))
    two = two_like(CAPPED, like.body, ledger.terms.settle_s, query=target)
    further = ceil(by_bytes / size_of(like)) - 2
    if not 0 < further <= MANY:
        return (two, *asked)
    steps = (*two.steps, *(Create(like.body),) * further, Wait(ledger.terms.settle_s), Read(target))
    return (Experiment(CAPPED, steps), *asked)
