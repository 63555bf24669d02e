"""Animals that the last page of a query lacks, between an older one of their kind and a newer one of the run.

Too few of the kind are shown to tell whether the page was cut before them.
"""

from __future__ import annotations

from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import (
    CAPPED,
    TURNS,
    WITHDRAWN,
    Create,
    Experiment,
    Read,
    Wait,
    once,
)
from animal_conformance.judge.knowledge.absence import added_by, is_gone, is_told_since
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.order import is_behind, is_chosen_as_shown, is_no_choice
from animal_conformance.judge.knowledge.standing import (
    ENOUGH_ALIKE,
    alike_on,
    are_by_age,
    is_unchanged,
    kind_as_created,
    stands_among_many_alike,
)
from animal_conformance.judge.suspicions.lists.frozen import full_frozen

# This many animals that a page lacks are asked for at once.
AT_ONCE: Final = 3


def passed_over(case: Case, page: Page) -> Opinion:
    """What it means that the last page of a query lacks an animal, and may have been cut before it.

    It may have been withdrawn before the page, so it is asked for first. If the page shows older animals of its kind,
    others are created that are newer: between many of a kind, in the order of their creation, no animal of this kind
    can be missing. See :func:`order.out_of_front`, which then tells. A full list that never changes is told first: see
    :func:`full_frozen`.
    """
    ledger = case.ledger
    if page is not ledger.completeness.alike(page)[-1] or ledger.get_pet_is_removed:
        return None
    stale = None if page.ends_early else full_frozen(case, page)
    if stale is not None:
        return stale
    lacking = [each for each in added_by(ledger, page, page.as_of_s) if _may_be_passed_over(case, page, each)]
    lacking.sort(key=lambda each: len(alike_on(ledger, page, each)), reverse=True)
    creation = next(iter(lacking), None)
    if creation is None or stands_among_many_alike(ledger, page, creation):
        return None
    if not is_chosen_as_shown(ledger, page.status) or not is_no_choice(ledger, page):
        return None
    kind = kind_as_created(ledger, creation)
    newer = [each for each in ledger.creations if _is_newer(each, creation)]
    if sum(kind_as_created(ledger, each) == kind for each in newer) >= ENOUGH_ALIKE:
        return Explained(CAPPED)
    about, finding = f"animal {creation.animal_id}", _finding(page, creation)
    if is_told_since(ledger, page, creation.animal_id):
        return Suspicion(finding, about, (_crowd(page, creation, ledger.terms.settle_s),))
    ids = [each.animal_id for each in lacking if not is_told_since(ledger, page, each.animal_id)]
    asked = (once(WITHDRAWN, f"/pets/{each}", page.answered_s) for each in ids[:AT_ONCE])
    return Suspicion(finding, about, tuple(asked))


def _may_be_passed_over(case: Case, page: Page, creation: Creation) -> bool:
    ledger, animal_id = case.ledger, creation.animal_id
    alike = alike_on(ledger, page, creation)
    return (
        animal_id not in page.id_set
        and any(_is_newer(creation, each) for each in alike)
        and are_by_age(alike)
        and any(_is_newer(made, creation) for each in page.ids for made in ledger.animals[each].creations)
        and is_unchanged(ledger, creation)
        and not is_gone(ledger, page, animal_id)
        and not is_behind(ledger, page, creation)
    )


def _is_newer(creation: Creation, other: Creation) -> bool:
    return other.answered_s <= creation.sent_s


def _crowd(page: Page, creation: Creation, settle_s: float) -> Experiment:
    """Create many animals of the kind, and, once they have settled, read the list in turns with the one that it lacks."""
    turn = (Read(page.exchange.request.target), Read(f"/pets/{creation.animal_id}"))
    return Experiment(CAPPED, (*(Create(creation.body),) * ENOUGH_ALIKE, Wait(settle_s), *turn * TURNS))


def _finding(page: Page, creation: Creation) -> Finding:
    return Finding(
        f"{page.words} leaves out animal {creation.animal_id}, between older and newer ones of its kind.",
        "every animal that the run added to it, up to the end of the page",
        page.without(creation.animal_id),
        related=page.beside(creation.exchange),
    )
