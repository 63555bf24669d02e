"""Whether pages that leave an animal out were cut at that time, although others of their query show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from animal_conformance.judge.case import Case
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.suspicions.lists.recurring import may_be_cut

# Where pages have ended at so many lengths, no number of items is the cap.
LENGTHS: Final = 3


def was_cut(case: Case, absences: Sequence[Page]) -> bool:
    """Whether pages were cut then: a longer one of their query begins like them, and shows what other lists did meanwhile.

    A node that has no more animals than it lists without a filter lists no others with one.
    """
    page, lists = absences[0], case.ledger.completeness
    longer = [
        each
        for each in lists.alike(page)
        if each.length > page.length and each.ids[: page.length] == page.ids
    ]
    behind = set().union(*(each.id_set for each in longer)) - page.id_set
    from_s, until_s = page.sent_s, absences[-1].answered_s
    others = {each for each in behind if not case.ledger.animals[each].creations}
    return any(
        from_s <= each.sent_s <= until_s and not others.isdisjoint(each.id_set)
        for each in lists.pages
        if each.query != page.query
    )


def is_cut_by_chance(case: Case, page: Page, around: list[Page]) -> bool:
    """Whether pages of a query end anywhere: where their cap varies, some are alike three times by chance."""
    ends = [
        each for each in around if each.ids[: page.length] == page.ids or page.ids[: each.length] == each.ids
    ]
    varied = len({each.length for each in ends}) >= LENGTHS or _is_cut_with_another(case, page)
    return varied and may_be_cut(case, page, ends, page.sent_s)


def _is_cut_with_another(case: Case, page: Page) -> bool:
    """Whether lists with the filter and without it are cut at the same length, although neither shows all of the other.

    A node that has no more animals than it lists without a filter lists none besides with one.
    """
    lists = case.ledger.completeness
    return any(
        each.length == page.length
        and each.ends_early
        and (each.status is None) != (page.status is None)
        and each.id_set != page.id_set
        and any(
            before.length > each.length and before.ids[: each.length] == each.ids
            for before in lists.alike(each)
            if before.answered_s <= each.sent_s
        )
        for each in lists.pages
    )
