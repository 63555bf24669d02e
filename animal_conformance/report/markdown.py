"""Text of a server inside Markdown, where it can be no markup, no link, no mention and no end of a table."""

from __future__ import annotations

import re
from typing import Final

from animal_conformance.report.safe_text import safe_text

# Entities are text wherever Markdown allows text. GitHub's own marks are among them: mentions, references,
# emoji names, formulas, bare addresses.
_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>#|~&@$]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
_BACKTICKS: Final = re.compile(r"`+")


def plain(text: object, length: int | None = None) -> str:
    """A text as the reader is to see it, on one line."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", safe_text(text, length=length))


def code_block(text: str) -> str:
    """A block of code whose fence no line of it can close."""
    shown = safe_text(text, lines=True)
    longest = max((len(each) for each in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{shown}\n{fence}"
