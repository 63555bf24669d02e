"""Where a new animal stands on a page: neither a cap nor a scan that ends early keeps out one that stands in front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, starmap, takewhile
from math import comb, inf, perm
from operator import ge, le
from typing import Final, Generic, TypeVar

from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.judge.knowledge.presence import NOT_FOUND
from animal_conformance.judge.knowledge.standing import (
    CHANCES,
    alike_on,
    is_in_front_of_older,
    is_unchanged,
    is_window,
    kind_as_created,
    shows_own,
    stands_among_alike,
    stands_among_many_alike,
)

# This many animals are in the same order on two pages by chance once in 40,320 times.
ENOUGH: Final = 8
# Of the ids that a page passes over, this many are asked for.
FEW_GAPS: Final = 5

T = TypeVar("T", int, str)


def out_of_front(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    """Those of the missing animals that stand before all others on a page, by the order that pages show.

    There are four ways to tell. The page shows the newest first: all of the run's animals stand before all that were
    there earlier, and no older one before a newer one; each of the missing is newer than those of the run, and of the
    same kind as one of them. Or the page has the order of one without the filter, on which the missing ones stand before
    all that are on both. Or it shows many animals of the same kind as a missing one, older and newer ones, in the order of
    their creation. In all these, a missing animal does not count if the page is also sorted by ids or names, and these put
    it behind the end. Or the page is sorted by ids, and shows every known animal of others that does not belong behind
    its end; then the missing ones must not belong there either, by id or by age, nor by their kind.

    All this counts only if the query chooses animals in the order that it shows: see :func:`is_chosen_as_shown`.

    :param missing: animals that the run has added to the page's filter.
    """
    first = ahead_of_end(ledger, page, missing)
    if not first or not is_chosen_as_shown(ledger, page.status):
        return []
    return [] if is_selection(ledger, page) else first


def may_be_in_front(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    """Those of the missing animals that stand before the end by their age, whatever their kind, where the newest are first.

    What lists show later may tell that their kind has no other place.
    """
    if ledger.survey(("newest first", id(page)), lambda: _newest_on(ledger, page)) == inf:
        return []
    oldest_s = min(ledger.animals[each].known_since_s for each in page.ids)
    return [each for each in missing if oldest_s < each.sent_s and not is_behind(ledger, page, each)]


def ahead_of_end(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    """As :func:`out_of_front`, unless the page is a selection: see :func:`gaps_of`."""
    first = _newer(ledger, page, missing) or _ahead(ledger, page, missing) or _amid(ledger, page, missing)
    return [each for each in first if not is_behind(ledger, page, each)] or _by_id(ledger, page, missing)


def is_chosen_as_shown(ledger: Ledger, status: str | None) -> bool:
    """Whether lists of a filter hold the animals that come first in the order in which they show them.

    No order is promised: the oldest may be chosen, and shown with the newest first; or the most popular, sorted by id.
    If a smaller page is the beginning of a larger one, and not by chance, both are in the order of the choice.
    """
    return ledger.survey(("chosen as shown", status), lambda: _is_chosen_as_shown(ledger, status))


def _is_chosen_as_shown(ledger: Ledger, status: str | None) -> bool:
    pages = [each for each in ledger.completeness.pages if each.status == status]
    for at, page in enumerate(pages):
        larger = (
            next((each for each in beside if comb(each.length, page.length) >= CHANCES), None)
            for beside in (pages[at + 1 :], reversed(pages[:at]))
        )
        if any(_is_beginning(ledger, page, each) for each in filter(None, larger)):
            return True
    return False


def _is_beginning(ledger: Ledger, page: Page, larger: Page) -> bool:
    """Whether the larger of two pages begins with the smaller one, apart from animals that one of them was too early for.

    Animals that only the smaller one shows do not count either: they may have come or gone in between.
    """
    there_s = min(page.sent_s, larger.sent_s)
    first, whole = (
        [each for each in one.ids if ledger.animals[each].known_since_s <= there_s] for one in (page, larger)
    )
    both = [each for each in first if each in larger.id_set]
    return whole[: len(both)] == both and comb(len(whole), len(both)) >= CHANCES


def is_amid(ledger: Ledger, shown: Iterable[int], animal_id: int) -> bool:
    """Whether some of the animals shown are older than a given one, and some newer.

    If ids do not tell the age of all animals, the times of the run's own creations do; of those created at the same
    time, either may be the older one.
    """
    ids = set(shown)
    if ids_tell_age(ledger):
        return min(ids, default=animal_id) < animal_id < max(ids, default=animal_id)
    begun_s, known_s = _made_between(ledger, animal_id)
    times = [_made_between(ledger, each) for each in ids]
    return any(known <= begun_s for _, known in times) and any(begun >= known_s for begun, _ in times)


def _made_between(ledger: Ledger, animal_id: int) -> tuple[float, float]:
    """The times between which an animal was created; those of others may be of any age when they are first shown."""
    animal = ledger.animals[animal_id]
    if animal.creation is None:
        return -inf, animal.known_since_s
    return animal.creation.sent_s, animal.creation.answered_s


def is_passed_over(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page lacks an animal, and shows newer ones of the run and older ones, all of them in the order of age.

    It has to show all that were added since the oldest of those newer ones, as a selection would not. Some of them have
    to be of the same kind as the missing one, so that nothing but its age gives it another place.
    """
    own = [made for each in page.ids if (made := ledger.animals[each].creation) is not None]
    newer = [each for each in own if creation.answered_s <= each.sent_s]
    older = any(ledger.animals[each].known_since_s < creation.sent_s for each in page.ids)
    if creation.animal_id in page.id_set or not newer or not older or is_behind(ledger, page, creation):
        return False
    if not is_chosen_as_shown(ledger, page.status):
        return False
    since_s = min(each.sent_s for each in newer)
    added = [
        each for each in ledger.made[page.status] if since_s <= each.sent_s and each.answered_s <= page.sent_s
    ]
    whole = all(each.animal_id in page.id_set for each in added)
    kind = kind_as_created(ledger, creation)
    if not whole or all(kind_as_created(ledger, each) != kind for each in newer):
        return False
    return _newest_first(ledger, page.ids, own) or _newest_first(ledger, page.ids[::-1], own[::-1])


def leaves_out(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page lacks an animal that neither a cap nor a scan can have kept out, if it is no shorter than others."""
    lacks = creation.animal_id not in page.id_set
    return lacks and (page.ends_early or bool(out_of_front(ledger, page, [creation])))


def are_oldest(ledger: Ledger, animal_ids: Iterable[int], others: Iterable[int]) -> bool:
    """Whether animals are older than all of some others; false if ids do not tell that."""
    if not ids_tell_age(ledger):
        return False
    made = ledger.creations
    sign = 1 if made[0].animal_id < made[-1].animal_id else -1
    return max(sign * each for each in animal_ids) < min(sign * each for each in others)


def ids_tell_age(ledger: Ledger) -> bool:
    """Whether the run's animals were given ids in the order of their creation, or in the reverse order.

    Random ids of a few animals may be so by chance: it takes :data:`ENOUGH` that were created one after another.
    """
    return ledger.survey("ids tell age", lambda: _in_order(ledger.creations))


def _in_order(creations: Iterable[Creation]) -> bool:
    made = sorted(creations, key=lambda each: each.answered_s)
    pairs = [(each, after) for each, after in pairwise(made) if _is_before(each, after)]
    chain: list[Creation] = []
    for each in made:
        if not chain or _is_before(chain[-1], each):
            chain.append(each)
    return len(chain) >= ENOUGH and len({each.animal_id < after.animal_id for each, after in pairs}) == 1


def _is_before(each: Creation, after: Creation) -> bool:
    return each.answered_s <= after.sent_s


def _newer(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    newer_s: float = ledger.survey(("newest first", id(page)), lambda: _newest_on(ledger, page))
    newer = (each for each in missing if each.sent_s >= newer_s and alike_on(ledger, page, each))
    return [each for each in newer if is_unchanged(ledger, each) and _may_be_no_choice(ledger, page)]


def _newest_on(ledger: Ledger, page: Page) -> float:
    """When the newest of the run's animals on a page was created; infinity unless the newest is first."""
    creations = (ledger.animals[animal_id].creation for animal_id in page.ids)
    own = [each for each in creations if each is not None]
    if not own or not _newest_first(ledger, page.ids, own):
        return inf
    return max(each.answered_s for each in own)


def _amid(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    if not shows_own(ledger, page):
        return []
    among = (each for each in missing if stands_among_many_alike(ledger, page, each))
    return [each for each in among if _may_be_no_choice(ledger, page)]


def _may_be_no_choice(ledger: Ledger, page: Page) -> bool:
    """As :func:`is_no_choice`, unless a page that is sorted by ids is a selection, which remains to be asked."""
    return _is_sorted(page) or is_window(ledger, page)


def is_no_choice(ledger: Ledger, page: Page) -> bool:
    """Whether what a query leaves out stands at the end: it loses only that, or is sorted by ids and lacks none between."""
    return is_window(ledger, page) or (_is_sorted(page) and not is_selection(ledger, page))


def _ahead(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    beside_s, ahead = ledger.survey(("ahead", id(page)), lambda: _ahead_of(ledger, page))
    first = (each for each in missing if each.animal_id in ahead)
    # Lists may put what was read meanwhile behind what was not.
    return [each for each in first if not _is_read(ledger, each.animal_id, beside_s, page.answered_s)]


def _is_read(ledger: Ledger, animal_id: int, from_s: float, until_s: float) -> bool:
    return any(from_s <= each.answered_s and each.sent_s <= until_s for each in ledger.gets[animal_id])


def _ahead_of(ledger: Ledger, page: Page) -> tuple[float, set[int]]:
    """The animals with the status of a page that the last list without the filter shows before all that are on both.

    And when that list was sent.
    """
    before = (each for each in ledger.completeness.beside(page) if each.sent_s < page.sent_s)
    beside = max(before, key=lambda each: each.sent_s, default=None)
    if page.status is None or beside is None:
        return inf, set()
    shared = page.id_set & beside.id_set
    common = [each for each in beside.ids if each in shared]
    if len(common) < ENOUGH or common != [each for each in page.ids if each in shared]:
        return inf, set()
    told = zip(beside.ids, beside.statuses, strict=True)
    ahead = takewhile(lambda each: each[0] != common[0], told)
    return beside.sent_s, {animal_id for animal_id, status in ahead if status == page.status}


def _by_id(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    oldest_s: float = ledger.survey(("by id", id(page)), lambda: _oldest_by_id(ledger, page))
    if oldest_s == inf:
        return []
    return [
        each
        for each in missing
        if oldest_s < each.sent_s
        and not is_behind(ledger, page, each)
        and (stands_among_alike(ledger, page, each) or is_in_front_of_older(ledger, page, each))
    ]


def _oldest_by_id(ledger: Ledger, page: Page) -> float:
    """Since when the oldest animal on a page in the order of ids is known.

    Infinity if the page is in no such order, or has none of the run's animals.
    """
    if len(_others_on(ledger, page)) < ENOUGH or not _is_sorted(page) or not shows_own(ledger, page):
        return inf
    return min(ledger.animals[each].known_since_s for each in page.ids)


def _is_sorted(page: Page) -> bool:
    """Whether a page is in the order of ids, ascending or descending, and every animal on it has one."""
    ordered = all(starmap(le, pairwise(page.ids))) or all(starmap(ge, pairwise(page.ids)))
    return ordered and len(page.ids) == page.length


def _others_on(ledger: Ledger, page: Page) -> list[int]:
    return sorted(each for each in page.ids if not ledger.animals[each].creations)


def is_selection(ledger: Ledger, page: Page) -> bool:
    """Whether a page in the order of ids lacks an animal of others that belongs on it, or may lack one."""
    selection: bool = ledger.survey(("selection", id(page)), lambda: _is_selection(ledger, page))
    return selection


def _is_selection(ledger: Ledger, page: Page) -> bool:
    if not _is_sorted(page):
        return False
    by_id, *_ = _ends_of(ledger, page)
    lacking = any(
        animal_id not in page.id_set
        and not animal.creations
        and animal.known_since_s <= page.answered_s
        and not by_id.is_before(animal_id)
        and (
            page.status is None or not animal.listed or animal.listed[-1].animal.get("status") == page.status
        )
        for animal_id, animal in ledger.animals.items()
    )
    return lacking or bool(gaps_of(ledger, page))


def gaps_of(ledger: Ledger, page: Page) -> list[int]:
    """A few ids between those of others on a page that nothing accounts for: getPet tells whether these are animals.

    An animal with another status than the page's filter is accounted for, as are the run's own animals.
    """
    others = _others_on(ledger, page)
    between = chain.from_iterable(range(one + 1, after) for one, after in pairwise(others))
    unknown = (
        each for each in between if each not in page.id_set and not _is_accounted_for(ledger, page, each)
    )
    return list(islice(unknown, FEW_GAPS))


def _is_accounted_for(ledger: Ledger, page: Page, animal_id: int) -> bool:
    animal = ledger.animals.get(animal_id)
    if animal is not None and (animal.creations or animal.listed):
        return True
    answers = [each for each in ledger.gets.get(animal_id, ()) if each.status]
    value = answers[-1].value if answers and answers[-1].status == 200 else None
    told = isinstance(value, dict) and page.status is not None and value.get("status") != page.status
    return bool(answers) and (told or answers[-1].status in NOT_FOUND)


def _newest_first(ledger: Ledger, ids: Sequence[int], own: Sequence[Creation]) -> bool:
    began_s = min(each.sent_s for each in own)
    older = [each for each in ids if ledger.animals[each].known_since_s < began_s]
    if older and ids.index(older[0]) < ids.index(own[-1].animal_id):
        return False
    neighbours = [(each.exchange, after.exchange) for each, after in pairwise(own)]
    if any(each.answered_s <= after.sent_s for each, after in neighbours):
        return False
    # Of those that were created at the same time, either may stand first.
    told = 1 + sum(after.answered_s <= each.sent_s for each, after in neighbours)
    return perm(told + len(older), told) >= CHANCES


@dataclass(frozen=True)
class _End(Generic[T]):
    """The last of some values, and whether they are sorted, ascending or descending."""

    last: T
    ascending: bool
    descending: bool

    @classmethod
    def of(cls, values: Sequence[T]) -> _End[T]:
        """The end of some values."""
        return cls(values[-1], all(starmap(le, pairwise(values))), all(starmap(ge, pairwise(values))))

    def is_before(self, value: T) -> bool:
        """Whether the end comes before another value, in the order of the values."""
        return (self.ascending and value > self.last) or (self.descending and value < self.last)


def is_behind(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page is sorted by ids or names, and an animal comes after all that it shows."""
    by_id, as_texts, by_name = _ends_of(ledger, page)
    animal_id = creation.animal_id
    # Ids may be sorted as texts.
    return (
        by_id.is_before(animal_id)
        or as_texts.is_before(str(animal_id))
        or by_name.is_before(repr(creation.answer.get("name")))
    )


def _ends_of(ledger: Ledger, page: Page) -> tuple[_End[int], _End[str], _End[str]]:
    """How a page ends by ids, by ids as texts, and by names."""

    def found() -> tuple[_End[int], _End[str], _End[str]]:
        names = [repr(page.animals[each].get("name")) for each in page.ids]
        return _End.of(page.ids), _End.of([*map(str, page.ids)]), _End.of(names)

    return ledger.survey(("ends", id(page)), found)
