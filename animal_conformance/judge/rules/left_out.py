"""Animals that lists have shown and show no longer, although getPet goes on returning them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from animal_conformance.judge.absence import found_by_get, turns_of
from animal_conformance.judge.experiments import in_turns, once
from animal_conformance.judge.presence import LONGEST_S, NOT_FOUND
from animal_conformance.judge.rules.case import Case, Explained, Finding, Opinion, Suspicion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from animal_conformance.judge.absence import Turns
    from animal_conformance.judge.completeness import Page
    from animal_conformance.record.exchange import Exchange

CAPPED: Final = "capped"
SAMPLED: Final = "sampled"
WITHDRAWN: Final = "withdrawn"
# Of all that have left a list, so many are asked for: those that getPet has returned since come first.
SAMPLE: Final = 3
# Pages that are unlike each other this often, asked in turns, are a choice.
UNLIKE: Final = 3


def left_out(case: Case, page: Page) -> Opinion:
    """What it means that the last list without a filter lacks animals which earlier ones show: they may be withdrawn.

    It is a finding if getPet returns one in turns with lists that lack it, and the query has returned longer pages, so
    that nothing cuts these.
    """
    ledger, alike = case.ledger, case.ledger.completeness.alike(page)
    if page.status is not None or page is not alike[-1] or ledger.get_removed:
        return None
    opinions = []
    for animal_id in _sample(case, page):
        absent = list(takewhile(lambda each: animal_id not in each.id_set, reversed(alike)))[::-1]  # noqa: B023 - at once
        settled_s = absent[0].exchange.answered_s + ledger.terms.settle_s
        absences = [each for each in absent if each.ends_early and each.as_of_s >= settled_s]
        got = found_by_get(ledger, animal_id, None)
        turns = turns_of(ledger, absences, got)
        if turns.complete:
            return _finding(case, page, animal_id, turns)
        opinions.append(_suspected(case, page, animal_id, turns, settled_s))
    told = [each for each in opinions if isinstance(each, Suspicion)]
    return next(iter(told or opinions), None)


def _sample(case: Case, page: Page) -> list[int]:
    """Animals that earlier pages of a query show and its last one lacks, although it had room for each of them."""
    ledger = case.ledger
    settled_s = page.as_of_s - ledger.terms.settle_s

    def lost() -> Iterator[int]:
        shown = {each for before in ledger.completeness.alike(page)[:-1] for each in before.ids}
        for animal_id in sorted(shown - page.id_set):
            animal = ledger.animals[animal_id]
            sizes = [len(repr(each.animal)) for each in animal.listed]
            if animal.known_since_s <= settled_s and ledger.completeness.longer(page, 2 * max(sizes)):
                yield animal_id

    def rank(animal_id: int) -> tuple[bool, int]:
        got = ledger.gets[animal_id][-1:]
        return not any(each.sent_s >= page.exchange.answered_s for each in got), animal_id

    return sorted(lost(), key=rank)[:SAMPLE]


def _suspected(case: Case, page: Page, animal_id: int, turns: Turns, settled_s: float) -> Opinion:
    asked = [each for each in case.ledger.gets[animal_id] if each.sent_s >= page.exchange.answered_s]
    if turns.unlike >= UNLIKE:
        return Explained(SAMPLED)
    if any(each.response is not None and each.response.status in NOT_FOUND for each in asked):
        return Explained(WITHDRAWN)
    finding, about = _finding(case, page, animal_id, turns), f"animal {animal_id}"
    if not asked:
        return Suspicion(finding, about, (once(WITHDRAWN, f"/pets/{animal_id}"),))
    if page.exchange.sent_s - page.as_of_s > LONGEST_S:
        return None
    targets = (page.exchange.request.target, f"/pets/{animal_id}")
    return Suspicion(finding, about, (in_turns(SAMPLED, targets, settled_s),))


def _finding(case: Case, page: Page, animal_id: int, turns: Turns) -> Finding:
    longer = case.ledger.completeness.longer(page)
    excluded: list[tuple[str, Exchange]] = [] if longer is None else [(CAPPED, longer.exchange)]
    excluded += [(SAMPLED, each.exchange) for each in turns.absences[-1:]]
    excluded += [(WITHDRAWN, each) for each in turns.shown[-1:]]
    shown = [each.first for each in case.ledger.animals[animal_id].listed[:1]]
    return Finding(
        f"A list no longer shows animal {animal_id}, which getPet goes on returning.",
        f"animal {animal_id} among the animals, or 404 for it",
        f"{page.length} animals at limit {page.limit}, {animal_id} not among them",
        related=tuple(dict.fromkeys((*shown, *(each for _, each in excluded if each is not page.exchange)))),
        excluded=tuple(excluded),
    )
