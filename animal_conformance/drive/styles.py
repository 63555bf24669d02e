"""Styles of names: where a deployment refuses the plain one, another may be accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, TypeAlias

Style: TypeAlias = Callable[[str], str]
"""Makes another name of a unique one, which is as unique."""


def plain_style(unique: str) -> str:
    """A capital letter and more letters: the name as it is."""
    return unique


def _two_words(unique: str) -> str:
    return f"{unique[:6].capitalize()} {unique[6:].capitalize()}"


def _short(unique: str) -> str:
    """Six letters, as few as can be unique enough."""
    digest = hashlib.sha256(unique.encode()).digest()
    return "".join(chr(ord("a") + each % 26) for each in digest[:6]).capitalize()


def _with_number(unique: str) -> str:
    return f"{unique}{int(hashlib.sha256(unique.encode()).hexdigest(), 16) % 100:02d}"


STYLES: Final[tuple[Style, ...]] = (_two_words, _short, str.lower, _with_number, str.upper)
"""Those that are tried after the plain one."""
