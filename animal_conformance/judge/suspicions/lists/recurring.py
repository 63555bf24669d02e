"""Lists that are one of the same few: an animal comes and goes with the worker, replica or cache that answers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import dropwhile, groupby, pairwise
from math import inf
from typing import Final

from animal_conformance.judge.case import Case, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CAPPED, SAMPLED, Experiment, Read, repeated
from animal_conformance.judge.knowledge.absence import has_left_filter, size_of
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.caps import (
    OTHER_LIMITS,
    TIMES_ASKED,
    cap_of_some_nodes,
    may_be_cap_of_some,
)
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.order import leaves_out

# How many pages in a row are compared with each other.
READS: Final = 20
# How many are compared, step by step, if the page without the animal is seldom returned, but is the same each time.
MORE_READS: Final = (50, 100)
SELDOM: Final = 2
# A random choice of this many animals is hardly ever the same twice; a choice of fewer does not agree on all other
# animals in every page.
FEWEST_ANIMALS: Final = 25
FEWEST_OTHERS: Final = 10
# How often two pages have to be returned, and in how many turns; and what share of all pages has to recur as often.
TIMES: Final = 4
TURNS: Final = 4
MOST: Final = 0.95
# A node that is behind returns one beginning of the list; a scan that stops after a while returns many.
BEGINNINGS: Final = 2
# Nodes of two versions may have different caps, whatever the limit. Each limit comes so often in a row: if they took turns,
# and nodes do too, each limit might always meet the same node.
OF_NODES: Final = Experiment(
    CAPPED,
    tuple(Read(f"/pets?limit={each}", anew=True) for each in OTHER_LIMITS for _ in range(TIMES_ASKED)),
)


def comes_and_goes(case: Case, page: Page, creation: Creation) -> Opinion:
    """What it means that a query leaves an animal out and shows it later, and in turns, after settling.

    A choice of animals varies from one response to the next. Where two pages are returned again and again in turns,
    each is what one worker or replica keeps; a longer page of the query shows that nothing cut the one without the
    animal. Until replicas have settled, they also show a withdrawn animal in turns.
    """
    ledger, animal_id = case.ledger, creation.animal_id
    turns, times, from_s = ledger.survey(
        ("comes and goes", page.query, animal_id), lambda: _turns_or_times(case, page, creation)
    )
    if turns:
        finding = _told(page, creation, turns)
        return (
            Suspicion(finding, f"animal {animal_id}", (OF_NODES,))
            if _may_be_of_nodes(ledger, turns)
            else finding
        )
    if not times:
        return None
    experiment = repeated(SAMPLED, page.exchange.request.target, times, from_s)
    return Suspicion(_told(page, creation, [page]), f"animal {animal_id}", (experiment,))


def _may_be_of_nodes(ledger: Ledger, turns: list[Page]) -> bool:
    """Whether the shorter pages of turns may end where some nodes end all lists, which other limits would tell."""
    return may_be_cap_of_some(ledger, min(each.length for each in turns[:2]))


def _turns_or_times(case: Case, page: Page, creation: Creation) -> tuple[list[Page], int, float]:
    """The turns in which a query shows an animal and leaves it out, how many more pages may show them, and from when on."""
    ledger, animal_id = case.ledger, creation.animal_id
    since = _since_absent(case, page, creation)
    # Full pages with and without the animal are equally long: however many there are, they do not show whether it was cut
    # off.
    has_room = any(each.ends_early and animal_id not in each.id_set for each in since)
    if not has_room or _are_cut(case, creation, since):
        return [], 0, 0.0
    settled_s = since[0].answered_s + ledger.terms.settle_s
    if any(animal_id in each.id_set and each.as_of_s >= settled_s for each in since):
        turns = _turns(case, creation, since)
        if turns:
            return turns, 0, settled_s
    if max(each.length for each in since) < FEWEST_OTHERS:
        return [], 0, settled_s
    alike = ledger.completeness.alike(page)
    asked = len(alike) - bisect_left(alike, settled_s, key=lambda each: each.sent_s)
    return [], _times_more(case, creation, since, asked), settled_s


def _since_absent(case: Case, page: Page, creation: Creation) -> list[Page]:
    """The pages of a query that show an animal or have room for it, from the first without it on; none if it stays away."""
    ledger, animal_id = case.ledger, creation.animal_id
    alike = ledger.completeness.alike(page)
    if all(animal_id not in each.id_set for each in alike):
        return []
    settled_s = creation.answered_s + ledger.terms.settle_s
    told = (each for each in alike if each.as_of_s >= settled_s)
    room = [each for each in told if animal_id in each.id_set or leaves_out(ledger, each, creation)]
    since = list(dropwhile(lambda each: animal_id in each.id_set, room))
    if all(animal_id not in each.id_set for each in since):
        return []
    if page.status is not None and (
        has_left_filter(ledger, page, animal_id) or _is_unlisted(case, page, settled_s, animal_id)
    ):
        return []
    return since


def _is_unlisted(case: Case, page: Page, settled_s: float, animal_id: int) -> bool:
    """Whether lists without the filter leave an animal out as well, which is covered by list.complete."""
    beside = (each for each in case.ledger.completeness.beside(page) if each.as_of_s >= settled_s)
    return any(each.ends_early and animal_id not in each.id_set for each in beside)


def _turns(case: Case, creation: Creation, since: list[Page]) -> list[Page]:
    """Pages with the animal and without it in turns, each of them one of two that are returned again and again."""
    windows = [since[at : at + READS] for at in range(max(1, len(since) - READS + 1))]
    for pages in (*windows, since[-MORE_READS[-1] :]):
        turns = _turns_in(case, creation, pages)
        if len(turns) >= TURNS:
            return turns[:TURNS]
    return []


def _known(case: Case, pages: list[Page]) -> list[frozenset[int]]:
    """For each page, those of its animals that were known before the first of the pages."""
    ledger, begun_s = case.ledger, pages[0].sent_s
    return [
        page.id_set
        if _known_s(ledger, page) < begun_s
        else frozenset(each for each in page.ids if ledger.animals[each].known_since_s < begun_s)
        for page in pages
    ]


def _known_s(ledger: Ledger, page: Page) -> float:
    """The time since when all animals of a page have been known."""
    known = (ledger.animals[each].known_since_s for each in page.ids)
    return ledger.survey((_known_s, page.ids), lambda: max(known, default=-inf))


def _are_cut(case: Case, creation: Creation, since: list[Page]) -> bool:
    """Whether a cap may have cut each page without an animal: a cap explains pages that recur, too."""
    by_ids = {each.ids: each for each in since}.values()
    showing = [each for each in by_ids if creation.animal_id in each.id_set]
    without = [each for each in by_ids if creation.animal_id not in each.id_set]
    return bool(showing) and all(may_be_cut(case, each, showing, since[0].sent_s) for each in without)


def _times_more(case: Case, creation: Creation, since: list[Page], asked: int) -> int:
    """How many more pages tell whether an animal comes and goes; none if they have told, or each is another choice."""
    if asked < READS:
        return READS
    first, most = MORE_READS
    if asked < first:
        return first - READS if _recurs(case, creation, since[-READS:]) else 0
    # Pages that change only in longer periods stay the same for a while.
    again = any(creation.animal_id not in each.id_set for each in since[-(first - READS) :])
    return most - first if asked < most and again and _recurs(case, creation, since[-first:]) else 0


def _recurs(case: Case, creation: Creation, pages: list[Page]) -> bool:
    """Whether the pages without an animal are all the same, at least two of them, and most of the others are too."""
    counted = Counter(_known(case, pages))
    without = [times for ids, times in counted.items() if creation.animal_id not in ids]
    showing = max((times for ids, times in counted.items() if creation.animal_id in ids), default=0)
    return len(without) == 1 and without[0] >= SELDOM and 2 * showing > len(pages)


def _repeated(case: Case, pages: list[Page]) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """What pages show of the animals known before, and which of these sets are returned often; none if the others vary."""
    known = _known(case, pages)
    counted = Counter(known).most_common()
    often = [each for each, times in counted if times >= TIMES]
    varied = sum(times for _, times in counted if times >= TIMES) < MOST * len(known)
    # Pages that end anywhere are now and then the same by chance.
    return known, [] if varied or _end_anywhere(pages, known) else often


def _turns_in(case: Case, creation: Creation, pages: list[Page]) -> list[Page]:
    begun_s = pages[0].sent_s
    # This is the same for all animals that are looked for in these pages.
    key = "repeated", tuple(map(id, pages))
    known, often = case.ledger.survey(key, lambda: _repeated(case, pages))
    if not often:
        return []
    fewest = FEWEST_OTHERS if len(set(known)) == 2 else FEWEST_ANIMALS
    showing = next((each for each in often if creation.animal_id in each), frozenset())
    if len(showing) < fewest:
        return []
    for lacking in often:
        # A page that lacks nothing but the animal is not another choice.
        if creation.animal_id in lacking or not (lacking < showing or len(lacking) >= fewest):
            continue
        both = [(page, ids) for page, ids in zip(pages, known, strict=True) if ids in {lacking, showing}]
        without = [page for page, ids in both if ids == lacking]
        longer = [page for page, ids in both if ids == showing]
        if may_be_cut(case, without[0], longer, begun_s):
            continue
        if _is_longer(longer, without, creation) or _is_uncut(case, without[0], creation):
            return [next(group)[0] for _, group in groupby(both, key=lambda each: each[1])]
    return []


def _end_anywhere(pages: list[Page], known: list[frozenset[int]]) -> bool:
    """Whether pages are beginnings of one list, of several lengths: a scan may stop before the page is full (reading 20).

    :param known: what each shows of the animals known before; those added since make lists longer.
    """
    shown = (tuple(filter(before.__contains__, page.ids)) for page, before in zip(pages, known, strict=True))
    by_length = sorted(set(shown), key=len)
    nested = all(after[: len(before)] == before for before, after in pairwise(by_length))
    return nested and len(by_length) > BEGINNINGS


def may_be_cut(case: Case, page: Page, longer: list[Page], begun_s: float) -> bool:
    """Whether a cap may have cut a page and not others of its query, so that it lacks not only the newest of the run.

    The others begin with it, or it shows only the newest animals, in whatever order: if it also lacks older ones, that
    speaks for a cap or a window (reading 20), as it does if the lists of some nodes end at this length, whatever their
    limit. Animals that were added since do not count.
    """
    animals = case.ledger.animals

    def known(page: Page) -> list[int]:
        return [each for each in page.ids if animals[each].known_since_s < begun_s]

    shown = known(page)
    ages = [animals[each].known_since_s for each in shown]
    oldest_s, newest_s = min(ages, default=begun_s), max(ages, default=begun_s)

    def is_beginning(whole: list[int]) -> bool:
        return whole[: len(shown)] == shown and any(
            animals[each].creation is None or animals[each].known_since_s < newest_s
            for each in whole[len(shown) :]
        )

    def is_window(whole: list[int]) -> bool:
        lacks = [animals[each] for each in set(whole).difference(shown)]
        return (
            bool(shown)
            and set(shown) < set(whole)
            and all(each.known_since_s <= oldest_s for each in lacks)
            and any(each.creation is None for each in lacks)
        )

    return page.length == cap_of_some_nodes(case.ledger) or any(
        is_beginning(each) or is_window(each) for each in map(known, longer)
    )


def _is_longer(longer: list[Page], without: list[Page], creation: Creation) -> bool:
    """Whether each page with an animal is longer than all pages without it, by at least that animal."""
    most = max(each.length for each in without), max(each.size for each in without)
    return all(each.length > most[0] and each.size >= most[1] + size_of(creation) for each in longer)


def _is_uncut(case: Case, page: Page, creation: Creation) -> bool:
    """Whether the query has returned all that a page shows, and at least an animal more: a cap would have cut that too."""
    return any(
        page.id_set < each.id_set and each.size >= page.size + size_of(creation)
        for each in case.ledger.completeness.alike(page)
    )


def _told(page: Page, creation: Creation, turns: list[Page]) -> Finding:
    return Finding(
        f"A list shows animal {creation.animal_id} in some responses and leaves it out of others, and each of them "
        "is repeated exactly: it depends on the worker, replica or cache that answers.",
        "an animal that was created is in every list that has room for it",
        page.without(creation.animal_id),
        related=page.beside(creation.exchange, *(each.exchange for each in turns)),
        excluded=tuple((SAMPLED, each.exchange) for each in turns[-1:]),
    )
