"""Styles of names: where a deployment refuses the plain one, another may be accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, TypeAlias

CONSONANTS: Final = "bdfghjklmnprstvz"
VOWELS: Final = "aeiou"

Style: TypeAlias = Callable[[str], str]
"""Makes a name of another style from a unique name, and it is as unique."""


def plain_style(unique: str) -> str:
    """A capital letter and more letters: the name as it is."""
    return unique


def syllables(text: str, count: int) -> str:
    """This many syllables of two letters, derived from a text: together, they can be pronounced."""
    digest = hashlib.sha256(text.encode()).digest()
    return "".join(CONSONANTS[each % 16] + VOWELS[each // 16 % 5] for each in digest[:count])


def _pronounceable(unique: str) -> str:
    return f"{unique[:2]}{syllables(unique, 5)}"


def _two_words(unique: str) -> str:
    return f"{unique[:6].capitalize()} {unique[6:].capitalize()}"


def _short(unique: str) -> str:
    """Six letters, as few as can be unique enough."""
    digest = hashlib.sha256(unique.encode()).digest()
    return "".join(chr(ord("a") + each % 26) for each in digest[:6]).capitalize()


def _with_number(unique: str) -> str:
    return f"{unique}{int(hashlib.sha256(unique.encode()).hexdigest(), 16) % 100:02d}"


STYLES: Final[tuple[Style, ...]] = (_pronounceable, _two_words, _short, str.lower, _with_number, str.upper)
"""The styles that are tried after the plain one."""
