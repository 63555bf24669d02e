"""Where a page shows animals that are alike: their places tell that of another one like them, whatever the order.

No order is promised (reading 11). A list may put animals behind the others because of their category, of a status that was
not stated, or of an odd name. Animals of the same kind, which differ only in the unique part of their names, have the same
place, but for their age; and so have those of two kinds if lists mix these in the order of their creation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import comb
from typing import Any, Final

from animal_conformance.interface.reading import PAYLOAD_FIELDS
from animal_conformance.judge.knowledge import plain
from animal_conformance.judge.knowledge.animals import Creation
from animal_conformance.judge.knowledge.completeness import Page
from animal_conformance.judge.knowledge.ledger import Ledger

# An order counts as that of creation if another one would give the same only once in this many times.
CHANCES: Final = 10_000
# This many animals, in the order of their creation, tell the place of another one like them.
ENOUGH_ALIKE: Final = 10
# This many of several kinds are in the order of their creation, or the reverse, by chance once in 20,160 times.
ENOUGH_MIXED: Final = 8
# A page is compared with this many of the first pages of its query, and with as many of those right before it.
COMPARED: Final = 12


def kind_as_created(ledger: Ledger, creation: Creation) -> str:
    """The kind that an animal was created as: its fields as sent, but for the unique part of a name that the run made up."""
    kinds: dict[int, str] = ledger.survey(
        "kinds", lambda: {id(each): _kind_as_created(each) for each in ledger.creations}
    )
    return kinds[id(creation)]


def _kind_as_created(creation: Creation) -> str:
    told = {name: creation.answer[name] for name in PAYLOAD_FIELDS if name in creation.answer}
    return plain.kind_of(creation.payload or told)


def is_unchanged(ledger: Ledger, creation: Creation) -> bool:
    """Whether the last response that shows an animal shows it as it was created: else it may stand elsewhere by now."""

    def unchanged() -> bool:
        sightings = ledger.animals[creation.animal_id].sightings
        last = max(sightings, key=lambda each: each.last.sent_s, default=None)
        return last is None or _is_as_created(creation, last.animal)

    return ledger.survey(("unchanged", creation.animal_id), unchanged)


def _is_as_created(creation: Creation, shown: dict[str, Any]) -> bool:
    told = creation.answer
    return all(shown[name] == told[name] for name in PAYLOAD_FIELDS if name in shown and name in told)


def alike_on(ledger: Ledger, page: Page, creation: Creation) -> list[Creation]:
    """The animals of the run on a page that are like one, and unchanged, in the order of the page.

    They are of the same kind, or of one that the query has mixed with it.
    """
    mixed: dict[str, str] = ledger.survey(("mixed", page.query), lambda: _mixed(ledger, page))
    kind = kind_as_created(ledger, creation)
    wanted = mixed.get(kind, kind)

    def by_kind() -> dict[str, list[Creation]]:
        found: dict[str, list[Creation]] = defaultdict(list)
        for each in _unchanged_on(ledger, page):
            shown = kind_as_created(ledger, each)
            found[mixed.get(shown, shown)].append(each)
        return dict(found)

    return ledger.survey(("by kind", id(page)), by_kind).get(wanted, [])


def _mixed(ledger: Ledger, page: Page) -> dict[str, str]:
    """For each kind that the query of a page has mixed with others, one of these that stands for all of them.

    An animal between two of another kind, all in the order of their creation, has no other place because of its kind.
    """
    names: dict[str, str] = {}
    told = {each.ids: each for each in ledger.completeness.alike(page)}
    for each in told.values():
        made = _unchanged_on(ledger, each)
        if are_by_age(made) and len(apart(made)) >= ENOUGH_MIXED:
            for kinds in _overlapping([kind_as_created(ledger, one) for one in made]):
                joined = {names.get(kind, kind) for kind in kinds}
                name = min(joined)
                names |= {kind: name for kind, of in names.items() if of in joined}
                names |= dict.fromkeys(kinds, name)
    return names


def _overlapping(kinds: Sequence[str]) -> Iterator[set[str]]:
    """The sets of kinds that stand among each other in a sequence."""
    last = {kind: at for at, kind in enumerate(kinds)}
    group, end = set[str](), -1
    for at, kind in enumerate(kinds):
        if at > end:
            if group:
                yield group
            group = set()
        group.add(kind)
        end = max(end, last[kind])
    if group:
        yield group


def own_on(ledger: Ledger, page: Page) -> list[Creation]:
    """The creations of the run's animals on a page, in its order."""
    return [made for each in page.ids if (made := ledger.animals[each].creation) is not None]


def shows_own(ledger: Ledger, page: Page) -> bool:
    """Whether a page shows any animal of the run."""
    shown: bool = ledger.survey(("shows own", id(page)), lambda: bool(own_on(ledger, page)))
    return shown


def _unchanged_on(ledger: Ledger, page: Page) -> list[Creation]:
    return [each for each in own_on(ledger, page) if is_unchanged(ledger, each)]


def stands_among_alike(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page shows older and newer animals that are like one that it lacks, all in the order of their creation."""
    alike = alike_on(ledger, page, creation)
    older = any(each.answered_s <= creation.sent_s for each in alike)
    newer = any(creation.answered_s <= each.sent_s for each in alike)
    return older and newer and are_by_age(alike) and is_unchanged(ledger, creation)


def stands_among_many_alike(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """As :func:`stands_among_alike`, where the order is no chance."""
    if not stands_among_alike(ledger, page, creation):
        return False
    return len(apart(alike_on(ledger, page, creation))) >= ENOUGH_ALIKE


def is_in_front_of_older(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a page shows newer animals that are like one that it lacks, and no limit on their number keeps that one out.

    What comes next on such a page is older.
    """
    newer = (each for each in alike_on(ledger, page, creation) if creation.answered_s <= each.sent_s)
    return any(newer) and is_unchanged(ledger, creation) and shows_more_at_once(ledger, page, creation)


def shows_more_at_once(ledger: Ledger, page: Page, creation: Creation) -> bool:
    """Whether a query has shown more animals at once than a page does: of the run, of the missing one's category, of its status.

    So it does not show just so many of any of these. And it has shown animals of the run that were as old then as the
    missing one was when this page was returned, and had been read as well: so it does not show just what is new, or
    unread, in front.
    """
    most, oldest_s = ledger.survey(("most at once", page.query), lambda: _most_at_once(ledger, page))
    here = _counts_on(ledger, page)
    lasts = oldest_s >= page.answered_s - creation.sent_s
    return lasts and all(most[group] > here[group] for group in _groups_of(creation))


def _groups_of(creation: Creation) -> tuple[str, ...]:
    """What a list may show only so many animals of."""
    category, status = creation.payload.get("categoryId"), creation.answer.get("status")
    return "of the run", f"of the run, in category {category!r}", f"with status {status!r}"


def _counts_on(ledger: Ledger, page: Page) -> Counter[str]:
    """How many animals of each group a page shows; the categories of others are not known for each page."""

    def counted() -> Counter[str]:
        of_run = (group for each in own_on(ledger, page) for group in _groups_of(each)[:2])
        return Counter([*of_run, *(f"with status {each!r}" for each in page.statuses)])

    return ledger.survey(("counts", id(page)), counted)


def _most_at_once(ledger: Ledger, page: Page) -> tuple[Counter[str], float]:
    """How many animals of each group the query of a page has shown at once, and how old any of the run's was then.

    Of those that were read before, each counts.
    """
    most, oldest_s = Counter[str](), 0.0
    for each in ledger.completeness.alike(page):
        most |= _counts_on(ledger, each)
        for made in own_on(ledger, each):
            age_s = each.sent_s - made.answered_s
            if age_s > oldest_s and any(got.answered_s <= each.sent_s for got in ledger.gets[made.animal_id]):
                oldest_s = age_s
    return most, oldest_s


def are_by_age(made: Sequence[Creation]) -> bool:
    """Whether animals are in the order of their creation, or in the reverse order."""
    ahead = all(each.sent_s <= after.answered_s for each, after in pairwise(made))
    return ahead or all(after.sent_s <= each.answered_s for each, after in pairwise(made))


def apart(own: Iterable[Creation]) -> list[Creation]:
    """As many of some animals as possible of which no two were created at the same time."""
    found: list[Creation] = []
    for each in sorted(own, key=lambda each: each.answered_s):
        if not found or found[-1].answered_s <= each.sent_s:
            found.append(each)
    return found


def is_window(ledger: Ledger, page: Page) -> bool:
    """Whether a query took new animals in at the front of a page, and lost nothing for them but what stood at the end.

    A choice of animals, such as of the most popular ones, would have lost animals anywhere.
    """
    told: bool = ledger.survey(("window", id(page)), lambda: _is_window(ledger, page))
    return told


def _is_window(ledger: Ledger, page: Page) -> bool:
    alike = ledger.completeness.alike(page)
    at = bisect_left(alike, page.sent_s, key=lambda each: each.sent_s)
    return any(
        before.answered_s <= page.sent_s
        and loses_its_end(before, page)
        and _is_no_chance(ledger, before, page)
        for before in (*alike[: min(at, COMPARED)], *alike[max(COMPARED, at - COMPARED) : at])
    )


def loses_its_end(before: Page, page: Page) -> bool:
    """Whether all that a page lacks of an earlier one stood at its end, and the rest is in the same order."""
    kept = tuple(each for each in page.ids if each in before.id_set)
    return kept == before.ids[: len(kept)]


def gives_way_at_its_end(before: Page, page: Page) -> bool:
    """Whether a page begins with what is new since an earlier one, for which only the end of that one is missing."""
    kept = tuple(each for each in page.ids if each in before.id_set)
    return bool(kept) and loses_its_end(before, page) and page.ids[-len(kept) :] == kept


def _is_no_chance(ledger: Ledger, before: Page, page: Page) -> bool:
    """Whether so many were lost that it is no chance that they stood at the end, and the run's new ones stand in front."""
    kept = before.id_set & page.id_set
    first = next((at for at, each in enumerate(page.ids) if each in kept), len(page.ids))
    added = [ledger.animals[each] for each in page.ids if each not in kept]
    behind = (ledger.animals[each] for each in page.ids[first:] if each not in kept)
    return (
        comb(len(before.ids), len(kept)) >= CHANCES
        and all(each.known_since_s >= before.sent_s for each in added)
        and not any(each.creations for each in behind)
    )
