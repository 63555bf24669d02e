"""The animals that a new store holds: the same ones at every start."""

from __future__ import annotations

from collections.abc import Iterator

from animal_conformance.reference.model import Payload

_NAMES = (
    "Rex", "Mia", "Bello", "Luna", "Søren", "Ünal", "Ñandú", "Zoë", "Žofie", "Ağa", "Łatka",
    "Çiçek", "Émile", "Björk", "Jürgen", "Iñaki", "Ålva", "Молли", "Рыжик", "Ζωή", "Άρης", "ماكس",
    "לונה", "小白", "ポチ", "뽀삐", "मोती", "แมว", "O'Malley", "Anne-Marie", "K9", "D'Artagnan",
)  # fmt: skip
_EPITHETS = ("", " II", " of York", " & Co.", " (grey)", " the Small", ' "Bo"', " 3/4")
_CATEGORIES = (1, 2, 3, 5, 8, 13, 42, 1000, 2147483648, 9007199254740993, 9223372036854775807)
_PERIOD = 20
_AVAILABLE, _PENDING = 11, 17
"""Of twenty animals 11 are available, 6 pending and 3 sold: 47, 25 and 12 of 84.

Fewer than a list may hold, so that lists are whole at first; a standard run adds enough for more than that.
"""


def _status(number: int) -> str:
    # 7 has no factor in common with 20: the statuses alternate instead of standing in blocks.
    place = number * 7 % _PERIOD
    if place < _AVAILABLE:
        return "available"
    return "pending" if place < _PENDING else "sold"


def _name(number: int) -> str:
    round_, place = divmod(number, len(_NAMES))
    epithet = _EPITHETS[(round_ + place) % len(_EPITHETS)]
    ordinal = f" {round_}" if round_ >= len(_EPITHETS) else ""
    return _NAMES[place] + epithet + ordinal


def animals(count: int) -> Iterator[Payload]:
    """The first count animals of the catalogue, oldest first; no two have the same name."""
    for number in range(count):
        category = _CATEGORIES[(number * 7 + number // len(_CATEGORIES)) % len(_CATEGORIES)]
        yield Payload(_name(number), category, _status(number))
