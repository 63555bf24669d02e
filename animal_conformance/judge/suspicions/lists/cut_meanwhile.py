"""Whether pages that leave an animal out were cut for a time, although others of their query show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from animal_conformance.judge.case import Case
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.suspicions.lists.recurring import may_be_cut

# If pages have ended at this many lengths, their cap is not a number of items.
LENGTHS: Final = 3


def was_cut(case: Case, absences: Sequence[Page]) -> bool:
    """Whether pages were cut: a longer one of their query begins like them, and other lists showed its rest meanwhile.

    Only animals of others count. A node that lacks animals shows them in no list, so another list rules that out.
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
    """Whether pages of a query end anywhere: if their cap varies, some are the same three times by chance."""
    ends = [
        each for each in around if each.ids[: page.length] == page.ids or page.ids[: each.length] == each.ids
    ]
    varied = len({each.length for each in ends}) >= LENGTHS or _is_cut_with_another(case, page)
    return varied and may_be_cut(case, page, ends, page.sent_s)


def _is_cut_with_another(case: Case, page: Page) -> bool:
    """Whether lists with the filter and without it are cut at the same length, although they show different animals.

    A node that only has the animals of its unfiltered list would not show others with a filter.
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
