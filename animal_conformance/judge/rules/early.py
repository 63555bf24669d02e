"""Lists that are too early to show what was added: replicas may lag, and stored responses say how old they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from animal_conformance.judge.absence import added_by, stops
from animal_conformance.judge.experiments import in_turns
from animal_conformance.judge.presence import LONGEST_S
from animal_conformance.judge.rules.case import Case, Explained, Finding, Opinion, Suspicion

if TYPE_CHECKING:
    from animal_conformance.judge.completeness import Page

CACHED: Final = "cached"
LAGGING: Final = "lagging"


def too_early(case: Case, page: Page) -> Opinion:
    """What it means that the last page of a query lacks animals that it may be too old to show: it is requested again.

    That later page is judged itself.
    """
    ledger, sent_s = case.ledger, page.exchange.sent_s
    alike, age_s = ledger.completeness.alike(page), sent_s - page.as_of_s
    settled = {each.animal_id for each in added_by(ledger, page, page.as_of_s)}
    made = added_by(ledger, page, sent_s + ledger.terms.settle_s)
    late = [each for each in made if each.animal_id not in page.id_set | settled]
    if not late:
        return None
    shown = frozenset[int]().union(*(each.id_set for each in alike))
    hidden = [each for each in late if each.animal_id not in shown]
    if age_s > LONGEST_S or (age_s and not hidden):
        return Explained(CACHED)
    if not hidden or page is not alike[-1] or stops(ledger, page):
        return None
    target = page.exchange.request.target
    fresh_s = late[-1].exchange.answered_s + ledger.terms.settle_s + age_s
    finding = Finding(
        f"A list leaves out animals that were added, such as {hidden[0].animal_id}.",
        "every animal that the run added to it and that is still there",
        f"{page.length} animals at limit {page.limit}",
        related=(hidden[0].exchange,),
    )
    experiment = in_turns(CACHED if age_s else LAGGING, (target, f"/pets/{hidden[0].animal_id}"), fresh_s)
    return Suspicion(finding, f"the list {target}", (experiment,))
