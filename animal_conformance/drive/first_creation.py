"""What the first creation of a run is tried with, until one is accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from animal_conformance.drive.styles import STYLES, Style, plain_style

FIRST_STATUS: Final = "available"
# Only this many of the categories are tried with everything else.
FEW_CATEGORIES: Final = 2
UNLIKELY_CATEGORY_IDS: Final = (1, 2, 3, 0, 10, 100, 5, 4, 7, 6, 8, 9, 12, 20, 11, 1000)
# How many of the categories that lists show are tried: all but a few may be closed.
MOST_CATEGORIES: Final = 24
LIKELY_CATEGORIES: Final = 4


def categories_of(listed: Sequence[int]) -> tuple[int, ...]:
    """The categoryIds to try where the user has given none: the most frequent ones of lists, some others, and the rest."""
    few, more = listed[:LIKELY_CATEGORIES], listed[LIKELY_CATEGORIES:MOST_CATEGORIES]
    return tuple(dict.fromkeys((*few, *UNLIKELY_CATEGORY_IDS, *more)))


def attempts(categories: Sequence[int], statuses: Sequence[str]) -> Iterator[tuple[int, object, Style]]:
    """Each category, then each status and none, then each style of name.

    :param statuses: those of the contract.
    """
    yield from ((each, FIRST_STATUS, plain_style) for each in categories)
    others = [..., *(each for each in statuses if each != FIRST_STATUS)]
    few = categories[:FEW_CATEGORIES]
    yield from ((each, status, plain_style) for status in others for each in few)
    for style in STYLES:
        yield from ((each, status, style) for status in (FIRST_STATUS, ...) for each in few)
