"""The head of a response: its final status line and its header lines, bounded, without white space around values."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing import BinaryIO

# docs/hostile.md gives the reasons.
LARGEST_HEAD_BYTES: Final = 64 * 1024
MOST_HEADER_LINES: Final = 1000
INTERIM_RESPONSES_AT_MOST: Final = 200
WHITE_SPACE: Final = b" \t"


class FinalResponse(http.client.HTTPResponse):
    """A final response, after any interim ones (RFC 9110 section 15.2) such as a 103.

    http.client counts lines and knows no chunks behind ``Transfer-Encoding: chunked `` with a space at its end; so it is
    given the header lines in one piece, tidied.
    """

    _final: tuple[str, int, str] | None = None

    def begin(self, *arguments: Any, **options: Any) -> None:
        """Read the head, as far as the body."""
        if self.headers is None:
            self._read_status()
            stream = self.fp
            self.fp = _InOnePiece(header_lines(stream))
            try:
                super().begin(*arguments, **options)
            finally:
                self.fp = stream

    def _read_status(self) -> tuple[str, int, str]:
        if self._final is None:
            self._final = self._read_final_status()
        return self._final

    def _read_final_status(self) -> tuple[str, int, str]:
        for _ in range(INTERIM_RESPONSES_AT_MOST + 1):
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if status == 101 or not 100 <= status < 200:
                return version, status, reason
            header_lines(self.fp)
        raise http.client.HTTPException(f"more than {INTERIM_RESPONSES_AT_MOST} interim responses")


class _InOnePiece:
    """A head as http.client reads it."""

    def __init__(self, lines: bytes) -> None:
        self._left = [b"\r\n", lines] if lines else [b"\r\n"]

    def readline(self, _at_most: int = -1) -> bytes:
        return self._left.pop() if self._left else b""


def header_lines(stream: BinaryIO) -> bytes:
    """The header lines of a response, up to the empty line or the end of the stream.

    White space around a value is none of it, and a value that goes on in the next line is one with a space there
    (RFC 9112 sections 5.1 and 5.2).

    :raises http.client.HTTPException: if there is more of them than is read.
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
