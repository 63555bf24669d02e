"""Animals of the run that a filtered list has shown and no longer shows, although the list without the filter does."""

from __future__ import annotations

from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import (
    CAPPED,
    MOVED,
    SAMPLED,
    TURNS,
    WITHDRAWN,
    Create,
    Experiment,
    Read,
    Step,
    Wait,
    once,
)
from animal_conformance.judge.knowledge.absence import (
    Turns,
    found_by_get,
    is_gone,
    is_told_since,
    last_turns_of,
    size_of,
    surrounds,
)
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.caps import Cap, cap_since
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.presence import SOON_S
from animal_conformance.judge.suspicions.lists.left_out import RECENT, varies
from animal_conformance.record.exchange import Exchange


def forgotten(case: Case, page: Page) -> Opinion:
    """What it means that the last page of a filter lacks an animal of the run that earlier ones show.

    It is a finding if such pages show older and newer animals, in turns with responses that go on showing this one with
    that status, and the filter has returned longer pages: neither a cap nor a scan from either end leaves out an animal
    in between. Where none is newer, or the filter has never grown since, new animals are created.
    """
    ledger, lists = case.ledger, case.ledger.completeness
    alike = lists.alike(page)
    if page.status is None or page is not alike[-1] or not page.ends_early or ledger.get_pet_is_removed:
        return None
    lost = next((each for each in ledger.made[page.status] if _is_lost(case, page, each)), None)
    if lost is None:
        return None
    if varies(case, alike[-RECENT:]):
        return Explained(SAMPLED)
    last = max(at for at, each in enumerate(alike) if lost.animal_id in each.id_set)
    absent = alike[last + 1 :]
    # The last page may be the only one that is larger than all before, because of what was added last.
    cap = cap_since(ledger, page)
    if cap is Cap.LOWERED or not any(_is_longer_elsewhere(case, each, lost) for each in absent):
        return Explained(CAPPED)
    absences = [
        each for each in absent if each.as_of_s >= _settled_s(case, lost) and _is_uncut(case, each, lost)
    ]
    turns = last_turns_of(ledger, absences, _shown(case, page, lost))
    if turns.complete and cap is Cap.SAME:
        return _finding(page, lost, turns)
    if _ends_before(case, page, absent):
        return Explained(CAPPED)
    if is_told_since(ledger, page, lost.animal_id):
        experiment = _experiment(page, lost, ledger.terms.settle_s)
    else:
        experiment = once(WITHDRAWN, f"/pets/{lost.animal_id}", page.answered_s)
    return Suspicion(_finding(page, lost, turns), f"animal {lost.animal_id}", (experiment,))


def _settled_s(case: Case, creation: Creation) -> float:
    return creation.answered_s + case.ledger.terms.settle_s


def _is_lost(case: Case, page: Page, creation: Creation) -> bool:
    """Whether earlier pages of a filter show an animal, and the list without the filter still does, with that status.

    An animal that any response showed with another status may have moved to and fro; one without an older one on the
    page may be behind its end.
    """
    ledger, animal = case.ledger, case.ledger.animals[creation.animal_id]
    beside = ledger.completeness.beside(page)
    return (
        creation.animal_id not in page.id_set
        and page.as_of_s >= _settled_s(case, creation)
        and creation.reading.valid
        and animal.creation is creation
        and not is_gone(ledger, page, creation.animal_id)
        and bool(beside)
        and beside[-1].shows(creation.animal_id, page.status)
        and all(each.animal.get("status") == page.status for each in animal.sightings)
        and any(creation.animal_id in each.id_set for each in ledger.completeness.alike(page))
        and any(ledger.animals[each].known_since_s < creation.sent_s for each in page.ids)
    )


def _ends_before(case: Case, page: Page, absent: list[Page]) -> bool:
    """Whether the filter ends before new animals: it showed none of several created since, soon or after settling."""
    newer = [
        each
        for each in case.ledger.made[page.status]
        if each.sent_s >= absent[0].answered_s and page.as_of_s >= _settled_s(case, each)
    ]
    shown = frozenset[int]().union(*(each.id_set for each in absent))
    soon = [each for each in newer if each.animal_id not in shown and _was_asked_soon(absent, each)]
    return len(soon) >= TURNS


def _was_asked_soon(pages: list[Page], creation: Creation) -> bool:
    made_s = creation.answered_s
    return any(made_s <= each.sent_s <= made_s + SOON_S for each in pages)


def _is_longer_elsewhere(case: Case, page: Page, creation: Creation) -> bool:
    return case.ledger.completeness.longer(page, size_of(creation)) is not None


def _is_uncut(case: Case, page: Page, creation: Creation) -> bool:
    return (
        page.ends_early
        and _is_longer_elsewhere(case, page, creation)
        and surrounds(case.ledger, page, creation)
    )


def _shown(case: Case, page: Page, creation: Creation) -> list[Exchange]:
    """The responses of getPet and of lists without the filter that show an animal with the filter's status."""
    ledger, animal_id = case.ledger, creation.animal_id
    beside = (
        each.exchange for each in ledger.completeness.beside(page) if each.shows(animal_id, page.status)
    )
    got = found_by_get(ledger, animal_id, page.status)
    return sorted((*beside, *got), key=lambda each: each.sent_s)


def _experiment(page: Page, creation: Creation, settle_s: float) -> Experiment:
    """Create animals with that status, and read the lists as soon as each is there, and again after settling."""
    targets = (page.exchange.request.target, f"/pets/{creation.animal_id}", page.target_of_all)
    reads: tuple[Step, ...] = tuple(map(Read, targets))
    made = (Create(creation.body), *reads)
    return Experiment(CAPPED, (*made * TURNS, Wait(settle_s), *reads * TURNS))


def _finding(page: Page, creation: Creation, turns: Turns) -> Finding:
    excluded = [(CAPPED, each.exchange) for each in turns.absences[-1:]]
    excluded += [(MOVED, each) for each in turns.shown[-1:]]
    return Finding(
        f"{page.words} no longer shows animal {creation.animal_id}, which has that status still.",
        "every animal with that status, up to the limit",
        f"{page.length} animals at limit {page.limit}, older and newer ones, animal {creation.animal_id} not among them",
        related=page.beside(creation.exchange, *(each for _, each in excluded)),
        excluded=tuple(excluded),
    )
