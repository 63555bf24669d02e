"""Lists that are always behind by an animal or a few: they show one only once another has been created."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from animal_conformance.judge.case import Case, Finding, Opinion, Suspicion
from animal_conformance.judge.experiments import CAPPED, TURNS, Create, Experiment, Read, Step, Wait
from animal_conformance.judge.knowledge.absence import added_by, is_gone
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# How long an animal is missing before the next one is created, in multiples of the time for which lists may lag: no
# single lag fits them all. One more than TURNS: a list that is behind by two may first show an animal of others.
LENGTHS: Final = (1.1, 1.5, 1.3, 1.2)
# An animal has to be missing this many times as long as it then takes until it is shown: so it is the creation that
# shows it, and not a lag that happens to end.
LONGER: Final = 10
# So many animals a list may be behind by.
MOST_BEHIND: Final = 2


@dataclass(frozen=True)
class Round:
    """A page that lacks the animals added last, although they have settled, and a page right after the next creation.

    The second one shows the first of them, which is ``creation``.
    """

    page: Page
    creation: Creation
    longer: Page

    @property
    def lag_s(self) -> tuple[float, float]:
        """The bounds of a lag that would explain the round: longer than the first, and no longer than the second."""
        made_s = self.creation.answered_s
        return self.page.sent_s - made_s, self.longer.answered_s - made_s


def behind(case: Case, page: Page) -> Opinion:
    """What it means that a page lacks nothing but the newest animals of the run, one or a few.

    A cap would also keep out the animal that is added next, and lists that lag would show these whether another is
    created or not. It is a finding if the query has shown such an animal as soon as another one was created, one animal
    after another.

    :returns: ``None`` if another page of the query tells, or none does: pages may be cut, as they show nothing that one
        before them lacked, and once lists have shown the newest animal while it was the newest, they are not behind.
    """
    ledger, alike = case.ledger, case.ledger.completeness.alike(page)
    if ledger.get_pet_is_removed:
        return None
    rounds: list[Round] = ledger.survey(("behind", page.query), lambda: list(_rounds(ledger, alike)))
    if len(rounds) >= TURNS and not _may_lag(rounds):
        return _finding(page, rounds[-TURNS:]) if page is rounds[-1].page else None
    if page is not ledger.survey(("last behind", page.query), lambda: _last_behind(ledger, alike)):
        return None
    first = _newest_missing(ledger, page)[0]
    if is_gone(ledger, page, first.animal_id) or not (rounds or _has_caught_up(alike, ledger)):
        return None
    experiment = _experiment(first, page.exchange.request.target, ledger.terms.settle_s)
    return Suspicion(_finding(page, rounds, first), f"animal {first.animal_id}", (experiment,))


def _last_behind(ledger: Ledger, alike: list[Page]) -> Page | None:
    """The last page of a query that lacks the newest animals; ``None`` if one has shown the newest since, or the last is full."""
    if not alike[-1].ends_early:
        return None
    for page in reversed(alike):
        if page.ends_early and _newest_missing(ledger, page):
            return page
        if _shows_newest(ledger, page):
            return None
    return None


def _shows_newest(ledger: Ledger, page: Page) -> bool:
    """Whether a page shows an animal of the run that had settled, and after which the run had created no other."""
    made = ledger.made[None]
    newest = next((each for each in reversed(made) if each.sent_s <= page.sent_s), None)
    return (
        newest is not None
        and newest.animal_id in page.id_set
        and newest.answered_s + ledger.terms.settle_s <= page.as_of_s
    )


def _experiment(like: Creation, target: str, settle_s: float) -> Experiment:
    """Create animals one after another, and read the list when each has settled, and as soon as the next one is there."""
    create, read = Create(like.body), Read(target)
    rounds: list[Step] = []
    for length in LENGTHS:
        rounds += [create, read, Wait(length * settle_s), read]
    return Experiment(CAPPED, (*rounds, create, read, Wait(LENGTHS[0] * settle_s), read))


def _may_lag(rounds: list[Round]) -> bool:
    """Whether one and the same lag would explain all rounds."""
    return max(each.lag_s[0] for each in rounds) < min(each.lag_s[1] for each in rounds)


def _newest_missing(ledger: Ledger, page: Page) -> list[Creation]:
    """The animals that were added last, if they have settled and are all of those added that a page lacks."""
    added = added_by(ledger, page, page.as_of_s)
    missing = [each for each in added if each.animal_id not in page.id_set]
    return missing if len(missing) <= MOST_BEHIND and missing == added[len(added) - len(missing) :] else []


def _rounds(ledger: Ledger, alike: list[Page]) -> Iterator[Round]:
    """Every page that is as long as any before it, but lacks the newest animals, of which the next, longer page shows one.

    The next page was requested right after another animal was created.
    """
    longest = 0
    for page, after in pairwise(alike):
        longest = max(longest, page.length)
        missing = _newest_missing(ledger, page) if page.ends_early and page.length == longest else []
        if not missing or missing[0].animal_id not in after.id_set or after.length <= page.length:
            continue
        creation = missing[0]
        missing_s = page.sent_s - creation.answered_s
        between = any(
            page.answered_s <= each.sent_s and each.answered_s <= after.sent_s for each in ledger.creations
        )
        if between and LONGER * (after.answered_s - page.sent_s) <= missing_s:
            yield Round(page, creation, after)


def _has_caught_up(alike: list[Page], ledger: Ledger) -> bool:
    """Whether a page shows an animal of the run that one before it lacked, although it had been created by then."""
    return any(
        creation is not None and creation.answered_s <= page.sent_s
        for page, after in pairwise(alike)
        for animal_id in after.id_set - page.id_set
        for creation in (ledger.animals[animal_id].creation,)
    )


def _finding(page: Page, rounds: list[Round], *now: Creation) -> Finding:
    creations = [*(each.creation for each in rounds), *now]
    animal_ids = list(dict.fromkeys(str(each.animal_id) for each in creations))
    return Finding(
        f"{page.words} that had room for more lacks new animals until others are created: {', '.join(animal_ids)}.",
        "every animal that the run added to it and that is still there",
        page.without(creations[-1].animal_id),
        related=page.beside(creations[-1].exchange, *(each.page.exchange for each in rounds)),
        excluded=tuple((CAPPED, each.longer.exchange) for each in rounds),
    )
