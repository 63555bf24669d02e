"""An animal that getPet does not find: withdrawn permanently, which is lawful, or never found, or there by turns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
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
    two_like,
)
from animal_conformance.judge.knowledge.animals import Animal, Creation
from animal_conformance.judge.knowledge.creating import creations_like
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import (
    LONGEST_S,
    SOON_S,
    Presence,
    asked_for,
    missed_since_shown,
    told_of,
)
from animal_conformance.judge.suspicions.retrievals.clients import found_by_others
from animal_conformance.judge.suspicions.retrievals.replaced import PAIRED, Likeness, Replaced
from animal_conformance.record.exchange import Exchange

# Under load, replicas lag for long, and an animal may be gone before one finds it: unless it was asked for this often
# until it had settled.
TIMES_UNTIL_SETTLED: Final = 2
# Of many animals that are gone, this many are asked for in turns; of many that are late, this many are asked for again.
SAMPLE: Final = 3
# Where animals were missed and found again, one of them is asked for this often, so that a fault that shows now and
# then shows once more.
OFTEN: Final = 24


def not_found(case: Case, animal: Animal) -> Opinion:
    """What a 404 for a known animal means, after the settling time.

    It is a finding if the animal is there again and missing again afterwards; if getPet finds it again (one that the
    run created, which nobody puts back); or if two animals of the run, created at different times, were never found.
    """
    ledger = case.ledger
    presences = told_of(ledger, animal)
    again = _turns_after(case, presences)
    if len(again) == TURNS:
        told = finding(case, animal, (WITHDRAWN, again[-1].exchange))
        voice = again[0].exchange.request.voice
        return replace(told, message=f"{told.message} Another client finds it: {voice}.") if voice else told
    found_before = any(each.there and each.answered_s <= case.sent_s for each in presences)
    found = [each for each in presences if each.there and not each.listed and each.as_of_s >= case.answered_s]
    if found and animal.creations:
        return finding(case, animal, (WITHDRAWN, found[0].exchange))
    replaced = None if again else _replaced(case, animal, presences)
    if replaced is not None:
        return replaced
    if again or found_before or not animal.creation:
        return _withdrawn(case, animal, presences)
    never: _Never = ledger.survey("never found", lambda: _never_found(ledger))
    if len(never.found) == 2:
        return finding(case, animal, *((WITHDRAWN, each) for each in never.found))
    if never.found and never.waiting is not None:
        settled_s = never.waiting.answered_s + ledger.terms.settle_s
        return suspicion(case, animal, once(WITHDRAWN, f"/pets/{never.waiting.animal_id}", settled_s))
    return _like_it(case, animal, animal.creation)


def _replaced(case: Case, animal: Animal, presences: list[Presence]) -> Opinion:
    """What it means that an animal is gone since one like it was created; ``None`` if others show another reason."""
    ledger = case.ledger
    replaced = next((each for each in _all_replaced(ledger) if each.may_be(animal, presences)), None)
    if ledger.terms.crowded or replaced is None:
        return None
    if replaced.proof:
        told = finding(case, animal, *((WITHDRAWN, each) for each in replaced.proof))
        since = f"It is gone since another one was created {replaced.likeness}."
        return replace(told, message=f"{told.message} {since}")
    experiment = None if replaced.is_tried else replaced.experiment()
    # Where others that are like none are gone too, it is treated like them, unless the run can put it to the test.
    if experiment is None or (_several_gone(ledger, own=True) and not _may_create(ledger, PAIRED)):
        return None
    return suspicion(case, animal, experiment)


def _all_replaced(ledger: Ledger) -> list[Replaced]:
    return ledger.survey("replaced", lambda: [Replaced(ledger, each) for each in Likeness])


def _may_create(ledger: Ledger, count: int) -> bool:
    """Whether the run may create this many more animals."""
    most = ledger.terms.creates
    return most is None or len(ledger.stored) + count <= most


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
    found = found_by_others(case.ledger).get(animal.animal_id)
    if found is not None:
        from_s = missed_since_shown(presences)[0].answered_s + case.ledger.terms.settle_s
        read = Read(f"/pets/{animal.animal_id}")
        steps = WaitUntil(from_s), Again(found.request), read, Again(found.request)
        return suspicion(case, animal, Experiment(WITHDRAWN, steps))
    if _has_settled(case, animal, presences):
        return Explained(WITHDRAWN)
    stored_s = max(each.sent_s - each.as_of_s for each in presences)
    if stored_s > LONGEST_S:
        return Explained(CACHED)
    targets = _targets_of(animal, presences)
    missed = missed_since_shown(presences)
    missed_s = missed[0].answered_s if missed else case.answered_s
    from_s = missed_s + max(case.ledger.terms.settle_s, stored_s)
    if animal in _back(case.ledger)[:1]:
        return suspicion(
            case, animal, Experiment(WITHDRAWN, (WaitUntil(from_s), *[Read(targets[0])] * OFTEN))
        )
    if missed and _several_gone(case.ledger, own=False):
        # In whole seconds, so that one reading of the list may decide for many animals.
        return suspicion(case, animal, Experiment(WITHDRAWN, (WaitUntil(ceil(from_s)), Read(targets[1]))))
    return suspicion(case, animal, in_turns(WITHDRAWN, targets, from_s))


def _turns_of_vanished(ledger: Ledger) -> tuple[Experiment, ...]:
    """Read a sample of the run's animals that were found, and then were not, in turns with a list; none if too few are.

    Those that were asked for again after settling are left out.
    """
    experiments: list[Experiment] = []
    for animal in asked_for(ledger):
        presences = told_of(ledger, animal) if animal.creation and animal.sightings else []
        missed = missed_since_shown(presences)
        stored_s = max((each.sent_s - each.as_of_s for each in presences), default=0.0)
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
        often = any(_found_again(told_of(ledger, each)) >= OFTEN for each in _back(ledger))
        return often and _found_again(presences) >= TURNS
    queries = {each.exchange.request.target for each in presences if each.listed}
    settled_s = missed[0].answered_s + ledger.terms.settle_s
    statuses = [None, *(each.animal.get("status") for each in animal.listed[-1:])]
    denied = any(
        page.sent_s >= settled_s
        and (
            not queries
            or page.exchange.request.target in queries
            or (page.status in statuses and ledger.completeness.shows_all(page))
        )
        for page in ledger.pages
    )
    return denied and (_is_gone(ledger, presences) or _several_gone(ledger, own=False))


def _found_again(presences: list[Presence]) -> int:
    """How often getPet has found an animal since it was last missed."""
    missed_s = max((each.answered_s for each in presences if not each.there), default=inf)
    return sum(not each.listed and each.sent_s >= missed_s for each in presences)


def _back(ledger: Ledger) -> list[Animal]:
    """The animals that were missed when they should have been there, and found since, in the order of getPet requests."""
    return ledger.survey("back", lambda: [each for each in asked_for(ledger) if _is_back(ledger, each)])


def _is_back(ledger: Ledger, animal: Animal) -> bool:
    presences, settled_s = told_of(ledger, animal), animal.known_since_s + ledger.terms.settle_s
    missed = any(not each.there and each.sent_s >= settled_s for each in presences)
    return missed and not missed_since_shown(presences)


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


@dataclass(frozen=True)
class _Never:
    """The getPet responses of animals of the run that were never found, each created after the one before was read.

    ``waiting`` is an animal that would be the next, if it had been asked for after settling.
    """

    found: tuple[Exchange, ...]
    waiting: Creation | None


def _never_found(ledger: Ledger) -> _Never:
    """The first two animals that were never found, or fewer if there are no two.

    Where some of the run's animals are found late and some go away, one may go before it is found. Not so one that was
    asked for soon after its creation, and yet later than the latest of the others was found.
    """
    read_s, late_s = -inf, _late_s(ledger)
    found: list[Exchange] = []
    waiting = None
    for creation in ledger.creations:
        animal = ledger.animals[creation.animal_id]
        if animal.sightings or animal.creation is None or creation.sent_s < read_s or len(found) == 2:
            continue
        readings = told_of(ledger, animal)
        made_s = creation.answered_s
        soon = [each for each in readings if is_soon(ledger, creation, each.exchange)]
        settled = [each for each in readings if each.sent_s >= made_s + ledger.terms.settle_s]
        if not any(each.sent_s - made_s > late_s for each in soon):
            continue
        if not settled:
            waiting = waiting or creation
        elif _is_watched(ledger, creation, readings):
            read_s = soon[0].answered_s
            found.append(settled[0].exchange)
            # An animal that was created before that may be gone along with it.
            waiting = waiting if waiting and waiting.sent_s >= read_s else None
    return _Never(tuple(found), waiting)


def _late_s(ledger: Ledger) -> float:
    """How late after its creation any of the run's animals was missed and then found; -inf if none has gone away."""
    late_s, gone = -inf, False
    for creation in ledger.creations:
        made_s = creation.answered_s
        animal = ledger.animals[creation.animal_id]
        since = [each for each in told_of(ledger, animal) if each.sent_s >= made_s]
        found_s = (after.sent_s - made_s for one, after in pairwise(since) if after.there and not one.there)
        late_s = max(late_s, *found_s, -inf)
        gone |= any(one.there and not after.there for one, after in pairwise(since))
    return late_s if gone else -inf


def _is_watched(ledger: Ledger, creation: Creation, readings: list[Presence]) -> bool:
    """Whether an animal was asked for often enough until it had settled; outside a soak, once soon after is enough."""
    if not ledger.terms.crowded:
        return True
    settle_s, made_s = ledger.terms.settle_s, creation.answered_s
    since = [each.exchange for each in readings if each.sent_s >= made_s]
    return all(
        later.sent_s - earlier.answered_s <= max(SOON_S, settle_s / TIMES_UNTIL_SETTLED)
        for earlier, later in pairwise([creation.exchange, *since])
        if earlier.answered_s < made_s + settle_s
    )


def _like_it(case: Case, animal: Animal, creation: Creation) -> Opinion:
    """What it means that an animal was never found: two new ones like it show whether it has been withdrawn.

    Where others are no longer found, they may be gone; if so, this one may be gone too, and no new ones are needed.
    """
    ledger = case.ledger
    alike = creations_like(ledger, creation)
    like = [each for each in alike if each.sent_s >= case.answered_s]
    if len(like) >= 2 and any(ledger.animals[each.animal_id].sightings for each in like):
        return Explained(WITHDRAWN)
    if _several_gone(ledger, own=True) and not _is_missed_soon(ledger, creation):
        return Explained(WITHDRAWN)  # as others of the run were, after they had been found
    vanished = (
        ()
        if _is_missed_soon(ledger, creation)
        else ledger.survey("vanished", lambda: _turns_of_vanished(ledger))
    )
    if vanished:
        return Suspicion(finding(case, animal), f"animal {animal.animal_id}", vanished)
    return suspicion(case, animal, two_like(WITHDRAWN, creation.body, ledger.terms.settle_s))


def _is_missed_soon(ledger: Ledger, creation: Creation) -> bool:
    """Whether an animal was not found soon after its creation, when nothing can have removed it yet."""
    return any(
        each.status == 404 and is_soon(ledger, creation, each) for each in ledger.gets[creation.animal_id]
    )


def is_soon(ledger: Ledger, creation: Creation, reading: Exchange) -> bool:
    """Whether an animal was asked for so soon that neither its age nor a later creation can have removed it.

    A store may keep only some of the newest animals, but no fewer than it is known to have kept of those alike. Under
    load there is always a later creation.
    """
    made = creation.exchange
    if not 0 <= reading.sent_s - made.answered_s <= SOON_S:
        return False
    return ledger.terms.crowded or ledger.survey("room", lambda: _Room(ledger)).is_left(creation, reading)


class _Room:
    """Tell whether a store that keeps only the newest animals would still have one: it has kept others for as long."""

    def __init__(self, ledger: Ledger) -> None:
        self._sent_s = [each.sent_s for each in ledger.stored]
        self._answered_s = sorted(each.answered_s for each in ledger.stored)
        self._survived = max(0, *_later(ledger))

    def is_left(self, creation: Creation, reading: Exchange) -> bool:
        """Whether no more animals were created beside and after one, until it was asked for, than others survived."""
        begun = bisect_left(self._sent_s, reading.answered_s)
        ended = bisect_right(self._answered_s, creation.sent_s)
        return begun - ended - 1 <= self._survived


def _later(ledger: Ledger) -> Iterator[int]:
    """For each animal: how many of its status and category were certainly created after it while getPet still found it."""
    alike: dict[tuple[str, str], list[Creation]] = defaultdict(list)
    for each in ledger.creations:
        alike[str(each.status), str(each.payload.get("categoryId"))].append(each)
    for creations in alike.values():
        sent_s = sorted(each.sent_s for each in creations)
        answered_s = sorted(each.answered_s for each in creations)
        for each in creations:
            presences = told_of(ledger, ledger.animals[each.animal_id])
            found_s = max((one.as_of_s for one in presences if one.there and not one.listed), default=-inf)
            yield bisect_right(answered_s, found_s) - bisect_left(sent_s, each.answered_s)


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
