"""Responses as RFC 9112 defines them, since Python's parsers accept more: what other clients cannot read is malformed."""

from __future__ import annotations

import http.client
import io
import re
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from urllib3 import HTTPResponse

from animal_conformance.send.head import LARGEST_HEAD_BYTES, InOnePiece, header_lines

# docs/hostile.md gives the reason.
INTERIM_RESPONSES_AT_MOST: Final = 200
MOST_TRAILERS: Final = 100
LONGEST_LINE_BYTES: Final = 65536
# Python refuses to convert numbers of some thousands of digits.
LONGEST_LENGTH_DIGITS: Final = 1000
VERSION: Final = re.compile(r"HTTP/[0-9]\.[0-9]")
STATUS: Final = re.compile("[0-9]{3}")
# The name of a header is a token, and its value has neither NUL nor a carriage return, but perhaps at its end (RFC 9110
# sections 5.1 and 5.5). White space in front of the first header may be skipped.
HEADER: Final = re.compile(rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:|[ \t])[^\0\r]*\r*")
# White space behind the size is allowed before an extension, and old servers pad sizes with it.
CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]+)[ \t]*(?:;.*)?\r?\n?", re.DOTALL)
# RFC 2616 had a name for no coding at all.
NO_CODING: Final = frozenset({"", "identity"})
UNASKED: Final = re.compile(rb"\s*HTTP/1\.[01] (?:[23][0-9]{2}|401|403|404)\b[^\r\n]*")


class Malformed(http.client.HTTPException):
    """Bytes that are not an HTTP response, and why."""


class FinalResponse(http.client.HTTPResponse):
    """A final response, after any interim ones (RFC 9110 section 15.2) such as a 103.

    http.client limits the number of lines, and does not recognise ``Transfer-Encoding: chunked `` with a space at its end;
    so it is given tidied header lines in one piece.
    """

    _final: tuple[str, int, str] | None = None
    behind = b""
    """What had already arrived after the end of a response when that was read, on a connection that stays open."""

    def __init__(self, sock: socket.socket, *arguments: Any, **options: Any) -> None:
        super().__init__(sock, *arguments, **options)
        self._sock = sock

    def _close_conn(self) -> None:
        # The buffer is gone once the response is closed.
        if not self.will_close:
            self.behind = received_by_now(self._sock, self.fp.peek)
        super()._close_conn()  # type: ignore[misc]

    def begin(self, *arguments: Any, **options: Any) -> None:
        """Read the head, as far as the body.

        :raises Malformed: if a line is not a header: Python's parser would drop it, and perhaps all that follow.
        """
        if self.headers is not None:
            return
        self._read_status()
        stream = self.fp
        lines = header_lines(stream)
        for line in lines.split(b"\r\n")[:-1]:
            if not HEADER.fullmatch(line):
                told = line.decode("latin-1")[:100]
                raise Malformed(f"a line among the headers that is no header: {told!r}")
        self.fp = InOnePiece(lines)
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
            version, status, reason = self._read_status_line()
            if status == 101 or not 100 <= status < 200:
                return version, status, reason
            header_lines(self.fp)
        raise http.client.HTTPException(f"more than {INTERIM_RESPONSES_AT_MOST} interim responses")

    def _read_status_line(self) -> tuple[str, int, str]:
        whole, line = self.fp, self.fp.readline(LONGEST_LINE_BYTES + 1)
        if line.startswith(b"HTTP/") and b"\r" in line.rstrip(b"\r\n"):
            raise Malformed("a status line with a carriage return alone, which ends no line")
        self.fp = io.BufferedReader(io.BytesIO(line))
        try:
            version, status, reason = super()._read_status()  # type: ignore[misc]
        finally:
            self.fp = whole
        written_version, written = line.decode("latin-1").split(None, 2)[:2]
        if not VERSION.fullmatch(written_version):
            raise Malformed(f"a status line with the version {written_version[:100]!r}")
        if not STATUS.fullmatch(written):
            raise Malformed(f"a status line with the status code {written[:100]!r}")
        return version, status, reason

    def _get_chunk_left(self) -> int | None:
        if self.chunk_left == 0:
            end = self.fp.read(2)
            if len(end) < 2:
                raise http.client.IncompleteRead(end)
            if end != b"\r\n":
                raise Malformed("a chunk that is longer than its size says")
            self.chunk_left: int | None = None
        return super()._get_chunk_left()  # type: ignore[misc, no-any-return]

    def _read_next_chunk_size(self) -> int:
        line = self.fp.readline(LONGEST_LINE_BYTES + 1)
        if len(line) > LONGEST_LINE_BYTES:
            raise http.client.LineTooLong("chunk size")
        size = CHUNK_SIZE.fullmatch(line)
        if size is None:
            raise Malformed("a chunked body without its last chunk, or with a chunk whose size is no number")
        return int(size[1], 16)

    def _read_and_discard_trailer(self) -> None:
        lines = size = 0
        while (line := self.fp.readline(LONGEST_LINE_BYTES + 1)) not in (b"\r\n", b"\n", b""):
            lines, size = lines + 1, size + len(line)
            if lines > MOST_TRAILERS or size > LARGEST_HEAD_BYTES:
                raise http.client.HTTPException(
                    f"more than {MOST_TRAILERS} headers, or {LARGEST_HEAD_BYTES} bytes of them, after its body"
                )


def unasked_response(received: bytes) -> str | None:
    """The status line of a response that came before the request whose answer it could be taken for, if there is one.

    What servers say before they close an idle connection, such as a 408, does not count; nor do blank lines and interim
    responses (RFC 9112 sections 2.2 and 9.2).
    """
    line = UNASKED.match(received)
    return None if line is None else line[0].decode("latin-1")[:100]


def received_by_now(sock: socket.socket, read: Callable[[], bytes]) -> bytes:
    """What can be read from a connection without waiting; nothing if nothing has arrived, or the connection has ended."""
    timeout_s = sock.gettimeout()
    # It may have been closed meanwhile, at the deadline.
    with suppress(OSError):
        sock.settimeout(0.0)
        try:
            return read()
        finally:
            sock.settimeout(timeout_s)
    return b""


def unreadable(headers: Iterable[tuple[str, str]]) -> str | None:
    """The header that keeps a client from finding the end of a body, if there is one.

    A length beside chunks must not be sent: it may hide a second response, and clients such as Node's refuse it
    (RFC 9112 sections 6.2 and 6.3).
    """
    headers = list(headers)
    lengths = _values(headers, "content-length")
    if not all(each.isascii() and each.isdigit() and len(each) <= LONGEST_LENGTH_DIGITS for each in lengths):
        return f"Content-Length: {', '.join(lengths)[:100]}"
    if lengths and set(map(str.lower, _values(headers, "transfer-encoding"))) - NO_CODING:
        return "both Content-Length and Transfer-Encoding"
    return None


def transfer_codings(headers: Iterable[tuple[str, str]]) -> str | None:
    """The transfer codings of a response that are not decoded here, if there are any.

    Except for those that a request names in TE, only chunked may be sent (RFC 9110 section 10.1.4), and that only once
    (RFC 9112 section 6.1).
    """
    codings = [each.lower() for each in _values(headers, "transfer-encoding")]
    return None if codings == ["chunked"] or set(codings) <= NO_CODING else ", ".join(codings)[:100]


def content_codings(headers: Iterable[tuple[str, str]]) -> str | None:
    """The content codings of a response that are not decoded here, if there are any; those that clients accept are decoded."""
    codings = _values(headers, "content-encoding")
    known = {*HTTPResponse.CONTENT_DECODERS, *NO_CODING}
    return None if {each.lower() for each in codings} <= known else ", ".join(codings)[:100]


def _values(headers: Iterable[tuple[str, str]], wanted: str) -> list[str]:
    """The members of a header that is a list, which may be there more than once."""
    return [each.strip() for name, value in headers if name.lower() == wanted for each in value.split(",")]
