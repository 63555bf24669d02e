"""Contents without the escapes of JSON, addresses, HTML, logs and full width, and where each part of them stood before."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from typing import Final

ESCAPE_SIGNS: Final = (b"\\", b"%", b"&", b"\xef")
# The distance from an ASCII character to the character of full width that looks the same.
TO_FULL_WIDTH: Final = 0xFEE0
ESCAPE: Final = re.compile(
    rb"""\\u(?P<json>[0-9a-f]{4}) | \\x(?P<log>[0-9a-f]{2}) | \\(?P<self>["\\/]) | %(?P<percent>[0-9a-f]{2})
    | (?P<html>&\#?[0-9a-z]{1,31};?) | (?P<wide>\xef(?:\xbc[\x81-\xbf]|\xbd[\x80-\x9e]))""",
    re.IGNORECASE | re.VERBOSE,
)


def may_be_escaped(content: bytes) -> bool:
    """Whether there may be an escape in a content; quick, and right where it says no."""
    return any(sign in content for sign in ESCAPE_SIGNS)


class Unescaped:
    """A content without its escapes, each of which is read once: what it stands for may be escaped again."""

    def __init__(self, before: bytes) -> None:
        parts: list[bytes] = []
        # Where a part begins now, and where it began: stretches of text and escapes by turns.
        self._now, self._before = [0], [0]
        at = 0
        for match in ESCAPE.finditer(before):
            stretch, plain = before[at : match.start()], _plain(match)
            at = match.end()
            parts += [stretch, plain]
            self._now += [self._now[-1] + len(stretch), self._now[-1] + len(stretch) + len(plain)]
            self._before += [match.start(), at]
        self.content = b"".join([*parts, before[at:]])

    def span_before(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of the content stood, with the whole of each escape."""
        first, last = (bisect_right(self._now, each) - 1 for each in (start, end - 1))
        before = self._before[first] + (0 if first % 2 else start - self._now[first])
        return before, self._before[last + 1] if last % 2 else self._before[last] + end - self._now[last]


def _plain(escape: re.Match[bytes]) -> bytes:
    """What an escape stands for."""
    if escape["json"]:
        return chr(int(escape["json"], 16)).encode("utf-8", "surrogatepass")
    if byte := escape["log"] or escape["percent"]:
        return bytes([int(byte, 16)])
    if escape["wide"]:
        return bytes([ord(escape["wide"].decode()) - TO_FULL_WIDTH])
    return escape["self"] or html.unescape(escape["html"].decode("ascii")).encode("utf-8", "surrogatepass")
