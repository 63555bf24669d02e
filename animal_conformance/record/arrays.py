"""Count the elements of a JSON array while it streams, in memory that does not depend on its length."""

from __future__ import annotations

import re
from typing import Final

# Outside of strings, brackets and commas are structure; inside, only the quotation mark that is not escaped matters.
_TOKENS: Final = re.compile(rb'\\.|["\[\]{},]', re.DOTALL)
_OPENING: Final = (b"[", b"{")
_CLOSING: Final = (b"]", b"}")


class ArrayScan:
    """The elements of a JSON array, counted as its text arrives; whether the text is valid JSON is not checked.

    :param keep_bytes: how much of the beginning is searched for elements to keep.

    ``elements`` is how many have ended so far, ``kept_bytes`` where the last one that can be kept ends, ``tokens`` how
    many brackets, commas and quotation marks there were, ``depth`` how deep they are nested now, and ``ended`` whether the array has ended.
    """

    def __init__(self, keep_bytes: int) -> None:
        self.elements = 0
        self.kept_bytes = 0
        self.tokens = 0
        self.ended = False
        self._keep = keep_bytes
        self._size = 0
        self.depth = 0
        self._in_string = False
        self._rest = b""

    def feed(self, part: bytes) -> None:
        """Take in the next bytes."""
        text = self._rest + part
        begin = self._size - len(self._rest)
        self._size += len(part)
        # An escape may be split between two parts.
        backslashes = len(text) - len(text.rstrip(b"\\"))
        self._rest = text[-1:] if backslashes % 2 else b""
        for token in _TOKENS.finditer(text, 0, len(text) - len(self._rest)):
            if not self.ended:
                self._take(token.group(), begin + token.start())

    def _take(self, token: bytes, at: int) -> None:
        self.tokens += 1
        if token == b'"':
            self._in_string = not self._in_string
        elif self._in_string:
            return
        elif token in _OPENING:
            self.depth += 1
        elif token in _CLOSING:
            self.depth -= 1
            self.ended = self.depth == 0
        if self.ended or (token == b"," and self.depth == 1):
            self.elements += 1
            if at < self._keep:
                self.kept_bytes = at


def begins_array(text: bytes) -> bool:
    """Whether a JSON text begins an array."""
    return text.lstrip(b" \t\r\n")[:1] == b"["
