"""Text from a deployment inside Markdown, escaped so that it cannot act as markup, link, mention or table cell."""

from __future__ import annotations

import re
from typing import Final

from animal_conformance.report.safe_text import safe_text

# Entities are plain text wherever Markdown allows text. GitHub's own syntax is covered: mentions, references,
# emoji names, formulas, bare addresses.
_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>#|~&@$]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
_BACKTICKS: Final = re.compile(r"`+")


def plain(text: object) -> str:
    """A text on one line, displayed as it is."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", safe_text(text))


def code(text: object) -> str:
    """A text on one line as code, which people can copy; as plain text if it would end the code or a table cell."""
    shown = safe_text(text)
    return plain(text) if not shown or set("`|") & set(shown) else f"`{shown}`"


def code_block(text: str) -> str:
    """A code block whose fence cannot be closed by its content."""
    shown = safe_text(text, lines=True)
    longest = max((len(each) for each in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{shown}\n{fence}"
