"""Animals that lists no longer show, although they have shown them and getPet goes on returning them."""

from __future__ import annotations

import json
from itertools import islice
from typing import Final

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import (
    CACHED,
    CAPPED,
    MOVED,
    SAMPLED,
    TURNS,
    WITHDRAWN,
    Create,
    Experiment,
    Read,
    Wait,
    in_turns,
    once,
)
from animal_conformance.judge.knowledge.absence import Turns, found_by_get, is_filtered_last, last_turns_of
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.caps import Cap, cap_of_some_nodes, cap_since
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.order import ENOUGH as ORDERED
from animal_conformance.judge.knowledge.order import (
    is_amid,
    is_chosen_as_shown,
    is_no_choice,
    is_passed_over,
    out_of_front,
)
from animal_conformance.judge.knowledge.presence import LONGEST_S, SOON_S, as_of_s, declared_age_s
from animal_conformance.judge.knowledge.standing import is_unchanged, kind_as_created, shows_more_at_once
from animal_conformance.judge.suspicions.lists.lowered import growing
from animal_conformance.record.exchange import Exchange

# Of all animals that have left a list, this many are asked for: those that getPet has returned since come first.
SAMPLE: Final = 3
# This many pages of a query say whether each of them is a choice of animals by now.
RECENT: Final = 8


def left_out(case: Case, page: Page) -> Opinion:
    """What it means that the last page of a query lacks animals that earlier ones show: they may be withdrawn, or moved.

    It is a finding if getPet returns one in turns with pages that lack it, and nothing cut these: see
    :func:`_has_room`.
    """
    ledger, alike = case.ledger, case.ledger.completeness.alike(page)
    if page is not alike[-1] or ledger.get_pet_is_removed:
        return None
    if varies(case, alike[-RECENT:]):
        return Explained(SAMPLED)
    opinions = []
    for animal_id in _sample(case, page):
        absent = _absent(case, page, animal_id)
        settled_s = absent[0].answered_s + ledger.terms.settle_s
        absences = [
            each
            for each in absent[-RECENT:]
            if _has_room(case, each, animal_id) and each.as_of_s >= settled_s
        ]
        there = _unchanged(case, page, animal_id)
        turns = last_turns_of(ledger, absences, [each for each in there if as_of_s(each) >= settled_s])
        if turns.complete:
            return _unless_lowered(case, page, animal_id, turns)
        opinions.append(_suspected(case, page, animal_id, turns, settled_s))
    told = [each for each in opinions if isinstance(each, Suspicion)]
    return next(iter(told or opinions), None)


def _unless_lowered(case: Case, page: Page, animal_id: int, turns: Turns) -> Opinion:
    finding = _finding(case, page, animal_id, turns)
    passed_over = any(_is_passed_over(case, each, animal_id) for each in turns.absences)
    if cap_since(case.ledger, page) is not Cap.MAYBE or _stands_between(case, page, animal_id) or passed_over:
        return finding
    experiments = growing(case.ledger, page)
    return Suspicion(finding, f"animal {animal_id}", experiments) if experiments else Explained(CAPPED)


def varies(case: Case, pages: list[Page]) -> bool:
    """Whether pages lose settled animals and show them again, so that each page is a choice.

    A full page also loses animals that newer ones push out, and an animal whose status moves to and fro leaves a
    filtered list and comes back: neither counts.
    """
    lists = case.ledger.completeness
    moved = lists.moved if pages[0].status is not None else set[int]()
    shown: set[int] = set()
    lost: set[int] = set()
    for page in pages:
        settled_s = page.as_of_s - case.ledger.terms.settle_s
        if page.ends_early:
            left = shown - page.id_set
            lost |= {each for each in left if case.ledger.animals[each].known_since_s <= settled_s}
        if (lost - moved) & page.id_set:
            return True
        shown |= page.id_set
    return False


def _sample(case: Case, page: Page) -> list[int]:
    """Animals that earlier pages of a query show and all later ones lack, although a later one had room for each of them.

    By then, each was known for longer than a replica may lag. If getPet did not find this many of those that left the
    query, no others are asked for: a retention rule removes ever more.
    """
    ledger = case.ledger
    pages, last_on = ledger.completeness.alike(page), _last_on(case, page)
    left = last_on.keys() - page.id_set

    def had_room(animal_id: int) -> bool:
        settled_s = ledger.animals[animal_id].known_since_s + ledger.terms.settle_s
        settled = (each for each in reversed(_absent(case, page, animal_id)) if each.as_of_s >= settled_s)
        return any(_has_room(case, each, animal_id) for each in settled)

    last_asked = {each: _asked(case, page, each)[-1:] for each in left}
    asked = {each for each in left if last_asked[each]}
    there = {each for each in asked if last_asked[each] == found_by_get(ledger, each, None)[-1:]}
    lost = [
        each
        for each in (asked if len(asked - there) >= SAMPLE else left)
        if pages[last_on[each]].shows(each, page.status)
    ]
    lost.sort(key=lambda each: (each not in there, each not in asked, each))
    return list(islice(filter(had_room, lost), SAMPLE))


def _absent(case: Case, page: Page, animal_id: int) -> list[Page]:
    """The pages of a query since the last one that shows an animal."""
    return case.ledger.completeness.alike(page)[1 + _last_on(case, page)[animal_id] :]


def _last_on(case: Case, page: Page) -> dict[int, int]:
    """For each animal that a query has shown, by id, the place of the last page that shows it."""
    alike = case.ledger.completeness.alike(page)
    return case.ledger.survey(
        ("last on", page.query),
        lambda: {animal_id: at for at, each in enumerate(alike) for animal_id in each.ids},
    )


def _asked(case: Case, page: Page, animal_id: int) -> list[Exchange]:
    """The getPet requests for an animal since it left a list."""
    left_s = _absent(case, page, animal_id)[0].answered_s
    return [each for each in case.ledger.gets[animal_id] if each.sent_s >= left_s]


def _asked_since_shown(case: Case, page: Page, animal_id: int) -> list[Exchange]:
    """The getPet requests for an animal since a list last showed it."""
    shown = case.ledger.completeness.alike(page)[_last_on(case, page)[animal_id]].exchange
    return [each for each in case.ledger.gets[animal_id] if each.sent_s >= shown.answered_s]


def _has_room(case: Case, page: Page, animal_id: int) -> bool:
    """Whether nothing cut a page before an animal that an earlier one shows.

    On a full page, it has to stand in front of others. Otherwise the query has to have returned longer pages, since
    shards may have caps of their own, and give one animal for another. Nor may the page be what a filter left of an
    unfiltered one that was as long as it ever is; nor may a scan have ended, in an order of its own, at the largest animal
    that a page without a filter lacks. And one of these has to hold:

    - The page shows animals that stood before and behind this one, all in that order, and older as well as newer ones,
      as a page need not be shown in the order in which it was chosen.
    - It shows all newer ones that are like this one, and older ones, in the order of age.
    - It has no filter, so that no scan ends early; it does not end where some nodes end all lists; and its cap was not
      lowered since.
    """
    if not page.ends_early:
        return _stands_in_front(case, page, animal_id)
    if case.ledger.completeness.longer(page) is None or is_filtered_last(case.ledger, page, animal_id):
        return False
    size = case.ledger.survey(("largest beside", id(page)), lambda: _largest_beside(case, page))
    if page.status is None and case.ledger.completeness.longer(page, size) is None:
        return False
    if _stands_between(case, page, animal_id) or _is_passed_over(case, page, animal_id):
        return True
    if page.status is not None or page.length == cap_of_some_nodes(case.ledger):
        return False
    return cap_since(case.ledger, page) is not Cap.LOWERED


def _stands_in_front(case: Case, page: Page, animal_id: int) -> bool:
    """Whether a full page shows many animals that an animal of the run stands in front of, in the same order."""
    ledger, creation = case.ledger, case.ledger.animals[animal_id].creation
    if creation is None:
        return False
    if out_of_front(ledger, page, [creation]):
        return True
    before = ledger.completeness.alike(page)[_last_on(case, page)[animal_id]]
    behind = before.ids[before.ids.index(animal_id) + 1 :]
    shared = [each for each in page.ids if each in before.id_set]
    return (
        len(page.id_set.intersection(behind)) >= ORDERED
        and shared == [each for each in before.ids if each in page.id_set]
        and is_unchanged(ledger, creation)
        and shows_more_at_once(ledger, page, creation)
        and is_chosen_as_shown(ledger, page.status)
        and is_no_choice(ledger, page)
    )


def _stands_between(case: Case, page: Page, animal_id: int) -> bool:
    """Whether a page shows animals that stood before and behind one, older and newer, all in that order."""
    before = case.ledger.completeness.alike(page)[_last_on(case, page)[animal_id]]
    at = before.ids.index(animal_id)
    shared = {each for each in page.id_set & before.id_set if page.shows(each, page.status)}
    around = not (shared.isdisjoint(before.ids[:at]) or shared.isdisjoint(before.ids[at + 1 :]))
    same_order = [each for each in before.ids if each in shared] == [
        each for each in page.ids if each in shared
    ]
    amid = around and same_order and is_amid(case.ledger, shared, animal_id)
    return amid and is_chosen_as_shown(case.ledger, page.status)


def _is_passed_over(case: Case, page: Page, animal_id: int) -> bool:
    creation = case.ledger.animals[animal_id].creation
    return creation is not None and is_passed_over(case.ledger, page, creation)


def _largest_beside(case: Case, page: Page) -> int:
    """The length in bytes of the largest animal that is not on a page: with a cap in bytes, it may have ended the page."""
    beside = (
        each
        for animal_id, each in case.ledger.animals.items()
        if animal_id not in page.id_set and each.known_since_s <= page.answered_s
    )
    told = (each.sightings[-1].animal if each.sightings else each.creations[-1].answer for each in beside)
    return max((len(json.dumps(each)) for each in told), default=0)


def _unchanged(case: Case, page: Page, animal_id: int) -> list[Exchange]:
    """The getPet responses that show an animal as lists last did: if it has changed, its place may have changed too."""
    listed = case.ledger.animals[animal_id].listed[-1].animal
    return [
        each
        for each in found_by_get(case.ledger, animal_id, page.status)
        if listed.items() <= each.value.items()
    ]


def _suspected(case: Case, page: Page, animal_id: int, turns: Turns, settled_s: float) -> Opinion:
    asked = _asked(case, page, animal_id)
    there = {id(each) for each in _unchanged(case, page, animal_id)}
    latest = (asked or _asked_since_shown(case, page, animal_id))[-1:]
    if latest and id(latest[0]) not in there:
        return Explained(MOVED if found_by_get(case.ledger, animal_id, None)[-1:] == latest else WITHDRAWN)
    finding, about = _finding(case, page, animal_id, turns), f"animal {animal_id}"
    if not asked:
        return Suspicion(finding, about, (once(WITHDRAWN, f"/pets/{animal_id}", page.answered_s),))
    stored_s = max(map(declared_age_s, (page.exchange, asked[-1])))
    if stored_s > LONGEST_S:
        return Explained(CACHED)
    target = page.exchange.request.target
    if not _has_room(case, page, animal_id):
        made = case.ledger.animals[animal_id].creation
        if made is None or _is_crowd_listed(case, page, made):
            return Explained(CAPPED)
        return Suspicion(finding, about, (_crowd(target, made, case.ledger.terms.settle_s),))
    # Forwards and backwards, a list comes before each getPet; pages that were full meanwhile tell nothing.
    targets = (target, f"/pets/{animal_id}", target)
    full = (each for each in _absent(case, page, animal_id) if not _has_room(case, each, animal_id))
    from_s = max((settled_s + stored_s, *(each.answered_s for each in full)))
    return Suspicion(finding, about, (in_turns(SAMPLED, targets, from_s, stored_s),))


def _is_crowd_listed(case: Case, page: Page, creation: Creation) -> bool:
    """Whether the query was read right after many animals like one that it lacks were added in quick succession."""
    absent = _absent(case, page, creation.animal_id)
    ledger, since_s, kind = case.ledger, absent[0].answered_s, kind_as_created(case.ledger, creation)
    added = [
        each for each in ledger.creations if each.sent_s >= since_s and kind_as_created(ledger, each) == kind
    ]
    for listed in (each for each in absent if each.ends_early):
        crowd = [each for each in added if each.answered_s <= listed.sent_s][-ORDERED:]
        begun_s = (*(each.sent_s for each in crowd[1:]), listed.sent_s)
        pauses_s = [after_s - each.answered_s for each, after_s in zip(crowd, begun_s, strict=False)]
        if len(crowd) == ORDERED and max(pauses_s) <= SOON_S:
            return True
    return False


def _crowd(target: str, creation: Creation, settle_s: float) -> Experiment:
    """Create many animals like one that a list lacks, and read the list in turns with that one, which may stand amid them.

    It waits first: by then, animals that were added before may be left out as well, and leave room for these.
    """
    turn = (Read(target), Read(f"/pets/{creation.animal_id}"))
    return Experiment(CAPPED, (Wait(settle_s), *(Create(creation.body),) * ORDERED, *turn * TURNS))


def _finding(case: Case, page: Page, animal_id: int, turns: Turns) -> Finding:
    excluded = [(CAPPED, page.exchange)]
    excluded += [(SAMPLED, each.exchange) for each in turns.absences[-1:]]
    excluded += [(WITHDRAWN, each) for each in turns.shown[-1:]]
    shown = [each.first for each in case.ledger.animals[animal_id].listed[:1]]
    return Finding(
        f"{page.words} no longer shows animal {animal_id}, which getPet goes on returning.",
        f"animal {animal_id} among the animals, or 404 for it",
        page.without(animal_id),
        related=page.beside(*shown, *(each for _, each in excluded)),
        excluded=tuple(excluded),
    )
