"""Animals of the run that were never found: asked for soon after their creation, and again when they had settled."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile, islice, pairwise, permutations
from math import comb, inf
from typing import Final

from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import NOT_FOUND, SOON_S, Presence, told_of
from animal_conformance.record.exchange import Exchange

# Under load, replicas lag for long, and an animal may be gone before one finds it: unless it was asked for this often
# until it had settled.
TIMES_UNTIL_SETTLED: Final = 2
# Where the run's animals go away, as many that were missed soon are no coincidence if it is less probable than this.
COINCIDENCE: Final = 0.001


@dataclass(frozen=True)
class Never:
    """Animals of the run that were asked for soon, and again when they had settled, and not found until then.

    ``missed`` are all of them. ``proof`` are the getPet responses of two of them that nothing can have removed at once;
    only the first response, or none, where there are no two. ``waiting`` is an animal that would be the second, if it had
    been asked for after settling. ``others_gone`` is whether any of the run's animals was found, and then no more;
    ``as_others`` whether these go away so often that two or more that were missed may have gone like them. Then none of
    those is here.
    """

    missed: tuple[Creation, ...]
    proof: tuple[Exchange, ...]
    waiting: Creation | None
    others_gone: bool
    as_others: bool


@dataclass(frozen=True)
class _Missed:
    """One of them, the first response that did not find it, and the first after settling, if there is one."""

    creation: Creation
    soon: Presence
    settled: Exchange | None


def never_found(ledger: Ledger) -> Never:
    """The animals that were never found, and two of them that were created apart, or fewer if there are no two."""
    late_s, gone = _late_s(ledger)
    missed = [each for one in ledger.creations if (each := _missed(ledger, one, late_s)) is not None]
    if gone and len(missed) > 1 and _go_as_often(ledger, len(missed)):
        return Never((), (), None, others_gone=True, as_others=True)
    settled = sorted((each for each in missed if each.settled), key=lambda each: each.soon.answered_s)
    two = settled[:1]
    # One reset of the store takes those away that were created before the first of them was read.
    two += [each for each in settled if two[0].soon.answered_s <= each.creation.sent_s][:1]
    if len(two) == 1 and not ledger.terms.crowded:
        pairs = (pair for pair in permutations(settled, 2) if _is_outlived(ledger, *pair))
        two = list(next(pairs, two))
    later = [each.creation for each in missed if each.settled is None]
    if two:
        later = [each for each in later if each.sent_s >= two[0].soon.answered_s]
    proof = tuple(each.settled for each in two if each.settled is not None)
    return Never(
        tuple(each.creation for each in settled), proof, next(iter(later), None), gone, as_others=False
    )


def _missed(ledger: Ledger, creation: Creation, late_s: float) -> _Missed | None:
    """What was said of an animal that was not found soon, nor when it had settled; ``None`` if it was found in time.

    Where some of the run's animals are found late and some go away, one may go before it is found. Not so one that was
    asked for soon after its creation, and yet later than the latest of the others was found, ``late_s`` after its own.
    """
    animal, made_s = ledger.animals[creation.animal_id], creation.answered_s
    readings = told_of(ledger, animal) if animal.creation is not None else []
    soon = [each for each in readings if is_soon(ledger, creation, each.exchange)]
    if not any(each.sent_s - made_s > late_s for each in soon):
        return None
    settled = next((each for each in readings if each.as_of_s >= made_s + ledger.terms.settle_s), None)
    if any(each.there for each in readings if settled is None or each.sent_s <= settled.sent_s):
        return None
    if settled is not None and not _is_asked_often(ledger, creation, readings):
        return None
    return _Missed(creation, soon[0], None if settled is None else settled.exchange)


def _is_outlived(ledger: Ledger, one: _Missed, other: _Missed) -> bool:
    """Whether an animal that was created between two others was found after both were missed: no reset took the two."""
    missed_s = max(one.soon.answered_s, other.soon.answered_s)
    return any(
        each.there and each.as_of_s >= missed_s
        for between in ledger.creations
        if one.creation.sent_s <= between.sent_s and between.answered_s <= other.creation.sent_s
        for each in told_of(ledger, ledger.animals[between.animal_id])
    )


def _late_s(ledger: Ledger) -> tuple[float, bool]:
    """How late after its creation any of the run's animals was found that was missed before, and whether any has gone away.

    The time is -inf if none was late, or none has gone away.
    """
    late_s, gone = -inf, False
    for creation in ledger.creations:
        made_s = creation.answered_s
        animal = ledger.animals[creation.animal_id]
        since = [each for each in told_of(ledger, animal) if each.sent_s >= made_s]
        found = list(dropwhile(lambda each: not each.there, since))
        if found and not since[0].there:
            late_s = max(late_s, found[0].sent_s - made_s)
        gone |= bool(found) and not found[-1].there
    return late_s if gone else -inf, gone


def _go_as_often(ledger: Ledger, missed: int) -> bool:
    """Whether the run's animals go away so often after they were found that as many may have gone before.

    Under the hypothesis that an animal goes at any age with equal probability, how many of all that went did so before the
    first reading is a binomial number (Przyborowski and Wilenski, Biometrika 31, 1940).

    :param missed: how many were missed soon after their creation, and never found.
    """
    until_asked_s = known_s = 0.0
    went = 0
    for creation in ledger.creations:
        animal = ledger.animals[creation.animal_id]
        readings = [each for each in told_of(ledger, animal) if each.sent_s >= creation.answered_s]
        soon = (each for each in readings if is_soon(ledger, creation, each.exchange))
        until_asked_s += sum(each.answered_s - creation.sent_s for each in islice(soon, 1))
        if any(each.there for each in readings):
            found_s = max(each.as_of_s for each in readings if each.there)
            known_s += max(0.0, found_s - creation.answered_s)
            went += not readings[-1].there
    total, share = missed + went, until_asked_s / (until_asked_s + known_s)
    fewer = sum(comb(total, each) * share**each * (1 - share) ** (total - each) for each in range(missed))
    return 1 - fewer >= COINCIDENCE


def _is_asked_often(ledger: Ledger, creation: Creation, readings: list[Presence]) -> bool:
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


def is_missed_soon(ledger: Ledger, creation: Creation) -> bool:
    """Whether an animal was not found soon after its creation, when nothing can have removed it yet."""
    return any(
        each.status in NOT_FOUND and is_soon(ledger, creation, each)
        for each in ledger.gets[creation.animal_id]
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
