"""The header lines of a response, bounded, without white space around values."""

from __future__ import annotations

import http.client
from typing import BinaryIO, Final

# docs/hostile.md gives the reasons.
LARGEST_HEAD_BYTES: Final = 64 * 1024
MOST_HEADER_LINES: Final = 1000
WHITE_SPACE: Final = b" \t"


class InOnePiece:
    """A head as http.client reads it."""

    def __init__(self, lines: bytes) -> None:
        self._left = [b"\r\n", lines] if lines else [b"\r\n"]

    def readline(self, _at_most: int = -1) -> bytes:
        """The whole head at once, and then the empty line."""
        return self._left.pop() if self._left else b""


def header_lines(stream: BinaryIO) -> bytes:
    """The header lines of a response, up to the empty line or the end of the stream.

    White space around a value is not part of it, and a value that continues in the next line is joined with a space
    (RFC 9112 sections 5.1 and 5.2).

    :raises http.client.HTTPException: if there are more or longer lines than are read.
    """
    lines: list[bytes] = []
    size = count = 0
    while True:
        line = stream.readline(LARGEST_HEAD_BYTES + 1)
        if line in {b"\r\n", b"\n", b""}:
            return b"".join(each + b"\r\n" for each in lines)
        size, count = size + len(line), count + 1
        if size > LARGEST_HEAD_BYTES:
            raise http.client.HTTPException(f"headers of more than {LARGEST_HEAD_BYTES} bytes")
        if count > MOST_HEADER_LINES:
            raise http.client.HTTPException(f"more than {MOST_HEADER_LINES} headers")
        text = line.removesuffix(b"\n").removesuffix(b"\r").rstrip(WHITE_SPACE)
        if lines and line[:1] in {b" ", b"\t"}:
            lines[-1] = b" ".join(filter(None, (lines[-1], text.lstrip(WHITE_SPACE))))
        elif text:
            lines.append(text)
