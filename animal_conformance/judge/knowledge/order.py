"""Where a new animal stands on a page: neither a cap nor a scan that ends early keeps out what stands in front."""

from __future__ import annotations

from itertools import pairwise, starmap
from math import perm
from operator import ge, le
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from animal_conformance.judge.knowledge.completeness import Page
    from animal_conformance.judge.knowledge.ledger import Creation, Ledger

# Another order puts so many animals in the order of their creation once in so many times.
CHANCES: Final = 10_000
# So many are in the same order on two pages by chance once in 40,320 times.
ENOUGH: Final = 8

T = TypeVar("T", int, str)


def out_of_front(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    """Those of the missing animals that stand before all others on a page, by the order that pages show.

    Either the page shows the newest first: all of the run's animals stand before all that were there earlier, and no
    older one before a newer one. Each of the missing is newer than those, and like one of them but for its name, so
    that neither its category nor its status puts it behind them. Or the page has the order of one without the filter,
    on which the missing ones stand before all that are on both. What its id or its name puts behind the end, where the
    page is sorted by these as well, does not count. Or the page is sorted by ids, and shows every animal of others that
    is known between its first and its last: those of the missing that belong there are not behind its end either.

    :param missing: animals that the run has added to the page's filter.
    """
    first = _newer(ledger, page, missing) or _ahead(ledger, page, missing)
    return [each for each in first if not _is_behind(page, each)] or _between(ledger, page, missing)


def is_amid(ledger: Ledger, shown: Iterable[int], animal_id: int) -> bool:
    """Whether of the animals shown some are older than another one, and some newer.

    Where ids do not tell the age of all animals, what is known of the run's own does.
    """
    if ids_tell_age(ledger):
        ages = {each: float(each) for each in (*shown, animal_id)}
    else:
        ages = {each: ledger.animals[each].known_since_s for each in (*shown, animal_id)}
    return min(ages.values()) < ages[animal_id] < max(ages.values())


def are_oldest(ledger: Ledger, animal_ids: Iterable[int], others: Iterable[int]) -> bool:
    """Whether animals are older than all others, as far as ids tell that."""
    if not ids_tell_age(ledger):
        return False
    made = ledger.creations
    sign = 1 if made[0].animal_id < made[-1].animal_id else -1
    return max(sign * each for each in animal_ids) < min(sign * each for each in others)


def ids_tell_age(ledger: Ledger) -> bool:
    """Whether the run's animals were given ids in the order of their creations, or in the reverse one.

    Of some, random ids may be so by chance: it takes :data:`ENOUGH` that were created one after another.
    """
    return ledger.survey("ids tell age", lambda: _in_order(ledger.creations))


def _in_order(creations: Iterable[Creation]) -> bool:
    made = sorted(creations, key=lambda each: each.exchange.answered_s)
    pairs = [(each, after) for each, after in pairwise(made) if _is_before(each, after)]
    chain: list[Creation] = []
    for each in made:
        if not chain or _is_before(chain[-1], each):
            chain.append(each)
    return len(chain) >= ENOUGH and len({each.animal_id < after.animal_id for each, after in pairs}) == 1


def _is_before(each: Creation, after: Creation) -> bool:
    return each.exchange.answered_s <= after.exchange.sent_s


def _newer(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    creations = (ledger.animals[animal_id].creation for animal_id in page.ids)
    own = [each for each in creations if each is not None]
    newer_s = max((each.exchange.answered_s for each in own), default=0.0)
    newer = [each for each in missing if own and each.exchange.sent_s >= newer_s]
    if not newer or not _newest_first(ledger, page, own):
        return []
    kinds = {_kind(each) for each in own}
    return [each for each in newer if _kind(each) in kinds]


def _ahead(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    before = (
        each for each in ledger.completeness.beside(page) if each.exchange.sent_s < page.exchange.sent_s
    )
    beside = max(before, key=lambda each: each.exchange.sent_s, default=None)
    if page.status is None or beside is None:
        return []
    shared = page.id_set & beside.id_set
    common = [each for each in beside.ids if each in shared]
    if len(common) < ENOUGH or common != [each for each in page.ids if each in shared]:
        return []
    ahead = set(beside.ids[: beside.ids.index(common[0])])
    return [each for each in missing if each.animal_id in ahead and beside.shows(each.animal_id, page.status)]


def _between(ledger: Ledger, page: Page, missing: Iterable[Creation]) -> list[Creation]:
    ids = page.ids
    ascending = sorted(ids)
    if len(ids) < ENOUGH or list(ids) not in (ascending, ascending[::-1]):
        return []
    amid = [each for each in missing if ascending[0] < each.animal_id < ascending[-1]]
    return [] if amid and _is_selection(ledger, page) else amid


def _is_selection(ledger: Ledger, page: Page) -> bool:
    """Whether a page lacks an animal of others, the like of those on it, with an id between theirs."""
    first, last = min(page.ids), max(page.ids)
    return any(
        first < animal_id < last
        and animal_id not in page.id_set
        and not animal.creations
        and animal.known_since_s <= page.exchange.answered_s
        and (
            page.status is None or not animal.listed or animal.listed[-1].animal.get("status") == page.status
        )
        for animal_id, animal in ledger.animals.items()
    )


def _newest_first(ledger: Ledger, page: Page, own: list[Creation]) -> bool:
    began_s = min(each.exchange.sent_s for each in own)
    older = [each for each in page.ids if ledger.animals[each].known_since_s < began_s]
    if older and page.ids.index(older[0]) < page.ids.index(own[-1].animal_id):
        return False
    neighbours = [(each.exchange, after.exchange) for each, after in pairwise(own)]
    if any(each.answered_s <= after.sent_s for each, after in neighbours):
        return False
    # Of those that were created at the same time, either may stand first.
    told = 1 + sum(after.answered_s <= each.sent_s for each, after in neighbours)
    return perm(told + len(older), told) >= CHANCES


def _kind(creation: Creation) -> tuple[str, str]:
    return repr(creation.payload.get("categoryId")), repr(creation.payload.get("status"))


def _is_behind(page: Page, creation: Creation) -> bool:
    names = [page.animals[each].get("name") for each in page.ids]
    name = creation.payload["name"]
    return _is_beyond(page.ids, creation.animal_id) or _is_beyond(list(map(repr, names)), repr(name))


def _is_beyond(values: Sequence[T], value: T) -> bool:
    """Whether values are sorted, ascending or descending, and another one comes after all of them."""
    return (value > values[-1] and all(starmap(le, pairwise(values)))) or (
        value < values[-1] and all(starmap(ge, pairwise(values)))
    )
