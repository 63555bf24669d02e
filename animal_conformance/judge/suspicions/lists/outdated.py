"""Full lists that are as they were before the newest animals were added, again and again, between others that show them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import LAGGING, SAMPLED, repeated
from animal_conformance.judge.knowledge.absence import has_left_filter
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# How often a list has to be outdated, each time between others that show the animal.
TIMES: Final = 2
# How many reads an experiment has, each on a new connection: any one of three workers answers at least one of them in 998
# of 1,000 cases, and all three do in 995. Smaller lists are read often enough without an experiment.
READS: Final = 16
# How many animals two pages have to have in common, in the same order.
FEWEST_ANIMALS: Final = 3


def outdated(case: Case, page: Page) -> Opinion:
    """What it means that a list is the one before it, but without the animals at its front, which later lists show again.

    They have settled. A cap cuts the end of a list, and another order does not leave all others in theirs. Where lists go
    round the store, others show newer animals behind older ones meanwhile. A replica that lagged behind once is no
    finding; one that never catches up answers again in an experiment (readings 11 and 16).
    """
    ledger = case.ledger
    alike = ledger.completeness.alike(page)
    key = "outdated", page.query
    old, animal_id = ledger.survey(key, lambda: _outdated(ledger, alike))
    if not old or page is not old[-1]:
        return None
    shown = next(each for each in reversed(alike) if each.sent_s < page.sent_s and animal_id in each.id_set)
    if any(
        _is_in_another_order(one, after) for one, after in combinations(_around(alike, old, animal_id), 2)
    ):
        return Explained(SAMPLED)
    finding = Finding(
        f"A full list is as it was before animal {animal_id} was added, in turns with lists that show it.",
        "a list that shows no earlier state again, once replicas have settled",
        page.without(animal_id),
        related=page.beside(*(each.exchange for each in (*old[:-1], shown))),
        excluded=tuple((LAGGING, each.exchange) for each in old[TIMES - 1 : TIMES]),
    )
    if len(old) >= TIMES:
        return finding
    if page.limit < case.contract.limit_maximum:
        return None
    if sum(each.sent_s > page.answered_s for each in alike) >= READS:
        return Explained(LAGGING)
    target = page.exchange.request.target
    return Suspicion(finding, f"the list {target}", (repeated(LAGGING, target, READS, page.answered_s),))


def _outdated(ledger: Ledger, alike: list[Page]) -> tuple[list[Page], int]:
    """The pages of a query that leave out an animal, each with one that shows it before and after it; and the animal."""
    first_on: dict[int, Page] = {}
    last_on: dict[int, Page] = {}
    absences: dict[int, Page] = {}
    confirmed: dict[int, list[Page]] = {}
    latest = alike[0]
    for each in alike:
        # The last page with the first animal of this one may show it near its end, with too few behind it to compare: then
        # the first page that showed it further back is used.
        befores = [on[each.ids[0]] for on in (last_on, first_on) if each.ids and each.ids[0] in on]
        front = next(filter(None, (_front_left_out(ledger, before, each) for before in befores)), [])
        if front:
            # What has pushed the animals of the front out of the list since is left out as well.
            for animal_id in (*front, *_settled(ledger, each, latest.ids)):
                absences.setdefault(animal_id, each)
            continue
        latest = each
        last_on.update(dict.fromkeys(each.ids, each))
        for animal_id in each.ids[1:]:
            first_on.setdefault(animal_id, each)
        for animal_id in [one for one in absences if one in each.id_set]:
            old = absences.pop(animal_id)
            if _may_follow(ledger, old, each, animal_id):
                confirmed.setdefault(animal_id, []).append(old)
        # A full page that shows neither an animal nor any newer one is no earlier state: lists go round the store.
        for animal_id in [
            one for one in absences if not each.ends_early and not _shows_newer(ledger, each, one)
        ]:
            del absences[animal_id]
    animal_id = max(confirmed, key=lambda each: len(confirmed[each]), default=0)
    return confirmed.get(animal_id, []), animal_id


def _around(alike: list[Page], old: list[Page], animal_id: int) -> Iterable[Page]:
    """The pages of a query since the first one that left out an animal, up to the one that shows it after the last."""
    for page in alike[alike.index(old[0]) :]:
        yield page
        if page.sent_s > old[-1].sent_s and animal_id in page.id_set:
            return


def _is_in_another_order(page: Page, other: Page) -> bool:
    """Whether the animals of one page are in another order on the other one, as where lists go round the store."""
    return [each for each in page.ids if each in other.id_set] != [
        each for each in other.ids if each in page.id_set
    ]


def _front_left_out(ledger: Ledger, before: Page, page: Page) -> list[int]:
    """The settled animals of the run at the front of a full page that another leaves out, with the others in their order."""
    if page.ends_early or page.length != before.length:
        return []
    at = before.ids.index(page.ids[0])
    front, rest = before.ids[:at], before.ids[at:]
    if len(rest) < FEWEST_ANIMALS or page.ids[: len(rest)] != rest or not page.id_set.isdisjoint(front):
        return []
    return _settled(ledger, page, front)


def _may_follow(ledger: Ledger, old: Page, page: Page, animal_id: int) -> bool:
    """Whether a list may have become another one, with no animal in front of a new one that is older and was not shown."""
    creation = ledger.animals[animal_id].creation
    front = page.ids[: page.ids.index(animal_id)]
    return creation is not None and all(
        each in old.id_set or ledger.animals[each].known_since_s >= creation.sent_s for each in front
    )


def _shows_newer(ledger: Ledger, page: Page, animal_id: int) -> bool:
    """Whether a page shows an animal that the run has created after another one, which may have been pushed out."""
    creation = ledger.animals[animal_id].creation
    made = (ledger.animals[each].creation for each in page.ids)
    return creation is not None and any(each.answered_s > creation.answered_s for each in made if each)


def _settled(ledger: Ledger, page: Page, ids: Iterable[int]) -> list[int]:
    """Those of some animals that a page leaves out, although the run had added them before replicas had to have them."""
    settled_s = page.as_of_s - ledger.terms.settle_s
    made = (
        (each, ledger.animals[each].creation)
        for each in ids
        if each not in page.id_set and not has_left_filter(ledger, page, each)
    )
    return [animal_id for animal_id, creation in made if creation and creation.answered_s <= settled_s]
