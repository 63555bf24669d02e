"""A status that is rejected in one category and accepted in another: for a quota of the status, or always."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import Final

from animal_conformance.judge.experiments import UNWELCOME, Create, Experiment, Naming
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange

# How often both categories are asked in turns: a quota would not have places each time for one of them alone.
TURNS: Final = 3


def accepted_in_turns(ledger: Ledger, category_id: int, status: str | None) -> Sequence[Exchange] | None:
    """The creations with a status that another category accepted right after this one had rejected the status.

    :returns: ``None`` if a quota may be the reason: this category has accepted the status at some time, or since then
        another one that accepts it has rejected it as well.
    """
    others = _accepting(ledger, status)
    if category_id in others:
        return None
    trials = sorted(
        (each for each in ledger.plain_trials if each.status == status), key=lambda each: each.sent_s
    )
    since_s = min((each.answered_s for each in trials if each.category_id == category_id), default=inf)
    turns = [
        each for each in trials if each.category_id in {category_id, *others} and each.answered_s >= since_s
    ]
    if any(not each.accepted for each in turns if each.category_id != category_id):
        return None
    return [
        then.exchange
        for each, then in pairwise(turns)
        if not each.accepted and then.accepted and each.answered_s <= then.sent_s
    ]


def both_in_turns(ledger: Ledger, category_id: int, status: str | None) -> Experiment:
    """Create animals with a status in turns in a category that rejects it and in the first one that accepted it."""
    stated = {} if status is None else {"status": status}
    both = (category_id, _accepting(ledger, status)[0])
    turn = [json.dumps({"name": "", "categoryId": each, **stated}) for each in both]
    return Experiment(UNWELCOME, tuple(Create(each, Naming.UNLIKE) for each in turn * TURNS))


def _accepting(ledger: Ledger, status: str | None) -> list[int]:
    """The categories in which a status was accepted, the first one first."""
    accepted = (each.category_id for each in ledger.plain_trials if each.accepted and each.status == status)
    return list(dict.fromkeys(accepted))
