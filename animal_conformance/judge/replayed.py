"""Whether a finding still occurs when its requests have been sent again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from animal_conformance.judge.case import Finding
from animal_conformance.judge.hearing import Hearing, hear_in_steps
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.record.exchange import Exchange, Terms


class Unseen(Enum):
    """A finding that was not seen again."""

    GONE = "gone"
    """The exchanges that showed it do not show it any more."""

    UNTOLD = "untold"
    """The exchanges never showed it by themselves, so nothing follows from them."""


def seen_again(
    clause_id: str,
    recorded: Sequence[Exchange],
    sent: Sequence[Exchange],
    terms: Terms,
    context: Sequence[Exchange] = (),
) -> Finding | Unseen:
    """The finding on what was sent again, or why there is none.

    Many findings depend on the whole run, such as one on a response with an animal that an earlier list showed: by
    themselves, their exchanges say nothing, whatever the responses are. They are judged as if the run had gone on.

    :param recorded: the exchanges of the finding.
    :param sent: the exchanges with the same requests, sent again to any deployment.
    :param context: all exchanges of the run that had the finding, where these were sent to the same deployment.
    """
    if finding := _finding(clause_id, hearing_of(clause_id, sent, terms)):
        return finding
    if _finding(clause_id, hearing_of(clause_id, recorded, terms)):
        return Unseen.GONE
    if not context:
        return Unseen.UNTOLD
    hearing = hearing_of(clause_id, _after(context, sent, terms), terms, context)
    if finding := _finding(clause_id, hearing):
        return finding
    return Unseen.GONE if hearing.tallies[clause_id].evidence else Unseen.UNTOLD


def hearing_of(
    clause_id: str, about: Sequence[Exchange], terms: Terms, context: Sequence[Exchange] = ()
) -> Hearing:
    """What the rule of a clause says of exchanges, with all that is known from others."""
    ledger = Ledger.of([*context, *about], terms)
    *_, hearing = hear_in_steps(ledger, {clause_id}, about=about)
    return hearing


def _finding(clause_id: str, hearing: Hearing) -> Finding | None:
    """The first finding, else that of a suspicion: the experiments that could decide it belong to the run alone."""
    tally = hearing.tallies[clause_id]
    found = [each.finding for each in tally.found]
    suspected = [each.suspicion.finding for each in tally.suspected]
    return next(iter([*found, *suspected]), None)


def _after(context: Sequence[Exchange], sent: Sequence[Exchange], terms: Terms) -> list[Exchange]:
    """Exchanges with numbers and times moved behind those of a run, and behind its settling time."""
    number = 1 + max(each.sequence for each in context)
    end_s = max(each.answered_s for each in context) + terms.settle_s
    return [
        replace(
            each, sequence=number + at, step=1, sent_s=end_s + each.sent_s, answered_s=end_s + each.answered_s
        )
        for at, each in enumerate(sent)
    ]
