"""Limits that count more than a list returns: rows that are hidden, or merged, after the limit was applied (reading 20).

A page of such a list is shorter than its limit although there are more animals behind it, and its length depends on
what is hidden: a longer page of its query does not show that it had room.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from animal_conformance.judge.experiments import CAPPED, Experiment, Read, WaitUntil
from animal_conformance.judge.knowledge.absence import is_by_age
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.order import ENOUGH, is_chosen_as_shown
from animal_conformance.judge.knowledge.standing import apart, stands_among_alike

# Fewer may be lists that are shorter now and then.
TIMES: Final = 2
# How many smaller limits an experiment asks for, from the length of a page downwards.
LIMITS: Final = 3


def is_thinned(ledger: Ledger, page: Page) -> bool | None:
    """Whether lists with a page's filter leave something out after the limit was applied; ``None`` if nothing tells.

    They do if lists with smaller limits are shorter than these limits, although lists before and after both show that
    many animals. They do not if one is full whose limit is about the length of the page: then the page leaves out only
    animals that stand behind its end.
    """
    controls: list[Page] = ledger.survey(
        ("controls", page.query), lambda: list(_controls(ledger, ledger.completeness.alike(page)))
    )
    if sum(0 < each.length < each.limit for each in controls) >= TIMES:
        return True
    full = any(each.length >= each.limit > page.length - LIMITS for each in controls)
    return False if full else None


def _controls(ledger: Ledger, alike: Sequence[Page]) -> Iterator[Page]:
    """Lists with the same filter and a smaller limit, where the query showed that many animals both before and after.

    Only animals count that replicas can no longer lack.
    """
    asked_s = [each.sent_s for each in alike]
    answered_s = sorted(each.answered_s for each in alike)
    by_answer = sorted(alike, key=lambda each: each.answered_s)
    for page in ledger.pages:
        if page.status != alike[0].status or page.limit >= alike[0].limit or not page.query_of_all:
            continue
        before, after = bisect_right(answered_s, page.sent_s) - 1, bisect_left(asked_s, page.answered_s)
        if before < 0 or after == len(alike):
            continue
        settled_s = page.as_of_s - ledger.terms.settle_s
        made = (ledger.animals[each].creation for each in by_answer[before].id_set & alike[after].id_set)
        if sum(each is None or each.answered_s <= settled_s for each in made) >= page.limit:
            yield page


def smaller_limits(page: Page, settle_s: float) -> Experiment:
    """Read lists with limits that a page's animals would fill, between two of its query, once these have settled."""
    target, longest = page.exchange.request.target, min(page.length, page.limit - 1)
    lengths = range(longest, max(0, longest - LIMITS), -1)
    limits = (Read(page.target_at(each)) for each in lengths)
    return Experiment(CAPPED, (WaitUntil(page.answered_s + settle_s), Read(target), *limits, Read(target)))


def stands_amid(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page shows older and newer animals of the run than one that it lacks, all in the order of their creation.

    Both include animals of its kind. As many as this takes, created one after another, are in that order or the reverse
    by chance once in 20,160 times.
    """
    own = [made for each in page.ids if (made := ledger.animals[each].creation) is not None]
    among = stands_among_alike(ledger, page, creation) and is_by_age(ledger, page)
    return among and len(apart(own)) >= ENOUGH and is_chosen_as_shown(ledger, page.status)
