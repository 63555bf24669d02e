"""Lists that are stored responses, and say how old they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from animal_conformance.judge.absence import added_by
from animal_conformance.judge.experiments import in_turns
from animal_conformance.judge.rules.case import Case, Explained, Finding, Opinion, Suspicion

if TYPE_CHECKING:
    from animal_conformance.judge.completeness import Page

CACHED: Final = "cached"
# A run waits this long for a stored response to expire; an older one is an excuse.
LONGEST_S: Final = 60.0


def stored(case: Case, page: Page) -> Opinion:
    """What it means that a page lacks animals that it may be too old to show."""
    age_s = page.exchange.sent_s - page.as_of_s
    if not age_s:
        return None
    ledger = case.ledger
    settled = {each.animal_id for each in added_by(ledger, page, page.as_of_s)}
    late = [
        each
        for each in added_by(ledger, page, page.exchange.sent_s)
        if each.animal_id not in page.id_set | settled
    ]
    alike = ledger.completeness.alike(page)
    shown = frozenset[int]().union(*(each.id_set for each in alike))
    if not late:
        return None
    if age_s > LONGEST_S or shown.issuperset(each.animal_id for each in late):
        return Explained(CACHED)
    newest_s = ledger.made[page.status][-1].exchange.answered_s
    fresh_s = newest_s + ledger.terms.settle_s + age_s
    if alike[-1].exchange.sent_s >= fresh_s:
        return None  # that page is judged itself
    hidden = next(each for each in late if each.animal_id not in shown)
    target = page.exchange.request.target
    return Suspicion(
        Finding(
            f"A stored list leaves out animals that were added, such as {hidden.animal_id}.",
            "every animal that the run added to it and that is still there",
            f"{page.length} animals at limit {page.limit}, as old as {age_s:.0f} s",
            related=(hidden.exchange,),
        ),
        f"the list {target}",
        (in_turns(CACHED, (target, f"/pets/{hidden.animal_id}"), fresh_s),),
    )
