"""Lists that became permanently shorter: a cap that was lowered, or a list that leaves animals out."""

from __future__ import annotations

from animal_conformance.judge.experiments import CAPPED, Experiment, once, two_like
from animal_conformance.judge.knowledge.caps import unasked
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger


def growing(ledger: Ledger, page: Page) -> tuple[Experiment, ...]:
    """Experiments on whether a query has room for more: add two animals, and ask for those that it no longer shows.

    :returns: none if the run has created nothing that belongs in it.
    """
    made = [each for each in ledger.made[page.status] if each.reading.valid]
    like = next((each for each in made if "status" in each.payload), next(iter(made), None))
    if like is None:
        return ()
    target = page.exchange.request.target
    asked = (once(CAPPED, f"/pets/{each}", page.answered_s) for each in unasked(ledger, page))
    return (two_like(CAPPED, like.body, ledger.terms.settle_s, query=target), *asked)
