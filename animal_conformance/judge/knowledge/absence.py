"""The animals that lists lack: whether they exist, whether the list was cut, and whether it always lacks them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import inf
from typing import Final

from animal_conformance.judge.experiments import TURNS
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.order import are_oldest, is_chosen_as_shown
from animal_conformance.judge.knowledge.presence import NOT_FOUND, as_of_s, told_of
from animal_conformance.judge.knowledge.standing import (
    are_by_age,
    gives_way_at_its_end,
    own_on,
    stands_among_alike,
)
from animal_conformance.record.exchange import Exchange


def added_by(ledger: Ledger, page: Page, time_s: float) -> list[Creation]:
    """The animals that the run had added to a page's filter, and that lists may no longer lag behind at a given time."""
    status = page.status
    made, answered_s = ledger.survey(("added", status), lambda: _added(ledger, status))
    return made[: bisect_right(answered_s, time_s - ledger.terms.settle_s)]


def _added(ledger: Ledger, status: str | None) -> tuple[list[Creation], list[float]]:
    """The animals that the run has added, with a status if one is given, and when each was added."""
    made = [
        each
        for each in ledger.made[status]
        if each.reading.valid and ledger.animals[each.animal_id].creation is each
    ]
    return made, [each.answered_s for each in made]


def size_of(creation: Creation) -> int:
    """How many bytes an animal may have in a list."""
    return len(creation.response.body.strip()) + 1


def is_gone(ledger: Ledger, page: Page, animal_id: int) -> bool:
    """Whether an animal was not found and never seen again, or was later seen with another status than a page's filter."""
    animal = ledger.animals[animal_id]
    made_s = -inf if animal.creation is None else animal.creation.answered_s
    seen_s = max((each.last.sent_s for each in animal.sightings), default=made_s)
    for each in ledger.gets[animal_id]:
        if each.status in NOT_FOUND and each.sent_s >= seen_s and not ledger.get_pet_is_removed:
            return True
    later = [each for each in animal.sightings if each.last.sent_s >= page.answered_s]
    # The last getPet response counts too: lists that then tell another status are covered by create.status.exact.
    told = [*later, *animal.gets[-1:]]
    return page.status is not None and any(each.animal.get("status") != page.status for each in told)


def is_told_since(ledger: Ledger, page: Page, animal_id: int) -> bool:
    """Whether any response after a page says that an animal is there, or is not."""
    return any(each.sent_s >= page.answered_s for each in told_of(ledger, ledger.animals[animal_id]))


def has_left_filter(ledger: Ledger, page: Page, animal_id: int) -> bool:
    """Whether any response told a status of an animal other than a page's filter, so that it may have left the list."""
    sightings = ledger.animals[animal_id].sightings
    return page.status is not None and any(each.animal.get("status") != page.status for each in sightings)


def some_are_gone(ledger: Ledger) -> bool:
    """Whether getPet has not found an animal that was known for longer than replicas may lag."""
    return ledger.survey(
        "some are gone", lambda: any(_is_missed(ledger, *each) for each in ledger.gets.items())
    )


def _is_missed(ledger: Ledger, animal_id: int, asked: Sequence[Exchange]) -> bool:
    animal = ledger.animals.get(animal_id)
    settled_s = inf if animal is None else animal.known_since_s + ledger.terms.settle_s
    return any(each.status in NOT_FOUND and each.sent_s >= settled_s for each in asked)


def shown_in(ledger: Ledger, creation: Creation, status: str | None) -> list[Exchange]:
    """The responses that show an animal, with a status if one is given."""
    animal_id = creation.animal_id
    got = found_by_get(ledger, animal_id, status)
    listed = [each.exchange for each in ledger.completeness.pages if each.shows(animal_id, status)]
    return sorted((*got, *listed), key=lambda each: each.sent_s)


def found_by_get(ledger: Ledger, animal_id: int, status: str | None) -> list[Exchange]:
    """The getPet responses that show an animal, with a status if one is given."""
    return [each for each in ledger.gets[animal_id] if _is_got(each, animal_id, status)]


def _is_got(exchange: Exchange, animal_id: int, status: str | None) -> bool:
    if exchange.status != 200:
        return False
    value = exchange.value
    return isinstance(value, dict) and value.get("id") == animal_id and status in (None, value.get("status"))


# If pages differ from each other this often in turns, each is a choice of animals.
UNLIKE: Final = 3


@dataclass(frozen=True)
class Turns:
    """Pages that lack an animal, each followed by a response that shows it; and how often they differed otherwise."""

    absences: tuple[Page, ...]
    shown: tuple[Exchange, ...]
    unlike: int

    @property
    def complete(self) -> bool:
        """Whether the animal was absent and shown in turns, often enough."""
        return len(self.absences) == TURNS and not self.unlike

    @property
    def are_a_choice(self) -> bool:
        """Whether the pages differed too often to be explained by changes of the store."""
        return self.unlike >= UNLIKE


def turns_of(
    ledger: Ledger, absences: Iterable[Page], shown: Sequence[Exchange], *, needed: bool = True
) -> Turns:
    """Take pages and responses in turns, where the pages differ only by what has been added since.

    :param absences: the pages that lack an animal.
    :param shown: the responses that show it.
    :param needed: whether responses that show it are needed at all.
    """
    picked: list[Page] = []
    seen: list[Exchange] = []
    unlike = 0
    for page in absences:
        if seen and (page.sent_s < seen[-1].answered_s or page.as_of_s < picked[-1].sent_s):
            continue  # it may be the same stored response
        if picked and not _is_like(ledger, picked[-1], page):
            unlike += 1
            picked, seen = [], []
        from_s = (picked or [page])[0].sent_s
        # A stored response has to be newer than the first page, too.
        later = (each for each in shown if each.sent_s >= page.answered_s)
        after = next((each for each in later if as_of_s(each) >= from_s), None)
        if after is None and needed:
            break
        picked.append(page)
        seen.append(after or page.exchange)
        if len(picked) == TURNS:
            break
    return Turns(tuple(picked), tuple(seen), unlike)


def last_turns_of(ledger: Ledger, absences: Sequence[Page], shown: Sequence[Exchange]) -> Turns:
    """As :func:`turns_of`, beginning as late as possible: what earlier pages showed may have changed since.

    Of three pages in a row, one at least has to count: experiments read no more of them between two responses.
    """
    places = range(len(absences) - 1, -1, -1)
    begun = (turns_of(ledger, absences[at : at + 3 * TURNS], shown) for at in places)
    return next((each for each in begun if each.complete), turns_of(ledger, absences, shown))


def _is_like(ledger: Ledger, before: Page, after: Page) -> bool:
    """Whether pages differ only by animals added since, and by the oldest ones, whose places these took on a full page."""
    left, added = before.id_set - after.id_set, after.id_set - before.id_set
    if left and (after.ends_early or not is_by_age(ledger, after)):
        return False
    if left and not (gives_way_at_its_end(before, after) or are_oldest(ledger, left, after.ids)):
        return False
    return all(ledger.animals[each].known_since_s >= before.sent_s for each in added)


def lacks_others(ledger: Ledger, page: Page, *, but: AbstractSet[int] = frozenset()) -> bool:
    """Whether a page lacks animals of others that lists showed before, so that it may be cut, or be a selection.

    :param but: those that do not count.
    """
    others = (each for each in ledger.animals.values() if not each.creations and each.listed)
    return any(
        each.animal_id not in page.id_set
        and each.animal_id not in but
        and each.known_since_s < page.sent_s
        and page.status in (None, each.listed[-1].animal.get("status"))
        for each in others
    )


def is_filtered_last(ledger: Ledger, page: Page, animal_id: int) -> bool:
    """Whether the list without the filter lacks an animal too, shows all animals of a page, and is as long as it ever is.

    Then the filter was applied to the animals of that list.
    """
    whole = ledger.survey((is_filtered_last, id(page)), lambda: _filtered(ledger, page))
    return whole is not None and animal_id not in whole.id_set


def _filtered(ledger: Ledger, page: Page) -> Page | None:
    """The list whose animals a page may be filtered from; ``None`` if there is none."""
    before = [each for each in ledger.completeness.beside(page) if each.answered_s <= page.sent_s]
    if page.status is None or not before or not before[-1].ends_early:
        return None
    whole = before[-1]
    cut = whole.id_set >= page.id_set and ledger.completeness.longer(whole) is None and stops(ledger, whole)
    return whole if cut else None


def may_be_scanned(ledger: Ledger, page: Page) -> bool:
    """Whether a filtered list never shows an animal that the run added, and also lacks others, while statuses move.

    Then the list may be longer because statuses moved, which says nothing about a scan: it may end before what was
    added (reading 20). If a list shows all animals of others with its status, no scan ends before any of them.
    """
    if page.status is None or not ledger.completeness.moved or not ledger.made[page.status]:
        return False
    if not lacks_others(ledger, page):
        return False
    shown = frozenset[int]().union(*(each.id_set for each in ledger.completeness.alike(page)))
    return all(ledger.animals[each].creation is None for each in shown)


def stops(ledger: Ledger, page: Page) -> bool:
    """Whether a query did not grow as animals were added: a page shows none of these, or they took the places of others."""
    return ledger.survey(("stops", id(page)), lambda: _stops(ledger, page))


def _stops(ledger: Ledger, page: Page) -> bool:
    added = added_by(ledger, page, page.as_of_s)
    last_s = max((each.sent_s for each in added), default=-inf)
    shown_s = max((each.sent_s for each in added if each.animal_id in page.id_set), default=-inf)
    return any(
        before.answered_s <= last_s and (page.length <= before.length or shown_s < before.answered_s)
        for before in ledger.completeness.alike(page)
    )


def has_room(ledger: Ledger, page: Page) -> bool:
    """Whether a list without parameters had to show every animal that was added, and there were not too many for it.

    Where a larger list and what was added since have more animals, its limit may count some that it hides.
    """
    return ledger.completeness.shows_all(page) and not _is_overfull(ledger, page)


def _is_overfull(ledger: Ledger, page: Page) -> bool:
    larger, answered_s = ledger.survey(("larger", page.limit), lambda: _larger(ledger, page.limit))
    at = bisect_right(answered_s, page.sent_s)
    if not at:
        return False
    last = larger[at - 1]
    since = (each for each in ledger.made[None] if last.sent_s <= each.answered_s <= page.sent_s)
    return len(last.id_set.union(each.animal_id for each in since)) > page.limit


def _larger(ledger: Ledger, limit: int) -> tuple[list[Page], list[float]]:
    """The lists without a filter that may hold more than a limit, and when each was answered."""
    larger = [each for each in ledger.completeness.pages if each.status is None and each.limit > limit]
    larger.sort(key=lambda each: each.answered_s)
    return larger, [each.answered_s for each in larger]


def room_of(page: Page, missing: list[Creation], ledger: Ledger) -> int:
    """By how many bytes another page has to be longer, so that no cap in bytes can have kept an animal out of this one.

    On a page that was chosen in the order of age, an animal between older and newer ones of its kind was not cut off: then
    the smallest missing one decides. In any other order, the first that did not fit may be the largest animal that is not
    on the page, whatever else is open about it.
    """
    by_age = is_by_age(ledger, page) and is_chosen_as_shown(ledger, page.status)
    if by_age and all(stands_among_alike(ledger, page, each) for each in missing):
        return min(map(size_of, missing))
    largest: int = ledger.survey(("largest not on", id(page)), lambda: _largest_not_on(ledger, page))
    return max(largest, *map(size_of, missing))


def _largest_not_on(ledger: Ledger, page: Page) -> int:
    """The size of the largest animal that the run had sent before a page was returned, and that is not on it."""
    made = (each for each in ledger.made[page.status] if each.sent_s < page.answered_s)
    return max((size_of(each) for each in made if each.animal_id not in page.id_set), default=0)


def is_behind_large(ledger: Ledger, page: Page) -> bool:
    """Whether the newest animal of a page's filter is larger than any page was: a cap in bytes may end a page before it."""
    largest = ledger.survey(
        "largest page",
        lambda: max((each.size for each in ledger.completeness.pages if each.length), default=inf),
    )
    made = [each for each in ledger.made[page.status] if each.answered_s <= page.sent_s]
    return bool(made) and size_of(made[-1]) > largest


def is_by_age(ledger: Ledger, page: Page) -> bool:
    """Whether a page has the run's animals in the order of their creation, or in the reverse order."""
    by_age: bool = ledger.survey((is_by_age, id(page)), lambda: are_by_age(own_on(ledger, page)))
    return by_age


def surrounds(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page shows animals that are older and animals that are newer than one that it lacks."""
    oldest_s, newest_s = ledger.survey((_span, id(page)), lambda: _span(ledger, page))
    return oldest_s < creation.sent_s and creation.answered_s <= newest_s


def _span(ledger: Ledger, page: Page) -> tuple[float, float]:
    """Since when the oldest animal of a page has been known, and when its newest creation by the run was sent."""
    known = [ledger.animals[each] for each in page.ids]
    made = (creation.sent_s for each in known for creation in each.creations)
    return min((each.known_since_s for each in known), default=inf), max(made, default=-inf)
