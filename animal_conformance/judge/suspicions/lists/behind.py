"""Lists that are always one animal behind: they show an animal only once the next one has been created."""

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
# single lag fits them all.
LENGTHS: Final = (1.1, 1.5, 1.3)
# An animal has to be missing this many times as long as it then takes until it is shown: so it is the creation that
# shows it, and not a lag that happens to end.
LONGER: Final = 10


@dataclass(frozen=True)
class Round:
    """A page that lacks the animal added last, although that has settled, and a page right after the next creation."""

    page: Page
    creation: Creation
    longer: Page

    @property
    def lag_s(self) -> tuple[float, float]:
        """The bounds of a lag that would explain the round: longer than the first, and no longer than the second."""
        made_s = self.creation.answered_s
        return self.page.sent_s - made_s, self.longer.answered_s - made_s


def behind(case: Case, page: Page) -> Opinion:
    """What it means that the last page of a query lacks nothing but the newest animal of the run.

    A cap would also keep out the animal that is added next, and lists that lag would show this one whether another is
    created or not. It is a finding if the query has shown such an animal as soon as another one was created, one animal
    after another.

    :returns: ``None`` if the page may be cut, as it shows nothing that a page before it lacked.
    """
    ledger, alike = case.ledger, case.ledger.completeness.alike(page)
    if page is not alike[-1] or ledger.get_pet_is_removed or not page.ends_early:
        return None
    last = _newest_missing(ledger, page)
    if last is None or is_gone(ledger, page, last.animal_id):
        return None
    rounds = list(_rounds(ledger, alike))
    if len(rounds) >= TURNS and not _may_lag(rounds):
        return _finding(page, rounds[-TURNS:], last)
    if not rounds and not _has_caught_up(alike, ledger):
        return None
    experiment = _experiment(last, page.exchange.request.target, ledger.terms.settle_s)
    return Suspicion(_finding(page, rounds, last), f"animal {last.animal_id}", (experiment,))


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


def _newest_missing(ledger: Ledger, page: Page) -> Creation | None:
    """The animal that was added last, if it has settled and is the only one of those added that a page lacks."""
    added = added_by(ledger, page, page.as_of_s)
    missing = [each for each in added if each.animal_id not in page.id_set]
    return missing[0] if missing and missing == added[-1:] else None


def _rounds(ledger: Ledger, alike: list[Page]) -> Iterator[Round]:
    """Every page that is as long as any before it, but lacks the newest animal, which the next, longer page shows.

    The next page was requested right after another animal was created.
    """
    longest = 0
    for page, after in pairwise(alike):
        longest = max(longest, page.length)
        creation = _newest_missing(ledger, page) if page.ends_early and page.length == longest else None
        if creation is None or creation.animal_id not in after.id_set or after.length <= page.length:
            continue
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


def _finding(page: Page, rounds: list[Round], last: Creation) -> Finding:
    animal_ids = [*dict.fromkeys(str(each.creation.animal_id) for each in rounds), str(last.animal_id)]
    return Finding(
        f"{page.words} that had room for more lacks the newest animal until another one is created: {', '.join(animal_ids)}.",
        "every animal that the run added to it and that is still there",
        page.without(last.animal_id),
        related=page.beside(last.exchange, *(each.page.exchange for each in rounds)),
        excluded=tuple((CAPPED, each.longer.exchange) for each in rounds),
    )
