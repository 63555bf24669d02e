"""An animal that getPet does not find: withdrawn permanently, which is lawful, or never found, or there by turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import ceil, inf
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIST
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import (
    CACHED,
    TURNS,
    WITHDRAWN,
    Again,
    Experiment,
    Read,
    WaitUntil,
    in_turns,
    once,
    several_like,
    two_like,
)
from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.creating import creations_like, tries_like
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import (
    LONGEST_S,
    Presence,
    asked_for,
    missed_since_shown,
    told_of,
)
from animal_conformance.judge.suspicions.retrievals.back import (
    are_back_to_stay,
    asked_in_bursts,
    bursts,
    last_missed_s,
    stored_s_of,
)
from animal_conformance.judge.suspicions.retrievals.clients import found_by_others
from animal_conformance.judge.suspicions.retrievals.never import Never, is_missed_soon, never_found
from animal_conformance.judge.suspicions.retrievals.replaced import PAIRED, all_replaced
from animal_conformance.record.exchange import Exchange

# Of many animals that are gone, this many are asked for in turns; of many that are late, this many are asked for again.
SAMPLE: Final = 3
# Where one animal was never found, so many are created at a time, and so many in all, until another one is not found.
TRIES: Final = 12
MOST_TRIED: Final = 60
# Each further experiment waits so much longer for each of those before, as none is performed twice.
LONGER_S: Final = 0.01


def not_found(case: Case, animal: Animal) -> Opinion:
    """What a 404 for a known animal means, after the settling time.

    It is a finding if the animal is there again, missing again, and there again afterwards; or if two animals of the run,
    created at different times, were never found.
    """
    ledger = case.ledger
    presences = told_of(ledger, animal)
    again = _turns_after(case, presences)
    if len(again) == TURNS:
        told = finding(case, animal, (WITHDRAWN, again[-1].exchange))
        voice = again[0].exchange.request.voice
        return replace(told, message=f"{told.message} Another client finds it: {voice}.") if voice else told
    found_before = any(each.there and each.answered_s <= case.sent_s for each in presences)
    replaced = None if again else _replaced(case, animal, presences)
    if replaced is not None:
        return replaced
    creation = animal.creation
    if found_before or creation is None:
        return _withdrawn(case, animal, presences)
    never: Never = ledger.survey("never found", lambda: never_found(ledger))
    if len(never.proof) == 2:
        return finding(case, animal, *((WITHDRAWN, each) for each in never.proof))
    if again:
        return _withdrawn(case, animal, presences)
    if never.proof and never.waiting is not None:
        settled_s = never.waiting.answered_s + ledger.terms.settle_s
        return suspicion(case, animal, once(WITHDRAWN, f"/pets/{never.waiting.animal_id}", settled_s))
    return _like_it(case, animal, creation, never)


def _replaced(case: Case, animal: Animal, presences: list[Presence]) -> Opinion:
    """What it means that an animal is gone since one like it was created; ``None`` if others show another reason."""
    ledger = case.ledger
    replaced = next((each for each in all_replaced(ledger) if each.may_be(animal, presences)), None)
    if ledger.terms.crowded or replaced is None:
        return None
    if replaced.proof:
        told = finding(case, animal, *((WITHDRAWN, each) for each in replaced.proof))
        since = f"It is gone since another one was created {replaced.likeness}."
        return replace(told, message=f"{told.message} {since}")
    experiment = None if replaced.is_tried else replaced.experiment()
    # Where others that are like none are gone too, it is treated like them, unless the run can put it to the test.
    if experiment is None or (_several_gone(ledger, own=True) and _may_create(ledger) < PAIRED):
        return None
    return suspicion(case, animal, experiment)


def _may_create(ledger: Ledger) -> float:
    """How many more animals the run may create."""
    most = ledger.terms.creates
    return inf if most is None else most - len(ledger.stored)


def _turns_after(case: Case, presences: list[Presence]) -> list[Presence]:
    """The responses after the judged one in which the animal was there, missing, and there again, as far as they exist."""
    turns: list[Presence] = []
    after_s = case.answered_s
    for each in presences:
        # Lists may lag behind a withdrawal as they may behind a creation.
        lag_s = case.ledger.terms.settle_s if each.listed and not turns else 0.0
        if len(turns) < TURNS and each.there == (len(turns) % 2 == 0) and each.as_of_s >= after_s + lag_s:
            turns.append(each)
            after_s = each.answered_s
    return turns


def _withdrawn(case: Case, animal: Animal, presences: list[Presence]) -> Opinion:
    """What it means that an animal was there and now is not: it is asked for again, in turns with a list.

    Where only another client found it, it is asked for as that client, too: clients may be served by different stores.
    """
    ledger, settle_s = case.ledger, case.ledger.terms.settle_s
    found = found_by_others(ledger).get(animal.animal_id)
    if found is not None:
        from_s = missed_since_shown(presences)[0].answered_s + settle_s
        read = Read(f"/pets/{animal.animal_id}")
        steps = WaitUntil(from_s), Again(found.request), read, Again(found.request)
        return suspicion(case, animal, Experiment(WITHDRAWN, steps))
    if _has_settled(case, animal, presences):
        return Explained(WITHDRAWN)
    stored_s = stored_s_of(presences)
    if stored_s > LONGEST_S:
        return Explained(CACHED)
    missed = missed_since_shown(presences)
    if not missed:
        all_bursts = ledger.survey("bursts", lambda: tuple(_bursts(ledger)))
        return Suspicion(finding(case, animal), f"animal {animal.animal_id}", all_bursts)
    targets, from_s = _targets_of(animal, presences), missed[0].answered_s + max(settle_s, stored_s)
    if _several_gone(ledger, own=False):
        # In whole seconds, so that one reading of the list may decide for many animals.
        return suspicion(case, animal, Experiment(WITHDRAWN, (WaitUntil(ceil(from_s)), Read(targets[1]))))
    return suspicion(case, animal, in_turns(WITHDRAWN, targets, from_s))


def _bursts(ledger: Ledger) -> Iterator[Experiment]:
    """Ask in bursts for the first few of the animals that are back, each once the last response that missed it has settled."""
    for each in asked_in_bursts(ledger):
        presences = told_of(ledger, each)
        from_s = last_missed_s(presences) + max(ledger.terms.settle_s, stored_s_of(presences))
        yield bursts(ledger, _targets_of(each, presences), from_s)


def _turns_of_vanished(ledger: Ledger) -> tuple[Experiment, ...]:
    """Read a sample of the run's animals that were found, and then were not, in turns with a list; none if too few are.

    Those that were asked for again after settling are left out.
    """
    experiments: list[Experiment] = []
    for animal in asked_for(ledger):
        presences = told_of(ledger, animal) if animal.creation and animal.sightings else []
        missed = missed_since_shown(presences)
        stored_s = stored_s_of(presences)
        if not missed or stored_s > LONGEST_S:
            continue
        from_s = missed[0].answered_s + max(ledger.terms.settle_s, stored_s)
        if missed[-1].sent_s < from_s:
            experiments.append(in_turns(WITHDRAWN, _targets_of(animal, presences), from_s))
            if len(experiments) == SAMPLE:
                return tuple(experiments)
    return ()


def _targets_of(animal: Animal, presences: list[Presence]) -> tuple[str, str]:
    """The targets that tell whether an animal is there: getPet, and the last list that showed it, or one that may."""
    pages = [each.exchange.request.target for each in presences if each.listed]
    return f"/pets/{animal.animal_id}", pages[-1] if pages else _page_of(animal)


def _is_gone(ledger: Ledger, presences: list[Presence]) -> bool:
    """Whether getPet has missed an animal often enough after the settling time."""
    missed, settle_s = missed_since_shown(presences), ledger.terms.settle_s
    return sum(each.sent_s >= missed[0].answered_s + settle_s for each in missed) >= TURNS


def _has_settled(case: Case, animal: Animal, presences: list[Presence]) -> bool:
    """Whether an animal has stayed away from both operations, or is back to stay.

    More animals may be withdrawn at once than can be asked for: what a few have shown in turns holds for all others
    that both operations miss.
    """
    ledger, missed = case.ledger, missed_since_shown(presences)
    if not missed:
        return are_back_to_stay(ledger)
    settled_s = missed[0].answered_s + ledger.terms.settle_s
    later = [each for each in _denying(ledger, animal, presences) if each.sent_s >= settled_s]
    if later and _is_gone(ledger, presences):
        return True
    # What lists no longer showed before getPet missed it has left both operations, once lists must have known it.
    shown_s = max((each.answered_s for each in presences if each.there), default=-inf)
    since_s = max(shown_s, animal.known_since_s + ledger.terms.settle_s)
    left = later or any(each.as_of_s >= since_s for each in _denying(ledger, animal, presences))
    return bool(left) and _several_gone(ledger, own=False)


def _denying(ledger: Ledger, animal: Animal, presences: list[Presence]) -> Iterator[Page]:
    """The lists that would show an animal."""
    queries = {each.exchange.request.target for each in presences if each.listed}
    statuses = [None, *(each.animal.get("status") for each in animal.listed[-1:])]
    for page in ledger.pages:
        is_asked = not queries or page.exchange.request.target in queries
        if is_asked or (page.status in statuses and ledger.completeness.shows_all(page)):
            yield page


def _several_gone(ledger: Ledger, *, own: bool) -> bool:
    """Whether a sample of animals is gone, of all or of the run's ``own``."""
    gone = (each for each in _gone(ledger) if each.creation or not own)
    return ledger.survey(("gone", own), lambda: len(tuple(islice(gone, SAMPLE))) == SAMPLE)


def _gone(ledger: Ledger) -> Iterator[Animal]:
    """The animals that were there, and are gone."""
    for each in asked_for(ledger):
        if each.sightings and len(ledger.gets[each.animal_id]) > TURNS:
            presences = told_of(ledger, each)
            if _is_gone(ledger, presences):
                yield each


def _page_of(animal: Animal) -> str:
    """The list in which an animal is likely to be: that of the status with which it was created."""
    status = animal.creation.status if animal.creation is not None else None
    return f"{LARGEST_LIST}&status={status}" if isinstance(status, str) else LARGEST_LIST


def _like_it(case: Case, animal: Animal, creation: Creation, never: Never) -> Opinion:
    """What it means that an animal was never found: two new ones like it show whether it has been withdrawn.

    Where others are no longer found, they may be gone; if so, this one may be gone too, and no new ones are needed.
    """
    ledger = case.ledger
    if creation in never.missed and not ledger.terms.crowded:
        return _again_and_again(case, animal, never)
    alike = creations_like(ledger, creation)
    like = [each for each in alike if each.sent_s >= case.answered_s]
    if len(like) >= 2 and any(ledger.animals[each.animal_id].sightings for each in like):
        return Explained(WITHDRAWN)
    at_once = is_missed_soon(ledger, creation) and not never.as_others
    if _several_gone(ledger, own=True) and not at_once:
        return Explained(WITHDRAWN)  # as others of the run were, after they had been found
    vanished = () if at_once else ledger.survey("vanished", lambda: _turns_of_vanished(ledger))
    if vanished:
        return Suspicion(finding(case, animal), f"animal {animal.animal_id}", vanished)
    return suspicion(case, animal, two_like(WITHDRAWN, creation.body, ledger.terms.settle_s))


def _again_and_again(case: Case, animal: Animal, never: Never) -> Opinion:
    """What it means that a single animal was missed as soon as it was created: new ones show whether others are.

    They are created, and read at once, as long as the run may create any. What was never there was not withdrawn, unless
    others of the run go away.
    """
    ledger, first = case.ledger, never.missed[0]
    last_s = last_missed_s(told_of(ledger, ledger.animals[first.animal_id]))
    tried = sum(each.sent_s >= last_s for each in tries_like(ledger, first))
    left = min(TRIES, _may_create(ledger))
    if tried < MOST_TRIED and left > 0:
        settle_s = ledger.terms.settle_s + tried * LONGER_S
        return suspicion(case, animal, several_like(WITHDRAWN, first.body, int(left), settle_s))
    if never.others_gone:
        return Explained(WITHDRAWN)
    settled_s = first.answered_s + ledger.terms.settle_s
    return suspicion(case, animal, once(WITHDRAWN, f"/pets/{animal.animal_id}", settled_s))


def suspicion(case: Case, animal: Animal, experiment: Experiment) -> Suspicion:
    """The suspicion that an animal is missing, unless an experiment says otherwise."""
    return Suspicion(finding(case, animal), f"animal {animal.animal_id}", (experiment,))


def finding(case: Case, animal: Animal, *excluded: tuple[str, Exchange]) -> Finding:
    """The finding that an animal is missing, and the explanations excluded, each with the exchange that excludes it."""
    shown = [each.first for each in animal.sightings[:1]]
    source = [animal.creations[0].exchange] if animal.creations else shown
    return Finding(
        f"Animal {animal.animal_id} is not found, although it was {'created' if animal.creations else 'listed'} earlier.",
        "200 with the animal",
        case.describe(),
        related=case.beside(*source, *(each for _, each in excluded)),
        excluded=excluded,
    )
