"""Lists that are one of the same few: an animal comes and goes with the worker, replica or cache that answers."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

from animal_conformance.judge.experiments import repeated
from animal_conformance.judge.rules.case import Case, Finding, Opinion, Suspicion

if TYPE_CHECKING:
    from animal_conformance.judge.completeness import Page
    from animal_conformance.judge.ledger import Creation

SAMPLED: Final = "sampled"
# How many pages count, from the first one without the animal.
READS: Final = 20
# A choice by chance of so many animals is hardly ever the same twice; a choice of fewer is not the same for all the
# others in every page.
FEWEST_ANIMALS: Final = 25
FEWEST_OTHERS: Final = 5
# How often two pages have to be returned, and in how many turns.
TIMES: Final = 4
TURNS: Final = 4


def comes_and_goes(case: Case, page: Page, creation: Creation) -> Opinion:
    """What it means that a query leaves an animal out and shows it later, and in turns, after settling.

    A choice varies from one response to the next. Where two pages, the same but for the animal and what was added
    with it, are returned again and again in turns, each is what a worker or a replica keeps: the longer one shows that
    nothing cut the other.
    """
    ledger, animal_id = case.ledger, creation.animal_id
    alike = ledger.completeness.alike(page)
    if all(animal_id not in each.id_set for each in alike):
        return None
    settled_s = creation.exchange.answered_s + ledger.terms.settle_s
    alike = [
        each for each in alike if each.as_of_s >= settled_s and (each.ends_early or animal_id in each.id_set)
    ]
    shown = [animal_id in each.id_set for each in alike]
    if False not in shown or True not in shown[shown.index(False) :]:
        return None
    if page.status is not None and _is_unlisted(case, page, settled_s, animal_id):
        return None
    first = shown.index(False)
    pages = alike[first : first + READS]
    known = [
        frozenset(each for each in every.ids if ledger.animals[each].known_since_s < pages[0].exchange.sent_s)
        for every in pages
    ]
    finding = _finding(page, creation, pages, known)
    if finding is not None:
        return finding
    if len(pages) == READS or max(map(len, known)) < FEWEST_OTHERS:
        return None
    experiment = repeated(SAMPLED, page.exchange.request.target, READS)
    return Suspicion(_told(page, creation, [page]), f"animal {animal_id}", (experiment,))


def _is_unlisted(case: Case, page: Page, settled_s: float, animal_id: int) -> bool:
    """Whether lists without the filter leave an animal out as well, which is covered by list.complete."""
    beside = (each for each in case.ledger.completeness.beside(page) if each.as_of_s >= settled_s)
    return any(each.ends_early and animal_id not in each.id_set for each in beside)


def _finding(
    page: Page, creation: Creation, pages: list[Page], known: list[frozenset[int]]
) -> Finding | None:
    often = [each for each, times in Counter(known).most_common() if times >= TIMES]
    showing = next((each for each in often if creation.animal_id in each), frozenset())
    lacking = next((each for each in often if creation.animal_id not in each and each < showing), None)
    if lacking is None:
        return None
    if len(showing) < (FEWEST_OTHERS if len(set(known)) == 2 else FEWEST_ANIMALS):
        return None
    both = [(every, ids) for every, ids in zip(pages, known, strict=True) if ids in {lacking, showing}]
    turns = [next(group)[0] for _, group in groupby(both, key=lambda each: each[1])]
    return _told(page, creation, turns[:TURNS]) if len(turns) >= TURNS else None


def _told(page: Page, creation: Creation, turns: list[Page]) -> Finding:
    return Finding(
        f"A list shows animal {creation.animal_id} in some responses and leaves it out of others, and each of them "
        "is repeated exactly: it depends on the worker, replica or cache that answers.",
        "an animal that was created is in every list that has room for it",
        f"{page.length} animals at limit {page.limit}, {creation.animal_id} not among them",
        related=tuple(
            dict.fromkeys(
                (creation.exchange, *(each.exchange for each in turns if each.exchange is not page.exchange))
            )
        ),
        excluded=tuple((SAMPLED, each.exchange) for each in turns[-1:]),
    )
