"""Count the elements of a JSON array while it streams and keep the first ones, in memory that does not grow with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any, Final

# Outside of strings, brackets and commas are structure; inside, only the quotation mark that is not escaped matters.
_TOKENS: Final = re.compile(rb'\\.|["\[\]{},]', re.DOTALL)
_OPENING: Final = (b"[", b"{")
_CLOSING: Final = (b"]", b"}")


class ArrayScan:
    """The elements of a JSON array, counted as its text arrives; whether the text is valid JSON is not checked.

    :param keep_bytes: how much is kept of the elements, from the first one on.
    :param enough: after how many elements the rest is not looked at.
    :param abridge: what is kept of an element.

    ``elements`` is how many have ended so far, ``tokens`` how many brackets, commas and quotation marks there were,
    ``depth`` how deep they are nested now, and ``ended`` whether the array has ended.
    """

    def __init__(self, keep_bytes: int, enough: int, abridge: Callable[[bytes], bytes] = bytes) -> None:
        self.elements = 0
        self.tokens = 0
        self.ended = False
        self.depth = 0
        self._enough = enough
        self._abridge = abridge
        self._room_bytes = self._keep_bytes = keep_bytes
        self._kept: list[bytes] = []
        self._element = bytearray()
        self._begin = 0
        self._in_string = False
        self._rest = b""

    @property
    def done(self) -> bool:
        """Whether the array has ended, or there were enough elements."""
        return self.ended or self.elements >= self._enough

    @property
    def beginning(self) -> bytes:
        """An array of the first elements."""
        return b"[" + b",".join(self._kept) + b"]"

    def feed(self, part: bytes) -> None:
        """Take in the next bytes."""
        text = self._rest + part
        # An escape may be split between two parts.
        backslashes = len(text) - len(text.rstrip(b"\\"))
        self._rest = text[-1:] if backslashes % 2 else b""
        end = len(text) - len(self._rest)
        self._begin = 0
        for token in _TOKENS.finditer(text, 0, end):
            if self.done:
                break
            self._take(token.group(), text, token.start())
        if not self.done:
            self._collect(text[self._begin : end])

    def _take(self, token: bytes, text: bytes, at: int) -> None:
        self.tokens += 1
        if token == b'"':
            self._in_string = not self._in_string
        elif self._in_string:
            return
        elif token in _OPENING:
            self.depth += 1
            if self.depth == 1:
                self._begin = at + 1
        elif token in _CLOSING:
            self.depth -= 1
            self.ended = self.depth == 0
        if self.ended or (token == b"," and self.depth == 1):
            self.elements += 1
            self._collect(text[self._begin : at])
            self._keep()
            self._begin = at + 1

    def _collect(self, part: bytes) -> None:
        """Take in a part of an element, unless there is no room for it any more."""
        if len(self._element) + len(part) > self._keep_bytes:
            self._room_bytes = 0
        if self._room_bytes:
            self._element += part

    def _keep(self) -> None:
        if not self._room_bytes:
            return
        element = self._abridge(bytes(self._element).strip())
        self._element.clear()
        self._room_bytes = max(0, self._room_bytes - len(element) - len(b","))
        if self._room_bytes:
            self._kept.append(element)


class _Fields(list[tuple[str, Any]]):
    """A JSON object as it is written: its fields, some of them perhaps twice."""


def abridged(element: bytes, names: Collection[str]) -> bytes:
    """A JSON object with these fields only; unchanged if one of them is there twice, or is neither a text nor an integer."""
    try:
        fields = json.loads(element, object_pairs_hook=_Fields)
    except (ValueError, RecursionError):
        return element
    if not isinstance(fields, _Fields):
        return element
    wanted = [each for each in fields if each[0] in names]
    plain = all(isinstance(value, str | int) for _, value in wanted)
    return json.dumps(dict(wanted)).encode() if plain and len(dict(wanted)) == len(wanted) else element


def is_json(text: bytes) -> bool:
    """Whether a text is JSON, as far as it can be read."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def begins_array(text: bytes) -> bool:
    """Whether a JSON text begins an array."""
    return text.lstrip(b" \t\r\n")[:1] == b"["
