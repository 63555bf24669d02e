"""Lists that are empty now and then: a node without an index, or a search that gave up."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from animal_conformance.interface.contract import LARGEST_LIMIT, LARGEST_LIST
from animal_conformance.judge.case import Case, Explained, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CAPPED, SAMPLED, Create, Experiment, Read, Step, WaitUntil
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.caps import ends_of
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# How often a list has to be empty between others that show the same animals, and how many of these they have to share.
TIMES: Final = 3
FEWEST_ANIMALS: Final = 3
# How many reads an experiment has.
READS: Final = 24
# Where a list was empty this often, at any time, many more reads tell how often it is.
OFTEN: Final = 2
MANY_READS: Final = 96
# How many of the first reads come right after a creation.
AFTER_CREATIONS: Final = 4
# Lists that end at this many lengths, although there are more animals, end anywhere, even before the first animal.
ANYWHERE: Final = 3
REJECTED: Final = "/pets?limit=0"


def empty_now_and_then(case: Case, page: Page) -> Opinion:
    """What it means that a list is empty, while the largest pages of its filter show the same animals before and afterwards.

    A choice of animals would vary, and a restart that loses them would lose them permanently. So it is a finding if it
    happens three times, in turns (readings 16 and 20), unless the query, or the one without its filter, ends anywhere:
    a scan may stop before it has found any animal.

    :returns: ``None`` if the run's own animals were not listed both before and afterwards, or the query is always empty.
    """
    ledger = case.ledger
    if not any(each.length for each in ledger.completeness.alike(page)):
        return None
    largest = ledger.survey(("largest", page.status), lambda: _largest(ledger, page.status))
    at = next((at for at, each in enumerate(largest) if each.sent_s >= page.sent_s), len(largest))
    before = [each for each in largest[:at] if each.length][-1:]
    after = [each for each in largest[at:] if each.length][:1]
    if not before or not after:
        return None
    both = before[0].id_set & after[0].id_set
    own = [each for each in _lasting(ledger, page.status, both) if each.answered_s < page.sent_s]
    if len(own) < FEWEST_ANIMALS:
        return None
    settled_s = own[FEWEST_ANIMALS - 1].answered_s + ledger.terms.settle_s
    turns = ledger.survey(("blanks", page.status), lambda: _turns(ledger, page.status, largest))
    ends = ledger.survey(("ends of largest", page.status), lambda: _ends(ledger, page.status))
    if len(ends) >= ANYWHERE:
        return Explained(CAPPED)
    read = sum(each.sent_s >= settled_s for each in largest)
    if len(turns) >= TIMES and (not ends or read >= READS + MANY_READS):
        return _finding(page, turns) if page is turns[0][1] else None
    blank = _blanks(ledger, page.status, own[0].answered_s)
    often = bool(turns) or len(blank) >= OFTEN
    if read >= (READS + MANY_READS if often else READS):
        return Explained(SAMPLED) if often else None
    return Suspicion(
        _finding(page, []),
        f"the list {page.exchange.request.target}",
        (_experiment(page.status, own[0], settled_s, again=often and read >= READS),),
    )


def _largest(ledger: Ledger, status: str | None) -> list[Page]:
    """The lists with a filter, or without, at the largest limit and with no other parameter.

    At a smaller limit, a scan may end before it has found any animal.
    """
    return [
        each
        for each in ledger.completeness.pages
        if each.limit == LARGEST_LIMIT
        and each.status == status
        and len(each.exchange.request.query) == 1 + bool(status)
    ]


def _ends(ledger: Ledger, status: str | None) -> frozenset[int]:
    """The lengths at which the largest lists with a filter, and those without, end although there are more."""
    return ends_of(ledger, _largest(ledger, status)) | ends_of(ledger, _largest(ledger, None))


def _blanks(ledger: Ledger, status: str | None, since_s: float) -> list[Page]:
    """The lists with a filter, or without, at any limit, that are empty and whose scan newer animals cannot have filled."""
    lists = ledger.completeness
    empty = (each for each in lists.pages if each.status == status and not each.length)
    return [
        each
        for each in empty
        if each.sent_s > since_s and not _may_be_pushed_out(ledger, each, lists.alike(each))
    ]


def _may_be_pushed_out(ledger: Ledger, page: Page, alike: Sequence[Page]) -> bool:
    """Whether newer animals may have pushed all others out of what a filter scans (reading 20).

    Not if no animal was created between the empty page and the one that showed animals before or after it, by the run
    or, as far as is known, by others; nor if the query shows an animal both before and afterwards.
    """
    shown = [each for each in alike if each.length]
    at = next((at for at, each in enumerate(shown) if each.sent_s >= page.sent_s), len(shown))
    before, after = shown[max(0, at - 1) : at], shown[at : at + 1]
    if any(first.id_set & last.id_set for first in before for last in after):
        return False
    spans = [(each.sent_s, page.answered_s) for each in before]
    spans += [(page.sent_s, each.answered_s) for each in after]
    # The animals of others may have been added at any time before they were first seen.
    others_s = max(
        (each.known_since_s for each in ledger.animals.values() if not each.creations), default=-inf
    )
    return all(
        others_s > from_s or any(each.sent_s < until_s and from_s < each.answered_s for each in ledger.stored)
        for from_s, until_s in spans
    )


def _lasting(ledger: Ledger, status: str | None, ids: frozenset[int]) -> list[Creation]:
    """Those of some animals that the run created, in order, without any that a filter has reason to leave out."""
    known = (ledger.animals[each] for each in ids)
    made = (
        each.creation
        for each in known
        if each.creation is not None
        and (status is None or all(seen.animal.get("status") == status for seen in each.sightings))
    )
    return sorted(made, key=lambda each: each.answered_s)


def _turns(ledger: Ledger, status: str | None, largest: Sequence[Page]) -> list[tuple[Page, Page]]:
    """Pages with animals, each with the empty one that followed it, where the pages show the same animals all the time.

    These animals have settled: none of them is new to a replica.
    """
    turns: list[tuple[Page, Page]] = []
    shared: frozenset[int] = frozenset()
    before: Page | None = None
    blank: Page | None = None
    for page in largest:
        if not page.length:
            blank = blank or page
            continue
        shared &= page.id_set
        if len(shared) < FEWEST_ANIMALS and len(turns) < TIMES:
            turns = []  # others have taken their places
        if before is not None and blank is not None:
            both = page.id_set & before.id_set
            settled_s = blank.as_of_s - ledger.terms.settle_s
            made = (each for each in _lasting(ledger, status, both) if each.answered_s <= settled_s)
            settled = frozenset(each.animal_id for each in made)
            if len(shared & settled if turns else settled) >= FEWEST_ANIMALS:
                shared = shared & settled if turns else settled
                turns.append((before, blank))
        before, blank = page, None
    return turns


def _experiment(status: str | None, like: Creation, from_s: float, *, again: bool) -> Experiment:
    """Read the list again and again: on several connections, after a rejected list, and after creations."""
    target = LARGEST_LIST + (f"&status={status}" if status else "")
    steps: list[Step] = [WaitUntil(from_s)]
    for number in range(MANY_READS if again else READS):
        if number % 4 == 2:
            steps.append(Read(REJECTED))
        if number % 4 == 3 and number < 4 * AFTER_CREATIONS and status is None and not again:
            steps.append(Create(like.body))
        steps.append(Read(target, anew=number % 4 == 0))
    return Experiment(SAMPLED, tuple(steps))


def _finding(page: Page, turns: Sequence[tuple[Page, Page]]) -> Finding:
    return Finding(
        f"{page.words} is empty now and then, while the same animals are listed before and afterwards.",
        "the animals that are listed before and afterwards",
        "200 with []",
        related=tuple(before.exchange for before, _ in turns[:1]),
        excluded=tuple((SAMPLED, blank.exchange) for _, blank in turns[1:TIMES]),
    )
