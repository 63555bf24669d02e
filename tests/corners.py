"""The corners of names and categories, in as few animals as possible: animals cannot be deleted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from animal_conformance.drive.lane import Lane
from animal_conformance.drive.store import Store
from animal_conformance.drive.strategies import (
    CATEGORY_ID_CORNERS,
    FIREWALL_WORDS,
    FRONT_CORNERS,
    LONG_NAME_CORNERS,
    NAME_CORNERS,
    STATUSES,
)
from animal_conformance.interface.reading import created_id

# One name that contains what most of the corners contain.
RICH_REST = " \U0001f98a \u00e9\u017f\u4e2d <b>&amp;</b> 'quoted' " + "x" * 160
# With the unique part, it is longer than a column that is indexed may be; lists that are ordered by it may leave it out.
LONG_REST = "n" * 250
# Some write it with a separator, and read only what stands before that.
WITH_THOUSANDS = 1234
# The names of this many are much longer than those of all others.
LARGEST = 2


@dataclass(frozen=True)
class Corner:
    """Values of a payload that are tried together in one animal, and one by one if that animal is refused."""

    rests: tuple[str, ...] = ()
    category_id: int | None = None
    front: str = ""
    status: str | None = None

    def apart(self) -> list[Corner]:
        """Each of its values alone, with its status."""
        category, front = replace(self, rests=(), front=""), replace(self, rests=(), category_id=None)
        return [
            *(Corner((rest,), status=self.status) for rest in self.rests),
            *([category] if self.category_id is not None else []),
            *([front] if self.front else []),
        ]


def create_corner(lane: Lane, corner: Corner) -> int | None:
    """Create an animal with all values of a corner, and return its id.

    If it is refused, as it may be for any of them, one is created for each value, and read back.
    """
    name = lane.name("".join(corner.rests), corner.front)
    category = {} if corner.category_id is None else {"categoryId": corner.category_id}
    status = {} if corner.status is None else {"status": corner.status}
    created = created_id(lane.create_pet(lane.payload(name=name, **category, **status)))
    apart = corner.apart()
    for each in apart if created is None and len(apart) > 1 else ():
        animal_id = create_corner(lane, each)
        if animal_id is not None:
            lane.get_pet(animal_id)
    return created


def corners_of(store: Store) -> list[Corner]:
    """Every corner of names and categoryIds, in as few animals as possible: they cannot be deleted."""
    if not store.profile.thorough:
        return [
            *(Corner((rest,)) for rest in NAME_CORNERS[:3]),
            *(Corner(category_id=category_id) for category_id in CATEGORY_ID_CORNERS[:3]),
        ]
    pairs = zip(NAME_CORNERS[::2], NAME_CORNERS[1::2], strict=False)
    names = [*pairs, *((rest,) for rest in LONG_NAME_CORNERS)]
    # The largest have a usual category: lists that leave out another one have room for what is large, nevertheless.
    usual = slice(len(names) - LARGEST, len(names))
    categories: list[int | None] = [*CATEGORY_ID_CORNERS]
    halves = FIREWALL_WORDS[::2], FIREWALL_WORDS[1::2]
    firewall = [Corner(words, category) for words, category in zip(halves, categories[usual], strict=True)]
    categories[usual] = [None] * LARGEST
    # All other corners have the same status; animals of another status may be stored and listed by other means.
    statuses = [each for each in STATUSES if each != store.observable_status and store.only_status is None]
    of_others = [
        Corner((RICH_REST,), category, status=each)
        for category, each in zip((CATEGORY_ID_CORNERS[0], WITH_THOUSANDS), statuses, strict=False)
    ]
    # Where few others are, the list of that status has room for it.
    of_others += [Corner((LONG_REST,), status=each) for each in statuses[:1]]
    together = zip_longest(names, categories, FRONT_CORNERS)
    return [
        *(Corner(rests or (), category, front or "") for rests, category, front in together),
        *of_others,
        *firewall,
    ]
